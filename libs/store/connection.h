/* SPDX-License-Identifier: Apache-2.0
 *
 * One connection to one Redis: asks the Sentinels where it is if there are some, resolves,
 * connects, checks the server, loads the scripts, and comes again with growing pauses when any of
 * this fails or the connection is lost. It knows nothing of ops: commands go out, replies come back
 * in order, and all that is outstanding is answered with NULL when the connection goes.
 */
#ifndef STORE_CONNECTION_H
#define STORE_CONNECTION_H

#include "base/buf.h"
#include "store/scripts.h"
#include "store/sentinels.h"
#include "store/store.h"

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

enum connection_state {
    CONNECTION_WAITING = 1, /* for the next attempt */
    CONNECTION_ASKING,      /* the Sentinels */
    CONNECTION_RESOLVING,
    CONNECTION_CHECKING, /* connecting, AUTH, SELECT, INFO, SCRIPT LOAD */
    CONNECTION_UP,
    CONNECTION_CLOSED,
};

struct connection;

/* reply is NULL when the connection was lost; else lent for the call. */
typedef void connection_reply_fn(struct connection *connection, void *what,
                                 const redisReply *reply);
/* up: usable from now on. Not up: lost, after all that was outstanding had its NULL. */
typedef void connection_change_fn(struct connection *connection, bool up);

struct connection {
    uv_loop_t *loop;
    const struct store_shard *config;
    uint32_t silence_ms;
    connection_change_fn *on_change;
    connection_reply_fn *on_reply;
    void *owner;
    int index; /* shard */

    enum connection_state state;
    bool told_up;
    struct sentinels *sentinels; /* NULL: the address is fixed */
    struct store_address at;
    redisAsyncContext *context; /* NULL until connecting */
    uv_getaddrinfo_t resolving;
    uv_timer_t pause, watch;
    int handles; /* open, while closing */
    uint32_t pause_ms;
    uint64_t outstanding; /* commands without a reply, those of the check included */
    uint64_t heard_ms;    /* loop time of the last reply, or when outstanding rose from zero */
    uint64_t watched_ms;  /* loop time of the last look at the above */
    char sha[STORE_KINDS][41];
    char run_id[41];
    char trouble[160];
    void (*on_closed)(struct connection *connection);
};

/* A zeroed struct with the first block filled in. */
void connection_open(struct connection *connection);
/* on_closed is called from the loop when nothing refers to the struct any more. */
void connection_close(struct connection *connection,
                      void (*on_closed)(struct connection *connection));

/* Sends a whole encoded command; `what` comes back with its reply. False: not up (nothing will come
 * back). */
bool connection_send(struct connection *connection, struct slice command, void *what);

/* The server is of no use (any more): as if the connection were lost. */
void connection_cut(struct connection *connection, const char *why);
/* To be called as each turn of the loop ends: what was sent in it leaves. Never calls back. */
void connection_turn_end(struct connection *connection);

/* Lets the loop drive a hiredis context. */
bool connection_poll(redisAsyncContext *context, uv_loop_t *loop);
/* Writes what the context holds; what the socket does not take follows when it can. Never calls
 * back. */
void connection_poll_write(redisAsyncContext *context);

#endif
