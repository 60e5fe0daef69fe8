/* SPDX-License-Identifier: Apache-2.0
 *
 * PUSH to one peer: batches wait in order, one of them is with nng at a time. nng keeps it until
 * there is a pipe; a pipe that closes may take it along, which the link then knows as lost.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <nng/protocol/pipeline0/push.h>
#include <stdlib.h>

struct outbox {
    struct far far; /* first: a far of bus->outboxes is one of these */
    nng_aio *aio;   /* its callback owns nothing but `sent` */
    struct mail sent;
    bool sending;
    nng_msg **queue; /* a ring */
    size_t first, count, room;
    size_t bytes; /* in queue */
    uint64_t used_at_ms;
    bool watched;
};

static struct outbox *of_far(struct far *far)
{
    return (struct outbox *)far;
}

/* ---- the queue ---------------------------------------------------------------------------- */

static void push(struct outbox *outbox, nng_msg *message)
{
    if (outbox->count == outbox->room) {
        size_t room = outbox->room ? 2 * outbox->room : 8;
        nng_msg **queue = calloc(room, sizeof *queue);
        CHECK(queue != NULL);
        for (size_t i = 0; i < outbox->count; i++)
            queue[i] = outbox->queue[(outbox->first + i) % outbox->room];
        free(outbox->queue);
        outbox->queue = queue;
        outbox->room = room;
        outbox->first = 0;
    }
    outbox->queue[(outbox->first + outbox->count++) % outbox->room] = message;
    outbox->bytes += nng_msg_len(message);
    outbox->far.bus->outbox_bytes += nng_msg_len(message);
}

static nng_msg *pop(struct outbox *outbox)
{
    nng_msg *message = outbox->queue[outbox->first];
    outbox->first = (outbox->first + 1) % outbox->room;
    outbox->count--;
    outbox->bytes -= nng_msg_len(message);
    outbox->far.bus->outbox_bytes -= nng_msg_len(message);
    return message;
}

static void drop_all(struct outbox *outbox)
{
    while (outbox->count > 0) nng_msg_free(pop(outbox));
}

static void send_next(struct outbox *outbox)
{
    if (outbox->sending || outbox->count == 0 || far_is_broken(&outbox->far)) return;
    outbox->sending = true;
    nng_aio_set_msg(outbox->aio, pop(outbox));
    nng_send_aio(outbox->far.socket, outbox->aio);
}

static void on_sent(void *context)
{
    struct outbox *outbox = context;
    mailbox_post(&outbox->far.bus->mail, &outbox->sent);
}

/* A message that nng did not take comes back with the aio. */
static void end_send(struct outbox *outbox)
{
    outbox->sending = false;
    if (nng_aio_result(outbox->aio) == 0) return;
    nng_msg *message = nng_aio_get_msg(outbox->aio);
    if (message) nng_msg_free(message);
    nng_aio_set_msg(outbox->aio, NULL);
}

static void on_sent_mail(struct mail *mail)
{
    struct outbox *outbox = (struct outbox *)((char *)mail - offsetof(struct outbox, sent));
    end_send(outbox);
    send_next(outbox);
}

/* ---- what the far tells -------------------------------------------------------------------- */

static void close_outbox(struct outbox *outbox)
{
    struct bus *bus = outbox->far.bus;
    far_remove(&bus->outboxes, &outbox->far);
    nng_aio_stop(outbox->aio);
    if (outbox->sending) end_send(outbox);
    mailbox_cancel(&bus->mail, &outbox->sent);
    far_close(&outbox->far);
    nng_aio_free(outbox->aio);
    drop_all(outbox);
    free(outbox->queue);
    free(outbox);
}

/* A PUSH socket is not used beyond its pipe: when a pipe closes just as a message has left, nng
 * counts it among those that are ready, for good, also when its memory is another's (nng 1.5). */
static void on_lost(struct far *far)
{
    nng_socket socket;
    drop_all(of_far(far));
    link_lost(&far->bus->link, far->url);
    if (nng_push0_open(&socket) == 0) far_renew(far, socket);
}

static void on_gone(struct far *far)
{
    struct bus *bus = far->bus;
    char url[sizeof far->url];
    memcpy(url, far->url, sizeof url);
    struct event event = {.kind = EVENT_PEER_GONE, .peer_url = url};
    event.peer = link_instance(&bus->link, url);
    close_outbox(of_far(far));
    link_gone(&bus->link, url);
    bus->counters.peers_gone++;
    bus_deliver(bus, &event);
}

