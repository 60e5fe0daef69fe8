/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/commands.h"

#include "unit/test.h"

static char *nothing[] = {NULL};

static bool parse(struct ctl_arguments *out, const char *command, char *const *argv,
                  char *const *environment)
{
    return ctl_arguments_parse(out, ctl_command_find(command), argv, environment);
}
#define ARGV(...) ((char *[]){__VA_ARGS__, NULL})

static void words_and_flags_come_in_any_order(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    assert_true(parse(&is, "room", ARGV("--json", "ABC123", "--timeout", "3"), nothing));
    assert_string_equal(is.word[0], "ABC123");
    assert_non_null(is.flag[CTL_JSON]);
    assert_string_equal(is.flag[CTL_TIMEOUT], "3");
    assert_true(parse(&is, "room", ARGV("ABC123", "--timeout=4"), nothing));
    assert_string_equal(is.flag[CTL_TIMEOUT], "4");
    assert_null(is.flag[CTL_JSON]);
}

static void what_is_wrong_is_a_sentence(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    assert_false(parse(&is, "room", nothing, nothing));
    assert_string_equal(is.error, "CODE is missing");
    assert_false(parse(&is, "room", ARGV("A", "B"), nothing));
    assert_string_equal(is.error, "'B' is one word too many");
    assert_false(parse(&is, "room", ARGV("A", "--seat=1"), nothing)); /* another command's */
    assert_string_equal(is.error, "--seat: there is no such flag here");
    assert_false(parse(&is, "room", ARGV("A", "--timeout"), nothing));
    assert_string_equal(is.error, "--timeout: its value is missing");
    assert_false(parse(&is, "room", ARGV("A", "--json=yes"), nothing));
    assert_string_equal(is.error, "--json: takes no value");
    assert_false(parse(&is, "room", ARGV("A", "-j"), nothing));
    assert_string_equal(is.error, "'-j': flags start with --");
}

static void numbers_keep_their_bounds(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    int64_t value;
    assert_true(parse(&is, "kick", ARGV("A", "--seat=12"), nothing));
    assert_true(ctl_arguments_number(&is, CTL_SEAT, 1, 12, 1, &value));
    assert_int_equal(value, 12);
    assert_false(ctl_arguments_number(&is, CTL_SEAT, 1, 11, 1, &value));
    assert_string_equal(is.error, "--seat: must be from 1 to 11");
    assert_true(ctl_arguments_number(&is, CTL_TIMEOUT, 1, 9, 5, &value));
    assert_int_equal(value, 5);
    assert_true(parse(&is, "kick", ARGV("A", "--seat=2x"), nothing));
    assert_false(ctl_arguments_number(&is, CTL_SEAT, 1, 12, 1, &value));
    assert_string_equal(is.error, "--seat: '2x' is not a whole number");
}

static void the_environment_gives_what_services_share_and_flags_win(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    char *environment[] = {"MADANG_MATCHMAKERS=tcp://a:1", "MADANG_OPERATOR_KEY_FILE=/key",
                           "MADANG_JSON=on", "MADANG_TIMEOUT=9", NULL};
    assert_true(parse(&is, "rooms", nothing, environment));
    assert_string_equal(is.flag[CTL_MATCHMAKERS], "tcp://a:1");
    assert_string_equal(is.flag[CTL_OPERATOR_KEY_FILE], "/key");
    assert_null(is.flag[CTL_JSON]);
    assert_null(is.flag[CTL_TIMEOUT]);
    assert_false(is.from_flag[CTL_MATCHMAKERS]);
    assert_true(parse(&is, "rooms", ARGV("--matchmakers=tcp://b:2"), environment));
    assert_string_equal(is.flag[CTL_MATCHMAKERS], "tcp://b:2");
    assert_true(is.from_flag[CTL_MATCHMAKERS]);
}

