/* SPDX-License-Identifier: Apache-2.0
 *
 * From snapshots to the end of a room, and the time that passes between owners.
 */
#include "base/hash.h"
#include "unit/store/conformance_parts.h"

#define A    test_id(1)
#define B    test_id(2)
#define ROOM test_room(1, 9)

static struct store_op snapshot_op(uint64_t epoch, uint64_t position, uint64_t trim_to,
                                   const char *bytes)
{
    struct store_op op = owner_op(STORE_SNAPSHOT, ROOM, epoch, A);
    op.position = position;
    op.trim_to = trim_to;
    op.snapshot = slice_text(bytes);
    return op;
}

static struct store_op finish_op(uint64_t epoch, uint32_t number, uint64_t first, uint64_t position,
                                 uint64_t trim_to)
{
    struct store_op op = snapshot_op(epoch, position, trim_to, "state after the game");
    op.kind = STORE_FINISH;
    op.game_number = number;
    op.first = first;
    op.keep_s = 60;
    return op;
}

static void a_snapshot_shortens_what_a_take_reads(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three"));
    struct store_reply kept = run(snapshot_op(epoch, 2, 0, "state 2"));
    assert_true(kept.status == ST_OK && kept.position == 3 && kept.snapshot_position == 2);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(taken.snapshot_position == 2 && slice_equal(taken.snapshot, slice_text("state 2")));
    assert_int_equal(taken.entry_count, 1);
    assert_true(slice_equal(taken.entries[0], slice_text("three")));
    assert_true(taken.position == 3);
}

static void a_snapshot_at_the_end_leaves_nothing_to_replay(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    done(snapshot_op(epoch, 2, 2, "state 2"));
    assert_log(ROOM, A, "");
    done(append_op(ROOM, epoch, A, 2, "three"));
    assert_log(ROOM, A, "three");
}

static void where_the_log_ends_is_known_after_all_was_trimmed(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_op second = append_op(ROOM, epoch, A, 1, "two");
    done(append_op(ROOM, epoch, A, 0, "one"));
    instant_ms at = run(second).redis_ms;
    under_test->pass(under_test->self, 5);
    done(snapshot_op(epoch, 2, 2, "state 2"));
    struct store_reply end = run((struct store_op){.kind = STORE_TAIL, .room = ROOM});
    assert_true(end.position == 2 && id128_equal(end.hash, hash_128(slice_text("two"))));
    done(append_op(ROOM, epoch, A, 1, "two")); /* a repeat */
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(taken.position == 2 && taken.last_entry_redis_ms == at);
    assert_true(id128_equal(taken.hash, hash_128(slice_text("two"))));
}

static void a_snapshot_above_the_end_is_refused(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one"));
    assert_int_equal(run(snapshot_op(epoch, 2, 0, "state 2")).status, ST_STALE);
    assert_log(ROOM, A, "one");
}

static void a_snapshot_not_above_the_stored_one_is_refused(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three"));
    done(snapshot_op(epoch, 2, 0, "state 2"));
    struct store_reply again = run(snapshot_op(epoch, 2, 0, "another"));
    assert_true(again.status == ST_STALE && again.snapshot_position == 2 && again.position == 3);
    assert_int_equal(run(snapshot_op(epoch, 1, 1, "older")).status, ST_STALE);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(slice_equal(taken.snapshot, slice_text("state 2")));
}

static void a_snapshot_trims_no_more_than_it_is_told(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three four"));
    done(snapshot_op(epoch, 3, 1, "state 3"));
    /* Entry 2 is still there: a repeat from position 1 is recognised. */
    done(append_op(ROOM, epoch, A, 1, "two three four"));
    assert_int_equal(run(append_op(ROOM, epoch, A, 0, "one")).status, ST_MISMATCH);
}

