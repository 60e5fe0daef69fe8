/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in force in a running cluster and where it came from, what is wrong with it and what to
 * do, how busy it is: madangctl config, doctor and top.
 */
#include "cluster/steer.h"

#include "ops/system.h"
#include "unit/test.h"

#include <hiredis/hiredis.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERVICES = 8, SECRET_BYTES_MAX = 256 }; /* of party.h's cluster */

static int open_cluster(void **state)
{
    setenv("MADANG_SESSION_LIFETIME", "100h", 1);
    int result = steer_open(state);
    unsetenv("MADANG_SESSION_LIFETIME");
    return result;
}

static int count_of(const char *what)
{
    int count = 0;
    for (const char *at = steer_said.text; (at = strstr(at, what)) != NULL; at += strlen(what))
        count++;
    return count;
}

/* A line of what was said, with one blank where its columns have many. */
static void squeeze(const char *line, char *out, size_t size)
{
    size_t len = 0;
    for (; *line && *line != '\n' && len < size - 1; line++)
        if (*line != ' ' || len == 0 || out[len - 1] != ' ') out[len++] = *line;
    out[len] = '\0';
}

/* Whether a line has these, in this order. */
static bool line_has(const char *first, const char *second, const char *third)
{
    for (const char *line = steer_said.text; *line;
         line += strcspn(line, "\n"), line += *line != 0) {
        char copy[512];
        squeeze(line, copy, sizeof copy);
        const char *at = strstr(copy, first);
        if (at) at = strstr(at + strlen(first), second);
        if (at && strstr(at + strlen(second), third)) return true;
    }
    return false;
}

/* ---- config ---------------------------------------------------------------------------------- */

static void each_value_says_where_it_came_from(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "config"), 0);
    assert_true(line_has("gateway", "session-lifetime", "environment"));
    assert_true(line_has("worker", "operator-key-file", "flag"));
    assert_true(line_has("timer", "matchmakers", "flag"));
    assert_false(steer_told("rooms-max"));
    assert_int_equal(steer(NULL, "config worker --defaults"), 0);
    assert_true(line_has("worker", "rooms-max", "default"));
    assert_false(steer_told("timer"));
    int services = 0;
    /* Until each was heard of. */
    for (int tries = 0; services != SERVICES && tries < 300; tries++) {
        if (tries > 0) sleep_ms(100);
        assert_int_equal(steer(NULL, "config --json"), 0);
        services = count_of("\"service\"");
    }
    assert_int_equal(services, SERVICES);
    assert_true(steer_told("\"from\": \"environment\""));
}

static void no_secret_is_in_what_is_in_force(void **state)
{
    (void)state;
    char path[PATH_MAX];
    struct buf key = {0};
    snprintf(path, sizeof path, "%s/operator.key", party_cluster.data);
    assert_true(file_read(path, SECRET_BYTES_MAX, &key));
    key.at[strcspn((char *)key.at, "\n")] = 0;
    assert_true(strlen((char *)key.at) > 16);
    assert_int_equal(steer(NULL, "config --defaults"), 0);
    assert_true(line_has("worker", "operator-key ", "file"));
    assert_true(steer_told("(set)"));
    assert_false(steer_told((char *)key.at));
    buf_fini(&key);
}

static void a_kind_or_an_id_that_is_not_there_is_said(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "config nonsense"), 5);
    assert_int_equal(steer(NULL, "config --matchmakers=tcp://127.0.0.1:1 --timeout=1"), 3);
    assert_int_equal(steer(NULL, "config worker gateway"), 2);
}

/* ---- doctor ---------------------------------------------------------------------------------- */

static void set_redis(const char *name, const char *value)
{
    redisReply *reply = redisCommand(steer_redis, "CONFIG SET %s %s", name, value);
    assert_non_null(reply);
    assert_int_equal(reply->type, REDIS_REPLY_STATUS);
    freeReplyObject(reply);
}

static void a_cluster_that_is_well_has_nothing_bad(void **state)
{
    (void)state;
    assert_true(steer_until(0, "doctor"));
    assert_true(line_has("good", "redis", "noeviction"));
    assert_true(line_has("good", "redis", "appendfsync is everysec"));
    assert_true(line_has("good", "clock", "machine's"));
    assert_true(line_has("good", "ready worker", "ok"));
    assert_true(line_has("good", "files gateway", "open"));
    assert_true(line_has("good", "port worker", "is reached"));
    assert_true(steer_told(" 0 bad"));
    assert_true(steer_until(0, "doctor --json"));
    assert_true(steer_told("\"well\": true"));
}

