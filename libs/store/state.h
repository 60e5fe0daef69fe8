/* SPDX-License-Identifier: Apache-2.0
 *
 * What libs/store keeps; its own files alone see this. store_redis.c gathers ops and decides where
 * they go, calls_redis.c sends script calls and turns their answers into events, connection_redis.c
 * keeps a server reachable.
 */
#ifndef STORE_STATE_H
#define STORE_STATE_H

#include "base/map.h"
#include "store/answers.h"
#include "store/arguments.h"
#include "store/connection.h"
#include "store/store.h"

/* The appends of this loop turn. */
struct batch_of_appends {
    struct arguments args;
    struct asked asked[STORE_BATCH_OPS_MAX];
    int count;
    struct map rooms; /* room to this struct: which are in */
};

struct shard {
    struct store *store;
    int index;
    struct connection connection;
    struct batch_of_appends batch;
    uint64_t ops; /* outstanding, the batch included */
    size_t bytes;
};

struct store {
    struct store_config config;
    store_event_fn *on_event;
    void *user;
    struct shard shards[WIRE_SHARDS_MAX];
    uv_prepare_t turn_end;
    uv_timer_t refusing;
    struct store_reply *refused; /* to be told in the next turn */
    size_t refused_count, refused_room;
    struct arguments args;
    struct buf command;
    struct store_counters counters;
    uint64_t refused_ops, refused_bytes; /* bounds met */
    bool closed;
    int open; /* connections and handles that the loop still knows */
};

/* Sends the script call that `args` holds, for ops that count in shard->ops and shard->bytes
 * already; their answers, or their refusal, take them off again. */
void call_send(struct shard *shard, const struct arguments *args, const struct asked *asked,
               int count);
/* The reply to a script call or to its WAIT. */
void call_on_reply(struct connection *connection, void *what, const redisReply *reply);
/* Answers an op that was not sent, in the next turn of the loop. */
void call_refuse(struct store *store, const struct asked *asked, enum status status);

#endif
