/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden files: what is written down is what is made today, byte for byte. A difference is a change
 * of the rules or of what leaves a game.
 */
#ifndef UNIT_GAMES_GOLDEN_H
#define UNIT_GAMES_GOLDEN_H

#include "base/buf.h"

/* A whole file of tests/unit/games/golden. The caller frees. */
struct buf golden_read(const char *file);
/* Fails with the first line that differs. */
void golden_same(const char *file, struct slice is, struct slice should);

/* Plays a transcript and appends it as it should be: lines that tell what to do are kept, the
 * others are written anew. */
typedef void golden_play(struct slice text, struct buf *out);
/* The transcript <name>.txt does not change when it is played. */
void golden_plays_as_written(const char *name, golden_play *play);
/* Plays standard input to standard output: for writing new transcripts. The value of main. */
int golden_write(golden_play *play);

#endif
