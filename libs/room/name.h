/* SPDX-License-Identifier: Apache-2.0
 *
 * Nicknames: what a person may be called, and which names look alike.
 */
#ifndef ROOM_NAME_H
#define ROOM_NAME_H

#include "base/buf.h"
#include "base/types.h"
#include "wire/cluster.h"
#include "wire/reason.h"

enum {
    NAME_GRAPHEMES_MAX = 12, /* user-perceived characters */
    NAME_GRAPHEME_POINTS_MAX = 8,
    NAME_TYPED_BYTES_MAX = 1024, /* longer input is not looked at */
};

/* Brings what was typed into the one form that is kept and shown: NFC, blanks at the ends gone,
 * blanks within made one space each. Refused: nothing to see (EMPTY); more than 12 graphemes or 96
 * bytes (LONG); control, bidi control, format, private, unassigned and invisible code points, a
 * mark without a letter, more than 8 code points in a grapheme, ZWJ and VS16 outside an emoji,
 * bytes that are not UTF-8 (CHARACTERS). `out` ends in NUL and is set only on NAME_FAULT_NONE. A
 * name that has been through here comes out the same. */
enum name_fault name_normalise(struct slice typed, char out[WIRE_NAME_BYTES_MAX + 1]);

/* Appends what is left of a name when differences that are hard to see are taken away (NFKC, case
 * folding, no ignorable code points). False when the bytes are not UTF-8; nothing is appended
 * then. */
bool name_skeleton(struct slice name, struct buf *out);

/* A hash of the skeleton: equal for names that look alike. */
uint64_t name_look(struct slice name);

#endif
