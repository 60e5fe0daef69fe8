/* SPDX-License-Identifier: Apache-2.0
 *
 * Epochs and the log: create, take, append, tail.
 */
#include "base/hash.h"
#include "unit/store/conformance_parts.h"

#define A    test_id(1)
#define B    test_id(2)
#define ROOM test_room(0, 5)

static void a_room_is_created_empty_and_owned(void **unused)
{
    (void)unused;
    struct store_reply created = run(create_op(ROOM, A));
    assert_int_equal(created.status, ST_OK);
    assert_true(created.epoch == created.redis_ms);
    assert_true(created.position == 0 && id128_is_zero(created.hash));

    struct store_op find = {.kind = STORE_FIND, .room = ROOM};
    struct store_reply found = run(find);
    assert_int_equal(found.status, ST_OK);
    assert_true(found.epoch == created.epoch && id128_equal(found.owner, A));
    assert_string_equal(found.owner_url, "tcp://worker:1");
    assert_true(slice_equal(found.summary, slice_text("a lobby")));
}

static void the_same_request_creates_once(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one"));
    struct store_reply again = run(create_op(ROOM, A));
    assert_int_equal(again.status, ST_OK);
    assert_true(again.epoch == epoch && again.position == 1);
    assert_true(id128_equal(again.hash, hash_128(slice_text("one"))));
}

static void the_same_request_by_another_worker_learns_the_owner(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply other = run(create_op(ROOM, B));
    assert_int_equal(other.status, ST_FENCED);
    assert_true(other.epoch == epoch && id128_equal(other.owner, A));
    assert_string_equal(other.owner_url, "tcp://worker:1");
}

static void a_code_belongs_to_one_room(void **unused)
{
    (void)unused;
    made(ROOM, A);
    struct store_op second = create_op(test_room(0, 6), A);
    second.request = test_id(0x78);
    struct store_reply refused = run(second);
    assert_int_equal(refused.status, ST_EXISTS);
    assert_true(refused.room == ROOM);
    assert_int_equal(run(take_op(test_room(0, 6), 0, A)).status, ST_UNKNOWN);

    struct store_op same_room = create_op(ROOM, A);
    same_room.request = test_id(0x78);
    assert_int_equal(run(same_room).status, ST_EXISTS);
}

static void a_take_raises_the_epoch_and_reads_everything(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three"));
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_int_equal(taken.status, ST_OK);
    assert_true(taken.epoch > epoch && taken.epoch >= taken.redis_ms);
    assert_true(taken.position == 3);
    assert_true(id128_equal(taken.hash, hash_128(slice_text("three"))));
    assert_true(slice_equal(taken.record, slice_text("the record")));
    assert_true(taken.snapshot_position == 0 && taken.snapshot.len == 0);
    assert_int_equal(taken.entry_count, 3);
    assert_true(slice_equal(taken.entries[0], slice_text("one")));
    assert_true(slice_equal(taken.entries[2], slice_text("three")));
    assert_false(taken.deadline.armed);
}

static void takes_in_the_same_millisecond_still_raise_the_epoch(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    for (uint8_t i = 0; i < 20; i++) {
        struct store_reply taken = run(take_op(ROOM, epoch, test_id(i % 2 ? 1 : 2)));
        assert_int_equal(taken.status, ST_OK);
        assert_true(taken.epoch > epoch);
        epoch = taken.epoch;
    }
}

static void a_repeated_take_answers_the_same(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done((struct store_op){.kind = STORE_LEASE, .instance = A});
    done(append_op(ROOM, epoch, A, 0, "one"));
    under_test->pass(under_test->self, 5);
    struct store_reply first = run(take_op(ROOM, epoch, B));
    under_test->pass(under_test->self, 5);
    struct store_reply again = run(take_op(ROOM, epoch, B));
    assert_int_equal(again.status, ST_OK);
    assert_true(again.epoch == first.epoch);
    assert_int_equal(again.entry_count, 1);
    assert_true(again.last_lease_redis_ms == first.last_lease_redis_ms &&
                first.last_lease_redis_ms != 0);
    assert_true(again.last_entry_redis_ms == first.last_entry_redis_ms);
    assert_false(again.released);
}

static void of_two_competing_takes_one_wins(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply winner = run(take_op(ROOM, epoch, B));
    struct store_reply loser = run(take_op(ROOM, epoch, test_id(3)));
    assert_int_equal(winner.status, ST_OK);
    assert_int_equal(loser.status, ST_FENCED);
    assert_true(loser.epoch == winner.epoch && id128_equal(loser.owner, B));
    assert_string_equal(loser.owner_url, "tcp://worker:2");
}

