/* SPDX-License-Identifier: Apache-2.0
 *
 * A store that has lost a room gets it again from whoever owns it (rule 4), once, and never one
 * that was deleted on purpose. `clear` is what loses everything here.
 */
#include "base/hash.h"
#include "unit/store/conformance_parts.h"

#define A    test_id(1)
#define B    test_id(2)
#define ROOM test_room(1, 9)

static void lose_all(void)
{
    under_test->clear(under_test->self);
}

static struct store_reply tail(void)
{
    return run((struct store_op){.kind = STORE_TAIL, .room = ROOM});
}

static void a_lost_room_is_written_again_by_its_owner(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three"));
    lose_all();
    assert_int_equal(run(append_op(ROOM, epoch, A, 3, "four")).status, ST_UNKNOWN);

    struct store_op restore = restore_op(ROOM, epoch, A, 3, "two three");
    restore.deadline_changed = true;
    restore.deadline = (struct store_deadline){true, 7, 500};
    restore.listing = LISTING_SHOW;
    struct store_reply again = run(restore);
    assert_int_equal(again.status, ST_OK);
    assert_true(again.epoch > epoch && again.position == 3);
    assert_true(id128_equal(again.hash, hash_128(slice_text("three"))));

    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(ROOM), code);
    struct store_reply found = run((struct store_op){.kind = STORE_FIND, .code = code});
    assert_true(found.status == ST_OK && found.room == ROOM && found.epoch == again.epoch);
    assert_true(id128_equal(found.owner, A) && slice_equal(found.summary, slice_text("a lobby")));
    struct store_reply owned =
        run((struct store_op){.kind = STORE_OWNED, .instance = A, .limit = 9});
    assert_true(owned.room_count == 1 && owned.rooms[0] == ROOM);
    assert_int_equal(run((struct store_op){.kind = STORE_PUBLIC, .limit = 9}).public_count, 1);
    struct store_reply due =
        run((struct store_op){.kind = STORE_DUE, .ahead_ms = 1000, .limit = 9});
    assert_true(due.due_count == 1 && due.due[0].number == 7 && due.due[0].room == ROOM);

    done(append_op(ROOM, again.epoch, A, 3, "four"));
    struct store_reply taken = run(take_op(ROOM, again.epoch, B));
    assert_true(slice_equal(taken.record, slice_text("the record")));
    assert_true(slice_equal(taken.snapshot, slice_text("state at the end")));
    assert_true(taken.snapshot_position == 3 && taken.position == 4 && taken.entry_count == 1);
    assert_false(taken.released);
}

static void a_room_without_an_entry_is_written_again_too(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    lose_all();
    struct store_op restore = restore_op(ROOM, epoch, A, 0, "");
    restore.snapshot = (struct slice){0};
    struct store_reply again = run(restore);
    assert_true(again.status == ST_OK && again.position == 0 && id128_is_zero(again.hash));
    done(append_op(ROOM, again.epoch, A, 0, "one"));
    assert_int_equal(run(take_op(ROOM, again.epoch, B)).snapshot_position, 0);
    assert_log(ROOM, B, "one");
}

static void a_restore_repeated_answers_the_same(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    lose_all();
    struct store_op restore = restore_op(ROOM, epoch, A, 2, "one two");
    struct store_reply first = run(restore);
    under_test->pass(under_test->self, 3);
    struct store_reply again = run(restore);
    assert_true(again.status == ST_OK && again.epoch == first.epoch && again.position == 2);
    assert_true(id128_equal(again.hash, first.hash));
}

/* Lost twice: the epoch rises, whose room it is does not change. */
static void a_room_is_lost_and_written_again_more_than_once(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    lose_all();
    uint64_t second = run(restore_op(ROOM, epoch, A, 1, "one")).epoch;
    lose_all();
    struct store_op restore = restore_op(ROOM, second, A, 2, "one two");
    restore.owned_since = epoch;
    struct store_reply again = run(restore);
    assert_true(again.status == ST_OK && again.epoch > second && again.position == 2);
    assert_true(tail().restored_from == epoch);
    /* A new owner is one by its take. */
    assert_int_equal(run(take_op(ROOM, again.epoch, B)).status, ST_OK);
    assert_true(tail().restored_from == 0);
}

static void what_was_not_lost_is_not_written_again(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_reply own = run(restore_op(ROOM, epoch, A, 2, "another"));
    assert_true(own.status == ST_OK && own.epoch == epoch && own.position == 2);
    assert_log(ROOM, A, "one two");

    struct store_reply taken = run(take_op(ROOM, epoch, B));
    struct store_reply fenced = run(restore_op(ROOM, epoch, A, 3, "three"));
    assert_int_equal(fenced.status, ST_FENCED);
    assert_true(fenced.epoch == taken.epoch && id128_equal(fenced.owner, B));
    assert_true(fenced.restored_from == 0);
    assert_log(ROOM, B, "one two");
}

/* What it has is the beginning of what its owner has: nobody else writes at that epoch. */
static void a_store_that_was_set_back_gets_its_owners_longer_room(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    struct store_op longer = restore_op(ROOM, epoch, A, 5, "four five");
    struct store_reply again = run(longer);
    assert_true(again.status == ST_OK && again.epoch > epoch && again.position == 5);
    struct store_reply repeated = run(longer);
    assert_true(repeated.status == ST_OK && repeated.epoch == again.epoch);
    assert_int_equal(run(restore_op(ROOM, epoch, B, 9, "more")).status, ST_FENCED);
    assert_true(tail().position == 5 && tail().restored_from == epoch);
}

