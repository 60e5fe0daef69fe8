/* SPDX-License-Identifier: Apache-2.0
 *
 * What a link keeps of one peer. Shared by its sending half (link.c) and its receiving half
 * (link_in.c) alone.
 */
#ifndef WIRE_LINK_PEER_H
#define WIRE_LINK_PEER_H

#include "base/mutant.h"
#include "wire/link.h"

/* How far the batches of one instance have come. */
struct incoming {
    struct id128 instance; /* zero: unknown */
    bool heard;            /* else the instance is only what somebody named */
    uint64_t stream, number;
};

struct link_peer {
    char url[WIRE_URL_BYTES_MAX + 1];
    struct incoming now;    /* the instance that is believed to live there */
    struct incoming former; /* the one before, in case that was a late batch of a dead one */

    /* Outgoing. queue holds closed batches, then the pieces of the open one. */
    uint64_t stream, number;
    struct buf queue;
    size_t ends[LINK_TURN_BATCHES_MAX]; /* of closed batches in queue */
    int closed, given;                  /* given: of closed, to the flush under way */
    int open_count;                     /* envelopes in the open batch */
    bool anew;                          /* the next batch starts a stream */
    bool cut;                           /* drop until the core knows of the loss */
    bool reset_due;
    bool heartbeat_due;

    instant_ms talked_at; /* envelopes, either way */
    instant_ms heard_at;
    instant_ms sent_at;
};

/* The peer at url, made when new. NULL: too many, or no URL. */
struct link_peer *link_peer_get(struct link *link, const char *url, instant_ms now);
/* Another instance lives at that URL: what is queued was not for it. */
void link_peer_change(struct link_peer *peer, struct id128 instance);

#endif
