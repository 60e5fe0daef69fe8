/* SPDX-License-Identifier: Apache-2.0
 *
 * Owners: their rooms, their leases, and which of them are silent.
 */
#include "unit/store/conformance_parts.h"

#define A test_id(1)
#define B test_id(2)

enum { SILENT_MS = 300 }; /* more than two ops take, on a busy machine too */

static void owned_rooms_come_page_by_page(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 5; i++) made(test_room(i, 1), A);
    made(test_room(5, 1), B);
    struct store_op op = {.kind = STORE_OWNED, .instance = A, .limit = 2};
    room_id last = 0;
    int pages = 0, seen = 0;
    do {
        struct store_reply page = run(op);
        assert_int_equal(page.status, ST_OK);
        for (int i = 0; i < page.room_count; i++, seen++) {
            assert_true(page.rooms[i] > last && page.epochs[i] > 0);
            assert_true(slice_equal(page.summaries[i], slice_text("a lobby")));
            last = page.rooms[i];
        }
        op.cursor = page.cursor;
        pages++;
    } while (op.cursor);
    assert_int_equal(seen, 5);
    assert_int_equal(pages, 3);
}

static void a_taken_room_changes_the_owners_list(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    uint64_t epoch = made(room, A);
    epoch = run(take_op(room, epoch, B)).epoch;
    struct store_op op = {.kind = STORE_OWNED, .instance = A, .limit = 10};
    assert_int_equal(run(op).room_count, 0);
    op.instance = B;
    struct store_reply page = run(op);
    assert_true(page.room_count == 1 && page.epochs[0] == epoch);
    done(owner_op(STORE_RELEASE, room, epoch, B));
    assert_int_equal(run(op).room_count, 0);
}

static void a_lease_names_the_run_of_the_server(void **unused)
{
    (void)unused;
    struct store_op op = {.kind = STORE_LEASE, .instance = A};
    struct store_reply first = run(op), second = run(op);
    assert_true(first.redis_ms && id128_equal(first.run_id, second.run_id));
    assert_false(id128_is_zero(first.run_id));
    under_test->remember(under_test->self);
    under_test->restore(under_test->self);
    assert_false(id128_equal(run(op).run_id, first.run_id));
}

static void a_lease_tells_how_many_rooms_others_have_taken(void **unused)
{
    (void)unused;
    struct store_op renew = {.kind = STORE_LEASE, .instance = A};
    uint64_t epoch = made(test_room(1, 1), A), handed = made(test_room(2, 1), A);
    assert_int_equal(run(renew).taken, 0);
    done(owner_op(STORE_RELEASE, test_room(2, 1), handed, A));
    done(take_op(test_room(2, 1), handed, B)); /* given away, not taken */
    epoch = run(take_op(test_room(1, 1), epoch, A)).epoch;
    assert_int_equal(run(renew).taken, 0);
    done(take_op(test_room(1, 1), epoch, B));
    assert_int_equal(run(renew).taken, 1);
    renew.instance = B;
    assert_int_equal(run(renew).taken, 0);
}

static void renew(struct id128 instance)
{
    done((struct store_op){.kind = STORE_LEASE, .instance = instance});
}

static struct store_reply silent(uint64_t skip, int limit)
{
    struct store_reply reply = run((struct store_op){
        .kind = STORE_SILENT, .silent_ms = SILENT_MS, .cursor = skip, .limit = limit});
    assert_int_equal(reply.status, ST_OK);
    return reply;
}

static void pass_silence(void)
{
    under_test->pass(under_test->self, SILENT_MS + 1);
}

static void assert_only(struct id128 owner)
{
    struct store_reply found = silent(0, 10);
    assert_int_equal(found.owner_count, 1);
    assert_true(id128_equal(found.owners[0], owner));
}

static void an_owner_that_renews_no_lease_is_silent(void **unused)
{
    (void)unused;
    renew(A);
    made(test_room(0, 1), A);
    assert_int_equal(silent(0, 10).owner_count, 0);
    pass_silence();
    assert_only(A);
    renew(A);
    assert_int_equal(silent(0, 10).owner_count, 0);
}

static void who_has_no_rooms_is_not_asked_for(void **unused)
{
    (void)unused;
    room_id taken = test_room(0, 1), released = test_room(1, 1), deleted = test_room(2, 1);
    uint64_t epochs[] = {made(taken, A), made(released, A), made(deleted, A)};
    renew(B);
    pass_silence();
    assert_only(A);
    done(owner_op(STORE_RELEASE, released, epochs[1], A));
    done(owner_op(STORE_DELETE, deleted, epochs[2], A));
    assert_only(A);
    done(take_op(taken, epochs[0], B));
    assert_int_equal(silent(0, 10).owner_count, 0);
    pass_silence();
    assert_only(B);
}

/* Its silence begins when it becomes an owner, however long ago it renewed a lease. */
static void who_becomes_an_owner_is_not_silent_yet(void **unused)
{
    (void)unused;
    renew(B);
    uint64_t epoch = made(test_room(0, 1), A);
    pass_silence();
    done(take_op(test_room(0, 1), epoch, B));
    assert_int_equal(silent(0, 10).owner_count, 0);
    done(restore_op(test_room(1, 1), epoch, A, 2, "one two"));
    assert_int_equal(silent(0, 10).owner_count, 0);
    pass_silence();
    assert_int_equal(silent(0, 10).owner_count, 2);
}

static void the_longest_silent_come_first_page_by_page(void **unused)
{
    (void)unused;
    static const uint8_t order[] = {3, 1, 2};
    for (uint32_t i = 0; i < 3; i++) {
        made(test_room(i, 1), test_id(order[i]));
        under_test->pass(under_test->self, 2);
    }
    pass_silence();
    struct store_reply first = silent(0, 2), second = silent(2, 2);
    assert_int_equal(first.owner_count, 2);
    assert_int_equal(second.owner_count, 1);
    assert_true(id128_equal(first.owners[0], test_id(3)));
    assert_true(id128_equal(first.owners[1], test_id(1)));
    assert_true(id128_equal(second.owners[0], test_id(2)));
}

/* Rooms and owners are of the same moment, also after the server lost its last writes. */
static void owners_come_back_with_their_rooms(void **unused)
{
    (void)unused;
    uint64_t epoch = made(test_room(0, 1), A);
    under_test->remember(under_test->self);
    done(take_op(test_room(0, 1), epoch, B));
    under_test->restore(under_test->self);
    pass_silence();
    assert_only(A);
}

const struct CMUnitTest owner_tests[] = {
    SUITE_TEST(owned_rooms_come_page_by_page),
    SUITE_TEST(a_taken_room_changes_the_owners_list),
    SUITE_TEST(a_lease_names_the_run_of_the_server),
    SUITE_TEST(a_lease_tells_how_many_rooms_others_have_taken),
    SUITE_TEST(an_owner_that_renews_no_lease_is_silent),
    SUITE_TEST(who_has_no_rooms_is_not_asked_for),
    SUITE_TEST(who_becomes_an_owner_is_not_silent_yet),
    SUITE_TEST(the_longest_silent_come_first_page_by_page),
    SUITE_TEST(owners_come_back_with_their_rooms),
};
const size_t owner_test_count = sizeof owner_tests / sizeof *owner_tests;
