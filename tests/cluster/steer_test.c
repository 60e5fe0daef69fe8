/* SPDX-License-Identifier: Apache-2.0
 *
 * An operator steers a running cluster with madangctl: each command, and what it says when the key
 * is another, the room or the worker is not there, a service is frozen, Redis does not answer.
 */
#include "cluster/steer.h"

#include "ops/system.h"
#include "unit/test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { GAME_MS = 180 * 1000, KICKED = 2, CLOSED = 3 };

static const char wrong_key[] = "MADANG_OPERATOR_KEY=not-the-key-of-this-cluster";

/* ---- looking --------------------------------------------------------------------------------- */

static void status_lists_every_service(void **state)
{
    (void)state;
    assert_true(steer_until_told("8 services", "status"));
    assert_true(steer_told("gateway "));
    assert_true(steer_told("matchmaker "));
    assert_true(steer_told("timer "));
    assert_true(steer_told("0/5000"));
    assert_true(steer_until(0, "status")); /* they say that they are ready a little later */
    assert_false(steer_told(" up "));
    assert_true(steer_until(0, "status --json"));
    assert_true(steer_told("\"well\": true"));
    assert_true(steer_told("\"redis_lag_ms\": 0"));
}

static void top_looks_again_and_again(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "top --times=2 --every=1 --json"), 0);
    const char *second = strchr(steer_said.text, '\n');
    assert_non_null(second);
    assert_int_equal(second[1], '{');
    assert_non_null(strstr(second, "\"cpu_percent\":"));
    assert_non_null(strstr(second, "\"actions_per_s\":0"));
    assert_int_equal(steer(NULL, "top --times=1"), 0);
    assert_true(steer_told("CPU"));
}

static void rooms_need_the_key_and_are_filtered(void **state)
{
    (void)state;
    party_start("davinci-code", 2, NULL);
    assert_int_equal(steer(NULL, "rooms"), 0);
    assert_true(steer_told(party[0].code));
    assert_true(steer_told("playing"));
    assert_int_equal(steer(NULL, "rooms --game=dobble"), 0);
    assert_false(steer_told(party[0].code));
    assert_int_equal(steer(NULL, "rooms --sort=people --limit=1 --json"), 0);
    assert_true(steer_told("\"connected\": 2"));
    assert_int_equal(steer(NULL, "rooms --phase=nonsense"), 2);
    assert_int_equal(steer(NULL, "rooms --game=davinci"), 2); /* which is no list of none */
    assert_true(steer_told("no room plays davinci; there are "));
    assert_int_equal(steer(wrong_key, "rooms"), 4);
    assert_true(steer_told("another operator's key"));
    assert_false(steer_told(party[0].code));
    assert_true(steer_logged("operator.refused"));
}

/* What Da Vinci Code hides are faces: a spectator's view has none of those that are face down. */
static void a_room_is_shown_as_a_spectator_sees_it_unless_revealed(void **state)
{
    (void)state;
    party_start("davinci-code", 2, NULL);
    assert_int_equal(steer(wrong_key, "room %s", party[0].code), 0); /* no key is needed */
    assert_true(steer_told("사람1"));
    assert_true(steer_told("사람2"));
    assert_true(steer_told("What a spectator sees"));
    assert_false(steer_told("alone sees"));
    assert_false(steer_told(" \n"));
    assert_false(steer_logged("operator.revealed"));

    assert_int_equal(steer(wrong_key, "room %s --reveal", party[0].code), 4);
    assert_false(steer_told("alone sees"));
    assert_int_equal(steer(NULL, "room %s --reveal", party[0].code), 0);
    assert_true(steer_told("What seat 1 alone sees"));
    assert_true(steer_told("What seat 2 alone sees"));
    assert_true(steer_logged("operator.revealed"));
    assert_int_equal(steer(NULL, "room %s --reveal --json", party[0].code), 0);
    assert_true(steer_told("\"revealed\": ["));
}

