/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked examples of the beginner's guide and of the spec, and two whole games, as
 * transcripts: every input with its events and with what everybody and each seat alone sees
 * afterwards. And the vectors of candidates.
 */
#include "unit/games/davinci_transcript.h"
#include "unit/games/davinci_vectors.h"
#include "unit/test.h"

#include <stdio.h>

static struct buf read_file(const char *path)
{
    struct buf text = {0};
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    int byte;
    while ((byte = fgetc(file)) != EOF) buf_put_u8(&text, (uint8_t)byte);
    fclose(file);
    return text;
}

static void assert_same(const char *path, struct buf *is, struct buf *should)
{
    size_t at = 0, line = 1;
    while (at < is->len && at < should->len && is->at[at] == should->at[at])
        line += is->at[at++] == '\n';
    if (at < is->len || at < should->len) {
        size_t from = at;
        while (from > 0 && should->at[from - 1] != '\n') from--;
        int len = (int)strcspn((const char *)should->at + from, "\n");
        fail_msg("%s:%zu: played today it is \"%.*s\"", path, line, len, should->at + from);
    }
}

static void plays_as_written(const char *name)
{
    char path[128];
    struct buf played = {0};
    snprintf(path, sizeof path, "tests/unit/games/golden/%s.txt", name);
    struct buf written = read_file(path);
    transcript_play(buf_slice(&written), &played);
    buf_put_u8(&played, 0);
    buf_put_u8(&written, 0);
    assert_same(path, &written, &played);
    buf_fini(&written);
    buf_fini(&played);
}

#define TRANSCRIPT(name)            \
    static void name(void **unused) \
    {                               \
        (void)unused;               \
        plays_as_written(#name);    \
    }

TRANSCRIPT(guide_a_hit_then_stop_hides_the_new_tile)
TRANSCRIPT(guide_going_on_and_missing_opens_the_new_tile)
TRANSCRIPT(guide_a_tile_between_open_ones_is_narrowed_down)
TRANSCRIPT(guide_the_last_tile_of_the_pool_is_an_ordinary_turn)
TRANSCRIPT(guide_the_last_hidden_tile_of_the_last_opponent_ends_the_game)
TRANSCRIPT(guide_revealing_the_last_own_tile_loses)
TRANSCRIPT(spec_a_hit_then_a_miss)
TRANSCRIPT(jokers_are_placed_by_hand_open_or_hidden)
TRANSCRIPT(picks_are_made_at_once_and_dealt_in_order)
TRANSCRIPT(an_abandoned_table_plays_itself_to_the_end)

static void the_vectors_of_candidates_are_what_the_engine_says(void **unused)
{
    (void)unused;
    struct buf made = {0};
    struct buf written = read_file(DAVINCI_VECTORS_PATH);
    davinci_vectors_write(&made);
    buf_put_u8(&made, 0);
    buf_put_u8(&written, 0);
    assert_same(DAVINCI_VECTORS_PATH, &written, &made);
    buf_fini(&made);
    buf_fini(&written);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(guide_a_hit_then_stop_hides_the_new_tile),
                     cmocka_unit_test(guide_going_on_and_missing_opens_the_new_tile),
                     cmocka_unit_test(guide_a_tile_between_open_ones_is_narrowed_down),
                     cmocka_unit_test(guide_the_last_tile_of_the_pool_is_an_ordinary_turn),
                     cmocka_unit_test(
                         guide_the_last_hidden_tile_of_the_last_opponent_ends_the_game),
                     cmocka_unit_test(guide_revealing_the_last_own_tile_loses),
                     cmocka_unit_test(spec_a_hit_then_a_miss),
                     cmocka_unit_test(jokers_are_placed_by_hand_open_or_hidden),
                     cmocka_unit_test(picks_are_made_at_once_and_dealt_in_order),
                     cmocka_unit_test(an_abandoned_table_plays_itself_to_the_end),
                     cmocka_unit_test(the_vectors_of_candidates_are_what_the_engine_says));
}