static void a_redis_that_throws_rooms_away_is_bad(void **state)
{
    (void)state;
    set_redis("maxmemory-policy", "allkeys-lru");
    set_redis("maxmemory", "500mb");
    set_redis("list-compress-depth", "0");
    assert_true(steer_until(1, "doctor"));
    assert_true(line_has("bad", "redis", "allkeys-lru"));
    assert_true(steer_told("set maxmemory-policy noeviction"));
    assert_true(line_has("warn", "redis", "list-compress-depth is 0"));
    set_redis("maxmemory-policy", "noeviction");
    set_redis("maxmemory", "0");
    set_redis("list-compress-depth", "1");
    set_redis("appendfsync", "no");
    assert_true(steer_until(0, "doctor"));
    assert_true(line_has("warn", "redis", "appendfsync is no"));
    set_redis("appendfsync", "everysec");
}

static void what_does_not_answer_is_bad(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "doctor --redis=tcp://127.0.0.1:1 --timeout=1"), 1);
    assert_true(line_has("bad", "redis", "cannot be used from this machine"));
    assert_int_equal(steer(NULL, "doctor --matchmakers=tcp://127.0.0.1:1 --timeout=1"), 1);
    assert_true(line_has("bad", "matchmaker", "there is none"));
    assert_int_equal(steer(NULL, "doctor --redis=tcp://:secret@127.0.0.1:1"), 2);
    assert_true(steer_told("never on a command line"));
    assert_true(cluster_signal(&party_cluster, "worker-1", SIGSTOP));
    assert_true(steer_until(1, "doctor --timeout=1"));
    assert_true(steer_told("worker"));
    assert_true(cluster_signal(&party_cluster, "worker-1", SIGCONT));
    assert_true(steer_until(0, "doctor"));
}

static void certificates_are_looked_at(void **state)
{
    (void)state;
    char file[PATH_MAX], line[2 * PATH_MAX + 256];
    snprintf(file, sizeof file, "%s/own.pem", party_cluster.data);
    snprintf(line, sizeof line,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3 "
             "-subj /CN=yard -keyout %s.key -out %s 2>/dev/null",
             file, file);
    assert_int_equal(system(line), 0);
    assert_int_equal(steer(NULL, "doctor --certificate=%s", file), 0);
    assert_true(line_has("warn", "certificate", "is valid for"));
    assert_true(steer_told("renew it"));
    assert_int_equal(steer(NULL, "doctor --certificate=/nowhere.pem"), 1);
    assert_true(line_has("bad", "certificate", "is not there"));
    assert_int_equal(steer(NULL, "doctor --certificate=/etc/passwd"), 1);
    assert_true(line_has("bad", "certificate", "holds no certificate"));
}

/* ---- top ------------------------------------------------------------------------------------- */

static void top_knows_processor_and_memory_of_every_service(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "top --times=2 --every=1 --json"), 0);
    const char *second = strchr(steer_said.text, '\n');
    assert_non_null(second);
    memmove(steer_said.text, second, strlen(second) + 1);
    assert_int_equal(count_of("\"cpu_percent\":"), SERVICES);
    assert_int_equal(count_of("\"memory_bytes\":"), SERVICES);
    assert_int_equal(count_of("\"memory_bytes\":0"), 0);
    assert_int_equal(steer(NULL, "top --times=2 --every=1"), 0);
    assert_true(line_has("worker", "%", "M"));
    assert_true(line_has("gateway", "%", "M"));
}

#define TEST(name) cmocka_unit_test_teardown(name, party_leave)

int main(void)
{
    return RUN_TESTS_BETWEEN(open_cluster, steer_close, TEST(each_value_says_where_it_came_from),
                             TEST(no_secret_is_in_what_is_in_force),
                             TEST(a_kind_or_an_id_that_is_not_there_is_said),
                             TEST(a_cluster_that_is_well_has_nothing_bad),
                             TEST(a_redis_that_throws_rooms_away_is_bad),
                             TEST(what_does_not_answer_is_bad), TEST(certificates_are_looked_at),
                             TEST(top_knows_processor_and_memory_of_every_service));
}
