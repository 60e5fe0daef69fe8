/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the conformance suite: one run of a game, the next random input, and what a viewer
 * receives.
 */
#ifndef UNIT_GAMES_CONFORMANCE_RUN_H
#define UNIT_GAMES_CONFORMANCE_RUN_H

#include "unit/games/conformance.h"

/* A state in memory of its own. */
struct run {
    const struct game *game;
    int seats;
    void *state;
};

/* Everything that a playthrough is a function of, and where it stands. */
struct playthrough {
    const struct game *game;
    struct conformance_report *report;
    struct game_options options;
    struct game_seed seed;
    int seats, starter;
    struct rng rng;
    struct game_context context;
    struct run run, twin; /* the same game in differently filled memory */
};

struct input {
    struct game_input input;
    struct game_context context;
    bool legal; /* meant to be */
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
};

struct outcome {
    enum status status;
    struct game_refusal refusal;
    struct game_events events;
};

/* Notes the first fault; false, so that a check can return it. */
__attribute__((format(printf, 2, 3))) bool fault(struct conformance_report *report,
                                                 const char *format, ...);

void run_open(struct run *run, const struct game *game, int seats, int fill);
void run_copy(struct run *to, const struct run *from); /* to is opened by it */
void run_close(struct run *run);
struct buf run_encode(const struct run *run);
struct game_status run_status(const struct run *run);
/* Clears and refills *out. */
void run_apply(struct run *run, const struct input *input, struct outcome *out);

/* A random input for where the run stands. Moves the playthrough's clock and flags. */
void input_next(struct playthrough *play, const struct run *run, struct input *out);
/* The clock at the run's deadline. */
void input_clock(const struct playthrough *play, const struct run *run, struct input *out);
static inline int chance(struct rng *rng, uint32_t one_in)
{
    return rng_below(rng, one_in) == 0;
}

/* What a viewer gets: the shared part and the own part of a view; of events. */
struct buf seen_view(const struct run *run, int viewer, bool host);
struct buf seen_events(const struct outcome *outcome, int viewer);
bool same_refusal(const struct game_refusal *a, const struct game_refusal *b);
bool same_status(const struct game_status *a, const struct game_status *b);

/* The checks; each notes its fault and is then false. */
bool check_start(struct playthrough *play);
bool check_step(struct playthrough *play, const struct input *input);
bool check_end(struct playthrough *play);
bool check_clock(struct playthrough *play);
bool check_damage(struct playthrough *play);
bool check_secrets(struct playthrough *play);

#endif
