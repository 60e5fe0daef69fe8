/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of rooms: which of them, in which order, as a table or as JSON. Pure.
 */
#ifndef CTL_ROOMS_H
#define CTL_ROOMS_H

#include "ctl/text.h"
#include "wire/cluster.h"

struct listed_room {
    struct room_line is;
    struct id128 worker;
};

struct rooms_wanted {
    const char *game, *phase; /* NULL: any */
    bool empty;               /* nobody connected alone */
    const char *sort;         /* NULL: by code */
    int64_t limit;
};

/* "lobby", "playing", ... of a line's number; never NULL. */
const char *rooms_phase(uint32_t phase);
/* NULL, or a sentence on what is no phase or no column. */
const char *rooms_fault(const struct rooms_wanted *wanted);
/* Leaves those that are wanted, in order; returns how many. *all: how many there were before the
 * limit. */
size_t rooms_choose(struct listed_room *list, size_t count, const struct rooms_wanted *wanted,
                    size_t *all);
void rooms_text(const struct listed_room *list, size_t count, size_t all,
                const struct text_style *style, struct buf *out);
void rooms_json(const struct listed_room *list, size_t count, size_t all, struct buf *out);

#endif
