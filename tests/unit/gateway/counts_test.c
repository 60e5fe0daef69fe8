/* SPDX-License-Identifier: Apache-2.0
 *
 * What a gateway counts for metrics, and what it notes of an action on its way.
 */
#include "unit/gateway/yard.h"

#include "wire/trace.h"

#include <string.h>

static uint64_t sum(const struct histogram *of)
{
    uint64_t total = 0;
    for (int i = 0; i <= HISTOGRAM_BOUNDS_MAX; i++) total += of->counts[i];
    return total;
}

static void an_action_is_timed_from_the_socket_to_its_outcome_there(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 5);
    yard_pass(&yard, 30);
    assert_int_equal(sum(&gateway_core_counts(yard.core)->written_ms), 0);
    yard_answer(&yard, socket, 3, 5, true);
    yard_answer(&yard, socket, 3, 5, true);
    assert_int_equal(sum(&gateway_core_counts(yard.core)->written_ms), 1);
    assert_int_equal(gateway_core_counts(yard.core)->written_ms.sum, 30);
    assert_int_equal(gateway_core_counts(yard.core)->resent, 0);
    yard_close(&yard);
}

static void what_is_sent_again_is_counted(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 5);
    yard_pass(&yard, GATEWAY_RESEND_MS + 1);
    assert_int_equal(gateway_core_counts(yard.core)->resent, 1);
    yard_close(&yard);
}

static void refusals_stand_under_their_reason(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    const uint64_t *refusals = gateway_core_counts(yard.core)->refusals;
    yard_act(&yard, yard_guest(&yard), 1, 1);
    assert_int_equal(refusals[REASON_NOT_SEATED], 1);
    uint64_t socket = yard_seated(&yard, 1, 3);
    yard_act(&yard, socket, 3, 1);
    struct envelope envelope = {.kind = ENV_ANSWER};
    envelope.u.answer = (struct env_answer){.room = yard_room(),
                                            .client = socket,
                                            .epoch = 100,
                                            .generation = 3,
                                            .counter = 1,
                                            .why = {.domain = "toy", .code = REASON_STALE}};
    yard_worker_says(&yard, &envelope);
    assert_int_equal(refusals[REASON_NONE], 1); /* a game's own, whatever its number */
    assert_int_equal(refusals[REASON_STALE], 0);
    yard_close(&yard);
}

static void a_room_without_a_worker_is_timed(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    instant_ms from = yard.now;
    yard_pass(&yard, 200);
    yard_resolve_at(&yard, 101);
    assert_int_equal(sum(&gateway_core_counts(yard.core)->away_ms), 1);
    assert_int_equal(gateway_core_counts(yard.core)->away_ms.sum, yard.now - from);
    yard_close(&yard);
}

static int noted(const struct yard *yard, const char *text, uint64_t trace)
{
    int count = 0;
    for (int i = 0; i < yard->note_count; i++)
        count += strcmp(yard->notes[i].text, text) == 0 && yard->notes[i].value[0] == trace;
    return count;
}

static void open_tracing(struct yard *yard, bool traces)
{
    yard_open(yard);
    gateway_core_close(yard->core);
    yard->config.traces = traces;
    yard->core = gateway_core_open(&yard->config, yard->now);
    yard_pass(yard, 0);
}

static void every_step_of_an_action_is_noted_under_its_trace_if_asked_for(void **unused)
{
    (void)unused;
    for (int traces = 0; traces <= 1; traces++) {
        struct yard yard;
        open_tracing(&yard, traces);
        uint64_t socket = yard_seated(&yard, 1, 3);
        yard_act(&yard, socket, 3, 5);
        yard_answer(&yard, socket, 3, 5, true);
        uint64_t trace = trace_of_act(yard_room(), 1, 3, 5, socket);
        assert_int_equal(noted(&yard, "act.received", trace), traces);
        assert_int_equal(noted(&yard, "act.sent", trace), traces);
        assert_int_equal(noted(&yard, "act.answered", trace), traces);
        yard_close(&yard);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(an_action_is_timed_from_the_socket_to_its_outcome_there),
                     cmocka_unit_test(what_is_sent_again_is_counted),
                     cmocka_unit_test(refusals_stand_under_their_reason),
                     cmocka_unit_test(a_room_without_a_worker_is_timed),
                     cmocka_unit_test(
                         every_step_of_an_action_is_noted_under_its_trace_if_asked_for));
}