static void a_deleted_room_does_not_rise_again(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    done(owner_op(STORE_DELETE, ROOM, taken.epoch, B));
    assert_int_equal(run(restore_op(ROOM, epoch, A, 1, "one")).status, ST_UNKNOWN);
    assert_int_equal(run(restore_op(ROOM, taken.epoch, B, 1, "one")).status, ST_UNKNOWN);
    assert_int_equal(tail().status, ST_UNKNOWN);
    assert_int_equal(under_test->keys(under_test->self), 0);
}

/* A was set back by B without having heard of it; then the store forgot both. */
static void the_later_owner_replaces_what_an_earlier_one_wrote_again(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    uint64_t later = run(take_op(ROOM, epoch, B)).epoch;
    lose_all();
    uint64_t risen = run(restore_op(ROOM, epoch, A, 1, "old")).epoch;
    struct store_reply fenced = run(append_op(ROOM, later, B, 2, "three"));
    assert_int_equal(fenced.status, ST_FENCED);
    assert_true(fenced.epoch == risen && fenced.restored_from == epoch);
    assert_true(tail().restored_from == epoch);

    struct store_reply newer = run(restore_op(ROOM, later, B, 2, "one two"));
    assert_int_equal(newer.status, ST_OK);
    assert_true(newer.epoch > risen && newer.position == 2);
    assert_int_equal(run(append_op(ROOM, risen, A, 1, "more")).status, ST_FENCED);
    struct store_reply owned =
        run((struct store_op){.kind = STORE_OWNED, .instance = A, .limit = 9});
    assert_int_equal(owned.room_count, 0);
}

static void an_earlier_owner_does_not_replace_what_a_later_one_wrote_again(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    uint64_t later = run(take_op(ROOM, epoch, B)).epoch;
    lose_all();
    uint64_t risen = run(restore_op(ROOM, later, B, 2, "one two")).epoch;
    struct store_reply fenced = run(restore_op(ROOM, epoch, A, 1, "old"));
    assert_int_equal(fenced.status, ST_FENCED);
    assert_true(fenced.epoch == risen && fenced.restored_from == later);
    assert_true(tail().position == 2);
}

static void a_code_that_another_room_has_by_now_is_not_taken_from_it(void **unused)
{
    (void)unused;
    room_id other = test_room(1, 10);
    uint64_t epoch = made(ROOM, A);
    lose_all();
    made(other, B);
    struct store_reply exists = run(restore_op(ROOM, epoch, A, 1, "one"));
    assert_true(exists.status == ST_EXISTS && exists.room == other);
    assert_int_equal(tail().status, ST_UNKNOWN);
}

static struct store_op finish_op(uint64_t epoch, uint64_t first, uint64_t position)
{
    struct store_op op = owner_op(STORE_FINISH, ROOM, epoch, A);
    op.position = position;
    op.snapshot = slice_text("after the game");
    op.game_number = 1;
    op.first = first;
    op.keep_s = 60;
    return op;
}

static void a_game_is_archived_whole_or_not_at_all(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    lose_all();
    epoch = run(restore_op(ROOM, epoch, A, 5, "act act")).epoch; /* entries 4 and 5 are left */
    done(append_op(ROOM, epoch, A, 5, "end"));
    struct store_reply finished = run(finish_op(epoch, 3, 6));
    assert_true(finished.status == ST_OK && finished.snapshot_position == 6);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), -1);

    lose_all();
    epoch = run(restore_op(ROOM, epoch, A, 5, "start act act")).epoch;
    done(append_op(ROOM, epoch, A, 5, "end"));
    done(finish_op(epoch, 3, 6));
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), 1 + 4);
}

static void what_was_archived_before_is_not_archived_again(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    lose_all();
    struct store_op restore = restore_op(ROOM, epoch, A, 3, "start act end");
    restore.game_number = 1;
    epoch = run(restore).epoch;
    done(finish_op(epoch, 1, 3));
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), -1);
}

static void leases_tell_a_store_that_forgot(void **unused)
{
    (void)unused;
    struct store_op renew = {.kind = STORE_LEASE, .instance = A};
    struct store_op find = {.kind = STORE_FIND, .room = ROOM, .instance = A};
    assert_true(run(renew).last_lease_redis_ms == 0);
    under_test->pass(under_test->self, 4);
    struct store_reply second = run(renew);
    assert_true(second.last_lease_redis_ms != 0);
    assert_true(second.last_lease_redis_ms < second.redis_ms);
    struct store_reply unknown = run(find);
    assert_int_equal(unknown.status, ST_UNKNOWN);
    assert_true(unknown.last_lease_redis_ms == second.redis_ms);
    lose_all();
    assert_true(run(find).last_lease_redis_ms == 0);
    assert_true(run(renew).last_lease_redis_ms == 0);
}

const struct CMUnitTest restore_tests[] = {
    SUITE_TEST(a_lost_room_is_written_again_by_its_owner),
    SUITE_TEST(a_room_without_an_entry_is_written_again_too),
    SUITE_TEST(a_restore_repeated_answers_the_same),
    SUITE_TEST(a_room_is_lost_and_written_again_more_than_once),
    SUITE_TEST(what_was_not_lost_is_not_written_again),
    SUITE_TEST(a_store_that_was_set_back_gets_its_owners_longer_room),
    SUITE_TEST(a_deleted_room_does_not_rise_again),
    SUITE_TEST(the_later_owner_replaces_what_an_earlier_one_wrote_again),
    SUITE_TEST(an_earlier_owner_does_not_replace_what_a_later_one_wrote_again),
    SUITE_TEST(a_code_that_another_room_has_by_now_is_not_taken_from_it),
    SUITE_TEST(a_game_is_archived_whole_or_not_at_all),
    SUITE_TEST(what_was_archived_before_is_not_archived_again),
    SUITE_TEST(leases_tell_a_store_that_forgot),
};
const size_t restore_test_count = sizeof restore_tests / sizeof *restore_tests;
