/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/bot.h"

#include "ops/system.h"

extern const struct bot baseball_bot, davinci_bot, dobble_bot;
static const struct bot *const bots[] = {&baseball_bot, &davinci_bot, &dobble_bot};

enum { ANSWER_MS = 30 * 1000, LOOK_MS = 5 };

const struct bot *bot_find(const char *game)
{
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++)
        if (!strcmp(bots[i]->game, game)) return bots[i];
    return NULL;
}

int bot_game_seat(const struct ws_client *player)
{
    for (int g = 0; g < player->view.playing_count; g++)
        if (player->view.playing[g] == player->seat) return g;
    return -1;
}

/* A refusal is no fault of the cluster: somebody, or the clock, was faster. */
static const char *act_once(struct ws_client *player, const struct bot *bot, int *accepted)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    size_t len = bot->move(player, bytes);
    if (len == 0) return NULL;
    if (ws_act(player, slice_of(bytes, len), ANSWER_MS)) {
        (*accepted)++;
        return NULL;
    }
    return player->answers > 0 ? NULL : "an action was not answered";
}

const char *bots_round(struct ws_client *players, int count, int *accepted)
{
    ws_pump_all(players, count);
    for (int i = 0; i < count; i++) {
        const struct bot *bot = bot_find(players[i].view.game);
        if (!bot) return "no bot plays this game";
        const char *fault = bot->audit(&players[i]);
        if (fault) return fault;
        if (players[i].view.state != WS_PLAYING || bot_game_seat(&players[i]) < 0) continue;
        fault = act_once(&players[i], bot, accepted);
        if (fault) return fault;
    }
    return NULL;
}

const char *bots_play(struct ws_client *players, int count, int limit_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)limit_ms;
    while (clock_boot_ms() < until) {
        int accepted = 0, finished = 0;
        const char *fault = bots_round(players, count, &accepted);
        if (fault) return fault;
        for (int i = 0; i < count; i++) finished += players[i].view.state == WS_RESULT;
        if (finished == count) return NULL;
        if (!accepted) ws_pump(&players[0], LOOK_MS);
    }
    return "the game did not end in time";
}