static void what_is_not_there_is_said(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "room ZZZZZZ"), 5);
    assert_true(steer_told("there is no room ZZZZZZ"));
    assert_int_equal(steer(NULL, "room wrong"), 5);
    assert_int_equal(steer(NULL, "drain nothing"), 5);
    assert_int_equal(steer(NULL, "close ZZZZZZ --yes"), 5);
    assert_int_equal(steer(NULL, "status --matchmakers=tcp://127.0.0.1:1 --timeout=1"), 3);
    assert_true(steer_told("no matchmaker answers"));
    /* Whoever has no cluster is not asked for a key to it. */
    assert_int_equal(steer(NULL, "rooms --matchmakers=tcp://127.0.0.1:1 --timeout=1 "
                                 "--operator-key-file=/nowhere"),
                     3);
    assert_true(steer_told("no matchmaker answers"));
    assert_int_equal(steer(NULL, "kick ZZZZZZ --matchmakers=tcp://127.0.0.1:1 --timeout=1"), 2);
    assert_int_equal(steer(NULL, "kick ZZZZZZ --seat=99"), 2);
    assert_int_equal(steer(NULL, "drain 3f2a --matchmakers=tcp://127.0.0.1:1 --timeout=1 "
                                 "--operator-key-file=/nowhere"),
                     3);
    assert_int_equal(steer(NULL, "nonsense"), 2);
    /* Nor does another cluster stand in for one that is named; ours, behind #, is a comment. */
    assert_int_equal(steer(NULL, "status --matchmakers=tcp://127.0.0.1:1 --data=/nowhere 2>&1 #"),
                     2);
    assert_true(steer_told("no cluster of `madangctl up` is noted there"));
    assert_int_equal(steer(NULL, "room"), 2);
    assert_int_equal(steer(NULL, "rooms --operator-key-file=/nowhere"), 4);
}

/* ---- steering -------------------------------------------------------------------------------- */

static void a_drained_worker_is_empty_and_comes_back(void **state)
{
    (void)state;
    char id[16], command[64];
    party_start("davinci-code", 2, NULL);
    assert_int_equal(steer(NULL, "room %s --json", party[0].code), 0);
    const char *at = strstr(steer_said.text, "\"worker\": \"");
    assert_non_null(at);
    snprintf(id, sizeof id, "%.8s", at + strlen("\"worker\": \""));

    assert_int_equal(steer(wrong_key, "drain %s", id), 4);
    assert_int_equal(steer(NULL, "drain %s --wait", id), 0);
    assert_true(steer_until_told("drained", "status"));
    assert_int_equal(steer_said.code, 1);
    assert_true(steer_told("has handed its rooms over"));
    party_play(2, GAME_MS); /* where the room is now */

    assert_true(steer_worker("ready", command)); /* the other one takes all of it */
    char other[64];
    snprintf(other, sizeof other, "drain %s", command);
    assert_int_equal(steer(NULL, "%s", other), 6);
    assert_true(steer_told("no other worker could take its rooms"));
    assert_int_equal(steer(NULL, "undrain %s", id), 0);
    assert_true(steer_until(0, "status"));
    snprintf(other, sizeof other, "drain %s --wait", command);
    assert_true(steer_until(0, other)); /* once it has heard that there is one */
    assert_int_equal(steer(NULL, "undrain %s", command), 0);
    assert_true(steer_until(0, "status"));
    assert_true(steer_logged("drain.ended"));
}

