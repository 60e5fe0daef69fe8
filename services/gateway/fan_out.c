/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames for sockets: what this viewer has not been sent, composed when its socket can take it.
 * However slow a socket is, what waits for it is one frame, and that is the newest.
 */
#include "gateway/calls.h"

enum { SMALL_OUTSTANDING = 4 << 10 }; /* answers and pings that need not hold a frame up */

/* ---- who may see what ------------------------------------------------------------------------ */

/* The one question before a private part is written: this connection holds the newest generation of
 * that seat, and the part was told for that generation. */
static bool holds(const struct mirror *mirror, const struct client *client, uint32_t generation)
{
    return client->seat >= 0 && client->generation == generation && generation != 0 &&
           mirror->holder[client->seat] == generation;
}

static bool superseded(const struct mirror *mirror, const struct client *client)
{
    return client->seat >= 0 && mirror->holder[client->seat] != client->generation;
}

/* Whether all that a whole frame for it needs is here. */
static bool complete_for(const struct mirror *mirror, const struct client *client)
{
    uint64_t epoch = mirror->version.epoch;
    if (!mirror->filled) return false;
    /* Of a former owner: the present one's is on its way. */
    bool old = epoch < mirror->epoch || epoch < client->sent.epoch;
    if (old && !MUTANT(old_frames_delivered)) return false;
    return client->seat < 0 || mirror->mine_of[client->seat] == client->generation;
}

bool gw_mirror_lacks(const struct mirror *mirror)
{
    if (mirror->gap) return true;
    for (uint32_t i = 0; i < mirror->client_count; i++) {
        const struct client *client = mirror->clients[i];
        if (client->state == CLIENT_IN_ROOM && !client->waits_attach &&
            !superseded(mirror, client) && !complete_for(mirror, client))
            return true;
    }
    return false;
}

/* ---- sections -------------------------------------------------------------------------------- */

struct selection {
    struct server_room frame;
    bool any;
    bool emptied; /* one became empty, which a delta cannot say */
};

/* As a patch where this client has what it is made from. `after` 0: the whole. */
static struct slice pick(struct gateway_core *core, const struct mirror *mirror,
                         const struct section *section, uint64_t after, uint32_t bit,
                         struct selection *selection)
{
    if (section->serial <= after) return (struct slice){0};
    selection->any = true;
    if (section->len == 0) selection->emptied = true;
    struct slice patch = {0};
    if (after) patch = gw_cache_patch(core, mirror, section, after);
    if (patch.len == 0) return slice_of(section->bytes, section->len);
    selection->frame.patched |= bit;
    return patch;
}

