/* SPDX-License-Identifier: Apache-2.0
 *
 * The name by which one action is followed through gateway, worker and store in their logs: each
 * derives it from the action's own id, so nothing is sent beside it, and a copy that comes again
 * bears the same name. It tells nothing of who acts or what the action is.
 */
#ifndef WIRE_TRACE_H
#define WIRE_TRACE_H

#include "base/hash.h"
#include "wire/cluster.h"

/* Never 0. Who watches has no counter of a seat's: its connection tells it from others. */
static inline uint64_t trace_of_act(room_id room, int seat, uint32_t generation, uint64_t counter,
                                    uint64_t client)
{
    uint64_t who = seat < 0 ? client << 8 : (uint64_t)generation << 8 | (uint64_t)(seat + 1);
    uint64_t trace = hash_mix64(hash_mix64(room ^ hash_mix64(who)) + counter);
    return trace ? trace : 1;
}

#endif
