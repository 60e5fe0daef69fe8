/* SPDX-License-Identifier: Apache-2.0
 *
 * What left number baseball, read back from its bytes and written as plain text: for golden
 * transcripts, and for tests that ask what somebody was told.
 *
 *     playing, from 4000 to 304000
 *     0: playing, 2 guesses, 1 hint
 *     1: solved, 3 guesses, 0 hints, 12.3 s
 */
#ifndef UNIT_GAMES_BASEBALL_TEXT_H
#define UNIT_GAMES_BASEBALL_TEXT_H

#include "game/game.h"
#include "unit/games/text.h"

/* Appends the shared part of a view, one line each, indented by two. */
void baseball_text_view(struct buf *out, struct slice shared);
/* Appends the part of a view for one seat, without an end of line. */
void baseball_text_mine(struct buf *out, struct slice shared, struct slice mine);
/* Appends one line an event, and one for each own part. */
void baseball_text_events(struct buf *out, const struct game_events *events);

#endif
