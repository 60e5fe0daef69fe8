/* SPDX-License-Identifier: Apache-2.0
 *
 * The last events of a room, for clients that return. Their bytes lie one after the other, so that
 * the oldest goes by moving the rest down.
 */
#include "base/check.h"
#include "base/hash.h"
#include "room/state.h"

#include <stdlib.h>

_Static_assert(ROOM_EVENT_BYTES_MAX <= UINT16_MAX, "lengths of parts are 16 bits");

void room_events_init(struct room_events *events)
{
    buf_extend(&events->bytes, 0); /* never NULL */
}

void room_events_fini(struct room_events *events)
{
    free(events->list);
    buf_fini(&events->bytes);
    *events = (struct room_events){0};
}

void room_events_clear(struct room_events *events, uint64_t whole_since)
{
    /* Nothing of what was told may survive, in memory either. */
    memset(events->bytes.at, 0, events->bytes.room);
    if (events->room) memset(events->list, 0, (size_t)events->room * sizeof *events->list);
    buf_clear(&events->bytes);
    events->count = 0;
    events->whole_since = whole_since;
}

static size_t event_len(const struct room_event *event)
{
    return (size_t)event->shared_len + event->mine_len + event->room_len;
}

static void drop_oldest(struct room_events *events)
{
    size_t len = event_len(&events->list[0]);
    events->whole_since = events->list[0].seq;
    events->count--;
    memmove(events->list, events->list + 1, (size_t)events->count * sizeof *events->list);
    memmove(events->bytes.at, events->bytes.at + len, events->bytes.len - len);
    events->bytes.len -= len;
}

/* The chain stands for all events told so far, so the state's hash need not read those that are
 * kept. */
static void chain(struct room_events *events, const struct room_event *event, struct slice bytes)
{
    struct buf link = {0};
    buf_put(&link, events->chain.byte, sizeof events->chain.byte);
    buf_put_u64(&link, event->seq);
    buf_put_u32(&link, event->member);
    buf_put_u16(&link, event->shared_len);
    buf_put_u16(&link, event->mine_len);
    buf_put_u16(&link, event->room_len);
    buf_put_slice(&link, bytes);
    events->chain = hash_128(buf_slice(&link));
    buf_fini(&link);
}

static void make_room(struct room_events *events)
{
    if (events->count < events->room) return;
    events->room = events->room ? 2 * events->room : ROOM_EVENTS_MAX / 8;
    events->list = realloc(events->list, (size_t)events->room * sizeof *events->list);
    CHECK(events->list != NULL);
}

void room_events_push(struct room_events *events, const struct update_event *told, uint32_t member)
{
    size_t len = told->shared.len + told->mine.len + told->room.len;
    CHECK(len <= ROOM_EVENT_BYTES_MAX);
    while (events->count == ROOM_EVENTS_MAX || events->bytes.len + len > ROOM_EVENT_BYTES_MAX)
        drop_oldest(events);
    make_room(events);

    struct room_event *event = &events->list[events->count++];
    *event = (struct room_event){
        .seq = told->seq,
        .member = member,
        .shared_len = (uint16_t)told->shared.len,
        .mine_len = (uint16_t)told->mine.len,
        .room_len = (uint16_t)told->room.len,
    };
    size_t from = events->bytes.len;
    buf_put_slice(&events->bytes, told->shared);
    buf_put_slice(&events->bytes, told->mine);
    buf_put_slice(&events->bytes, told->room);
    chain(events, event, slice_of(events->bytes.at + from, len));
}

void room_tell_named(struct change *change, enum room_happening kind, int seat, const char *name)
{
    struct buf happened = {0};
    room_happened_encode(kind, seat, name, &happened);
    struct update_event event = {.seq = change->room->seq + 1, .room = buf_slice(&happened)};
    room_events_push(&change->room->events, &event, 0);
    buf_fini(&happened);
}

void room_tell(struct change *change, enum room_happening kind, int seat)
{
    const struct room_seat *person = room_seat_at(change->room, seat);
    room_tell_named(change, kind, seat, person ? person->name : "");
}

static struct slice take(const uint8_t **at, size_t len)
{
    struct slice part = len ? slice_of(*at, len) : (struct slice){0};
    *at += len;
    return part;
}

int room_events_since(const struct room *room, uint64_t since, struct update_event *out)
{
    const struct room_events *events = &room->events;
    if (since < events->whole_since || since > room->seq) return -1;

    int count = 0;
    const uint8_t *at = events->bytes.at;
    for (int i = 0; i < events->count; i++) {
        const struct room_event *event = &events->list[i];
        if (event->seq <= since) {
            at += event_len(event);
            continue;
        }
        struct update_event *told = &out[count++];
        *told = (struct update_event){.seq = event->seq};
        told->shared = take(&at, event->shared_len);
        told->mine = take(&at, event->mine_len);
        told->room = take(&at, event->room_len);
        told->seat = room_seat_of_member(room, event->member);
        if (told->seat < 0) told->mine = (struct slice){0};
    }
    return count;
}
