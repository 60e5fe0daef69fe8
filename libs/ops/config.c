/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/config.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "MADANG_";

bool config_variable(const char *flag, char *out, size_t size)
{
    size_t len = sizeof prefix - 1;
    if (len + strlen(flag) >= size) return false;
    memcpy(out, prefix, len);
    for (; *flag; flag++) {
        bool small = *flag >= 'a' && *flag <= 'z';
        out[len++] = (char)(small ? *flag - 'a' + 'A' : *flag == '-' ? '_' : *flag);
    }
    out[len] = '\0';
    return true;
}

__attribute__((format(printf, 2, 3))) static bool wrong(struct config *config, const char *format,
                                                        ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(config->error, sizeof config->error, format, args);
    va_end(args);
    return false;
}

/* ---- one value ------------------------------------------------------------------------------ */

/* A whole number that fills the text up to *rest. */
static bool read_number(const char *text, int64_t *out, const char **rest)
{
    bool negative = *text == '-';
    const char *at = text + negative;
    int64_t value = 0;
    int digits = 0;
    for (; *at >= '0' && *at <= '9'; at++, digits++) {
        if (digits == 15) return false;
        value = value * 10 + (*at - '0');
    }
    *out = negative ? -value : value;
    *rest = at;
    return digits > 0;
}

static bool in_bounds(struct config *config, const struct config_item *item, const char *source,
                      int64_t number, const char *unit)
{
    if (number >= item->min && number <= item->max) return true;
    return wrong(config, "%s: must be from %lld%s to %lld%s", source, (long long)item->min, unit,
                 (long long)item->max, unit);
}

static bool take_int(struct config *config, const struct config_item *item, const char *source,
                     struct config_value *value)
{
    const char *rest;
    if (!read_number(value->text, &value->number, &rest) || *rest)
        return wrong(config, "%s: '%.60s' is not a whole number", source, value->text);
    return in_bounds(config, item, source, value->number, "");
}

static bool take_duration(struct config *config, const struct config_item *item, const char *source,
                          struct config_value *value)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 3600 * 1000}};
    const char *rest;
    int64_t unit_ms = 0;
    if (read_number(value->text, &value->number, &rest)) {
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (strcmp(rest, units[i].name) == 0) unit_ms = units[i].ms;
        if (value->number == 0 && *rest == '\0') unit_ms = 1;
    }
    const int64_t most = INT64_C(1) << 40; /* of any unit: no overflow */
    if (unit_ms == 0 || value->number > most || value->number < -most)
        return wrong(config, "%s: '%.60s' is not a duration such as 250ms, 10s, 5m or 24h", source,
                     value->text);
    value->number *= unit_ms;
    return in_bounds(config, item, source, value->number, " ms");
}

static bool is_url(const char *text, size_t len)
{
    size_t at = 0;
    while (at < len && ((text[at] >= 'a' && text[at] <= 'z') || text[at] == '+')) at++;
    return at > 0 && len <= CONFIG_URL_BYTES_MAX && len > at + 3 &&
           strncmp(text + at, "://", 3) == 0;
}

static bool take_url(struct config *config, const struct config_item *item, const char *source,
                     const struct config_value *value)
{
    if (value->text[0] == '\0' && item->fallback[0] == '\0') return true;
    if (is_url(value->text, strlen(value->text))) return true;
    return wrong(config, "%s: '%.60s' is not a URL such as tcp://127.0.0.1:7000", source,
                 value->text);
}

static bool take_urls(struct config *config, const struct config_item *item, const char *source,
                      struct config_value *value)
{
    static const char between[] = ", \t\n";
    value->list = arena_alloc(&config->arena, CONFIG_LIST_MAX * sizeof *value->list);
    for (const char *at = value->text + strspn(value->text, between); *at;) {
        size_t len = strcspn(at, between);
        if (!is_url(at, len)) return wrong(config, "%s: '%.*s' is not a URL", source, (int)len, at);
        if (value->count == CONFIG_LIST_MAX)
            return wrong(config, "%s: more than %d URLs", source, CONFIG_LIST_MAX);
        char *url = arena_alloc(&config->arena, len + 1);
        memcpy(url, at, len);
        value->list[value->count++] = url;
        at += len;
        at += strspn(at, between);
    }
    if (value->count == 0 && item->fallback[0]) return wrong(config, "%s: names no URL", source);
    return true;
}

