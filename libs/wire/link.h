/* SPDX-License-Identifier: Apache-2.0
 *
 * The streams between this process and its peers, without any I/O: what a loop turn sends to a peer
 * becomes a batch; what arrives is delivered in order or the receiver is told that something is
 * missing. Service shells run it over nng (libs/bus), the simulator over its network. It does not
 * own pipes, queues of bytes on their way, or the question who is dead.
 *
 * PUSH/PULL loses what a broken pipe held, so every (sender, receiver) pair counts. A peer is
 * reached by the URL of its inbox; behind a URL there is one instance at a time. What a sender
 * writes into each batch:
 *
 *     from, from_url    who it is
 *     to                the instance it believes it talks to; none until it has heard from it
 *     stream            rises whenever the sender starts to count anew for that peer; never reused
 *     number            1, 2, 3, ... in the stream; a heartbeat, which has no envelopes, repeats
 *                       the last one
 *
 * and what the receiver makes of it, in this order:
 *
 *     to is somebody else               dropped; a heartbeat tells the sender
 *                                       who lives here, and RESET if it is new    LINK_MISADDRESSED
 *     of an older stream                dropped: it is late                       LINK_STALE
 *     number not above the last         dropped (heartbeat with the last: alive)  LINK_REPEATED
 *     from another instance than before RESET, then delivered                     LINK_NEW_INSTANCE
 *     of a newer stream                 RESET, then delivered                     LINK_NEW_STREAM
 *     the next number                   delivered                                 LINK_IN_ORDER
 *     a higher one                      RESET, then delivered                     LINK_GAP
 *
 * Which of two instances behind a URL is the younger cannot be seen. So whoever was heard last is
 * believed in, and the streams of the one before are remembered: a late batch of a dead process
 * costs two RESETs and nothing else.
 *
 * RESET is EVENT_PEER_RESET: the core asks for what it may have missed and sends again what may not
 * have arrived. Both sides must hear of a loss, since either may have to repeat something:
 *
 *   - A receiver that finds numbers missing starts its own stream towards the sender anew (nothing
 *     it sends is lost), which the sender sees as a newer stream, hence RESET.
 *   - A sender that loses something itself (a closed pipe, an overflow, a new instance) starts
 *     anew, which the receiver sees, and is told by link_reset_due. From the loss until then it
 *     drops what is sent to that peer: a later envelope must not arrive as if the lost one had.
 *
 * A newer stream alone never makes the other side start anew, so this ends. Heartbeats go to every
 * peer with which envelopes were exchanged during the last LINK_TALK_MS, so the loss of the last
 * batch is noticed too.
 *
 * After faults stop, each receiver has been given every envelope in order, or a RESET after the
 * last one it lacks; and each sender a RESET after the last one that was not delivered
 * (tests/unit/wire/link_test.c).
 */
#ifndef WIRE_LINK_H
#define WIRE_LINK_H

#include "wire/cluster.h"

enum {
    LINK_HEARTBEAT_MS = 250,
    LINK_TALK_MS = 30 * 1000,
    LINK_SILENT_MS = 1000, /* without a word from a peer that is talked with: four heartbeats */
    LINK_FORGET_MS = 120 * 1000, /* without a word either way: then a peer is forgotten */
    LINK_PEERS_MAX = 1024,
    LINK_BATCH_BYTES = 512 << 10,   /* a batch that has reached this is closed */
    LINK_TURN_BYTES_MAX = 16 << 20, /* per peer between two flushes; beyond it the stream is cut */
    LINK_TURN_BATCHES_MAX = 64,
};

struct link_peer;
struct link {
    struct id128 self;
    char url[WIRE_URL_BYTES_MAX + 1];
    struct link_peer **peers; /* by URL, so that nothing depends on the order of contact */
    size_t count, room;
    uint64_t last_stream;
    instant_ms beat_at;
    size_t cursor; /* of the flush under way */
    bool dirty;
    size_t turn_peak; /* the most that gathered for a peer; whoever looks may set it back */
    uint64_t turns_cut, peers_refused; /* bounds met */
};

/* self must not be zero. The URL is copied. */
void link_init(struct link *link, struct id128 self, const char *url);
void link_fini(struct link *link);

/* Queues an envelope for the peer at url; it is encoded before the return. instance: whom it is
 * meant for, zero: whoever listens there. Anything but ST_OK means that it was dropped:
 *
 *     ST_INVALID, ST_TOO_LARGE  as batch_encode: a fault of the caller
 *     ST_UNAVAILABLE            the stream was cut and a RESET is due
 *     ST_FULL                   it just was, because a bound was passed; or too many peers
 */
enum status link_send(struct link *link, const char *url, struct id128 instance,
                      const struct envelope *envelope, instant_ms now);

/* What goes out now. Call until false, with nothing but link_lost in between; url and bytes are
 * lent until the next call. A caller that has no room for a batch drops all that it still holds for
 * that URL and calls link_lost; a heartbeat it may drop freely. */
struct link_out {
    const char *url;
    struct slice bytes;
    bool heartbeat;
};
bool link_flush(struct link *link, instant_ms now, struct link_out *out);

/* When link_flush must next be called though nothing was sent, or INSTANT_NEVER. */
instant_ms link_deadline(const struct link *link);

enum link_outcome {
    LINK_IN_ORDER = 1,
    LINK_REPEATED,
    LINK_GAP,
    LINK_NEW_STREAM,
    LINK_NEW_INSTANCE,
    LINK_STALE,
    LINK_MISADDRESSED,
};
struct link_in {
    enum link_outcome outcome;
    bool reset; /* EVENT_PEER_RESET comes first */
    struct id128 peer;
    const char *url;             /* lent until the next flush */
    const struct envelope *list; /* to be delivered then; in the arena */
    int count;
};

/* Reads one batch. Anything but ST_OK is a message that is no batch (ST_INVALID, ST_TOO_LARGE) or
 * one peer too many (ST_FULL); nothing changes then. */
enum status link_receive(struct link *link, struct slice bytes, instant_ms now, struct arena *arena,
                         struct link_in *out);

/* What was sent to url may be lost: its pipe has closed, or a batch had no room in a queue. Drops
 * what is queued, and a RESET is due for the core. No effect for an unknown URL. */
void link_lost(struct link *link, const char *url);

/* The next peer whose stream was cut here: deliver EVENT_PEER_RESET. Call until false after each
 * step. instance is zero when it was never heard from. */
bool link_reset_due(struct link *link, struct id128 *instance, const char **url);

/* The process behind url is dead: it is forgotten at once, with everything queued and without a
 * RESET (EVENT_PEER_GONE says more). Not while a flush is under way. */
void link_gone(struct link *link, const char *url);

/* Whether a peer that should be heard has not been for LINK_SILENT_MS: it is frozen, or what it
 * says does not come through. Counts time in which we did not run ourselves, too. */
bool link_silent(const struct link *link, const char *url, instant_ms now);

/* The instance behind a URL; zero when unknown. */
struct id128 link_instance(const struct link *link, const char *url);

#endif
