/* SPDX-License-Identifier: Apache-2.0
 *
 * The receiving half of a link: the table in link.h.
 */
#include "wire/link_peer.h"

/* The number a stream has reached when nothing of it is missing before this batch. */
static uint64_t number_before(const struct batch *batch)
{
    return batch->count > 0 ? batch->number - 1 : batch->number;
}

/* Where a batch stands in the streams of its sender. *missing: numbers before it were skipped. */
static enum link_outcome classify(const struct incoming *in, const struct batch *batch,
                                  bool *missing)
{
    uint64_t before = number_before(batch);
    bool older = in->heard && batch->stream < in->stream;
    bool newer = !in->heard || batch->stream > in->stream;
    uint64_t reached = newer ? 0 : in->number;
    *missing = before > reached;
    if (older) return LINK_STALE;
    if (newer) return in->heard ? LINK_NEW_STREAM : LINK_NEW_INSTANCE;
    if (before > reached) return LINK_GAP;
    return before == reached && batch->count > 0 ? LINK_IN_ORDER : LINK_REPEATED;
}

/* A heartbeat that says nothing new; from another instance than the one believed in, it still tells
 * who is alive. */
static bool confirms(const struct incoming *in, const struct batch *batch)
{
    return batch->count == 0 && batch->stream == in->stream && batch->number == in->number;
}

/* What the batch is, and who lives behind the URL: its sender, unless it is late. */
static enum link_outcome place_batch(struct link_peer *peer, const struct batch *batch,
                                     bool *missing)
{
    bool believed = id128_equal(batch->from, peer->now.instance);
    const struct incoming stranger = {.instance = batch->from};
    const struct incoming *in = &stranger;
    if (believed) in = &peer->now;
    if (!believed && id128_equal(batch->from, peer->former.instance)) in = &peer->former;

    enum link_outcome outcome = classify(in, batch, missing);
    if (outcome == LINK_STALE) return outcome;
    if (outcome == LINK_REPEATED && (believed || !confirms(in, batch))) return outcome;
    if (believed) return outcome;
    link_peer_change(peer, batch->from);
    return LINK_NEW_INSTANCE;
}

/* Whose batch it is, and whether it is to be looked at. */
static enum status admit(struct link *link, const struct batch *batch, instant_ms now,
                         struct link_peer **peer)
{
    if (id128_is_zero(batch->from)) return ST_INVALID;
    if (batch->from_url[0] == '\0') return ST_INVALID;
    if (batch->count > 0 && batch->number == 0) return ST_INVALID;
    *peer = link_peer_get(link, batch->from_url, now);
    return *peer ? ST_OK : ST_FULL;
}

/* Meant for somebody who lived here before: neither side may go on believing in a dead one. */
static void return_to_sender(struct link *link, struct link_peer *peer, const struct batch *batch)
{
    bool missing;
    struct id128 before = peer->now.instance;
    place_batch(peer, batch, &missing);
    if (!id128_equal(before, peer->now.instance)) peer->reset_due = true;
    peer->heartbeat_due = true;
    link->dirty = true;
}

static void deliver(struct link *link, struct link_peer *peer, const struct batch *batch,
                    instant_ms now, struct link_in *out)
{
    bool missing;
    out->outcome = place_batch(peer, batch, &missing);
    bool again = out->outcome == LINK_REPEATED && !MUTANT(batch_delivered_twice);
    if (out->outcome == LINK_STALE || again) return;
    peer->now.heard = true;
    peer->now.stream = batch->stream;
    peer->now.number = batch->number;
    if (missing) {
        /* The sender must hear of it too. */
        peer->anew = true;
        peer->heartbeat_due = true;
        link->dirty = true;
    }
    if (batch->count > 0) peer->talked_at = now;
    out->reset = out->outcome != LINK_IN_ORDER || peer->reset_due;
    if (MUTANT(no_resync_after_gap) && out->outcome == LINK_GAP) out->reset = false;
    if (out->reset) peer->reset_due = peer->cut = false;
    out->list = batch->list;
    out->count = batch->count;
}

enum status link_receive(struct link *link, struct slice bytes, instant_ms now, struct arena *arena,
                         struct link_in *out)
{
    struct batch batch;
    struct link_peer *peer;
    *out = (struct link_in){0};
    enum status status = batch_decode(bytes, arena, &batch);
    if (status == ST_OK) status = admit(link, &batch, now, &peer);
    if (status != ST_OK) return status;

    out->peer = batch.from;
    out->url = peer->url;
    peer->heard_at = now;
    if (!id128_is_zero(batch.to) && !id128_equal(batch.to, link->self)) {
        out->outcome = LINK_MISADDRESSED;
        return_to_sender(link, peer, &batch);
    } else {
        deliver(link, peer, &batch, now, out);
    }
    return ST_OK;
}
