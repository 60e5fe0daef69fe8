/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match and public rooms: newcomers go where somebody is.
 */
#include "room/room.h"
#include "unit/matchmaker/quick.h"

/* The public list is one room of w1's for two more people. */
static void say_public(room_id room, struct id128 owner, struct room_summary *summary)
{
    struct buf bytes = {0};
    *summary =
        (struct room_summary){.game = "toy", .host = "", .seated = 2, .seats = 4, .listed = true};
    code_write(room_id_bits(room), summary->code);
    room_summary_encode(summary, &bytes);
    struct slice summaries[] = {buf_slice(&bytes)};
    const struct effect *asked = bench_find(&bench, EFFECT_STORE, STORE_PUBLIC);
    assert_non_null(asked);
    struct store_reply list = {.kind = STORE_PUBLIC,
                               .tag = asked->op.tag,
                               .public_rooms = &room,
                               .public_owners = &owner,
                               .summaries = summaries,
                               .public_count = 1};
    bench_store(&bench, &list);
    buf_fini(&bytes);
}

static void say_room(room_id room, const struct room_summary *summary)
{
    struct buf bytes = {0};
    room_summary_encode(summary, &bytes);
    assert_true(bench_question(&bench)->op.room == room);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 9,
                                .summary = buf_slice(&bytes)};
    bench_store(&bench, &there);
    buf_fini(&bytes);
}

static void somebody_in_a_public_room_takes_newcomers_first(void **state)
{
    (void)state;
    struct room_summary summary;
    room_id room = 4242;
    quick_poll(1);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_PUBLIC));
    say_public(room, W1, &summary);
    if (!bench_find(&bench, EFFECT_STORE, STORE_FIND))
        assert_true(bench_run(&bench, 200, EFFECT_STORE, STORE_FIND));
    say_room(room, &summary);
    assert_true(quick_claim()->op.room == room);
    assert_int_equal(quick_claim()->op.expected, 0);
    quick_say_claim(ST_OK);
    quick_assert_told(1, room);
}

/* It has turned the first one away; the second is welcome. */
static void nobody_is_sent_again_where_they_were_turned_away(void **state)
{
    (void)state;
    struct room_summary summary;
    room_id room = 4242;
    quick_ask_but(1, room);
    quick_say_claimed(0, 0);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_PUBLIC));
    say_public(room, W1, &summary);
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_FIND));
    assert_false(bench_run(&bench, 300, EFFECT_STORE, STORE_FIND));
    quick_poll(2);
    if (!bench_find(&bench, EFFECT_STORE, STORE_FIND))
        assert_true(bench_run(&bench, 200, EFFECT_STORE, STORE_FIND));
    say_room(room, &summary);
    assert_int_equal(quick_claim()->op.ticket_count, 1);
    assert_int_equal(quick_claim()->op.tickets[0].byte[0], 2);
}

/* Its people have gone since the list was read. */
static void nobody_is_sent_where_nobody_is_any_more(void **state)
{
    (void)state;
    struct room_summary summary;
    room_id room = 4242;
    quick_poll(1);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_PUBLIC));
    say_public(room, W1, &summary);
    if (!bench_find(&bench, EFFECT_STORE, STORE_FIND))
        assert_true(bench_run(&bench, 200, EFFECT_STORE, STORE_FIND));
    summary.listed = false;
    say_room(room, &summary);
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_CLAIM));
    assert_true(bench_answer(&bench, quick_poll(1))->pending);
    assert_false(bench_run(&bench, 500, EFFECT_STORE, STORE_FIND));
}

/* After a fall of everything: who seems to wait there may have gone long ago. */
static void a_public_room_of_a_dead_worker_gets_an_owner_before_anybody_is_sent_there(void **state)
{
    (void)state;
    struct room_summary summary;
    room_id room = 4242;
    bench_run(&bench, 2000, EFFECT_EXIT, NO_KIND);
    quick_poll(1);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_PUBLIC));
    say_public(room, (struct id128){{0x77}}, &summary);
    const struct effect *find = bench_question(&bench);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = find->op.tag,
                                .room = room,
                                .owner = {{0x77}},
                                .owner_url = "ipc://gone",
                                .epoch = 9};
    bench_store(&bench, &there);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
    assert_false(bench_run(&bench, 500, EFFECT_STORE, STORE_FIND));
}

static void a_worker_that_missed_a_heartbeat_keeps_its_rooms_on_the_list(void **state)
{
    (void)state;
    struct room_summary summary;
    struct request request = {.kind = REQ_PUBLIC, .id = {{5}}};
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    bench_run(&bench, 2 * MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    bench_request(&bench, &request);
    say_public(4242, W1, &summary);
    request.id.byte[0]++;
    assert_int_equal(bench_answer(&bench, bench_request(&bench, &request))->public_count, 1);
}

/* It would show rooms that are full or gone by now. */
static void a_list_of_rooms_that_was_read_long_ago_is_not_told(void **state)
{
    (void)state;
    struct room_summary summary;
    struct request request = {.kind = REQ_PUBLIC, .id = {{5}}};
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    assert_int_equal(bench_answer(&bench, bench_request(&bench, &request))->status, ST_UNAVAILABLE);
    say_public(4242, W1, &summary);
    request.id.byte[0]++;
    assert_int_equal(bench_answer(&bench, bench_request(&bench, &request))->public_count, 1);
    bench_run(&bench, 60 * 1000, EFFECT_EXIT, NO_KIND);
    request.id.byte[0]++;
    assert_int_equal(bench_answer(&bench, bench_request(&bench, &request))->status, ST_UNAVAILABLE);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(somebody_in_a_public_room_takes_newcomers_first),
                     BENCH_TEST(nobody_is_sent_again_where_they_were_turned_away),
                     BENCH_TEST(nobody_is_sent_where_nobody_is_any_more),
                     BENCH_TEST(
                         a_public_room_of_a_dead_worker_gets_an_owner_before_anybody_is_sent_there),
                     BENCH_TEST(a_worker_that_missed_a_heartbeat_keeps_its_rooms_on_the_list),
                     BENCH_TEST(a_list_of_rooms_that_was_read_long_ago_is_not_told));
}
