/* SPDX-License-Identifier: Apache-2.0
 *
 * A connection to a Sentinel goes through the steps of one conversation again and again:
 *
 *     AUTH                                     once, when there is a password
 *     UNSUBSCRIBE +switch-master               when it was listening
 *     SENTINEL GET-MASTER-ADDR-BY-NAME name
 *     SENTINEL MASTER name                     for its config-epoch
 *     SUBSCRIBE +switch-master                 then it listens
 *
 * They are sent together and a Sentinel carries them out together, so no switch falls between the
 * answer and the listening; the answer to the next asking would tell it anyway.
 */
#include "store/sentinel.h"

#include "base/buf.h"
#include "base/check.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

enum { READ_BYTES = 4096 };

static const char channel[] = "+switch-master";
static const char no_sentinel[] = "not the answer of a Sentinel";
static const char unresolved[] = "its name cannot be resolved";

/* A socket; lives on until the loop has closed it, when its Sentinel has long got another. */
struct sentinel_wire {
    uv_tcp_t tcp;
    uv_connect_t connecting;
    redisReader *reader;
    struct sentinel *sentinel; /* NULL: given up */
    char room[READ_BYTES];
};

/* ---- losing it ------------------------------------------------------------------------------- */

static void on_wire_closed(uv_handle_t *handle)
{
    struct sentinel_wire *wire = handle->data;
    redisReaderFree(wire->reader);
    free(wire);
}

static void set_trouble(struct sentinel *sentinel, const char *why)
{
    snprintf(sentinel->trouble, sizeof sentinel->trouble, "%s", why);
}

/* Back to waiting for the next attempt: what it said counts no more. */
static void drop(struct sentinel *sentinel, const char *why)
{
    if (sentinel->wire) {
        sentinel->wire->sentinel = NULL;
        uv_close((uv_handle_t *)&sentinel->wire->tcp, on_wire_closed);
        sentinel->wire = NULL;
    }
    set_trouble(sentinel, why);
    sentinel->state = SENTINEL_WAITING;
    sentinel->due_ms = uv_now(sentinel->loop) + sentinel->pause_ms;
    sentinel->pause_ms *= 2;
    if (sentinel->pause_ms > STORE_RETRY_MAX_MS) sentinel->pause_ms = STORE_RETRY_MAX_MS;
    sentinel->opinion = (struct opinion){0};
    sentinel->asked = false;
}

/* ---- the conversation ------------------------------------------------------------------------ */

static void add_command(struct buf *out, const char *const *words, int count)
{
    char *text = NULL;
    int len = redisFormatCommandArgv(&text, count, (const char **)words, NULL);
    CHECK(len > 0);
    buf_put(out, text, (size_t)len);
    redisFreeCommand(text);
}

static void add_auth(struct buf *out, const struct store_shard *config)
{
    const char *words[3] = {"AUTH"};
    int count = 1;
    if (config->sentinel_user[0]) words[count++] = config->sentinel_user;
    words[count++] = config->sentinel_password;
    add_command(out, words, count);
}

/* Sends all the steps that are ahead. */
static void talk(struct sentinel *sentinel)
{
    const struct store_shard *config = sentinel->config;
    struct buf out = {0};
    switch (sentinel->step) {
    case SENTINEL_AUTH: add_auth(&out, config); break;
    case SENTINEL_LISTEN:
        add_command(&out, (const char *[]){"UNSUBSCRIBE", channel}, 2);
        sentinel->step = SENTINEL_UNSUBSCRIBE;
        break;
    default: break;
    }
    add_command(&out, (const char *[]){"SENTINEL", "GET-MASTER-ADDR-BY-NAME", config->name}, 3);
    add_command(&out, (const char *[]){"SENTINEL", "MASTER", config->name}, 3);
    add_command(&out, (const char *[]){"SUBSCRIBE", channel}, 2);
    sentinel->heard_ms = uv_now(sentinel->loop);
    sentinel->due_ms = sentinel->heard_ms + STORE_SENTINEL_ASK_MS;
    uv_buf_t bytes = uv_buf_init((char *)out.at, (unsigned)out.len);
    /* It always fits into the socket of somebody who reads. */
    if (uv_try_write((uv_stream_t *)&sentinel->wire->tcp, &bytes, 1) != (int)out.len)
        drop(sentinel, "it does not read");
    buf_fini(&out);
}

