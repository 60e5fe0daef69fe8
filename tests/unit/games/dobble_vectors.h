/* SPDX-License-Identifier: Apache-2.0
 *
 * The vectors of looks that the engine and the web client are both held against, as JSON: an array
 * of
 *
 *     {"look": number, "easy": bool, "spots": [{"x": .., "y": .., "size": .., "turn": ..}, ...]}
 *
 * with eight spots each, slot by slot. Every template is among them, so every slot of it.
 */
#ifndef UNIT_GAMES_DOBBLE_VECTORS_H
#define UNIT_GAMES_DOBBLE_VECTORS_H

#include "base/buf.h"

#define DOBBLE_VECTORS_FILE "dobble_layouts.json"

/* Appends the whole file. */
void dobble_vectors_write(struct buf *out);

#endif
