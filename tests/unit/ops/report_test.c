/* SPDX-License-Identifier: Apache-2.0
 *
 * What a service tells of its settings: where each came from, and nothing that is secret.
 */
#include "ops/config.h"
#include "unit/test.h"

#include <stdio.h>
#include <string.h>

static const struct config_item items[] = {
    {"rooms-max", CONFIG_INT, "10", 1, 100, NULL, "how many"},
    {"key", CONFIG_SECRET, "", 0, 0, NULL, "a secret"},
    {"key-file", CONFIG_TEXT, "", 0, 0, NULL, "where it is"},
    {"redis", CONFIG_STORES, "tcp://a:1", 0, 0, NULL, "shards"},
};
enum { ITEMS = sizeof items / sizeof *items };

static char said[1024];

/* One argument and two variables; NULL: none. */
static void report(const char *argument, const char *variable, const char *other)
{
    struct config config;
    struct buf out = {0};
    char *argv[] = {"program", (char *)argument, NULL};
    char *environment[] = {(char *)(variable ? variable : "A=b"), (char *)other, NULL};
    assert_int_equal(config_parse(&config, items, ITEMS, argv, environment, NULL), CONFIG_READY);
    config_report(&config, &out);
    snprintf(said, sizeof said, "%.*s", (int)out.len, (char *)out.at);
    buf_fini(&out);
    config_fini(&config);
}

static void each_value_has_its_source(void **unused)
{
    (void)unused;
    report(NULL, NULL, NULL);
    assert_string_equal(said, "rooms-max\tdefault\t10\nkey\tdefault\t\nkey-file\tdefault\t\n"
                              "redis\tdefault\ttcp://a:1\n");
    report("--rooms-max=20", "MADANG_ROOMS_MAX=30", "MADANG_KEY_FILE=/k");
    assert_string_equal(said, "rooms-max\tflag\t20\nkey\tfile\t(set)\nkey-file\tenvironment\t/k\n"
                              "redis\tdefault\ttcp://a:1\n");
}

static void a_secret_is_only_told_to_be_set(void **unused)
{
    (void)unused;
    report(NULL, "MADANG_KEY=sesame", NULL);
    assert_non_null(strstr(said, "key\tenvironment\t(set)\n"));
    assert_null(strstr(said, "sesame"));
}

static void users_and_passwords_of_shards_are_left_out(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"tcp://u:sesame@h:1/2", "tcp://***@h:1/2"},
        {"tcp://h:1, tcp://:ses,ame@h:2", "tcp://h:1, tcp://***@h:2"},
        {"unix://u:sesame@/run/r", "unix://***@/run/r"},
        {"unix:///run/r@home", "unix:///run/r@home"},
        {"sentinel://u:sesame@a:1,b:2/yard?sentinel=v:sesame,tcp://c",
         "sentinel://***@a:1,b:2/yard?sentinel=***,tcp://c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char variable[256], line[256];
        snprintf(variable, sizeof variable, "MADANG_REDIS=%s", cases[i][0]);
        snprintf(line, sizeof line, "redis\tenvironment\t%s\n", cases[i][1]);
        report(NULL, variable, NULL);
        assert_non_null(strstr(said, line));
        assert_null(strstr(said, "ame@"));
    }
}

static void nothing_in_a_value_makes_a_line_of_its_own(void **unused)
{
    (void)unused;
    report(NULL, "MADANG_KEY_FILE=a\nkey\tdefault\tb", NULL);
    assert_non_null(strstr(said, "key-file\tenvironment\ta key default b\n"));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(each_value_has_its_source),
                     cmocka_unit_test(a_secret_is_only_told_to_be_set),
                     cmocka_unit_test(users_and_passwords_of_shards_are_left_out),
                     cmocka_unit_test(nothing_in_a_value_makes_a_line_of_its_own));
}