static bool says(const redisReply *reply, size_t elements, const char *word)
{
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == elements &&
           reply->element[0]->type == REDIS_REPLY_STRING &&
           strcmp(reply->element[0]->str, word) == 0;
}

/* Whether it is our primary that a +switch-master tells of. */
static bool is_about_us(const struct sentinel *sentinel, const redisReply *message)
{
    size_t len = strlen(sentinel->config->name);
    return message->type == REDIS_REPLY_STRING && message->len > len && message->str[len] == ' ' &&
           memcmp(message->str, sentinel->config->name, len) == 0;
}

/* Reads the answer to the step at hand; false: it cannot be one. */
static bool take_step(struct sentinel *sentinel, const redisReply *reply)
{
    switch (sentinel->step) {
    case SENTINEL_AUTH: sentinel->step = SENTINEL_ADDRESS; return reply->type == REDIS_REPLY_STATUS;
    case SENTINEL_UNSUBSCRIBE:
        if (says(reply, 3, "message")) return true; /* the answer that follows knows it */
        sentinel->step = SENTINEL_ADDRESS;
        return says(reply, 3, "unsubscribe");
    case SENTINEL_ADDRESS:
        sentinel->step = SENTINEL_EPOCH;
        if (!opinion_read_address(reply, &sentinel->half))
            set_trouble(sentinel, "knows no such name");
        return reply->type == REDIS_REPLY_ARRAY || reply->type == REDIS_REPLY_NIL;
    case SENTINEL_EPOCH:
        sentinel->step = SENTINEL_SUBSCRIBE;
        if (sentinel->half.at.host[0]) opinion_read_epoch(reply, &sentinel->half);
        sentinel->opinion = sentinel->half;
        sentinel->asked = false;
        return true;
    case SENTINEL_SUBSCRIBE:
        sentinel->step = SENTINEL_LISTEN;
        sentinel->pause_ms = STORE_RETRY_MS;
        return says(reply, 3, "subscribe");
    case SENTINEL_LISTEN:
        if (!says(reply, 3, "message")) return false;
        if (is_about_us(sentinel, reply->element[2])) sentinel->on_promotion(sentinel);
        return true;
    }
    return false;
}

static void on_reply(struct sentinel *sentinel, const redisReply *reply)
{
    sentinel->heard_ms = uv_now(sentinel->loop);
    if (!take_step(sentinel, reply))
        drop(sentinel, reply->type == REDIS_REPLY_ERROR ? reply->str : no_sentinel);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    struct sentinel_wire *wire = handle->data;
    (void)wanted;
    *out = uv_buf_init(wire->room, sizeof wire->room);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *bytes)
{
    struct sentinel_wire *wire = stream->data;
    struct sentinel *sentinel = wire->sentinel;
    if (sentinel == NULL) return;
    if (len < 0) drop(sentinel, uv_strerror((int)len));
    if (len > 0) redisReaderFeed(wire->reader, bytes->base, (size_t)len);
    while (wire->sentinel) {
        void *reply = NULL;
        if (redisReaderGetReply(wire->reader, &reply) != REDIS_OK) drop(sentinel, no_sentinel);
        if (reply == NULL) break;
        on_reply(sentinel, reply);
        freeReplyObject(reply);
    }
    if (wire->sentinel && wire->reader->len - wire->reader->pos > STORE_SENTINEL_REPLY_BYTES_MAX)
        drop(sentinel, "an endless answer");
    sentinel->on_told(sentinel);
}

/* ---- connecting ------------------------------------------------------------------------------ */

