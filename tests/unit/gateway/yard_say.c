/* SPDX-License-Identifier: Apache-2.0
 *
 * Short forms of what browsers, workers and matchmakers say.
 */
#include "unit/gateway/yard.h"

room_id yard_room(void)
{
    return room_id_make(code_bits(YARD_CODE), 77);
}

/* ---- browsers -------------------------------------------------------------------------------- */

void yard_hello(struct yard *yard, uint64_t socket, struct slice token)
{
    struct client_frame frame = {.kind = CLIENT_HELLO};
    frame.u.hello =
        (struct client_hello){.protocol = CLIENT_PROTOCOL, .token = token, .window = 77, .line = 3};
    yard_say(yard, socket, &frame);
}

uint64_t yard_guest(struct yard *yard)
{
    uint64_t socket = yard_connect(yard, "192.0.2.1");
    yard_hello(yard, socket, (struct slice){0});
    assert_non_null(yard_last(yard, socket, SERVER_WELCOME));
    return socket;
}

void yard_join(struct yard *yard, uint64_t socket, struct client_join join)
{
    struct client_frame frame = {.kind = CLIENT_JOIN};
    if (join.code == NULL) join.code = YARD_CODE;
    if (join.name == NULL) join.name = "민수";
    frame.u.join = join;
    yard_say(yard, socket, &frame);
}

void yard_act(struct yard *yard, uint64_t socket, uint32_t generation, uint64_t counter)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = generation,
                                      .counter = counter,
                                      .bytes = slice_text("deed")};
    yard_say(yard, socket, &frame);
}

static uint64_t into_room(struct yard *yard, struct client_join join)
{
    uint64_t socket = yard_guest(yard);
    yard_join(yard, socket, join);
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(yard, yard_last_request(yard, REQ_RESOLVE), reply);
    assert_int_equal(yard_last_post(yard, ENV_ATTACH)->u.attach.client, socket);
    return socket;
}

uint64_t yard_seated(struct yard *yard, int seat, uint32_t generation)
{
    uint64_t socket = into_room(yard, (struct client_join){0});
    yard_attached(yard, socket, 100, seat, generation, 0);
    assert_non_null(yard_last(yard, socket, SERVER_SEAT));
    return socket;
}

uint64_t yard_watching(struct yard *yard)
{
    uint64_t socket = into_room(yard, (struct client_join){.spectate = true});
    yard_attached(yard, socket, 100, -1, 0, 0);
    assert_non_null(yard_last(yard, socket, SERVER_SEAT));
    return socket;
}

void yard_look_up(struct yard *yard, uint64_t socket, const char *code)
{
    struct client_frame frame = {.kind = CLIENT_LOOK_UP};
    frame.u.code = code;
    yard_say(yard, socket, &frame);
}

/* ---- workers and matchmakers ----------------------------------------------------------------- */

void yard_reply(struct yard *yard, const struct yard_request *to, struct reply reply)
{
    assert_non_null(to);
    reply.id = to->request.id;
    struct event event = {.kind = EVENT_REPLY, .token = to->token, .reply = &reply};
    yard_step(yard, &event);
}

struct placed yard_placed(uint64_t epoch, struct id128 owner, const char *url)
{
    return (struct placed){yard_room(), YARD_CODE, owner, url, epoch};
}

void yard_envelope(struct yard *yard, struct id128 from, const char *url,
                   const struct envelope *envelope)
{
    struct event event = {
        .kind = EVENT_ENVELOPES, .peer = from, .peer_url = url, .list = envelope, .count = 1};
    yard_step(yard, &event);
}

void yard_worker_says(struct yard *yard, const struct envelope *envelope)
{
    yard_envelope(yard, YARD_WORKER, YARD_URL, envelope);
}

void yard_attached(struct yard *yard, uint64_t socket, uint64_t epoch, int seat,
                   uint32_t generation, uint64_t counter)
{
    struct envelope envelope = {.kind = ENV_ATTACHED};
    envelope.u.attached = (struct env_attached){
        .room = yard_room(),
        .client = socket,
        .epoch = epoch,
        .seat = seat,
        .generation = generation,
        .counter = counter,
        .code = YARD_CODE,
    };
    if (epoch > 100)
        yard_envelope(yard, YARD_WORKER_2, YARD_URL_2, &envelope);
    else
        yard_worker_says(yard, &envelope);
}

/* What the gateway called the nth sending of that act, 0: the last. */
static uint32_t copy_of(const struct yard *yard, uint64_t counter, int nth)
{
    uint32_t copy = 0;
    for (int i = 0, met = 0; i < yard->post_count; i++) {
        const struct envelope *envelope = &yard->posts[i].envelope;
        if (envelope->kind != ENV_ACT || envelope->u.act.counter != counter) continue;
        if (nth == 0 || ++met == nth) copy = envelope->u.act.copy;
    }
    return copy;
}

static void answer_copy(struct yard *yard, uint64_t socket, uint32_t generation, uint64_t counter,
                        uint32_t copy, bool ok)
{
    struct envelope envelope = {.kind = ENV_ANSWER};
    envelope.u.answer = (struct env_answer){
        .room = yard_room(),
        .client = socket,
        .epoch = 100,
        .generation = generation,
        .counter = counter,
        .ok = ok,
        .why = {.domain = "toy", .code = ok ? 0 : 5},
        .seq = 3,
        .copy = copy,
    };
    yard_worker_says(yard, &envelope);
}

void yard_answer(struct yard *yard, uint64_t socket, uint32_t generation, uint64_t counter, bool ok)
{
    answer_copy(yard, socket, generation, counter, copy_of(yard, counter, 0), ok);
}

void yard_answer_copy(struct yard *yard, uint64_t socket, uint64_t counter, int nth, bool ok)
{
    answer_copy(yard, socket, 3, counter, copy_of(yard, counter, nth), ok);
}

void yard_peer(struct yard *yard, enum event_kind kind, struct id128 peer, const char *url)
{
    struct event event = {.kind = kind, .peer = peer, .peer_url = url};
    yard_step(yard, &event);
}

void yard_resolve(struct yard *yard, struct reply reply)
{
    reply.kind = REQ_RESOLVE;
    yard_reply(yard, yard_last_request(yard, REQ_RESOLVE), reply);
}

void yard_resolve_at(struct yard *yard, uint64_t epoch)
{
    struct placed placed = epoch > 100 ? yard_placed(epoch, YARD_WORKER_2, YARD_URL_2)
                                       : yard_placed(epoch, YARD_WORKER, YARD_URL);
    yard_resolve(yard, (struct reply){.placed = placed});
}
