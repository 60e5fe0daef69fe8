/* SPDX-License-Identifier: Apache-2.0
 *
 * Views as they are sent. What changed is encoded once, right after the inputs of a turn were
 * applied, so a frame is of the state at one position; it waits in the output queue for that
 * position. When several leave together they are folded: the newest of each section, and all
 * events.
 *
 * The private part of a seat goes into a frame only when its bytes differ from the last ones
 * framed, and to the gateway of that seat alone: what nobody else may notice (a hidden entry) makes
 * nobody else's frame.
 */
#include "worker/parts.h"

#include <stdlib.h>

enum {
    NAMES_MAX = 8,            /* of watchers, in presence */
    SUPERSEDED_MAX = 4 << 10, /* bytes of a folded frame that nobody will see, beside as many as are
                                 seen */
};

static struct frame *frame_new(struct owned_room *o)
{
    struct frame *frame = calloc(1, sizeof *frame);
    CHECK(frame != NULL);
    frame->seq = room_seq(o->room);
    frame->game_version = room_game_version(o->room);
    for (int s = 0; s < room_seat_count(o->room); s++) {
        if (viewer_of_seat(o, s)) frame->held |= 1u << s;
        frame->generation[s] = room_generation(o->room, s);
    }
    return frame;
}

void frame_free(struct frame *frame)
{
    if (frame == NULL) return;
    buf_fini(&frame->bytes);
    free(frame->events);
    free(frame);
}

/* ---- encoding -------------------------------------------------------------------------------- */

static struct span span_since(const struct frame *frame, size_t from)
{
    return (struct span){from, frame->bytes.len - from};
}

static struct span span_put(struct frame *frame, struct slice bytes)
{
    size_t from = frame->bytes.len;
    buf_put_slice(&frame->bytes, bytes);
    return span_since(frame, from);
}

static void write_presence(struct owned_room *o, struct frame *frame)
{
    const char *names[NAMES_MAX];
    int count = 0;
    for (int i = 0; i < o->viewer_count && count < NAMES_MAX; i++)
        if (o->viewers[i].seat < 0) names[count++] = o->viewers[i].name;
    size_t from = frame->bytes.len;
    room_write_presence(o->room, o->rtt_shown, (uint32_t)viewers_watching(o), names, count,
                        &frame->bytes);
    frame->presence = span_since(frame, from);
}

static void write_shared(struct owned_room *o, struct frame *frame, uint32_t sections)
{
    if (sections & SECTION_ROOM) {
        size_t from = frame->bytes.len;
        room_write_view(o->room, &frame->bytes);
        frame->room_view = span_since(frame, from);
    }
    if (sections & SECTION_GAME) {
        size_t from = frame->bytes.len;
        room_write_game(o->room, &frame->bytes);
        frame->game = span_since(frame, from);
    }
    if (sections & SECTION_PRESENCE) write_presence(o, frame);
    frame->sections |= sections & (SECTION_ROOM | SECTION_GAME | SECTION_PRESENCE);
}

/* always: also when the bytes are those last framed. */
static void write_mine(struct owned_room *o, struct frame *frame, int seat, bool always)
{
    size_t from = frame->bytes.len;
    room_write_mine(o->room, seat, &frame->bytes);
    struct span mine = span_since(frame, from);
    struct id128 hash = hash_128(slice_of(frame->bytes.at + from, mine.len));
    if (!always && id128_equal(hash, o->seats[seat].mine_hash)) {
        frame->bytes.len = from;
        return;
    }
    o->seats[seat].mine_hash = hash;
    frame->mine[seat] = mine;
    frame->mine_there[seat] = true;
    frame->sections |= SECTION_MINE;
}

static void write_events(struct owned_room *o, struct frame *frame, uint64_t since)
{
    struct update_event list[WIRE_EVENTS_MAX];
    int count = since < frame->seq ? room_events_since(o->room, since, list) : 0;
    if (count <= 0) return;
    frame->events = calloc((size_t)count, sizeof *frame->events);
    CHECK(frame->events != NULL);
    for (int i = 0; i < count; i++) {
        struct framed_event *event = &frame->events[frame->event_count++];
        event->seq = list[i].seq;
        event->seat = list[i].seat;
        event->shared = span_put(frame, list[i].shared);
        event->mine = span_put(frame, list[i].mine);
        event->room = span_put(frame, list[i].room);
    }
}

