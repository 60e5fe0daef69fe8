/* SPDX-License-Identifier: Apache-2.0
 *
 * What left the engine, read back from its bytes and written as plain text, for golden transcripts.
 *
 *     playing since 103000; 1 in the centre, 8 to draw
 *       centre  c7: 0 5 9 11          card 7 with its pictures
 *       seat 0  c3: 5 6 10 12; 1 card; 2 right, 1 wrong; locked until 105000
 */
#ifndef UNIT_GAMES_DOBBLE_TEXT_H
#define UNIT_GAMES_DOBBLE_TEXT_H

#include "game/game.h"

/* Appends the shared part of a view, one line a thing, indented by two. */
void dobble_text_view(struct buf *out, struct slice shared);
/* Appends at most one line: the part of a view for one seat. */
void dobble_text_mine(struct buf *out, int seat, struct slice mine);
/* Appends one line an event, and one for each own part. */
void dobble_text_events(struct buf *out, const struct game_events *events);

#endif
