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
    struct metrics *metrics = metrics_open(PROGRAM_GATEWAY);
    metrics_add(metrics, METRIC_bus_bytes_out, 40);
    metrics_add(metrics, METRIC_bus_bytes_out, 2);
    metrics_set(metrics, METRIC_gateway_connections, 7);
    const char *all = render(metrics);
    assert_non_null(strstr(all, "# HELP madang_bus_bytes_out_bytes_total in those batches\n"
                                "# TYPE madang_bus_bytes_out_bytes_total counter\n"
                                "madang_bus_bytes_out_bytes_total 42\n"));
    assert_non_null(strstr(all, "# TYPE madang_gateway_connections gauge\n"
                                "madang_gateway_connections 7\n"));
    assert_null(strstr(all, "madang_worker_")); /* another program's */
    metrics_close(metrics);
}

static void a_histogram_adds_up_its_buckets(void **unused)
{
    (void)unused;
    static const uint32_t bounds[] = {1, 10};
    static const uint64_t counts[] = {3, 2, 1};
    struct metrics *metrics = metrics_open(PROGRAM_TIMER);
    metrics_set_histogram(metrics, METRIC_timer_lateness, bounds, counts, 3, 60);
    assert_non_null(strstr(render(metrics), "# TYPE madang_timer_lateness_ms histogram\n"
                                            "madang_timer_lateness_ms_bucket{le=\"1\"} 3\n"
                                            "madang_timer_lateness_ms_bucket{le=\"10\"} 5\n"
                                            "madang_timer_lateness_ms_bucket{le=\"+Inf\"} 6\n"
                                            "madang_timer_lateness_ms_sum 60\n"
                                            "madang_timer_lateness_ms_count 6\n"));
    metrics_close(metrics);
    buf_fini(&text);
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
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(counters_and_gauges_have_a_name_a_unit_and_a_help),
                     cmocka_unit_test(every_queue_of_a_program_is_told_in_the_same_words),
                     cmocka_unit_test(a_histogram_adds_up_its_buckets));
}
