/* SPDX-License-Identifier: Apache-2.0
 *
 * What documents say of madangctl is so: its manual is what it prints, and every command line that
 * stands in one, or in its own help, is understood.
 */
#include "ctl/commands.h"
#include "ctl/text.h"

#include "unit/test.h"

#include <string.h>

enum { WORDS_MAX = 32, LINE_BYTES_MAX = 1024 };

/* Words up to what a shell makes of the rest; quotes and placeholders stay as they are. */
static int words_of(char *line, char *words[WORDS_MAX + 1])
{
    int count = 0;
    for (char *at = strtok(line, " \t\n"); at && count < WORDS_MAX; at = strtok(NULL, " \t\n")) {
        if (strchr("|<>&;#)(", *at)) break;
        size_t len = strcspn(at, "`)");
        bool last = at[len] != '\0';
        at[len] = '\0';
        words[count++] = at;
        if (last) break;
    }
    words[count] = NULL;
    return count;
}

/* The same of a command that reads its flags itself. */
static const char *fault_of_flags(const struct ctl_command *command, char *const *words)
{
    static char fault[300];
    for (; *words; words++) {
        size_t len = strcspn(*words, "=");
        const struct ctl_flag *flag;
        for (int i = 0; (flag = ctl_command_flag(command, i)); i++)
            if (len == strlen(flag->name) + 2 && strncmp(*words + 2, flag->name, len - 2) == 0)
                break;
        if (flag) continue;
        snprintf(fault, sizeof fault, "%s: %s: there is no such flag here", command->name, *words);
        return fault;
    }
    return NULL;
}

/* NULL, or what is wrong with a line that begins with madangctl. */
static const char *fault_of(const char *text)
{
    static char fault[300];
    static char *nothing[] = {NULL};
    char line[LINE_BYTES_MAX], *words[WORDS_MAX + 1];
    struct ctl_arguments is;
    snprintf(line, sizeof line, "%s", text);
    int count = words_of(line, words);
    if (count < 2 || words[1][0] == '-') return NULL; /* --help, --version */
    const struct ctl_command *command = ctl_command_find(words[1]);
    if (command == NULL) {
        snprintf(fault, sizeof fault, "there is no command %s", words[1]);
        return fault;
    }
    if (count == 2) return NULL; /* it is only named */
    if (command->own) return fault_of_flags(command, words + 2);
    if (ctl_arguments_parse(&is, command, words + 2, nothing)) return NULL;
    snprintf(fault, sizeof fault, "%s: %s", words[1], is.error);
    return fault;
}

static void the_manual_is_what_it_prints(void **unused)
{
    (void)unused;
    struct buf out = {0};
    static char page[1 << 16];
    FILE *file = fopen("services/ctl/MANUAL.md", "re");
    assert_non_null(file);
    size_t len = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    ctl_manual(&out);
    buf_put_u8(&out, 0);
    if (strcmp(page, (const char *)out.at) != 0)
        fail_msg("madangctl manual > services/ctl/MANUAL.md writes it anew (%zu bytes)", len);
    buf_fini(&out);
}

static void every_example_of_its_help_is_understood(void **unused)
{
    (void)unused;
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        assert_non_null(command->examples[0].line);
        for (int e = 0; e < CTL_EXAMPLES_MAX && command->examples[e].line; e++) {
            const char *at = strstr(command->examples[e].line, "madangctl ");
            assert_non_null(at);
            const char *fault = fault_of(at);
            if (fault) fail_msg("'%s': %s", at, fault);
        }
    }
}

/* Where it stands as code: behind a backquote, a prompt, the words of what runs it elsewhere, or at
 * the beginning of a line. */
static void every_command_line_in_documents_is_understood(void **unused)
{
    (void)unused;
    char line[LINE_BYTES_MAX];
    int found = 0;
    FILE *lines = popen("grep -rhoE --include='*.md' --include='*.yaml' --include='*.json' "
                        "--exclude-dir=node_modules --exclude-dir=build --exclude-dir=var "
                        "'(`|\\$ |-- |^)madangctl [a-z][^`]*' .",
                        "r");
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines)) {
        const char *at = strstr(line, "madangctl ");
        assert_non_null(at);
        const char *fault = fault_of(at);
        if (fault) fail_msg("'%s': %s", at, fault);
        found++;
    }
    pclose(lines);
    assert_true(found > 3);
}

static void what_is_not_so_would_be_found(void **unused)
{
    (void)unused;
    assert_null(fault_of("madangctl room 7K39QX --reveal | less"));
    assert_null(fault_of("madangctl up --workers=4"));
    assert_string_equal(fault_of("madangctl up --colours=4"),
                        "up: --colours=4: there is no such flag here");
    assert_string_equal(fault_of("madangctl rom 7K39QX"), "there is no command rom");
    assert_null(fault_of("madangctl room"));
    assert_string_equal(fault_of("madangctl room --json"), "room: CODE is missing");
    assert_string_equal(fault_of("madangctl room 7K39QX --all"),
                        "room: --all: there is no such flag here");
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_manual_is_what_it_prints),
                     cmocka_unit_test(every_example_of_its_help_is_understood),
                     cmocka_unit_test(every_command_line_in_documents_is_understood),
                     cmocka_unit_test(what_is_not_so_would_be_found));
}
