/* SPDX-License-Identifier: Apache-2.0
 *
 * --help of each command, and what a shell completes.
 */
#include "ctl/commands.h"
#include "ctl/text.h"

enum { NAME_WIDTH = 12, LINE_WIDTH = 80 };

static void put_exits(struct buf *out)
{
    text_add(out, "Exit codes:\n");
#define X(name, number, text) text_add(out, "  %d  %s\n", number, text);
    CTL_EXITS(X)
#undef X
}

void ctl_help(struct buf *out)
{
    text_add(out, "usage: madangctl COMMAND [WORDS] [FLAGS]\n\n");
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        text_add(out, "  %-*s%s\n", NAME_WIDTH, command->name, command->help);
    }
    text_add(out, "\nmadangctl COMMAND --help has its flags, with examples.\n\n");
    put_exits(out);
}

static void put_flag(struct buf *out, const struct ctl_flag *flag)
{
    struct buf name = {0};
    text_add(&name, "--%s%s%s", flag->name, flag->value ? "=" : "", flag->value ? flag->value : "");
    buf_put_u8(&name, 0);
    bool fits = name.len + 3 + strlen(flag->help) + 20 <= LINE_WIDTH && name.len <= 22;
    text_add(out, fits ? "  %-22s %s" : "  %s\n      %s", (char *)name.at, flag->help);
    if (flag->fallback && *flag->fallback) text_add(out, " (%s)", flag->fallback);
    text_add(out, "\n");
    buf_fini(&name);
}

static void put_examples(struct buf *out, const struct ctl_command *command)
{
    text_add(out, "\nExamples:\n");
    for (int i = 0; i < CTL_EXAMPLES_MAX && command->examples[i].line; i++) {
        const struct ctl_example *example = &command->examples[i];
        if (*example->what) text_add(out, "  # %s\n", example->what);
        text_add(out, "  %s\n", example->line);
    }
}

static void put_command(struct buf *out, const struct ctl_command *command)
{
    const struct ctl_flag *flag = ctl_command_flag(command, 0);
    text_add(out, "usage: madangctl %s%s%s%s\n\n%s.\n", command->name, *command->words ? " " : "",
             command->words, flag ? " [FLAGS]" : "", command->help);
    if (*command->more) text_add(out, "%s\n", command->more);
    if (flag) text_add(out, "\nFlags:\n");
    for (int i = 0; (flag = ctl_command_flag(command, i)); i++) put_flag(out, flag);
    put_examples(out, command);
}

void ctl_command_help_end(const struct ctl_command *command, struct buf *out)
{
    put_examples(out, command);
    text_add(out, "\n");
    put_exits(out);
}

void ctl_command_help(const struct ctl_command *command, struct buf *out)
{
    put_command(out, command);
    text_add(out, "\n");
    put_exits(out);
}

void ctl_manual(struct buf *out)
{
    text_add(out, "# madangctl\n\nWritten by `madangctl manual`, and held against it by a test; "
                  "what it is all for is said in the [README](README.md).\n\n```\n");
    ctl_help(out);
    text_add(out, "```\n");
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        text_add(out, "\n## madangctl %s\n\n```\n", command->name);
        put_command(out, command);
        text_add(out, "```\n");
    }
    text_add(out, "\n## Environment\n\nRead where the flag of that name is not given:\n\n");
    for (int i = 0; i < CTL_FLAG_COUNT; i++) {
        char name[64];
        if (ctl_flag_variable((enum ctl_flag_id)i, name, sizeof name))
            text_add(out, "- `%s`: %s\n", name, ctl_flags[i].help);
    }
    text_add(out, "\nSecrets are never flags: `MADANG_OPERATOR_KEY`, `MADANG_REDIS_PASSWORD`, "
                  "`MADANG_REDIS_SENTINEL_PASSWORD`, or\nthe files that flags name. `NO_COLOR` "
                  "turns colours off.\n");
}

/* ---- completion ------------------------------------------------------------------------------ */

static void put_words(struct buf *out, const char *list, char between)
{
    for (; *list; list++) buf_put_u8(out, (uint8_t)(*list == '|' ? between : *list));
}

static void put_flags(struct buf *out, const struct ctl_command *command)
{
    const struct ctl_flag *flag;
    for (int i = 0; (flag = ctl_command_flag(command, i)); i++)
        text_add(out, " --%s%s", flag->name, flag->value ? "=" : "");
    text_add(out, " --help");
}

