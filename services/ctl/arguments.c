/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was typed to a command's words and flags.
 */
#include "ctl/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "MADANG_";

__attribute__((format(printf, 2, 3))) static bool wrong(struct ctl_arguments *out,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out->error, sizeof out->error, format, args);
    va_end(args);
    return false;
}

const char *ctl_variable(char *const *environment, const char *name)
{
    size_t len = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, len) == 0 && (*environment)[len] == '=')
            return *environment + len + 1;
    return NULL;
}

/* Settings of the services that madangctl shares. Whether it prints JSON, say, is nobody's lasting
 * setting. */
static bool in_environment(enum ctl_flag_id id)
{
    return id == CTL_MATCHMAKERS || id == CTL_OPERATOR_KEY_FILE ||
           (id >= CTL_TLS_CA && id <= CTL_TLS_NAME) ||
           (id >= CTL_REDIS && id <= CTL_REDIS_SENTINEL_PASSWORD_FILE);
}

bool ctl_flag_variable(enum ctl_flag_id id, char *out, size_t size)
{
    if (!in_environment(id)) return false;
    size_t len = (size_t)snprintf(out, size, "%s%s", prefix, ctl_flags[id].name);
    for (size_t at = sizeof prefix - 1; at < len; at++)
        out[at] = (char)(out[at] == '-' ? '_' : out[at] - 'a' + 'A');
    return true;
}

static void take_environment(struct ctl_arguments *out, char *const *environment)
{
    for (int i = 0; i < CTL_FLAG_COUNT; i++) {
        char name[64];
        if (!ctl_flag_variable((enum ctl_flag_id)i, name, sizeof name)) continue;
        const char *value = ctl_variable(environment, name);
        if (value && *value) out->flag[i] = value;
    }
}

static int find_flag(const struct ctl_command *command, const char *name, size_t len)
{
    for (int i = 0; i < CTL_FLAG_COUNT; i++)
        if (command->flags >> i & 1 && strlen(ctl_flags[i].name) == len &&
            strncmp(ctl_flags[i].name, name, len) == 0)
            return i;
    return -1;
}

/* One flag and its value, which may be the next argument: *at moves on then. */
static bool take_flag(struct ctl_arguments *out, char *const **at)
{
    const char *name = **at + 2;
    size_t len = strcspn(name, "=");
    int id = find_flag(out->command, name, len);
    if (id < 0)
        return wrong(out, "--%.*s: there is no such flag here", (int)(len < 60 ? len : 60), name);
    bool given = name[len] == '=';
    out->from_flag[id] = true;
    if (ctl_flags[id].value == NULL) {
        if (given) return wrong(out, "--%s: takes no value", ctl_flags[id].name);
        out->flag[id] = "";
        return true;
    }
    if (!given && (*at)[1] == NULL)
        return wrong(out, "--%s: its value is missing", ctl_flags[id].name);
    if (!given) (*at)++;
    out->flag[id] = given ? name + len + 1 : **at;
    return true;
}

static bool check_words(struct ctl_arguments *out)
{
    const struct ctl_command *command = out->command;
    if (out->word_count >= command->words_min) return true;
    return wrong(out, "%s is missing", command->words);
}

bool ctl_arguments_parse(struct ctl_arguments *out, const struct ctl_command *command,
                         char *const *argv, char *const *environment)
{
    *out = (struct ctl_arguments){.command = command};
    for (char *const *at = argv; *at; at++)
        if (strcmp(*at, "--help") == 0 || strcmp(*at, "-h") == 0) out->help = true;
    if (out->help) return true;
    take_environment(out, environment);
    for (char *const *at = argv; *at; at++) {
        if (strncmp(*at, "--", 2) == 0) {
            if (!take_flag(out, &at)) return false;
            continue;
        }
        if (**at == '-') return wrong(out, "'%.60s': flags start with --", *at);
        if (out->word_count == command->words_max)
            return wrong(out, "'%.60s' is one word too many", *at);
        out->word[out->word_count++] = *at;
    }
    return check_words(out);
}

bool ctl_arguments_number(struct ctl_arguments *arguments, enum ctl_flag_id id, int64_t min,
                          int64_t max, int64_t fallback, int64_t *out)
{
    const char *text = arguments->flag[id];
    *out = fallback;
    if (text == NULL) return true;
    char *rest;
    long value = strtol(text, &rest, 10);
    *out = value;
    if (*text == '\0' || *rest != '\0' || strlen(text) > 15)
        return wrong(arguments, "--%s: '%.40s' is not a whole number", ctl_flags[id].name, text);
    if (value >= min && value <= max) return true;
    return wrong(arguments, "--%s: must be from %lld to %lld", ctl_flags[id].name, (long long)min,
                 (long long)max);
}
