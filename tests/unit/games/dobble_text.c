/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/dobble_text.h"

#include "unit/games/text.h"

#include "base/check.h"
#include "dobble.pb-c.h"

typedef Madang__V1__Dobble__View wire_view;
typedef Madang__V1__Dobble__Event wire_event;

static const char *phase_name(int phase)
{
    static const char *const names[] = {"?",    "countdown", "playing", "roundEnd",
                                        "hint", "paused",    "finished"};
    CHECK(phase >= 0 && phase <= 6);
    return names[phase];
}

static const char *ending_name(int ending)
{
    static const char *const names[] = {"?", "played", "unfound", "absent", "too few"};
    CHECK(ending >= 0 && ending <= 4);
    return names[ending];
}

static void put_card(struct buf *out, const Madang__V1__Dobble__Card *card)
{
    CHECK(card->all.len > 4);
    text_put(out, "c%u:", card->all.data[0]);
    for (size_t i = 1; i < card->all.len - 3; i++) text_put(out, " %u", card->all.data[i]);
}

static void put_seat(struct buf *out, int s, const Madang__V1__Dobble__Seat *seat)
{
    static const char *const parts[] = {"?", "", "; escaped", "; emptied", "; forfeited"};
    CHECK(seat->role >= 1 && seat->role <= 4);
    text_put(out, "  seat %d  ", s);
    if (seat->top) {
        put_card(out, seat->top);
        text_put(out, "; ");
    }
    text_put(out, "%u card%s%s", seat->cards, seat->cards == 1 ? "" : "s", parts[seat->role]);
    if (seat->place) text_put(out, " as number %u", seat->place);
    if (seat->penalty) text_put(out, "; penalty %u", seat->penalty);
    if (seat->correct || seat->wrong)
        text_put(out, "; %u right, %u wrong", seat->correct, seat->wrong);
    if (seat->given_back) text_put(out, "; %u given back", seat->given_back);
    if (seat->locked_until)
        text_put(out, "; locked until %llu", (unsigned long long)seat->locked_until);
    if (seat->forfeits_at)
        text_put(out, "; forfeits at %llu", (unsigned long long)seat->forfeits_at);
    text_put(out, "\n");
}

static void put_table(struct buf *out, const wire_view *view)
{
    text_put(out, "  %s since %llu", phase_name((int)view->phase),
             (unsigned long long)view->phase_started);
    if (view->phase_ends) text_put(out, " to %llu", (unsigned long long)view->phase_ends);
    if (view->rounds > 1) text_put(out, "; round %u of %u", view->round, view->rounds);
    if (view->in_centre) text_put(out, "; %u in the centre", view->in_centre);
    if (view->draw_count) text_put(out, "; %u to draw", view->draw_count);
    if (view->hints_in_row) text_put(out, "; hints %u", view->hints_in_row);
    text_put(out, "\n");
    if (view->centre) {
        text_put(out, "  centre  ");
        put_card(out, view->centre);
        text_put(out, "\n");
    }
    for (size_t p = 0; p < view->n_places; p++) {
        if (view->places[p]->all.len == 0) continue;
        text_put(out, "  place %zu  ", p);
        put_card(out, view->places[p]);
        text_put(out, "\n");
    }
}

static void put_round(struct buf *out, const Madang__V1__Dobble__RoundResult *round)
{
    if (round->is_void)
        text_put(out, "round %u is void\n", round->round);
    else
        text_put(out, "round %u: seat %u keeps %u\n", round->round, round->loser, round->cards);
}

static void put_result(struct buf *out, const Madang__V1__Dobble__Result *result)
{
    text_put(out, "  result: %s\n", ending_name((int)result->ending));
    for (size_t i = 0; i < result->n_ranking; i++) {
        const Madang__V1__Dobble__Ranked *rank = result->ranking[i];
        text_put(out, "  rank %u: seat %u, %u cards, penalty %u, %u points, %u right, %u wrong%s\n",
                 rank->rank, rank->seat, rank->cards, rank->penalty, rank->points, rank->correct,
                 rank->wrong, rank->forfeited ? ", forfeited" : "");
    }
}

