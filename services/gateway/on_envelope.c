/* SPDX-License-Identifier: Apache-2.0
 *
 * What workers say. Nothing below the highest epoch that was seen of a room gets through (rule 6).
 */
#include "gateway/calls.h"

/* The room, when this may be believed; a newer epoch makes its sender the owner. */
static struct mirror *believe(struct gateway_core *core, const struct event *event, room_id room,
                              uint64_t epoch)
{
    struct mirror *mirror = gw_mirror_find(core, room);
    if (mirror == NULL) return NULL;
    if (epoch < mirror->epoch && !MUTANT(old_frames_delivered)) {
        core->tally.stale++;
        return NULL;
    }
    if (epoch > mirror->epoch) {
        bool other = !id128_equal(mirror->owner, event->peer);
        const char *url = event->peer_url && event->peer_url[0] ? event->peer_url : NULL;
        mirror->epoch = epoch;
        if (other && url && strlen(url) <= WIRE_URL_BYTES_MAX)
            gw_mirror_owner(core, mirror, event->peer, url, epoch);
    }
    return mirror;
}

static struct client *client_in(const struct gateway_core *core, uint64_t socket,
                                const struct mirror *mirror)
{
    struct client *client = gw_client_find(core, socket);
    return client && client->mirror == mirror ? client : NULL;
}

static void on_update(struct gateway_core *core, const struct event *event,
                      const struct env_update *update)
{
    struct mirror *mirror = believe(core, event, update->room, update->version.epoch);
    if (mirror == NULL) return;
    struct client *only = update->only_client ? client_in(core, update->only_client, mirror) : NULL;
    if (update->only_client && only == NULL) return;
    if (!gw_cache_update(core, mirror, update, only ? only->seat : -1)) {
        /* Something was lost on the way. One question at a time. */
        if (!mirror->gap && !mirror->lost) {
            mirror->gap = true;
            gw_mirror_resync(core, mirror, mirror->version);
        }
        return;
    }
    mirror->gap = false;
    gw_mirror_touch(core, mirror);
    if (only) gw_compose(core, only, update);
}

/* A new owner speaks for itself, often before anybody has been asked where the room is. */
static bool is_new_owner(const struct mirror *mirror, const struct event *event,
                         const struct env_moved *moved)
{
    return id128_equal(moved->to, event->peer) && moved->epoch > mirror->epoch &&
           (mirror->lost || !id128_equal(mirror->owner, event->peer));
}

static void on_moved(struct gateway_core *core, const struct event *event,
                     const struct env_moved *moved)
{
    struct mirror *mirror = gw_mirror_find(core, moved->room);
    bool named = !id128_is_zero(moved->to) && moved->to_url && moved->to_url[0] &&
                 strlen(moved->to_url) <= WIRE_URL_BYTES_MAX;
    if (mirror && named && is_new_owner(mirror, event, moved)) {
        gw_mirror_owner(core, mirror, moved->to, moved->to_url, moved->epoch);
        return;
    }
    if (mirror == NULL || mirror->lost || !id128_equal(mirror->owner, event->peer)) return;
    if (moved->gone) {
        gw_mirror_closed(core, mirror);
    } else if (!named || moved->epoch < mirror->epoch) {
        gw_mirror_lose(core, mirror);
    } else if (id128_equal(moved->to, mirror->owner)) {
        /* "Come in again": it does not know somebody here. */
        if (moved->epoch > mirror->epoch) mirror->epoch = moved->epoch;
        for (uint32_t i = 0; i < mirror->client_count; i++)
            if (!mirror->clients[i]->waits_attach) gw_attach_send(core, mirror->clients[i]);
    } else {
        gw_mirror_owner(core, mirror, moved->to, moved->to_url, moved->epoch);
    }
}

static void on_attach_refused(struct gateway_core *core, const struct event *event,
                              const struct env_attach_refused *refused)
{
    struct mirror *mirror = gw_mirror_find(core, refused->room);
    if (mirror == NULL || mirror->lost || !id128_equal(mirror->owner, event->peer)) return;
    struct client *client = client_in(core, refused->client, mirror);
    if (client) gw_on_attach_refused(core, client, &refused->why);
}

static void on_paused(struct gateway_core *core, struct mirror *mirror, bool paused)
{
    mirror->paused = paused;
    if (!mirror->lost) gw_mirror_tell(core, mirror, paused);
}

static void on_envelope(struct gateway_core *core, const struct event *event,
                        const struct envelope *envelope)
{
    struct mirror *mirror = NULL;
    struct client *client = NULL;
    switch (envelope->kind) {
    case ENV_ATTACHED:
        mirror = believe(core, event, envelope->u.attached.room, envelope->u.attached.epoch);
        client = mirror ? client_in(core, envelope->u.attached.client, mirror) : NULL;
        if (client) gw_on_attached(core, client, &envelope->u.attached);
        return;
    case ENV_ATTACH_REFUSED: on_attach_refused(core, event, &envelope->u.attach_refused); return;
    case ENV_UPDATE: on_update(core, event, &envelope->u.update); return;
    case ENV_ANSWER:
        mirror = believe(core, event, envelope->u.answer.room, envelope->u.answer.epoch);
        client = mirror ? client_in(core, envelope->u.answer.client, mirror) : NULL;
        if (client) gw_on_answer(core, client, &envelope->u.answer);
        return;
    case ENV_DROPPED:
        mirror = believe(core, event, envelope->u.dropped.room, envelope->u.dropped.epoch);
        client = mirror ? client_in(core, envelope->u.dropped.client, mirror) : NULL;
        if (client) gw_drop(core, client, envelope->u.dropped.why);
        return;
    case ENV_MOVED: on_moved(core, event, &envelope->u.moved); return;
    case ENV_PAUSED:
        mirror = believe(core, event, envelope->u.paused.room, envelope->u.paused.epoch);
        if (mirror) on_paused(core, mirror, envelope->u.paused.paused);
        return;
    default: gw_note(core, "envelope.refused", (uint64_t)envelope->kind, 0, 0);
    }
}

void gw_on_envelopes(struct gateway_core *core, const struct event *event)
{
    gw_member_spoke(core, event->peer);
    for (int i = 0; i < event->count; i++) on_envelope(core, event, &event->list[i]);
}
