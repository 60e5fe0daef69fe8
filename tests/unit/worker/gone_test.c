/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections and gateways that are gone without a word (rule 22), and what the directory hears of
 * it.
 */
#include "unit/worker/one_rig.h"

static void gone(struct id128 gate)
{
    struct event event = {.kind = EVENT_PEER_GONE, .peer = gate, .peer_url = "gateway"};
    rig_event(&rig, &event);
}

static void a_dead_gateway_is_not_a_departure_within_the_grace(void **state)
{
    (void)state;
    uint64_t before = position();
    gone(GATE1);
    rig_wait(&rig, 9000);
    assert_int_equal(position(), before);
    rig_attach(&rig, GATE2, 21, 1, 1);
    rig_wait(&rig, 2000);
    assert_int_equal(position(), before + 1); /* the other one is away now */
}

/* It was frozen, say: nothing else would tell it that its people count as away. */
static void a_gateway_that_was_given_up_is_told_to_bring_its_people_in_again(void **state)
{
    (void)state;
    rig_forget(&rig);
    gone(GATE1);
    const struct env_moved *moved = &rig_last_to(&rig, GATE1, ENV_MOVED)->u.moved;
    assert_true(moved->room == ROOM && !moved->gone);
    assert_true(id128_equal(moved->to, rig.instance));
}

static void another_process_behind_its_url_shows_that_a_gateway_is_dead(void **state)
{
    (void)state;
    struct envelope envelope = {.kind = ENV_RTT};
    envelope.u.rtt = (struct env_rtt){ROOM, 11, 10};
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = {{0xa9}},
                          .peer_url = "gateway1",
                          .list = &envelope,
                          .count = 1};
    rig_event(&rig, &event);
    uint64_t before = position();
    rig_wait(&rig, 9000);
    assert_int_equal(position(), before);
    rig_wait(&rig, 2000);
    assert_int_equal(position(), before + 2);
}

static void a_socket_that_closes_is_a_departure_at_once(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_detach(&rig, GATE1, 11);
    assert_int_equal(position(), before + 1);
}

static void a_detach_of_a_displaced_window_changes_nothing(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    uint64_t before = position();
    rig_detach(&rig, GATE1, 11);
    assert_int_equal(position(), before);
}

static void a_gateway_that_no_matchmaker_hears_counts_as_dead(void **state)
{
    (void)state;
    struct member gate = {.kind = SERVICE_GATEWAY,
                          .instance = GATE1,
                          .inbox_url = "gateway",
                          .control_url = "",
                          .build = ""};
    rig.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = &gate, .member_count = 1};
    rig_wait(&rig, 1000);
    rig.heartbeat.member_count = 0;
    uint64_t before = position();
    rig_wait(&rig, WORKER_GATEWAY_SILENCE_MS + WORKER_GATEWAY_GRACE_MS - 1000);
    assert_int_equal(position(), before);
    rig_wait(&rig, 2000);
    assert_true(position() > before);
}

/* ---- the directory --------------------------------------------------------------------------- */

static int open_public(void **state)
{
    (void)state;
    world_open(&world);
    rig_open(&rig, &world, 1);
    assert_int_equal(rig_create_public(&rig, ROOM), ST_OK);
    assert_int_equal(rig_listed(&rig), 0);
    rig_attach(&rig, GATE1, 11, 1, 0);
    assert_int_equal(rig_listed(&rig), 1);
    return 0;
}

/* Nothing happens in the room, and yet the list follows. */
static void a_public_room_is_listed_while_somebody_is_seen_in_it(void **state)
{
    (void)state;
    uint64_t before = position();
    gone(GATE1);
    assert_int_equal(rig_listed(&rig), 0);
    rig_attach(&rig, GATE2, 21, 1, 1);
    assert_int_equal(rig_listed(&rig), 1);
    rig_event(&rig, &(struct event){.kind = EVENT_TICK});
    assert_true(position() <= before + 1); /* nothing but a new generation */
    rig_detach(&rig, GATE2, 21);
    assert_int_equal(rig_listed(&rig), 0);
}

/* Its people may have gone with the former owner: that they are connected is what the log says. */
static void an_adopted_public_room_is_listed_when_somebody_is_back(void **state)
{
    (void)state;
    struct rig heir;
    uint64_t epoch = rig_stored(&rig, ROOM).epoch;
    rig_open(&heir, &world, 2);
    assert_int_equal(rig_adopt(&heir, ROOM, epoch), ST_OK);
    assert_int_equal(rig_listed(&heir), 0);
    rig_attach(&heir, GATE1, 11, 1, 1);
    assert_int_equal(rig_listed(&heir), 1);
    rig_close(&heir);
}

static void a_listing_that_could_not_be_told_is_told_later(void **state)
{
    (void)state;
    rig.answers = RIG_REFUSES;
    gone(GATE1);
    assert_int_equal(rig_listed(&rig), 1);
    rig.answers = RIG_ANSWERS;
    rig_wait(&rig, 2000);
    assert_int_equal(rig_listed(&rig), 0);
}

#define IN_PUBLIC(name) cmocka_unit_test_setup_teardown(name, open_public, close_rig)

int main(void)
{
    return RUN_TESTS(ON_A_RIG(a_dead_gateway_is_not_a_departure_within_the_grace),
                     ON_A_RIG(a_gateway_that_was_given_up_is_told_to_bring_its_people_in_again),
                     ON_A_RIG(another_process_behind_its_url_shows_that_a_gateway_is_dead),
                     ON_A_RIG(a_socket_that_closes_is_a_departure_at_once),
                     ON_A_RIG(a_detach_of_a_displaced_window_changes_nothing),
                     ON_A_RIG(a_gateway_that_no_matchmaker_hears_counts_as_dead),
                     IN_PUBLIC(a_public_room_is_listed_while_somebody_is_seen_in_it),
                     IN_PUBLIC(an_adopted_public_room_is_listed_when_somebody_is_back),
                     IN_PUBLIC(a_listing_that_could_not_be_told_is_told_later));
}
