/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of many rooms together: deadlines, codes, the public list; and tickets.
 */
#include "unit/store/conformance_parts.h"

#define A test_id(1)
#define B test_id(2)

static struct store_reply due(instant_ms ahead, uint64_t skip, int limit)
{
    return run(
        (struct store_op){.kind = STORE_DUE, .ahead_ms = ahead, .cursor = skip, .limit = limit});
}

static struct store_op armed(struct store_op op, uint64_t number, instant_ms due_in)
{
    op.deadline_changed = true;
    op.deadline = (struct store_deadline){true, number, due_in};
    return op;
}

static void deadlines_come_in_order_with_their_owners(void **unused)
{
    (void)unused;
    room_id late = test_room(0, 1), early = test_room(1, 1), far = test_room(2, 1);
    uint64_t epoch = run(armed(create_op(late, A), 4, 50)).epoch;
    done(armed(create_op(early, B), 9, 0));
    done(armed(create_op(far, B), 1, 100000));

    struct store_reply found = due(1000, 0, 10);
    assert_int_equal(found.status, ST_OK);
    assert_int_equal(found.due_count, 2);
    assert_true(found.due[0].room == early && found.due[0].number == 9 &&
                found.due[0].due_in_ms <= 0);
    assert_true(id128_equal(found.due[0].owner, B));
    assert_string_equal(found.due[0].owner_url, "tcp://worker:2");
    assert_true(found.due[1].room == late && found.due[1].number == 4 &&
                found.due[1].epoch == epoch);
    assert_true(found.due[1].due_in_ms <= 50);
    assert_true(found.next_due_in_ms > 1000 && found.next_due_in_ms <= 100000);
}

static void a_page_of_deadlines_names_the_next_one(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 5; i++) done(armed(create_op(test_room(i, 1), A), 1, 10 * i));
    struct store_reply first = due(1000, 0, 2);
    assert_int_equal(first.due_count, 2);
    assert_true(first.next_due_in_ms <= 20);
    struct store_reply second = due(1000, 2, 2);
    assert_int_equal(second.due_count, 2);
    assert_true(second.due[0].room == test_room(2, 1));
    struct store_reply last = due(1000, 4, 2);
    assert_int_equal(last.due_count, 1);
    assert_true(last.next_due_in_ms == INT64_MAX);
    struct store_reply behind = due(1000, 99, 2);
    assert_true(behind.due_count == 0 && behind.next_due_in_ms == INT64_MAX);
}

static void what_is_read_as_due_stays_until_an_append(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(armed(create_op(room, A), 1, 0)).epoch;
    for (int i = 0; i < 3; i++) assert_int_equal(due(0, 0, 10).due_count, 1);
    done(armed(append_op(room, epoch, A, 0, "clock"), 2, 5000));
    assert_int_equal(due(0, 0, 10).due_count, 0);
}

static void an_append_moves_and_ends_a_deadline(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(armed(create_op(room, A), 1, 10)).epoch;
    done(armed(append_op(room, epoch, A, 0, "one"), 2, 5000));
    assert_int_equal(due(100, 0, 10).due_count, 0);
    struct store_reply moved = due(6000, 0, 10);
    assert_true(moved.due_count == 1 && moved.due[0].number == 2);

    struct store_op disarm = append_op(room, epoch, A, 1, "two");
    disarm.deadline_changed = true;
    disarm.deadline.number = 3;
    done(disarm);
    assert_int_equal(due(100000, 0, 10).due_count, 0);
    struct store_reply taken = run(take_op(room, epoch, B));
    assert_true(!taken.deadline.armed && taken.deadline.number == 3);
}

static void an_append_without_entries_changes_a_deadline(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    struct store_reply armed_only = run(armed(append_op(room, epoch, A, 0, ""), 1, 10));
    assert_true(armed_only.status == ST_OK && armed_only.position == 0);
    assert_int_equal(due(100, 0, 10).due_count, 1);
    done(armed(append_op(room, epoch, A, 0, ""), 1, 5000)); /* put off under its number */
    assert_int_equal(due(100, 0, 10).due_count, 0);
}

