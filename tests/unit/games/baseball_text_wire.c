/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/baseball_text.h"

#include "base/check.h"
#include "baseball.pb-c.h"

typedef Madang__V1__Baseball__View wire_view;
typedef Madang__V1__Baseball__Mine wire_mine;
typedef Madang__V1__Baseball__Log wire_log;
typedef Madang__V1__Baseball__Result wire_result;
typedef Madang__V1__Baseball__Revealed wire_revealed;
typedef Madang__V1__Baseball__Event wire_event;
typedef Madang__V1__Baseball__MineEvent wire_own;
#define EVENT(name) MADANG__V1__BASEBALL__EVENT__KIND_##name

static const char *phase_name(int phase)
{
    static const char *const names[] = {"?", "countdown", "playing", "finished"};
    CHECK(phase >= 0 && phase <= 3);
    return names[phase];
}

static const char *standing_name(int standing)
{
    static const char *const names[] = {"?",         "playing", "solved",
                                        "exhausted", "gave up", "time over"};
    CHECK(standing >= 0 && standing <= 5);
    return names[standing];
}

static const char *cause_name(int cause)
{
    static const char *const names[] = {"?", "all ended", "time limit", "absence"};
    CHECK(cause >= 0 && cause <= 3);
    return names[cause];
}

static void put_count(struct buf *out, uint32_t count, const char *what)
{
    text_put(out, "%u %s%s", count, what, count == 1 ? "" : *what == 'g' ? "es" : "s");
}

static void put_time(struct buf *out, uint32_t tenths)
{
    text_put(out, "%u.%u s", tenths / 10, tenths % 10);
}

static void put_judged(struct buf *out, uint32_t strikes, uint32_t balls)
{
    if (strikes || balls)
        text_put(out, "%uS%uB", strikes, balls);
    else
        text_put(out, "out");
}

static void put_log(struct buf *out, const wire_log *log, uint32_t digits)
{
    CHECK(log->n_codes == log->n_judged);
    for (size_t i = 0; i < log->n_codes; i++) {
        text_put(out, "%s%0*u ", i ? ", " : "", (int)digits, log->codes[i]);
        put_judged(out, log->judged[i] / 10, log->judged[i] % 10);
    }
    if (log->n_codes == 0) text_put(out, "no guess");
}

static void put_hints(struct buf *out, wire_revealed *const *hints, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_put(out, "%s%u=%u", i ? " " : "; hints ", hints[i]->position, hints[i]->digit);
}

static void put_result(struct buf *out, const wire_result *result, uint32_t digits)
{
    for (size_t i = 0; i < result->n_ranking; i++) {
        const Madang__V1__Baseball__Ranked *ranked = result->ranking[i];
        text_put(out, "  rank %u: seat %u", ranked->rank, ranked->seat);
        if (ranked->points) text_put(out, ", %u points", ranked->points);
        text_put(out, "%s\n", ranked->left ? ", had left" : "");
    }
    text_put(out, "  %s; secret %s", cause_name((int)result->cause), result->secret);
    put_hints(out, result->hints, result->n_hints);
    text_put(out, "\n");
    for (size_t i = 0; i < result->n_logs; i++) {
        text_put(out, "  log %zu: ", i);
        put_log(out, result->logs[i], digits);
        text_put(out, "\n");
    }
}

void baseball_text_view(struct buf *out, struct slice shared)
{
    wire_view *view = madang__v1__baseball__view__unpack(NULL, shared.len, shared.at);
    CHECK(view && view->settings);
    text_put(out, "  %s, from %llu to %llu", phase_name((int)view->phase),
             (unsigned long long)view->starts, (unsigned long long)view->ends);
    if (view->absence_ends)
        text_put(out, ", nobody there until %llu", (unsigned long long)view->absence_ends);
    text_put(out, "\n");
    for (size_t i = 0; i < view->n_players; i++) {
        const Madang__V1__Baseball__Player *player = view->players[i];
        text_put(out, "  %zu: %s, ", i, standing_name((int)player->standing));
        put_count(out, player->guesses, "guess");
        text_put(out, ", ");
        put_count(out, player->hints, "hint");
        if (player->standing != 1) text_put(out, ", "), put_time(out, player->time_tenths);
        text_put(out, "\n");
    }
    if (view->result) put_result(out, view->result, view->settings->digits);
    madang__v1__baseball__view__free_unpacked(view, NULL);
}

void baseball_text_mine(struct buf *out, struct slice shared, struct slice mine)
{
    wire_view *view = madang__v1__baseball__view__unpack(NULL, shared.len, shared.at);
    wire_mine *own = madang__v1__baseball__mine__unpack(NULL, mine.len, mine.at);
    CHECK(view && view->settings && own && own->log);
    put_log(out, own->log, view->settings->digits);
    put_hints(out, own->hints, own->n_hints);
    text_put(out, "; ");
    put_count(out, own->guesses_left, "guess");
    text_put(out, " and ");
    put_count(out, own->hints_left, "hint");
    text_put(out, " left");
    madang__v1__baseball__view__free_unpacked(view, NULL);
    madang__v1__baseball__mine__free_unpacked(own, NULL);
}

static void put_event(struct buf *out, const wire_event *event)
{
    text_put(out, "  ");
    switch (event->kind_case) {
    case EVENT(STARTED): text_put(out, "started"); break;
    case EVENT(GUESSED):
        text_put(out, "%u has made ", event->guessed->seat);
        put_count(out, event->guessed->guesses, "guess");
        break;
    case EVENT(HINTED):
        text_put(out, "%u has used ", event->hinted->seat);
        put_count(out, event->hinted->hints, "hint");
        break;
    case EVENT(ENDED):
        text_put(out, "%u: %s, ", event->ended->seat, standing_name((int)event->ended->standing));
        put_time(out, event->ended->time_tenths);
        break;
    case EVENT(FINISHED):
        text_put(out, "finished: %s", cause_name((int)event->finished->cause));
        break;
    default: CHECK(!"an event of no kind");
    }
    text_put(out, "\n");
}

static void put_own(struct buf *out, int seat, const wire_own *own)
{
    text_put(out, "  to %d alone: ", seat);
    if (own->kind_case == MADANG__V1__BASEBALL__MINE_EVENT__KIND_JUDGED) {
        text_put(out, "%s ", own->judged->code);
        put_judged(out, own->judged->strikes, own->judged->balls);
    } else {
        CHECK(own->kind_case == MADANG__V1__BASEBALL__MINE_EVENT__KIND_REVEALED);
        text_put(out, "place %u is %u", own->revealed->position, own->revealed->digit);
    }
    text_put(out, "\n");
}

void baseball_text_events(struct buf *out, const struct game_events *events)
{
    for (int i = 0; i < events->count; i++) {
        const struct game_event *told = &events->list[i];
        wire_event *event =
            madang__v1__baseball__event__unpack(NULL, told->shared.len, told->shared.at);
        CHECK(event);
        put_event(out, event);
        madang__v1__baseball__event__free_unpacked(event, NULL);
        if (told->mine.len == 0) continue;
        wire_own *own =
            madang__v1__baseball__mine_event__unpack(NULL, told->mine.len, told->mine.at);
        CHECK(own);
        put_own(out, told->seat, own);
        madang__v1__baseball__mine_event__free_unpacked(own, NULL);
    }
}
