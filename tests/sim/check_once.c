/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 14 and 15: a request makes one room however often it is sent, and a ticket is matched once.
 * Asked when the store has carried an op out; what a store has forgotten may happen again.
 */
#include <stdlib.h>

#include "base/check.h"
#include "sim/checks.h"
#include "sim/world.h"

/* The room that id stands for; the first one that it is named with. */
static room_id first_room(struct map128 *rooms, struct id128 id, room_id room)
{
    room_id *there = map128_get(rooms, id);
    if (there) return *there;
    there = malloc(sizeof *there);
    CHECK(there);
    *there = room;
    map128_put(rooms, id, there);
    return room;
}

void check_once(struct world *world, const struct store_op *op, const struct store_reply *reply)
{
    if (reply->status != ST_OK) return;
    if (op->kind == STORE_CREATE) {
        room_id first = first_room(&world->made, op->request, op->room);
        if (first != op->room)
            world_fail(world, "one request made the rooms %llx and %llx", (unsigned long long)first,
                       (unsigned long long)op->room);
    }
    for (int i = 0; op->kind == STORE_CLAIM && i < op->ticket_count; i++) {
        room_id first = first_room(&world->matched, op->tickets[i], op->room);
        if (first != op->room)
            world_fail(world, "one ticket was matched for the rooms %llx and %llx",
                       (unsigned long long)first, (unsigned long long)op->room);
    }
}

static void forget(struct map128 *rooms)
{
    size_t cursor = 0;
    struct id128 id;
    void *room;
    while (map128_next(rooms, &cursor, &id, &room)) free(room);
    map128_fini(rooms);
    *rooms = (struct map128){0};
}

void check_once_forget(struct world *world)
{
    forget(&world->made);
    forget(&world->matched);
}