static void a_repeated_append_does_not_put_its_deadline_off(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    done(armed(append_op(room, epoch, A, 0, "one"), 1, 20));
    under_test->pass(under_test->self, 15);
    done(armed(append_op(room, epoch, A, 0, "one"), 1, 20));
    struct store_reply found = due(1000, 0, 10);
    assert_int_equal(found.due_count, 1);
    assert_true(found.due[0].due_in_ms <= 5);
}

static void an_older_deadline_does_not_replace_a_newer(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    done(armed(append_op(room, epoch, A, 0, "one"), 1, 10));
    done(armed(append_op(room, epoch, A, 1, "two"), 2, 5000));
    done(armed(append_op(room, epoch, A, 0, "one"), 1, 10));
    assert_int_equal(due(100, 0, 10).due_count, 0);
    assert_true(due(6000, 0, 10).due[0].number == 2);
}

static void a_refused_append_leaves_the_deadline_alone(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(armed(create_op(room, A), 1, 5000)).epoch;
    assert_int_equal(run(armed(append_op(room, epoch, A, 7, "x"), 2, 0)).status, ST_MISMATCH);
    assert_int_equal(run(armed(append_op(room, epoch, B, 0, "x"), 2, 0)).status, ST_FENCED);
    assert_int_equal(due(100, 0, 10).due_count, 0);
}

static void a_room_without_an_owner_is_still_due(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    done(armed(owner_op(STORE_RELEASE, room, epoch, A), 1, 0));
    struct store_reply found = due(0, 0, 10);
    assert_int_equal(found.due_count, 1);
    assert_true(id128_is_zero(found.due[0].owner) && found.due[0].epoch == epoch);
    assert_string_equal(found.due[0].owner_url, "");
}

static void a_take_tells_the_deadline_that_is_left(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = run(armed(create_op(room, A), 6, 10000)).epoch;
    struct store_reply taken = run(take_op(room, epoch, B));
    assert_true(taken.deadline.armed && taken.deadline.number == 6);
    assert_true(taken.deadline.due_in_ms > 5000 && taken.deadline.due_in_ms <= 10000);

    done(armed(append_op(room, taken.epoch, B, 0, "one"), 7, 0));
    under_test->pass(under_test->self, 3);
    struct store_reply late = run(take_op(room, taken.epoch, A));
    assert_true(late.deadline.armed && late.deadline.due_in_ms == 0);
}

static void a_room_is_found_by_its_code(void **unused)
{
    (void)unused;
    room_id room = test_room(3, 1);
    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(room), code);
    struct store_op find = {.kind = STORE_FIND, .code = code};
    assert_int_equal(run(find).status, ST_UNKNOWN);
    uint64_t epoch = made(room, A);
    struct store_reply found = run(find);
    assert_true(found.status == ST_OK && found.room == room && found.epoch == epoch);
    assert_true(id128_equal(found.owner, A));
}

static void a_summary_changes_with_an_append(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    struct store_op op = append_op(room, epoch, A, 0, "one");
    op.summary = slice_text("two sit");
    done(op);
    done(append_op(room, epoch, A, 1, "two")); /* unchanged */
    struct store_reply found = run((struct store_op){.kind = STORE_FIND, .room = room});
    assert_true(slice_equal(found.summary, slice_text("two sit")));
}

static struct store_op listed(struct store_op op, enum store_listing listing)
{
    op.listing = listing;
    return op;
}

