/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the suite, and what they share. Each test starts with an empty store.
 */
#ifndef UNIT_STORE_CONFORMANCE_PARTS_H
#define UNIT_STORE_CONFORMANCE_PARTS_H

#include "unit/store/conformance.h"
#include "unit/store/ops.h"
#include "unit/test.h"

extern const struct store_under_test *under_test;

int start_empty(void **unused);

struct store_reply run(struct store_op op);
/* Runs a create that must succeed; its epoch. */
uint64_t made(room_id room, struct id128 owner);
/* Runs a write that must succeed. */
void done(struct store_op op);
/* The words of the log behind the snapshot, as a take in the name of `owner` (who owns it) reads
 * them. */
void assert_log(room_id room, struct id128 owner, const char *words);

#define SUITE_TEST(name) cmocka_unit_test_setup(name, start_empty)

extern const struct CMUnitTest log_tests[], life_tests[], set_tests[], owner_tests[],
    restore_tests[];
extern const size_t log_test_count, life_test_count, set_test_count, owner_test_count,
    restore_test_count;

#endif
