/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line, and what the exit code says of the figures.
 */
#include "bench/load.h"
#include "unit/test.h"

#include <getopt.h>

static struct load_plan plan;
static struct load_outcome outcome;
static struct load_shared shared;

static int read_plan(const char *const *words)
{
    char *argv[16] = {(char *)"madang-load"};
    int argc = 1;
    for (; words[argc - 1]; argc++) argv[argc] = (char *)words[argc - 1];
    optind = 0; /* getopt begins anew */
    opterr = 0;
    return load_plan_read(&plan, argc, argv);
}
#define PLAN(...) read_plan((const char *const[]){__VA_ARGS__, NULL})

static void one_address_is_enough(void **unused)
{
    (void)unused;
    assert_int_equal(PLAN("127.0.0.1:8080"), -1);
    assert_string_equal(plan.game, "dobble");
    assert_int_equal(plan.rooms * plan.players, 400);
    assert_int_equal(plan.targets[0].port, 8080);
    assert_true(plan.ramp_s > 0);
}

static void flags_are_taken(void **unused)
{
    (void)unused;
    assert_int_equal(PLAN("--rooms=5", "--rate=12.5", "--storm=3", "--storm-percent=40", "--idle=7",
                          "127.0.0.1:1,127.0.0.2:65535"),
                     -1);
    assert_int_equal(plan.rooms, 5);
    assert_int_equal(plan.idle, 7);
    assert_int_equal(plan.target_count, 2);
    assert_int_equal(plan.targets[1].port, 65535);
    assert_true(plan.rate > 12.4 && plan.rate < 12.6 && plan.storm_s > 2.9);
    assert_int_equal(plan.storm_percent, 40);
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(PLAN("--rooms=5"), 2);
    assert_int_equal(PLAN("--rooms=many", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("--nothing", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("--game=chess", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("somewhere:80"), 2);
    assert_int_equal(PLAN("127.0.0.1:80,"), 2);
    assert_int_equal(PLAN("127.0.0.1:65536"), 2);
    assert_int_equal(PLAN("--rooms=0", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("--rate=5", "--in-flight=3", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("--in-flight=101", "127.0.0.1:80"), 2);
    assert_int_equal(PLAN("--idle=9000000", "127.0.0.1:80"), 2); /* more than files */
}

/* ---- judgement ------------------------------------------------------------------------------- */

/* 1000 actions in a second by one process, nothing wrong with them. */
static int sound(void **unused)
{
    (void)unused;
    PLAN("127.0.0.1:80");
    memset(&shared, 0, sizeof shared);
    memset(&outcome, 0, sizeof outcome);
    struct load_figures *figures = &shared.share[0].figures;
    figures->accepted = figures->sent = 1000;
    figures->measured_us = 1000000;
    figures->cpu_us = 200000;
    for (int i = 0; i < 1000; i++) latency_add(&figures->last, 2000);
    for (int i = 0; i < 1000; i++) latency_add(&figures->turn, 100);
    outcome.began = true;
    return 0;
}

static int judge(void)
{
    load_add_up(&plan, &shared, &outcome);
    return load_exit(&plan, &outcome);
}

static int doubts(void)
{
    char texts[8][160];
    return load_doubts(&plan, &outcome, texts, 8);
}

static void sound_figures_are_no_trouble(void **unused)
{
    (void)unused;
    assert_int_equal(judge(), 0);
    assert_int_equal(doubts(), 0);
}

static void a_busy_generator_is_told(void **unused)
{
    (void)unused;
    shared.share[0].figures.cpu_us = 950000;
    assert_int_equal(judge(), 4);
    assert_int_equal(doubts(), 1);
}

static void one_busy_process_among_several_is_told(void **unused)
{
    (void)unused;
    plan.processes = 2;
    shared.share[1].figures.measured_us = 1000000;
    shared.share[1].figures.cpu_us = 950000;
    assert_int_equal(judge(), 4);
    assert_int_equal(outcome.all.cpu_us, 1150000);
}

static void a_late_generator_is_told(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) latency_add(&shared.share[0].figures.turn, 20000);
    assert_int_equal(judge(), 4);
}

static void a_machine_that_others_use_is_told(void **unused)
{
    (void)unused;
    outcome.watched = 1;
    outcome.watched_s = 1;
    outcome.processors = 2;
    outcome.after[0].cpu_s = 0.5;
    outcome.machine_s = 0.75; /* 0.5 of the cluster, 0.2 of this: the rest is little */
    assert_int_equal(judge(), 0);
    sound(unused);
    outcome.watched = 1;
    outcome.watched_s = 1;
    outcome.after[0].cpu_s = 0.5;
    outcome.machine_s = 1.6;
    assert_int_equal(judge(), 4);
}

static void too_few_rooms_are_told(void **unused)
{
    (void)unused;
    shared.share[0].figures.starved = 100;
    assert_int_equal(judge(), 4);
    sound(unused);
    plan.in_flight = 3; /* two were, on average: 1000 of 2 ms in a second */
    assert_int_equal(judge(), 4);
    sound(unused);
    plan.in_flight = 2;
    assert_int_equal(judge(), 0);
}

static void errors_and_faults_each_have_their_code(void **unused)
{
    (void)unused;
    shared.share[0].figures.errors[LOAD_ERROR_LOST] = 1;
    assert_int_equal(judge(), 5);
    sound(unused);
    outcome.began = false;
    assert_int_equal(judge(), 3);
    shared.share[0].faults[LOAD_FAULT_DIFFERS] = 1;
    assert_int_equal(judge(), 1);
}

#define SOUND(test) cmocka_unit_test_setup(test, sound)

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(one_address_is_enough), cmocka_unit_test(flags_are_taken),
                     cmocka_unit_test(what_cannot_be_is_refused),
                     SOUND(sound_figures_are_no_trouble), SOUND(a_busy_generator_is_told),
                     SOUND(one_busy_process_among_several_is_told), SOUND(a_late_generator_is_told),
                     SOUND(a_machine_that_others_use_is_told), SOUND(too_few_rooms_are_told),
                     SOUND(errors_and_faults_each_have_their_code));
}
