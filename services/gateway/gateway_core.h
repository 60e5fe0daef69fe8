/* SPDX-License-Identifier: Apache-2.0
 *
 * The gateway knows sockets and versions and nothing of the rules. It greets browsers, brings them
 * into rooms, forwards what they do, and writes to each socket what that viewer has not seen yet.
 *
 *   socket ──ClientFrame──▶ client ──envelopes──▶ worker of the room
 *   socket ◀─ServerFrame─── client ◀──mirror of the room◀──updates──┘
 *
 * A `client` is one connection, in at most one room. A `mirror` is what this gateway knows of one
 * room with clients here: who owns it, its newest views, its last events. A frame is composed from
 * the mirror when the socket can take it, so a slow socket misses steps and is never queued for.
 *
 * It does not own: seats, generations and acknowledgements (worker), where rooms are and who waits
 * for a quick match (matchmaker), sockets, HTTP and files (the shell). All of its state is soft: a
 * browser goes on at any other gateway.
 *
 * Decisions that others rely on:
 *   - A frame is a delta while the client's version is of the room's present epoch; after a new
 *     epoch the first one is whole.
 *   - The worker's ATTACHED comes before the update that answers it. A private part is kept only
 *     while the holder of that seat's newest generation is connected here, and is written only to
 *     that connection.
 *   - An act is kept until it is answered, at most eight a client, and sent again under its id
 *     whenever it may have been lost.
 *
 * The shape of wire/step.h. Pure.
 */
#ifndef GATEWAY_GATEWAY_CORE_H
#define GATEWAY_GATEWAY_CORE_H

#include "base/fullness.h"
#include "base/histogram.h"
#include "wire/reason.h"
#include "wire/step.h"

enum {
    GATEWAY_KEY_BYTES = 32,
    GATEWAY_MATCHMAKERS_MAX = 8,
    GATEWAY_ACTS_MAX = 8,       /* unanswered, a client */
    GATEWAY_GHOSTS_MAX = 16,    /* refused, while another copy may be accepted, a client */
    GATEWAY_TRIES_MAX = 65536,  /* sessions and addresses that tried codes or rooms lately */
    GATEWAY_DETACHED_MAX = 256, /* who went lately, to be told again */

    GATEWAY_MESSAGE_BYTES = 64,  /* what a message given to a socket counts beside its own bytes */
    GATEWAY_MESSAGES_MAX = 1024, /* and so never more than these wait for one socket */
    GATEWAY_SOCKET_BYTES_MAX = 64 << 10,  /* that one socket has been given and has not taken */
    GATEWAY_SOCKETS_BYTES_MAX = 64 << 20, /* that all have: beyond, those with more than */
    GATEWAY_SOCKET_SHARE_BYTES = 8 << 10, /* this are closed */
    GATEWAY_SLOW_MS = 30 * 1000,          /* a socket that takes nothing for so long is closed */

    GATEWAY_HELLO_MS = 10 * 1000,
    GATEWAY_PING_MS = 2000,           /* between two pings while a room plays; */
    GATEWAY_REST_PING_MS = 45 * 1000, /* else, or up to a quarter sooner */
    GATEWAY_PLAYS_MS = 60 * 1000,     /* a room plays so long after its game has changed */
    GATEWAY_SILENCE_MS = 13 * 1000,   /* nothing is heard beyond the time to the next ping */
    GATEWAY_RTT_MS = 2000,            /* between two RTT reports of a client */
    GATEWAY_HEARTBEAT_MS = 250,
    GATEWAY_REQUEST_MS = 2000,    /* total limit of a control request */
    GATEWAY_ENTER_MS = 10 * 1000, /* create, join, attach: then "busy" */
    GATEWAY_RETRY_MIN_MS = 50,
    GATEWAY_RETRY_MAX_MS = 1000,
    GATEWAY_RESEND_MS = 1000,     /* an attach, an act, a leave without an answer */
    GATEWAY_RESENDS_MAX = 2,      /* then the room is asked for again; */
    GATEWAY_SPEAKS_MS = 1500,     /* an owner that was heard within this is behind, not away: */
    GATEWAY_BEHIND_MAX = 8,       /* so often, ever more slowly, before that */
    GATEWAY_LEAVE_MS = 3000,      /* a leave that nobody confirms ends here */
    GATEWAY_UNREACHABLE_MS = 300, /* then the players are told */
    GATEWAY_TALLY_MS = 1000,      /* between two lines about rooms lost and found */
    GATEWAY_TICKET_MS = 500,      /* between two questions for a ticket */
    GATEWAY_TURNED_AWAY_MAX = 3,  /* by rooms of quick match: then the reason is told */
    GATEWAY_PUBLIC_MS = 1000,
    GATEWAY_DRAIN_FIRST_MS = 3000, /* who was told and has not moved by now is closed, */
    GATEWAY_DRAIN_LAST_MS = 4000,  /* by now everybody */