static void select_sections(struct gateway_core *core, const struct client *client, uint64_t after,
                            struct selection *selection)
{
    const struct mirror *mirror = client->mirror;
    struct server_room *frame = &selection->frame;
    frame->patched = 0;
    frame->room = pick(core, mirror, &mirror->room_view, after, SECTION_ROOM, selection);
    frame->presence = pick(core, mirror, &mirror->presence, after, SECTION_PRESENCE, selection);
    frame->game = pick(core, mirror, &mirror->game, after, SECTION_GAME, selection);
    if (client->seat >= 0 && holds(mirror, client, mirror->mine_of[client->seat]))
        frame->mine =
            pick(core, mirror, &mirror->mine[client->seat], after, SECTION_MINE, selection);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void own_events(const struct mirror *mirror, const struct client *client,
                       struct server_room *frame)
{
    if (client->sent.seq == 0 || client->sent.seq < mirror->events_after) return;
    uint32_t first = mirror->event_count; /* most have seen all but the last */
    while (first > 0 && mirror->events[first - 1]->seq > client->sent.seq) first--;
    for (uint32_t i = first; i < mirror->event_count; i++) {
        const struct cached_event *event = mirror->events[i];
        const uint8_t *mine = event->bytes + event->shared_len;
        bool private = event->seat == client->seat && holds(mirror, client, event->generation);
        frame->events[frame->event_count++] = (struct server_event){
            .seq = event->seq,
            .shared = slice_of(event->bytes, event->shared_len),
            .mine = private ? slice_of(mine, event->mine_len) : (struct slice){0},
            .room = slice_of(mine + event->mine_len, event->room_len),
        };
    }
}

/* Those that a worker sent for this client alone: what it missed while it was away. */
static void missed_events(const struct mirror *mirror, const struct client *client,
                          const struct env_update *missed, struct server_room *frame)
{
    for (int i = 0; i < missed->event_count && i < WIRE_EVENTS_MAX; i++) {
        const struct update_event *event = &missed->events[i];
        if (event->seq <= client->sent.seq) continue;
        bool private = event->seat >= 0 && event->seat == client->seat &&
                       holds(mirror, client, client->generation);
        frame->events[frame->event_count++] = (struct server_event){
            .seq = event->seq,
            .shared = event->shared,
            .mine = private ? event->mine : (struct slice){0},
            .room = event->room,
        };
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool has_private(const struct server_room *room)
{
    bool private = room->mine.len > 0;
    for (int i = 0; i < room->event_count; i++) private = private || room->events[i].mine.len > 0;
    return private;
}

/* A frame without a private part follows from these alone. */
static bool is_shared(const struct shared_frame *shared, const struct client *client, bool whole)
{
    return shared->mirror == client->mirror && shared->serial == client->mirror->serial &&
           shared->whole == whole && version_compare(shared->sent, client->sent) == 0 &&
           shared->sent_serial == client->sent_serial &&
           shared->sent_game_version == client->sent_game_version &&
           shared->sent_room_time == client->sent_room_time;
}

/* Encoded once for all of a room who are to be sent the same. */
static void write_room(struct gateway_core *core, struct client *client,
                       const struct server_room *room, bool may_share)
{
    struct shared_frame *shared = &core->shared;
    bool whole = room->since == 0;
    may_share = may_share && !has_private(room);
    if (may_share && is_shared(shared, client, whole)) {
        gw_send_bytes(core, client, shared->bytes);
        return;
    }
    struct server_frame frame = {.kind = SERVER_ROOM, .u.room = *room};
    struct slice bytes = gw_encode(core, &frame);
    if (may_share)
        *shared = (struct shared_frame){.mirror = client->mirror,
                                        .serial = client->mirror->serial,
                                        .whole = whole,
                                        .sent = client->sent,
                                        .sent_serial = client->sent_serial,
                                        .sent_game_version = client->sent_game_version,
                                        .sent_room_time = client->sent_room_time,
                                        .bytes = bytes};
    gw_send_bytes(core, client, bytes);
}

static void set_numbers(const struct mirror *mirror, const struct client *client, bool whole,
                        struct server_room *room)
{
    room->version = mirror->version;
    room->game_version = mirror->game_version;
    room->room_time = mirror->room_time;
    if (whole) return;
    room->since = client->sent.seq;
    room->passed = (int64_t)(mirror->room_time - client->sent_room_time);
    room->game_ahead = (int64_t)(mirror->game_version - client->sent_game_version -
                                 (mirror->version.seq - client->sent.seq));
}

static void compose(struct gateway_core *core, struct client *client,
                    const struct env_update *missed)
{
    const struct mirror *mirror = client->mirror;
    bool whole =
        client->want_whole || client->sent.epoch != mirror->version.epoch || client->sent.seq == 0;
    struct server_event events[WIRE_EVENTS_MAX];
    struct selection selection = {.frame.events = events};
    select_sections(core, client, whole ? 0 : client->sent_serial, &selection);
    if (!whole && selection.emptied) {
        whole = true;
        select_sections(core, client, 0, &selection);
    }
    if (!whole && !selection.any && client->sent.seq == mirror->version.seq) return;
    struct server_room *room = &selection.frame;
    if (missed)
        missed_events(mirror, client, missed, room);
    else
        own_events(mirror, client, room);
    set_numbers(mirror, client, whole, room);
    client->frame_outstanding = true;
    write_room(core, client, room, missed == NULL);

    client->sent = mirror->version;
    client->sent_serial = mirror->serial;
    client->sent_game_version = mirror->game_version;
    client->sent_room_time = mirror->room_time;
    client->want_whole = false;
}

void gw_compose(struct gateway_core *core, struct client *client, const struct env_update *missed)
{
    struct mirror *mirror = client->mirror;
    if (client->gone || mirror == NULL || client->state != CLIENT_IN_ROOM) return;
    if (superseded(mirror, client))
        return; /* a newer window has the seat; the word is on its way */
    if (!complete_for(mirror, client)) {
        if (mirror->resync_at == INSTANT_NEVER && !mirror->lost) {
            mirror->resync_at = core->now + GATEWAY_LACKS_MS;
            gw_mirror_arm(core, mirror);
        }
        return;
    }
    if (client->frame_outstanding || client->outstanding > SMALL_OUTSTANDING) return;
    compose(core, client, missed);
}
