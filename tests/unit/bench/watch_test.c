/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/watch.h"
#include "unit/test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_name_with_brackets_and_blanks_does_not_shift_the_times(void **unused)
{
    (void)unused;
    char name[32];
    uint64_t user, kernel;
    const char *line = "42 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 200 30 0 0 20";
    assert_true(watch_stat_read(line, name, &user, &kernel));
    assert_string_equal(name, "a) b (c)");
    assert_int_equal(user, 200);
    assert_int_equal(kernel, 30);
    assert_false(watch_stat_read("42 (a) S 1 2", name, &user, &kernel));
    assert_false(watch_stat_read("nothing of it", name, &user, &kernel));
}

static void what_the_host_takes_is_not_idle(void **unused)
{
    (void)unused;
    uint64_t ticks;
    int processors;
    assert_true(watch_machine_read("cpu  1 2 4 1000 2000 8 16 32 64 128\ncpu0 1", &ticks));
    assert_int_equal(ticks, 1 + 2 + 4 + 8 + 16 + 32);
    assert_false(watch_machine_read("intr 5", &ticks));
    assert_true(watch_machine(&processors) > 0 && processors > 0);
}

static void this_process_is_seen_with_what_it_takes(void **unused)
{
    (void)unused;
    struct watched watched[WATCH_MAX];
    char list[32];
    snprintf(list, sizeof list, "%d", (int)getpid());
    assert_int_equal(watch_find(list, NULL, watched), 1);
    assert_string_equal(watched[0].name, "watch_test");
    assert_true(watched[0].memory_kb > 0 && watched[0].peak_kb >= watched[0].memory_kb);
    double before = watched[0].cpu_s;
    volatile uint64_t sum = 0;
    while (watched[0].cpu_s < before + 0.03) {
        for (uint64_t i = 0; i < 1000000; i++) sum += i;
        watch_look(watched, 1);
    }
    assert_false(watched[0].gone);
}

static void what_is_no_list_of_processes_is_refused(void **unused)
{
    (void)unused;
    struct watched watched[WATCH_MAX];
    assert_int_equal(watch_find("12,x", NULL, watched), -1);
    assert_int_equal(watch_find("-1", NULL, watched), -1);
    assert_int_equal(watch_find("2147483646", NULL, watched), -1); /* nobody has that */
    assert_int_equal(watch_find(NULL, "/nowhere", watched), -1);
    assert_int_equal(watch_find(NULL, NULL, watched), 0);
}

static void a_cluster_is_found_by_its_folder(void **unused)
{
    (void)unused;
    struct watched watched[WATCH_MAX];
    char folder[] = "/tmp/madang-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pids", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "worker-0 %d\n", (int)getpid());
    fclose(file);
    assert_int_equal(watch_find(NULL, folder, watched), 1);
    assert_string_equal(watched[0].name, "worker-0");
    assert_false(watched[0].calls_counted);
    unlink(path);
    rmdir(folder);
}

static void calls_that_are_counted_beside_a_cluster_are_read(void **unused)
{
    (void)unused;
    const uint64_t sums[CALL_KINDS] = {7, 8, 9, 10, 11};
    struct watched watched[WATCH_MAX];
    char folder[] = "/tmp/madang-test-XXXXXX", pids[64], calls[64], path[96];
    assert_non_null(mkdtemp(folder));
    snprintf(pids, sizeof pids, "%s/pids", folder);
    snprintf(calls, sizeof calls, "%s/calls", folder);
    snprintf(path, sizeof path, "%s/%d", calls, (int)getpid());
    FILE *file = fopen(pids, "w");
    fprintf(file, "worker-0 %d\n", (int)getpid());
    fclose(file);
    assert_int_equal(mkdir(calls, 0700), 0);
    file = fopen(path, "w");
    fwrite(sums, sizeof sums, 1, file);
    fclose(file);
    assert_int_equal(watch_find(NULL, folder, watched), 1);
    assert_true(watched[0].calls_counted);
    assert_memory_equal(watched[0].calls, sums, sizeof sums);
    assert_int_equal(truncate(path, 8), 0); /* not whole yet */
    watch_look(watched, 1);
    assert_false(watched[0].calls_counted);
    unlink(path);
    rmdir(calls);
    unlink(pids);
    rmdir(folder);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_name_with_brackets_and_blanks_does_not_shift_the_times),
                     cmocka_unit_test(what_the_host_takes_is_not_idle),
                     cmocka_unit_test(this_process_is_seen_with_what_it_takes),
                     cmocka_unit_test(what_is_no_list_of_processes_is_refused),
                     cmocka_unit_test(a_cluster_is_found_by_its_folder),
                     cmocka_unit_test(calls_that_are_counted_beside_a_cluster_are_read));
}
