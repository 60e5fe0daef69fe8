/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/check.h"
#include "base/map.h"
#include "base/status.h"
#include "unit/test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs it in a child; what it wrote to stderr is left in said. True when SIGABRT ended it. */
static bool stops(void (*run)(void), char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        run();
        _exit(0);
    }
    close(ends[1]);
    ssize_t len = read(ends[0], said, size - 1);
    said[len > 0 ? len : 0] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void break_an_invariant(void)
{
    int seats = 5;
    CHECK(seats <= 4);
}

static void keep_an_invariant(void)
{
    int seats = 4;
    CHECK(seats <= 4);
}

static void write_past_the_bound(void)
{
    struct buf buf = {0};
    buf_extend(&buf, BUF_LEN_MAX);
    buf_put_u8(&buf, 1);
}

static void put_nothing_in_a_map(void)
{
    struct map map = {0};
    map_put(&map, 1, NULL);
}

static void a_broken_invariant_stops_the_process_and_names_itself(void **unused)
{
    (void)unused;
    char said[256];
    assert_true(stops(break_an_invariant, said, sizeof said));
    assert_non_null(strstr(said, "seats <= 4"));
    assert_non_null(strstr(said, "check_test.c:"));
}

static void a_kept_invariant_does_nothing(void **unused)
{
    (void)unused;
    char said[256];
    assert_false(stops(keep_an_invariant, said, sizeof said));
    assert_string_equal(said, "");
}

static void a_buffer_past_its_bound_and_a_null_value_are_our_faults(void **unused)
{
    (void)unused;
    char said[256];
    assert_true(stops(write_past_the_bound, said, sizeof said));
    assert_true(stops(put_nothing_in_a_map, said, sizeof said));
}

static void every_status_has_a_text_of_its_own(void **unused)
{
    (void)unused;
    static const enum status all[] = {
#define X(code, class, text) code,
        STATUS_LIST(X)
#undef X
    };
    size_t count = sizeof all / sizeof *all;
    assert_int_equal(ST_OK, 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(status_text(all[i])) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(status_text(all[i]), status_text(all[j]));
    }
    assert_non_null(status_text((enum status)9999));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_broken_invariant_stops_the_process_and_names_itself),
                     cmocka_unit_test(a_kept_invariant_does_nothing),
                     cmocka_unit_test(a_buffer_past_its_bound_and_a_null_value_are_our_faults),
                     cmocka_unit_test(every_status_has_a_text_of_its_own));
}
