/* SPDX-License-Identifier: Apache-2.0
 *
 * Script calls and their answers. With wait_replicas a call that writes is followed by WAIT, and
 * its answers are held until that says enough.
 */
#include "base/check.h"
#include "store/state.h"

#include <stdlib.h>

struct call {
    struct shard *shard;
    uint64_t sent_ns;
    size_t bytes;
    int count;
    bool waits;    /* for replicas: the answers below are held */
    bool answered; /* the script's answer is in; WAIT's is not */
    struct arena arena;
    struct store_reply *held;
    struct asked asked[];
};

/* ---- answers --------------------------------------------------------------------------------- */

static void tell(struct store *store, const struct store_reply *reply)
{
    if (store->closed) return;
    if (reply->status == ST_UNAVAILABLE) store->counters.unavailable++;
    if (reply->status == ST_FENCED) store->counters.fenced++;
    struct event event = {.kind = EVENT_STORE, .shard = reply->shard, .store = reply};
    store->on_event(store->user, &event);
}

static void on_refusing(uv_timer_t *timer)
{
    struct store *store = timer->data;
    struct store_reply *list = store->refused;
    size_t count = store->refused_count;
    store->refused = NULL; /* telling may refuse more: for the next turn */
    store->refused_count = store->refused_room = 0;
    for (size_t i = 0; i < count; i++) tell(store, &list[i]);
    free(list);
}

/* Answers without having sent anything, from the loop. */
void call_refuse(struct store *store, const struct asked *asked, enum status status)
{
    if (store->refused_count == store->refused_room) {
        store->refused_room = store->refused_room ? 2 * store->refused_room : 64;
        store->refused = realloc(store->refused, store->refused_room * sizeof *store->refused);
        CHECK(store->refused != NULL);
    }
    store->refused[store->refused_count++] = answer_bare(asked, status);
    CHECK(uv_timer_start(&store->refusing, on_refusing, 0, 0) == 0);
}

static void trouble(struct shard *shard, const char *text)
{
    shard->store->counters.troubles++;
    snprintf(shard->connection.trouble, sizeof shard->connection.trouble, "%s", text);
}

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Every error means "not now". Some also mean that this server will not do: then the connection is
 * made anew, which checks it and loads the scripts. */
static void on_error(struct shard *shard, const char *text)
{
    static const char *const useless[] = {"NOSCRIPT",   "READONLY", "LOADING",
                                          "MASTERDOWN", "NOAUTH",   "NOPERM"};
    static const char *const passing[] = {"OOM", "MISCONF", "BUSY", "NOREPLICAS"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        if (!starts(text, useless[i])) continue;
        connection_cut(&shard->connection, text);
        return;
    }
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        if (!starts(text, passing[i])) continue;
        snprintf(shard->connection.trouble, sizeof shard->connection.trouble, "%s", text);
        return;
    }
    trouble(shard, text);
}

static void read_appends(struct call *call, const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != (size_t)call->count + 1 ||
        reply->element[0]->type != REDIS_REPLY_INTEGER) {
        trouble(call->shard, "an append answered nonsense");
        return;
    }
    instant_ms redis_ms = (instant_ms)reply->element[0]->integer;
    for (int i = 0; i < call->count; i++) {
        if (!answer_read_append(&call->asked[i], reply->element[i + 1], redis_ms, &call->held[i])) {
            trouble(call->shard, "an append answered nonsense");
        }
    }
}

/* Fills call->held: with the answers, or all ST_UNAVAILABLE. */
static void read_answers(struct call *call, const redisReply *reply)
{
    for (int i = 0; i < call->count; i++)
        call->held[i] = answer_bare(&call->asked[i], ST_UNAVAILABLE);
    if (!reply) return;
    if (reply->type == REDIS_REPLY_ERROR) {
        on_error(call->shard, reply->str);
    } else if (call->asked[0].kind == STORE_APPEND) {
        read_appends(call, reply);
    } else if (!answer_read(&call->asked[0], reply, call->shard->connection.run_id, &call->arena,
                            call->held)) {
        trouble(call->shard, "a script answered nonsense");
    }
}

static void call_free(struct call *call)
{
    arena_fini(&call->arena);
    free(call);
}

