/* SPDX-License-Identifier: Apache-2.0
 *
 * Guest sessions. A token is a version, the player's id, when it was made and a MAC over these:
 * whoever holds it is that player, here and at every other gateway, until it is too old. Each
 * welcome brings a new one. What is forged, damaged or expired is answered with a new guest, as if
 * none had come.
 *
 * The MAC is under a key that is made from the gateways' key for this one purpose, so nothing else
 * that is ever signed with that key can be shown as a token. While keys are changed there are two:
 * the second one's tokens are taken, and answered with one of the first.
 */
#include "gateway/calls.h"

#include "game/game.h"

#include <sodium.h>

enum { PLAYER_AT = 1, MADE_AT = PLAYER_AT + 16, SIGNED_BYTES = MADE_AT + 8 };

_Static_assert(GATEWAY_KEY_BYTES == crypto_auth_KEYBYTES, "key");
_Static_assert(crypto_auth_BYTES == crypto_auth_KEYBYTES, "a MAC is a key");
_Static_assert(GATEWAY_TOKEN_BYTES == SIGNED_BYTES + crypto_auth_BYTES, "token");
_Static_assert((int)CLIENT_CHOICES_MAX >= (int)GAME_CHOICES_MAX, "choices");

void gw_keys_derive(struct gateway_config *config)
{
    static const uint8_t purpose[] = "madang session token";
    for (int i = 0; i < config->key_count; i++) {
        uint8_t derived[GATEWAY_KEY_BYTES];
        crypto_auth(derived, purpose, sizeof purpose, config->keys[i]);
        memcpy(config->keys[i], derived, sizeof derived);
        sodium_memzero(derived, sizeof derived);
    }
}

static void token_make(const struct gateway_core *core, struct id128 player,
                       uint8_t token[GATEWAY_TOKEN_BYTES])
{
    token[0] = GATEWAY_TOKEN_VERSION;
    memcpy(token + PLAYER_AT, player.byte, sizeof player.byte);
    for (int i = 0; i < 8; i++) token[MADE_AT + i] = (uint8_t)(core->wall_s >> (56 - 8 * i));
    crypto_auth(token + SIGNED_BYTES, token, SIGNED_BYTES, core->config.keys[0]);
}

/* Clocks of gateways differ, and one may have been far ahead once: such a token ends as well. */
static bool is_fresh(const struct gateway_core *core, const uint8_t *token)
{
    uint64_t made_s = 0;
    for (int i = 0; i < 8; i++) made_s = made_s << 8 | token[MADE_AT + i];
    uint64_t apart_s = made_s > core->wall_s ? made_s - core->wall_s : core->wall_s - made_s;
    return apart_s <= core->config.token_lifetime_s || MUTANT(token_for_ever);
}

static bool token_read(const struct gateway_core *core, struct slice token, struct id128 *player)
{
    if (token.len != GATEWAY_TOKEN_BYTES || token.at[0] != GATEWAY_TOKEN_VERSION) return false;
    bool ours = MUTANT(seat_by_public_id);
    for (int i = 0; i < core->config.key_count; i++) /* compares in constant time */
        ours |= crypto_auth_verify(token.at + SIGNED_BYTES, token.at, SIGNED_BYTES,
                                   core->config.keys[i]) == 0;
    if (!ours || !is_fresh(core, token.at)) return false;
    memcpy(player->byte, token.at + PLAYER_AT, sizeof player->byte);
    return true;
}

static void describe_option(const struct game *game, int index, struct client_option *out)
{
    const struct game_option *option = &game->options[index];
    struct game_options defaults;
    game_options_default(game, &defaults);
    *out = (struct client_option){
        .key = option->key,
        .kind = (int)option->kind, /* the numbers of OptionKind */
        .min = option->min,
        .max = option->max,
        .default_value = defaults.value[index],
        .depends_key = option->depends_key ? option->depends_key : "",
        .depends_value = option->depends_value,
    };
    for (int c = 0; c < GAME_CHOICES_MAX && option->choices[c].key; c++) {
        out->choices[c].value = option->choices[c].value;
        out->choices[c].key = option->choices[c].key;
        out->choice_count = c + 1;
    }
}

static void describe_game(struct arena *arena, const struct game *game, struct client_game *out)
{
    *out = (struct client_game){
        .id = game->id,
        .seats_min = (uint32_t)game->seats_min,
        .seats_max = (uint32_t)game->seats_max,
        .rules_version = game->rules_version,
        .options = arena_alloc(arena, (size_t)game->option_count * sizeof *out->options),
        .option_count = game->option_count,
        .solo_key = game->solo_key ? game->solo_key : "",
    };
    for (int i = 0; i < game->option_count; i++) describe_option(game, i, &out->options[i]);
}

static void welcome(struct gateway_core *core, struct client *client)
{
    uint8_t token[GATEWAY_TOKEN_BYTES];
    token_make(core, client->player, token);
    struct client_game games[CLIENT_GAMES_MAX];
    struct server_frame frame = {.kind = SERVER_WELCOME};
    frame.u.welcome = (struct server_welcome){
        .protocol = CLIENT_PROTOCOL,
        .token = slice_of(token, sizeof token),
        .games = games,
        .build = core->build,
    };
    for (int i = 0; i < game_count() && i < CLIENT_GAMES_MAX; i++)
        describe_game(&core->out->arena, game_at(i), &games[frame.u.welcome.game_count++]);
    gw_send(core, client, &frame);
}

/* It hears which protocol is spoken here, and nothing that it could act with. */
static void refuse_protocol(struct gateway_core *core, struct client *client)
{
    struct server_frame frame = {.kind = SERVER_WELCOME};
    frame.u.welcome = (struct server_welcome){.protocol = CLIENT_PROTOCOL, .build = core->build};
    gw_send(core, client, &frame);
    gw_refuse(core, client, REASON_PROTOCOL);
    gw_client_close(core, client, GATEWAY_CLOSE_PROTOCOL, "another protocol is spoken here");
}

void gw_on_hello(struct gateway_core *core, struct client *client, const struct client_hello *hello)
{
    if (hello->protocol != CLIENT_PROTOCOL) {
        refuse_protocol(core, client);
        return;
    }
    if (!token_read(core, hello->token, &client->player)) client->player = gw_random_id(core);
    client->window = hello->window;
    client->line = hello->line;
    client->state = CLIENT_IDLE;
    welcome(core, client);
    client->ping_at = core->now;
    gw_client_arm(core, client);
}
