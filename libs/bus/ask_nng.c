/* SPDX-License-Identifier: Apache-2.0
 *
 * REQ: one context per request, so that many are under way and each has its own time. nng sends a
 * request again when its pipe breaks and every BUS_RESEND_MS, which requests allow: they are
 * idempotent by their id. What comes after the time is over finds no context any more.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <nng/protocol/reqrep0/req.h>
#include <nng/supplemental/util/platform.h>
#include <stdlib.h>

/* The process behind a named control URL. */
struct remote {
    struct far far; /* first: a far of bus->remotes is one of these */
    bool watched;
    int calls; /* under way */
    uint64_t used_at_ms;
};

struct call {
    struct call *next, **back; /* what points here */
    struct bus *bus;
    struct remote *remote; /* NULL: any matchmaker, or its remote is closed */
    uint64_t token;
    enum request_kind kind;
    struct id128 id;
    bool open; /* ctx and aio exist */
    nng_ctx ctx;
    nng_aio *aio;
    struct mail done;
    /* The callback's until done is posted. */
    nng_time ends_at;
    bool receiving;
};

/* ---- one request --------------------------------------------------------------------------- */

static void on_aio(void *context)
{
    struct call *call = context;
    if (nng_aio_result(call->aio) != 0 || call->receiving) {
        mailbox_post(&call->bus->mail, &call->done);
        return;
    }
    nng_time now = nng_clock();
    nng_aio_set_timeout(call->aio, now < call->ends_at ? (nng_duration)(call->ends_at - now) : 1);
    call->receiving = true;
    nng_aio_set_msg(call->aio, NULL);
    nng_ctx_recv(call->ctx, call->aio);
}

/* The context goes last. nng's clock first takes up an operation whose time is over and then stops
 * it through its context. When a reply comes between the two, the context is still needed, and
 * freeing the operation alone waits for the clock (nng 1.5; nng_aio_stop does not). */
static void free_call(struct call *call)
{
    if (call->open) {
        nng_aio_stop(call->aio);
        nng_msg *message = nng_aio_get_msg(call->aio);
        if (message) nng_msg_free(message);
        nng_aio_free(call->aio);
        nng_ctx_close(call->ctx);
    }
    mailbox_cancel(&call->bus->mail, &call->done);
    if (call->remote) call->remote->calls--;
    if (call->next) call->next->back = call->back;
    *call->back = call->next;
    call->bus->call_count--;
    free(call);
}

/* What a core gets instead of a reply. */
static struct reply failure(const struct call *call)
{
    struct reply reply = {.kind = call->kind, .id = call->id, .status = ST_UNAVAILABLE};
    reply.placed.code = reply.placed.owner_url = reply.found.game = "";
    return reply;
}

static bool read_reply(struct call *call, struct reply *reply)
{
    if (!call->open || !call->receiving || nng_aio_result(call->aio) != 0) return false;
    nng_msg *message = nng_aio_get_msg(call->aio);
    struct slice bytes = slice_of(nng_msg_body(message), nng_msg_len(message));
    bool good = reply_decode(bytes, &call->bus->arena, reply) == ST_OK &&
                id128_equal(reply->id, call->id) && reply->kind == call->kind;
    if (!good) call->bus->counters.unreadable++;
    return good;
}

static void on_done(struct mail *mail)
{
    struct call *call = (struct call *)((char *)mail - offsetof(struct call, done));
    struct bus *bus = call->bus;
    struct reply reply;
    arena_reset(&bus->arena);
    if (read_reply(call, &reply)) {
        if (call->remote) far_trust(&call->remote->far);
    } else {
        bool late = call->open && nng_aio_result(call->aio) == NNG_ETIMEDOUT;
        if (late && call->remote) far_doubt(&call->remote->far);
        reply = failure(call);
        bus->counters.requests_failed++;
    }
    struct event event = {.kind = EVENT_REPLY, .token = call->token, .reply = &reply};
    free_call(call);
    bus_deliver(bus, &event);
}