static void an_owner_may_take_its_own_room_anew(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply again = run(take_op(ROOM, epoch, A));
    assert_int_equal(again.status, ST_OK);
    assert_true(again.epoch > epoch);
    assert_int_equal(run(append_op(ROOM, epoch, A, 0, "one")).status, ST_FENCED);
    done(append_op(ROOM, again.epoch, A, 0, "one"));
}

static void a_write_of_a_former_owner_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one"));
    uint64_t later = run(take_op(ROOM, epoch, B)).epoch;

    static const enum store_op_kind kinds[] = {STORE_APPEND, STORE_SNAPSHOT, STORE_FINISH,
                                               STORE_RELEASE, STORE_DELETE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct store_op op = append_op(ROOM, epoch, A, 1, "two");
        op.kind = kinds[i];
        op.first = op.game_number = 1;
        op.snapshot = slice_text("stale");
        struct store_reply refused = run(op);
        assert_int_equal(refused.status, ST_FENCED);
        assert_true(refused.epoch == later && id128_equal(refused.owner, B));
        assert_string_equal(refused.owner_url, "tcp://worker:2");
    }
    assert_log(ROOM, B, "one");
}

static void the_right_epoch_of_another_instance_is_refused(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    assert_int_equal(run(append_op(ROOM, epoch, B, 0, "one")).status, ST_FENCED);
    assert_log(ROOM, A, "");
}

static void appends_follow_each_other(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply first = run(append_op(ROOM, epoch, A, 0, "one two"));
    assert_true(first.status == ST_OK && first.position == 2);
    struct store_reply second = run(append_op(ROOM, epoch, A, 2, "three"));
    assert_true(second.status == ST_OK && second.position == 3);
    assert_true(id128_equal(second.hash, hash_128(slice_text("three"))));
    assert_log(ROOM, A, "one two three");
}

static void a_repeated_append_is_recognised(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_reply again = run(append_op(ROOM, epoch, A, 0, "one two"));
    assert_true(again.status == ST_OK && again.position == 2);
    assert_true(id128_equal(again.hash, hash_128(slice_text("two"))));
    assert_log(ROOM, A, "one two");
}

static void an_older_append_repeated_leaves_the_newer_in_place(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one"));
    done(append_op(ROOM, epoch, A, 1, "two three"));
    struct store_reply again = run(append_op(ROOM, epoch, A, 0, "one"));
    assert_true(again.status == ST_OK && again.position == 3);
    assert_true(id128_equal(again.hash, hash_128(slice_text("three"))));
    assert_log(ROOM, A, "one two three");
}

static void an_append_that_was_carried_out_in_part_is_completed(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_reply whole = run(append_op(ROOM, epoch, A, 0, "one two three four"));
    assert_true(whole.status == ST_OK && whole.position == 4);
    assert_log(ROOM, A, "one two three four");
}

static void an_append_over_other_entries_is_a_mismatch(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_reply other = run(append_op(ROOM, epoch, A, 0, "one TWO three"));
    assert_int_equal(other.status, ST_MISMATCH);
    assert_true(other.position == 2 && id128_equal(other.hash, hash_128(slice_text("two"))));
    assert_log(ROOM, A, "one two");
}

static void an_append_behind_the_end_is_a_mismatch(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply gap = run(append_op(ROOM, epoch, A, 1, "two"));
    assert_int_equal(gap.status, ST_MISMATCH);
    assert_true(gap.position == 0 && id128_is_zero(gap.hash));
    done(append_op(ROOM, epoch, A, 0, "one"));
    gap = run(append_op(ROOM, epoch, A, 2, "three"));
    assert_true(gap.status == ST_MISMATCH && gap.position == 1);
    gap = run(append_op(ROOM, epoch, A, 3, "four five"));
    assert_true(gap.status == ST_MISMATCH && gap.position == 1);
    assert_true(id128_equal(gap.hash, hash_128(slice_text("one"))));
    assert_log(ROOM, A, "one");
}

