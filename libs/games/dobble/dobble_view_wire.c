/* SPDX-License-Identifier: Apache-2.0
 *
 * Views: what everybody sees, and what one seat sees beside it. A card is written only when see.c
 * says that it lies open, and its pictures and look with it.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"
#include "dobble.pb-c.h"

typedef Madang__V1__Dobble__View wire_view;

struct card_parts {
    Madang__V1__Dobble__Card card;
    uint8_t bytes[1 + sizeof(struct dobble_card)];
};

/* Everything a View points to, for as long as it is packed. */
struct parts {
    struct card_parts centre, top[DOBBLE_SEATS_MAX], place[DOBBLE_PLACES];
    Madang__V1__Dobble__Card *places[DOBBLE_PLACES];
    Madang__V1__Dobble__Seat seat[DOBBLE_SEATS_MAX], *seats[DOBBLE_SEATS_MAX];
    Madang__V1__Dobble__Settings settings;
    Madang__V1__Dobble__RoundResult last_round;
    Madang__V1__Dobble__Result result;
    Madang__V1__Dobble__Ranked rank[DOBBLE_SEATS_MAX], *ranking[DOBBLE_SEATS_MAX];
};

/* NULL for no card. */
static Madang__V1__Dobble__Card *put_card(const struct dobble_state *state, int card,
                                          struct card_parts *parts)
{
    Madang__V1__Dobble__Card *out = &parts->card;
    madang__v1__dobble__card__init(out);
    if (card == DOBBLE_NO_CARD) return NULL;
    const struct dobble_card *from = &state->card[card - 1];
    size_t items = (size_t)dobble_items(&state->rules);
    parts->bytes[0] = (uint8_t)card;
    memcpy(parts->bytes + 1, from->art, items);
    memcpy(parts->bytes + 1 + items, from->look, sizeof from->look);
    out->all.data = parts->bytes;
    out->all.len = 1 + items + sizeof from->look;
    return out;
}

static void put_settings(const struct dobble_rules *rules, struct parts *parts, wire_view *view)
{
    madang__v1__dobble__settings__init(&parts->settings);
    parts->settings.deck_size = rules->deck_size;
    parts->settings.wrong_lockout_ms = rules->lockout_ms;
    parts->settings.light = rules->light;
    parts->settings.easy = rules->easy;
    parts->settings.show_rtt = rules->show_rtt;
    parts->settings.well_end_at_first = rules->end_at_first;
    parts->settings.wrong_gives_card = rules->gives_card;
    parts->settings.practice = rules->practice;
    view->settings = &parts->settings;
}

static void put_seats(const struct dobble_state *state, struct parts *parts, wire_view *view)
{
    for (int s = 0; s < state->seats; s++) {
        const struct dobble_seat *seat = &state->seat[s];
        Madang__V1__Dobble__Seat *out = parts->seats[s] = &parts->seat[s];
        bool leaving = dobble_has_forfeits(state) && dobble_in_game(state, s) &&
                       seat->away_since != INSTANT_NEVER && state->phase != DOBBLE_FINISHED;
        madang__v1__dobble__seat__init(out);
        out->top = put_card(state, dobble_seen_top(state, s), &parts->top[s]);
        out->cards = seat->pile.len;
        out->role = (Madang__V1__Dobble__Part)seat->part;
        out->place = seat->place;
        out->locked_until = seat->locked_until;
        out->penalty = seat->penalty;
        out->correct = seat->correct;
        out->wrong = seat->wrong;
        out->given_back = seat->given_back;
        out->forfeits_at = leaving ? seat->away_since + DOBBLE_FORFEIT_MS : 0;
    }
    view->seats = parts->seats;
    view->n_seats = state->seats;
}

static void put_places(const struct dobble_state *state, struct parts *parts, wire_view *view)
{
    if (state->rules.mini_game != DOBBLE_TRIPLET || !state->face_up) return;
    for (int p = 0; p < DOBBLE_PLACES; p++) {
        put_card(state, dobble_seen_place(state, p), &parts->place[p]);
        parts->places[p] = &parts->place[p].card;
    }
    view->places = parts->places;
    view->n_places = DOBBLE_PLACES;
}

static void put_last_round(const struct dobble_state *state, struct parts *parts, wire_view *view)
{
    if (state->last_round.round == 0) return;
    madang__v1__dobble__round_result__init(&parts->last_round);
    parts->last_round.round = state->last_round.round;
    parts->last_round.is_void = state->last_round.is_void;
    parts->last_round.loser = state->last_round.loser;
    parts->last_round.cards = state->last_round.cards;
    view->last_round = &parts->last_round;
}

static void put_ranked(const struct dobble_state *state, int s, Madang__V1__Dobble__Ranked *out)
{
    const struct dobble_seat *seat = &state->seat[s];
    bool potato = state->rules.mini_game == DOBBLE_HOT_POTATO;
    madang__v1__dobble__ranked__init(out);
    out->seat = (uint32_t)s;
    out->rank = (uint32_t)dobble_rank(state, s);
    out->cards = potato ? 0 : seat->pile.len;
    out->penalty = seat->penalty;
    out->points = (uint32_t)dobble_points(state, s);
    out->correct = seat->correct;
    out->wrong = seat->wrong;
    out->forfeited = seat->part == DOBBLE_FORFEITED;
}

