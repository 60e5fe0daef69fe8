/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape that all four cores share: one event in, a bounded list of effects out, the next
 * deadline. The shell of a service and the simulator walk the same lists, so what a core does is
 * the same in both.
 *
 *     enum status worker_core_step(struct worker_core *core, const struct event *event,
 *                                  instant_ms now, struct effects *out);
 *     instant_ms worker_core_deadline(const struct worker_core *core);
 *
 * `now` is the process' own CLOCK_BOOTTIME in ms and never runs backwards. Everything an event
 * points to is borrowed for the step; everything an effect points to is lent until the next step of
 * that core (it lies in effects->arena, which the core resets at the start of a step). A core never
 * calls back, logs, sleeps or asks the time.
 */
#ifndef WIRE_STEP_H
#define WIRE_STEP_H

#include "base/arena.h"
#include "wire/cluster.h"
#include "wire/storage.h"

enum event_kind {
    EVENT_TICK = 1,   /* the deadline the core named has come, or nothing else has for a while */
    EVENT_ENVELOPES,  /* a batch from a peer, in order, without a gap before it */
    EVENT_PEER_RESET, /* a gap, a new pipe or a new instance behind a URL: what was in flight may be
                         lost */
    EVENT_PEER_GONE,  /* its pipe has closed and a redial was refused: that process is dead */
    EVENT_REQUEST,    /* from the control plane: to be answered by an EFFECT_REPLY with its token */
    EVENT_REPLY,      /* to an EFFECT_REQUEST, or its failure (reply.status ST_UNAVAILABLE) */
    EVENT_STORE,      /* to an EFFECT_STORE */
    EVENT_STORE_RESET, /* the connection to a shard was lost, or is back (store_up) */
    EVENT_DRAIN,       /* SIGTERM or the operator: hand over and leave */
    /* gateway alone */
    EVENT_SOCKET_OPEN,
    EVENT_SOCKET_FRAME,    /* one whole binary message */
    EVENT_SOCKET_WRITABLE, /* these have taken what they were given: more may be written */
    EVENT_SOCKET_CLOSED,
};

struct event {
    enum event_kind kind;
    uint8_t entropy[32];  /* fresh from the operating system for every event; secret */
    struct id128 peer;    /* ENVELOPES, PEER_*: the instance */
    const char *peer_url; /* its inbox (ENVELOPES, PEER_*), or control URL (PEER_GONE of one that is
                             watched there) */
    const struct envelope *list; /* ENVELOPES */
    int count;                   /* ENVELOPES: of list; SOCKET_WRITABLE: of sockets */
    uint64_t token;              /* REQUEST: names it in the reply; REPLY: as given in the effect */
    const struct request *request;
    const struct reply *reply;
    const struct store_reply *store;
    int shard; /* STORE_RESET */
    bool store_up;
    uint64_t wall_s; /* SOCKET_FRAME: the calendar, in seconds since 1970: how old tokens are */
    uint64_t socket; /* SOCKET_OPEN, FRAME, CLOSED: a number never used again in this process */
    const uint64_t *sockets; /* SOCKET_WRITABLE: count of them, each once */
    const char *address;     /* SOCKET_OPEN: the client's, for limits */
    struct slice frame;      /* SOCKET_FRAME */
};

enum effect_kind {
    EFFECT_SEND = 1, /* an envelope to a peer's inbox; all of one loop turn become one batch */
    EFFECT_REQUEST,  /* to a control URL; url NULL: to any matchmaker */
    EFFECT_REPLY,
    EFFECT_STORE,
    /* Keep a pipe to this URL and tell, once, when its process dies: whoever is heard there again
     * has to be watched again. peer: whose inbox it is; zero: a control URL. */
    EFFECT_WATCH,
    EFFECT_UNWATCH,
    EFFECT_EXIT, /* drained: the process may end */
    /* gateway alone */
    EFFECT_SOCKET_SEND,  /* one binary message */
    EFFECT_SOCKET_CLOSE, /* with a WebSocket close code and reason text */
    /* something worth a log line or a counter; the shell decides where it goes */
    EFFECT_NOTE,
};

struct effect {
    enum effect_kind kind;
    struct id128 peer;   /* SEND: zero: whoever listens at url; WATCH, UNWATCH */
    const char *url;     /* SEND: inbox; REQUEST: control; WATCH: either */
    uint64_t token;      /* REQUEST: the core's own; REPLY: the event's */
    uint32_t timeout_ms; /* REQUEST: total limit */
    uint64_t socket;
    struct slice frame;
    uint16_t close_code;
    const char *text;  /* SOCKET_CLOSE: reason; NOTE: stable event id such as "room.adopted" */
    uint64_t value[3]; /* NOTE: numbers that go with it; never anything secret */
    union {            /* one of the four kinds each; there for no other */
        struct envelope envelope; /* SEND */
        struct request request;
        struct reply reply;
        struct store_op op; /* STORE */
    };
};

struct effects {
    struct effect *list;
    size_t count, room;
    struct arena arena;
};

/* A zeroed struct is empty. */
void effects_fini(struct effects *effects);
/* Empties list and arena: the first thing a step does. */
void effects_reset(struct effects *effects);
/* A zeroed effect at the end of the list, with what its kind has of the union, to be filled in.
 * Pointers to earlier ones become invalid. */
struct effect *effects_add(struct effects *effects, enum effect_kind kind);

#endif
