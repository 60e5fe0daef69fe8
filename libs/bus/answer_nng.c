/* SPDX-License-Identifier: Apache-2.0
 *
 * REP: BUS_ANSWERS_MAX contexts, each of which receives a request, waits for the core's answer,
 * sends it, and receives again. Further requests wait in their senders. A token names the context
 * and the request, and is good once.
 *
 * A store or a worker that stands still would in time have all contexts waiting for it, and then
 * nobody's heartbeat would be heard: whoever is alive would be taken for dead. So the last
 * BUS_ANSWERS_SPARE are for heartbeats; any other request is answered "busy, try again" there.
 */
#include "base/check.h"
#include "bus/inside.h"
#include "wire/reason.h"

#include <nng/protocol/reqrep0/rep.h>
#include <stdlib.h>

enum slot_state { SLOT_RECEIVING = 1, SLOT_ASKED, SLOT_ANSWERING };
struct slot {
    struct answers *answers;
    nng_ctx ctx;
    nng_aio *aio;
    struct mail mail; /* the aio is done */
    enum slot_state state;
    uint64_t token; /* of the request when ASKED */
    uint64_t asked_at_ms;
};

struct answers {
    struct bus *bus;
    nng_socket socket;
    uint64_t asked; /* requests so far */
    int open;       /* slots that are ASKED */
    uint64_t refused;
    struct slot slots[BUS_ANSWERS_MAX];
};

static void on_aio(void *context)
{
    struct slot *slot = context;
    mailbox_post(&slot->answers->bus->mail, &slot->mail);
}

/* A request that was not answered is forgotten by this: its sender asks again, or gives up. */
static void receive(struct slot *slot)
{
    if (slot->state == SLOT_ASKED) slot->answers->open--;
    slot->state = SLOT_RECEIVING;
    nng_ctx_recv(slot->ctx, slot->aio);
}

static void send_reply(struct slot *slot, const struct reply *reply)
{
    struct answers *answers = slot->answers;
    struct buf bytes = {0};
    nng_msg *message;
    if (reply_encode(reply, &bytes) == ST_OK) {
        CHECK(nng_msg_alloc(&message, bytes.len) == 0);
        memcpy(nng_msg_body(message), bytes.at, bytes.len);
        nng_aio_set_msg(slot->aio, message);
        if (slot->state == SLOT_ASKED) answers->open--;
        slot->state = SLOT_ANSWERING;
        nng_ctx_send(slot->ctx, slot->aio);
    } else {
        answers->bus->counters.unsendable++;
        receive(slot);
    }
    buf_fini(&bytes);
}

static void ask_core(struct slot *slot, const struct request *request)
{
    struct answers *answers = slot->answers;
    slot->state = SLOT_ASKED;
    answers->open++;
    slot->token = ++answers->asked * BUS_ANSWERS_MAX + (uint64_t)(slot - answers->slots);
    slot->asked_at_ms = bus_now(answers->bus);
    answers->bus->counters.requests_in++;
    struct event event = {.kind = EVENT_REQUEST, .token = slot->token, .request = request};
    bus_deliver(answers->bus, &event);
}

static void say_busy(struct slot *slot, const struct request *request)
{
    struct answers *answers = slot->answers;
    struct reply reply = {.kind = request->kind, .id = request->id, .status = ST_UNAVAILABLE};
    reply.reason = REASON_BUSY;
    answers->refused++;
    answers->bus->counters.requests_in++;
    send_reply(slot, &reply);
}

static void on_request(struct slot *slot, nng_msg *message)
{
    struct bus *bus = slot->answers->bus;
    struct request request;
    arena_reset(&bus->arena);
    struct slice bytes = slice_of(nng_msg_body(message), nng_msg_len(message));
    enum status status = request_decode(bytes, &bus->arena, &request);
    nng_msg_free(message);
    bool full = slot->answers->open >= BUS_ANSWERS_MAX - BUS_ANSWERS_SPARE;
    if (status == ST_OK && full && request.kind != REQ_HEARTBEAT) {
        say_busy(slot, &request);
    } else if (status == ST_OK) {
        ask_core(slot, &request);
    } else {
        bus->counters.unreadable++;
        receive(slot);
    }
}

/* The message of an aio that is done, if it is ours: one that was received, or one that could not
 * be sent. */
static nng_msg *take_message(struct slot *slot)
{
    bool ours = slot->state == SLOT_RECEIVING || nng_aio_result(slot->aio) != 0;
    nng_msg *message = ours ? nng_aio_get_msg(slot->aio) : NULL;
    nng_aio_set_msg(slot->aio, NULL);
    return message;
}

static void on_mail(struct mail *mail)
{
    struct slot *slot = (struct slot *)((char *)mail - offsetof(struct slot, mail));
    int error = nng_aio_result(slot->aio);
    nng_msg *message = take_message(slot);
    if (slot->state == SLOT_RECEIVING && error == 0) {
        on_request(slot, message);
        return;
    }
    if (message) nng_msg_free(message);
    if (error != NNG_ECLOSED) receive(slot);
}

void answers_send(struct answers *answers, uint64_t token, const struct reply *reply)
{
    if (answers == NULL) return;
    struct slot *slot = &answers->slots[token % BUS_ANSWERS_MAX];
    if (slot->state != SLOT_ASKED || slot->token != token) return; /* answered, or forgotten */
    send_reply(slot, reply);
}

void answers_tick(struct answers *answers)
{
    if (answers == NULL) return;
    for (int i = 0; i < BUS_ANSWERS_MAX; i++) {
        struct slot *slot = &answers->slots[i];
        if (slot->state != SLOT_ASKED) continue;
        if (bus_now(answers->bus) - slot->asked_at_ms < BUS_ANSWER_MS) continue;
        answers->bus->counters.requests_dropped++;
        receive(slot);
    }
}

struct answers *answers_open(struct bus *bus, const char *url, char *taken_url)
{
    struct answers *answers = calloc(1, sizeof *answers);
    CHECK(answers != NULL);
    answers->bus = bus;
    CHECK(nng_rep0_open(&answers->socket) == 0);
    nng_socket_set_size(answers->socket, NNG_OPT_RECVMAXSZ, WIRE_CONTROL_BYTES_MAX);
    for (int i = 0; i < BUS_ANSWERS_MAX; i++) {
        struct slot *slot = &answers->slots[i];
        slot->answers = answers;
        slot->mail.arrive = on_mail;
        CHECK(nng_ctx_open(&slot->ctx, answers->socket) == 0);
        CHECK(nng_aio_alloc(&slot->aio, on_aio, slot) == 0);
    }
    if (tls_listen(bus, answers->socket, url, taken_url) != 0) {
        answers_close(answers);
        return NULL;
    }
    for (int i = 0; i < BUS_ANSWERS_MAX; i++) receive(&answers->slots[i]);
    return answers;
}

void answers_close(struct answers *answers)
{
    if (answers == NULL) return;
    nng_close(answers->socket);
    for (int i = 0; i < BUS_ANSWERS_MAX; i++) {
        struct slot *slot = &answers->slots[i];
        nng_aio_stop(slot->aio);
        mailbox_cancel(&answers->bus->mail, &slot->mail);
        nng_msg *message = slot->state == SLOT_ASKED ? NULL : take_message(slot);
        if (message) nng_msg_free(message);
        nng_aio_free(slot->aio);
    }
    free(answers);
}

struct fullness answers_fullness(const struct answers *answers)
{
    struct fullness now = {.bound = BUS_ANSWERS_MAX};
    if (answers == NULL) return now;
    now.depth = (uint64_t)answers->open;
    now.refused = answers->refused;
    return now;
}
