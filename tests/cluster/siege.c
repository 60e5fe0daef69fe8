/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/siege.h"

#include "cluster/cluster.h"
#include "unit/end_with.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HOUSES = 8,
    KEPT = 300, /* connections that are kept open, the oldest go first */
    WINDOW_BYTES = 2048,
    PATIENCE_MS = 500,
    NICE = 10, /* they have machines of their own */
    PAUSE_MS = 20,
};

struct siege {
    int port, kept[KEPT];
    uint64_t count, chance;
    const struct ws_client *victim;
};

static uint32_t draw(struct siege *siege, uint32_t below)
{
    siege->chance = siege->chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(siege->chance >> 33) % below;
}

static int dial(struct siege *siege)
{
    char from[32];
    snprintf(from, sizeof from, "127.0.2.%u", 1 + draw(siege, HOUSES));
    return socket_dial(from, "127.0.0.1", siege->port, WINDOW_BYTES);
}

static void keep(struct siege *siege, int fd)
{
    int *place = &siege->kept[siege->count++ % KEPT];
    if (*place >= 0) close(*place);
    *place = fd;
}

static void say(int fd, const void *bytes, size_t len)
{
    if (fd >= 0) send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* ---- before there is a WebSocket ------------------------------------------------------------- */

static void half_a_handshake(struct siege *siege)
{
    static const char *const halves[] = {"",
                                         "G",
                                         "GET / HTTP/1.1\r\nHost: x\r\nX: ",
                                         "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: web",
                                         "\x16\x03\x01\x02",
                                         "PRI * HTTP/2.0\r\n\r\nSM\r\n"};
    const char *half = halves[draw(siege, sizeof halves / sizeof *halves)];
    int fd = dial(siege);
    say(fd, half, strlen(half));
    keep(siege, fd);
}

static void a_request_that_is_none(struct siege *siege)
{
    uint8_t bytes[8192];
    int fd = dial(siege);
    size_t len = 1 + draw(siege, sizeof bytes - 1);
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)draw(siege, 256);
    if (draw(siege, 2)) memcpy(bytes, "GET /", len < 5 ? len : 5);
    say(fd, bytes, len);
    keep(siege, fd);
}

/* ---- on a WebSocket -------------------------------------------------------------------------- */

static int upgrade(struct siege *siege)
{
    char request[1024];
    int fd = dial(siege);
    int len = ws_socket_request(request, sizeof request, "127.0.0.1", siege->port, "/ws", NULL);
    say(fd, request, (size_t)len);
    return fd;
}

/* A frame of terabytes; a message whose inside is longer than it. */
static void a_lie_about_lengths(struct siege *siege)
{
    static const uint8_t huge[] = {0x82, 0xff, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 1,    2,    3,    4,    5,    6,    7,    8};
    static const uint8_t inside[] = {0x82, 0x86, 0, 0, 0, 0, 0x12, 0xff, 0xff, 0xff, 0x7f, 0x0a};
    static const uint8_t control[] = {0x89, 0xfe, 0x7f, 0xff, 0, 0, 0, 0, 'x'};
    int fd = upgrade(siege);
    switch (draw(siege, 3)) {
    case 0: say(fd, huge, sizeof huge); break;
    case 1: say(fd, inside, sizeof inside); break;
    default: say(fd, control, sizeof control);
    }
    keep(siege, fd);
}

/* Answers are left where they are; the connection is kept. */
static void let_go(struct siege *siege, struct ws_client *client)
{
    keep(siege, client->socket.fd >= 0 ? dup(client->socket.fd) : -1);
    ws_free(client);
}

static bool come(struct siege *siege, struct ws_client *client)
{
    *client = (struct ws_client){0};
    return ws_connect_on(client, dial(siege), "127.0.0.1", siege->port, PATIENCE_MS) &&
           ws_hello(client, PATIENCE_MS);
}

static void a_flood(struct siege *siege)
{
    struct ws_client flood;
    struct client_frame ping = {.kind = CLIENT_PING};
    if (come(siege, &flood))
        for (int i = 0; i < 400 && ws_send(&flood, &ping); i++) continue;
    let_go(siege, &flood);
}

static void somebody_who_never_reads(struct siege *siege)
{
    struct ws_client deaf;
    struct client_frame watch = {.kind = CLIENT_WATCH_ROOMS}, join = {.kind = CLIENT_JOIN};
    watch.u.watch = true;
    join.u.join = (struct client_join){.code = siege->victim->code, .spectate = true, .name = "x"};
    if (come(siege, &deaf)) {
        ws_send(&deaf, &watch);
        ws_send(&deaf, &join);
    }
    let_go(siege, &deaf);
}

static void guessed_codes(struct siege *siege)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    struct ws_client guesser;
    struct client_frame look = {.kind = CLIENT_LOOK_UP};
    char code[7] = "";
    look.u.code = code;
    if (come(siege, &guesser))
        for (int i = 0; i < 20; i++) {
            for (int k = 0; k < 6; k++) code[k] = digits[draw(siege, 32)];
            ws_send(&guesser, &look);
        }
    let_go(siege, &guesser);
}

/* The victim's token with a bit of it changed, its generation, and acts in its name. */
static void a_token_of_somebody_else(struct siege *siege)
{
    static const uint8_t start[] = {0x22, 0x00}; /* RoomCommand { start {} } */
    struct ws_client thief = {0};
    const struct ws_client *victim = siege->victim;
    if (ws_connect_on(&thief, dial(siege), "127.0.0.1", siege->port, PATIENCE_MS)) {
        memcpy(thief.token, victim->token, victim->token_len);
        thief.token_len = victim->token_len;
        thief.token[draw(siege, (uint32_t)victim->token_len)] ^= (uint8_t)(1 << draw(siege, 8));
        memcpy(thief.code, victim->code, sizeof thief.code);
        thief.generation = victim->generation;
        ws_hello(&thief, PATIENCE_MS);
        ws_say_return(&thief);
        for (int i = 0; i < 10; i++) ws_send_act(&thief, i % 2, slice_of(start, sizeof start));
    }
    let_go(siege, &thief);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void besiege(struct siege *siege)
{
    static void (*const deeds[])(struct siege *) = {
        half_a_handshake, half_a_handshake, a_request_that_is_none,   a_lie_about_lengths,
        a_flood,          guessed_codes,    somebody_who_never_reads, a_token_of_somebody_else,
    };
    for (;;) {
        for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) deeds[i](siege);
        sleep_ms(PAUSE_MS);
    }
}

pid_t siege_begin(int port, const struct ws_client *victim)
{
    pid_t parent = getpid(), pid = fork();
    if (pid != 0) return pid;
    end_with(parent, SIGKILL);
    setpriority(PRIO_PROCESS, 0, NICE);
    struct siege siege = {.port = port, .chance = 1, .victim = victim};
    for (int i = 0; i < KEPT; i++) siege.kept[i] = -1;
    besiege(&siege);
    _exit(0);
}

bool siege_end(pid_t siege)
{
    bool lasted = waitpid(siege, NULL, WNOHANG) == 0;
    if (!lasted) return false;
    kill(siege, SIGKILL);
    waitpid(siege, NULL, 0);
    return true;
}
