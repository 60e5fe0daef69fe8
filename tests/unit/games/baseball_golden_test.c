/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked examples of the notes and whole games with every end there is, as transcripts.
 */
#include "unit/games/baseball_transcript.h"
#include "unit/games/golden.h"
#include "unit/test.h"

#define TRANSCRIPT(name)                                                      \
    static void name(void **unused)                                           \
    {                                                                         \
        (void)unused;                                                         \
        golden_plays_as_written("baseball_" #name, baseball_transcript_play); \
    }

TRANSCRIPT(the_worked_judgements)
TRANSCRIPT(every_end_a_player_can_have)
TRANSCRIPT(equal_players_share_a_rank)
TRANSCRIPT(an_abandoned_game_ends_after_a_minute)
TRANSCRIPT(practice_alone)
TRANSCRIPT(what_is_refused)

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_worked_judgements),
                     cmocka_unit_test(every_end_a_player_can_have),
                     cmocka_unit_test(equal_players_share_a_rank),
                     cmocka_unit_test(an_abandoned_game_ends_after_a_minute),
                     cmocka_unit_test(practice_alone), cmocka_unit_test(what_is_refused));
}
