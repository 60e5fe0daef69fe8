/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms as this gateway knows them: who owns each, and finding it again when its owner is gone,
 * silent or has handed it over. One question a room however many of its players are here.
 */
#include "gateway/calls.h"

#include <stdlib.h>

enum { RESYNC_MS = 500, ASKS_A_SECOND = 250, ASK_LATEST_MS = 3000 };

struct mirror *gw_mirror_find(const struct gateway_core *core, room_id room)
{
    return map_get(&core->mirrors, room);
}

static bool knows_owner(const struct placed *placed)
{
    return placed->owner_url && placed->owner_url[0] &&
           strlen(placed->owner_url) <= WIRE_URL_BYTES_MAX;
}

static void set_owner(struct mirror *mirror, struct id128 owner, const char *url, uint64_t epoch)
{
    mirror->owner = owner;
    memcpy(mirror->owner_url, url, strlen(url) + 1);
    if (epoch > mirror->epoch) mirror->epoch = epoch;
}

struct mirror *gw_mirror_of(struct gateway_core *core, const struct placed *placed)
{
    struct mirror *mirror = gw_mirror_find(core, placed->room);
    if (mirror) {
        bool newer = placed->epoch > mirror->epoch;
        if (knows_owner(placed) && (newer || (mirror->lost && placed->epoch == mirror->epoch)))
            gw_mirror_owner(core, mirror, placed->owner, placed->owner_url, placed->epoch);
        return mirror;
    }
    mirror = calloc(1, sizeof *mirror);
    CHECK(mirror != NULL);
    mirror->timer.key = placed->room;
    mirror->room = placed->room;
    code_write(room_id_bits(placed->room), mirror->code);
    mirror->ask_at = INSTANT_NEVER;
    mirror->resync_at = INSTANT_NEVER;
    map_put(&core->mirrors, mirror->room, mirror);
    if (knows_owner(placed))
        set_owner(mirror, placed->owner, placed->owner_url, placed->epoch);
    else
        gw_mirror_lose(core, mirror);
    return mirror;
}

/* ---- its clients ----------------------------------------------------------------------------- */

void gw_mirror_add(struct mirror *mirror, struct client *client)
{
    if (mirror->client_count == mirror->client_room) {
        uint32_t room = mirror->client_room ? 2 * mirror->client_room : 2;
        struct client **wider = realloc(mirror->clients, room * sizeof(struct client *));
        CHECK(wider != NULL);
        mirror->clients = wider;
        mirror->client_room = room;
    }
    mirror->clients[mirror->client_count++] = client;
}

void gw_mirror_remove(struct gateway_core *core, struct mirror *mirror, struct client *client)
{
    uint32_t at = 0;
    while (at < mirror->client_count && mirror->clients[at] != client) at++;
    CHECK(at < mirror->client_count);
    mirror->clients[at] = mirror->clients[--mirror->client_count];
    gw_mirror_touch(core, mirror);
}

void gw_mirror_touch(struct gateway_core *core, struct mirror *mirror)
{
    if (mirror->dirty) return;
    mirror->dirty = true;
    mirror->next_dirty = core->dirty_mirrors;
    core->dirty_mirrors = mirror;
}

void gw_mirror_free(struct mirror *mirror)
{
    gw_cache_clear(mirror);
    free(mirror->clients);
    free(mirror);
}

static void forget(struct gateway_core *core, struct mirror *mirror)
{
    if (mirror->lost) core->lost_rooms--;
    heap_remove(&core->mirror_timers, &mirror->timer);
    map_remove(&core->mirrors, mirror->room);
    gw_mirror_free(mirror);
}

/* Frames for everybody in a room that has changed; rooms without clients go. Composing may close a
 * slow client, which takes it out of the list: from the end, nobody is missed. */
void gw_mirrors_settle(struct gateway_core *core)
{
    while (core->dirty_mirrors) {
        struct mirror *mirror = core->dirty_mirrors;
        core->dirty_mirrors = mirror->next_dirty;
        mirror->dirty = false;
        if (mirror->client_count == 0) {
            forget(core, mirror);
            continue;
        }
        for (uint32_t i = mirror->client_count; i-- > 0;)
            if (i < mirror->client_count) gw_compose(core, mirror->clients[i], NULL);
        mirror->changes = NULL; /* the step is over for it */
    }
    core->shared.mirror = NULL;
}

