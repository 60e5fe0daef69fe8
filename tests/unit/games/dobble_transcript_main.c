/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays a transcript from standard input and prints it as it should be: for writing new ones.
 */
#include "unit/games/dobble_transcript.h"
#include "unit/games/golden.h"

int main(void)
{
    return golden_write(dobble_transcript_play);
}
