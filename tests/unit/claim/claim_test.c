/* SPDX-License-Identifier: Apache-2.0
 *
 * What one action costs on the way to and from four people: a tower of dobble, played through the
 * cores of a worker and a gateway, with what is written to their sockets counted. Of the network
 * nothing but the WebSocket's own headers is in it, so the figures are the same on any machine.
 * CLAIMS=n plays so many: tests/bench/counts.test.mjs counts what the cores do for one more.
 */
#include "bench/reads.h"
#include "unit/gateway/yard.h"
#include "unit/worker/rig.h"

#include <stdlib.h>

enum {
    PEOPLE = 4,
    CLAIMS = 50,   /* the tower has three cards more */
    PACE_MS = 400, /* between two claims */
    COUNTDOWN_MS = 3500,
    UP_HEADER = 6,   /* of a masked message of up to 125 bytes */
    SHORT_MAX = 125, /* longer ones need two bytes more */
    DOWN_HEADER = 2,
    DOWN_BYTES_MAX = 200, /* of a claim, all four people together; the budget is 250 */
    UP_BYTES_MAX = 40,
};

static struct world world;
static struct rig rig;
static struct yard yard;
static uint64_t sockets[PEOPLE];
static uint32_t generations[PEOPLE];
static uint64_t counters[PEOPLE];
static int posted;

/* ---- one cluster ----------------------------------------------------------------------------- */

static bool gateway_to_worker(void)
{
    bool any = posted < yard.post_count;
    for (; posted < yard.post_count; posted++)
        rig_envelope(&rig, GATE1, &yard.posts[posted].envelope);
    return any;
}

/* What the worker has said comes as one batch, as it does from a loop turn. */
static bool worker_to_gateway(void)
{
    static struct envelope list[RIG_SENT_MAX];
    int count = 0;
    for (int i = 0; i < rig.sent_count; i++)
        if (id128_equal(rig.sent[i].to, GATE1)) list[count++] = rig.sent[i].envelope;
    if (count == 0) return false;
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = YARD_WORKER,
                          .peer_url = YARD_URL,
                          .list = list,
                          .count = count};
    yard_step(&yard, &event);
    rig_forget(&rig);
    return true;
}

static void settle(void)
{
    while (gateway_to_worker() | worker_to_gateway()) continue;
}

/* As the timer does, for what has passed by the store's clock. */
static void fire(void)
{
    struct model_view stored = rig_stored(&rig, ROOM);
    struct envelope envelope = {.kind = ENV_FIRE};
    envelope.u.deadline = (struct env_deadline){.room = ROOM, .number = stored.deadline.number};
    bool passed = stored.deadline.armed && stored.deadline.due_in_ms <= world.redis;
    if (passed) rig_envelope(&rig, TIMER, &envelope);
}

static void pass(instant_ms ms)
{
    rig_wait(&rig, ms);
    yard_pass(&yard, ms);
    fire();
    settle();
}

static void sit_down(int person)
{
    sockets[person] = yard_guest(&yard);
    yard_join(&yard, sockets[person], (struct client_join){0});
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    reply.placed.room = ROOM;
    yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE), reply);
    settle();
    const struct server_frame *seat = yard_last(&yard, sockets[person], SERVER_SEAT);
    assert_non_null(seat);
    assert_int_equal(seat->u.seat.seat, person);
    generations[person] = seat->u.seat.generation;
    counters[person] = seat->u.seat.counter;
}

/* Returns what it is on the wire. */
static size_t act(int person, bool command, struct slice bytes)
{
    struct buf frame_bytes = {0};
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = generations[person],
        .counter = ++counters[person],
        .made_for = yard.screens[sockets[person]].base.game_version,
        .command = command,
        .bytes = bytes,
    };
    client_frame_encode(&frame, &frame_bytes);
    size_t len = frame_bytes.len;
    buf_fini(&frame_bytes);
    yard_say(&yard, sockets[person], &frame);
    settle();
    const struct server_frame *answer = yard_last(&yard, sockets[person], SERVER_ANSWER);
    assert_non_null(answer);
    assert_int_equal(answer->u.answer.counter, counters[person]);
    assert_true(answer->u.answer.ok);
    return len + UP_HEADER;
}

static int begin(void **unused)
{
    (void)unused;
    world_open(&world);
    rig_open(&rig, &world, 1);
    rig.game = "dobble";
    yard_open(&yard);
    assert_int_equal(rig_create(&rig, ROOM), ST_OK);
    rig_forget(&rig);
    for (int person = 0; person < PEOPLE; person++) sit_down(person);
    act(0, true, slice_of("\x22\x00", 2)); /* RoomCommand { start {} } */
    pass(COUNTDOWN_MS);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    yard_close(&yard);
    rig_close(&rig);
    world_close(&world);
    return 0;
}

/* ---- what is counted ------------------------------------------------------------------------- */

static size_t written(void)
{
    size_t sum = 0;
    for (int i = 0; i < yard.frame_count; i++) {
        enum server_kind kind = yard.frames[i].frame.kind;
        size_t len = yard.frames[i].bytes.len;
        if (kind != SERVER_ROOM && kind != SERVER_ANSWER) continue;
        sum += len + DOWN_HEADER + (len > SHORT_MAX ? 2 : 0);
    }
    return sum;
}

/* Action { claim { mine, against, art } } of dobble.proto; every number is below 128. */
static size_t make_claim(int seat, const struct bot_claim *found)
{
    const uint8_t bytes[] = {0x0a, 6,
                             0x08, (uint8_t)found->cards[0],
                             0x10, (uint8_t)found->cards[1],
                             0x20, (uint8_t)found->art};
    return act(seat, false, slice_of(bytes, sizeof bytes));
}

/* The first seat that has a claim now makes it. Returns its bytes up. */
static size_t claim(int first)
{
    struct tower tower;
    struct bot_claim found;
    assert_true(tower_read(yard.screens[sockets[0]].base.game, &tower));
    for (int i = 0; i < PEOPLE; i++) {
        int seat = (first + i) % PEOPLE;
        if (tower_find(&tower, seat, &found)) return make_claim(seat, &found);
    }
    fail_msg("nobody can claim anything");
    return 0;
}

static int claims(void)
{
    const char *wanted = getenv("CLAIMS");
    int count = wanted ? atoi(wanted) : CLAIMS;
    return count > 0 && count < CLAIMS ? count : CLAIMS;
}

static void a_claim_of_four_people_costs_few_bytes(void **unused)
{
    (void)unused;
    size_t up = 0, down = 0, count = (size_t)claims();
    for (size_t i = 0; i < count; i++) {
        struct client_frame ping = {.kind = CLIENT_PING};
        for (int p = 0; p < PEOPLE; p++) yard_say(&yard, sockets[p], &ping); /* none is silent */
        yard_forget(&yard);
        posted = 0;
        up += claim((int)i);
        pass(PACE_MS);
        down += written();
        for (int p = 0; p < PEOPLE; p++) {
            assert_int_equal(yard_count(&yard, sockets[p], SERVER_ROOM), 1);
            assert_true(yard_last(&yard, sockets[p], SERVER_ROOM)->u.room.since > 0);
            assert_true(slice_equal(yard.screens[sockets[p]].base.game,
                                    yard.screens[sockets[0]].base.game));
        }
    }
    print_message("> a claim: %zu bytes down, %zu up, of four people\n", down / count, up / count);
    assert_true(down <= count * DOWN_BYTES_MAX);
    assert_true(up <= count * UP_BYTES_MAX);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test_setup_teardown(a_claim_of_four_people_costs_few_bytes, begin, end));
}