/* ---- its owner ------------------------------------------------------------------------------- */

void gw_mirror_send(struct gateway_core *core, const struct mirror *mirror,
                    const struct envelope *envelope)
{
    struct effect *effect = effects_add(core->out, EFFECT_SEND);
    effect->peer = mirror->owner;
    effect->url = arena_text(&core->out->arena, mirror->owner_url);
    effect->envelope = *envelope;
}

void gw_mirror_attach_all(struct gateway_core *core, struct mirror *mirror)
{
    for (uint32_t i = 0; i < mirror->client_count; i++) gw_attach_send(core, mirror->clients[i]);
}

static void count_found(struct gateway_core *core, const struct mirror *mirror)
{
    instant_ms away_ms = core->now - mirror->lost_at;
    core->tally.found++;
    histogram_add(&core->counts.away_ms, &histogram_outage_ms, away_ms);
    if (away_ms > core->tally.away_ms) core->tally.away_ms = away_ms;
    if (mirror->tries > core->tally.tries) core->tally.tries = mirror->tries;
}

/* A worker that dies takes thousands of rooms with it: they are told of together. */
void gw_mirrors_note(struct gateway_core *core)
{
    if (core->now < core->tally.told_at + GATEWAY_TALLY_MS) return;
    if (core->tally.lost) gw_note(core, "rooms.lost", core->tally.lost, core->tally.clients, 0);
    if (core->tally.found)
        gw_note(core, "rooms.found", core->tally.found, core->tally.away_ms, core->tally.tries);
    if (core->tally.stale) gw_note(core, "frames.stale", core->tally.stale, 0, 0);
    memset(&core->tally, 0, sizeof core->tally);
    core->tally.told_at = core->now;
}

void gw_mirror_owner(struct gateway_core *core, struct mirror *mirror, struct id128 owner,
                     const char *url, uint64_t epoch)
{
    set_owner(mirror, owner, url, epoch);
    if (mirror->lost) {
        mirror->lost = false;
        core->lost_rooms--;
        count_found(core, mirror);
    }
    mirror->told_down = false;
    mirror->paused = false;
    mirror->token = 0;
    mirror->ask_at = INSTANT_NEVER;
    for (uint32_t i = 0; i < mirror->client_count; i++) mirror->clients[i]->tries = 0;
    gw_mirror_attach_all(core, mirror);
    gw_mirror_arm(core, mirror);
}

/* When the room is asked for next. Whoever takes a lost room over says so by itself, so
 * questions are for what goes wrong there: the more rooms are lost at once, the longer each
 * waits with its own. */
static void ask_later(struct gateway_core *core, struct mirror *mirror)
{
    instant_ms wait = gw_back_off(core, mirror->tries);
    instant_ms share = (instant_ms)core->lost_rooms * 1000 / ASKS_A_SECOND;
    if (share > ASK_LATEST_MS) share = ASK_LATEST_MS;
    mirror->ask_at = core->now + (share > wait ? gw_jitter(core, share) : wait);
}

void gw_mirror_lose(struct gateway_core *core, struct mirror *mirror)
{
    if (mirror->lost) return;
    mirror->lost = true;
    core->lost_rooms++;
    mirror->lost_at = core->now;
    mirror->token = 0;
    ask_later(core, mirror);
    for (uint32_t i = 0; i < mirror->client_count; i++) {
        mirror->clients[i]->waits_attach = true;
        mirror->clients[i]->attach_at = INSTANT_NEVER;
    }
    core->tally.lost++;
    core->tally.clients += mirror->client_count;
    gw_mirror_arm(core, mirror);
}

void gw_mirror_reply(struct gateway_core *core, struct mirror *mirror, const struct reply *reply)
{
    mirror->token = 0;
    if (!mirror->lost) return;
    const struct placed *placed = &reply->placed;
    mirror->tries++;
    if (reply->status == ST_UNKNOWN) {
        gw_mirror_closed(core, mirror);
    } else if (reply->status == ST_OK && !reply->pending && placed->room == mirror->room &&
               knows_owner(placed) && placed->epoch >= mirror->epoch) {
        gw_mirror_owner(core, mirror, placed->owner, placed->owner_url, placed->epoch);
    } else {
        ask_later(core, mirror);
        gw_mirror_arm(core, mirror);
    }
}

