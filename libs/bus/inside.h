/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a bus, for its own files alone; README.md says what each file is.
 *
 * Rules of threads: an aio's callback and a pipe's callback run in a thread of nng. They may touch
 * what the comments below call theirs, and post a mail. Everything else is the loop's.
 */
#ifndef BUS_INSIDE_H
#define BUS_INSIDE_H

#include "bus/bus.h"
#include "bus/mailbox.h"
#include "wire/link.h"

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>
#include <stdatomic.h>

enum {
    BUS_TICK_MS = 50,
    BUS_REDIAL_MIN_MS = 50,
    BUS_REDIAL_MAX_MS = 1000,
    BUS_DIAL_ANEW_MS = 1500,  /* a dialer without a pipe for this long is replaced */
    BUS_PROBE_MS = 500,       /* a connect that takes longer is no refusal */
    BUS_FIRST_PROBE_MS = 100, /* a new far that has no pipe by then is probed */
    BUS_DOUBT_MS = 1000,      /* between two knocks at one that is silent and there */
    BUS_CLOSE_MS = 5000,      /* nng_close does not come back after this */
};

/* ---- far ---------------------------------------------------------------------------------- */

struct far;
struct far_calls {
    void (*up)(struct far *far);   /* a pipe is there; may be NULL */
    void (*lost)(struct far *far); /* a pipe closed: what it held is lost; may be NULL */
    void (*gone)(struct far *far); /* nobody listens there; may free the far */
};
struct far {
    struct bus *bus;
    const struct far_calls *calls;
    char url[WIRE_URL_BYTES_MAX + 1];
    nng_socket socket;
    nng_dialer dialer;

    /* Written by pipe callbacks. */
    atomic_int pipes;
    atomic_uint closed;
    struct mail pipe_mail;

    uint64_t dialled_ms;
    bool doubted; /* the pipe, that is there: somebody knocks */
    bool walled;  /* and had no answer: dialled anew when there is one */
    uint64_t doubted_ms;
    unsigned closed_seen;
    int probes_left;
    uint64_t probe_at_ms; /* when probes_left */
    bool probing;
    nng_stream_dialer *probe; /* under way */
    nng_stream *connection;   /* the probe's aio's while it is under way: it got through */
    uint8_t greeting[8];
    int probe_error;
    nng_aio *probe_aio;
    struct mail probe_mail;
};

/* Takes the socket, also on failure. */
int far_open(struct far *far, struct bus *bus, const char *url, nng_socket socket,
             const struct far_calls *calls);
/* Goes on with another socket; takes it. */
void far_renew(struct far *far, nng_socket socket);
/* A pipe has closed, and `lost` has not been called yet. */
bool far_is_broken(struct far *far);
void far_close(struct far *far);
void far_tick(struct far *far);
/* Nothing comes back. Behind a cut the pipe does not close, and what it holds is sent again at ever
 * longer intervals: so somebody knocks until there is a way, and then the pipe is made anew. Where
 * the first knock is answered there is no cut: the process is frozen or behind, and its pipe stays.
 * To be called as long as nothing comes. */
void far_doubt(struct far *far);
void far_trust(struct far *far);

/* Farther ends in order of their URLs. */
struct far_list {
    struct far **list;
    size_t count, room;
};
struct far *far_find(const struct far_list *list, const char *url);
void far_insert(struct far_list *list, struct far *far);
void far_remove(struct far_list *list, const struct far *far);

/* ---- the parts ---------------------------------------------------------------------------- */

struct inbox;
struct inbox *inbox_open(struct bus *bus, const char *url, char *taken_url);
void inbox_close(struct inbox *inbox);
struct fullness inbox_fullness(struct inbox *inbox);

