/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties that hold after every step of seeded random games.
 */
#include "unit/games/davinci_expect.h"
#include "unit/test.h"

#include "base/hash.h"

#include <stdio.h>

/* One step of a game: what was, what was done (kind 0: the clock), what is. */
struct moment {
    const struct davinci_state *before, *after;
    const struct davinci_action *action;
    int seat;
    struct rng *rng;
};
typedef void each_step(const struct moment *moment, void *data);

enum { CLOCKS = 1, JOKERS = 2 };

static void start(struct table *table, uint32_t number, int what)
{
    table_start(table, &(struct table_options){.seats = 2 + (int)number % 3,
                                               .jokers = (what & JOKERS) && number / 3 % 2,
                                               .white_left = number / 6 % 2,
                                               .no_choice = number / 12 % 2,
                                               .none = number / 24 % 2,
                                               .seed = number});
    while (!(what & CLOCKS) && table->state.phase == DAVINCI_CHOOSE_START) table_clock(table);
}

static void step(struct table *table, struct rng *rng, int what, each_step *call, void *data)
{
    struct davinci_state before = table->state;
    struct davinci_action action = {0};
    int seat = table->state.current;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    if (what & CLOCKS && rng_below(rng, 5) == 0) {
        table_clock(table);
    } else {
        if (before.phase == DAVINCI_CHOOSE_START) seat = (int)rng_below(rng, before.seats);
        size_t len = davinci_random_action(&before, seat, 0, rng, bytes);
        if (len == 0) return;
        assert_true(davinci_read_action(slice_of(bytes, len), &action));
        table->now += rng_below(rng, 50);
        if (table_act(table, seat, action) != 0) return;
    }
    call(&(struct moment){&before, &table->state, &action, seat, rng}, data);
}

static void play(int games, int what, each_step *call, void *data)
{
    for (uint32_t number = 0; number < (uint32_t)games; number++) {
        struct table table = {0};
        struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), 5}};
        struct rng rng;
        rng_init(&rng, &seed, "properties");
        start(&table, number, what);
        for (int i = 0; i < 600 && table.state.phase != DAVINCI_FINISHED; i++)
            step(&table, &rng, what, call, data);
        table_close(&table);
    }
}

/* ---- tiles and rows -------------------------------------------------------------------------- */

static void count_tiles(const struct moment *m, void *data)
{
    int seen[DAVINCI_TILES_MAX] = {0};
    (void)data;
    for (int color = 0; color < 2; color++)
        for (int i = 0; i < m->after->pile_len[color]; i++) seen[m->after->pile[color][i]]++;
    for (int seat = 0; seat < m->after->seats; seat++)
        for (int i = 0; i < m->after->row[seat].len; i++) seen[m->after->row[seat].at[i].tile]++;
    if (m->after->turn_tile != DAVINCI_NO_TILE) seen[m->after->turn_tile]++;
    bool jokers = m->after->rules.jokers && m->after->phase != DAVINCI_CHOOSE_START;
    for (int tile = 0; tile < DAVINCI_TILES_MAX; tile++)
        assert_int_equal(seen[tile], davinci_is_joker(tile) ? jokers : 1);
}

static void every_tile_is_there_exactly_once(void **unused)
{
    (void)unused;
    play(300, CLOCKS | JOKERS, count_tiles, NULL);
}

static bool left_of(const struct davinci_state *state, int a, int b)
{
    if (davinci_face_of(a) != davinci_face_of(b)) return davinci_face_of(a) < davinci_face_of(b);
    return davinci_color_of(a) == (state->rules.white_left ? DAVINCI_WHITE : DAVINCI_BLACK);
}

static void rows_increase(const struct moment *m, void *data)
{
    (void)data;
    for (int seat = 0; seat < m->after->seats; seat++) {
        const struct davinci_row *row = &m->after->row[seat], *was = &m->before->row[seat];
        for (int i = 1; i < row->len; i++)
            assert_true(left_of(m->after, row->at[i - 1].tile, row->at[i].tile));
        int kept = 0; /* the old row, in its order, within the new one */
        for (int i = 0; i < row->len && kept < was->len; i++)
            kept += row->at[i].tile == was->at[kept].tile;
        assert_int_equal(kept, was->len);
    }
}

static void a_row_without_jokers_increases_and_its_tiles_keep_their_order(void **unused)
{
    (void)unused;
    play(300, CLOCKS, rows_increase, NULL);
}

static int open_tiles(const struct davinci_state *state)
{
    int count = 0;
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++) count += state->row[seat].at[i].open;
    return count;
}

static bool lies_open(const struct davinci_state *state, int tile)
{
    for (int seat = 0; seat < state->seats; seat++)
        for (int i = 0; i < state->row[seat].len; i++)
            if (state->row[seat].at[i].tile == tile) return state->row[seat].at[i].open;
    return false;
}

