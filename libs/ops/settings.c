/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/settings.h"

#include "base/check.h"

#include <stdio.h>

static const struct {
    unsigned programs;
    struct config_item item;
} all[SETTING_COUNT] = {
#define X(id, programs, flag, kind, fallback, min, max, choices, help) \
    {programs, {flag, kind, fallback, min, max, choices, help}},
    SETTINGS(X)
#undef X
};

static bool known_to_others(const char *variable)
{
    char name[128];
    for (int i = 0; i < SETTING_COUNT; i++)
        if (config_variable(all[i].item.flag, name, sizeof name) && strcmp(name, variable) == 0)
            return true;
    return false;
}

enum config_result settings_parse(struct settings *settings, enum program program,
                                  char *const *argv, char *const *environment)
{
    int count = 0;
    for (int i = 0; i < SETTING_COUNT; i++) {
        bool mine = all[i].programs & (unsigned)program;
        settings->place[i] = mine ? count : -1;
        if (mine) settings->items[count++] = all[i].item;
    }
    return config_parse(&settings->config, settings->items, count, argv, environment,
                        known_to_others);
}

const struct config_value *setting(const struct settings *settings, enum setting id)
{
    CHECK(settings->place[id] >= 0);
    return &settings->config.values[settings->place[id]];
}

static const char *purpose(enum program program)
{
    switch (program) {
    case PROGRAM_GATEWAY:
        return "serves browsers: the web client, sessions, rooms on their screens";
    case PROGRAM_MATCHMAKER: return "finds rooms for players and workers for rooms";
    case PROGRAM_WORKER: return "runs rooms and their games";
    case PROGRAM_TIMER: return "wakes rooms at their deadlines";
    case PROGRAM_ALL: break;
    }
    return "";
}

void settings_help(const struct settings *settings, enum program program, struct buf *out)
{
    char name[64];
    snprintf(name, sizeof name, "madang-%s", program_name(program));
    config_help(settings->items, settings->config.count, name, purpose(program), out);
    buf_put_slice(out, slice_text("  --probe\n"
                                  "      as the first flag: asks the service that runs with these "
                                  "settings whether it is\n      ready, and ends with 0 if so\n"));
}

void settings_fini(struct settings *settings)
{
    config_fini(&settings->config);
}
