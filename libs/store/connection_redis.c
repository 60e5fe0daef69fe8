/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of the check are pipelined: AUTH, SELECT, INFO, then SCRIPT LOAD for each script; the
 * reply to the last one makes the connection usable. Any error among them ends the attempt.
 */
#include "store/connection.h"

#include "base/check.h"
#include "base/mutant.h"

#include <netdb.h>
#include <stdio.h>

enum { WATCH_EVERY_MS = 100 };

static void attempt(struct connection *connection);

static void on_pause(uv_timer_t *timer)
{
    attempt(timer->data);
}

static void set_trouble(struct connection *connection, const char *why)
{
    snprintf(connection->trouble, sizeof connection->trouble, "%s", why);
}

/* From any state back to waiting for the next attempt. */
static void come_again(struct connection *connection, const char *why)
{
    if (connection->state == CONNECTION_CLOSED || connection->state == CONNECTION_WAITING) return;
    set_trouble(connection, why);
    bool tried =
        connection->state == CONNECTION_RESOLVING || connection->state == CONNECTION_CHECKING;
    if (tried && connection->sentinels) sentinels_tried(connection->sentinels, false);
    connection->state = CONNECTION_WAITING;
    connection->context = NULL;
    connection->outstanding = 0;
    uv_timer_stop(&connection->watch);
    CHECK(uv_timer_start(&connection->pause, on_pause, connection->pause_ms, 0) == 0);
    connection->pause_ms *= 2;
    if (connection->pause_ms > STORE_RETRY_MAX_MS) connection->pause_ms = STORE_RETRY_MAX_MS;
}

/* hiredis answers what is outstanding with NULL, now or, inside one of its callbacks, right after
 * it. */
void connection_cut(struct connection *connection, const char *why)
{
    redisAsyncContext *context = connection->context;
    come_again(connection, why);
    if (context) redisAsyncFree(context);
}

/* ---- the check ------------------------------------------------------------------------------- */

static void on_step(struct connection *connection, const redisReply *reply, const char *what)
{
    char why[80];
    if (reply->type != REDIS_REPLY_ERROR) return;
    snprintf(why, sizeof why, "%s: %.60s", what, reply->str);
    connection_cut(connection, why);
}

/* The value of "field:" in INFO's text; what ends at the line's end. */
static bool info_is(const char *info, const char *field, char *value, size_t size)
{
    const char *at = strstr(info, field);
    if (!at) return false;
    at += strlen(field);
    size_t len = strcspn(at, "\r\n");
    if (len >= size) return false;
    memcpy(value, at, len);
    value[len] = 0;
    return true;
}

static void on_info(struct connection *connection, const redisReply *reply)
{
    char role[16] = "", loading[4] = "";
    if (reply->type != REDIS_REPLY_STRING ||
        !info_is(reply->str, "\nrun_id:", connection->run_id, sizeof connection->run_id) ||
        !info_is(reply->str, "\nrole:", role, sizeof role) ||
        !info_is(reply->str, "\nloading:", loading, sizeof loading)) {
        connection_cut(connection, "INFO: not the answer of a Redis");
    } else if (strcmp(role, "master") != 0) {
        connection_cut(connection, "not a primary");
    } else if (strcmp(loading, "0") != 0) {
        connection_cut(connection, "still loading its data");
    }
}

static bool is_current(struct connection *connection, redisAsyncContext *context,
                       const redisReply *reply)
{
    if (!connection || context != connection->context || !reply) return false;
    connection->heard_ms = uv_now(connection->loop);
    connection->outstanding--;
    return true;
}

static void on_auth(redisAsyncContext *context, void *reply, void *unused)
{
    (void)unused;
    if (is_current(context->data, context, reply)) on_step(context->data, reply, "AUTH");
}

static void on_select(redisAsyncContext *context, void *reply, void *unused)
{
    (void)unused;
    if (is_current(context->data, context, reply)) on_step(context->data, reply, "SELECT");
}

static void on_server_info(redisAsyncContext *context, void *reply, void *unused)
{
    (void)unused;
    if (is_current(context->data, context, reply)) on_info(context->data, reply);
}