static void open_stays_open(const struct moment *m, void *data)
{
    (void)data;
    for (int tile = 0; tile < DAVINCI_TILES_MAX; tile++)
        assert_true(lies_open(m->after, tile) || !lies_open(m->before, tile));
    bool out[DAVINCI_SEATS_MAX] = {false};
    for (int i = 0; i < m->after->out_count; i++) out[m->after->out[i]] = true;
    for (int seat = 0; seat < m->after->seats; seat++)
        assert_int_equal(!out[seat], m->after->phase == DAVINCI_CHOOSE_START ||
                                         davinci_row_hidden(m->after, seat) > 0);
    if (m->after->phase != DAVINCI_FINISHED) return;
    assert_int_equal(m->after->out_count, m->after->seats - 1);
    assert_false(out[m->after->winner]);
}

static void what_is_open_stays_open_and_all_but_the_winner_go_out_once(void **unused)
{
    (void)unused;
    play(400, CLOCKS | JOKERS, open_stays_open, NULL);
}

/* From one guess to where the turn waits for a guess or a draw again, one tile has been opened. */
static void one_a_guess(const struct moment *m, void *data)
{
    int *opened = data;
    if (m->after->rules.reveal_own == 0) return;
    if (m->before->phase == DAVINCI_GUESS) *opened = 0;
    *opened += open_tiles(m->after) - open_tiles(m->before);
    bool settled = m->before->phase != DAVINCI_CHOOSE_START && m->before->phase != DAVINCI_DRAW &&
                   m->before->phase != DAVINCI_AFTER_CORRECT &&
                   m->after->phase != DAVINCI_PLACE_JOKER && m->after->phase != DAVINCI_REVEAL_OWN;
    if (settled) assert_int_equal(*opened, 1);
    if (m->before->phase == DAVINCI_AFTER_CORRECT || m->before->phase == DAVINCI_DRAW)
        assert_int_equal(open_tiles(m->after), open_tiles(m->before));
}

static void under_reveal_own_every_settled_guess_opens_exactly_one_tile(void **unused)
{
    (void)unused;
    int opened = 0;
    play(400, CLOCKS | JOKERS, one_a_guess, &opened);
}

static void next_alive(const struct moment *m, void *data)
{
    (void)data;
    if (m->after->turn == m->before->turn || m->before->phase == DAVINCI_CHOOSE_START) return;
    int seat = m->before->current;
    do {
        seat = (seat + 1) % m->after->seats;
    } while (davinci_row_hidden(m->after, seat) == 0);
    assert_int_equal(m->after->current, seat);
    assert_int_equal(m->after->turn, m->before->turn + 1);
}

