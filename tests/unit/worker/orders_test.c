/* SPDX-License-Identifier: Apache-2.0
 *
 * What operators ask of a worker and order: who may, what is shown, and when it is answered.
 */
#include "unit/worker/two_rigs.h"

static struct member neighbour;
static uint64_t number;

static int open_neighbours(void **state)
{
    int failed = open_rigs(state);
    number = 1;
    neighbour = (struct member){.kind = SERVICE_WORKER,
                                .instance = second.instance,
                                .inbox_url = "inbox2",
                                .control_url = "control2",
                                .build = "",
                                .rooms_max = 8,
                                .orders = ORDERS_VERSION};
    first.heartbeat =
        (struct reply){.kind = REQ_HEARTBEAT, .members = &neighbour, .member_count = 1};
    rig_wait(&first, 300);
    rig_forget(&first);
    return failed;
}

static struct request order(enum request_kind kind, uint32_t seat)
{
    struct request request = {.kind = kind, .room = ROOM};
    request.id = person((int)(100 + number));
    request.order.to = first.instance;
    request.order.number = number++;
    request.order.seat = seat;
    return request;
}

static void sign(struct request *request, const char *key)
{
    struct order_key with;
    assert_true(order_key_from(slice_text(key), &with));
    order_sign(&with, request);
}

static const struct reply *give(const struct request *request)
{
    return rig_reply(&first, rig_request(&first, request));
}

static const struct reply *give_signed(enum request_kind kind, uint32_t seat)
{
    struct request request = order(kind, seat);
    sign(&request, RIG_KEY);
    return give(&request);
}

static void assert_refused(const struct reply *reply, enum order_fault fault)
{
    assert_non_null(reply);
    assert_int_equal(reply->status, ST_REFUSED);
    assert_int_equal(reply->fault, fault);
}

/* ---- who may --------------------------------------------------------------------------------- */

static void an_order_without_the_key_is_refused(void **state)
{
    (void)state;
    const enum request_kind kinds[] = {REQ_WORKER_ROOMS, REQ_WORKER_DRAIN, REQ_WORKER_UNDRAIN,
                                       REQ_WORKER_KICK, REQ_WORKER_CLOSE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct request request = order(kinds[i], 1);
        assert_refused(give(&request), ORDER_WRONG_KEY);
        sign(&request, "the key of somebody else");
        assert_refused(give(&request), ORDER_WRONG_KEY);
    }
    assert_true(rig_noted(&first, "operator.refused"));
}

static void a_proof_is_for_what_it_covers_alone(void **state)
{
    (void)state;
    struct request request = order(REQ_WORKER_KICK, 1);
    sign(&request, RIG_KEY);
    struct request other = request;
    other.kind = REQ_WORKER_CLOSE;
    assert_refused(give(&other), ORDER_WRONG_KEY);
    other = request;
    other.order.seat = 0;
    assert_refused(give(&other), ORDER_WRONG_KEY);
    other = request;
    other.room++;
    assert_refused(give(&other), ORDER_WRONG_KEY);
    other = request;
    other.order.to = second.instance;
    assert_refused(give(&other), ORDER_NOT_ME);
}

static void an_order_that_was_overheard_is_not_given_again(void **state)
{
    (void)state;
    struct request drain = order(REQ_WORKER_DRAIN, 0), undrain = order(REQ_WORKER_UNDRAIN, 0);
    sign(&drain, RIG_KEY);
    sign(&undrain, RIG_KEY);
    assert_int_equal(give(&drain)->status, ST_OK);
    assert_int_equal(give(&drain)->status, ST_OK); /* nng resends */
    assert_int_equal(give(&undrain)->status, ST_OK);
    assert_refused(give(&drain), ORDER_STALE);
}

/* ---- looking --------------------------------------------------------------------------------- */

