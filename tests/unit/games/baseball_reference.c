/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/baseball_reference.h"

#include <stdio.h>

static void write_text(char *text, const struct reference *ref, uint32_t code)
{
    snprintf(text, BASEBALL_DIGITS_MAX + 1, "%0*u", ref->digits, code);
}

void reference_begin(struct reference *ref, const struct baseball_state *state)
{
    memset(ref, 0, sizeof *ref);
    ref->seats = state->seats;
    ref->digits = state->rules.digits;
    ref->symbols = state->rules.symbols;
    ref->guesses_most = state->rules.guess_limit == 0 ? 120 : state->rules.guess_limit;
    ref->hints_most = state->rules.hints_most;
    ref->starts = state->starts;
    ref->ends = state->ends;
    ref->quiet = state->quiet_since != INSTANT_NEVER;
    ref->quiet_from = ref->quiet ? state->quiet_since : 0;
    write_text(ref->secret, ref, state->secret);
    for (int i = 0; i < ref->digits; i++) ref->hint_at[i] = state->hint_at[i];
}

int reference_judge(const char *secret, const char *guess)
{
    int judged = 0;
    for (int i = 0; secret[i]; i++)
        for (int k = 0; guess[k]; k++)
            if (secret[i] == guess[k]) judged += i == k ? 10 : 1;
    return judged;
}

static int playing(const struct reference *ref)
{
    int count = 0;
    for (int seat = 0; seat < ref->seats; seat++) count += ref->player[seat].end == REF_PLAYING;
    return count;
}

static void stop(struct reference *ref, const char *cause, uint64_t now)
{
    for (int seat = 0; seat < ref->seats; seat++)
        if (ref->player[seat].end == REF_PLAYING) {
            ref->player[seat].end = REF_TIME_OVER;
            ref->player[seat].ended = now;
        }
    ref->over = true;
    ref->cause = cause;
    ref->quiet = false;
}

void reference_present(struct reference *ref, uint64_t now, seat_mask connected)
{
    bool somebody = false;
    for (int seat = 0; seat < ref->seats; seat++)
        if (ref->player[seat].end == REF_PLAYING && (connected & (1u << seat))) somebody = true;
    if (ref->over) return;
    if (!somebody && !ref->quiet) ref->quiet_from = now;
    ref->quiet = !somebody;
}

static void end_of(struct reference *ref, int seat, enum ref_end end, uint64_t now,
                   seat_mask connected)
{
    ref->player[seat].end = end;
    ref->player[seat].ended = now;
    if (playing(ref) == 0)
        stop(ref, "all", now);
    else
        reference_present(ref, now, connected);
}

/* As the notes validate: length, characters, digits used twice; then repeats. */
static int fault_of(const struct reference *ref, const struct ref_player *player,
                    const struct baseball_action *action)
{
    int characters = 0;
    for (size_t i = 0; i < action->text_len; i++)
        if (action->text[i] < 0x80 || action->text[i] >= 0xc0) characters++;
    if (characters != ref->digits) return BASEBALL_LENGTH;
    for (size_t i = 0; i < action->text_len; i++)
        if (action->text[i] < '0' || action->text[i] > '0' + ref->symbols - 1) return BASEBALL_CHAR;
    for (int i = 0; i < ref->digits; i++)
        for (int k = i + 1; k < ref->digits; k++)
            if (action->text[i] == action->text[k]) return BASEBALL_DUPLICATE;
    for (int i = 0; i < player->guesses; i++)
        if (memcmp(player->guess[i], action->text, (size_t)ref->digits) == 0)
            return BASEBALL_REPEAT;
    return 0;
}

static int try_guess(struct reference *ref, int seat, const struct baseball_action *action,
                     uint64_t now, seat_mask connected)
{
    struct ref_player *player = &ref->player[seat];
    int fault = fault_of(ref, player, action);
    if (fault) return fault;
    char *guess = player->guess[player->guesses++];
    memcpy(guess, action->text, (size_t)ref->digits);
    guess[ref->digits] = 0;
    if (strcmp(guess, ref->secret) == 0)
        end_of(ref, seat, REF_SOLVED, now, connected);
    else if (player->guesses >= ref->guesses_most)
        end_of(ref, seat, REF_EXHAUSTED, now, connected);
    return 0;
}

