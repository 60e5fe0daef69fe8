/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of dobble a second time, written from the spec and the rulings for tests alone: slow,
 * without a pile or a place, only cards that know where they are and since when they lie open. It
 * is dealt the same cards as the engine and must agree with it after every input.
 */
#ifndef UNIT_GAMES_DOBBLE_REFERENCE_H
#define UNIT_GAMES_DOBBLE_REFERENCE_H

#include "games/dobble/dobble.h"

enum dref_where { DREF_AWAY, DREF_DRAW, DREF_CENTRE, DREF_PLACE, DREF_PILE };
#define DREF_NEVER UINT64_MAX

struct dref_card {
    enum dref_where where;
    int seat, order; /* order: how many lie under it; of a place: which */
    uint64_t open_since;
    bool has[57]; /* by picture */
};

struct dref_seat {
    int part, place, penalty, given, streak;
    bool suspected;
    unsigned right, wrong;
    uint64_t lock, away;
    int won[5]; /* three cards, target, picture; won[1] 0: nothing yet */
};

struct dref_wait {
    int seat, claim[5];
    uint64_t at, adjusted;
};

struct dref {
    struct dobble_rules rules;
    int cards, seats, phase, round, hints, ending;
    bool shown;
    uint64_t began, silence; /* silence: since the last success, while playing */
    uint64_t few;
    struct dref_card card[58]; /* by number */
    struct dref_seat seat[8];
    int waiting;
    struct dref_wait wait[8];
    int last[4]; /* round, void, loser, cards */
};

/* Takes over what a fresh state was dealt. */
void dref_start(struct dref *ref, const struct dobble_state *state);
/* One input each; dref_act returns 0 or the reason of the refusal. */
int dref_act(struct dref *ref, int seat, const struct dobble_action *action, uint32_t rtt_ms,
             uint64_t now);
void dref_presence(struct dref *ref, int seat, bool connected, uint64_t now);
void dref_clock(struct dref *ref, uint64_t now);
uint64_t dref_deadline(const struct dref *ref);
/* NULL when the engine agrees, else what differs (dobble_reference_compare.c). */
const char *dref_differs(const struct dref *ref, const struct dobble_state *state);

/* The uppermost card of a pile, draw or centre; 0 for none. */
int dref_top(const struct dref *ref, enum dref_where where, int seat);
int dref_count(const struct dref *ref, enum dref_where where, int seat);

/* Shared by the reference's files. */
bool dref_wanted(const struct dref *ref, int seat); /* still in the game */
int dref_fault(const struct dref *ref, int seat, const int *claim);
void dref_win(struct dref *ref, int seat, const int *claim, uint64_t at, uint64_t now);
void dref_judge_end(struct dref *ref, bool by_forfeit, uint64_t now);
void dref_begin(struct dref *ref, int phase, uint64_t now);
void dref_finish(struct dref *ref, int ending, uint64_t now);
void dref_next_round(struct dref *ref, uint64_t now);
void dref_count_present(struct dref *ref, uint64_t now);

#endif