static void on_script(redisAsyncContext *context, void *data, void *sha)
{
    struct connection *connection = context->data;
    const redisReply *reply = data;
    if (!is_current(connection, context, reply)) return;
    if (reply->type != REDIS_REPLY_STRING || reply->len != 40) {
        on_step(connection, reply, "SCRIPT LOAD");
        return;
    }
    memcpy(sha, reply->str, 41);
    if (sha != connection->sha[STORE_KINDS - 1]) return;
    connection->state = CONNECTION_UP;
    connection->pause_ms = STORE_RETRY_MS;
    connection->told_up = true;
    if (connection->sentinels) sentinels_tried(connection->sentinels, true);
    set_trouble(connection, "");
    connection->on_change(connection, true);
}

static void check_server(struct connection *connection)
{
    static const struct {
        enum store_op_kind kind;
        const char *text;
    } scripts[] = {
#define X(kind, file) {kind, store_script_##file},
        STORE_SCRIPTS(X)
#undef X
    };
    const struct store_shard *config = connection->config;
    redisAsyncContext *context = connection->context;
    connection->outstanding = 1 + sizeof scripts / sizeof *scripts;
    if (config->password[0]) {
        connection->outstanding++;
        if (config->user[0])
            redisAsyncCommand(context, on_auth, NULL, "AUTH %s %s", config->user, config->password);
        else
            redisAsyncCommand(context, on_auth, NULL, "AUTH %s", config->password);
    }
    if (config->db) {
        connection->outstanding++;
        redisAsyncCommand(context, on_select, NULL, "SELECT %d", config->db);
    }
    redisAsyncCommand(context, on_server_info, NULL, "INFO");
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        redisAsyncCommand(context, on_script, connection->sha[scripts[i].kind], "SCRIPT LOAD %s%s",
                          mutant_script(), scripts[i].text);
    }
}

/* ---- connecting ------------------------------------------------------------------------------ */

static void on_connected(const redisAsyncContext *context, int status)
{
    struct connection *connection = context->data;
    if (!connection || context != connection->context || status == REDIS_OK) return;
    /* hiredis frees the context and tells nobody else. */
    come_again(connection, context->c.errstr);
}

static void on_disconnected(const redisAsyncContext *context, int status)
{
    struct connection *connection = context->data;
    (void)status;
    if (!connection) return;
    if (context == connection->context) come_again(connection, context->c.errstr);
    if (!connection->told_up || connection->context) return;
    connection->told_up = false;
    connection->on_change(connection, false);
}

static void on_watch(uv_timer_t *timer);

/* At whole multiples, so that one wake serves this and the bus' tick. */
static void arm_watch(struct connection *connection)
{
    uint64_t left = WATCH_EVERY_MS - uv_now(connection->loop) % WATCH_EVERY_MS;
    CHECK(uv_timer_start(&connection->watch, on_watch, left, 0) == 0);
}

static void on_watch(uv_timer_t *timer)
{
    struct connection *connection = timer->data;
    uint64_t now = uv_now(connection->loop), gap = now - connection->watched_ms;
    connection->watched_ms = now;
    arm_watch(connection);
    /* We did not run: the answer may lie in the socket. */
    if (gap > 3 * WATCH_EVERY_MS) connection->heard_ms = now;
    if (connection->outstanding == 0 || now - connection->heard_ms < connection->silence_ms) return;
    connection_cut(connection, "no answer in time");
}

static void use_context(struct connection *connection, redisAsyncContext *context)
{
    CHECK(context != NULL);
    if (context->err || !connection_poll(context, connection->loop)) {
        come_again(connection, context->err ? context->c.errstr : "cannot watch the socket");
        redisAsyncFree(context);
        return;
    }
    context->data = connection;
    connection->context = context;
    connection->state = CONNECTION_CHECKING;
    connection->heard_ms = connection->watched_ms = uv_now(connection->loop);
    redisAsyncSetConnectCallback(context, on_connected);
    redisAsyncSetDisconnectCallback(context, on_disconnected);
    arm_watch(connection);
    check_server(connection);
}

static void maybe_closed(struct connection *connection)
{
    if (connection->handles == 0) connection->on_closed(connection);
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *list)
{
    struct connection *connection = request->data;
    char address[64];
    bool found = status == 0 && list &&
                 getnameinfo(list->ai_addr, list->ai_addrlen, address, sizeof address, NULL, 0,
                             NI_NUMERICHOST) == 0;
    uv_freeaddrinfo(list);
    if (connection->state == CONNECTION_CLOSED) {
        connection->handles--;
        maybe_closed(connection);
    } else if (found) {
        use_context(connection, redisAsyncConnect(address, connection->at.port));
    } else {
        come_again(connection, "its name cannot be resolved");
    }
}