static void a_room_is_shown_without_a_key_and_revealed_with_one(void **state)
{
    (void)state;
    struct request look = order(REQ_WORKER_ROOM, 0);
    const struct reply *reply = give(&look);
    assert_int_equal(reply->status, ST_OK);
    assert_int_equal(reply->shown->private_count, 0);
    assert_true(reply->shown->game.len > 0);
    assert_int_equal(reply->shown->line.connected, 2);
    assert_false(rig_noted(&first, "operator.revealed"));

    look = order(REQ_WORKER_ROOM, 0);
    look.order.reveal = true;
    assert_refused(give(&look), ORDER_WRONG_KEY);
    sign(&look, RIG_KEY);
    reply = give(&look);
    assert_int_equal(reply->status, ST_OK);
    assert_int_equal(reply->shown->private_count, 2);
    assert_true(rig_noted(&first, "operator.revealed"));
}

/* Rule 1: what Redis has not confirmed is shown to nobody. */
static void what_is_not_confirmed_is_not_shown(void **state)
{
    (void)state;
    first.answers = RIG_HOLDS;
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    struct request look = order(REQ_WORKER_ROOM, 0);
    assert_refused(give(&look), ORDER_UNCONFIRMED);
    first.answers = RIG_ANSWERS;
    rig_release(&first, first.op_count);
    look = order(REQ_WORKER_ROOM, 0);
    assert_int_equal(give(&look)->status, ST_OK);
}

static void rooms_come_in_the_order_of_their_ids(void **state)
{
    (void)state;
    assert_int_equal(rig_create(&first, rig_room(1)), ST_OK);
    struct request request = order(REQ_WORKER_ROOMS, 0);
    sign(&request, RIG_KEY);
    const struct reply *reply = give(&request);
    assert_int_equal(reply->line_count, 2);
    assert_true(reply->lines[0].room < reply->lines[1].room);
    assert_false(reply->more);
    room_id lower = reply->lines[0].room, upper = reply->lines[1].room;
    request = order(REQ_WORKER_ROOMS, 0);
    request.order.after = lower;
    sign(&request, RIG_KEY);
    reply = give(&request);
    assert_int_equal(reply->line_count, 1);
    assert_true(reply->lines[0].room == upper);
}

/* ---- steering -------------------------------------------------------------------------------- */

static void a_kick_is_answered_when_redis_has_it_and_done_once(void **state)
{
    (void)state;
    struct request kick = order(REQ_WORKER_KICK, 1);
    sign(&kick, RIG_KEY);
    first.answers = RIG_HOLDS;
    assert_null(give(&kick));
    assert_int_equal(rig_count(&first, ENV_DROPPED), 0);
    uint64_t again = rig_request(&first, &kick); /* resent meanwhile */
    assert_null(rig_reply(&first, again));
    first.answers = RIG_ANSWERS;
    rig_release(&first, first.op_count);
    assert_int_equal(rig_reply(&first, again)->status, ST_OK);
    assert_int_equal(rig_last(&first, ENV_DROPPED)->u.dropped.why, DROPPED_KICKED);
    assert_int_equal(give(&kick)->status, ST_OK); /* and once more: not done twice */
    assert_refused(give_signed(REQ_WORKER_KICK, 1), ORDER_NOT_SEATED);
}

static void a_closed_room_is_told_archived_and_deleted(void **state)
{
    (void)state;
    assert_int_equal(give_signed(REQ_WORKER_CLOSE, 0)->status, ST_OK);
    rig_wait(&first, 300);
    assert_true(rig_noted(&first, "game.finished"));
    assert_true(rig_noted(&first, "room.deleted"));
    assert_int_equal(rig_last(&first, ENV_DROPPED)->u.dropped.why, DROPPED_CLOSED);
    assert_refused(give_signed(REQ_WORKER_CLOSE, 0), ORDER_NOT_HERE);
}

/* A binary that knows no orders could not replay them. */
static void rooms_are_not_changed_while_an_older_worker_is_there(void **state)
{
    (void)state;
    neighbour.orders = 0;
    rig_wait(&first, 300);
    assert_refused(give_signed(REQ_WORKER_KICK, 1), ORDER_OLD_WORKERS);
    assert_refused(give_signed(REQ_WORKER_CLOSE, 0), ORDER_OLD_WORKERS);
    neighbour.orders = ORDERS_VERSION;
    rig_wait(&first, 300);
    assert_int_equal(give_signed(REQ_WORKER_KICK, 1)->status, ST_OK);
}

