/* SPDX-License-Identifier: Apache-2.0
 *
 * Room frames that build on the one before: how a client written in C reads them. It keeps what it
 * was sent last as it likes, and lends it here as the base.
 */
#ifndef WIRE_DELTA_H
#define WIRE_DELTA_H

#include "wire/client_wire.h"

/* What a client holds of a room. A zeroed struct is nothing. */
struct delta_base {
    struct version version;
    uint64_t room_time, game_version;
    struct slice room, presence, game, mine;
};

/* Makes a delta speak for itself: its epoch, room_time and game_version, and each section that it
 * brings whole (from the arena where it was a patch), with nothing `patched` any more. An absent
 * section stays empty: it is as in the base. A whole frame stays as it is.
 * ST_STALE: it builds on something else. ST_INVALID or ST_TOO_LARGE: a patch does not fit. The
 * client then asks for the whole view, and the frame is good for nothing. */
enum status delta_resolve(struct server_room *frame, const struct delta_base *base,
                          struct arena *arena);

#endif
