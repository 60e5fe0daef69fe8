/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/conformance.h"

#include "base/buf.h"
#include "unit/store/conformance_parts.h"

const struct store_under_test *under_test;

int start_empty(void **unused)
{
    (void)unused;
    under_test->clear(under_test->self);
    return 0;
}

struct store_reply run(struct store_op op)
{
    struct store_reply reply = under_test->run(under_test->self, &op);
    assert_int_equal(reply.kind, op.kind);
    assert_true(reply.tag == op.tag);
    assert_int_equal(reply.shard, 0);
    return reply;
}

uint64_t made(room_id room, struct id128 owner)
{
    struct store_reply reply = run(create_op(room, owner));
    assert_int_equal(reply.status, ST_OK);
    return reply.epoch;
}

void done(struct store_op op)
{
    assert_int_equal(run(op).status, ST_OK);
}

void assert_log(room_id room, struct id128 owner, const char *words)
{
    struct store_reply found =
        run(take_op(room, 0, owner)); /* the repeat of a take changes nothing */
    assert_int_equal(found.status, ST_OK);
    struct buf text = {0};
    for (int i = 0; i < found.entry_count; i++) {
        if (i) buf_put_u8(&text, ' ');
        buf_put_slice(&text, found.entries[i]);
    }
    buf_put_u8(&text, 0);
    assert_string_equal((const char *)text.at, words);
    buf_fini(&text);
}

int store_conformance(const struct store_under_test *store)
{
    under_test = store;
    int failed = _cmocka_run_group_tests("log", log_tests, log_test_count, NULL, NULL);
    failed += _cmocka_run_group_tests("life", life_tests, life_test_count, NULL, NULL);
    failed += _cmocka_run_group_tests("sets", set_tests, set_test_count, NULL, NULL);
    failed += _cmocka_run_group_tests("owners", owner_tests, owner_test_count, NULL, NULL);
    failed += _cmocka_run_group_tests("restore", restore_tests, restore_test_count, NULL, NULL);
    return failed;
}
