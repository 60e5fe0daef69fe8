/* SPDX-License-Identifier: Apache-2.0
 *
 * PULL from all: nng's thread takes message after message until too many bytes wait for the loop;
 * the senders then wait in their own outboxes.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <nng/protocol/pipeline0/pull.h>
#include <stdlib.h>

struct inbox {
    struct bus *bus;
    nng_socket socket;
    nng_aio *aio;
    struct mail mail;
    uv_mutex_t lock;
    /* Under the lock. */
    nng_msg **waiting;
    size_t count, bytes;
    bool full; /* no receive is under way: the loop starts the next */
    uint64_t stops;
    /* The loop's: what it took. The two arrays change places. */
    nng_msg **taken;
};

static void on_received(void *context)
{
    struct inbox *inbox = context;
    if (nng_aio_result(inbox->aio) != 0) return; /* closed, or stopped */
    nng_msg *message = nng_aio_get_msg(inbox->aio);
    uv_mutex_lock(&inbox->lock);
    inbox->waiting[inbox->count++] = message;
    inbox->bytes += nng_msg_len(message);
    inbox->full = inbox->count == BUS_QUEUE_MESSAGES_MAX || inbox->bytes >= BUS_INBOX_BYTES_MAX;
    bool go_on = !inbox->full;
    if (inbox->full) inbox->stops++;
    uv_mutex_unlock(&inbox->lock);
    mailbox_post(&inbox->bus->mail, &inbox->mail);
    if (go_on) nng_recv_aio(inbox->socket, inbox->aio);
}

static void deliver_reset(struct bus *bus, struct id128 peer, const char *url)
{
    struct event event = {.kind = EVENT_PEER_RESET, .peer = peer, .peer_url = url};
    bus->counters.resets++;
    bus_deliver(bus, &event);
}

static void receive(struct bus *bus, struct slice bytes)
{
    struct link_in in;
    arena_reset(&bus->arena);
    bus->counters.messages_in++;
    bus->counters.in_bytes += bytes.len;
    if (link_receive(&bus->link, bytes, bus_now(bus), &bus->arena, &in) != ST_OK) {
        bus->counters.unreadable++;
        return;
    }
    if (in.reset) deliver_reset(bus, in.peer, in.url);
    if (in.count == 0) return;
    bus->counters.envelopes_in += (uint64_t)in.count;
    histogram_add(&bus->counters.batches, &histogram_batch, (uint64_t)in.count);
    struct event event = {.kind = EVENT_ENVELOPES, .peer = in.peer, .peer_url = in.url};
    event.list = in.list;
    event.count = in.count;
    bus_deliver(bus, &event);
}

static void on_mail(struct mail *mail)
{
    struct inbox *inbox = (struct inbox *)((char *)mail - offsetof(struct inbox, mail));
    uv_mutex_lock(&inbox->lock);
    nng_msg **taken = inbox->waiting;
    size_t count = inbox->count;
    bool resume = inbox->full;
    inbox->waiting = inbox->taken;
    inbox->count = inbox->bytes = 0;
    inbox->full = false;
    uv_mutex_unlock(&inbox->lock);
    inbox->taken = taken;
    if (resume) nng_recv_aio(inbox->socket, inbox->aio);

    for (size_t i = 0; i < count; i++) {
        receive(inbox->bus, slice_of(nng_msg_body(taken[i]), nng_msg_len(taken[i])));
        nng_msg_free(taken[i]);
    }
}

struct inbox *inbox_open(struct bus *bus, const char *url, char *taken_url)
{
    struct inbox *inbox = calloc(1, sizeof *inbox);
    CHECK(inbox != NULL);
    inbox->bus = bus;
    inbox->mail.arrive = on_mail;
    inbox->waiting = calloc(BUS_QUEUE_MESSAGES_MAX, sizeof *inbox->waiting);
    inbox->taken = calloc(BUS_QUEUE_MESSAGES_MAX, sizeof *inbox->taken);
    CHECK(inbox->waiting != NULL && inbox->taken != NULL && uv_mutex_init(&inbox->lock) == 0);
    CHECK(nng_aio_alloc(&inbox->aio, on_received, inbox) == 0);
    CHECK(nng_pull0_open(&inbox->socket) == 0);
    nng_socket_set_size(inbox->socket, NNG_OPT_RECVMAXSZ, WIRE_BATCH_BYTES_MAX);
    if (tls_listen(bus, inbox->socket, url, taken_url) != 0) {
        inbox_close(inbox);
        return NULL;
    }
    nng_recv_aio(inbox->socket, inbox->aio);
    return inbox;
}

struct fullness inbox_fullness(struct inbox *inbox)
{
    struct fullness now = {.bound = BUS_INBOX_BYTES_MAX};
    if (inbox == NULL) return now;
    uv_mutex_lock(&inbox->lock);
    now.depth = inbox->bytes;
    now.refused = inbox->stops;
    uv_mutex_unlock(&inbox->lock);
    return now;
}

void inbox_close(struct inbox *inbox)
{
    if (inbox == NULL) return;
    nng_close(inbox->socket);
    nng_aio_stop(inbox->aio);
    mailbox_cancel(&inbox->bus->mail, &inbox->mail);
    nng_aio_free(inbox->aio);
    for (size_t i = 0; i < inbox->count; i++) nng_msg_free(inbox->waiting[i]);
    free(inbox->waiting);
    free(inbox->taken);
    uv_mutex_destroy(&inbox->lock);
    free(inbox);
}
