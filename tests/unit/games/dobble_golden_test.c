/* SPDX-License-Identifier: Apache-2.0
 *
 * One short game of each mini-game as a transcript: every input with its events and with what
 * everybody and each seat alone sees afterwards. Played with 13 cards of four pictures, or seven of
 * three.
 */
#include "unit/games/dobble_transcript.h"
#include "unit/games/golden.h"
#include "unit/test.h"

#define TRANSCRIPT(name)                                                  \
    static void name(void **unused)                                       \
    {                                                                     \
        (void)unused;                                                     \
        golden_plays_as_written("dobble_" #name, dobble_transcript_play); \
    }

TRANSCRIPT(tower_from_the_countdown_to_the_last_card)
TRANSCRIPT(well_is_emptied_in_order_and_one_forfeits)
TRANSCRIPT(hot_potato_goes_round_for_three_rounds)
TRANSCRIPT(gifts_are_given_through_the_window)
TRANSCRIPT(triplets_are_taken_until_none_is_left)

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(tower_from_the_countdown_to_the_last_card),
                     cmocka_unit_test(well_is_emptied_in_order_and_one_forfeits),
                     cmocka_unit_test(hot_potato_goes_round_for_three_rounds),
                     cmocka_unit_test(gifts_are_given_through_the_window),
                     cmocka_unit_test(triplets_are_taken_until_none_is_left));
}
