/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_text.h"

#include "base/check.h"
#include "davinci.pb-c.h"

typedef Madang__V1__Davinci__View wire_view;
typedef Madang__V1__Davinci__Event wire_event;

static const char *face_name(int face)
{
    static const char *const names[] = {"?", "0", "1", "2", "3",  "4",  "5",
                                        "6", "7", "8", "9", "10", "11", "J"};
    CHECK(face >= 0 && face <= 13);
    return names[face];
}

static void put_tile(struct buf *out, int color, int face)
{
    text_put(out, "%s%s", color == 1 ? "b" : color == 2 ? "w" : "-", face_name(face));
}

static const char *phase_name(int phase)
{
    static const char *const names[] = {"?",         "chooseStart",  "draw",
                                        "guess",     "afterCorrect", "placeJoker",
                                        "revealOwn", "finished"};
    CHECK(phase >= 0 && phase <= 7);
    return names[phase];
}

static void put_row(struct buf *out, int seat, const Madang__V1__Davinci__Row *row)
{
    text_put(out, "  row %d:", seat);
    for (size_t i = 0; i < row->n_tiles; i++) {
        const Madang__V1__Davinci__Tile *tile = row->tiles[i];
        text_put(out, " ");
        put_tile(out, (int)tile->color, (int)tile->face);
        if (tile->refuted) text_put(out, "{");
        for (int face = 1, some = 0; face <= 13; face++)
            if (tile->refuted >> face & 1)
                text_put(out, "%s%s", some++ ? " " : "", face_name(face));
        if (tile->refuted) text_put(out, "}");
        if (tile->newest) text_put(out, "*");
    }
    if (row->picked) text_put(out, " (picked)");
    if (!row->alive) text_put(out, " (out)");
    if (row->guesses) text_put(out, "  %u of %u right", row->correct, row->guesses);
    text_put(out, "\n");
}

/* How many guesses are told, and the last of them. */
static void put_history(struct buf *out, const wire_view *view)
{
    if (view->n_history == 0) return;
    const Madang__V1__Davinci__HistoryEntry *last = view->history[view->n_history - 1];
    text_put(out, "  told %zu: turn %u, %u to %u, place %u (its tile %u), ", view->n_history,
             last->turn, last->by, last->target, last->position, last->entry);
    put_tile(out, (int)last->color, (int)last->said);
    text_put(out, ", %s%s\n", last->correct ? "right" : "wrong",
             last->automatic ? ", by the clock" : "");
}

static void put_result(struct buf *out, const Madang__V1__Davinci__Result *result)
{
    for (size_t i = 0; i < result->n_ranking; i++) {
        const Madang__V1__Davinci__Ranked *rank = result->ranking[i];
        text_put(out, "  rank %u: seat %u, %u hidden, %u of %u right%s\n", rank->rank, rank->seat,
                 rank->hidden_left, rank->correct, rank->guesses, rank->left ? ", had left" : "");
    }
    for (size_t seat = 0; seat < result->n_rows; seat++) {
        text_put(out, "  final %zu:", seat);
        for (size_t i = 0; i < result->rows[seat]->n_tiles; i++) {
            text_put(out, " ");
            put_tile(out, (int)result->rows[seat]->tiles[i]->color,
                     (int)result->rows[seat]->tiles[i]->face);
            text_put(out, "%s", result->rows[seat]->tiles[i]->was_hidden ? "" : "!");
        }
        text_put(out, "\n");
    }
    if (!result->turn_tile) return;
    text_put(out, "  still in the hand of %u: ", result->turn_tile_seat);
    put_tile(out, (int)result->turn_tile->color, (int)result->turn_tile->face);
    text_put(out, "\n");
}

void davinci_text_view(struct buf *out, struct slice shared)
{
    wire_view *view = madang__v1__davinci__view__unpack(NULL, shared.len, shared.at);
    CHECK(view);
    text_put(out, "  %s", phase_name((int)view->phase));
    if (view->phase != MADANG__V1__DAVINCI__PHASE__PHASE_CHOOSE_START)
        text_put(out, ", turn %u of %u", view->turn, view->current);
    else
        text_put(out, ", %u starts, %u tiles each", view->first, view->start_tiles);
    if (view->deadline) text_put(out, ", until %llu", (unsigned long long)view->deadline);
    text_put(out, "; pool %u black, %u white", view->pool_black, view->pool_white);
    if (view->turn_tile) {
        text_put(out, "; turn tile ");
        put_tile(out, (int)view->turn_tile, (int)view->turn_face);
    }
    text_put(out, "%s\n", view->penalty_switched ? "; the penalty is on now" : "");
    for (size_t seat = 0; seat < view->n_rows; seat++) put_row(out, (int)seat, view->rows[seat]);
    put_history(out, view);
    if (view->result) put_result(out, view->result);
    madang__v1__davinci__view__free_unpacked(view, NULL);
}

