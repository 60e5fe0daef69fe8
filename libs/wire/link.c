/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/link_peer.h"

#include "base/check.h"
#include "wire/batch.h"

#include <stdlib.h>

enum {
    /* An update with everything full, with its lengths and tags. */
    ENVELOPE_BYTES_MAX =
        (3 + WIRE_PRIVATES_MAX + 3 * WIRE_EVENTS_MAX) * WIRE_SECTION_BYTES_MAX + (16 << 10),
    KEPT_MAX = 256 << 10, /* of a peer's queue between turns */
};
_Static_assert(LINK_BATCH_BYTES + ENVELOPE_BYTES_MAX + BATCH_HEAD_BYTES_MAX <= WIRE_BATCH_BYTES_MAX,
               "an envelope fits into any batch that is still open");
_Static_assert(LINK_TALK_MS < LINK_FORGET_MS, "a peer is not forgotten while heartbeats go to it");

void link_init(struct link *link, struct id128 self, const char *url)
{
    size_t len = strlen(url);
    CHECK(!id128_is_zero(self) && len <= WIRE_URL_BYTES_MAX);
    *link = (struct link){.self = self, .beat_at = INSTANT_NEVER};
    memcpy(link->url, url, len + 1);
}

static void free_peer(struct link_peer *peer)
{
    buf_fini(&peer->queue);
    free(peer);
}

void link_fini(struct link *link)
{
    for (size_t i = 0; i < link->count; i++) free_peer(link->peers[i]);
    free(link->peers);
    *link = (struct link){0};
}

/* ---- peers ----------------------------------------------------------------------------------- */

