/* SPDX-License-Identifier: Apache-2.0
 *
 * Views: what everybody sees, and what one seat sees beside it. Digits, strikes and balls leave
 * here in two places: a player's own log, and the result of a finished game (N1).
 */
#include "games/baseball/baseball.h"

#include "baseball.pb-c.h"

typedef Madang__V1__Baseball__View wire_view;
typedef Madang__V1__Baseball__Log wire_log;
typedef Madang__V1__Baseball__Revealed wire_revealed;

/* One player's guesses, for as long as the Log that points to them is packed. */
struct log_parts {
    wire_log log;
    uint32_t codes[BASEBALL_GUESSES_MAX], judged[BASEBALL_GUESSES_MAX];
};

struct hint_parts {
    wire_revealed revealed[BASEBALL_DIGITS_MAX], *hints[BASEBALL_DIGITS_MAX];
};

/* Everything a View points to, for as long as it is packed. */
struct parts {
    Madang__V1__Baseball__Player player[BASEBALL_SEATS_MAX], *players[BASEBALL_SEATS_MAX];
    Madang__V1__Baseball__Settings settings;
    Madang__V1__Baseball__Result result;
    Madang__V1__Baseball__Ranked rank[BASEBALL_SEATS_MAX], *ranking[BASEBALL_SEATS_MAX];
    char secret[BASEBALL_DIGITS_MAX + 1];
    struct hint_parts hints;
    struct log_parts log[BASEBALL_SEATS_MAX];
    wire_log *logs[BASEBALL_SEATS_MAX];
};

static void put_log(const struct baseball_state *state, int seat, struct log_parts *parts)
{
    const struct baseball_player *player = &state->player[seat];
    madang__v1__baseball__log__init(&parts->log);
    for (int i = 0; i < player->guesses; i++) {
        struct baseball_judged judged =
            baseball_judge(&state->rules, state->secret, player->code[i]);
        parts->codes[i] = player->code[i];
        parts->judged[i] = (uint32_t)(10 * judged.strikes + judged.balls);
    }
    parts->log.codes = parts->codes;
    parts->log.judged = parts->judged;
    parts->log.n_codes = parts->log.n_judged = player->guesses;
}

static void put_hints(const struct baseball_state *state, int count, struct hint_parts *parts)
{
    for (int i = 0; i < count; i++) {
        wire_revealed *revealed = parts->hints[i] = &parts->revealed[i];
        int place = state->hint_at[i];
        madang__v1__baseball__revealed__init(revealed);
        revealed->position = (uint32_t)place;
        revealed->digit = (uint32_t)baseball_digit(&state->rules, state->secret, place);
    }
}

static void put_settings(const struct baseball_rules *rules, struct parts *parts, wire_view *view)
{
    madang__v1__baseball__settings__init(&parts->settings);
    parts->settings.digits = rules->digits;
    parts->settings.guess_limit = rules->guess_limit;
    parts->settings.guesses_most = (uint32_t)baseball_guesses_most(rules);
    parts->settings.time_limit_s = rules->time_limit_s;
    parts->settings.hints_most = rules->hints_most;
    view->settings = &parts->settings;
}

static void put_players(const struct baseball_state *state, struct parts *parts, wire_view *view)
{
    for (int seat = 0; seat < state->seats; seat++) {
        const struct baseball_player *player = &state->player[seat];
        Madang__V1__Baseball__Player *out = parts->players[seat] = &parts->player[seat];
        madang__v1__baseball__player__init(out);
        out->standing = (Madang__V1__Baseball__Standing)player->standing;
        out->guesses = player->guesses;
        out->hints = player->hints;
        out->time_tenths = baseball_tenths(state, seat);
    }
    view->players = parts->players;
    view->n_players = state->seats;
}

static void put_ranking(const struct baseball_state *state, struct parts *parts)
{
    struct baseball_ranked ranked[BASEBALL_SEATS_MAX];
    baseball_rank(state, ranked);
    for (int i = 0; i < state->seats; i++) {
        Madang__V1__Baseball__Ranked *out = parts->ranking[i] = &parts->rank[i];
        madang__v1__baseball__ranked__init(out);
        out->seat = (uint32_t)ranked[i].seat;
        out->rank = (uint32_t)ranked[i].rank;
        out->points = (uint32_t)ranked[i].points;
        out->left = state->left >> ranked[i].seat & 1;
    }
    parts->result.ranking = parts->ranking;
    parts->result.n_ranking = state->seats;
}

/* Only here is anything of others' guesses shown, and only when the game is over. */
static void put_result(const struct baseball_state *state, struct parts *parts, wire_view *view)
{
    if (state->phase != BASEBALL_FINISHED) return;
    madang__v1__baseball__result__init(&parts->result);
    put_ranking(state, parts);
    baseball_write_code(&state->rules, state->secret, parts->secret);
    put_hints(state, state->rules.hints_most, &parts->hints);
    for (int seat = 0; seat < state->seats; seat++) {
        put_log(state, seat, &parts->log[seat]);
        parts->logs[seat] = &parts->log[seat].log;
    }
    parts->result.secret = parts->secret;
    parts->result.hints = parts->hints.hints;
    parts->result.n_hints = state->rules.hints_most;
    parts->result.logs = parts->logs;
    parts->result.n_logs = state->seats;
    parts->result.cause = (Madang__V1__Baseball__Cause)state->cause;
    view->result = &parts->result;
}

static void view_shared(const struct baseball_state *state, struct buf *out)
{
    struct parts parts;
    wire_view view = MADANG__V1__BASEBALL__VIEW__INIT;
    view.phase = (Madang__V1__Baseball__Phase)state->phase;
    view.starts = state->starts;
    view.ends = state->ends;
    if (state->quiet_since != INSTANT_NEVER)
        view.absence_ends = state->quiet_since + BASEBALL_ABSENCE_MS;
    put_settings(&state->rules, &parts, &view);
    put_players(state, &parts, &view);
    put_result(state, &parts, &view);
    size_t len = madang__v1__baseball__view__get_packed_size(&view);
    madang__v1__baseball__view__pack(&view, buf_extend(out, len));
}

static void view_mine(const struct baseball_state *state, int seat, struct buf *out)
{
    const struct baseball_player *player = &state->player[seat];
    struct log_parts log;
    struct hint_parts hints;
    Madang__V1__Baseball__Mine mine = MADANG__V1__BASEBALL__MINE__INIT;
    put_log(state, seat, &log);
    put_hints(state, player->hints, &hints);
    mine.log = &log.log;
    mine.hints = hints.hints;
    mine.n_hints = player->hints;
    mine.guesses_left = (uint32_t)(baseball_guesses_most(&state->rules) - player->guesses);
    mine.hints_left = (uint32_t)(state->rules.hints_most - player->hints);
    size_t len = madang__v1__baseball__mine__get_packed_size(&mine);
    madang__v1__baseball__mine__pack(&mine, buf_extend(out, len));
}

void baseball_view(const void *data, const struct game_viewer *viewer, struct buf *shared,
                   struct buf *mine)
{
    const struct baseball_state *state = data;
    if (shared) view_shared(state, shared);
    if (mine && viewer->seat >= 0 && viewer->seat < state->seats)
        view_mine(state, viewer->seat, mine);
}