static void who_is_kicked_is_told_and_stays_out(void **state)
{
    (void)state;
    party_start("davinci-code", 3, NULL);
    assert_int_equal(steer(wrong_key, "kick %s --seat=2", party[0].code), 4);
    assert_int_equal(steer(NULL, "kick %s", party[0].code), 2);
    assert_int_equal(steer(NULL, "kick %s --seat=2", party[0].code), 0);
    assert_true(ws_wait(&party[1], ws_is_detached, NULL, PARTY_PATIENCE_MS));
    assert_int_equal(party[1].detached, KICKED);
    assert_false(ws_join(&party[1], party[0].code, "사람2", PARTY_PATIENCE_MS));
    assert_int_equal(party[1].refused, REASON_KICKED);
    assert_int_equal(steer(NULL, "kick %s --seat=2", party[0].code), 5);
    assert_true(steer_told("nobody sits there"));
    assert_true(steer_logged("operator.kicked"));
    party_pump(3, 200);
    assert_int_equal(party[0].view.state, WS_PLAYING); /* the others play on */
}

static void a_closed_room_sends_everybody_away_and_is_gone(void **state)
{
    (void)state;
    char command[32];
    party_start("davinci-code", 2, NULL);
    assert_int_equal(steer(NULL, "close %s", party[0].code), 2); /* nobody to be asked */
    assert_int_equal(steer(wrong_key, "close %s --yes", party[0].code), 4);
    assert_int_equal(steer(NULL, "close %s --yes", party[0].code), 0);
    for (int i = 0; i < 2; i++) {
        assert_true(ws_wait(&party[i], ws_is_detached, NULL, PARTY_PATIENCE_MS));
        assert_int_equal(party[i].detached, CLOSED);
    }
    snprintf(command, sizeof command, "room %s", party[0].code);
    assert_true(steer_until(5, command));
    assert_true(steer_logged("operator.closed"));
}

/* ---- trouble --------------------------------------------------------------------------------- */

static void a_frozen_worker_is_told(void **state)
{
    (void)state;
    assert_true(cluster_signal(&party_cluster, "worker-0", SIGSTOP));
    assert_true(steer_until(1, "status --timeout=1"));
    assert_true(steer_told("silent") || steer_told("dead"));
    assert_true(
        steer_until_told("is dead, or was stopped; others adopt its rooms", "status --timeout=1"));
    assert_true(cluster_signal(&party_cluster, "worker-0", SIGCONT));
    assert_true(steer_until(0, "status"));
}

/* Also where another of its kind does the work. */
static void whoever_is_frozen_is_told(void **state)
{
    (void)state;
    static const char *const names[] = {"gateway-0", "timer-0", "matchmaker-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(cluster_signal(&party_cluster, names[i], SIGSTOP));
        assert_true(steer_until_told("is dead, or was stopped; its log", "status --timeout=1"));
        assert_int_equal(steer_said.code, 1);
        assert_int_equal(steer(NULL, "doctor --timeout=1"), 1);
        assert_true(steer_told("is dead, or was stopped"));
        assert_true(cluster_signal(&party_cluster, names[i], SIGCONT));
        assert_true(steer_until(0, "status"));
    }
}

static void a_frozen_redis_is_told(void **state)
{
    (void)state;
    party_start("davinci-code", 2, NULL);
    assert_true(cluster_signal(&party_cluster, "redis", SIGSTOP));
    assert_true(steer_until_told("no redis", "status"));
    assert_int_equal(steer_said.code, 1);
    assert_true(steer_told("lacks a Redis shard"));
    assert_true(steer_until_told("says that it is not ready: a store is away", "status"));
    assert_true(
        steer_until_told("says that it is not ready: the store does not answer", "top --times=1"));
    int code = steer(NULL, "room %s --timeout=2", party[0].code);
    assert_true(code == 3 || code == 6);
    assert_true(cluster_signal(&party_cluster, "redis", SIGCONT));
    assert_true(steer_until(0, "status"));
    party_play(2, GAME_MS);
}

/* ---- the command line ------------------------------------------------------------------------ */