static void a_finished_game_moves_out_of_the_log(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "join join start act act end"));
    struct store_reply kept = run(finish_op(epoch, 1, 3, 6, 6));
    assert_true(kept.status == ST_OK && kept.position == 6 && kept.snapshot_position == 6);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), 1 + 4);
    assert_log(ROOM, A, "");
    done(append_op(ROOM, epoch, A, 6, "rematch"));
    assert_log(ROOM, A, "rematch");
}

static void a_finish_repeated_does_nothing_more(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "start act end"));
    done(finish_op(epoch, 1, 1, 3, 3));
    done(append_op(ROOM, epoch, A, 3, "rematch"));
    struct store_reply again = run(finish_op(epoch, 1, 1, 3, 3));
    assert_int_equal(again.status, ST_OK);
    assert_true(again.position == 4);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), 1 + 3);
    assert_log(ROOM, A, "rematch");
}

static void a_finish_behind_a_newer_snapshot_still_archives(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "start act end after"));
    done(snapshot_op(epoch, 4, 0, "state 4"));
    struct store_reply kept = run(finish_op(epoch, 1, 1, 3, 3));
    assert_true(kept.status == ST_OK && kept.snapshot_position == 4);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), 1 + 3);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(slice_equal(taken.snapshot, slice_text("state 4")));
}

static void a_finish_above_the_end_is_refused_whole(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "start act"));
    assert_int_equal(run(finish_op(epoch, 1, 1, 3, 0)).status, ST_STALE);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), -1);
    assert_log(ROOM, A, "start act");
}

static void a_game_that_is_not_kept_leaves_nothing(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "start end"));
    struct store_op finish = finish_op(epoch, 1, 1, 2, 2);
    finish.keep_s = 0;
    done(finish);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1), -1);
    assert_log(ROOM, A, "");
}

static void a_released_room_has_no_owner_and_can_be_taken(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one"));
    struct store_reply released = run(owner_op(STORE_RELEASE, ROOM, epoch, A));
    assert_true(released.status == ST_OK && released.position == 1);

    struct store_reply found = run((struct store_op){.kind = STORE_FIND, .room = ROOM});
    assert_true(found.status == ST_OK && id128_is_zero(found.owner) && found.epoch == epoch);
    assert_string_equal(found.owner_url, "");
    assert_int_equal(run(append_op(ROOM, epoch, A, 1, "two")).status, ST_FENCED);

    under_test->pass(under_test->self, 5);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_int_equal(taken.status, ST_OK);
    assert_true(taken.released && taken.released_redis_ms == released.redis_ms);
    assert_true(taken.last_lease_redis_ms == 0 && taken.epoch > epoch);
    struct store_reply again = run(take_op(ROOM, epoch, B));
    assert_true(again.released && again.released_redis_ms == released.redis_ms);
}

static void a_release_repeated_is_recognised(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply first = run(owner_op(STORE_RELEASE, ROOM, epoch, A));
    under_test->pass(under_test->self, 3);
    done(owner_op(STORE_RELEASE, ROOM, epoch, A));
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(taken.released_redis_ms == first.redis_ms);
    assert_int_equal(run(owner_op(STORE_RELEASE, ROOM, epoch, A)).status, ST_FENCED);
}

static void a_take_tells_when_the_former_owner_last_lived(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply entry = run(append_op(ROOM, epoch, A, 0, "one"));
    under_test->pass(under_test->self, 4);
    struct store_reply lease = run((struct store_op){.kind = STORE_LEASE, .instance = A});
    under_test->pass(under_test->self, 4);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(taken.last_entry_redis_ms == entry.redis_ms);
    assert_true(taken.last_lease_redis_ms == lease.redis_ms);
    assert_false(taken.released);
}

