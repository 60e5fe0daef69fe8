/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets up exact games of number baseball and plays on them, for tests of the rules:
 *
 *     struct field field = {0};
 *     field_play(&field, &(struct field_spec){.seats = 2, .secret = "3702", .hints = "20"});
 *     assert_int_equal(field_guess(&field, 0, "3720"), 0);
 *     expect_alone(&field, 0, "3720 2S2B; 9 guesses and 2 hints left");
 */
#ifndef UNIT_GAMES_BASEBALL_FIELD_H
#define UNIT_GAMES_BASEBALL_FIELD_H

#include "games/baseball/baseball.h"

enum { FIELD_NONE = -1, FIELD_NOW = 1000, FIELD_START = FIELD_NOW + BASEBALL_COUNTDOWN_MS };

struct field_spec {
    int seats;
    int digits;         /* 0: as many as the secret has, else the default */
    int guesses;        /* 0: the default by digits; FIELD_NONE: no limit */
    int minutes;        /* 0: the default; FIELD_NONE: no limit */
    bool no_hints;      /* switched off */
    const char *secret; /* NULL: drawn from the seed */
    const char *hints;  /* places of hints in order, "20"; the others follow; NULL: drawn */
    uint32_t seed;
    seat_mask absent; /* not connected at set-up */
};

/* A game and the last input's outcome. A zeroed one is closed; opening closes what was open. */
struct field {
    struct baseball_state state;
    instant_ms now;
    seat_mask connected, left;
    struct game_events events;
    struct game_refusal refusal;
};
/* In the countdown; room time is FIELD_NOW. */
void field_open(struct field *field, const struct field_spec *spec);
/* After the countdown: room time is FIELD_START. */
void field_play(struct field *field, const struct field_spec *spec);
void field_close(struct field *field);

/* Inputs at field->now; the state is audited after each. Actions return 0 or the reason of the
 * refusal. */
int field_act(struct field *field, int seat, const struct baseball_action *action);
int field_guess(struct field *field, int seat, const char *text);
int field_hint(struct field *field, int seat); /* the next one of that seat */
int field_hint_number(struct field *field, int seat, uint32_t number);
int field_give_up(struct field *field, int seat);
/* Moves to the deadline and lets the clock act. */
void field_clock(struct field *field);
void field_clock_late(struct field *field, uint64_t ms);
void field_goes(struct field *field, int seat);
void field_returns(struct field *field, int seat);

uint32_t field_code(const struct field *field, const char *text);
struct game_status field_status(const struct field *field);
struct game_result field_result(const struct field *field);
/* Bytes of one viewer's view: shared part, then own part. The caller frees with buf_fini. */
struct buf field_view(const struct baseball_state *state, int viewer);
bool field_same_state(const struct baseball_state *a, const struct baseball_state *b);

/* What everybody sees contains, or lacks, this text (baseball_text.h). */
void expect_everybody(const struct field *field, const char *text);
void expect_nobody(const struct field *field, const char *text);
/* What one seat sees beside it is exactly this. */
void expect_alone(const struct field *field, int seat, const char *line);
/* The events of the last input, all lines of them. */
void expect_told(const struct field *field, const char *lines);
/* Milliseconds from now to the deadline. */
void expect_until(const struct field *field, uint64_t ms);
/* Two states look the same to a viewer. */
void expect_alike(const struct baseball_state *a, const struct baseball_state *b, int viewer);

#endif
