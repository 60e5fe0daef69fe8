/* SPDX-License-Identifier: Apache-2.0
 *
 * What a player does, and the conditions that one waits for.
 */
#include "cluster/ws_client.h"
#include "ops/system.h"

#include <poll.h>
#include <time.h>

enum { AGAIN_MS = 100 }; /* after "busy" */

static void copy(char *to, size_t size, const char *from)
{
    size_t len = strnlen(from, size - 1);
    memcpy(to, from, len);
    to[len] = '\0';
}

/* ---- conditions ------------------------------------------------------------------------------ */

bool ws_is_playing(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->version.seq && client->view.state == WS_PLAYING;
}

bool ws_has_result(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->view.state == WS_RESULT;
}

bool ws_has_view(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->in_room && client->frames > 0;
}

bool ws_is_detached(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->detached != 0;
}

bool ws_is_refused(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->refused != 0;
}

bool ws_has_seated(const struct ws_client *client, const void *count)
{
    int taken = 0;
    for (int i = 0; i < client->view.seat_count; i++) taken += client->view.seats[i].taken;
    return taken >= *(const int *)count;
}

bool ws_has_reached(const struct ws_client *client, const void *version)
{
    return version_compare(client->version, *(const struct version *)version) >= 0;
}

static bool is_welcomed(const struct ws_client *client, const void *unused)
{
    (void)unused;
    return client->welcomed;
}

static bool is_in_or_refused(const struct ws_client *client, const void *frames)
{
    return client->refused || (client->in_room && client->frames > *(const int *)frames);
}

static bool is_answered(const struct ws_client *client, const void *counter)
{
    return client->answers > 0 && client->answer.counter == *(const uint64_t *)counter;
}

/* ---- what a player does ---------------------------------------------------------------------- */

void ws_forget(struct ws_client *client)
{
    client->refused = 0;
    client->refused_param = 0;
    client->notices = 0;
    client->found.came = false;
}

/* Of two pages the one that was loaded later has the higher number. */
static uint64_t next_window(void)
{
    static uint64_t last;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    last = us > last ? us : last + 1;
    return last;
}

bool ws_say_hello(struct ws_client *client)
{
    struct client_frame frame = {.kind = CLIENT_HELLO};
    if (client->window == 0) client->window = next_window();
    frame.u.hello = (struct client_hello){.protocol = CLIENT_PROTOCOL,
                                          .token = slice_of(client->token, client->token_len),
                                          .window = client->window,
                                          .line = ++client->line};
    return ws_send(client, &frame);
}

static bool say_enter(struct ws_client *client, const struct client_frame *frame)
{
    client->entering = *frame;
    client->refused = 0;
    return ws_send(client, frame);
}

bool ws_say_create(struct ws_client *client, const char *game, const char *name,
                   const struct option_pair *options, int option_count)
{
    struct client_frame frame = {.kind = CLIENT_CREATE};
    frame.u.create =
        (struct client_create){.game = game, .name = name, .option_count = option_count};
    for (int i = 0; i < option_count; i++) frame.u.create.options[i] = options[i];
    copy(client->name, sizeof client->name, name);
    return say_enter(client, &frame);
}

static bool say_join(struct ws_client *client, struct client_join join)
{
    struct client_frame frame = {.kind = CLIENT_JOIN};
    frame.u.join = join;
    if (join.name != client->name) copy(client->name, sizeof client->name, join.name);
    return say_enter(client, &frame);
}

bool ws_say_join(struct ws_client *client, const char *code, const char *name)
{
    return say_join(client, (struct client_join){.code = code, .name = name});
}

bool ws_say_return(struct ws_client *client)
{
    client->detached = 0;
    struct client_join join = {
        .code = client->code,
        .name = client->name,
        .spectate = client->seat < 0,
        .have = client->version,
        .generation = client->generation,
    };
    return say_join(client, join);
}

bool ws_hello(struct ws_client *client, int timeout_ms)
{
    return ws_say_hello(client) && ws_wait(client, is_welcomed, NULL, timeout_ms);
}

static int left_ms(instant_ms until)
{
    instant_ms now = clock_boot_ms();
    return until > now ? (int)(until - now) : 0;
}

/* said: what ws_say_... gave. Who hears "busy" asks again, as a browser does. */
static bool enter(struct ws_client *client, bool said, int timeout_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    int frames = client->frames;
    while (said && ws_wait(client, is_in_or_refused, &frames, left_ms(until))) {
        if (client->refused != REASON_BUSY) return client->refused == 0;
        poll(NULL, 0, AGAIN_MS);
        said = say_enter(client, &client->entering);
    }
    return false;
}

bool ws_create(struct ws_client *client, const char *game, const char *name,
               const struct option_pair *options, int option_count, int timeout_ms)
{
    return enter(client, ws_say_create(client, game, name, options, option_count), timeout_ms);
}

bool ws_join(struct ws_client *client, const char *code, const char *name, int timeout_ms)
{
    return enter(client, ws_say_join(client, code, name), timeout_ms);
}

bool ws_watch(struct ws_client *client, const char *code, const char *name, int timeout_ms)
{
    struct client_join join = {.code = code, .name = name, .spectate = true};
    return enter(client, say_join(client, join), timeout_ms);
}

bool ws_come_back(struct ws_client *client, int port, int timeout_ms)
{
    ws_cut(client);
    client->port = port;
    return ws_socket_open(&client->socket, client->host, port, "/ws", NULL, timeout_ms) &&
           ws_hello(client, timeout_ms) && enter(client, ws_say_return(client), timeout_ms);
}

bool ws_leave(struct ws_client *client, int timeout_ms)
{
    struct client_frame frame = {.kind = CLIENT_LEAVE};
    return ws_send(client, &frame) && ws_wait(client, ws_is_detached, NULL, timeout_ms);
}

static bool is_busy(const struct ws_client *client)
{
    return client->answer_domain[0] == '\0' && client->answer.why.code == REASON_BUSY;
}

static bool act(struct ws_client *client, bool command, struct slice bytes, int timeout_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)timeout_ms;
    uint64_t counter = ws_send_act(client, command, bytes);
    while (ws_wait(client, is_answered, &counter, left_ms(until))) {
        if (client->answer.ok || !is_busy(client)) return client->answer.ok;
        poll(NULL, 0, AGAIN_MS);
        client->answers = 0;
        ws_repeat_act(client);
    }
    return false;
}

bool ws_act(struct ws_client *client, struct slice action, int timeout_ms)
{
    return act(client, false, action, timeout_ms);
}

bool ws_command(struct ws_client *client, struct slice command, int timeout_ms)
{
    return act(client, true, command, timeout_ms);
}

bool ws_start(struct ws_client *client, int timeout_ms)
{
    static const uint8_t start[] = {0x22, 0x00}; /* RoomCommand { start {} } */
    return ws_command(client, slice_of(start, sizeof start), timeout_ms);
}
