/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/log.h"
#include "unit/test.h"

#include <fcntl.h>
#include <unistd.h>

static struct buf line;

static const char *format(enum log_level least, int64_t wall_ms, const char *event,
                          const uint64_t values[3], const char *text)
{
    buf_clear(&line);
    if (!log_format(PROGRAM_WORKER, least, wall_ms, event, values, text, &line)) return NULL;
    buf_put_u8(&line, 0);
    return (const char *)line.at;
}

static void a_line_is_one_object_with_the_numbers_of_its_event(void **unused)
{
    (void)unused;
    static const uint64_t values[] = {0x1f, 7, 12};
    assert_string_equal(
        format(LOG_INFO, 1700000000123, "room.adopted", values, NULL),
        "{\"ts\":\"2023-11-14T22:13:20.123Z\",\"level\":\"info\",\"service\":\"worker\","
        "\"event\":\"room.adopted\",\"room\":\"000000000000001f\",\"epoch\":7,\"position\":12}\n");
    assert_string_equal(
        format(LOG_INFO, 0, "process.paused", values, NULL),
        "{\"ts\":\"1970-01-01T00:00:00.000Z\",\"level\":\"warn\",\"service\":\"worker\","
        "\"event\":\"process.paused\",\"paused_ms\":7}\n");
}

static void numbers_that_nobody_allowed_are_not_written(void **unused)
{
    (void)unused;
    static const uint64_t values[] = {4711, 4712, 4713};
    const char *text = format(LOG_INFO, 0, "tile.drawn", values, NULL);
    assert_non_null(text);
    assert_null(strstr(text, "471"));
    text = format(LOG_INFO, 0, "quick.matched", values, NULL); /* a matchmaker's */
    assert_null(strstr(text, "471"));
}

static void levels_below_the_least_are_left_out(void **unused)
{
    (void)unused;
    static const uint64_t values[3];
    assert_null(format(LOG_WARN, 0, "room.adopted", values, NULL));
    assert_non_null(format(LOG_WARN, 0, "room.fenced", values, NULL));
    assert_non_null(format(LOG_ERROR, 0, "room.set_aside", values, NULL));
}

static void texts_cannot_break_the_line(void **unused)
{
    (void)unused;
    const char *text = format(LOG_INFO, 0, "process.wrong", NULL, "a \"b\"\n\\c\x01");
    assert_non_null(strstr(text, ",\"text\":\"a \\\"b\\\"?\\\\c?\"}\n"));
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_in_range(strlen(format(LOG_INFO, 0, "process.wrong", NULL, longer)), 300, 450);
}

static void dates_are_right_around_leap_days(void **unused)
{
    (void)unused;
    static const uint64_t values[3];
    static const struct {
        int64_t s;
        const char *date;
    } dates[] = {{951782400, "2000-02-29"},  {951868800, "2000-03-01"},
                 {1709164800, "2024-02-29"}, {1735689599, "2024-12-31"},
                 {1735689600, "2025-01-01"}, {4107542400, "2100-03-01"}};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        assert_memory_equal(format(LOG_INFO, dates[i].s * 1000, "drain.done", values, NULL) + 7,
                            dates[i].date, 10);
    buf_fini(&line);
}

static uint64_t taken(struct log_flow *flow, int64_t now_ms, int lines)
{
    uint64_t count = 0;
    for (int i = 0; i < lines; i++) count += log_flow_take(flow, now_ms);
    return count;
}

static void too_many_lines_are_counted_and_told_of_once_there_is_room(void **unused)
{
    (void)unused;
    struct log_flow flow = {0};
    int64_t now_ms = 1700000000000;
    assert_int_equal(taken(&flow, now_ms, LOG_LINES_BURST + 100), LOG_LINES_BURST);
    assert_int_equal(flow.dropped, 100);
    assert_int_equal(log_flow_news(&flow), 0); /* that line, too, would be one too many */
    now_ms += 100;
    assert_int_equal(taken(&flow, now_ms, LOG_LINES_PER_S), LOG_LINES_PER_S / 10);
    now_ms += 1500;
    assert_true(log_flow_take(&flow, now_ms));
    assert_int_equal(log_flow_news(&flow), 100 + LOG_LINES_PER_S * 9 / 10);
    assert_int_equal(log_flow_news(&flow), 0);
}

static void a_clock_that_is_set_back_gains_and_loses_nothing(void **unused)
{
    (void)unused;
    struct log_flow flow = {0};
    int64_t now_ms = 1700000000000;
    taken(&flow, now_ms, LOG_LINES_BURST);
    now_ms -= 3600 * 1000;
    assert_int_equal(taken(&flow, now_ms, 10), 0);
    assert_int_equal(taken(&flow, now_ms + 1000, 2 * LOG_LINES_PER_S), LOG_LINES_PER_S);
}

/* ---- where lines go -------------------------------------------------------------------------- */

enum { UNREAD_LINES = 2000, AT_MOST_S = 60 };

/* What is in the pipe now, as text. */
static const char *read_all(int from)
{
    static char text[1 << 16];
    ssize_t got = read(from, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static uint64_t whole_lines(const char *text)
{
    uint64_t lines = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1, lines++) {
        assert_memory_equal(text, "{\"ts\":", 6);
        assert_true(end[-1] == '}');
    }
    assert_string_equal(text, "");
    return lines;
}

/* A pipe whose other end has stopped reading. */
static void a_log_that_nobody_reads_holds_nobody_up(void **unused)
{
    (void)unused;
    int ends[2], stderr_kept = dup(STDERR_FILENO);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    log_open(PROGRAM_WORKER, LOG_INFO);
    uint64_t lines = log_lines(), dropped = log_fullness().refused;
    char told[64];

    alarm(AT_MOST_S); /* ends a test that waits */
    dup2(ends[1], STDERR_FILENO);
    for (int i = 0; i < UNREAD_LINES; i++) log_text("process.wrong", "nobody listens");
    lines = log_lines() - lines;
    dropped = log_fullness().refused - dropped;
    uint64_t came = whole_lines(read_all(ends[0]));
    log_text("process.wrong", "somebody listens again");
    const char *then = read_all(ends[0]);
    dup2(stderr_kept, STDERR_FILENO);
    alarm(0);
    close(stderr_kept);
    close(ends[0]);
    close(ends[1]);

    assert_true(dropped > 0);
    assert_int_equal(lines + dropped, UNREAD_LINES);
    assert_int_equal(came, lines);
    assert_int_equal(whole_lines(then), 2);
    assert_non_null(strstr(then, "somebody listens again"));
    snprintf(told, sizeof told, "\"event\":\"log.dropped\",\"lines\":%llu}",
             (unsigned long long)dropped);
    assert_non_null(strstr(then, told));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_line_is_one_object_with_the_numbers_of_its_event),
                     cmocka_unit_test(numbers_that_nobody_allowed_are_not_written),
                     cmocka_unit_test(levels_below_the_least_are_left_out),
                     cmocka_unit_test(texts_cannot_break_the_line),
                     cmocka_unit_test(too_many_lines_are_counted_and_told_of_once_there_is_room),
                     cmocka_unit_test(a_clock_that_is_set_back_gains_and_loses_nothing),
                     cmocka_unit_test(a_log_that_nobody_reads_holds_nobody_up),
                     cmocka_unit_test(dates_are_right_around_leap_days));
}