static struct call *add_call(struct bus *bus, const struct effect *effect)
{
    struct call *call = calloc(1, sizeof *call);
    CHECK(call != NULL);
    call->bus = bus;
    call->token = effect->token;
    call->kind = effect->request.kind;
    call->id = effect->request.id;
    call->done.arrive = on_done;
    call->next = bus->calls;
    call->back = &bus->calls;
    if (call->next) call->next->back = &call->next;
    bus->calls = call;
    bus->call_count++;
    bus->counters.requests_out++;
    return call;
}

static bool open_call(struct call *call, nng_socket socket)
{
    if (nng_ctx_open(&call->ctx, socket) != 0) return false;
    nng_ctx_set_ms(call->ctx, NNG_OPT_REQ_RESENDTIME, BUS_RESEND_MS);
    CHECK(nng_aio_alloc(&call->aio, on_aio, call) == 0);
    call->open = true;
    return true;
}

static nng_msg *message_of(struct bus *bus, const struct request *request)
{
    struct buf bytes = {0};
    nng_msg *message = NULL;
    if (request_encode(request, &bytes) == ST_OK) {
        CHECK(nng_msg_alloc(&message, bytes.len) == 0);
        memcpy(nng_msg_body(message), bytes.at, bytes.len);
    } else {
        bus->counters.unsendable++;
    }
    buf_fini(&bytes);
    return message;
}

/* ---- remotes ------------------------------------------------------------------------------- */

static struct remote *of_far(struct far *far)
{
    return (struct remote *)far;
}

/* Requests that are under way fail: their contexts close with the socket. */
static void close_remote(struct remote *remote)
{
    struct bus *bus = remote->far.bus;
    for (struct call *call = bus->calls; call; call = call->next)
        if (call->remote == remote) call->remote = NULL;
    far_remove(&bus->remotes, &remote->far);
    far_close(&remote->far);
    free(remote);
}

static void on_gone(struct far *far)
{
    struct bus *bus = far->bus;
    bool watched = of_far(far)->watched;
    char url[sizeof far->url];
    memcpy(url, far->url, sizeof url);
    close_remote(of_far(far));
    if (!watched) return;
    struct event event = {.kind = EVENT_PEER_GONE, .peer_url = url};
    bus->counters.peers_gone++;
    bus_deliver(bus, &event);
}

static const struct far_calls calls = {.gone = on_gone};

static struct remote *get_remote(struct bus *bus, const char *url)
{
    struct far *far = far_find(&bus->remotes, url);
    struct remote *remote = far ? of_far(far) : NULL;
    nng_socket socket;
    bool room = bus->remotes.count < BUS_PEERS_MAX;
    bus->refused_remotes += remote == NULL && !room;
    if (remote == NULL && room && nng_req0_open(&socket) == 0) {
        remote = calloc(1, sizeof *remote);
        CHECK(remote != NULL);
        nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, WIRE_CONTROL_BYTES_MAX);
        if (far_open(&remote->far, bus, url, socket, &calls) == 0) {
            far_insert(&bus->remotes, &remote->far);
        } else {
            free(remote);
            remote = NULL;
        }
    }
    if (remote) remote->used_at_ms = bus_now(bus);
    return remote;
}

/* ---- for the bus --------------------------------------------------------------------------- */

static void on_lane_pipe(nng_pipe pipe, nng_pipe_ev what, void *context)
{
    struct bus *bus = context;
    int id = nng_dialer_id(nng_pipe_dialer(pipe));
    for (int i = 0; i < BUS_MATCHMAKERS_MAX; i++)
        if (atomic_load(&bus->lanes[i].dialer_id) == id)
            atomic_fetch_add(&bus->lanes[i].pipes, what == NNG_PIPE_EV_ADD_POST ? 1 : -1);
}

static bool dial_lane(struct bus *bus, struct lane *lane)
{
    lane->up_at_ms = bus_now(bus);
    if (tls_dialer(bus, bus->any, lane->url, &lane->dialer) != 0) return false;
    atomic_store(&lane->pipes, 0);
    atomic_store(&lane->dialer_id, nng_dialer_id(lane->dialer));
    return nng_dialer_start(lane->dialer, NNG_FLAG_NONBLOCK) == 0;
}