/* RTT and watchers are nobody's log: at most every two seconds. */
static void refresh_presence(struct worker_core *core, struct owned_room *o)
{
    if (!o->presence_dirty || core->now < o->presence_at + WORKER_PRESENCE_MS) return;
    for (int s = 0; s < GAME_SEATS_MAX; s++) o->rtt_shown[s] = o->seats[s].rtt_ms;
    o->presence_dirty = false;
    o->presence_at = core->now;
    o->changed |= SECTION_PRESENCE;
}

struct frame *frame_of_changes(struct worker_core *core, struct owned_room *o)
{
    if (o->viewer_count > 0) refresh_presence(core, o);
    uint64_t since = o->framed_seq, seq = room_seq(o->room);
    uint32_t changed = o->changed;
    o->changed = 0;
    o->framed_seq = seq;
    if (o->viewer_count == 0 || (changed == 0 && seq == since)) return NULL;

    struct frame *frame = frame_new(o);
    write_shared(o, frame, changed);
    for (int s = 0; s < GAME_SEATS_MAX && changed & SECTION_MINE; s++)
        if (viewer_of_seat(o, s)) write_mine(o, frame, s, false);
    write_events(o, frame, since);
    if (frame->sections || frame->event_count || seq != since) return frame;
    frame_free(frame);
    return NULL;
}

/* With the private part of every seat there, whichever client is to see it: the gateway keeps one
 * view of the room, which is then whole whatever was lost on the way to it before. */
struct frame *frame_whole(struct owned_room *o, struct id128 gateway, uint64_t have)
{
    struct frame *frame = frame_new(o);
    write_shared(o, frame, SECTION_ALL);
    frame->sections = SECTION_ALL;
    for (int i = 0; i < o->viewer_count; i++) {
        const struct viewer *viewer = &o->viewers[i];
        if (viewer->seat >= 0 && id128_equal(viewer->gateway, gateway))
            write_mine(o, frame, viewer->seat, true);
    }
    if (have != UINT64_MAX) write_events(o, frame, have);
    return frame;
}

/* ---- folding --------------------------------------------------------------------------------- */

static struct span moved_by(struct span span, size_t offset)
{
    return (struct span){span.from + offset, span.len};
}

static void merge_events(struct frame *into, const struct frame *newer, size_t offset)
{
    int count = into->event_count + newer->event_count;
    if (newer->event_count == 0) return;
    into->events = realloc(into->events, (size_t)count * sizeof *into->events);
    CHECK(into->events != NULL);
    for (int i = 0; i < newer->event_count; i++) {
        struct framed_event event = newer->events[i];
        event.shared = moved_by(event.shared, offset);
        event.mine = moved_by(event.mine, offset);
        event.room = moved_by(event.room, offset);
        into->events[into->event_count++] = event;
    }
    int beyond = count - WIRE_EVENTS_MAX;
    if (beyond <= 0) return;
    into->event_count = WIRE_EVENTS_MAX;
    memmove(into->events, into->events + beyond, WIRE_EVENTS_MAX * sizeof *into->events);
}

size_t frame_cost(const struct frame *frame)
{
    return sizeof *frame + frame->bytes.room + (size_t)frame->event_count * sizeof *frame->events;
}

static size_t used(const struct frame *frame)
{
    size_t len = frame->room_view.len + frame->presence.len + frame->game.len;
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++)
        if (frame->mine_there[s]) len += frame->mine[s].len;
    for (int i = 0; i < frame->event_count; i++) {
        const struct framed_event *event = &frame->events[i];
        len += event->shared.len + event->mine.len + event->room.len;
    }
    return len;
}

static void carry_over(const struct frame *frame, struct span *span, struct buf *to)
{
    struct span from = *span;
    span->from = to->len;
    if (from.len) buf_put(to, frame->bytes.at + from.from, from.len);
}

/* While a room waits for Redis its frames are folded again and again: what is superseded must not
 * pile up. */
static void tighten(struct frame *frame)
{
    struct buf tight = {0};
    size_t len = used(frame);
    if (frame->bytes.len < 2 * len + SUPERSEDED_MAX) return;
    buf_extend(&tight, len);
    buf_clear(&tight);
    carry_over(frame, &frame->room_view, &tight);
    carry_over(frame, &frame->presence, &tight);
    carry_over(frame, &frame->game, &tight);
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++)
        if (frame->mine_there[s]) carry_over(frame, &frame->mine[s], &tight);
    for (int i = 0; i < frame->event_count; i++) {
        struct framed_event *event = &frame->events[i];
        carry_over(frame, &event->shared, &tight);
        carry_over(frame, &event->mine, &tight);
        carry_over(frame, &event->room, &tight);
    }
    buf_fini(&frame->bytes);
    frame->bytes = tight;
}