static bool take_switch(struct config *config, const char *source, struct config_value *value)
{
    value->number = strcmp(value->text, "on") == 0;
    if (value->number || strcmp(value->text, "off") == 0) return true;
    return wrong(config, "%s: '%.60s' is neither on nor off", source, value->text);
}

static bool take_choice(struct config *config, const struct config_item *item, const char *source,
                        struct config_value *value)
{
    int index = 0;
    for (const char *at = item->choices; *at; index++) {
        size_t len = strcspn(at, "|");
        value->number = index;
        if (strlen(value->text) == len && strncmp(value->text, at, len) == 0) return true;
        at += len + (at[len] == '|');
    }
    return wrong(config, "%s: '%.60s' is none of %s", source, value->text, item->choices);
}

/* source: how the value was given, for the sentence. */
static bool take(struct config *config, int index, const char *source, const char *text)
{
    const struct config_item *item = &config->items[index];
    struct config_value *value = &config->values[index];
    *value = (struct config_value){.text = text};
    if (strnlen(text, CONFIG_TEXT_BYTES_MAX + 1) > CONFIG_TEXT_BYTES_MAX)
        return wrong(config, "%s: longer than %d bytes", source, CONFIG_TEXT_BYTES_MAX);
    switch (item->kind) {
    case CONFIG_INT: return take_int(config, item, source, value);
    case CONFIG_TEXT: return true;
    case CONFIG_URL: return take_url(config, item, source, value);
    case CONFIG_URLS: return take_urls(config, item, source, value);
    case CONFIG_DURATION: return take_duration(config, item, source, value);
    case CONFIG_SWITCH: return take_switch(config, source, value);
    case CONFIG_CHOICE: return take_choice(config, item, source, value);
    case CONFIG_SECRET:
    case CONFIG_STORES: return true;
    }
    return wrong(config, "%s: a kind of setting that does not exist", source);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool take_defaults(struct config *config)
{
    for (int i = 0; i < config->count; i++)
        if (!take(config, i, config->items[i].flag, config->items[i].fallback)) return false;
    return true;
}

/* name is not ended by a NUL. */
static int find_variable(const struct config *config, const char *name, size_t len)
{
    char variable[128];
    for (int i = 0; i < config->count; i++)
        if (config_variable(config->items[i].flag, variable, sizeof variable) &&
            strlen(variable) == len && strncmp(variable, name, len) == 0)
            return i;
    return -1;
}

static bool take_environment(struct config *config, char *const *environment,
                             bool (*known)(const char *variable))
{
    for (; *environment; environment++) {
        const char *entry = *environment, *equals = strchr(entry, '=');
        char name[128];
        size_t len = equals ? (size_t)(equals - entry) : 0;
        if (len < sizeof prefix || strncmp(entry, prefix, sizeof prefix - 1) != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)len, entry);
        int index = find_variable(config, entry, len);
        if (index >= 0 ? !take(config, index, name, equals + 1) : !known || !known(name))
            return index >= 0 ? false : wrong(config, "%s: there is no such setting", name);
        if (index >= 0) config->values[index].source = CONFIG_ENVIRONMENT;
    }
    return true;
}

static int find_flag(const struct config *config, const char *name, size_t len)
{
    for (int i = 0; i < config->count; i++)
        if (strlen(config->items[i].flag) == len && strncmp(config->items[i].flag, name, len) == 0)
            return i;
    return -1;
}

/* Whether a URL in the text has something before an @ in front of its first slash, or behind it for
 * its Sentinels. */
static bool has_credentials(const char *text)
{
    for (const char *at = text; (at = strstr(at, "://")) != NULL;) {
        at += 3;
        if (at[strcspn(at, "@/ \t\n")] == '@') return true;
    }
    return strstr(text, "?sentinel=") != NULL;
}