static void what_shells_complete_is_what_they_can_read(void **state)
{
    (void)state;
    assert_int_equal(steer(NULL, "completion bash --help"), 0);
    assert_true(steer_told("Examples:"));
    char bin[4096], line[8400];
    assert_true(cluster_bin(bin));
    snprintf(line, sizeof line, "%s/madangctl completion bash | bash -n", bin);
    assert_int_equal(system(line), 0);
    static const struct {
        const char *typed, *proposed; /* as bash parts it, at "=" too */
    } lines[] = {
        {"dr", "drain"},
        {"rooms --so", "--sort="},
        {"rooms --phase = pl", "playing"},
        {"rooms --sort =", "code game phase people watchers age waiting"},
        {"rooms --operator-key-file = x", ""}, /* files, by default */
        {"up --work", "--workers="},
        {"up --fsync = al", "always"},
        {"config w", "worker"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line,
                 "bash -c 'source <(%s/madangctl completion bash); COMP_WORDS=(madangctl %s); "
                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _madangctl 2>/dev/null; "
                 "test \"${COMPREPLY[*]}\" = \"%s\"'",
                 bin, lines[i].typed, lines[i].proposed);
        if (system(line) != 0) fail_msg("%s", lines[i].typed);
    }
}

static void every_command_has_examples_and_says_what_it_ends_with(void **state)
{
    (void)state;
    char commands[4096], *rest;
    int count = 0;
    assert_int_equal(steer(NULL, "--help"), 0);
    assert_true(steer_told("Exit codes:"));
    snprintf(commands, sizeof commands, "%s", steer_said.text);
    for (char *line = strtok_r(commands, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[32];
        if (sscanf(line, "  %31[a-z] ", name) != 1 || strncmp(line, "  ", 2) != 0) continue;
        assert_int_equal(steer(NULL, "%s --help", name), 0);
        if (!steer_told("Examples:\n") || !steer_told("Exit codes:\n")) fail_msg("%s", name);
        count++;
    }
    assert_true(count >= 16);
}

static void zsh_completes_at_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *completed;
    } lines[] = {
        {"madangctl dr", "madangctl drain "},
        {"madangctl status --js", "madangctl status --json "},
        {"madangctl room 7K39QX --rev", "madangctl room 7K39QX --reveal "},
        {"madangctl rooms --game=dobble --em", "madangctl rooms --game=dobble --empty "},
        {"madangctl completion z", "madangctl completion zsh "},
        {"madangctl rooms --phase=asi", "madangctl rooms --phase=aside "},
        {"madangctl up --fsy", "madangctl up --fsync="},
        {"madangctl verify /etc/passw", "madangctl verify /etc/passwd"},
        {"madangctl status no", "madangctl status no"},
    };
    char bin[4096], line[8400], said[256];
    assert_true(cluster_bin(bin));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(
            line, sizeof line,
            "bash -c 'zsh -f tests/cluster/complete.zsh <(%s/madangctl completion zsh) \"%s\"'",
            bin, lines[i].typed);
        FILE *pipe = popen(line, "r");
        assert_non_null(pipe);
        assert_non_null(fgets(said, sizeof said, pipe));
        assert_int_equal(pclose(pipe), 0);
        said[strcspn(said, "\n")] = '\0';
        assert_string_equal(said, lines[i].completed);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, party_leave)

int main(void)
{
    return RUN_TESTS_BETWEEN(
        party_open, party_close, TEST(status_lists_every_service), TEST(top_looks_again_and_again),
        TEST(rooms_need_the_key_and_are_filtered),
        TEST(a_room_is_shown_as_a_spectator_sees_it_unless_revealed),
        TEST(what_is_not_there_is_said), TEST(a_drained_worker_is_empty_and_comes_back),
        TEST(who_is_kicked_is_told_and_stays_out),
        TEST(a_closed_room_sends_everybody_away_and_is_gone), TEST(a_frozen_worker_is_told),
        TEST(whoever_is_frozen_is_told), TEST(a_frozen_redis_is_told),
        TEST(what_shells_complete_is_what_they_can_read),
        TEST(every_command_has_examples_and_says_what_it_ends_with),
        TEST(zsh_completes_at_a_terminal));
}