static void pass_on_request(void)
{
    assert_int_equal(first.asked.kind, REQ_WORKER_ADOPT);
    const struct reply *reply = rig_reply(&second, rig_request(&second, &first.asked));
    struct event event = {.kind = EVENT_REPLY, .token = first.asked_token, .reply = reply};
    rig_event(&first, &event);
    rig_wait(&first, 50);
}

static void a_drained_worker_stays_and_takes_rooms_again(void **state)
{
    (void)state;
    assert_int_equal(give_signed(REQ_WORKER_DRAIN, 0)->status, ST_OK);
    rig_wait(&first, 50);
    assert_true(first.said_of_itself.draining);
    assert_int_equal(rig_create(&first, rig_room(1)), ST_UNAVAILABLE);
    pass_on_request();
    rig_wait(&first, 10000); /* far beyond the grace of one that leaves */
    assert_true(rig_noted(&first, "drain.done"));
    assert_false(first.exited);
    assert_true(worker_core_deadline(first.core) > first.now);

    assert_int_equal(give_signed(REQ_WORKER_UNDRAIN, 0)->status, ST_OK);
    rig_wait(&first, 300);
    assert_false(first.said_of_itself.draining);
    assert_int_equal(rig_create(&first, rig_room(1)), ST_OK);
}

/* Rooms that are on their way when the drain is taken back get there. */
static void what_is_being_handed_over_is_handed_over(void **state)
{
    (void)state;
    assert_int_equal(give_signed(REQ_WORKER_DRAIN, 0)->status, ST_OK);
    rig_wait(&first, 50);
    assert_int_equal(give_signed(REQ_WORKER_UNDRAIN, 0)->status, ST_OK);
    pass_on_request();
    assert_non_null(rig_last_to(&first, GATE1, ENV_MOVED));
    struct worker_stats stats;
    worker_core_stats(second.core, &stats);
    assert_int_equal(stats.live, 1);
}

static void a_drained_worker_that_is_told_to_end_ends(void **state)
{
    (void)state;
    assert_int_equal(give_signed(REQ_WORKER_DRAIN, 0)->status, ST_OK);
    rig_wait(&first, 50);
    pass_on_request();
    rig_wait(&first, 300);
    assert_false(first.exited);
    struct event event = {.kind = EVENT_DRAIN};
    rig_event(&first, &event);
    assert_true(first.exited);
    assert_refused(give_signed(REQ_WORKER_UNDRAIN, 0), ORDER_LEAVING);
}

static void the_last_worker_is_not_drained(void **state)
{
    (void)state;
    neighbour.draining = true;
    rig_wait(&first, 300);
    assert_refused(give_signed(REQ_WORKER_DRAIN, 0), ORDER_ALONE);
}

#define TEST(name) ON_RIGS_OPENED(name, open_neighbours)

int main(void)
{
    return RUN_TESTS(
        TEST(an_order_without_the_key_is_refused), TEST(a_proof_is_for_what_it_covers_alone),
        TEST(an_order_that_was_overheard_is_not_given_again),
        TEST(a_room_is_shown_without_a_key_and_revealed_with_one),
        TEST(what_is_not_confirmed_is_not_shown), TEST(rooms_come_in_the_order_of_their_ids),
        TEST(a_kick_is_answered_when_redis_has_it_and_done_once),
        TEST(a_closed_room_is_told_archived_and_deleted),
        TEST(rooms_are_not_changed_while_an_older_worker_is_there),
        TEST(a_drained_worker_stays_and_takes_rooms_again),
        TEST(what_is_being_handed_over_is_handed_over),
        TEST(a_drained_worker_that_is_told_to_end_ends), TEST(the_last_worker_is_not_drained));
}
