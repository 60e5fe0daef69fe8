/* SPDX-License-Identifier: Apache-2.0
 *
 * The conformance suite finds what it claims to find: every broken engine is caught, for the
 * right reason, and the good one that they are made from is not.
 */
#include "unit/games/broken.h"
#include "unit/games/conformance.h"
#include "unit/test.h"

#include "games/davinci/davinci.h"
#include "games/dobble/dobble.h"

enum { PLAYTHROUGHS = 400 };
static const struct conformance_plan plan = {500000, PLAYTHROUGHS};

static void every_one_is_caught(const struct game *good, const struct broken *list)
{
    for (const struct broken *broken = list; broken->sentence; broken++) {
        struct game game = *good;
        struct conformance_report report;
        broken->into(&game);
        if (conformance_run(&game, plan, &report))
            fail_msg("%s: not found in %d playthroughs", broken->sentence, PLAYTHROUGHS);
        if (!strstr(report.fault, broken->verdict))
            fail_msg("%s: the suite says \"%s\", not \"%s\"", broken->sentence, report.fault,
                     broken->verdict);
    }
}

static void engines_that_tell_secrets_are_caught(void **unused)
{
    (void)unused;
    every_one_is_caught(&davinci_game, broken_secrets);
}

static void engines_that_lose_or_change_the_state_are_caught(void **unused)
{
    (void)unused;
    every_one_is_caught(&davinci_game, broken_states);
}

static void engines_that_stall_or_misjudge_are_caught(void **unused)
{
    (void)unused;
    every_one_is_caught(&davinci_game, broken_clocks);
}

static void engines_that_show_what_waits_or_comes_are_caught(void **unused)
{
    (void)unused;
    every_one_is_caught(&dobble_game, broken_windows);
}

static void the_good_engines_are_not_blamed(void **unused)
{
    (void)unused;
    struct conformance_report report;
    if (!conformance_run(&davinci_game, plan, &report)) fail_msg("%s", report.fault);
    if (!conformance_run(&dobble_game, plan, &report)) fail_msg("%s", report.fault);
    assert_true(report.hidden > 0);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(engines_that_tell_secrets_are_caught),
                     cmocka_unit_test(engines_that_lose_or_change_the_state_are_caught),
                     cmocka_unit_test(engines_that_stall_or_misjudge_are_caught),
                     cmocka_unit_test(engines_that_show_what_waits_or_comes_are_caught),
                     cmocka_unit_test(the_good_engines_are_not_blamed));
}
