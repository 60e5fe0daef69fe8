/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/metrics.h"
#include "unit/test.h"

static struct buf text;

static const char *render(struct metrics *metrics)
{
    buf_clear(&text);
    metrics_render(metrics, &text);
    buf_put_u8(&text, 0);
    return (const char *)text.at;
}

static void counters_and_gauges_have_a_name_a_unit_and_a_help(void **unused)
{
    (void)unused;
    struct metrics *metrics = metrics_open(PROGRAM_WORKER);
    metrics_add(metrics, METRIC_bus_out_bytes, 40);
    metrics_add(metrics, METRIC_bus_out_bytes, 2);
    metrics_set(metrics, METRIC_worker_held, 7);
    metrics_set(metrics, METRIC_worker_oldest_unconfirmed, 1005);
    const char *all = render(metrics);
    assert_non_null(strstr(all, "# HELP madang_bus_out_bytes_total bytes in the batches sent\n"
                                "# TYPE madang_bus_out_bytes_total counter\n"
                                "madang_bus_out_bytes_total 42\n"));
    assert_non_null(strstr(all, "# TYPE madang_worker_held gauge\nmadang_worker_held 7\n"));
    assert_non_null(strstr(all, "\nmadang_worker_oldest_unconfirmed_seconds 1.005\n"));
    assert_null(strstr(all, "madang_gateway_")); /* another program's */
    metrics_close(metrics);
}

static void a_histogram_adds_up_its_buckets_and_is_served_in_seconds(void **unused)
{
    (void)unused;
    static const struct histogram_bounds bounds = {2, {1, 2500}};
    struct histogram lateness = {.sum = 0};
    struct metrics *metrics = metrics_open(PROGRAM_TIMER);
    assert_non_null(strstr(render(metrics), "madang_timer_lateness_seconds_bucket{le=\"+Inf\"} 0\n"
                                            "madang_timer_lateness_seconds_count 0\n"
                                            "madang_timer_lateness_seconds_sum 0.000\n"));
    static const uint64_t late_ms[] = {0, 1, 2, 2500, 2501};
    for (size_t i = 0; i < 5; i++) histogram_add(&lateness, &bounds, late_ms[i]);
    metrics_set_histogram(metrics, METRIC_timer_lateness, &bounds, &lateness);
    assert_non_null(strstr(render(metrics), "# TYPE madang_timer_lateness_seconds histogram\n"
                                            "madang_timer_lateness_seconds_bucket{le=\"0.001\"} 2\n"
                                            "madang_timer_lateness_seconds_bucket{le=\"2.5\"} 4\n"
                                            "madang_timer_lateness_seconds_bucket{le=\"+Inf\"} 5\n"
                                            "madang_timer_lateness_seconds_count 5\n"
                                            "madang_timer_lateness_seconds_sum 5.004\n"));
    metrics_close(metrics);
}

static void labelled_values_stand_under_one_name(void **unused)
{
    (void)unused;
    struct metrics *metrics = metrics_open(PROGRAM_WORKER);
    int cards = metrics_label(metrics, METRIC_worker_actions, "game=\"cards\"");
    int busy = metrics_label(metrics, METRIC_worker_refusals, "reason=\"busy\"");
    int tiles = metrics_label(metrics, METRIC_worker_actions, "game=\"tiles\"");
    metrics_set_labelled(metrics, cards, 3);
    metrics_set_labelled(metrics, tiles, 4);
    metrics_set_labelled(metrics, busy, 5);
    const char *all = render(metrics);
    assert_non_null(strstr(all, "# TYPE madang_worker_actions_total counter\n"
                                "madang_worker_actions_total{game=\"cards\"} 3\n"
                                "madang_worker_actions_total{game=\"tiles\"} 4\n#"));
    assert_non_null(strstr(all, "# TYPE madang_worker_refusals_total counter\n"
                                "madang_worker_refusals_total{reason=\"busy\"} 5\n#"));
    metrics_close(metrics);
}

static void every_queue_of_a_program_is_told_in_the_same_words(void **unused)
{
    (void)unused;
    struct metrics *metrics = metrics_open(PROGRAM_WORKER);
    metrics_set_queue(metrics, QUEUE_worker_held, &(struct fullness){7, 512, 3});
    const char *all = render(metrics);
    assert_non_null(strstr(all, "# TYPE madang_queue_depth gauge\n"));
    assert_non_null(strstr(all, "madang_queue_depth{queue=\"worker_held\",unit=\"outputs\"} 7\n"));
    assert_non_null(
        strstr(all, "madang_queue_bound{queue=\"worker_held\",unit=\"outputs\"} 512\n"));
    assert_non_null(strstr(all, "# TYPE madang_queue_refused_total counter\n"));
    assert_non_null(
        strstr(all, "madang_queue_refused_total{queue=\"worker_held\",unit=\"outputs\"} 3\n"));
    assert_non_null(strstr(all, "{queue=\"bus_inbox\",unit=\"bytes\"}"));
    assert_null(strstr(all, "{queue=\"gateway_")); /* another program's */
    metrics_close(metrics);
    buf_fini(&text);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(counters_and_gauges_have_a_name_a_unit_and_a_help),
                     cmocka_unit_test(every_queue_of_a_program_is_told_in_the_same_words),
                     cmocka_unit_test(labelled_values_stand_under_one_name),
                     cmocka_unit_test(a_histogram_adds_up_its_buckets_and_is_served_in_seconds));
}