/* Names are resolved beside the loop: hiredis would block it. */
static void resolve(struct connection *connection, const struct store_address *at)
{
    connection->state = CONNECTION_RESOLVING;
    connection->at = *at;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    connection->resolving.data = connection;
    if (uv_getaddrinfo(connection->loop, &connection->resolving, on_resolved, connection->at.host,
                       NULL, &hints) != 0) {
        come_again(connection, "its name cannot be resolved");
    }
}

static void attempt(struct connection *connection)
{
    const struct store_shard *config = connection->config;
    if (connection->sentinels) {
        connection->state = CONNECTION_ASKING;
        sentinels_ask(connection->sentinels);
    } else if (config->at.host[0]) {
        resolve(connection, &config->at);
    } else {
        connection->state = CONNECTION_RESOLVING;
        use_context(connection, redisAsyncConnectUnix(config->path));
    }
}

/* ---- Sentinels ------------------------------------------------------------------------------- */

static void on_found(void *user, const struct store_address *at, const char *why)
{
    struct connection *connection = user;
    if (connection->state != CONNECTION_ASKING) return;
    if (at)
        resolve(connection, at);
    else
        come_again(connection, why);
}

/* While a name is being resolved nothing can be done; it is told again. */
static void on_moved(void *user)
{
    struct connection *connection = user;
    if (connection->state == CONNECTION_WAITING)
        CHECK(uv_timer_start(&connection->pause, on_pause, 0, 0) == 0);
    else if (connection->state == CONNECTION_CHECKING || connection->state == CONNECTION_UP)
        connection_cut(connection, "the Sentinels name another primary");
}

static void on_sentinels_closed(void *user)
{
    struct connection *connection = user;
    connection->handles--;
    maybe_closed(connection);
}

static const struct sentinels_events sentinels_events = {on_found, on_moved, on_sentinels_closed};

void connection_open(struct connection *connection)
{
    connection->pause_ms = STORE_RETRY_MS;
    connection->state = CONNECTION_WAITING;
    CHECK(uv_timer_init(connection->loop, &connection->pause) == 0);
    CHECK(uv_timer_init(connection->loop, &connection->watch) == 0);
    connection->pause.data = connection->watch.data = connection;
    if (connection->config->sentinel_count)
        connection->sentinels =
            sentinels_open(connection->loop, connection->config, &sentinels_events, connection);
    CHECK(uv_timer_start(&connection->pause, on_pause, 0, 0) == 0);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void on_command(redisAsyncContext *context, void *reply, void *what)
{
    struct connection *connection = context->data;
    bool current = is_current(connection, context, reply);
    /* The first NULL tells that the connection is gone: what the owner does about it must find it
     * so. */
    if (!reply && context == connection->context) come_again(connection, context->c.errstr);
    connection->on_reply(connection, what, current ? reply : NULL);
}

bool connection_send(struct connection *connection, struct slice command, void *what)
{
    if (connection->state != CONNECTION_UP) return false;
    if (connection->outstanding == 0) connection->heard_ms = uv_now(connection->loop);
    if (redisAsyncFormattedCommand(connection->context, on_command, what, (const char *)command.at,
                                   command.len) != REDIS_OK) {
        return false;
    }
    connection->outstanding++;
    return true;
}

void connection_turn_end(struct connection *connection)
{
    if (connection->context) connection_poll_write(connection->context);
}

/* ---- closing --------------------------------------------------------------------------------- */

static void on_handle_closed(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    connection->handles--;
    maybe_closed(connection);
}

void connection_close(struct connection *connection,
                      void (*on_closed)(struct connection *connection))
{
    redisAsyncContext *context = connection->context;
    connection->handles = 2 + (connection->state == CONNECTION_RESOLVING);
    if (connection->sentinels) {
        connection->handles++;
        sentinels_close(connection->sentinels);
    }
    connection->state = CONNECTION_CLOSED;
    connection->on_closed = on_closed;
    connection->told_up = false;
    connection->context = NULL;
    if (context) redisAsyncFree(context); /* what is outstanding comes back as NULL */
    uv_close((uv_handle_t *)&connection->pause, on_handle_closed);
    uv_close((uv_handle_t *)&connection->watch, on_handle_closed);
}