static void an_outage_before_the_first_entry_is_not_counted_by_the_next_take(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply entry = run(append_op(ROOM, epoch, A, 0, "one"));
    under_test->pass(under_test->self, 4);
    struct store_reply first_lease = run((struct store_op){.kind = STORE_LEASE, .instance = A});
    under_test->pass(under_test->self, 20); /* A is dead, nobody owns the room */
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    under_test->pass(under_test->self, 4);
    struct store_reply second_lease = run((struct store_op){.kind = STORE_LEASE, .instance = B});
    under_test->pass(under_test->self, 20); /* B died too, without an entry */
    struct store_reply last = run(take_op(ROOM, taken.epoch, test_id(3)));
    instant_ms outage = taken.redis_ms - first_lease.redis_ms;
    assert_true(last.last_entry_redis_ms == entry.redis_ms + outage);
    assert_true(last.last_lease_redis_ms == second_lease.redis_ms);

    struct store_reply newer = run(append_op(ROOM, last.epoch, test_id(3), 1, "two"));
    assert_true(run(take_op(ROOM, last.epoch, A)).last_entry_redis_ms == newer.redis_ms);
}

static void after_a_release_the_whole_time_counts_also_for_the_next_take(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply entry = run(append_op(ROOM, epoch, A, 0, "one"));
    done(owner_op(STORE_RELEASE, ROOM, epoch, A));
    under_test->pass(under_test->self, 20);
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    under_test->pass(under_test->self, 4);
    done((struct store_op){.kind = STORE_LEASE, .instance = B});
    under_test->pass(under_test->self, 20); /* B died without an entry */
    struct store_reply last = run(take_op(ROOM, taken.epoch, A));
    assert_true(last.last_entry_redis_ms == entry.redis_ms);
    assert_true(last.last_lease_redis_ms > taken.redis_ms && !last.released);
}

static void who_stopped_in_a_game_lived_until_then(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    struct store_reply entry = run(append_op(ROOM, epoch, A, 0, "one"));
    under_test->pass(under_test->self, 4);
    struct store_op stop = owner_op(STORE_RELEASE, ROOM, epoch, A);
    stop.stopped = true;
    struct store_reply released = run(stop);
    under_test->pass(under_test->self, 20); /* nobody owns the room */
    struct store_reply taken = run(take_op(ROOM, epoch, B));
    assert_true(taken.released && taken.released_redis_ms == released.redis_ms);
    assert_true(taken.last_entry_redis_ms == entry.redis_ms);
    under_test->pass(under_test->self, 4);
    struct store_reply lease = run((struct store_op){.kind = STORE_LEASE, .instance = B});
    under_test->pass(under_test->self, 20); /* B died without an entry */
    struct store_reply last = run(take_op(ROOM, taken.epoch, test_id(3)));
    instant_ms outage = taken.redis_ms - released.redis_ms;
    assert_true(last.last_entry_redis_ms == entry.redis_ms + outage);
    assert_true(last.last_lease_redis_ms == lease.redis_ms && !last.released);
}

static void a_deleted_room_leaves_nothing_behind(void **unused)
{
    (void)unused;
    struct store_op create = create_op(ROOM, A);
    create.listing = LISTING_SHOW;
    create.deadline_changed = true;
    create.deadline = (struct store_deadline){true, 1, 1000};
    uint64_t epoch = run(create).epoch;
    done(append_op(ROOM, epoch, A, 0, "start end"));
    done(finish_op(epoch, 1, 1, 2, 1));
    assert_true(under_test->keys(under_test->self) > 0);

    struct store_op delete = owner_op(STORE_DELETE, ROOM, epoch, A);
    done(delete);
    assert_int_equal(under_test->keys(under_test->self), 0);
    assert_int_equal(run(delete).status, ST_UNKNOWN);
    assert_int_equal(run(append_op(ROOM, epoch, A, 2, "more")).status, ST_UNKNOWN);
    assert_int_equal(run(take_op(ROOM, epoch, B)).status, ST_UNKNOWN);
    assert_int_equal(run((struct store_op){.kind = STORE_FIND, .room = ROOM}).status, ST_UNKNOWN);
    assert_int_equal(under_test->game(under_test->self, ROOM, 1),
                     1 + 2); /* has a life of its own */
}