void davinci_text_mine(struct buf *out, int seat, struct slice shared, struct slice mine)
{
    wire_view *view = madang__v1__davinci__view__unpack(NULL, shared.len, shared.at);
    Madang__V1__Davinci__Mine *own =
        madang__v1__davinci__mine__unpack(NULL, mine.len, mine.at ? mine.at : shared.at);
    CHECK(view && own && own->n_faces == view->rows[seat]->n_tiles);
    text_put(out, "  %d alone:", seat);
    for (size_t i = 0; i < own->n_faces; i++) {
        text_put(out, " ");
        put_tile(out, (int)view->rows[seat]->tiles[i]->color, (int)own->faces[i]);
    }
    if (own->turn_face) text_put(out, "; turn tile %s", face_name((int)own->turn_face));
    if (own->joker_place_needed) text_put(out, ", to be placed");
    if (own->pick_black || own->pick_white)
        text_put(out, " picked %u black, %u white", own->pick_black, own->pick_white);
    text_put(out, "\n");
    madang__v1__davinci__view__free_unpacked(view, NULL);
    madang__v1__davinci__mine__free_unpacked(own, NULL);
}

static const char *by_clock(bool automatic)
{
    return automatic ? ", by the clock" : "";
}

static void put_guessed(struct buf *out, const Madang__V1__Davinci__Guessed *e)
{
    text_put(out, "  %u says to %u, place %u: ", e->seat, e->target, e->position);
    put_tile(out, (int)e->color, (int)e->said);
    text_put(out, ", %s%s\n", e->correct ? "right" : "wrong", by_clock(e->automatic));
}

static void put_inserted(struct buf *out, const Madang__V1__Davinci__Inserted *e)
{
    text_put(out, "  %u puts at place %u: ", e->seat, e->position);
    put_tile(out, (int)e->color, (int)e->face);
    text_put(out, "%s\n", by_clock(e->automatic));
}

#define KIND(name) MADANG__V1__DAVINCI__EVENT__KIND_##name

static void put_event(struct buf *out, const wire_event *event)
{
    switch (event->kind_case) {
    case KIND(PICKED):
        text_put(out, "  %u picked%s\n", event->picked->seat, by_clock(event->picked->automatic));
        return;
    case KIND(DEALT): text_put(out, "  dealt\n"); return;
    case KIND(DRAWN):
        text_put(out, "  %u draws ", event->drawn->seat);
        put_tile(out, (int)event->drawn->color, 0);
        text_put(out, "%s\n", by_clock(event->drawn->automatic));
        return;
    case KIND(GUESSED): put_guessed(out, event->guessed); return;
    case KIND(WENT_ON): text_put(out, "  %u goes on\n", event->went_on->seat); return;
    case KIND(INSERTED): put_inserted(out, event->inserted); return;
    case KIND(REVEALED):
        text_put(out, "  %u reveals place %u: %s%s\n", event->revealed->seat,
                 event->revealed->position, face_name((int)event->revealed->face),
                 by_clock(event->revealed->automatic));
        return;
    case KIND(ELIMINATED): text_put(out, "  %u is out\n", event->eliminated->seat); return;
    case KIND(TURN_BEGAN):
        text_put(out, "  turn %u: %u\n", event->turn_began->turn, event->turn_began->seat);
        return;
    case KIND(FINISHED): text_put(out, "  %u has won\n", event->finished->winner); return;
    case KIND(PENALTY_SWITCHED):
        text_put(out, "  from now on a miss reveals an own tile\n");
        return;
    case KIND(JOKER_OPENED):
        text_put(out, "  %u has a joker to place\n", event->joker_opened->seat);
        return;
    default: CHECK(!"an event without a kind");
    }
}

void davinci_text_events(struct buf *out, const struct game_events *events)
{
    for (int i = 0; i < events->count; i++) {
        struct slice shared = events->list[i].shared, mine = events->list[i].mine;
        wire_event *event = madang__v1__davinci__event__unpack(NULL, shared.len, shared.at);
        CHECK(event);
        put_event(out, event);
        madang__v1__davinci__event__free_unpacked(event, NULL);
        if (mine.len == 0) continue;
        Madang__V1__Davinci__MineEvent *own =
            madang__v1__davinci__mine_event__unpack(NULL, mine.len, mine.at);
        CHECK(own);
        text_put(out, "  to %d alone: %s\n", events->list[i].seat, face_name((int)own->face));
        madang__v1__davinci__mine_event__free_unpacked(own, NULL);
    }
}