int reference_try(struct reference *ref, int seat, const struct baseball_action *action,
                  uint64_t now, seat_mask connected)
{
    struct ref_player *player = &ref->player[seat];
    if (ref->over) return BASEBALL_OVER;
    if (!ref->started) return BASEBALL_NOT_YET;
    if (player->end != REF_PLAYING) return BASEBALL_ENDED;
    if (action->kind == BASEBALL_ACT_GUESS) return try_guess(ref, seat, action, now, connected);
    if (action->kind == BASEBALL_ACT_HINT) {
        if (ref->hints_most == 0) return BASEBALL_HINTS_OFF;
        if (player->hints >= ref->hints_most) return BASEBALL_NO_HINT_LEFT;
        if ((int64_t)action->number != player->hints + 1) return BASEBALL_HINT_NUMBER;
        player->hints++;
        return 0;
    }
    if ((int64_t)action->number != player->guesses) return BASEBALL_GUESSES_MADE;
    end_of(ref, seat, REF_GAVE_UP, now, connected);
    return 0;
}

uint64_t reference_until(const struct reference *ref)
{
    if (ref->over) return UINT64_MAX;
    if (!ref->started) return ref->starts;
    if (ref->quiet && ref->quiet_from + 60000 < ref->ends) return ref->quiet_from + 60000;
    return ref->ends;
}

void reference_time(struct reference *ref, uint64_t now)
{
    uint64_t until = reference_until(ref);
    if (ref->over || now < until) return;
    if (!ref->started)
        ref->started = true;
    else
        stop(ref, until == ref->ends ? "limit" : "absence", until);
}

/* ---- the result ------------------------------------------------------------------------------ */

static uint64_t tenths(const struct reference *ref, const struct ref_player *player)
{
    return (player->ended - ref->starts) / 100;
}

static bool better(const struct reference *ref, const struct ref_player *a,
                   const struct ref_player *b)
{
    if (a->guesses != b->guesses) return a->guesses < b->guesses;
    if (a->hints != b->hints) return a->hints < b->hints;
    return tenths(ref, a) < tenths(ref, b);
}

int reference_rank(const struct reference *ref, int seat)
{
    int rank = 1;
    if (ref->player[seat].end != REF_SOLVED || ref->seats == 1) return 0;
    for (int other = 0; other < ref->seats; other++)
        if (ref->player[other].end == REF_SOLVED &&
            better(ref, &ref->player[other], &ref->player[seat]))
            rank++;
    return rank;
}

static bool same_player(const struct reference *ref, const struct baseball_state *state, int seat)
{
    const struct ref_player *a = &ref->player[seat];
    const struct baseball_player *b = &state->player[seat];
    if ((int)a->end + 1 != b->standing || a->guesses != b->guesses || a->hints != b->hints)
        return false;
    if (a->end != REF_PLAYING && a->ended != b->ended) return false;
    for (int i = 0; i < a->guesses; i++) {
        char text[BASEBALL_DIGITS_MAX + 1];
        baseball_write_code(&state->rules, b->code[i], text);
        struct baseball_judged judged = baseball_judge(&state->rules, state->secret, b->code[i]);
        if (strcmp(text, a->guess[i]) != 0) return false;
        if (10 * judged.strikes + judged.balls != reference_judge(ref->secret, text)) return false;
    }
    return true;
}

static const char *other_cause(const struct reference *ref, const struct baseball_state *state)
{
    static const char *const causes[] = {"", "all", "limit", "absence"};
    if (!ref->over) return state->cause ? "the end" : NULL;
    return state->cause <= BASEBALL_ABSENCE && strcmp(causes[state->cause], ref->cause) == 0
               ? NULL
               : "why the game ended";
}

const char *reference_disagrees(const struct reference *ref, const struct baseball_state *state)
{
    int phase = ref->over      ? BASEBALL_FINISHED
                : ref->started ? BASEBALL_PLAYING
                               : BASEBALL_COUNTDOWN;
    char secret[BASEBALL_DIGITS_MAX + 1];
    baseball_write_code(&state->rules, state->secret, secret);
    if (phase != state->phase) return "the phase";
    if (reference_until(ref) != baseball_deadline(state)) return "the deadline";
    if (strcmp(secret, ref->secret) != 0) return "the secret";
    for (int i = 0; i < ref->digits; i++)
        if (ref->hint_at[i] != state->hint_at[i]) return "the order of hints";
    for (int seat = 0; seat < ref->seats; seat++)
        if (!same_player(ref, state, seat)) return "what a player has done";
    if (!ref->over) return other_cause(ref, state);
    struct game_result result;
    baseball_game.result(state, &result);
    for (int seat = 0; seat < ref->seats; seat++)
        if (result.seat[seat].rank != reference_rank(ref, seat)) return "a rank";
    return other_cause(ref, state);
}