/* Where url is, or would be. */
static size_t place_of(const struct link *link, const char *url, bool *found)
{
    size_t low = 0, high = link->count;
    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(link->peers[middle]->url, url);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct link_peer *find_peer(const struct link *link, const char *url)
{
    bool found;
    size_t place = place_of(link, url, &found);
    return found ? link->peers[place] : NULL;
}

static void make_room(struct link *link)
{
    if (link->count < link->room) return;
    link->room = link->room ? 2 * link->room : 16;
    link->peers = realloc(link->peers, link->room * sizeof(struct link_peer *));
    CHECK(link->peers != NULL);
}

struct link_peer *link_peer_get(struct link *link, const char *url, instant_ms now)
{
    bool found;
    size_t place = place_of(link, url, &found);
    if (found) return link->peers[place];
    size_t len = strnlen(url, WIRE_URL_BYTES_MAX + 1);
    if (len == 0 || len > WIRE_URL_BYTES_MAX) return NULL;
    if (link->count == LINK_PEERS_MAX) {
        link->peers_refused++;
        return NULL;
    }

    struct link_peer *peer = calloc(1, sizeof *peer);
    CHECK(peer != NULL);
    memcpy(peer->url, url, len + 1);
    peer->anew = true;
    peer->heard_at = peer->talked_at = now;
    make_room(link);
    memmove(&link->peers[place + 1], &link->peers[place],
            (link->count - place) * sizeof(struct link_peer *));
    link->peers[place] = peer;
    link->count++;
    if (link->beat_at == INSTANT_NEVER) link->beat_at = now + LINK_HEARTBEAT_MS;
    return peer;
}

struct id128 link_instance(const struct link *link, const char *url)
{
    const struct link_peer *peer = find_peer(link, url);
    return peer ? peer->now.instance : (struct id128){0};
}

/* ---- outgoing -------------------------------------------------------------------------------- */

static void drop_queue(struct link_peer *peer)
{
    if (peer->queue.room > KEPT_MAX)
        buf_fini(&peer->queue);
    else
        buf_clear(&peer->queue);
    peer->closed = peer->given = peer->open_count = 0;
}

/* Something sent is lost and the core does not know yet. */
static void cut(struct link_peer *peer)
{
    drop_queue(peer);
    peer->anew = peer->cut = peer->reset_due = true;
}

void link_peer_change(struct link_peer *peer, struct id128 instance)
{
    struct incoming next = {.instance = instance};
    if (id128_equal(instance, peer->former.instance)) next = peer->former;
    if (!id128_is_zero(peer->now.instance)) {
        drop_queue(peer);
        peer->anew = true;
    }
    if (peer->now.heard) peer->former = peer->now;
    peer->now = next;
}

static size_t open_at(const struct link_peer *peer)
{
    return peer->closed ? peer->ends[peer->closed - 1] : 0;
}

/* Ends the open batch; without envelopes in it, it is a heartbeat. */
static void close_batch(struct link *link, struct link_peer *peer)
{
    if (peer->anew) {
        peer->anew = false;
        peer->stream = ++link->last_stream;
        peer->number = 0;
    }
    if (peer->open_count > 0) peer->number++;
    struct batch head = {
        .from = link->self,
        .to = peer->now.instance,
        .from_url = link->url,
        .stream = peer->stream,
        .number = peer->number,
    };
    CHECK(batch_append_head(&head, &peer->queue) == ST_OK);
    CHECK(peer->closed < LINK_TURN_BATCHES_MAX);
    peer->ends[peer->closed++] = peer->queue.len;
    peer->open_count = 0;
}

/* Whom the peer is taken for from now on. The core may be ahead of what was heard, or behind it:
 * then the one who lives there answers, and the core learns of it by a RESET. */
static void address(struct link_peer *peer, struct id128 instance)
{
    if (id128_is_zero(instance) || id128_equal(instance, peer->now.instance)) return;
    if (!id128_is_zero(peer->now.instance)) peer->reset_due = true;
    link_peer_change(peer, instance);
}

enum status link_send(struct link *link, const char *url, struct id128 instance,
                      const struct envelope *envelope, instant_ms now)
{
    struct link_peer *peer = link_peer_get(link, url, now);
    if (peer == NULL) return ST_FULL;
    address(peer, instance);
    if (peer->cut) return ST_UNAVAILABLE;

    enum status status = batch_append_envelope(envelope, &peer->queue);
    if (status != ST_OK) return status;
    link->dirty = true;
    peer->open_count++;
    peer->talked_at = now;
    size_t open_len = peer->queue.len - open_at(peer);
    if (peer->queue.len > link->turn_peak) link->turn_peak = peer->queue.len;
    /* The last closed batch is kept free for what the flush closes. */
    if (peer->queue.len > LINK_TURN_BYTES_MAX || peer->closed == LINK_TURN_BATCHES_MAX - 1) {
        if (MUTANT(full_queue_drops_silently)) {
            drop_queue(peer);
            return ST_OK;
        }
        cut(peer);
        link->turns_cut++;
        return ST_FULL;
    }
    if (open_len >= LINK_BATCH_BYTES || peer->open_count == WIRE_BATCH_ENVELOPES_MAX)
        close_batch(link, peer);
    return ST_OK;
}

/* The next batch of the peer for this flush. */
static bool next_batch(struct link *link, struct link_peer *peer, instant_ms now,
                       struct link_out *out)
{
    out->heartbeat = false;
    if (peer->given == peer->closed) {
        out->heartbeat = peer->open_count == 0;
        if (out->heartbeat && !(peer->heartbeat_due && peer->given == 0)) {
            peer->heartbeat_due = false;
            drop_queue(peer);
            return false;
        }
        peer->heartbeat_due = false;
        close_batch(link, peer);
    }
    size_t start = peer->given ? peer->ends[peer->given - 1] : 0;
    size_t end = peer->ends[peer->given++];
    out->url = peer->url;
    out->bytes = slice_of(peer->queue.at + start, end - start);
    peer->sent_at = now;
    return true;
}

static bool talks(const struct link_peer *peer, instant_ms now)
{
    return now - peer->talked_at < LINK_TALK_MS;
}

bool link_silent(const struct link *link, const char *url, instant_ms now)
{
    const struct link_peer *peer = find_peer(link, url);
    return peer && peer->now.heard && talks(peer, now) && now - peer->heard_at >= LINK_SILENT_MS;
}

static bool forgettable(const struct link_peer *peer, instant_ms now)
{
    return now - peer->talked_at >= LINK_FORGET_MS && now - peer->heard_at >= LINK_FORGET_MS &&
           peer->queue.len == 0 && !peer->reset_due;
}

/* Every LINK_HEARTBEAT_MS: heartbeats to those who got nothing for a while; farewell to the silent.
 * */
static void beat(struct link *link, instant_ms now)
{
    size_t kept = 0;
    for (size_t i = 0; i < link->count; i++) {
        struct link_peer *peer = link->peers[i];
        if (forgettable(peer, now)) {
            free_peer(peer);
            continue;
        }
        if (talks(peer, now) && now - peer->sent_at >= LINK_HEARTBEAT_MS / 2) {
            peer->heartbeat_due = true;
            link->dirty = true;
        }
        link->peers[kept++] = peer;
    }
    link->count = kept;
    link->beat_at = kept ? now + LINK_HEARTBEAT_MS : INSTANT_NEVER;
}

bool link_flush(struct link *link, instant_ms now, struct link_out *out)
{
    if (link->cursor == 0 && now >= link->beat_at) beat(link, now);
    while (link->dirty && link->cursor < link->count) {
        if (next_batch(link, link->peers[link->cursor], now, out)) return true;
        link->cursor++;
    }
    link->cursor = 0;
    link->dirty = false;
    return false;
}

instant_ms link_deadline(const struct link *link)
{
    return link->dirty ? 0 : link->beat_at;
}

void link_lost(struct link *link, const char *url)
{
    struct link_peer *peer = find_peer(link, url);
    if (peer) cut(peer);
}

void link_gone(struct link *link, const char *url)
{
    bool found;
    size_t place = place_of(link, url, &found);
    CHECK(link->cursor == 0);
    if (!found) return;
    free_peer(link->peers[place]);
    link->count--;
    memmove(&link->peers[place], &link->peers[place + 1],
            (link->count - place) * sizeof(struct link_peer *));
}

bool link_reset_due(struct link *link, struct id128 *instance, const char **url)
{
    for (size_t i = 0; i < link->count; i++) {
        struct link_peer *peer = link->peers[i];
        if (!peer->reset_due) continue;
        peer->reset_due = peer->cut = false;
        *instance = peer->now.instance;
        *url = peer->url;
        return true;
    }
    return false;
}