/* Queues a batch for a peer. False: no room; everything queued for it was dropped. */
bool outbox_send(struct bus *bus, const char *url, struct slice bytes, bool heartbeat);
/* Keeps a pipe to that inbox open, also while nothing is sent there; false: no longer. */
void outbox_watch(struct bus *bus, const char *url, bool watch);
void outbox_tick_all(struct bus *bus);
void outbox_close_all(struct bus *bus);
void outbox_fullness(const struct bus *bus, struct bus_queues *out);

bool ask_open(struct bus *bus, const struct bus_config *config);
void ask_send(struct bus *bus, const struct effect *effect);
void ask_watch(struct bus *bus, const char *url, bool watch);
void ask_tick(struct bus *bus);
void ask_close(struct bus *bus);

struct answers;
struct answers *answers_open(struct bus *bus, const char *url, char *taken_url);
void answers_send(struct answers *answers, uint64_t token, const struct reply *reply);
void answers_tick(struct answers *answers);
void answers_close(struct answers *answers);
struct fullness answers_fullness(const struct answers *answers);

/* NULL config is fine for URLs without TLS. False, and *why: a file or a certificate is wrong. */
bool tls_open(struct bus *bus, const struct bus_config *config, const char **why);
void tls_close(struct bus *bus);
/* Makes a dialer, not yet started. */
int tls_dialer(struct bus *bus, nng_socket socket, const char *url, nng_dialer *dialer);
int tls_dial(struct bus *bus, nng_socket socket, const char *url, nng_dialer *dialer);
/* Listens; writes the URL with the port that was taken. */
int tls_listen(struct bus *bus, nng_socket socket, const char *url, char *taken_url);

/* Puts this machine's own address into a URL that listens on all addresses, so that others can dial
 * it: the one from which a matchmaker is reached. Other URLs stay as they are. False: no matchmaker
 * can be found. */
bool address_fill_in(const struct bus_config *config, char url[WIRE_URL_BYTES_MAX + 1]);

/* Does this in another thread and waits for it. False: it does not come back; what it was given is
 * its own for good. */
bool close_in_time(void (*close)(void *what), void *what);
/* Closes a socket while the bus goes on. A process whose nng is stuck could not reach or hear
 * anybody new: it ends here, so that another takes its place. */
void close_socket(const struct bus *bus, nng_socket socket);

/* ---- the bus ------------------------------------------------------------------------------ */

struct call;
/* One matchmaker that the socket `any` dials. */
struct lane {
    char url[WIRE_URL_BYTES_MAX + 1];
    nng_dialer dialer;
    atomic_int dialer_id; /* for pipe callbacks */
    atomic_int pipes;     /* theirs */
    uint64_t up_at_ms;    /* when it last had one, or was dialled */
};
struct bus {
    uv_loop_t *loop;
    uv_async_t wake;
    uv_prepare_t prepare;
    uv_timer_t tick;
    int handles; /* not yet closed */
    bool closing;
    uint64_t ticked_ms, awake_ms; /* awake_ms: since when the loop ran without a gap */
    struct mailbox mail;
    bus_on_event on_event;
    void *context;
    struct link link;
    struct arena arena; /* what the event under way points to */
    struct bus_counters counters;
    char inbox_url[WIRE_URL_BYTES_MAX + 1];
    char control_url[WIRE_URL_BYTES_MAX + 1];

    struct inbox *inbox;
    struct answers *answers;
    struct far_list outboxes; /* struct outbox */
    size_t outbox_bytes;      /* in all of them */
    uint64_t refused_outbox, refused_outboxes, refused_peers, refused_remotes, refused_requests;
    struct far_list remotes; /* struct remote */
    nng_socket any;          /* REQ that dials all matchmakers */
    bool any_open;
    struct lane lanes[BUS_MATCHMAKERS_MAX];
    int lane_count;
    struct call *calls; /* in flight */
    int call_count;
    nng_tls_config *tls_server, *tls_client;
};

static inline uint64_t bus_now(const struct bus *bus)
{
    return uv_now(bus->loop);
}
void bus_deliver(struct bus *bus, struct event *event);

#endif