static void no_secret_is_a_flag(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        if (command->own) continue;
        char *argv[] = {"--operator-key=abc", NULL}, *password[] = {"--redis-password=abc", NULL};
        assert_false(ctl_arguments_parse(&is, command, argv, nothing));
        assert_false(ctl_arguments_parse(&is, command, password, nothing));
    }
}

static bool has(const struct buf *text, const char *what)
{
    size_t len = strlen(what);
    for (size_t i = 0; i + len <= text->len; i++)
        if (memcmp(text->at + i, what, len) == 0) return true;
    return false;
}

/* Help is read in a terminal of 80 columns. */
static void assert_narrow(const struct buf *text)
{
    size_t column = 0;
    for (size_t i = 0; i < text->len; i++) {
        column = text->at[i] == '\n' ? 0 : column + 1;
        assert_true(column <= 100);
    }
}

static void every_command_has_help_with_examples(void **unused)
{
    (void)unused;
    struct ctl_arguments is;
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        struct buf text = {0};
        ctl_command_help(command, &text);
        assert_true(has(&text, "Examples:"));
        assert_true(has(&text, "Exit codes:"));
        assert_non_null(command->examples[0].line);
        assert_true(has(&text, command->examples[0].line));
        assert_narrow(&text);
        buf_fini(&text);
        char *argv[] = {"--help", NULL};
        assert_true(ctl_arguments_parse(&is, command, argv, nothing));
        assert_true(is.help);
    }
}

/* An example that does not parse teaches what is wrong. Words up to a pipe or the like. */
static void every_example_is_a_command_that_parses(void **unused)
{
    (void)unused;
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        for (int e = 0; e < CTL_EXAMPLES_MAX && command->examples[e].line && !command->own; e++) {
            char line[200], *argv[16], *rest;
            int count = 0;
            snprintf(line, sizeof line, "%s", strstr(command->examples[e].line, "madangctl"));
            for (char *at = strtok_r(line, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
                if (strcspn(at, "|&>)") == 0) break;
                at[strcspn(at, ")")] = '\0';
                argv[count++] = at;
            }
            argv[count] = NULL;
            assert_string_equal(argv[1], command->name);
            struct ctl_arguments is;
            if (!ctl_arguments_parse(&is, command, argv + 2, nothing)) fail_msg("%s", is.error);
        }
    }
}

static void both_shells_complete_every_command_and_flag(void **unused)
{
    (void)unused;
    struct buf bash = {0}, zsh = {0}, other = {0};
    assert_true(ctl_completion("bash", &bash));
    assert_true(ctl_completion("zsh", &zsh));
    assert_false(ctl_completion("fish", &other));
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        assert_true(has(&bash, command->name));
        assert_true(has(&zsh, command->name));
        const struct ctl_flag *flag;
        for (int f = 0; (flag = ctl_command_flag(command, f)); f++) {
            char in_bash[64], in_zsh[64];
            snprintf(in_bash, sizeof in_bash, " --%s", flag->name);
            snprintf(in_zsh, sizeof in_zsh, "'--%s%s[", flag->name, flag->value ? "=" : "");
            assert_true(has(&bash, in_bash));
            assert_true(has(&zsh, in_zsh));
        }
    }
    assert_non_null(ctl_command_flag(ctl_command_find("up"), 0));
    buf_fini(&bash);
    buf_fini(&zsh);
    buf_fini(&other);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(words_and_flags_come_in_any_order),
                     cmocka_unit_test(what_is_wrong_is_a_sentence),
                     cmocka_unit_test(numbers_keep_their_bounds),
                     cmocka_unit_test(the_environment_gives_what_services_share_and_flags_win),
                     cmocka_unit_test(no_secret_is_a_flag),
                     cmocka_unit_test(every_command_has_help_with_examples),
                     cmocka_unit_test(every_example_is_a_command_that_parses),
                     cmocka_unit_test(both_shells_complete_every_command_and_flag));
}