static const struct far_calls calls = {.lost = on_lost, .gone = on_gone};

/* ---- for the bus -------------------------------------------------------------------------- */

static struct outbox *open_outbox(struct bus *bus, const char *url)
{
    nng_socket socket;
    if (bus->outboxes.count == BUS_PEERS_MAX || nng_push0_open(&socket) != 0) {
        bus->refused_peers++;
        return NULL;
    }
    struct outbox *outbox = calloc(1, sizeof *outbox);
    CHECK(outbox != NULL);
    CHECK(nng_aio_alloc(&outbox->aio, on_sent, outbox) == 0);
    outbox->sent.arrive = on_sent_mail;
    if (far_open(&outbox->far, bus, url, socket, &calls) != 0) {
        nng_aio_free(outbox->aio);
        free(outbox);
        return NULL;
    }
    far_insert(&bus->outboxes, &outbox->far);
    return outbox;
}

/* Counts what it meets. */
static bool has_room(struct outbox *outbox, size_t len)
{
    struct bus *bus = outbox->far.bus;
    bool full =
        outbox->bytes + len > BUS_OUTBOX_BYTES_MAX || outbox->count == BUS_QUEUE_MESSAGES_MAX;
    bool all_full = bus->outbox_bytes + len > BUS_OUTBOXES_BYTES_MAX;
    bus->refused_outbox += full;
    bus->refused_outboxes += !full && all_full;
    return !full && !all_full;
}

bool outbox_send(struct bus *bus, const char *url, struct slice bytes, bool heartbeat)
{
    struct far *far = far_find(&bus->outboxes, url);
    struct outbox *outbox = far ? of_far(far) : open_outbox(bus, url);
    if (outbox == NULL) return heartbeat;
    outbox->used_at_ms = bus_now(bus);
    if (heartbeat && outbox->count > 0) return true; /* what waits says as much */
    if (!has_room(outbox, bytes.len)) {
        drop_all(outbox);
        return false;
    }
    nng_msg *message;
    CHECK(nng_msg_alloc(&message, bytes.len) == 0);
    memcpy(nng_msg_body(message), bytes.at, bytes.len);
    push(outbox, message);
    bus->counters.messages_out++;
    bus->counters.out_bytes += bytes.len;
    send_next(outbox);
    return true;
}

void outbox_watch(struct bus *bus, const char *url, bool watch)
{
    struct far *far = far_find(&bus->outboxes, url);
    struct outbox *outbox = far ? of_far(far) : NULL;
    if (outbox == NULL && watch) outbox = open_outbox(bus, url);
    if (outbox == NULL) return;
    outbox->watched = watch;
    outbox->used_at_ms = bus_now(bus);
}

static void look_after(struct outbox *outbox)
{
    struct bus *bus = outbox->far.bus;
    bool silent = link_silent(&bus->link, outbox->far.url, bus_now(bus));
    bool ours = bus_now(bus) - bus->awake_ms < LINK_SILENT_MS; /* we did not run */
    if (!silent)
        far_trust(&outbox->far);
    else if (!ours)
        far_doubt(&outbox->far);
}

void outbox_tick_all(struct bus *bus)
{
    for (size_t i = bus->outboxes.count; i-- > 0;) {
        struct outbox *outbox = of_far(bus->outboxes.list[i]);
        look_after(outbox);
        far_tick(&outbox->far);
        bool idle = bus_now(bus) - outbox->used_at_ms >= BUS_OUTBOX_IDLE_MS;
        bool used = outbox->watched || outbox->count > 0 || outbox->sending;
        if (idle && !used) close_outbox(outbox);
    }
}

void outbox_fullness(const struct bus *bus, struct bus_queues *out)
{
    out->outbox = (struct fullness){.bound = BUS_OUTBOX_BYTES_MAX, .refused = bus->refused_outbox};
    out->outboxes =
        (struct fullness){bus->outbox_bytes, BUS_OUTBOXES_BYTES_MAX, bus->refused_outboxes};
    for (size_t i = 0; i < bus->outboxes.count; i++)
        fullness_see(&out->outbox, of_far(bus->outboxes.list[i])->bytes);
}

void outbox_close_all(struct bus *bus)
{
    while (bus->outboxes.count > 0)
        close_outbox(of_far(bus->outboxes.list[bus->outboxes.count - 1]));
    free(bus->outboxes.list);
}