void frame_merge(struct frame *into, const struct frame *newer)
{
    size_t offset = into->bytes.len;
    buf_put_slice(&into->bytes, buf_slice(&newer->bytes));
    if (newer->sections & SECTION_ROOM) into->room_view = moved_by(newer->room_view, offset);
    if (newer->sections & SECTION_GAME) into->game = moved_by(newer->game, offset);
    if (newer->sections & SECTION_PRESENCE) into->presence = moved_by(newer->presence, offset);
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++) {
        if (!newer->mine_there[s]) continue;
        into->mine[s] = moved_by(newer->mine[s], offset);
        into->mine_there[s] = true;
    }
    into->held = newer->held;
    for (int s = 0; s < GAME_SEATS_MAX; s++) {
        if (into->generation[s] == newer->generation[s]) continue;
        into->generation[s] = newer->generation[s]; /* what the former holder alone may know */
        if (!newer->mine_there[s]) into->mine_there[s] = false;
        for (int i = 0; i < into->event_count; i++)
            if (into->events[i].seat == s) into->events[i].seat = -1;
    }
    merge_events(into, newer, offset);
    into->sections |= newer->sections;
    into->seq = newer->seq;
    into->game_version = newer->game_version;
    tighten(into);
}

/* ---- sending --------------------------------------------------------------------------------- */

static struct slice lent_span(const uint8_t *lent, struct span span)
{
    return span.len ? slice_of(lent + span.from, span.len) : (struct slice){0};
}

/* Whether that gateway's client holds the seat, and held it when the frame was made. Who has been
 * shown out since, or sits elsewhere, hears so behind the frame, and has the seat until then. */
static bool sees_seat(struct owned_room *o, const struct frame *frame, int seat,
                      struct id128 gateway, uint64_t client)
{
    const struct viewer *viewer = seat < 0 ? NULL : viewer_of_seat(o, seat);
    if (seat < 0 || room_generation(o->room, seat) != frame->generation[seat]) return false;
    if (viewer == NULL)
        return client == 0 && frame->held >> seat & 1 &&
               id128_equal(o->seats[seat].gateway, gateway);
    return id128_equal(viewer->gateway, gateway) && (client == 0 || viewer->client == client);
}

static void add_events(struct worker_core *core, struct owned_room *o, const struct frame *frame,
                       const uint8_t *lent, struct id128 gateway, struct env_update *out)
{
    out->events =
        arena_alloc(&core->out->arena, ((size_t)frame->event_count + 1) * sizeof *out->events);
    for (int i = 0; i < frame->event_count; i++) {
        const struct framed_event *from = &frame->events[i];
        if (out->base != 0 && from->seq <= out->base) continue;
        struct update_event *event = &out->events[out->event_count++];
        *event = (struct update_event){.seq = from->seq,
                                       .seat = -1,
                                       .shared = lent_span(lent, from->shared),
                                       .room = lent_span(lent, from->room)};
        if (!sees_seat(o, frame, from->seat, gateway, out->only_client)) continue;
        event->seat = from->seat;
        event->mine = lent_span(lent, from->mine);
    }
}

void frame_update_for(struct worker_core *core, struct owned_room *o, const struct frame *frame,
                      const uint8_t *lent, struct id128 gateway, uint64_t client, uint64_t base,
                      struct env_update *out)
{
    *out = (struct env_update){.room = o->id,
                               .version = {o->epoch, frame->seq},
                               .base = base,
                               .game_version = frame->game_version,
                               .room_time = owned_time(core, o),
                               .only_client = client};
    out->sections = frame->sections & (SECTION_ROOM | SECTION_PRESENCE | SECTION_GAME);
    out->room_view = lent_span(lent, frame->room_view);
    out->presence = lent_span(lent, frame->presence);
    out->game = lent_span(lent, frame->game);
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++) {
        if (!frame->mine_there[s] || !sees_seat(o, frame, s, gateway, 0)) continue;
        out->privates[out->private_count++] =
            (struct update_private){.seat = s, .mine = lent_span(lent, frame->mine[s])};
    }
    if (out->private_count || base == 0) out->sections |= frame->sections & SECTION_MINE;
    add_events(core, o, frame, lent, gateway, out);
}
