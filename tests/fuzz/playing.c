/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/playing.h"

#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

/* Sets options the way a host would; what the table or the game refuses stays as it was. */
static struct game_options choose_options(const struct game *game, int seats,
                                          struct reader *choices)
{
    struct game_options options;
    game_options_default(game, &options);
    for (int i = 0; i < game->option_count; i++) {
        struct game_options changed = options;
        const struct game_option *option = &game->options[i];
        int32_t value = reader_u8(choices);
        if (option->kind == GAME_OPTION_CHOICE)
            value = option->choices[value % GAME_CHOICES_MAX].value;
        const char *text_key = NULL;
        if (game_options_set(game, &changed, slice_text(option->key), value) == ST_OK &&
            game->check(&changed, seats, &text_key) != GAME_OPTIONS_REFUSED)
            options = changed;
    }
    return options;
}

void playing_open(struct playing *playing, struct reader *choices)
{
    *playing = (struct playing){0};
    CHECK(game_count() > 0);
    const struct game *game = game_at(reader_u8(choices) % game_count());
    int seats = game->seats_min + reader_u8(choices) % (game->seats_max - game->seats_min + 1);
    struct game_options options = choose_options(game, seats, choices);
    struct game_seed seed = {{0}};
    reader_bytes(choices, seed.byte, 8);
    int starter = reader_u8(choices) % (seats + 1) - 1;

    const char *text_key = NULL;
    while (game->check(&options, seats, &text_key) == GAME_OPTIONS_REFUSED &&
           seats < game->seats_max)
        seats++;
    CHECK(game->check(&options, seats, &text_key) != GAME_OPTIONS_REFUSED);
    if (starter >= seats) starter = -1;

    playing->game = game;
    playing->seats = seats;
    playing->context.now = 1000;
    playing->context.connected = (seat_mask)((1u << seats) - 1);
    playing->state = aligned_alloc(16, (game->state_size + 15) / 16 * 16);
    CHECK(playing->state != NULL);
    rng_init(&playing->rng, &seed, "fuzz");
    struct game_setup setup = {
        .options = &options,
        .seats = seats,
        .seed = &seed,
        .starter = starter,
        .now = playing->context.now,
        .connected = playing->context.connected,
    };
    game->setup(playing->state, &setup);
    playing_look(game, playing->state, seats);
}

void playing_close(struct playing *playing)
{
    free(playing->state);
    game_events_fini(&playing->events);
}

void playing_look(const struct game *game, const void *state, int seats)
{
    struct buf shared = {0}, mine = {0};
    struct game_status status;
    struct game_result result;
    const char *fault = game->audit(state);
    if (fault) fprintf(stderr, "%s: %s\n", game->id, fault);
    CHECK(fault == NULL);
    game->status(state, &status);
    for (int seat = GAME_SPECTATOR; seat < seats; seat++) {
        buf_clear(&shared);
        buf_clear(&mine);
        const struct game_viewer viewer = {.seat = seat, .host = seat == 0};
        game->view(state, &viewer, &shared, &mine);
        CHECK(shared.len <= GAME_VIEW_BYTES_MAX && mine.len <= GAME_VIEW_BYTES_MAX);
        CHECK(seat != GAME_SPECTATOR || mine.len == 0);
        uint8_t action[GAME_ACTION_BYTES_MAX];
        if (seat >= 0 && !status.finished && status.to_act & 1u << seat)
            CHECK(game->timeout_action(state, seat, action) <= sizeof action);
    }
    if (status.finished) game->result(state, &result);
    buf_fini(&shared);
    buf_fini(&mine);
}