static void on_connected(uv_connect_t *request, int status)
{
    struct sentinel_wire *wire = request->data;
    struct sentinel *sentinel = wire->sentinel;
    if (sentinel == NULL) return;
    if (status == 0) status = uv_read_start((uv_stream_t *)&wire->tcp, on_room, on_read);
    if (status == 0) {
        sentinel->state = SENTINEL_TALKING;
        sentinel->step = sentinel->config->sentinel_password[0] ? SENTINEL_AUTH : SENTINEL_ADDRESS;
        talk(sentinel);
        return;
    }
    drop(sentinel, uv_strerror(status));
    sentinel->on_told(sentinel);
}

static void connect_to(struct sentinel *sentinel, const struct sockaddr *address)
{
    struct sentinel_wire *wire = calloc(1, sizeof *wire);
    CHECK(wire != NULL);
    wire->reader = redisReaderCreate();
    CHECK(wire->reader != NULL && uv_tcp_init(sentinel->loop, &wire->tcp) == 0);
    wire->tcp.data = wire->connecting.data = wire;
    wire->sentinel = sentinel;
    sentinel->wire = wire;
    sentinel->state = SENTINEL_CONNECTING;
    sentinel->heard_ms = uv_now(sentinel->loop);
    int status = uv_tcp_connect(&wire->connecting, &wire->tcp, address, on_connected);
    if (status != 0) drop(sentinel, uv_strerror(status));
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *list)
{
    struct sentinel *sentinel = request->data;
    if (!sentinel->closed && status == 0 && list) {
        connect_to(sentinel, list->ai_addr);
    } else if (!sentinel->closed) {
        drop(sentinel, unresolved);
        sentinel->on_told(sentinel);
    } else {
        sentinel->on_closed(sentinel);
    }
    uv_freeaddrinfo(list);
}

static void attempt(struct sentinel *sentinel)
{
    char port[8];
    snprintf(port, sizeof port, "%d", sentinel->at->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    sentinel->resolving.data = sentinel;
    sentinel->state = SENTINEL_RESOLVING;
    if (uv_getaddrinfo(sentinel->loop, &sentinel->resolving, on_resolved, sentinel->at->host, port,
                       &hints) != 0)
        drop(sentinel, unresolved);
}

/* ---- life ------------------------------------------------------------------------------------ */

void sentinel_open(struct sentinel *sentinel)
{
    sentinel->state = SENTINEL_WAITING;
    sentinel->pause_ms = STORE_RETRY_MS;
    sentinel->due_ms = uv_now(sentinel->loop);
}

void sentinel_ask(struct sentinel *sentinel)
{
    sentinel->asked = true;
    if (sentinel->state == SENTINEL_WAITING)
        attempt(sentinel);
    else if (sentinel->state == SENTINEL_TALKING && sentinel->step == SENTINEL_LISTEN)
        talk(sentinel);
}

void sentinel_tick(struct sentinel *sentinel, uint64_t now, bool excused)
{
    if (excused) sentinel->heard_ms = now; /* the answer may lie in the socket */
    bool silent = now - sentinel->heard_ms >= STORE_SENTINEL_SILENCE_MS;
    switch (sentinel->state) {
    case SENTINEL_WAITING:
        if (now >= sentinel->due_ms) attempt(sentinel);
        return;
    case SENTINEL_RESOLVING: return;
    case SENTINEL_CONNECTING:
        if (silent) drop(sentinel, "no connection in time");
        return;
    case SENTINEL_TALKING:
        if (sentinel->step != SENTINEL_LISTEN) {
            if (silent) drop(sentinel, "no answer in time");
        } else if (now >= sentinel->due_ms) {
            talk(sentinel);
        }
        return;
    }
}

void sentinel_close(struct sentinel *sentinel)
{
    bool resolving = sentinel->state == SENTINEL_RESOLVING;
    drop(sentinel, "closed");
    sentinel->closed = true;
    if (!resolving) sentinel->on_closed(sentinel);
}
