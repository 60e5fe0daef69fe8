/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/bus/relay.h"

#include "unit/test.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* One connection: both halves, and the bytes of each on their way to the other. */
struct relay_way {
    struct relay *relay;
    uv_tcp_t halves[2];
    uv_connect_t connect;
    int closed;
    bool dead; /* of before a cut */
};

struct parcel {
    uv_write_t write;
    char bytes[];
};

static void on_closed(uv_handle_t *handle)
{
    struct relay_way *way = handle->data;
    if (++way->closed == 2) free(way);
}

static void close_way(struct relay_way *way)
{
    for (int i = 0; i < 2; i++)
        if (!uv_is_closing((uv_handle_t *)&way->halves[i]))
            uv_close((uv_handle_t *)&way->halves[i], on_closed);
    for (int i = 0; i < way->relay->opened; i++)
        if (way->relay->ways[i] == way) way->relay->ways[i] = NULL;
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf)
{
    (void)handle;
    *buf = uv_buf_init(malloc(size), (unsigned)size);
}

static void on_written(uv_write_t *write, int status)
{
    (void)status;
    free(write);
}

static void pass_on(uv_tcp_t *to, const char *bytes, size_t len)
{
    struct parcel *parcel = malloc(sizeof *parcel + len);
    assert_non_null(parcel);
    memcpy(parcel->bytes, bytes, len);
    uv_buf_t buf = uv_buf_init(parcel->bytes, (unsigned)len);
    if (uv_write(&parcel->write, (uv_stream_t *)to, &buf, 1, on_written) != 0) free(parcel);
}

static void on_read(uv_stream_t *from, ssize_t len, const uv_buf_t *buf)
{
    struct relay_way *way = from->data;
    uv_tcp_t *to = &way->halves[(uv_tcp_t *)from == &way->halves[0]];
    if (len > 0 && !way->dead) pass_on(to, buf->base, (size_t)len);
    if (len < 0 && !way->dead) close_way(way);
    if (len < 0) uv_read_stop(from);
    free(buf->base);
}

static void on_connected(uv_connect_t *connect, int status)
{
    struct relay_way *way = connect->data;
    if (status == UV_ECANCELED) return;
    if (status != 0) {
        close_way(way);
        return;
    }
    for (int i = 0; i < 2; i++) uv_read_start((uv_stream_t *)&way->halves[i], on_alloc, on_read);
}

static void take(struct relay *relay)
{
    uv_stream_t *listener = (uv_stream_t *)&relay->listener;
    struct relay_way *way = calloc(1, sizeof *way);
    struct sockaddr_in to;
    assert_true(way != NULL && relay->opened < RELAY_WAYS_MAX);
    relay->ways[relay->opened++] = way;
    way->relay = relay;
    way->dead = relay->mute;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(uv_tcp_init(relay->loop, &way->halves[i]), 0);
        way->halves[i].data = way;
    }
    way->connect.data = way;
    assert_int_equal(uv_accept(listener, (uv_stream_t *)&way->halves[0]), 0);
    assert_int_equal(uv_ip4_addr("127.0.0.1", relay->port, &to), 0);
    assert_int_equal(
        uv_tcp_connect(&way->connect, &way->halves[1], (struct sockaddr *)&to, on_connected), 0);
}

static void on_connection(uv_stream_t *listener, int status)
{
    assert_int_equal(status, 0);
    take(listener->data);
}

static int socket_of(struct relay *relay)
{
    uv_os_fd_t fd = -1;
    assert_int_equal(uv_fileno((uv_handle_t *)&relay->listener, &fd), 0);
    return fd;
}

/* The system throws away whatever comes to the listener. */
void relay_wall(struct relay *relay)
{
    struct sock_filter nothing[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog filter = {.len = 1, .filter = nothing};
    assert_int_equal(
        setsockopt(socket_of(relay), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter), 0);
}

void relay_open_up(struct relay *relay)
{
    int unused = 0;
    assert_int_equal(
        setsockopt(socket_of(relay), SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused), 0);
}

void relay_open(struct relay *relay, uv_loop_t *loop, int port)
{
    struct sockaddr_in address;
    int len = sizeof address;
    *relay = (struct relay){.loop = loop, .port = port};
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, &address), 0);
    assert_int_equal(uv_tcp_init(loop, &relay->listener), 0);
    relay->listener.data = relay;
    assert_int_equal(uv_tcp_bind(&relay->listener, (struct sockaddr *)&address, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&relay->listener, RELAY_WAYS_MAX, on_connection), 0);
    assert_int_equal(uv_tcp_getsockname(&relay->listener, (struct sockaddr *)&address, &len), 0);
    snprintf(relay->url, sizeof relay->url, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
}

void relay_cut(struct relay *relay)
{
    for (int i = 0; i < relay->opened; i++)
        if (relay->ways[i]) relay->ways[i]->dead = true;
}

void relay_close(struct relay *relay)
{
    if (relay->loop == NULL) return;
    relay->loop = NULL;
    uv_close((uv_handle_t *)&relay->listener, NULL);
    for (int i = 0; i < relay->opened; i++)
        if (relay->ways[i]) close_way(relay->ways[i]);
}
