/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/http.h"
#include "ctl/local.h"
#include "ctl/text.h"

#include "unit/test.h"

static const char *text_of(struct buf *out)
{
    buf_put_u8(out, 0);
    return (const char *)out->at;
}

static void columns_line_up_whatever_the_script(void **unused)
{
    (void)unused;
    static const struct text_column columns[] = {{"NAME", false, false}, {"N", true, false}};
    struct text_table table = {.columns = columns, .column_count = 2};
    struct text_style style = {0};
    struct buf out = {0};
    struct text_cell *row = text_table_row(&table);
    row[0].text = "할머니";
    row[1].text = "7";
    row = text_table_row(&table);
    row[0].text = "Lee";
    row[1].text = "12";
    text_table_write(&table, &style, &out);
    assert_string_equal(text_of(&out), "NAME     N\n할머니   7\nLee     12\n");
    text_table_fini(&table);
    buf_fini(&out);
}

static void a_narrow_terminal_cuts_what_may_be_cut(void **unused)
{
    (void)unused;
    static const struct text_column columns[] = {{"ID", false, false}, {"NAME", false, true}};
    struct text_table table = {.columns = columns, .column_count = 2};
    struct text_style style = {.width = 20};
    struct buf out = {0};
    struct text_cell *row = text_table_row(&table);
    row[0].text = "12345678";
    row[1].text = "a name that is too long";
    text_table_write(&table, &style, &out);
    assert_string_equal(text_of(&out), "ID        NAME\n12345678  a name th…\n");
    text_table_fini(&table);
    buf_fini(&out);
}

/* Whatever is missing at its end, or cut in the middle of a wide syllable. */
static void no_line_ends_in_blanks(void **unused)
{
    (void)unused;
    static const struct text_column columns[] = {
        {"NAME", false, true}, {"WON", true, false}, {"", false, false}, {"RTT", true, false}};
    struct text_table table = {.columns = columns, .column_count = 4};
    struct text_style narrow = {.width = 17};
    struct buf out = {0};
    struct text_cell *row = text_table_row(&table);
    row[0].text = "Lee";
    row[1].text = "0/1";
    row[3].text = "12ms";
    row = text_table_row(&table);
    row[0].text = "우리할머니";
    row = text_table_row(&table);
    row[1].text = "0/1";
    text_table_row(&table);
    text_table_write(&table, &narrow, &out);
    assert_string_equal(text_of(&out), "NAME    WON     RTT\nLee     0/1    12ms\n우리…\n"
                                       "        0/1\n\n");
    text_table_fini(&table);
    buf_fini(&out);
}

static void colours_are_for_terminals(void **unused)
{
    (void)unused;
    struct buf out = {0};
    struct text_style plain = {0}, color = {.color = true};
    text_marked(&out, &plain, MARK_BAD, "dead");
    text_marked(&out, &color, MARK_BAD, "dead");
    assert_string_equal(text_of(&out), "dead\033[31mdead\033[0m");
    buf_fini(&out);
}

static void times_are_said_as_people_say_them(void **unused)
{
    (void)unused;
    struct buf out = {0};
    const uint64_t ms[] = {0, 999, 4250, 61000, 3600000 + 120000, 86400000 * 2 + 3600000};
    for (size_t i = 0; i < sizeof ms / sizeof *ms; i++) {
        text_duration(&out, ms[i]);
        text_add(&out, "|");
    }
    assert_string_equal(text_of(&out), "0ms|999ms|4.2s|1m 1s|1h 2m|2d 1h|");
    buf_fini(&out);
}

/* A nickname is what somebody typed: nothing in it may move the cursor. */
static void control_characters_never_reach_the_terminal(void **unused)
{
    (void)unused;
    struct buf out = {0};
    text_safe(&out, "a\033[2Jb\xc2\x9b"
                    "c\xff"
                    "d 민수?");
    assert_string_equal(text_of(&out), "a?[2Jb?c?d 민수?");
    buf_fini(&out);
}