static void a_code_is_free_again_after_a_delete(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(owner_op(STORE_DELETE, ROOM, epoch, A));
    room_id other = test_room(1, 10);
    struct store_op create = create_op(other, B);
    create.request = test_id(0x79);
    done(create);
    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(other), code);
    struct store_reply found = run((struct store_op){.kind = STORE_FIND, .code = code});
    assert_true(found.status == ST_OK && found.room == other);
}

static struct store_op aside_op(uint64_t epoch, uint64_t position)
{
    struct store_op op = snapshot_op(epoch, position, 0, "start anew");
    op.kind = STORE_ASIDE;
    return op;
}

static void a_room_set_aside_goes_on_and_what_it_was_is_kept(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two three"));
    done(snapshot_op(epoch, 2, 0, "state 2"));
    struct store_reply aside = run(aside_op(epoch, 3));
    assert_true(aside.status == ST_OK && aside.position == 3 && aside.snapshot_position == 3);
    assert_int_equal(under_test->aside(under_test->self, ROOM, 3), 3 + 3);
    done(aside_op(epoch, 3)); /* a repeat */
    assert_int_equal(under_test->aside(under_test->self, ROOM, 3), 3 + 3);
    done(append_op(ROOM, epoch, A, 3, "four"));
    done(snapshot_op(epoch, 4, 4, "state 4"));

    struct store_reply taken = run(take_op(ROOM, epoch, B)); /* and for the next owner */
    assert_true(slice_equal(taken.snapshot, slice_text("state 4")) && taken.position == 4);
    done(owner_op(STORE_DELETE, ROOM, taken.epoch, B));
    assert_int_equal(under_test->aside(under_test->self, ROOM, 3), 3 + 3);
}

static void only_the_owner_sets_aside_and_only_the_whole_log(void **unused)
{
    (void)unused;
    uint64_t epoch = made(ROOM, A);
    done(append_op(ROOM, epoch, A, 0, "one two"));
    assert_int_equal(run(aside_op(epoch, 1)).status, ST_STALE);
    run(take_op(ROOM, epoch, B));
    assert_int_equal(run(aside_op(epoch, 2)).status, ST_FENCED);
    assert_int_equal(under_test->aside(under_test->self, ROOM, 2), -1);
    assert_log(ROOM, B, "one two");
}

const struct CMUnitTest life_tests[] = {
    SUITE_TEST(a_snapshot_shortens_what_a_take_reads),
    SUITE_TEST(a_snapshot_at_the_end_leaves_nothing_to_replay),
    SUITE_TEST(where_the_log_ends_is_known_after_all_was_trimmed),
    SUITE_TEST(a_snapshot_above_the_end_is_refused),
    SUITE_TEST(a_snapshot_not_above_the_stored_one_is_refused),
    SUITE_TEST(a_snapshot_trims_no_more_than_it_is_told),
    SUITE_TEST(a_finished_game_moves_out_of_the_log),
    SUITE_TEST(a_finish_repeated_does_nothing_more),
    SUITE_TEST(a_finish_behind_a_newer_snapshot_still_archives),
    SUITE_TEST(a_finish_above_the_end_is_refused_whole),
    SUITE_TEST(a_game_that_is_not_kept_leaves_nothing),
    SUITE_TEST(a_released_room_has_no_owner_and_can_be_taken),
    SUITE_TEST(a_release_repeated_is_recognised),
    SUITE_TEST(a_take_tells_when_the_former_owner_last_lived),
    SUITE_TEST(an_outage_before_the_first_entry_is_not_counted_by_the_next_take),
    SUITE_TEST(who_stopped_in_a_game_lived_until_then),
    SUITE_TEST(after_a_release_the_whole_time_counts_also_for_the_next_take),
    SUITE_TEST(a_deleted_room_leaves_nothing_behind),
    SUITE_TEST(a_code_is_free_again_after_a_delete),
    SUITE_TEST(a_room_set_aside_goes_on_and_what_it_was_is_kept),
    SUITE_TEST(only_the_owner_sets_aside_and_only_the_whole_log),
};
const size_t life_test_count = sizeof life_tests / sizeof *life_tests;
