/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/settings.h"
#include "unit/test.h"

static const struct config_item items[] = {
    {"rooms-max", CONFIG_INT, "10", 1, 100, NULL, "how many"},
    {"name", CONFIG_TEXT, "", 0, 0, NULL, "a name"},
    {"inbox", CONFIG_URL, "tcp://127.0.0.1:0", 0, 0, NULL, "where"},
    {"peers", CONFIG_URLS, "tcp://a:1", 0, 0, NULL, "who"},
    {"grace", CONFIG_DURATION, "30s", 0, 3600000, NULL, "how long"},
    {"quiet", CONFIG_SWITCH, "off", 0, 0, NULL, "less"},
    {"password", CONFIG_SECRET, "", 0, 0, NULL, "a secret"},
    {"redis", CONFIG_STORES, "", 0, 0, NULL, "shards"},
    {"level", CONFIG_CHOICE, "info", 0, 0, "debug|info|warn", "how much"},
};
enum { ROOMS_MAX, NAME, INBOX, PEERS, GRACE, QUIET, PASSWORD, REDIS, LEVEL, ITEMS };

static bool elsewhere(const char *variable)
{
    return strcmp(variable, "MADANG_PORT") == 0;
}

static struct config config;

/* One argument and one variable; NULL: none. */
static enum config_result parse(const char *argument, const char *variable)
{
    char *argv[] = {"program", (char *)argument, NULL};
    char *environment[] = {"HOME=/root", (char *)variable, NULL};
    config_fini(&config);
    return config_parse(&config, items, ITEMS, argv, environment, elsewhere);
}

static void assert_wrong(const char *argument, const char *variable, const char *sentence)
{
    assert_int_equal(parse(argument, variable), CONFIG_WRONG);
    assert_string_equal(config.error, sentence);
}

static void without_anything_all_have_their_defaults(void **unused)
{
    (void)unused;
    assert_int_equal(parse(NULL, NULL), CONFIG_READY);
    assert_int_equal(config.values[ROOMS_MAX].number, 10);
    assert_string_equal(config.values[NAME].text, "");
    assert_string_equal(config.values[INBOX].text, "tcp://127.0.0.1:0");
    assert_int_equal(config.values[PEERS].count, 1);
    assert_int_equal(config.values[GRACE].number, 30000);
    assert_int_equal(config.values[QUIET].number, 0);
    assert_int_equal(config.values[LEVEL].number, 1);
}

static void a_flag_wins_over_the_environment(void **unused)
{
    (void)unused;
    assert_int_equal(parse(NULL, "MADANG_ROOMS_MAX=20"), CONFIG_READY);
    assert_int_equal(config.values[ROOMS_MAX].number, 20);
    assert_int_equal(parse("--rooms-max=30", "MADANG_ROOMS_MAX=20"), CONFIG_READY);
    assert_int_equal(config.values[ROOMS_MAX].number, 30);
}

static void a_value_may_be_the_next_argument(void **unused)
{
    (void)unused;
    char *argv[] = {"program", "--rooms-max", "7", "--quiet", "on", NULL}, *none[] = {NULL};
    config_fini(&config);
    assert_int_equal(config_parse(&config, items, ITEMS, argv, none, NULL), CONFIG_READY);
    assert_int_equal(config.values[ROOMS_MAX].number, 7);
    assert_int_equal(config.values[QUIET].number, 1);
    assert_wrong("--rooms-max", NULL, "--rooms-max: its value is missing");
}

static void numbers_are_whole_and_in_bounds(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--rooms-max=1", NULL), CONFIG_READY);
    assert_int_equal(parse("--rooms-max=100", NULL), CONFIG_READY);
    assert_wrong("--rooms-max=0", NULL, "--rooms-max: must be from 1 to 100");
    assert_wrong("--rooms-max=101", NULL, "--rooms-max: must be from 1 to 100");
    assert_wrong("--rooms-max=", NULL, "--rooms-max: '' is not a whole number");
    assert_wrong("--rooms-max=5x", NULL, "--rooms-max: '5x' is not a whole number");
    assert_wrong("--rooms-max=99999999999999999999", NULL,
                 "--rooms-max: '99999999999999999999' is not a whole number");
    assert_wrong(NULL, "MADANG_ROOMS_MAX=x", "MADANG_ROOMS_MAX: 'x' is not a whole number");
}

