/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked examples of the beginner's guide and of the spec, and two whole games, as
 * transcripts: every input with its events and with what everybody and each seat alone sees
 * afterwards. And the vectors of candidates.
 */
#include "unit/games/davinci_transcript.h"
#include "unit/games/davinci_vectors.h"
#include "unit/games/golden.h"
#include "unit/test.h"

#define TRANSCRIPT(name)                                 \
    static void name(void **unused)                      \
    {                                                    \
        (void)unused;                                    \
        golden_plays_as_written(#name, transcript_play); \
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
    struct buf written = golden_read(DAVINCI_VECTORS_FILE);
    davinci_vectors_write(&made);
    golden_same(DAVINCI_VECTORS_FILE, buf_slice(&written), buf_slice(&made));
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
