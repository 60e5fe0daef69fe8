/* SPDX-License-Identifier: Apache-2.0
 *
 * A service's connections to the others: nng on a libuv loop. It carries out what a core asked for
 * (SEND, REQUEST, REPLY, WATCH, UNWATCH) and turns what the others do into events (ENVELOPES,
 * PEER_RESET, PEER_GONE, REQUEST, REPLY). Order, loss and heartbeats of the data plane are
 * wire/link.h's; this is what has threads, queues and sockets.
 *
 * data plane     one PULL inbox; one PUSH outbox per peer, made on demand and closed when idle.
 * Everything for a
 *                  peer leaves once per loop turn, just before the loop sleeps.
 * control plane  REQ with a context per request: one socket that dials every matchmaker, so that
 * nng fails over, and
 *                  one per named URL; REP with BUS_ANSWERS_MAX contexts.
 * watch          the socket to a named URL, or the outbox to a peer, is kept open. A pipe that
 *                  closes and a connect that is refused then mean
 *                  that the process is dead; anything else is silence, which is not the bus' to
 *                  judge.
 *
 * nng's own threads never touch a core: what they bring waits in a queue and is delivered by the
 * loop's thread. All functions are for that thread. on_event is never called from inside one of
 * them, only by the loop.
 *
 * URLs: tcp://, ipc:// and, with certificates, tls+tcp://.
 */
#ifndef BUS_BUS_H
#define BUS_BUS_H

#include "base/fullness.h"
#include "base/histogram.h"
#include "wire/step.h"

#include <uv.h>

enum {
    BUS_OUTBOX_BYTES_MAX = 16 << 20, /* per peer; beyond it the stream is cut and the core told */
    BUS_OUTBOXES_BYTES_MAX = 128 << 20, /* of all peers; beyond it the one that is sent to is cut */
    BUS_OUTBOX_IDLE_MS = 60 * 1000,
    BUS_INBOX_BYTES_MAX = 64 << 20, /* waiting for the loop; beyond it the inbox stops reading */
    BUS_PEERS_MAX = 1024,           /* outboxes; named control URLs as many again */
    BUS_REQUESTS_MAX = 4096,        /* in flight; beyond: no reply, in the next turn */
    BUS_QUEUE_MESSAGES_MAX = 4096,  /* in the inbox, or an outbox */
    BUS_ANSWERS_MAX = 256,          /* requests of others being answered at a time; of these, */
    BUS_ANSWERS_SPARE = 64,         /* so many for heartbeats alone: the others hear "busy" */
    BUS_ANSWER_MS = 10 * 1000,      /* then a request that was not answered is forgotten */
    BUS_RESEND_MS = 500, /* then nng sends a request again, perhaps to another matchmaker */
    BUS_MATCHMAKERS_MAX = 16,
};

struct bus_config {
    struct id128 instance;
    /* Where to listen; NULL: not at all. Port 0 takes a free one. */
    const char *inbox_url, *control_url;
    /* What others are told to dial; NULL: what was listened on, with the port that was taken and,
     * instead of all addresses, the one of this machine from which a matchmaker is reached. */
    const char *inbox_public_url, *control_public_url;
    const char *const *matchmakers; /* their control URLs */
    int matchmaker_count;
    /* For tls+tcp://: PEM files, NULL for none. tls_ca: the authority that both sides must be
     * certified by; tls_identity: this service's certificate, for tls_name, and its key. */
    const char *tls_ca, *tls_identity;
    const char *tls_name; /* NULL: "madang" */
};

/* Borrows the event and what it points to until it returns. `entropy` is left zero: the shell fills
 * it in. */
typedef void (*bus_on_event)(void *context, struct event *event);

struct bus;

/* Opens everything or nothing. On failure *why is a sentence (static memory) and the result NULL.
 * The instance must not be zero. The loop outlives the bus. */
struct bus *bus_open(uv_loop_t *loop, const struct bus_config *config, bus_on_event on_event,
                     void *context, const char **why);
/* Stops at once; requests in flight get no reply. The memory is freed when the loop has run its
 * close callbacks, so run the loop once more; that may take BUS_CLOSE_MS. NULL is allowed. */
void bus_close(struct bus *bus);

/* What others may dial; "" when there is no such listener. */
const char *bus_inbox_url(const struct bus *bus);
const char *bus_control_url(const struct bus *bus);

/* Carries out the effects that are the bus' in their order and skips the others. Nothing is kept of
 * what they point to. */
void bus_carry(struct bus *bus, const struct effects *effects);
/* Requests of this bus that have not been replied to yet. */
int bus_requests_open(const struct bus *bus);

/* For metrics; they only rise. */
#define BUS_COUNTERS(X)                                                 \
    X(messages_out)                                                     \
    X(messages_in)                                                      \
    X(out_bytes)                                                        \
    X(in_bytes)                                                         \
    X(envelopes_out)                                                    \
    X(envelopes_in)                                                     \
    X(resets)     /* EVENT_PEER_RESETs given to the core */             \
    X(overflows)  /* streams cut because a queue was full */            \
    X(unreadable) /* messages that were none of ours */                 \
    X(unsendable) /* effects of our own core beyond a bound: a fault */ \
    X(peers_gone)                                                       \
    X(requests_out)                                                     \
    X(requests_failed)                                                  \
    X(requests_in)                                                      \
    X(requests_dropped) /* of others: never answered */
struct bus_counters {
#define X(name) uint64_t name;
    BUS_COUNTERS(X)
#undef X
    struct histogram batches; /* received, without heartbeats, by the envelopes in them
                                 (histogram_batch) */
};
const struct bus_counters *bus_counters(const struct bus *bus);

/* How full its queues are. turn: the most that gathered for a peer within one turn of the loop,
 * since it was last asked for. */
#define BUS_QUEUES(X) \
    X(inbox)          \
    X(turn)           \
    X(outbox)         \
    X(outboxes)       \
    X(peers)          \
    X(remotes)        \
    X(requests)       \
    X(answers)
struct bus_queues {
#define X(name) struct fullness name;
    BUS_QUEUES(X)
#undef X
};
void bus_queues(struct bus *bus, struct bus_queues *out);

#endif
