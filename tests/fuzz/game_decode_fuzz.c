/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes as a saved state, for every game of the registry: decode refuses them, or what it
 * leaves is sound, can be looked at and played on, and is encoded as it was read. Saved states of
 * real games, damaged a little, are among the inputs (see the mutator).
 */
#include "base/check.h"
#include "fuzz/playing.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max);

static void hold_against(const struct game *game, void *state, struct slice bytes)
{
    struct buf again = {0};
    game->encode(state, &again);
    CHECK(slice_equal(buf_slice(&again), bytes));
    buf_fini(&again);
    /* As many viewers as a game may have; one that has fewer seats answers for none beyond. */
    playing_look(game, state, game->seats_min);

    struct game_events events = {0};
    struct game_status status;
    game->status(state, &status);
    if (!status.finished && status.deadline != INSTANT_NEVER) {
        const struct game_input input = {.kind = GAME_CLOCK, .seat = -1};
        const struct game_context context = {.now = status.deadline};
        struct game_refusal refusal = {0};
        CHECK(game->apply(state, &input, &context, &events, &refusal) == ST_OK);
        playing_look(game, state, game->seats_min);
    }
    game_events_fini(&events);
}

/* The first byte names the game, the others are the state. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const struct game *game = game_at(data[0] % game_count());
    struct slice bytes = slice_of(data + 1, size - 1);
    void *state = aligned_alloc(16, (game->state_size + 15) / 16 * 16);
    CHECK(state != NULL);
    memset(state, 0xa5, game->state_size);
    enum status status = game->decode(state, bytes);
    CHECK(status == ST_OK || status == ST_INVALID);
    if (status == ST_OK) hold_against(game, state, bytes);
    free(state);
    return 0;
}

/* The state of some game after some moves, or nothing when it does not fit. */
static size_t save_a_game(uint8_t *data, size_t size_max, unsigned int seed)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(seed >> (i % 4 * 8)) ^ (uint8_t)i;
    struct reader choices;
    struct playing playing;
    reader_init(&choices, slice_of(bytes, sizeof bytes));
    playing_open(&playing, &choices);
    for (unsigned int moves = seed % 300; moves > 0 && playing_go_on(&playing);) moves--;

    struct buf saved = {0};
    playing.game->encode(playing.state, &saved);
    size_t size = 0;
    if (saved.len < size_max) {
        data[0] = bytes[0];
        memcpy(data + 1, saved.at, saved.len);
        size = saved.len + 1;
    }
    buf_fini(&saved);
    playing_close(&playing);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max, unsigned int seed)
{
    if (seed % 64 == 0) {
        size_t saved = save_a_game(data, size_max, seed >> 6);
        if (saved > 0) return saved;
    }
    return LLVMFuzzerMutate(data, size, size_max);
}
