/* SPDX-License-Identifier: Apache-2.0
 *
 * Every registered game passes the conformance suite; none is named here.
 */
#include "unit/games/conformance.h"
#include "unit/games/toy_game.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLAYTHROUGHS = 2000 / TEST_ONE_IN };

/* SEED=n repeats playthrough n alone. */
static struct conformance_plan plan(void)
{
    const char *seed = getenv("SEED");
    if (seed && *seed) return (struct conformance_plan){(uint32_t)strtoul(seed, NULL, 10), 1};
    return (struct conformance_plan){1, PLAYTHROUGHS};
}

static void every_registered_game_fulfils_the_contract(void **unused)
{
    (void)unused;
    for (int i = 0; i < game_count(); i++) {
        struct conformance_report report;
        const struct game *game = game_at(i);
        if (!conformance_run(game, plan(), &report))
            fail_msg("%s: %s (SEED=%u, step %d)", game->id, report.fault, report.playthrough,
                     report.step);
        print_message(
            "%s: %ld steps, %ld games ended, %ld of %ld legal, %ld refused, %ld hidden, %ld worlds "
            "followed for %ld "
            "steps, %ld damaged saves\n",
            game->id, report.steps, report.finished, report.legal_accepted, report.legal,
            report.refused, report.hidden, report.worlds, report.followed, report.damaged);
        assert_true(report.steps > 0 && report.refused > 0);
    }
}

int main(void)
{
    game_register_for_tests(&toy_game);
    return RUN_TESTS(cmocka_unit_test(every_registered_game_fulfils_the_contract));
}
