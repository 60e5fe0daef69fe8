/* SPDX-License-Identifier: Apache-2.0
 *
 * From effects to calls: appends gather until the loop's turn ends, everything else is a call at
 * once; what a turn has for Redis is written at its end.
 */
#include "base/check.h"
#include "store/state.h"

#include <stdlib.h>

static void flush(struct shard *shard)
{
    struct batch_of_appends *batch = &shard->batch;
    if (batch->count == 0) return;
    call_send(shard, &batch->args, batch->asked, batch->count);
    arguments_clear(&batch->args);
    batch->count = 0;
    map_fini(&batch->rooms);
}

static void on_turn_end(uv_prepare_t *handle)
{
    struct store *store = handle->data;
    for (int i = 0; i < store->config.shard_count; i++) {
        flush(&store->shards[i]);
        connection_turn_end(&store->shards[i].connection);
    }
}

static void gather(struct shard *shard, const struct store_op *op, const struct asked *asked)
{
    struct batch_of_appends *batch = &shard->batch;
    size_t before = batch->args.bytes.len;
    arguments_op(&batch->args, op);
    batch->asked[batch->count++] = *asked;
    map_put(&batch->rooms, op->room, batch);
    shard->bytes += batch->args.bytes.len - before;
    if (batch->count == STORE_BATCH_OPS_MAX || batch->args.bytes.len >= STORE_BATCH_BYTES_MAX)
        flush(shard);
}

/* Counts what it meets. */
static bool has_room(struct store *store, const struct shard *shard)
{
    bool full = shard->ops >= STORE_OUTSTANDING_OPS_MAX;
    bool heavy = shard->bytes >= STORE_OUTSTANDING_BYTES_MAX;
    store->refused_ops += full;
    store->refused_bytes += !full && heavy;
    return !full && !heavy;
}

static void carry(struct store *store, const struct store_op *op)
{
    struct asked asked = {
        .kind = op->kind, .tag = op->tag, .shard = store_op_shard(op), .room = op->room};
    store->counters.ops++;
    if (asked.shard < 0 || asked.shard >= store->config.shard_count) {
        call_refuse(store, &asked, ST_UNKNOWN);
        return;
    }
    struct shard *shard = &store->shards[asked.shard];
    if (shard->connection.state != CONNECTION_UP || !has_room(store, shard)) {
        call_refuse(store, &asked, ST_UNAVAILABLE);
        return;
    }
    shard->ops++;
    if (op->kind == STORE_APPEND) {
        if (op->entry_count) asked.hash = op->entries[op->entry_count - 1].hash;
        gather(shard, op, &asked);
        return;
    }
    if (!store_op_names_shard(op->kind) && map_get(&shard->batch.rooms, op->room)) flush(shard);
    arguments_clear(&store->args);
    arguments_op(&store->args, op);
    shard->bytes += store->args.bytes.len;
    call_send(shard, &store->args, &asked, 1);
}

void store_carry(struct store *store, const struct effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        if (effects->list[i].kind == EFFECT_STORE) carry(store, &effects->list[i].op);
    }
}

/* ---- life ---------------------------------------------------------------------------------- */

static void on_change(struct connection *connection, bool up)
{
    struct shard *shard = connection->owner;
    struct store *store = shard->store;
    if (!up) store->counters.resets++;
    if (!up) flush(shard); /* what gathered meanwhile is refused */
    if (store->closed) return;
    struct event event = {.kind = EVENT_STORE_RESET, .shard = shard->index, .store_up = up};
    store->on_event(store->user, &event);
}

struct store *store_open(uv_loop_t *loop, const struct store_config *config,
                         store_event_fn *on_event, void *user)
{
    CHECK(config->shard_count >= 1 && config->shard_count <= WIRE_SHARDS_MAX);
    struct store *store = calloc(1, sizeof *store);
    CHECK(store != NULL);
    store->config = *config;
    store->on_event = on_event;
    store->user = user;
    CHECK(uv_prepare_init(loop, &store->turn_end) == 0 &&
          uv_timer_init(loop, &store->refusing) == 0);
    store->turn_end.data = store->refusing.data = store;
    CHECK(uv_prepare_start(&store->turn_end, on_turn_end) == 0);
    for (int i = 0; i < config->shard_count; i++) {
        struct shard *shard = &store->shards[i];
        shard->store = store;
        shard->index = i;
        shard->connection = (struct connection){
            .loop = loop,
            .config = &store->config.shards[i],
            .silence_ms = config->silence_ms ? config->silence_ms : STORE_SILENCE_MS,
            .on_change = on_change,
            .on_reply = call_on_reply,
            .owner = shard,
            .index = i,
        };
        connection_open(&shard->connection);
    }
    return store;
}

bool store_up(const struct store *store)
{
    for (int i = 0; i < store->config.shard_count; i++) {
        if (store->shards[i].connection.state != CONNECTION_UP) return false;
    }
    return true;
}

const struct store_counters *store_counters_of(const struct store *store)
{
    return &store->counters;
}

void store_fullness(const struct store *store, struct fullness *ops, struct fullness *bytes)
{
    *ops = (struct fullness){.bound = STORE_OUTSTANDING_OPS_MAX, .refused = store->refused_ops};
    *bytes =
        (struct fullness){.bound = STORE_OUTSTANDING_BYTES_MAX, .refused = store->refused_bytes};
    for (int i = 0; i < store->config.shard_count; i++) {
        fullness_see(ops, store->shards[i].ops);
        fullness_see(bytes, store->shards[i].bytes);
    }
}

const char *store_trouble(const struct store *store, int shard)
{
    CHECK(shard >= 0 && shard < store->config.shard_count);
    return store->shards[shard].connection.trouble;
}

static void maybe_free(struct store *store)
{
    if (--store->open > 0) return;
    for (int i = 0; i < store->config.shard_count; i++) {
        arguments_fini(&store->shards[i].batch.args);
        map_fini(&store->shards[i].batch.rooms);
    }
    arguments_fini(&store->args);
    buf_fini(&store->command);
    free(store->refused);
    free(store);
}

static void on_connection_closed(struct connection *connection)
{
    struct shard *shard = connection->owner;
    maybe_free(shard->store);
}

static void on_handle_closed(uv_handle_t *handle)
{
    maybe_free(handle->data);
}

void store_close(struct store *store)
{
    store->closed = true;
    store->open = 2 + store->config.shard_count;
    for (int i = 0; i < store->config.shard_count; i++) {
        connection_close(&store->shards[i].connection, on_connection_closed);
    }
    uv_close((uv_handle_t *)&store->turn_end, on_handle_closed);
    uv_close((uv_handle_t *)&store->refusing, on_handle_closed);
}
