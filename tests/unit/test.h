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

/* Runs the tests listed; the value that main returns. */
#define RUN_TESTS(...) \
    cmocka_run_group_tests(((const struct CMUnitTest[]){__VA_ARGS__}), NULL, NULL)

#endif
