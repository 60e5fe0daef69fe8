/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a bus carries between two processes' worth of it, over a Unix socket and over TCP: one
 * envelope a message, and many. Two loops in two threads, so that both ends have a thread of their
 * own as they have in a cluster.
 */
#include "base/check.h"
#include "bus/bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RUN_MS = 2000, IN_FLIGHT_MAX = 4000 };

/* The receiving end, in a thread of its own. */
struct sink {
    uv_loop_t loop;
    uv_async_t stop;
    struct bus *bus;
    const char *url;
    uv_sem_t open;
    _Atomic uint64_t envelopes, messages;
};

static void on_sink_event(void *context, struct event *event)
{
    struct sink *sink = context;
    if (event->kind != EVENT_ENVELOPES) return;
    sink->envelopes += (uint64_t)event->count;
    sink->messages++;
}

static void on_stop(uv_async_t *handle)
{
    struct sink *sink = handle->data;
    bus_close(sink->bus);
    uv_close((uv_handle_t *)handle, NULL);
}

static void run_sink(void *context)
{
    struct sink *sink = context;
    const char *why;
    struct bus_config config = {.instance = {{2}}, .inbox_url = sink->url};
    uv_loop_init(&sink->loop);
    uv_async_init(&sink->loop, &sink->stop, on_stop);
    sink->stop.data = sink;
    sink->bus = bus_open(&sink->loop, &config, on_sink_event, sink, &why);
    CHECK(sink->bus != NULL);
    uv_sem_post(&sink->open);
    uv_run(&sink->loop, UV_RUN_DEFAULT);
    uv_loop_close(&sink->loop);
}

static void ignore(void *context, struct event *event)
{
    (void)context;
    (void)event;
}

static void send_turn(struct bus *bus, const char *url, int count, struct slice bytes)
{
    struct effects effects = {0};
    for (int i = 0; i < count; i++) {
        struct effect *effect = effects_add(&effects, EFFECT_SEND);
        effect->url = url;
        effect->envelope.kind = ENV_UPDATE;
        effect->envelope.u.update.game = bytes;
    }
    bus_carry(bus, &effects);
    effects_fini(&effects);
}

static void measure(const char *from_url, const char *to_url, int per_turn, size_t bytes_each)
{
    static uint8_t bytes[WIRE_SECTION_BYTES_MAX];
    struct sink sink = {.url = to_url};
    uv_thread_t thread;
    uv_loop_t loop;
    const char *why;
    uv_sem_init(&sink.open, 0);
    uv_thread_create(&thread, run_sink, &sink);
    uv_sem_wait(&sink.open);
    uv_loop_init(&loop);
    struct bus_config config = {.instance = {{1}}, .inbox_url = from_url};
    struct bus *bus = bus_open(&loop, &config, ignore, NULL, &why);
    CHECK(bus != NULL);

    uint64_t start = uv_hrtime(), sent = 0;
    while (uv_hrtime() - start < RUN_MS * UINT64_C(1000000)) {
        if (sent < sink.envelopes + (uint64_t)(IN_FLIGHT_MAX + per_turn)) {
            send_turn(bus, bus_inbox_url(sink.bus), per_turn, slice_of(bytes, bytes_each));
            sent += (uint64_t)per_turn;
        }
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    double seconds = (double)(uv_hrtime() - start) / 1e9;
    printf("%-4.4s %5zu B  %4d a turn: %9.0f envelopes/s in %7.0f messages/s\n", to_url, bytes_each,
           per_turn, (double)sink.envelopes / seconds, (double)sink.messages / seconds);
    bus_close(bus);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    uv_async_send(&sink.stop);
    uv_thread_join(&thread);
    uv_sem_destroy(&sink.open);
}

int main(void)
{
    static const int per_turn[] = {1, 10, 100, 1000};
    char folder[] = "/tmp/bus-bench-XXXXXX", from[64], to[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(from, sizeof from, "ipc://%s/a", folder);
    snprintf(to, sizeof to, "ipc://%s/b", folder);
    for (int i = 0; i < 4; i++) measure(from, to, per_turn[i], 200);
    for (int i = 0; i < 4; i++) measure("tcp://127.0.0.1:0", "tcp://127.0.0.1:0", per_turn[i], 200);
    measure("tcp://127.0.0.1:0", "tcp://127.0.0.1:0", 1, 4000);
    rmdir(folder);
    return 0;
}