static bool has_choices(const struct ctl_flag *flag)
{
    return flag->value && strchr(flag->value, '|');
}

/* bash parts words at "=": a value that is begun is a word of its own, two behind its flag. What a
 * value may be is looked for by command and flag; all others are files. */
static void put_bash_values(struct buf *out)
{
    text_add(out, "  local flag=\n"
                  "  if [ \"$word\" = = ]; then\n"
                  "    flag=${COMP_WORDS[COMP_CWORD-1]} word=\n"
                  "  elif [ \"$before\" = = ]; then\n"
                  "    flag=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "  fi\n"
                  "  case $flag in --*)\n"
                  "    words=\n"
                  "    case ${COMP_WORDS[1]}$flag in\n");
    for (int c = 0; c < ctl_command_count(); c++) {
        const struct ctl_command *command = ctl_command_at(c);
        const struct ctl_flag *flag;
        for (int i = 0; (flag = ctl_command_flag(command, i)); i++) {
            if (!has_choices(flag)) continue;
            text_add(out, "      %s--%s) words='", command->name, flag->name);
            put_words(out, flag->value, ' ');
            text_add(out, "' ;;\n");
        }
    }
    text_add(out, "    esac ;;\n  esac\n");
}

static void complete_bash(struct buf *out)
{
    text_add(out,
             "_madangctl() {\n"
             "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words\n"
             "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "    words='");
    for (int i = 0; i < ctl_command_count(); i++) text_add(out, "%s ", ctl_command_at(i)->name);
    text_add(out, "--help --version'\n  else\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        text_add(out, "      %s) words='", command->name);
        put_words(out, command->proposed, ' ');
        put_flags(out, command);
        text_add(out, "' ;;\n");
    }
    text_add(out, "    esac\n  fi\n");
    put_bash_values(out);
    text_add(out, "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                  "  case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac\n"
                  "}\n"
                  "complete -o default -F _madangctl madangctl\n");
}

/* What stands between quotes of zsh, in a description: no quote, no bracket, no colon. */
static void put_plain(struct buf *out, const char *text)
{
    for (; *text; text++) buf_put_u8(out, (uint8_t)(strchr("'[]:`$\\", *text) ? ' ' : *text));
}

static void put_zsh_flag(struct buf *out, const struct ctl_flag *flag)
{
    text_add(out, " '--%s%s[", flag->name, flag->value ? "=" : "");
    put_plain(out, flag->help);
    if (has_choices(flag)) {
        text_add(out, "]:value:(");
        put_words(out, flag->value, ' ');
        text_add(out, ")'");
    } else {
        text_add(out, flag->value ? "]:value:_files'" : "]'");
    }
}

/* Flags are proposed only where words are foreseen at all: the command's name is the first. */
static void put_zsh_words(struct buf *out, const struct ctl_command *command)
{
    if (*command->proposed) {
        text_add(out, " '2:word:(");
        put_words(out, command->proposed, ' ');
        text_add(out, ")'");
    }
    text_add(out, " '*:word:%s'", strstr(command->words, "FILE") ? "_files" : "( )");
}

static void complete_zsh(struct buf *out)
{
    text_add(out, "#compdef madangctl\n"
                  "_madangctl() {\n"
                  "  if (( CURRENT == 2 )); then\n"
                  "    local -a commands=(\n");
    for (int i = 0; i < ctl_command_count(); i++) {
        text_add(out, "      '%s:", ctl_command_at(i)->name);
        put_plain(out, ctl_command_at(i)->help);
        text_add(out, "'\n");
    }
    text_add(out, "    )\n    _describe command commands\n    return\n  fi\n"
                  "  case $words[2] in\n");
    for (int i = 0; i < ctl_command_count(); i++) {
        const struct ctl_command *command = ctl_command_at(i);
        text_add(out, "    %s) _arguments", command->name);
        const struct ctl_flag *flag;
        for (int f = 0; (flag = ctl_command_flag(command, f)); f++) put_zsh_flag(out, flag);
        text_add(out, " '--help[examples]'");
        put_zsh_words(out, command);
        text_add(out, " ;;\n");
    }
    text_add(out, "  esac\n}\n"
                  "if [ \"$funcstack[1]\" = _madangctl ]; then _madangctl; "
                  "else compdef _madangctl madangctl; fi\n");
}

bool ctl_completion(const char *shell, struct buf *out)
{
    if (strcmp(shell, "bash") == 0)
        complete_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        complete_zsh(out);
    else
        return false;
    return true;
}
