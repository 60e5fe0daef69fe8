/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/fake_sentinel.h"

#include "base/check.h"

#include <arpa/inet.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct fake_talker {
    uv_tcp_t tcp;
    struct fake_sentinel *fake; /* NULL: going */
    int index;
    redisReader *reader;
    bool admitted, listens;
    char room[4096];
};

void fake_sentinel_init(struct fake_sentinel *fake)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    *fake = (struct fake_sentinel){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    CHECK(fake->fd >= 0 && bind(fake->fd, (struct sockaddr *)&at, len) == 0 &&
          listen(fake->fd, 16) == 0 && getsockname(fake->fd, (struct sockaddr *)&at, &len) == 0);
    fake->port = ntohs(at.sin_port);
}

static void say(struct fake_talker *talker, const char *text)
{
    uv_buf_t bytes = uv_buf_init((char *)text, (unsigned)strlen(text));
    uv_try_write((uv_stream_t *)&talker->tcp, &bytes, 1);
}

static void say_field(char *out, const char *field, const char *value)
{
    sprintf(out + strlen(out), "$%zu\r\n%s\r\n$%zu\r\n%s\r\n", strlen(field), field, strlen(value),
            value);
}

static void say_address(struct fake_talker *talker)
{
    char port[16], text[128] = "*2\r\n";
    snprintf(port, sizeof port, "%d", talker->fake->names_port);
    say_field(text, "127.0.0.1", port);
    say(talker, text);
}

static void say_master(struct fake_talker *talker)
{
    char epoch[16], text[256] = "*6\r\n";
    snprintf(epoch, sizeof epoch, "%d", talker->fake->epoch);
    say_field(text, "flags", "master");
    say_field(text, "config-epoch", epoch);
    say_field(text, "quorum", "2");
    say(talker, text);
}

static void say_subscribed(struct fake_talker *talker, bool listens)
{
    talker->listens = listens;
    say(talker, listens ? "*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n"
                        : "*3\r\n$11\r\nunsubscribe\r\n$14\r\n+switch-master\r\n:0\r\n");
}

static void check_password(struct fake_talker *talker, const redisReply *command)
{
    const char *wanted = talker->fake->password;
    const char *given = command->element[command->elements - 1]->str;
    talker->admitted = wanted && strcmp(wanted, given) == 0;
    if (!talker->admitted) talker->fake->refused++;
    say(talker, talker->admitted ? "+OK\r\n" : "-WRONGPASS no\r\n");
}

static void answer(struct fake_talker *talker, const redisReply *command)
{
    struct fake_sentinel *fake = talker->fake;
    const char *word = command->element[0]->str;
    bool asks = !strcasecmp(word, "SENTINEL");
    if (asks && !strcasecmp(command->element[1]->str, "MASTER")) fake->asked++;
    if (fake->manner == FAKE_SILENT) return;
    if (fake->manner == FAKE_ENDLESS) {
        static char much[4001];
        memset(much, 'x', sizeof much - 1);
        say(talker, asks ? "$99999999\r\n" : "");
        for (int i = 0; i < 40; i++) say(talker, much);
    } else if (fake->manner == FAKE_BABBLING) {
        say(talker, asks ? "*1\r\n:5\r\n" : "*1\r\n*0\r\n");
    } else if (!strcasecmp(word, "AUTH")) {
        check_password(talker, command);
    } else if (fake->password && !talker->admitted) {
        say(talker, "-NOAUTH Authentication required.\r\n");
    } else if (!strcasecmp(word, "SUBSCRIBE")) {
        say_subscribed(talker, true);
    } else if (!strcasecmp(word, "UNSUBSCRIBE")) {
        say_subscribed(talker, false);
    } else if (strcasecmp(command->element[1]->str, "MASTER") != 0) {
        if (fake->manner == FAKE_IGNORANT)
            say(talker, "*-1\r\n");
        else
            say_address(talker);
    } else {
        if (fake->manner == FAKE_IGNORANT)
            say(talker, "-ERR No such master with that name\r\n");
        else
            say_master(talker);
    }
}

static void on_talker_closed(uv_handle_t *handle)
{
    struct fake_talker *talker = handle->data;
    redisReaderFree(talker->reader);
    free(talker);
}

static void let_go(struct fake_talker *talker)
{
    if (talker->fake == NULL) return;
    talker->fake->talkers[talker->index] = NULL;
    talker->fake = NULL;
    uv_close((uv_handle_t *)&talker->tcp, on_talker_closed);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    struct fake_talker *talker = handle->data;
    (void)wanted;
    *out = uv_buf_init(talker->room, sizeof talker->room);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *bytes)
{
    struct fake_talker *talker = stream->data;
    void *command = NULL;
    if (len < 0) {
        let_go(talker);
        return;
    }
    redisReaderFeed(talker->reader, bytes->base, (size_t)len);
    while (redisReaderGetReply(talker->reader, &command) == REDIS_OK && command) {
        answer(talker, command);
        freeReplyObject(command);
    }
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct fake_sentinel *fake = listener->data;
    struct fake_talker *talker = calloc(1, sizeof *talker);
    int index = 0;
    CHECK(status == 0 && talker != NULL);
    while (index < FAKE_TALKERS_MAX && fake->talkers[index]) index++;
    CHECK(index < FAKE_TALKERS_MAX);
    talker->fake = fake;
    talker->index = index;
    talker->reader = redisReaderCreate();
    talker->tcp.data = talker;
    fake->talkers[index] = talker;
    CHECK(uv_tcp_init(listener->loop, &talker->tcp) == 0 &&
          uv_accept(listener, (uv_stream_t *)&talker->tcp) == 0 &&
          uv_read_start((uv_stream_t *)&talker->tcp, on_room, on_read) == 0);
}

void fake_sentinel_serve(struct fake_sentinel *fake, uv_loop_t *loop)
{
    fake->listener.data = fake;
    CHECK(uv_tcp_init(loop, &fake->listener) == 0 && uv_tcp_open(&fake->listener, fake->fd) == 0 &&
          uv_listen((uv_stream_t *)&fake->listener, 16, on_connection) == 0);
}

void fake_sentinel_publish(struct fake_sentinel *fake, const char *message)
{
    char text[400];
    snprintf(text, sizeof text, "*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$%zu\r\n%s\r\n",
             strlen(message), message);
    for (int i = 0; i < FAKE_TALKERS_MAX; i++)
        if (fake->talkers[i] && fake->talkers[i]->listens) say(fake->talkers[i], text);
}

void fake_sentinel_stop(struct fake_sentinel *fake)
{
    for (int i = 0; i < FAKE_TALKERS_MAX; i++)
        if (fake->talkers[i]) let_go(fake->talkers[i]);
    uv_close((uv_handle_t *)&fake->listener, NULL);
}
