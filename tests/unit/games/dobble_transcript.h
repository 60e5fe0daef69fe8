/* SPDX-License-Identifier: Apache-2.0
 *
 * Transcripts of games of dobble in plain text: lines that begin with a letter, '#' or '>' are what
 * is played, indented ones what is told and seen. Playing a transcript writes it anew.
 *
 *     game: hotPotato; seats 3; order 3; seed 5; light
 *     > wait 500             ms; every deadline on the way is told
 *     > clock                to the next deadline
 *     > 0 finds              the right picture; > 0 finds 2: against seat 2
 *     > 0 misses             a wrong one
 *     > 0 again              the same claim once more
 *     > 1 late               what seat 1 would have claimed before the last input
 *     > 1 goes, > 1 comes    presence
 *     > rtt 200              of the claims that follow
 */
#ifndef UNIT_GAMES_DOBBLE_TRANSCRIPT_H
#define UNIT_GAMES_DOBBLE_TRANSCRIPT_H

#include "base/buf.h"

void dobble_transcript_play(struct slice text, struct buf *out);

#endif