static void the_public_list_is_newest_first(void **unused)
{
    (void)unused;
    uint64_t epochs[3];
    for (uint32_t i = 0; i < 3; i++) {
        epochs[i] = run(listed(create_op(test_room(i, 1), A), LISTING_SHOW)).epoch;
        under_test->pass(under_test->self, 2);
    }
    made(test_room(3, 1), A); /* not public */
    /* Shown again: it keeps its place. */
    done(listed(append_op(test_room(0, 1), epochs[0], A, 0, "one"), LISTING_SHOW));

    struct store_op op = {.kind = STORE_PUBLIC, .limit = 10};
    struct store_reply list = run(op);
    assert_int_equal(list.public_count, 3);
    assert_true(list.public_rooms[0] == test_room(2, 1) && list.public_rooms[2] == test_room(0, 1));
    assert_true(slice_equal(list.summaries[0], slice_text("a lobby")));
    assert_true(id128_equal(list.public_owners[0], A));
    done(owner_op(STORE_RELEASE, test_room(1, 1), epochs[1], A));
    assert_true(id128_is_zero(run(op).public_owners[1]));

    done(listed(append_op(test_room(2, 1), epochs[2], A, 0, "start"), LISTING_HIDE));
    op.limit = 1;
    list = run(op);
    assert_true(list.public_count == 1 && list.public_rooms[0] == test_room(1, 1));
}

static struct store_op claim_op(room_id room, uint8_t first, int count)
{
    struct store_op op = {.kind = STORE_CLAIM, .room = room, .ticket_count = count};
    for (int i = 0; i < count; i++) op.tickets[i] = test_id((uint8_t)(first + i));
    return op;
}

static void a_claim_takes_all_tickets_or_none(void **unused)
{
    (void)unused;
    room_id first = test_room(0, 1), second = test_room(1, 1);
    done(claim_op(first, 20, 3));
    done(claim_op(first, 20, 3)); /* its repeat */
    struct store_reply taken = run(claim_op(second, 22, 3));
    assert_int_equal(taken.status, ST_EXISTS);
    assert_true(taken.room == first);
    done(claim_op(second, 23, 2)); /* the failed one has claimed neither of these, */
    assert_int_equal(run(claim_op(second, 18, 3)).status, ST_EXISTS);
    done(claim_op(test_room(2, 1), 18, 2)); /* nor those before the one that was taken */
}

static void a_claimed_ticket_tells_where_it_went(void **unused)
{
    (void)unused;
    room_id made_yet = test_room(0, 1), there = test_room(1, 1);
    struct store_op ask = {.kind = STORE_CLAIMED, .tickets = {test_id(21)}, .ticket_count = 1};
    assert_int_equal(run(ask).status, ST_UNKNOWN);
    struct store_op claim = claim_op(made_yet, 20, 3);
    claim.expected = 3;
    done(claim);
    struct store_reply went = run(ask);
    assert_int_equal(went.status, ST_OK);
    assert_true(went.room == made_yet);
    assert_int_equal(went.expected, 3);

    done(claim_op(there, 40, 1));
    ask.tickets[0] = test_id(40);
    went = run(ask);
    assert_true(went.status == ST_OK && went.room == there);
    assert_int_equal(went.expected, 0);
}

const struct CMUnitTest set_tests[] = {
    SUITE_TEST(deadlines_come_in_order_with_their_owners),
    SUITE_TEST(a_page_of_deadlines_names_the_next_one),
    SUITE_TEST(what_is_read_as_due_stays_until_an_append),
    SUITE_TEST(an_append_moves_and_ends_a_deadline),
    SUITE_TEST(an_append_without_entries_changes_a_deadline),
    SUITE_TEST(a_repeated_append_does_not_put_its_deadline_off),
    SUITE_TEST(an_older_deadline_does_not_replace_a_newer),
    SUITE_TEST(a_refused_append_leaves_the_deadline_alone),
    SUITE_TEST(a_room_without_an_owner_is_still_due),
    SUITE_TEST(a_take_tells_the_deadline_that_is_left),
    SUITE_TEST(a_room_is_found_by_its_code),
    SUITE_TEST(a_summary_changes_with_an_append),
    SUITE_TEST(the_public_list_is_newest_first),
    SUITE_TEST(a_claim_takes_all_tickets_or_none),
    SUITE_TEST(a_claimed_ticket_tells_where_it_went),
};
const size_t set_test_count = sizeof set_tests / sizeof *set_tests;