/* By rank, then seat. */
static void put_result(const struct dobble_state *state, struct parts *parts, wire_view *view)
{
    if (state->phase != DOBBLE_FINISHED) return;
    size_t count = 0;
    for (int rank = 0; rank <= state->seats; rank++)
        for (int s = 0; s < state->seats; s++) {
            if (dobble_rank(state, s) != rank) continue;
            put_ranked(state, s, &parts->rank[count]);
            parts->ranking[count] = &parts->rank[count];
            count++;
        }
    madang__v1__dobble__result__init(&parts->result);
    parts->result.ranking = parts->ranking;
    parts->result.n_ranking = count;
    parts->result.ending = (Madang__V1__Dobble__Ending)state->ending;
    view->result = &parts->result;
}

/* The most that a view can take, so that its size need not be asked before it is packed, which
 * takes as long as packing: with its tag a number has at most 7 bytes, an instant 11, what stands
 * before a message 3. */
enum {
    NUMBER = 7,
    INSTANT = 11,
    BEGIN = 3,
    CARD = 2 * BEGIN + 1 + sizeof(struct dobble_card),
    SEAT = BEGIN + CARD + 8 * NUMBER + 2 * INSTANT,
    RANKED = BEGIN + 8 * NUMBER,
    RESULT = BEGIN + NUMBER + DOBBLE_SEATS_MAX * RANKED,
    TABLE = 8 * NUMBER + 2 * INSTANT + CARD + DOBBLE_PLACES * CARD + DOBBLE_SEATS_MAX * SEAT,
    VIEW = TABLE + BEGIN + 8 * NUMBER + BEGIN + 4 * NUMBER + RESULT, /* settings, last round */
};

static void view_shared(const struct dobble_state *state, struct buf *out)
{
    uint8_t bytes[VIEW];
    struct parts parts;
    wire_view view = MADANG__V1__DOBBLE__VIEW__INIT;
    view.mini_game = (Madang__V1__Dobble__MiniGame)state->rules.mini_game;
    view.phase = (Madang__V1__Dobble__Phase)state->phase;
    view.phase_started = state->phase_started;
    view.phase_ends = state->phase_ends == INSTANT_NEVER ? 0 : state->phase_ends;
    view.round = state->round;
    view.rounds = state->rules.rounds;
    view.centre = put_card(state, dobble_seen_centre(state), &parts.centre);
    view.in_centre = state->centre.len;
    view.draw_count = state->draw.len;
    view.hints_in_row = state->hints;
    put_places(state, &parts, &view);
    put_seats(state, &parts, &view);
    put_settings(&state->rules, &parts, &view);
    put_last_round(state, &parts, &view);
    put_result(state, &parts, &view);
    size_t len = madang__v1__dobble__view__pack(&view, bytes);
    CHECK(len <= sizeof bytes);
    buf_put(out, bytes, len);
}

/* ---- the part of one seat -------------------------------------------------------------------- */

struct mine_parts {
    uint32_t targets[DOBBLE_SEATS_MAX], suspects[DOBBLE_SEATS_MAX];
    Madang__V1__Dobble__Hint hint[DOBBLE_SEATS_MAX], *hints[DOBBLE_SEATS_MAX];
};

static void put_hint(const struct dobble_state *state, int seat, int target,
                     struct mine_parts *parts, Madang__V1__Dobble__Mine *mine)
{
    int art = dobble_answer(state, seat, target);
    if (art < 0) return;
    Madang__V1__Dobble__Hint *hint = parts->hints[mine->n_hints] = &parts->hint[mine->n_hints];
    madang__v1__dobble__hint__init(hint);
    hint->target = (uint32_t)(target + 1);
    hint->art = (uint32_t)art;
    mine->n_hints++;
}

/* B14: the answer of the seat's own pair, against each of its targets where there are any. */
static void put_hints(const struct dobble_state *state, int seat, seat_mask targets,
                      struct mine_parts *parts, Madang__V1__Dobble__Mine *mine)
{
    mine->hints = parts->hints;
    if (state->phase != DOBBLE_HINT) return;
    if (!dobble_has_targets(state)) put_hint(state, seat, -1, parts, mine);
    for (int target = 0; target < state->seats; target++)
        if (targets >> target & 1) put_hint(state, seat, target, parts, mine);
}

static void view_mine(const struct dobble_state *state, const struct game_viewer *viewer,
                      struct buf *out)
{
    struct mine_parts parts;
    Madang__V1__Dobble__Mine mine = MADANG__V1__DOBBLE__MINE__INIT;
    seat_mask targets = dobble_targets(state, viewer->seat);
    mine.targets = parts.targets;
    mine.suspects = parts.suspects;
    for (int s = 0; s < state->seats; s++)
        if (targets >> s & 1) parts.targets[mine.n_targets++] = (uint32_t)s;
    for (int s = 0; s < state->seats && viewer->host; s++)
        if (state->seat[s].suspected) parts.suspects[mine.n_suspects++] = (uint32_t)s;
    put_hints(state, viewer->seat, targets, &parts, &mine);
    size_t len = madang__v1__dobble__mine__get_packed_size(&mine);
    madang__v1__dobble__mine__pack(&mine, buf_extend(out, len));
}

void dobble_view(const void *data, const struct game_viewer *viewer, struct buf *shared,
                 struct buf *mine)
{
    const struct dobble_state *state = data;
    if (shared) view_shared(state, shared);
    if (mine && viewer->seat >= 0 && viewer->seat < state->seats) view_mine(state, viewer, mine);
}
