/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden transcripts of number baseball (golden.h): every input with its events and with what
 * everybody and each seat alone sees afterwards.
 *
 *     # a comment
 *     game: players 3; secret 3702; hints 20; guesses 5; minutes 3
 *     game: players 2; secret 370; no-guess-limit; no-time-limit; no-hints; absent 1
 *     > clock                 to the deadline
 *     > wait 12.3             seconds; every other input comes a second after the last one
 *     > 0 guess 3720          > 0 hint           > 0 give-up
 *     > 0 goes                > 0 returns        > 0 leaves
 *     & 1 guess 3720          at the same instant as the input before
 */
#ifndef UNIT_GAMES_BASEBALL_TRANSCRIPT_H
#define UNIT_GAMES_BASEBALL_TRANSCRIPT_H

#include "base/buf.h"

/* Plays a transcript and appends it as it should be. */
void baseball_transcript_play(struct slice text, struct buf *out);

#endif
