/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden transcripts: text files of inputs and what came of them. Lines that tell what to do are
 * kept; everything else is written anew by playing, so a transcript is right when it does not
 * change. A difference is a change of the rules.
 *
 *     # a comment
 *     table: row 0 b1 w5 b9; row 1 w0 b4 w8; white w3; phase draw; current 0; jokers
 *     game: players 3; seed 7; start 4
 *     > 0 choose 2 1            > 0 draw white            > 0 continue          > clock
 *     > 0 guess 1 2 4           seat, place, number or J
 *     > 0 stop                  > 0 stop 1                with a joker's place
 *     > 0 place 2               > 0 reveal 1              > 0 returns
 *     ? 1 0 2                   the candidates of seat 0's tile at place 2 as seat 1 can tell
 */
#ifndef UNIT_GAMES_DAVINCI_TRANSCRIPT_H
#define UNIT_GAMES_DAVINCI_TRANSCRIPT_H

#include "base/buf.h"

/* Plays a transcript and appends it as it should be. */
void transcript_play(struct slice text, struct buf *out);

#endif