/* See next_round in far_nng.c: a dialer may have given up. */
static void tick_lane(struct bus *bus, struct lane *lane)
{
    if (atomic_load(&lane->pipes) > 0) lane->up_at_ms = bus_now(bus);
    if (bus_now(bus) - lane->up_at_ms < BUS_DIAL_ANEW_MS) return;
    nng_dialer_close(lane->dialer);
    dial_lane(bus, lane);
}

bool ask_open(struct bus *bus, const struct bus_config *config)
{
    if (config->matchmaker_count == 0) return true;
    if (nng_req0_open(&bus->any) != 0) return false;
    bus->any_open = true;
    nng_pipe_notify(bus->any, NNG_PIPE_EV_ADD_POST, on_lane_pipe, bus);
    nng_pipe_notify(bus->any, NNG_PIPE_EV_REM_POST, on_lane_pipe, bus);
    nng_socket_set_size(bus->any, NNG_OPT_RECVMAXSZ, WIRE_CONTROL_BYTES_MAX);
    nng_socket_set_ms(bus->any, NNG_OPT_RECONNMINT, BUS_REDIAL_MIN_MS);
    nng_socket_set_ms(bus->any, NNG_OPT_RECONNMAXT, BUS_REDIAL_MAX_MS);
    for (int i = 0; i < config->matchmaker_count; i++) {
        struct lane *lane = &bus->lanes[bus->lane_count++];
        size_t len = strlen(config->matchmakers[i]);
        if (len > WIRE_URL_BYTES_MAX) return false;
        memcpy(lane->url, config->matchmakers[i], len + 1);
        if (!dial_lane(bus, lane)) return false;
    }
    return true;
}

/* The socket for a request; false: there is none. */
static bool route(struct bus *bus, const char *url, struct call *call, nng_socket *socket)
{
    if (url == NULL) {
        *socket = bus->any;
        return bus->any_open;
    }
    call->remote = get_remote(bus, url);
    if (call->remote == NULL) return false;
    call->remote->calls++;
    *socket = call->remote->far.socket;
    return true;
}

void ask_send(struct bus *bus, const struct effect *effect)
{
    bool room = bus->call_count < BUS_REQUESTS_MAX;
    bus->refused_requests += !room;
    struct call *call = add_call(bus, effect);
    nng_socket socket;
    nng_msg *message = room ? message_of(bus, &effect->request) : NULL;
    if (message == NULL || !route(bus, effect->url, call, &socket) || !open_call(call, socket)) {
        if (message) nng_msg_free(message);
        mailbox_post(&bus->mail, &call->done); /* the core hears of it in the next turn */
        return;
    }
    call->ends_at = nng_clock() + effect->timeout_ms;
    nng_aio_set_timeout(call->aio, (nng_duration)effect->timeout_ms);
    nng_aio_set_msg(call->aio, message);
    nng_ctx_send(call->ctx, call->aio);
}

void ask_watch(struct bus *bus, const char *url, bool watch)
{
    struct far *far = far_find(&bus->remotes, url);
    if (far)
        of_far(far)->watched = watch;
    else if (watch) {
        struct remote *remote = get_remote(bus, url);
        if (remote) remote->watched = true;
    }
}

void ask_tick(struct bus *bus)
{
    for (int i = 0; i < bus->lane_count; i++) tick_lane(bus, &bus->lanes[i]);
    for (size_t i = bus->remotes.count; i-- > 0;) {
        struct remote *remote = of_far(bus->remotes.list[i]);
        far_tick(&remote->far);
        if (remote->watched || remote->calls > 0) remote->used_at_ms = bus_now(bus);
        if (bus_now(bus) - remote->used_at_ms >= BUS_OUTBOX_IDLE_MS) close_remote(remote);
    }
}

void ask_close(struct bus *bus)
{
    for (struct call *call = bus->calls, *next; call; call = next) {
        next = call->next;
        free_call(call);
    }
    while (bus->remotes.count > 0) close_remote(of_far(bus->remotes.list[bus->remotes.count - 1]));
    free(bus->remotes.list);
    if (bus->any_open) nng_close(bus->any);
}
