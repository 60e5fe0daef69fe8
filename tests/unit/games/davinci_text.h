/* SPDX-License-Identifier: Apache-2.0
 *
 * What left the engine, read back from its bytes and written as plain text: for golden
 * transcripts, and for tests that ask what somebody was told.
 *
 *     guess, turn 1 of 0, until 31000; pool 6 black, 5 white; turn tile w?
 *     row 0: b? w? b?
 *     row 1: w? b4 w?{7}            {7}: publicly refuted; *: entered last
 */
#ifndef UNIT_GAMES_DAVINCI_TEXT_H
#define UNIT_GAMES_DAVINCI_TEXT_H

#include "game/game.h"
#include "unit/games/text.h"

/* Appends the shared part of a view, one line each, indented by two. */
void davinci_text_view(struct buf *out, struct slice shared);
/* Appends one line: the part of a view for one seat, whose row the shared part gives the colours
 * of. */
void davinci_text_mine(struct buf *out, int seat, struct slice shared, struct slice mine);
/* Appends one line an event, and one for each own part. */
void davinci_text_events(struct buf *out, const struct game_events *events);

#endif
