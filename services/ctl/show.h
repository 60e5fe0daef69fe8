/* SPDX-License-Identifier: Apache-2.0
 *
 * One room, as an operator sees it: who is there, what a spectator sees, and, revealed, what each
 * seat alone sees. Pure.
 */
#ifndef CTL_SHOW_H
#define CTL_SHOW_H

#include "ctl/text.h"
#include "wire/cluster.h"

void show_room_text(const struct room_shown *shown, struct id128 worker,
                    const struct text_style *style, struct buf *out);
/* Without the lines that only a living room has. */
void show_parts_text(const struct room_shown *shown, const struct text_style *style,
                     struct buf *out);
void show_parts_json(const struct room_shown *shown, struct json *json);
void show_room_json(const struct room_shown *shown, struct id128 worker, struct buf *out);

#endif
