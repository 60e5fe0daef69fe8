/* SPDX-License-Identifier: Apache-2.0
 *
 * A slow reference for number baseball, written from the rulings alone and not like the engine:
 * codes are text, judging goes through every pair of places, ranks count who is better.
 */
#ifndef UNIT_GAMES_BASEBALL_REFERENCE_H
#define UNIT_GAMES_BASEBALL_REFERENCE_H

#include "games/baseball/baseball.h"

enum ref_end { REF_PLAYING, REF_SOLVED, REF_EXHAUSTED, REF_GAVE_UP, REF_TIME_OVER };

struct ref_player {
    enum ref_end end;
    uint64_t ended;
    int guesses, hints;
    char guess[BASEBALL_GUESSES_MAX][BASEBALL_DIGITS_MAX + 1];
};

struct reference {
    int seats, digits, symbols, guesses_most, hints_most;
    bool started, over;
    const char *cause; /* of the end */
    uint64_t starts, ends;
    bool quiet; /* nobody who plays is connected ... */
    uint64_t quiet_from;
    char secret[BASEBALL_DIGITS_MAX + 1];
    int hint_at[BASEBALL_DIGITS_MAX];
    struct ref_player player[BASEBALL_SEATS_MAX];
};

/* From a state that was just set up. */
void reference_begin(struct reference *ref, const struct baseball_state *state);

/* The reason of the refusal, 0: accepted. */
int reference_try(struct reference *ref, int seat, const struct baseball_action *action,
                  uint64_t now, seat_mask connected);
void reference_time(struct reference *ref, uint64_t now);
void reference_present(struct reference *ref, uint64_t now, seat_mask connected);
uint64_t reference_until(const struct reference *ref);

/* 10 * strikes + balls. */
int reference_judge(const char *secret, const char *guess);
/* 1, 1, 3; 0 without a rank. */
int reference_rank(const struct reference *ref, int seat);
/* NULL, or in what the two differ. */
const char *reference_disagrees(const struct reference *ref, const struct baseball_state *state);

#endif