static void count_append(struct store_counters *counters, const struct call *call)
{
    if (call->asked[0].kind != STORE_APPEND || call->held[0].status == ST_UNAVAILABLE) return;
    histogram_add(&counters->append_us, &histogram_call_us, (uv_hrtime() - call->sent_ns) / 1000);
    histogram_add(&counters->append_rooms, &histogram_batch, (uint64_t)call->count);
}

static void finish(struct call *call)
{
    count_append(&call->shard->store->counters, call);
    call->shard->ops -= (uint64_t)call->count;
    call->shard->bytes -= call->bytes;
    for (int i = 0; i < call->count; i++) tell(call->shard->store, &call->held[i]);
    call_free(call);
}

/* Too few replicas: whoever was told yes is told "unknown". */
static void on_wait(struct call *call, const redisReply *reply)
{
    const struct store_config *config = &call->shard->store->config;
    bool enough =
        reply && reply->type == REDIS_REPLY_INTEGER && reply->integer >= config->wait_replicas;
    for (int i = 0; i < call->count && !enough; i++) {
        if (call->held[i].status == ST_OK)
            call->held[i] = answer_bare(&call->asked[i], ST_UNAVAILABLE);
    }
    finish(call);
}

/* The last that the hiredis reply lends is read before this returns, but answers that wait must
 * outlive it. */
static void keep_answers(struct call *call)
{
    for (int i = 0; i < call->count; i++) {
        struct store_reply *held = &call->held[i];
        held->owner_url = arena_text(&call->arena, held->owner_url);
        held->record = arena_copy(&call->arena, held->record);
        held->snapshot = arena_copy(&call->arena, held->snapshot);
        for (int e = 0; e < held->entry_count; e++)
            held->entries[e] = arena_copy(&call->arena, held->entries[e]);
    }
}

void call_on_reply(struct connection *connection, void *what, const redisReply *reply)
{
    struct call *call = what;
    (void)connection;
    if (call->answered) {
        on_wait(call, reply);
        return;
    }
    call->held = arena_alloc(&call->arena, (size_t)call->count * sizeof *call->held);
    read_answers(call, reply);
    if (call->waits) {
        keep_answers(call);
        call->answered = true; /* WAIT was sent right behind it, or is answered NULL as well */
        return;
    }
    finish(call);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool writes(enum store_op_kind kind)
{
    switch (kind) {
    case STORE_CREATE:
    case STORE_TAKE:
    case STORE_APPEND:
    case STORE_SNAPSHOT:
    case STORE_FINISH:
    case STORE_RELEASE:
    case STORE_DELETE:
    case STORE_CLAIM:
    case STORE_RESTORE:
    case STORE_ASIDE: return true;
    case STORE_LEASE:
    case STORE_TAIL:
    case STORE_OWNED:
    case STORE_FIND:
    case STORE_PUBLIC:
    case STORE_DUE:
    case STORE_CLAIMED:
    case STORE_SILENT: return false;
    }
    return false;
}

static bool send_wait(struct shard *shard, struct call *call)
{
    struct arguments *args = &shard->store->args;
    struct buf *command = &shard->store->command;
    arguments_clear(args);
    arguments_text(args, "WAIT");
    arguments_number(args, (uint64_t)shard->store->config.wait_replicas);
    arguments_number(args, shard->store->config.wait_ms);
    buf_clear(command);
    buf_put(command, "*3\r\n", 4);
    buf_put_slice(command, buf_slice(&args->bytes));
    return connection_send(&shard->connection, buf_slice(command), call);
}

void call_send(struct shard *shard, const struct arguments *args, const struct asked *asked,
               int count)
{
    struct store *store = shard->store;
    struct call *call = calloc(1, sizeof *call + (size_t)count * sizeof *asked);
    CHECK(call != NULL);
    call->shard = shard;
    call->sent_ns = uv_hrtime();
    call->count = count;
    call->bytes = args->bytes.len;
    call->waits = store->config.wait_replicas > 0 && writes(asked->kind);
    memcpy(call->asked, asked, (size_t)count * sizeof *asked);

    arguments_evalsha(args, shard->connection.sha[asked->kind], &store->command);
    if (!connection_send(&shard->connection, buf_slice(&store->command), call)) {
        shard->ops -= (uint64_t)count;
        shard->bytes -= call->bytes;
        for (int i = 0; i < count; i++) call_refuse(store, &asked[i], ST_UNAVAILABLE);
        call_free(call);
        return;
    }
    store->counters.calls++;
    if (call->waits) CHECK(send_wait(shard, call));
}