static void durations_have_units(void **unused)
{
    (void)unused;
    static const struct {
        const char *argument;
        int ms;
    } good[] = {{"--grace=250ms", 250},
                {"--grace=2s", 2000},
                {"--grace=5m", 300000},
                {"--grace=1h", 3600000},
                {"--grace=0", 0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(parse(good[i].argument, NULL), CONFIG_READY);
        assert_int_equal(config.values[GRACE].number, good[i].ms);
    }
    assert_wrong("--grace=10", NULL,
                 "--grace: '10' is not a duration such as 250ms, 10s, 5m or 24h");
    assert_wrong("--grace=-999999999999999h", NULL,
                 "--grace: '-999999999999999h' is not a duration such as 250ms, 10s, 5m or 24h");
    assert_wrong("--grace=2h", NULL, "--grace: must be from 0 ms to 3600000 ms");
}

static void urls_have_a_scheme(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--inbox=tls+tcp://host:1", NULL), CONFIG_READY);
    assert_wrong("--inbox=localhost:1", NULL,
                 "--inbox: 'localhost:1' is not a URL such as tcp://127.0.0.1:7000");
    assert_wrong("--inbox=", NULL, "--inbox: '' is not a URL such as tcp://127.0.0.1:7000");
    assert_int_equal(parse("--peers=tcp://a:1,tcp://b:2 ipc:///c", NULL), CONFIG_READY);
    assert_int_equal(config.values[PEERS].count, 3);
    assert_string_equal(config.values[PEERS].list[1], "tcp://b:2");
    assert_string_equal(config.values[PEERS].list[2], "ipc:///c");
    assert_wrong("--peers=tcp://a:1,b", NULL, "--peers: 'b' is not a URL");
    assert_wrong("--peers=,, ", NULL, "--peers: names no URL");
    assert_wrong(NULL, "MADANG_PEERS=", "MADANG_PEERS: names no URL");
}

static void switches_and_choices_are_one_of_their_words(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--level=warn", NULL), CONFIG_READY);
    assert_int_equal(config.values[LEVEL].number, 2);
    assert_wrong("--level=warning", NULL, "--level: 'warning' is none of debug|info|warn");
    assert_wrong("--level=", NULL, "--level: '' is none of debug|info|warn");
    assert_wrong("--quiet=yes", NULL, "--quiet: 'yes' is neither on nor off");
}

static void secrets_come_from_the_environment_alone(void **unused)
{
    (void)unused;
    assert_int_equal(parse(NULL, "MADANG_PASSWORD=hunter2"), CONFIG_READY);
    assert_string_equal(config.values[PASSWORD].text, "hunter2");
    assert_wrong("--password=hunter2", NULL,
                 "--password: a secret is not given on the command line, but by MADANG_PASSWORD or "
                 "a file");
    assert_int_equal(parse(NULL, "MADANG_REDIS=tcp://:hunter2@a"), CONFIG_READY);
    static const char *const open[] = {"--redis=tcp://a:1/2,unix:///run/a@b", "--redis=unix:///a",
                                       "--redis=sentinel://a,b/name", "--redis="};
    static const char *const secret[] = {"--redis=tcp://:hunter2@a",
                                         "--redis=tcp://b,unix://me:hunter2@/a",
                                         "--redis=sentinel://me:hunter2@a,b/n",
                                         "--redis=sentinel://a/n?sentinel=:hunter2"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_int_equal(parse(open[i], NULL), CONFIG_READY);
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        assert_wrong(secret[i], NULL,
                     "--redis: a secret is not given on the command line, but by MADANG_REDIS or "
                     "a file");
}

static void what_is_unknown_is_wrong(void **unused)
{
    (void)unused;
    assert_wrong("--rooms-maxx=1", NULL, "--rooms-maxx: there is no such setting");
    assert_wrong("--rooms=1", NULL, "--rooms: there is no such setting");
    assert_wrong("rooms", NULL, "'rooms': settings start with --");
    assert_wrong(NULL, "MADANG_ROOM_MAX=1", "MADANG_ROOM_MAX: there is no such setting");
    assert_int_equal(parse(NULL, "MADANG_PORT=1"), CONFIG_READY); /* another program's */
    assert_int_equal(parse(NULL, "OTHER_ROOMS=1"), CONFIG_READY);
}

static void help_and_version_come_before_everything_else(void **unused)
{
    (void)unused;
    assert_int_equal(parse("--help", "MADANG_ROOMS_MAX=x"), CONFIG_HELP);
    assert_int_equal(parse("--version", NULL), CONFIG_VERSION);
    struct buf text = {0};
    config_help(items, ITEMS, "madang-x", "does x", &text);
    buf_put_u8(&text, 0);
    const char *help = (const char *)text.at;
    assert_non_null(strstr(help, "madang-x: does x\n"));
    assert_non_null(strstr(help, "  --rooms-max=N  (MADANG_ROOMS_MAX)\n      how many\n"
                                 "      default: 10; 1 to 100\n"));
    assert_non_null(strstr(help, "--level=debug|info|warn"));
    assert_non_null(strstr(help, "      a name\n      default: none\n"));
    buf_fini(&text);
    config_fini(&config);
}

/* ---- the settings of the product --------------------------------------------------------------
 * */

static void every_program_takes_its_own_settings_and_knows_the_others(void **unused)
{
    (void)unused;
    static const enum program programs[] = {PROGRAM_GATEWAY, PROGRAM_MATCHMAKER, PROGRAM_WORKER,
                                            PROGRAM_TIMER};
    char *argv[] = {"program", NULL};
    char *environment[] = {"MADANG_PORT=9000", "MADANG_ROOMS_MAX=7", NULL};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct settings settings;
        assert_int_equal(settings_parse(&settings, programs[i], argv, environment), CONFIG_READY);
        if (programs[i] == PROGRAM_GATEWAY)
            assert_int_equal(setting(&settings, SETTING_PORT)->number, 9000);
        if (programs[i] == PROGRAM_WORKER)
            assert_int_equal(setting(&settings, SETTING_ROOMS_MAX)->number, 7);
        settings_fini(&settings);
    }
}

static void a_flag_of_another_program_is_wrong(void **unused)
{
    (void)unused;
    struct settings settings;
    char *argv[] = {"program", "--port=1", NULL}, *none[] = {NULL};
    assert_int_equal(settings_parse(&settings, PROGRAM_WORKER, argv, none), CONFIG_WRONG);
    assert_string_equal(settings.config.error, "--port: there is no such setting");
    settings_fini(&settings);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(without_anything_all_have_their_defaults),
                     cmocka_unit_test(a_flag_wins_over_the_environment),
                     cmocka_unit_test(a_value_may_be_the_next_argument),
                     cmocka_unit_test(numbers_are_whole_and_in_bounds),
                     cmocka_unit_test(durations_have_units), cmocka_unit_test(urls_have_a_scheme),
                     cmocka_unit_test(secrets_come_from_the_environment_alone),
                     cmocka_unit_test(switches_and_choices_are_one_of_their_words),
                     cmocka_unit_test(what_is_unknown_is_wrong),
                     cmocka_unit_test(help_and_version_come_before_everything_else),
                     cmocka_unit_test(every_program_takes_its_own_settings_and_knows_the_others),
                     cmocka_unit_test(a_flag_of_another_program_is_wrong));
}
