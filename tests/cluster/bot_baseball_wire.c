/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays number-baseball from its views: one hint, then always the smallest code, counted from a
 * place of its own, that everything it was told allows. It judges by itself and so holds the
 * server's judgements against a second opinion.
 */
#include "cluster/bot.h"

#include "baseball.pb-c.h"

#include <stdio.h>
#include <stdlib.h>

typedef Madang__V1__Baseball__View View;
typedef Madang__V1__Baseball__Mine Mine;
typedef Madang__V1__Baseball__Log Log;
typedef Madang__V1__Baseball__Player Player;
typedef Madang__V1__Baseball__Result Result;
typedef Madang__V1__Baseball__Revealed Revealed;
typedef Madang__V1__Baseball__Action Action;

#define PHASE(name)    MADANG__V1__BASEBALL__PHASE__PHASE_##name
#define STANDING(name) MADANG__V1__BASEBALL__STANDING__STANDING_##name
enum { DIGITS_MAX = 5, APART = 7919 };

static View *view_of(const struct ws_client *player)
{
    return madang__v1__baseball__view__unpack(NULL, player->game.len, player->game.at);
}

static Mine *mine_of(const struct ws_client *player)
{
    return madang__v1__baseball__mine__unpack(NULL, player->mine.len, player->mine.at);
}

static void write_code(uint32_t code, int digits, char text[DIGITS_MAX + 1])
{
    snprintf(text, DIGITS_MAX + 1, "%0*u", digits, code);
}

static bool is_code(const char *text)
{
    for (int i = 0; text[i]; i++)
        if (strchr(text + i + 1, text[i])) return false;
    return true;
}

/* As the log has it: 10 * strikes + balls. */
static uint32_t judge(const char *secret, const char *guess)
{
    uint32_t judged = 0;
    for (int i = 0; guess[i]; i++)
        judged += guess[i] == secret[i] ? 10 : strchr(secret, guess[i]) != NULL;
    return judged;
}

static bool fits_log(const char *secret, const Log *log)
{
    char guess[DIGITS_MAX + 1];
    for (size_t i = 0; i < log->n_codes; i++) {
        write_code(log->codes[i], (int)strlen(secret), guess);
        if (judge(secret, guess) != log->judged[i]) return false;
    }
    return true;
}

static bool fits_hints(const char *secret, Revealed *const *hints, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (secret[hints[i]->position] != (char)('0' + hints[i]->digit)) return false;
    return true;
}

static size_t guess(const View *view, const Mine *mine, int seat, uint8_t *bytes)
{
    int digits = (int)view->settings->digits;
    uint32_t codes = 1;
    char text[DIGITS_MAX + 1];
    for (int i = 0; i < digits; i++) codes *= 10;
    for (uint32_t i = 0; i < codes; i++) {
        write_code((i + (uint32_t)seat * APART) % codes, digits, text);
        if (!is_code(text) || !fits_log(text, mine->log) ||
            !fits_hints(text, mine->hints, mine->n_hints))
            continue;
        Madang__V1__Baseball__Guess what = MADANG__V1__BASEBALL__GUESS__INIT;
        what.code = (ProtobufCBinaryData){(size_t)digits, (uint8_t *)text};
        Action action = MADANG__V1__BASEBALL__ACTION__INIT;
        action.kind_case = MADANG__V1__BASEBALL__ACTION__KIND_GUESS;
        action.guess = &what;
        return madang__v1__baseball__action__pack(&action, bytes);
    }
    return 0;
}

static size_t hint(uint8_t *bytes)
{
    Madang__V1__Baseball__Hint what = MADANG__V1__BASEBALL__HINT__INIT;
    what.number = 1;
    Action action = MADANG__V1__BASEBALL__ACTION__INIT;
    action.kind_case = MADANG__V1__BASEBALL__ACTION__KIND_HINT;
    action.hint = &what;
    return madang__v1__baseball__action__pack(&action, bytes);
}