void gw_mirror_closed(struct gateway_core *core, struct mirror *mirror)
{
    while (mirror->client_count) {
        struct client *client = mirror->clients[0];
        if (client->state == CLIENT_ENTERING) {
            gw_leave_mirror(core, client, false);
            gw_refuse(core, client, REASON_ROOM_CLOSED);
            gw_client_arm(core, client);
        } else {
            gw_drop(core, client, DROPPED_CLOSED);
        }
    }
}

/* A dead process, or a broken stream. peer is zero where only the address is known; another
 * instance than the owner behind the owner's address means that the owner is gone. */
void gw_mirrors_of_peer(struct gateway_core *core, struct id128 peer, const char *url, bool dead)
{
    size_t count;
    uint64_t *rooms = map_keys_sorted(&core->mirrors, &count);
    for (size_t i = 0; i < count; i++) {
        struct mirror *mirror = gw_mirror_find(core, rooms[i]);
        if (mirror == NULL || mirror->lost) continue;
        bool same_url = url && strcmp(mirror->owner_url, url) == 0;
        bool is_owner = id128_is_zero(peer) ? same_url : id128_equal(mirror->owner, peer);
        if (is_owner && !dead) {
            gw_mirror_attach_all(core, mirror);
            gw_detached_again(core, mirror);
        } else if (is_owner || (same_url && !dead)) {
            gw_mirror_lose(core, mirror);
        }
    }
    free(rooms);
}

/* ---- telling and asking ---------------------------------------------------------------------- */

void gw_mirror_tell(struct gateway_core *core, struct mirror *mirror, bool down)
{
    for (uint32_t i = mirror->client_count; i-- > 0;) {
        if (i >= mirror->client_count) continue;
        struct client *client = mirror->clients[i];
        if (client->state != CLIENT_IN_ROOM || client->told_down == down) continue;
        client->told_down = down;
        gw_notice(core, client, down ? NOTICE_ROOM_UNREACHABLE : NOTICE_ROOM_BACK);
    }
}

void gw_mirror_resync(struct gateway_core *core, struct mirror *mirror, struct version have)
{
    struct envelope envelope = {.kind = ENV_RESYNC};
    envelope.u.resync = (struct env_resync){mirror->room, have};
    gw_mirror_send(core, mirror, &envelope);
    mirror->resync_at = core->now + RESYNC_MS;
    gw_mirror_arm(core, mirror);
}

static void ask_where(struct gateway_core *core, struct mirror *mirror)
{
    mirror->ask_at = INSTANT_NEVER;
    struct request *request = gw_ask(core, ASK_MIRROR, mirror->room, NULL, REQ_RESOLVE,
                                     gw_random_id(core), &mirror->token);
    request->room = mirror->room;
    request->stale_epoch = mirror->epoch;
}

void gw_mirror_arm(struct gateway_core *core, struct mirror *mirror)
{
    instant_ms at = mirror->lost ? mirror->ask_at : mirror->resync_at;
    if (mirror->lost && !mirror->told_down) {
        instant_ms tell_at = mirror->lost_at + GATEWAY_UNREACHABLE_MS;
        if (tell_at < at) at = tell_at;
    }
    heap_set(&core->mirror_timers, &mirror->timer, at);
}

void gw_mirror_due(struct gateway_core *core, struct mirror *mirror)
{
    if (!mirror->lost) {
        /* The answer to a resync is late, or somebody still lacks something. */
        mirror->resync_at = INSTANT_NEVER;
        if (gw_mirror_lacks(mirror)) gw_mirror_resync(core, mirror, mirror->version);
    } else {
        if (!mirror->told_down && core->now >= mirror->lost_at + GATEWAY_UNREACHABLE_MS) {
            mirror->told_down = true;
            gw_mirror_tell(core, mirror, true);
        }
        if (core->now >= mirror->ask_at) ask_where(core, mirror);
    }
    gw_mirror_arm(core, mirror);
}