static void apply(struct playing *playing, const struct game_input *input)
{
    const struct game *game = playing->game;
    struct buf before = {0}, after = {0};
    struct game_refusal refusal = {0};
    game->encode(playing->state, &before);
    game_events_clear(&playing->events);
    enum status status =
        game->apply(playing->state, input, &playing->context, &playing->events, &refusal);
    game_events_seal(&playing->events);
    game->encode(playing->state, &after);
    CHECK(after.len <= GAME_ENCODED_BYTES_MAX);

    CHECK(status == ST_OK || status == ST_REFUSED || status == ST_INVALID);
    if (status != ST_OK) {
        CHECK(input->kind == GAME_ACTION);
        CHECK(refusal.code != 0 && refusal.param_count <= GAME_REFUSAL_PARAMS_MAX);
        CHECK(playing->events.count == 0);
        CHECK(slice_equal(buf_slice(&before), buf_slice(&after)));
    }
    buf_fini(&before);
    buf_fini(&after);
    playing_look(game, playing->state, playing->seats);
}

static void act(struct playing *playing, int seat, struct slice bytes, uint32_t rtt_ms)
{
    playing->game->bound(bytes);
    const struct game_input input = {
        .kind = GAME_ACTION, .seat = seat, .rtt_ms = rtt_ms, .action = bytes};
    apply(playing, &input);
}

static void act_at_random(struct playing *playing, int seat, int kind)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    size_t len = playing->game->random_action(playing->state, seat, kind, &playing->rng, bytes);
    CHECK(len <= sizeof bytes);
    if (len > 0) act(playing, seat, slice_of(bytes, len), 0);
}

/* INSTANT_NEVER: there is none. */
static instant_ms deadline_of(const struct playing *playing)
{
    struct game_status status;
    playing->game->status(playing->state, &status);
    return status.finished ? INSTANT_NEVER : status.deadline;
}

static void let_time_pass(struct playing *playing)
{
    instant_ms deadline = deadline_of(playing);
    if (deadline == INSTANT_NEVER) return;
    if (deadline > playing->context.now) playing->context.now = deadline;
    const struct game_input input = {.kind = GAME_CLOCK, .seat = -1};
    apply(playing, &input);
}

/* As a room does: no input comes before the clock that is due by then. */
static void let_ms_pass(struct playing *playing, instant_ms ms)
{
    instant_ms until = playing->context.now + ms;
    while (deadline_of(playing) <= until) let_time_pass(playing);
    playing->context.now = until;
}

static void come_or_go(struct playing *playing, int seat, uint8_t how)
{
    seat_mask bit = (seat_mask)(1u << seat);
    playing->context.connected ^= bit;
    if (how & 1) playing->context.hurried ^= bit;
    if (how & 2) playing->context.left |= bit;
    const struct game_input input = {.kind = GAME_PRESENCE,
                                     .seat = seat,
                                     .connected = playing->context.connected & bit};
    apply(playing, &input);
}

bool playing_go_on(struct playing *playing)
{
    struct game_status status;
    playing->game->status(playing->state, &status);
    if (status.finished) return false;
    int seat = (int)rng_below(&playing->rng, (uint32_t)playing->seats);
    if (status.to_act & 1u << seat && rng_below(&playing->rng, 8))
        act_at_random(playing, seat, 0);
    else if (rng_below(&playing->rng, 4) == 0)
        let_time_pass(playing);
    return true;
}

void playing_step(struct playing *playing, struct reader *choices)
{
    uint8_t what = reader_u8(choices);
    uint8_t which = reader_u8(choices);
    int seat = which % playing->seats;
    let_ms_pass(playing, which);
    switch (what % 8) {
    case 0: let_time_pass(playing); return;
    case 1: come_or_go(playing, seat, what >> 4); return;
    case 2: act_at_random(playing, seat, 1); return;
    case 3: act_at_random(playing, seat, 2); return;
    case 4:
    case 5: { /* the fuzzer's own bytes */
        size_t left = (size_t)(choices->end - choices->at), len = reader_u8(choices);
        uint8_t bytes[GAME_ACTION_BYTES_MAX];
        if (len > left) len = left;
        if (len > 0 && len == left) len--;
        if (reader_bytes(choices, bytes, len)) act(playing, seat, slice_of(bytes, len), which);
        return;
    }
    default: playing_go_on(playing);
    }
}
