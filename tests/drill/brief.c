/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/brief.h"

#include "ops/system.h"
#include "unit/test.h"

int brief_open(struct drill_yard *yard, enum drill_store store)
{
    *yard = (struct drill_yard){
        .store = store,
        .cluster = {.gateways = 2, .matchmakers = 2, .workers = 2, .timers = 2},
        .plan = {.rooms = BRIEF_ROOMS, .pace_ms = BRIEF_PACE_MS},
        .brief = true,
    };
    random_fill(&yard->plan.seed, sizeof yard->plan.seed);
    yard->plan.seed %= 1000000000;
    print_message("seed %llu\n", (unsigned long long)yard->plan.seed);
    report_head(stdout);
    if (drill_yard_open(yard)) return 0;
    print_error("%s\n", yard->trouble);
    return -1;
}

void brief_carry_out(struct drill_yard *yard, const char *name, int times)
{
    struct drill_result result;
    const struct drill *drill = drill_find(name);
    assert_non_null(drill);
    drill_carry_out(yard, drill, times, &result);
    report_line(stdout, &result);
    report_faults(stdout, yard, &result);
    bool holds = drill_holds(&result) && result.injected == times;
    uint64_t acknowledged = result.crowd.acknowledged;
    drill_result_fini(&result);
    assert_true(holds);
    assert_true(acknowledged > BRIEF_ROOMS);
}
