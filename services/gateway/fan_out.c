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

static struct slice pick(struct selection *selection, const struct section *section, uint64_t after)
{
    if (section->serial <= after) return (struct slice){0};
    selection->any = true;
    if (section->len == 0) selection->emptied = true;
    return slice_of(section->bytes, section->len);
}

static void select_sections(const struct mirror *mirror, const struct client *client,
                            uint64_t after, struct selection *selection)
{
    struct server_room *frame = &selection->frame;
    frame->room = pick(selection, &mirror->room_view, after);
    frame->presence = pick(selection, &mirror->presence, after);
    frame->game = pick(selection, &mirror->game, after);
    if (client->seat >= 0 && holds(mirror, client, mirror->mine_of[client->seat]))
        frame->mine = pick(selection, &mirror->mine[client->seat], after);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void own_events(const struct mirror *mirror, const struct client *client,
                       struct server_room *frame)
{
    if (client->sent.seq == 0 || client->sent.seq < mirror->events_after) return;
    for (uint32_t i = 0; i < mirror->event_count; i++) {
        const struct cached_event *event = mirror->events[i];
        if (event->seq <= client->sent.seq) continue;
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

static void compose(struct gateway_core *core, struct client *client,
                    const struct env_update *missed)
{
    const struct mirror *mirror = client->mirror;
    bool whole =
        client->want_whole || client->sent.epoch != mirror->version.epoch || client->sent.seq == 0;
    struct server_event events[WIRE_EVENTS_MAX];
    struct selection selection = {.frame.events = events};
    select_sections(mirror, client, whole ? 0 : client->sent_serial, &selection);
    if (!whole && selection.emptied) {
        whole = true;
        select_sections(mirror, client, 0, &selection);
    }
    if (!whole && !selection.any && client->sent.seq == mirror->version.seq) return;
    struct server_frame frame = {.kind = SERVER_ROOM, .u.room = selection.frame};
    struct server_room *room = &frame.u.room;
    if (missed)
        missed_events(mirror, client, missed, room);
    else
        own_events(mirror, client, room);
    room->version = mirror->version;
    room->since = whole ? 0 : client->sent.seq;
    room->game_version = mirror->game_version;
    room->room_time = mirror->room_time;

    client->sent = mirror->version;
    client->sent_serial = mirror->serial;
    client->want_whole = false;
    client->frame_outstanding = true;
    gw_send(core, client, &frame);
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