    /* Tokens of a frame: version, player, when it was made (seconds since 1970), MAC over these. */
    GATEWAY_TOKEN_VERSION = 2,
    GATEWAY_TOKEN_BYTES = 1 + 16 + 8 + 32,
    GATEWAY_KEYS_MAX = 2,
};

/* Why a connection ends. 4000 and above are ours. */
enum gateway_close {
    GATEWAY_CLOSE_LEAVING = 1001,   /* this gateway goes; connect again */
    GATEWAY_CLOSE_TEXT = 1003,      /* a text message */
    GATEWAY_CLOSE_MALFORMED = 1007, /* not a ClientFrame */
    GATEWAY_CLOSE_FLOOD = 1008,     /* far above the rate limits */
    GATEWAY_CLOSE_TOO_LARGE = 1009, /* a message above CLIENT_FRAME_BYTES_MAX */
    GATEWAY_CLOSE_FULL = 1013,      /* no more connections here; try again later */
    GATEWAY_CLOSE_PROTOCOL = 4001,  /* built for another protocol: reload */
    GATEWAY_CLOSE_NO_HELLO = 4002,  /* no Hello within 10 s */
    GATEWAY_CLOSE_SILENT = 4003,    /* nothing heard for longer than that */
    GATEWAY_CLOSE_ADDRESS = 4004,   /* too many connections from this address */
    GATEWAY_CLOSE_SLOW = 4005,      /* does not read what it is sent */
};

/* As many at once; then one more each so many ms. */
struct gateway_rate {
    uint32_t burst, each_ms;
};

struct gateway_limits {
    uint32_t connections_max;
    uint32_t connections_per_address;
    uint32_t frames_per_s, frames_burst;
    uint32_t bytes_per_s, bytes_burst;
    struct gateway_rate codes, address_codes; /* wrong codes, a session and an address */
    struct gateway_rate rooms, address_rooms; /* made, or asked for by quick match */
    /* Given to a socket, or to all of them, and not yet taken. The one is at most
     * GATEWAY_MESSAGES_MAX * GATEWAY_MESSAGE_BYTES. */
    uint32_t outstanding_bytes_max;
    uint64_t all_outstanding_bytes_max;
};
void gateway_limits_default(struct gateway_limits *limits);

struct gateway_config {
    struct id128 instance;
    const char *inbox_url, *build;
    uint32_t ops_port;                                /* 0: none */
    const char *matchmakers[GATEWAY_MATCHMAKERS_MAX]; /* control URLs */
    int matchmaker_count;
    /* The same on all gateways: the first one signs, tokens of the other one are taken as well. */
    uint8_t keys[GATEWAY_KEYS_MAX][GATEWAY_KEY_BYTES];
    int key_count;
    uint64_t token_lifetime_s;
    struct gateway_limits limits;
    bool traces; /* notes of every action, for logs of level debug */
};

struct gateway_core;

/* Copies the config. */
struct gateway_core *gateway_core_open(const struct gateway_config *config, instant_ms now);
void gateway_core_close(struct gateway_core *core);

/* Handles one event and whatever was due before it; out is overwritten. Bad input is refused
 * towards the peer and changes nothing else: ST_OK is the only result. */
enum status gateway_core_step(struct gateway_core *core, const struct event *event, instant_ms now,
                              struct effects *out);
instant_ms gateway_core_deadline(const struct gateway_core *core);

/* NULL, or why it can do nothing for a newcomer: no matchmaker answers, or it is leaving. */
const char *gateway_core_unready(const struct gateway_core *core);

struct gateway_stats {
    uint32_t clients, seated, rooms, lost_rooms;
    size_t client_bytes, mirror_bytes; /* of the structs themselves */
};
void gateway_core_stats(const struct gateway_core *core, struct gateway_stats *out);

/* What it has counted so far, for metrics. */
struct gateway_counts {
    uint64_t refusals[REASON_COUNT]; /* told to players; NONE: by the rules of a game */
    uint64_t resent;                 /* actions, to a worker */
    struct histogram written_ms; /* histogram_action_ms: from an action to its outcome, both as the
                                    socket has them */
    struct histogram away_ms;    /* histogram_outage_ms: rooms here that had no worker */
    struct histogram match_ms;   /* histogram_match_ms: quick matches that were found */
};
const struct gateway_counts *gateway_core_counts(const struct gateway_core *core);

/* How full its queues are; of those that each socket or address has, the fullest. */
#define GATEWAY_QUEUES(X) \
    X(clients)            \
    X(address)            \
    X(socket)             \
    X(sockets)            \
    X(acts)               \
    X(ghosts)             \
    X(rooms)              \
    X(tries)              \
    X(detached)           \
    X(members)
struct gateway_queues {
#define X(name) struct fullness name;
    GATEWAY_QUEUES(X)
#undef X
};
void gateway_core_queues(const struct gateway_core *core, struct gateway_queues *out);

#endif