/* Every third player asks for a hint after its second guess. */
static size_t move_in(const View *view, const Mine *mine, int seat, uint8_t *bytes)
{
    if (view->phase != PHASE(PLAYING)) return 0;
    if (view->players[seat]->standing != STANDING(PLAYING)) return 0;
    if (seat % 3 == 0 && mine->log->n_codes == 2 && mine->n_hints == 0 && mine->hints_left > 0)
        return hint(bytes);
    return guess(view, mine, seat, bytes);
}

static size_t move(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    size_t len = view && mine ? move_in(view, mine, bot_game_seat(player), bytes) : 0;
    if (view) madang__v1__baseball__view__free_unpacked(view, NULL);
    if (mine) madang__v1__baseball__mine__free_unpacked(mine, NULL);
    return len;
}

static const char *audit_mine(const View *view, const Mine *mine, int seat)
{
    if (seat < 0)
        return mine->log || mine->n_hints ? "a spectator was told somebody's guesses" : NULL;
    const Player *me = view->players[seat];
    if (!mine->log || mine->log->n_codes != mine->log->n_judged) return "a guess was not judged";
    if (mine->log->n_codes != me->guesses || mine->n_hints != me->hints)
        return "my guesses and hints are not as many as everybody sees";
    if (mine->guesses_left + me->guesses != view->settings->guesses_most) return "guesses got lost";
    return NULL;
}

static const char *audit_ranking(const View *view, const Result *result)
{
    uint32_t last = 1;
    if (result->n_ranking != view->n_players) return "somebody is missing in the ranking";
    for (size_t i = 0; i < result->n_ranking; i++) {
        uint32_t rank = result->ranking[i]->rank, seat = result->ranking[i]->seat;
        bool solved = view->players[seat]->standing == STANDING(SOLVED);
        if ((rank > 0) != (solved && view->n_players > 1)) return "a rank without solving it";
        if (rank > 0 && (rank < last || rank > i + 1)) return "ranks out of order";
        last = rank ? rank : last;
    }
    return NULL;
}

/* At the end everybody's log is there, and one secret answers all of them. */
static const char *audit_result(const View *view, const Mine *mine, int seat)
{
    const Result *result = view->result;
    if (strlen(result->secret) != view->settings->digits || !is_code(result->secret))
        return "the secret is no code";
    if (!fits_hints(result->secret, result->hints, result->n_hints)) return "a hint was wrong";
    for (size_t s = 0; s < result->n_logs; s++) {
        const Log *log = result->logs[s];
        if (log->n_codes != view->players[s]->guesses) return "a log is not whole";
        if (!fits_log(result->secret, log)) return "a guess was judged wrongly";
        if ((int)s == seat && log->n_codes &&
            memcmp(log->codes, mine->log->codes, log->n_codes * sizeof *log->codes) != 0)
            return "my log is not what I guessed";
    }
    return audit_ranking(view, result);
}

static const char *audit_view(const View *view, const Mine *mine, int seat)
{
    bool over = view->phase == PHASE(FINISHED);
    if (!view->settings || (int)view->n_players <= seat) return "a view without its players";
    if (!over && view->result) return "a result before the end";
    if (over && !view->result) return "no result at the end";
    const char *fault = audit_mine(view, mine, seat);
    return fault || !over ? fault : audit_result(view, mine, seat);
}

static const char *audit(const struct ws_client *player)
{
    if (player->game.len == 0) return NULL;
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    const char *fault = "a view cannot be read";
    if (view && mine) fault = audit_view(view, mine, bot_game_seat(player));
    if (view) madang__v1__baseball__view__free_unpacked(view, NULL);
    if (mine) madang__v1__baseball__mine__free_unpacked(mine, NULL);
    return fault;
}

const struct bot baseball_bot = {.game = "number-baseball", .move = move, .audit = audit};