static void an_append_below_what_was_trimmed_is_a_mismatch(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "same same same"));
    struct store_op snapshot = owner_op(STORE_SNAPSHOT, ROOM, epoch, A);
    snapshot.position = snapshot.trim_to = 2;
    snapshot.snapshot = slice_text("state 2");
    done(snapshot);
    assert_int_equal(run(append_op(ROOM, epoch, A, 1, "same same more")).status, ST_MISMATCH);
    done(append_op(ROOM, epoch, A, 2, "same more"));
    assert_log(ROOM, A, "same more");
}

static void entries_are_bytes(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
    struct store_entry entry = {slice_of(bytes, sizeof bytes),
                                hash_128(slice_of(bytes, sizeof bytes))};
    struct store_op op = owner_op(STORE_APPEND, ROOM, epoch, A);
    op.entries = &entry;
    op.entry_count = 1;
    done(op);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_int_equal(taken.entry_count, 1);
    assert_true(slice_equal(taken.entries[0], entry.bytes));
}

static void a_tail_names_the_end_and_the_owner(void **unused)
{
    (void)unused;
    struct store_op tail = {.kind = STORE_TAIL, .room = ROOM};
    assert_int_equal(run(tail).status, ST_UNKNOWN);
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_reply end = run(tail);
    assert_int_equal(end.status, ST_OK);
    assert_true(end.epoch == epoch && id128_equal(end.owner, A) && end.position == 2);
    assert_true(id128_equal(end.hash, hash_128(slice_text("two"))));
}

static void ids_above_two_to_the_53_are_kept_exact(void **unused)
{
    (void)unused;
    room_id room = room_id_make(0x3fffffff - 31, 0xffffffff);
    while (room_shard(room) != 0) room -= (room_id)1 << 32;
    uint64_t epoch = made(room, A);
    done(append_op(room, epoch, A, 0, "one"));
    struct store_op owned = {.kind = STORE_OWNED, .instance = A, .limit = 10};
    struct store_reply page = run(owned);
    assert_int_equal(page.room_count, 1);
    assert_true(page.rooms[0] == room && page.epochs[0] == epoch);
}

static void a_restored_older_copy_hands_out_no_epoch_twice(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    under_test->remember(under_test->self);
    uint64_t second = run(take_op(ROOM, epoch, B)).epoch;
    uint64_t third = run(take_op(ROOM, second, A)).epoch;
    under_test->pass(under_test->self, 5);
    under_test->restore(under_test->self);
    struct store_op tail = {.kind = STORE_TAIL, .room = ROOM};
    assert_true(run(tail).epoch == epoch);
    struct store_reply taken = run(take_op(ROOM, epoch, test_id(3)));
    assert_int_equal(taken.status, ST_OK);
    assert_true(taken.epoch > third);
    assert_int_equal(run(append_op(ROOM, third, A, 0, "one")).status, ST_FENCED);
}

const struct CMUnitTest log_tests[] = {
    SUITE_TEST(a_room_is_created_empty_and_owned),
    SUITE_TEST(the_same_request_creates_once),
    SUITE_TEST(the_same_request_by_another_worker_learns_the_owner),
    SUITE_TEST(a_code_belongs_to_one_room),
    SUITE_TEST(a_take_raises_the_epoch_and_reads_everything),
    SUITE_TEST(takes_in_the_same_millisecond_still_raise_the_epoch),
    SUITE_TEST(a_repeated_take_answers_the_same),
    SUITE_TEST(of_two_competing_takes_one_wins),
    SUITE_TEST(an_owner_may_take_its_own_room_anew),
    SUITE_TEST(a_write_of_a_former_owner_is_refused_and_changes_nothing),
    SUITE_TEST(the_right_epoch_of_another_instance_is_refused),
    SUITE_TEST(appends_follow_each_other),
    SUITE_TEST(a_repeated_append_is_recognised),
    SUITE_TEST(an_older_append_repeated_leaves_the_newer_in_place),
    SUITE_TEST(an_append_that_was_carried_out_in_part_is_completed),
    SUITE_TEST(an_append_over_other_entries_is_a_mismatch),
    SUITE_TEST(an_append_behind_the_end_is_a_mismatch),
    SUITE_TEST(an_append_below_what_was_trimmed_is_a_mismatch),
    SUITE_TEST(entries_are_bytes),
    SUITE_TEST(a_tail_names_the_end_and_the_owner),
    SUITE_TEST(ids_above_two_to_the_53_are_kept_exact),
    SUITE_TEST(a_restored_older_copy_hands_out_no_epoch_twice),
};
const size_t log_test_count = sizeof log_tests / sizeof *log_tests;
