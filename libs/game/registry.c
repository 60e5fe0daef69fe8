/* SPDX-License-Identifier: Apache-2.0 */
#include "game/registry.h"

#include "base/check.h"

/* The one global of the pure code; only tests change it, before they start. */
static const struct game *added[GAME_REGISTRY_MAX];
static int added_count;

static int built_in_count(void)
{
    int count = 0;
    while (games_of_this_build[count]) count++;
    return count;
}

int game_count(void)
{
    return built_in_count() + added_count;
}

const struct game *game_at(int index)
{
    int built_in = built_in_count();
    CHECK(index >= 0 && index < built_in + added_count);
    return index < built_in ? games_of_this_build[index] : added[index - built_in];
}

int game_place(const struct game *game)
{
    int count = game_count();
    for (int i = 0; i < count; i++)
        if (game && (game_at(i) == game || game_at(i)->previous == game)) return i;
    return GAME_REGISTRY_MAX;
}

const struct game *game_find(struct slice id)
{
    for (int i = 0; i < game_count(); i++)
        if (slice_equal(slice_text(game_at(i)->id), id)) return game_at(i);
    return NULL;
}

const struct game *game_find_version(struct slice id, uint32_t rules_version)
{
    const struct game *game = game_find(id);
    if (game == NULL || game->rules_version == rules_version) return game;
    game = game->previous;
    CHECK(game == NULL || (slice_equal(slice_text(game->id), id) && game->previous == NULL));
    return game && game->rules_version == rules_version ? game : NULL;
}

void game_register_for_tests(const struct game *game)
{
    CHECK(game_count() < GAME_REGISTRY_MAX && game_find(slice_text(game->id)) == NULL);
    added[added_count++] = game;
}
