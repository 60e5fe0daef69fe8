/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/test.h"
#include "wire/trace.h"

static void a_trace_is_the_same_wherever_the_action_is_seen(void **unused)
{
    (void)unused;
    /* Another connection brings the same action again: the seat's own counter names it. */
    assert_true(trace_of_act(7, 0, 3, 12, 100) == trace_of_act(7, 0, 3, 12, 200));
}

static void actions_that_differ_in_anything_have_traces_of_their_own(void **unused)
{
    (void)unused;
    const uint64_t traces[] = {
        trace_of_act(7, 0, 3, 12, 100),  trace_of_act(8, 0, 3, 12, 100),
        trace_of_act(7, 1, 3, 12, 100),  trace_of_act(7, 0, 4, 12, 100),
        trace_of_act(7, 0, 3, 13, 100),  trace_of_act(7, -1, 0, 12, 100),
        trace_of_act(7, -1, 0, 12, 101), trace_of_act(7, -1, 0, 13, 100),
    };
    enum { COUNT = sizeof traces / sizeof *traces };
    for (int i = 0; i < COUNT; i++) {
        assert_true(traces[i] != 0);
        for (int j = 0; j < i; j++) assert_true(traces[i] != traces[j]);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_trace_is_the_same_wherever_the_action_is_seen),
                     cmocka_unit_test(actions_that_differ_in_anything_have_traces_of_their_own));
}
