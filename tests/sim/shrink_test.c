/* SPDX-License-Identifier: Apache-2.0
 *
 * A run that fails is told by the few faults that make it fail, and those alone make it fail again.
 */
#include <stdlib.h>

#include "unit/test.h"

#include "base/check.h"
#include "sim/world.h"

static bool happened(const struct world *world, enum fault kind, uint32_t number)
{
    for (size_t i = 0; i < world->happened.count; i++)
        if (world->happened.list[i].kind == kind && world->happened.list[i].number == number)
            return true;
    return false;
}

/* Planted: the run breaks when both happened, whatever else did. */
static const char *crash_and_loss(const struct world *world)
{
    bool both = happened(world, FAULT_CRASH, 2) && happened(world, FAULT_LOSS, 5);
    return both ? "p1: planted, of a crash and a loss" : NULL;
}

static const char *late_crash(const struct world *world)
{
    bool late = world->now >= world->config.end_at - 1000;
    return late && happened(world, FAULT_CRASH, 1) ? "planted, seen at the end alone" : NULL;
}

static const char *core_gives_up(const struct world *world)
{
    CHECK(!happened(world, FAULT_PAUSE, 1));
    return NULL;
}

static void draw(struct sim_config *config)
{
    sim_config_draw(config, 11);
    config->rooms = 2;
    config->players_per_room = 3;
    config->strangers = 0;
    config->scenes = (struct sim_scenes){.open = false};
    config->faults.crash_every_ms = config->faults.pause_every_ms = 9000;
    config->faults.loss_ppm = 3000;
    config->faults.store_crash_every_ms = config->faults.store_forget_every_ms = 0;
    config->calm_at = 60 * 1000;
    config->end_at = 180 * 1000;
}

static char *explained(const struct sim_config *config)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    sim_explain(config, out);
    CHECK(fclose(out) == 0);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void what_does_not_matter_is_left_out(void **state)
{
    (void)state;
    struct sim_config config;
    draw(&config);
    config.also_check = crash_and_loss;
    char *text = explained(&config);
    assert_has(text, "to 2 fault(s)");
    assert_has(text, "planted, of a crash and a loss");
    assert_has(text, "make sim SEED=11 FAULTS=crash:2,loss:5");
    assert_has(text, "here comes crash:2");
    assert_has(text, "here comes loss:5");
    assert_has(text, "p1: connects to");
    assert_null(strstr(text, "p2: "));
    free(text);
}

static void what_is_left_fails_in_the_same_way(void **state)
{
    (void)state;
    struct sim_config config;
    struct fault_list few;
    draw(&config);
    config.also_check = crash_and_loss;
    assert_true(fault_list_read("loss:5,crash:2", &few));
    config.only_faults = &few;
    struct world *world = sim_open(&config);
    assert_non_null(sim_run(world));
    assert_int_equal(world->happened.count, 2);
    sim_close(world);
    few.count = 1;
    world = sim_open(&config);
    assert_null(sim_run(world));
    assert_int_equal(world->happened.count, 1);
    sim_close(world);
    fault_list_fini(&few);
}

static void the_end_comes_forward(void **state)
{
    (void)state;
    struct sim_config config;
    draw(&config);
    config.also_check = late_crash;
    char *text = explained(&config);
    assert_has(text, "FAULTS=crash:1 CALM=");
    free(text);
}

static void an_invariant_that_breaks_is_a_run_that_fails(void **state)
{
    (void)state;
    struct sim_config config;
    draw(&config);
    config.also_check = core_gives_up;
    struct world *world = sim_open(&config);
    assert_has(sim_run(world), "invariant broken: !happened(world, FAULT_PAUSE, 1)");
    sim_close(world);
    char *text = explained(&config);
    assert_has(text, "FAULTS=pause:1");
    free(text);
}

static void what_cannot_be_repeated_is_said(void **state)
{
    (void)state;
    struct sim_config config;
    draw(&config);
    char *text = explained(&config);
    assert_has(text, "does not fail again");
    free(text);
}

static void names_of_faults_are_read_as_they_are_written(void **state)
{
    (void)state;
    struct fault_list list;
    assert_true(fault_list_read("store-cut:12,crash:3", &list));
    char text[64] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    fault_list_write(&list, out);
    fclose(out);
    assert_string_equal(text, "crash:3,store-cut:12");
    fault_list_fini(&list);
    assert_true(fault_list_read("none", &list) && list.count == 0);
    assert_false(fault_list_read("", &list));
    assert_false(fault_list_read("crash", &list));
    assert_false(fault_list_read("crash:0", &list));
    assert_false(fault_list_read("flood:1", &list));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_does_not_matter_is_left_out),
                     cmocka_unit_test(what_is_left_fails_in_the_same_way),
                     cmocka_unit_test(the_end_comes_forward),
                     cmocka_unit_test(an_invariant_that_breaks_is_a_run_that_fails),
                     cmocka_unit_test(what_cannot_be_repeated_is_said),
                     cmocka_unit_test(names_of_faults_are_read_as_they_are_written));
}
