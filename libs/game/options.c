/* SPDX-License-Identifier: Apache-2.0
 *
 * Options as data: defaults, bounds, and defaults that follow another option.
 */
#include "base/check.h"
#include "game/game.h"

#include <stdlib.h>

int game_option_find(const struct game *game, struct slice key)
{
    for (int i = 0; i < game->option_count; i++)
        if (slice_equal(slice_text(game->options[i].key), key)) return i;
    return -1;
}

/* What option i starts with while the others are as given. */
static int32_t default_of(const struct game *game, int i, const struct game_options *options)
{
    const struct game_option *option = &game->options[i];
    if (option->default_by == NULL) return option->default_value;

    int by = game_option_find(game, slice_text(option->default_by));
    CHECK(by >= 0 && by != i);
    for (int c = 0; c < GAME_CHOICES_MAX && option->defaults[c].key; c++)
        if (strtol(option->defaults[c].key, NULL, 10) == options->value[by])
            return option->defaults[c].value;
    return option->default_value;
}

/* Gives every option of `following` its default, until nothing changes: a default may follow a
 * default. Each pass settles at least one link of a chain, so option_count passes are enough for
 * anything but a circle. */
static void settle(const struct game *game, struct game_options *options, uint32_t following)
{
    for (int pass = 0; pass <= game->option_count; pass++) {
        bool changed = false;
        for (int i = 0; i < game->option_count; i++) {
            if (!(following & 1u << i)) continue;
            int32_t value = default_of(game, i, options);
            changed = changed || value != options->value[i];
            options->value[i] = value;
        }
        if (!changed) return;
    }
    CHECK(!"defaults that follow each other in a circle");
}

void game_options_default(const struct game *game, struct game_options *out)
{
    CHECK(game->option_count >= 0 && game->option_count <= GAME_OPTIONS_MAX);
    *out = (struct game_options){0};
    settle(game, out, (1u << game->option_count) - 1);
}

static bool within_bounds(const struct game_option *option, int32_t value)
{
    switch (option->kind) {
    case GAME_OPTION_SWITCH: return value == 0 || value == 1;
    case GAME_OPTION_NUMBER: return value >= option->min && value <= option->max;
    case GAME_OPTION_CHOICE:
        for (int c = 0; c < GAME_CHOICES_MAX && option->choices[c].key; c++)
            if (option->choices[c].value == value) return true;
        return false;
    }
    return false;
}

enum status game_options_set(const struct game *game, struct game_options *options,
                             struct slice key, int32_t value)
{
    int changed = game_option_find(game, key);
    if (changed < 0) return ST_UNKNOWN;
    if (!within_bounds(&game->options[changed], value)) return ST_REFUSED;

    uint32_t following = 0;
    for (int i = 0; i < game->option_count; i++)
        if (i != changed && game->options[i].default_by &&
            options->value[i] == default_of(game, i, options))
            following |= 1u << i;
    options->value[changed] = value;
    settle(game, options, following);
    return ST_OK;
}

static bool is_on(const struct game *game, const char *key, const struct game_options *options)
{
    int i = key ? game_option_find(game, slice_text(key)) : -1;
    return i >= 0 && options->value[i] != 0;
}

int game_seats_least(const struct game *game, const struct game_options *options)
{
    return is_on(game, game->solo_key, options) ? 1 : game->seats_min;
}

bool game_shows_rtt(const struct game *game, const struct game_options *options)
{
    return is_on(game, game->rtt_key, options);
}