/* All users of a machine read the command lines of its processes. */
static bool take_openly(struct config *config, int index, const char *source, const char *text)
{
    enum config_kind kind = config->items[index].kind;
    char variable[128] = "";
    config_variable(config->items[index].flag, variable, sizeof variable);
    if (kind == CONFIG_SECRET || (kind == CONFIG_STORES && has_credentials(text)))
        return wrong(config, "%s: a secret is not given on the command line, but by %s or a file",
                     source, variable);
    if (!take(config, index, source, text)) return false;
    config->values[index].source = CONFIG_FLAG;
    return true;
}

/* One flag and its value, which may be the next argument: *at moves on then. */
static bool take_flag(struct config *config, char *const **at)
{
    const char *argument = **at;
    if (strncmp(argument, "--", 2) != 0)
        return wrong(config, "'%.60s': settings start with --", argument);
    size_t len = strcspn(argument + 2, "=");
    int index = find_flag(config, argument + 2, len);
    char name[128];
    snprintf(name, sizeof name, "--%.*s", (int)len, argument + 2);
    if (index < 0) return wrong(config, "%s: there is no such setting", name);
    if (argument[2 + len] == '=') return take_openly(config, index, name, argument + 3 + len);
    const char *next = (*at)[1];
    if (next == NULL) return wrong(config, "%s: its value is missing", name);
    (*at)++;
    return take_openly(config, index, name, next);
}

enum config_result config_parse(struct config *config, const struct config_item *items, int count,
                                char *const *argv, char *const *environment,
                                bool (*known)(const char *variable))
{
    CHECK(count <= CONFIG_ITEMS_MAX);
    *config = (struct config){.items = items, .count = count};
    CHECK(take_defaults(config));
    for (char *const *at = argv + (*argv != NULL); *at; at++) {
        if (strcmp(*at, "--help") == 0 || strcmp(*at, "-h") == 0) return CONFIG_HELP;
        if (strcmp(*at, "--version") == 0) return CONFIG_VERSION;
    }
    if (!take_environment(config, environment, known)) return CONFIG_WRONG;
    for (char *const *at = argv + (*argv != NULL); *at; at++)
        if (!take_flag(config, &at)) return CONFIG_WRONG;
    return CONFIG_READY;
}

void config_fini(struct config *config)
{
    arena_fini(&config->arena);
}

/* ---- help ----------------------------------------------------------------------------------- */

static const char *placeholder(const struct config_item *item)
{
    switch (item->kind) {
    case CONFIG_INT: return "N";
    case CONFIG_TEXT: return "TEXT";
    case CONFIG_URL: return "URL";
    case CONFIG_URLS: return "URL,...";
    case CONFIG_DURATION: return "TIME";
    case CONFIG_SWITCH: return "on|off";
    case CONFIG_CHOICE: return item->choices;
    case CONFIG_SECRET: return "";
    case CONFIG_STORES: return "URL,...";
    }
    return "";
}

__attribute__((format(printf, 2, 3))) static void print(struct buf *out, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    buf_put_slice(out, slice_text(line));
}

void config_help(const struct config_item *items, int count, const char *program,
                 const char *purpose, struct buf *out)
{
    print(out,
          "%s: %s\n\nEach setting is a flag or a variable of the environment; a flag wins.\n\n",
          program, purpose);
    for (int i = 0; i < count; i++) {
        const struct config_item *item = &items[i];
        char variable[128] = "";
        config_variable(item->flag, variable, sizeof variable);
        if (item->kind == CONFIG_SECRET)
            print(out, "  (%s)\n      %s\n", variable, item->help);
        else
            print(out, "  --%s=%s  (%s)\n      %s\n", item->flag, placeholder(item), variable,
                  item->help);
        print(out, "      default: %s", item->fallback[0] ? item->fallback : "none");
        if (item->kind == CONFIG_INT)
            print(out, "; %lld to %lld", (long long)item->min, (long long)item->max);
        print(out, "\n");
    }
    print(out, "  --help, --version\n");
}
