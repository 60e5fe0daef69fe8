/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated store passes the stores' suite, and fails as it says.
 */
#include "sim/model_store.h"
#include "unit/store/conformance.h"
#include "unit/store/ops.h"
#include "unit/test.h"

#include <stdlib.h>

struct modelled {
    struct model_store *store;
    instant_ms now;
    struct arena arenas[4]; /* an answer lives until the fourth run after it */
    int turn;
};

static struct store_reply run(void *self, const struct store_op *op)
{
    struct modelled *modelled = self;
    struct store_reply reply;
    struct arena *arena = &modelled->arenas[modelled->turn++ % 4];
    arena_reset(arena);
    model_store_step(modelled->store, op, modelled->now, arena, &reply);
    return reply;
}

static void pass(void *self, instant_ms ms)
{
    struct modelled *modelled = self;
    modelled->now += ms;
}

static long long keys(void *self)
{
    struct modelled *modelled = self;
    size_t count;
    free(model_store_rooms(modelled->store, &count));
    return (long long)count;
}

static long long game(void *self, room_id room, uint32_t number)
{
    struct modelled *modelled = self;
    int count;
    return model_store_game(modelled->store, room, number, modelled->now, &count) ? count : -1;
}

static long long aside(void *self, room_id room, uint64_t position)
{
    struct modelled *modelled = self;
    int count;
    return model_store_aside(modelled->store, room, position, &count) ? count : -1;
}

static void remember(void *self)
{
    struct modelled *modelled = self;
    model_store_sync(modelled->store);
}

static void restore(void *self)
{
    struct modelled *modelled = self;
    model_store_crash(modelled->store);
}

static void clear(void *self)
{
    struct modelled *modelled = self;
    if (modelled->store) model_store_close(modelled->store);
    modelled->store = model_store_open(0, 1);
}

static struct modelled modelled = {.now = 1700000000000};

static int start(void **unused)
{
    (void)unused;
    clear(&modelled);
    return 0;
}

static void writes_are_refused_for_a_while_and_reads_are_not(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    struct store_op create = create_op(room, test_id(1)), tail = {.kind = STORE_TAIL, .room = room};
    assert_int_equal(run(&modelled, &create).status, ST_OK);
    model_store_refuse_writes(modelled.store, true);
    struct store_op append = append_op(room, modelled.now, test_id(1), 0, "one");
    assert_int_equal(run(&modelled, &append).status, ST_UNAVAILABLE);
    struct store_reply end = run(&modelled, &tail);
    assert_true(end.status == ST_OK && end.position == 0);
    model_store_refuse_writes(modelled.store, false);
    assert_int_equal(run(&modelled, &append).status, ST_OK);
}

static void a_crash_forgets_what_was_not_synced(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1), later = test_room(1, 1);
    struct store_op create = create_op(room, test_id(1));
    uint64_t epoch = run(&modelled, &create).epoch;
    struct store_op one = append_op(room, epoch, test_id(1), 0, "one");
    run(&modelled, &one);
    model_store_sync(modelled.store);
    struct store_op two = append_op(room, epoch, test_id(1), 1, "two"),
                    second = create_op(later, test_id(1));
    run(&modelled, &two);
    run(&modelled, &second);
    model_store_crash(modelled.store);

    struct model_view view;
    assert_true(model_store_look(modelled.store, room, &view));
    assert_true(view.position == 1 && slice_equal(view.entries[0], slice_text("one")));
    assert_false(model_store_look(modelled.store, later, &view));
    /* The owner repairs the tail, and a second crash still remembers the first sync. */
    assert_int_equal(run(&modelled, &two).status, ST_OK);
    model_store_crash(modelled.store);
    assert_true(model_store_look(modelled.store, room, &view) && view.position == 1);
}

static void a_crash_brings_a_deleted_room_back(void **unused)
{
    (void)unused;
    room_id room = test_room(0, 1);
    struct store_op create = create_op(room, test_id(1));
    uint64_t epoch = run(&modelled, &create).epoch;
    model_store_sync(modelled.store);
    struct store_op gone = owner_op(STORE_DELETE, room, epoch, test_id(1));
    assert_int_equal(run(&modelled, &gone).status, ST_OK);
    assert_int_equal(keys(&modelled), 0);
    model_store_crash(modelled.store);
    assert_int_equal(keys(&modelled), 1);
    struct store_op tail = {.kind = STORE_TAIL, .room = room};
    assert_true(run(&modelled, &tail).epoch == epoch);
}

int main(void)
{
    test_begin();
    const struct store_under_test store = {&modelled, run,      pass,    keys, game,
                                           aside,     remember, restore, clear};
    int failed = store_conformance(&store);
    failed +=
        RUN_TESTS(cmocka_unit_test_setup(writes_are_refused_for_a_while_and_reads_are_not, start),
                  cmocka_unit_test_setup(a_crash_forgets_what_was_not_synced, start),
                  cmocka_unit_test_setup(a_crash_brings_a_deleted_room_back, start));
    model_store_close(modelled.store);
    for (int i = 0; i < 4; i++) arena_fini(&modelled.arenas[i]);
    return failed;
}