static void json_is_whole_and_quoted(void **unused)
{
    (void)unused;
    struct buf out = {0};
    struct json json = {.out = &out, .compact = true};
    json_object(&json, NULL);
    json_text(&json, "a", "\"\\\n");
    json_list(&json, "b");
    json_number(&json, NULL, -1);
    json_bool(&json, NULL, true);
    json_end(&json, ']');
    json_list(&json, "c");
    json_end(&json, ']');
    json_room(&json, "d", 0xabcdef);
    json_null(&json, "e");
    json_end(&json, '}');
    assert_string_equal(text_of(&out), "{\"a\":\"\\\"\\\\\\u000a\",\"b\":[-1,true],\"c\":[],"
                                       "\"d\":\"0000000000abcdef\",\"e\":null}\n");
    buf_fini(&out);
}

static void an_answer_of_http_is_read(void **unused)
{
    (void)unused;
    struct slice body;
    assert_int_equal(http_status(slice_text("HTTP/1.1 503 No\r\nA: b\r\n\r\nwhy"), &body), 503);
    assert_true(slice_equal(body, slice_text("why")));
    assert_int_equal(http_status(slice_text("HTTP/1.1 200 OK\r\n"), &body), 0);
    assert_int_equal(http_status(slice_text("nonsense\r\n\r\n......."), &body), 0);
}

static void hosts_and_ports_of_urls_are_found(void **unused)
{
    (void)unused;
    char host[32];
    assert_true(url_host("tcp://10.0.0.1:7100", host, sizeof host));
    assert_string_equal(host, "10.0.0.1");
    assert_int_equal(url_port("tcp://10.0.0.1:7100"), 7100);
    assert_true(url_host("tls+tcp://[::1]:70/x", host, sizeof host));
    assert_string_equal(host, "::1");
    assert_int_equal(url_port("tls+tcp://[::1]:70/x"), 70);
    assert_int_equal(url_port("http://here/"), -1);
    assert_false(url_host("", host, sizeof host));
}

static void a_metric_is_found_by_its_whole_name(void **unused)
{
    (void)unused;
    double value;
    struct slice text = slice_text("# HELP a_b x\na_b_c 1\na_b 2.5\n");
    assert_true(metric_value(text, "a_b", &value));
    assert_true(value > 2.4 && value < 2.6);
    assert_false(metric_value(text, "a", &value));
    text = slice_text("# HELP a_b x\na_b{g=\"x} y\"} 1\na_b{g=\"z\"} 2\na_b_c{g=\"z\"} 4\na_b 8");
    assert_true(metric_sum(text, "a_b", &value));
    assert_true(value > 10.9 && value < 11.1);
    assert_false(metric_sum(text, "a", &value));
}

static void a_note_is_found_again(void **unused)
{
    (void)unused;
    struct buf note = {0};
    local_add(&note, "matchmakers", "tcp://a:1,tcp://b:2");
    local_add(&note, "redis", "unix:///x y");
    local_end(&note);
    assert_string_equal(local_find(buf_slice(&note), "redis"), "unix:///x y");
    assert_string_equal(local_find(buf_slice(&note), "matchmakers"), "tcp://a:1,tcp://b:2");
    assert_null(local_find(buf_slice(&note), "red"));
    assert_null(local_find((struct slice){0}, "redis"));
    buf_fini(&note);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(columns_line_up_whatever_the_script),
                     cmocka_unit_test(a_narrow_terminal_cuts_what_may_be_cut),
                     cmocka_unit_test(no_line_ends_in_blanks),
                     cmocka_unit_test(colours_are_for_terminals),
                     cmocka_unit_test(times_are_said_as_people_say_them),
                     cmocka_unit_test(control_characters_never_reach_the_terminal),
                     cmocka_unit_test(json_is_whole_and_quoted),
                     cmocka_unit_test(an_answer_of_http_is_read),
                     cmocka_unit_test(hosts_and_ports_of_urls_are_found),
                     cmocka_unit_test(a_metric_is_found_by_its_whole_name),
                     cmocka_unit_test(a_note_is_found_again));
}