static void the_next_player_is_the_next_one_alive(void **unused)
{
    (void)unused;
    play(300, CLOCKS | JOKERS, next_alive, NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void compare_timeout(const struct moment *m, void *data)
{
    struct davinci_state by_hand = *m->before, by_clock = *m->before;
    struct game_events events = {0};
    struct game_refusal refusal;
    struct game_context context = {.now = m->before->deadline};
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    (void)data;
    if (m->before->phase == DAVINCI_CHOOSE_START) return;
    struct game_input input = {.kind = GAME_ACTION, .seat = m->before->current};
    input.action = slice_of(bytes, davinci_game.timeout_action(m->before, input.seat, bytes));
    assert_int_equal(davinci_game.apply(&by_hand, &input, &context, &events, &refusal), ST_OK);
    davinci_game.apply(&by_clock, &(struct game_input){.kind = GAME_CLOCK}, &context, &events,
                       &refusal);
    game_events_fini(&events);
    /* Marks and statistics differ (D20), nothing else. */
    memcpy(by_hand.guesses, by_clock.guesses, sizeof by_hand.guesses);
    memcpy(by_hand.correct, by_clock.correct, sizeof by_hand.correct);
    for (int i = 0; i < by_hand.told_len; i++)
        by_hand.told[i].automatic = by_clock.told[i].automatic;
    assert_true(same_state(&by_hand, &by_clock));
}

static void the_clock_does_what_the_automatic_action_says(void **unused)
{
    (void)unused;
    play(200, CLOCKS | JOKERS, compare_timeout, NULL);
}

/* Somebody else comes or goes: before or after an action, it is the same. */
static void presence_of_others(const struct moment *m, void *data)
{
    struct davinci_state state = *m->before;
    struct game_events events = {0};
    struct game_refusal refusal;
    struct game_context context = {.now = m->after->phase_started};
    (void)data;
    for (int seat = 0; seat < state.seats; seat++) {
        struct game_input input = {.kind = GAME_PRESENCE,
                                   .seat = seat,
                                   .connected = rng_below(m->rng, 2)};
        if (davinci_to_act(&state) >> seat & 1) continue;
        davinci_game.apply(&state, &input, &context, &events, &refusal);
        assert_int_equal(events.count, 0);
    }
    assert_true(same_state(&state, m->before));
    game_events_fini(&events);
}

static void who_is_not_to_act_may_come_and_go(void **unused)
{
    (void)unused;
    play(100, CLOCKS | JOKERS, presence_of_others, NULL);
}

/* ---- jokers ---------------------------------------------------------------------------------- */

/* A stop that hides a number, and beside it a world in which the same place was filled with the
 * joker of that colour. */
static void compare_joker(const struct moment *m, void *data)
{
    long *compared = data;
    int number = m->before->turn_tile;
    if (m->action->kind != DAVINCI_ACT_STOP || number == DAVINCI_NO_TILE ||
        davinci_is_joker(number))
        return;
    int joker = davinci_tile_of(davinci_color_of(number), DAVINCI_FACE_JOKER);
    struct table here = {.state = *m->before, .now = m->before->phase_started + 9};
    struct table there = here;
    uint8_t *pile = there.state.pile[davinci_color_of(number)];
    uint8_t *at = memchr(pile, joker, there.state.pile_len[davinci_color_of(number)]);
    if (!at) return;
    *at = (uint8_t)number;
    there.state.turn_tile = (uint8_t)joker;
    assert_int_equal(table_stop(&here, m->seat), 0);
    int place = 0;
    while (here.state.row[m->seat].at[place].tile != number) place++;
    assert_int_equal(table_stop_joker(&there, m->seat, place), 0);
    for (int viewer = GAME_SPECTATOR; viewer < here.state.seats; viewer++) {
        if (viewer == m->seat) continue;
        expect_same_view(&here.state, &there.state, viewer);
        expect_same_events(&here.events, &there.events, viewer);
    }
    assert_int_equal(here.state.deadline, there.state.deadline);
    table_close(&here);
    table_close(&there);
    (*compared)++;
}

static void a_joker_hidden_on_stop_looks_like_a_number_of_its_colour(void **unused)
{
    (void)unused;
    long compared = 0;
    play(600, JOKERS, compare_joker, &compared);
    assert_true(compared > 100);
}

/* ---- picks and replay ------------------------------------------------------------------------ */

static void any_order_of_the_same_picks_gives_the_same_deal(void **unused)
{
    (void)unused;
    struct game_seed seed = {{8}};
    struct rng rng;
    rng_init(&rng, &seed, "orders");
    for (uint32_t number = 0; number < 300; number++) {
        struct table tables[2] = {0};
        int seats = 2 + (int)number % 3, black[4];
        for (int seat = 0; seat < seats; seat++) black[seat] = (int)rng_below(&rng, 4);
        for (int i = 0; i < 2; i++) {
            uint8_t order[4] = {0, 1, 2, 3};
            table_start(&tables[i],
                        &(struct table_options){
                            .seats = seats, .start_tiles = 3, .jokers = true, .seed = number});
            rng_shuffle(&rng, order, (size_t)seats);
            for (int k = 0; k < seats; k++)
                assert_int_equal(
                    table_choose(&tables[i], order[k], black[order[k]], 3 - black[order[k]]), 0);
        }
        assert_true(same_state(&tables[0].state, &tables[1].state));
        table_close(&tables[0]);
        table_close(&tables[1]);
    }
}

/* Two hundred games of absent players, hashed after every deadline. The same in every build:
 * optimised or not, under sanitizers, on another machine. A change here is a change of the rules
 * or of the encoding and raises rules_version. */
static void two_hundred_games_are_what_they_always_were(void **unused)
{
    (void)unused;
    static const char always[] = "91d1c3614ee37ebf8da05fc00c3dab37";
    struct id128 digest = {{0}};
    char text[33];
    for (uint32_t number = 0; number < 200; number++) {
        struct table table = {0};
        start(&table, number, CLOCKS | JOKERS);
        while (table.state.phase != DAVINCI_FINISHED) {
            struct buf bytes = {0};
            table_clock(&table);
            buf_put(&bytes, digest.byte, sizeof digest.byte);
            davinci_encode(&table.state, &bytes);
            digest = hash_128(buf_slice(&bytes));
            buf_fini(&bytes);
        }
        table_close(&table);
    }
    for (int i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", digest.byte[i]);
    assert_string_equal(text, always);
    assert_int_equal(davinci_game.rules_version, 1);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(every_tile_is_there_exactly_once),
                     cmocka_unit_test(
                         a_row_without_jokers_increases_and_its_tiles_keep_their_order),
                     cmocka_unit_test(what_is_open_stays_open_and_all_but_the_winner_go_out_once),
                     cmocka_unit_test(under_reveal_own_every_settled_guess_opens_exactly_one_tile),
                     cmocka_unit_test(the_next_player_is_the_next_one_alive),
                     cmocka_unit_test(the_clock_does_what_the_automatic_action_says),
                     cmocka_unit_test(who_is_not_to_act_may_come_and_go),
                     cmocka_unit_test(a_joker_hidden_on_stop_looks_like_a_number_of_its_colour),
                     cmocka_unit_test(any_order_of_the_same_picks_gives_the_same_deal),
                     cmocka_unit_test(two_hundred_games_are_what_they_always_were));
}
