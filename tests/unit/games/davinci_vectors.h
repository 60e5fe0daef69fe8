/* SPDX-License-Identifier: Apache-2.0
 *
 * The vectors of candidates (D17) that the engine and the web client are both held against, as
 * JSON: an array of
 *
 *     {"settings": {"jokers": bool, "whiteLeft": bool}, "viewer": seat,
 *      "rows": [[{"color": "black" | "white", "face": 0..13, "refuted": bits}, ...], ...],
 *      "mine": [faces of the viewer's row],
 *      "turnColor": "black" | "white" | null, "turnFace": 0..13,
 *      "candidates": [[[faces], ...], ...]}
 *
 * `rows` is what everybody sees (face 0: hidden, n + 1, joker 13). `turnColor` and `turnFace` are
 * of the turn tile, the face 0 when the viewer does not know it. Open tiles and the viewer's own
 * row have no candidates: an empty list.
 */
#ifndef UNIT_GAMES_DAVINCI_VECTORS_H
#define UNIT_GAMES_DAVINCI_VECTORS_H

#include "base/buf.h"

#define DAVINCI_VECTORS_FILE "davinci_candidates.json"

/* Appends the whole file. */
void davinci_vectors_write(struct buf *out);

#endif
