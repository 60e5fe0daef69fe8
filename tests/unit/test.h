/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test starts with: cmocka, which wants four headers before it.
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mutant.h"

/* Of the games and runs that are drawn, sanitizers watch one in so many: it is the same code. */
#ifdef __SANITIZE_ADDRESS__
enum { TEST_ONE_IN = 4 };
#else
enum { TEST_ONE_IN = 1 };
#endif

/* TEST=pattern runs the tests alone whose names match it; MADANG_MUTANT=name plants a fault, where
 * faults are compiled in. Before the first group of tests. */
static inline void test_begin(void)
{
    if (getenv("TEST")) cmocka_set_test_filter(getenv("TEST"));
#ifdef MADANG_MUTANTS
    if (mutant_plant(getenv("MADANG_MUTANT"))) return;
    fprintf(stderr, "no fault is called %s\n", getenv("MADANG_MUTANT"));
    exit(2);
#endif
}

/* Runs the tests listed; the value that main returns. */
#define RUN_TESTS(...) RUN_TESTS_BETWEEN(NULL, NULL, __VA_ARGS__)
/* The same; `open` comes before the first of them and `close` after the last. */
#define RUN_TESTS_BETWEEN(open, close, ...) \
    (test_begin(), cmocka_run_group_tests(((const struct CMUnitTest[]){__VA_ARGS__}), open, close))

#endif
