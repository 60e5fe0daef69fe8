/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-load against a real cluster: what it measures is there, and what it checks holds.
 */
#include "cluster/cluster.h"
#include "unit/free_port.h"
#include "unit/test.h"

#include <limits.h>
#include <string.h>
#include <sys/wait.h>

/* Exit codes of madang-load. */
enum { SOUND = 0, UNBEGUN = 3, LIMITED = 4 };

static struct cluster cluster;
static char said[16384];

static int open_cluster(void **unused)
{
    (void)unused;
    cluster.workers = 1;
    return cluster_start(&cluster) ? 0 : -1;
}

static int close_cluster(void **unused)
{
    (void)unused;
    bool well = cluster_stop(&cluster);
    cluster_remove(&cluster);
    return well ? 0 : -1;
}

/* Its exit code; what it wrote is in `said`. */
static int load(int port, const char *flags)
{
    char binary[PATH_MAX], command[PATH_MAX + 400];
    if (!cluster_bin(binary)) return -1;
    snprintf(command, sizeof command, "%s/madang-load --quiet --json=- %s 127.0.0.1:%d", binary,
             flags, port);
    FILE *pipe = popen(command, "r");
    if (!pipe) return -1;
    size_t len = fread(said, 1, sizeof said - 1, pipe);
    said[len] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static double number(const char *key)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *at = strstr(said, wanted);
    return at ? strtod(at + strlen(wanted), NULL) : -1;
}

/* A busy machine may be the limit; what was seen is true all the same. */
static void expect_sound(int code)
{
    if (code != SOUND && code != LIMITED) print_error("%s", said);
    assert_true(code == SOUND || code == LIMITED);
}

static void a_closed_loop_is_measured(void **unused)
{
    (void)unused;
    char flags[300];
    snprintf(flags, sizeof flags, "--rooms=4 --warm-up=0 --duration=6 --cluster=%s", cluster.data);
    expect_sound(load(cluster.port, flags));
    assert_true(number("accepted") >= 53); /* at least a whole game */
    assert_true(number("accepted") <= number("sent") + 4);
    assert_true(number("cpu_us_per_action") > 0);
    assert_non_null(strstr(said, "\"name\": \"gateway-0\""));
    assert_non_null(strstr(said, "\"name\": \"redis\""));
}

static void an_open_loop_of_two_processes_keeps_its_rate_through_storms(void **unused)
{
    (void)unused;
    expect_sound(load(cluster.port, "--rooms=8 --idle=5 --processes=2 --rate=10 --storm=2 "
                                    "--storm-percent=30 --warm-up=4 --duration=6"));
    double due = number("sent") + number("unsent");
    assert_true(due >= 50 && due <= 65);
    assert_true(number("returns") > 0);
    assert_true(number("accepted") > 0);
}

static void nobody_plays_where_there_is_no_gateway(void **unused)
{
    (void)unused;
    assert_int_equal(load(free_port(), "--rooms=1"), UNBEGUN);
    assert_int_equal((int)number("accepted"), 0);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_cluster, close_cluster, cmocka_unit_test(a_closed_loop_is_measured),
        cmocka_unit_test(an_open_loop_of_two_processes_keeps_its_rate_through_storms),
        cmocka_unit_test(nobody_plays_where_there_is_no_gateway));
}