void dobble_text_view(struct buf *out, struct slice shared)
{
    wire_view *view = madang__v1__dobble__view__unpack(NULL, shared.len, shared.at);
    CHECK(view != NULL);
    put_table(out, view);
    for (size_t s = 0; s < view->n_seats; s++) put_seat(out, (int)s, view->seats[s]);
    if (view->last_round) {
        text_put(out, "  last ");
        put_round(out, view->last_round);
    }
    if (view->result) put_result(out, view->result);
    madang__v1__dobble__view__free_unpacked(view, NULL);
}

void dobble_text_mine(struct buf *out, int seat, struct slice mine)
{
    Madang__V1__Dobble__Mine *own =
        madang__v1__dobble__mine__unpack(NULL, mine.len, mine.at ? mine.at : (const uint8_t *)"");
    CHECK(own != NULL);
    if (own->n_targets || own->n_hints || own->n_suspects) {
        text_put(out, "  %d alone:", seat);
        for (size_t i = 0; i < own->n_targets; i++) text_put(out, " target %u", own->targets[i]);
        for (size_t i = 0; i < own->n_hints; i++) {
            text_put(out, " hint %u", own->hints[i]->art);
            if (own->hints[i]->target) text_put(out, " against %u", own->hints[i]->target - 1);
        }
        for (size_t i = 0; i < own->n_suspects; i++) text_put(out, " suspect %u", own->suspects[i]);
        text_put(out, "\n");
    }
    madang__v1__dobble__mine__free_unpacked(own, NULL);
}

#define KIND(name) MADANG__V1__DOBBLE__EVENT__KIND_##name

static void put_found(struct buf *out, const Madang__V1__Dobble__Found *found)
{
    text_put(out, "seat %u finds %u", found->seat, found->art);
    if (found->target) text_put(out, " against seat %u", found->target - 1);
    text_put(out, "\n");
}

static void put_wrong(struct buf *out, const Madang__V1__Dobble__Wrong *wrong)
{
    text_put(out, "seat %u is wrong", wrong->seat);
    if (wrong->locked_until)
        text_put(out, ", locked until %llu", (unsigned long long)wrong->locked_until);
    text_put(out, "%s\n", wrong->gave_card ? ", gives a card back" : "");
}

static void put_event(struct buf *out, const wire_event *event)
{
    text_put(out, "  ");
    switch (event->kind_case) {
    case KIND(SHOWN): text_put(out, "the cards are shown\n"); break;
    case KIND(FOUND): put_found(out, event->found); break;
    case KIND(WRONG): put_wrong(out, event->wrong); break;
    case KIND(BEATEN): text_put(out, "seat %u is beaten\n", event->beaten->seat); break;
    case KIND(ESCAPED): text_put(out, "seat %u escapes\n", event->escaped->seat); break;
    case KIND(EMPTIED): text_put(out, "seat %u is done\n", event->emptied->seat); break;
    case KIND(ROUND_ENDED): put_round(out, event->round_ended->result); break;
    case KIND(FORFEITED): text_put(out, "seat %u forfeits\n", event->forfeited->seat); break;
    case KIND(HINT_SHOWN): text_put(out, "a hint\n"); break;
    case KIND(HINT_OVER): text_put(out, "the hint is over\n"); break;
    case KIND(PAUSED): text_put(out, "too few are here\n"); break;
    case KIND(COUNTDOWN_BEGAN): text_put(out, "a countdown\n"); break;
    case KIND(FINISHED):
        text_put(out, "the end: %s\n", ending_name((int)event->finished->ending));
        break;
    default: CHECK(!"no such event");
    }
}

void dobble_text_events(struct buf *out, const struct game_events *events)
{
    for (int i = 0; i < events->count; i++) {
        const struct game_event *event = &events->list[i];
        wire_event *wire =
            madang__v1__dobble__event__unpack(NULL, event->shared.len, event->shared.at);
        CHECK(wire != NULL);
        put_event(out, wire);
        madang__v1__dobble__event__free_unpacked(wire, NULL);
        if (event->seat < 0) continue;
        Madang__V1__Dobble__MineEvent *own = madang__v1__dobble__mine_event__unpack(
            NULL, event->mine.len, event->mine.at ? event->mine.at : (const uint8_t *)"");
        CHECK(own != NULL);
        text_put(out, "  to %d alone: %u\n", event->seat, own->art);
        madang__v1__dobble__mine_event__free_unpacked(own, NULL);
    }
    if (events->hidden) text_put(out, "  (nobody may notice)\n");
}
