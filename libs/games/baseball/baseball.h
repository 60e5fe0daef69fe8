/* SPDX-License-Identifier: Apache-2.0
 *
 * number-baseball: the state and what its files share. Everybody looks for the same secret, each at
 * their own pace, and the server judges (N1). The rules are pure; libs/room owns everything around
 * them.
 *
 * A code is `digits` distinct digits, kept as the number they read as: 123 is "0123" when there are
 * four. Strikes and balls are kept nowhere; they are computed from the secret whenever somebody may
 * see them.
 */
#ifndef GAMES_BASEBALL_BASEBALL_H
#define GAMES_BASEBALL_BASEBALL_H

#include "game/game.h"

enum {
    BASEBALL_SEATS_MAX = GAME_SEATS_MAX,
    BASEBALL_SYMBOLS = 10, /* 0 to 9; tests also play smaller sets */
    BASEBALL_DIGITS_MAX = 5,
    BASEBALL_GUESSES_MAX = 120, /* each, when no limit was chosen (N2) */
    BASEBALL_COUNTDOWN_MS = 3000,
    BASEBALL_ABSENCE_MS = 60 * 1000, /* N5 */
    BASEBALL_LONGEST_S = 3600,       /* when no time limit was chosen: every game ends */
    BASEBALL_TENTH_MS = 100,
};

/* The numbers of the Phase enum on the wire. */
enum baseball_phase { BASEBALL_COUNTDOWN = 1, BASEBALL_PLAYING, BASEBALL_FINISHED };

/* The numbers of the Standing enum on the wire. */
enum baseball_standing {
    BASEBALL_AT_IT = 1,
    BASEBALL_SOLVED,
    BASEBALL_EXHAUSTED,
    BASEBALL_GAVE_UP,
    BASEBALL_TIME_OVER,
};

/* The numbers of the Cause enum on the wire. */
enum baseball_cause { BASEBALL_ALL_ENDED = 1, BASEBALL_TIME_LIMIT, BASEBALL_ABSENCE };

/* The numbers of BaseballReason on the wire. */
enum baseball_reason {
    BASEBALL_MALFORMED = 1,
    BASEBALL_LENGTH,
    BASEBALL_CHAR,
    BASEBALL_DUPLICATE,
    BASEBALL_REPEAT,
    BASEBALL_NOT_YET,
    BASEBALL_ENDED,
    BASEBALL_HINTS_OFF,
    BASEBALL_NO_HINT_LEFT,
    BASEBALL_HINT_NUMBER,
    BASEBALL_GUESSES_MADE,
    BASEBALL_OVER,
};

/* Index of each option in the table of game.c. */
enum baseball_option {
    BASEBALL_OPT_DIGITS,
    BASEBALL_OPT_GUESS_LIMIT,
    BASEBALL_OPT_GUESSES,
    BASEBALL_OPT_TIME_LIMIT,
    BASEBALL_OPT_HINTS,
    BASEBALL_OPTION_COUNT,
};

/* What was agreed before the game; public. */
struct baseball_rules {
    uint8_t digits, symbols; /* symbols: BASEBALL_SYMBOLS outside of tests */
    uint8_t guess_limit;     /* 0: none */
    uint8_t hints_most;      /* each; 0: off */
    uint16_t time_limit_s;   /* 0: none */
};

struct baseball_player {
    uint8_t standing, hints, guesses; /* hints: used */
    instant_ms ended;                 /* 0 while at it */
    uint32_t code[BASEBALL_GUESSES_MAX];
};

struct baseball_state {
    struct baseball_rules rules;
    uint8_t seats, phase, cause;
    instant_ms starts, ends; /* the common start, and when it is over in any case */
    /* Since when nobody who is still at it is connected; INSTANT_NEVER while somebody is. */
    instant_ms quiet_since;
    uint32_t secret;
    uint8_t
        hint_at[BASEBALL_DIGITS_MAX]; /* the places that hints tell, in everybody's order (N3) */
    seat_mask left;                   /* who had given the seat up when the game ended */
    struct baseball_player player[BASEBALL_SEATS_MAX];
};

/* ---- codes (code.c) -------------------------------------------------------------------------- */

struct baseball_judged {
    int strikes, balls;
};

/* The digit at a place, 0 the leftmost. */
int baseball_digit(const struct baseball_rules *rules, uint32_t code, int place);
/* Distinct digits, all of them among the symbols. */
bool baseball_is_code(const struct baseball_rules *rules, uint32_t code);
/* Right digit at the right place; right digit at another. Symmetric. Both must be codes. */
struct baseball_judged baseball_judge(const struct baseball_rules *rules, uint32_t secret,
                                      uint32_t guess);
/* Reads what a player typed (N6). Returns 0, or why it is no code with the reason's parameter. */
enum baseball_reason baseball_read_code(const struct baseball_rules *rules, struct slice text,
                                        uint32_t *code, int32_t *param);
/* Writes rules->digits characters and a NUL. */
void baseball_write_code(const struct baseball_rules *rules, uint32_t code,
                         char text[BASEBALL_DIGITS_MAX + 1]);
/* Every code equally likely. */
uint32_t baseball_draw_code(const struct baseball_rules *rules, struct rng *rng);

/* ---- actions --------------------------------------------------------------------------------- */

enum baseball_action_kind { BASEBALL_ACT_GUESS = 1, BASEBALL_ACT_HINT, BASEBALL_ACT_GIVE_UP };

struct baseball_action {
    enum baseball_action_kind kind;
    uint32_t number; /* HINT: which of mine; GIVE_UP: guesses made */
    size_t text_len; /* GUESS: as it was typed, unchecked */
    uint8_t text[GAME_ACTION_BYTES_MAX];
};

/* One input on its way through its handler. */
struct baseball_step {
    struct baseball_state *state;
    int seat;
    const struct baseball_action *action;
    const struct game_context *context;
    struct game_events *events;
    struct game_refusal *refusal;
};

enum status baseball_refuse(struct baseball_step *step, enum baseball_reason reason);
enum status baseball_refuse_with(struct baseball_step *step, enum baseball_reason reason,
                                 int32_t param);

/* Handlers: guard first, change after, never half. */
enum status baseball_on_guess(struct baseball_step *step);
enum status baseball_on_hint(struct baseball_step *step);
enum status baseball_on_give_up(struct baseball_step *step);

/* ---- the course of the game (setup.c, course.c, rank.c) -------------------------------------- */

void baseball_setup(void *state, const struct game_setup *setup);
/* The same with another set of codes: `digits` of `symbols` digits. For tests. */
void baseball_setup_small(struct baseball_state *state, const struct game_setup *setup, int symbols,
                          int digits);
/* max(1, digits - 2), as the notes have it. */
int baseball_hints_for(int digits);
/* Guesses that each has: the limit, or BASEBALL_GUESSES_MAX. */
int baseball_guesses_most(const struct baseball_rules *rules);

/* The only instant that matters next. */
instant_ms baseball_deadline(const struct baseball_state *state);
/* Seats that are still at it, in any phase. */
seat_mask baseball_at_it(const struct baseball_state *state);
/* Tenths of a second from the common start to a player's end; 0 while at it. */
uint32_t baseball_tenths(const struct baseball_state *state, int seat);

/* The acting seat's own end; the game's, when it was the last. */
void baseball_end(struct baseball_step *step, enum baseball_standing standing);
/* Notes since when nobody who is still at it has been connected. */
void baseball_note_absence(struct baseball_state *state, const struct game_context *context);
void baseball_on_clock(struct baseball_step *step);

struct baseball_ranked {
    int seat, rank, points; /* rank 0: none */
};
/* All seats, best first: who solved it, by fewer guesses, fewer hints, less time; then who used up
 * the guesses; then the others. Equal in every key is a shared rank (N4). */
void baseball_rank(const struct baseball_state *state, struct baseball_ranked *out);

/* ---- saving and checking (codec.c, audit.c) -------------------------------------------------- */

void baseball_encode(const void *state, struct buf *out);
enum status baseball_decode(void *state, struct slice bytes);
const char *baseball_audit(const void *state);

/* ---- the wire (baseball_wire.c, baseball_view_wire.c, baseball_event_wire.c) ----------------- */

extern const struct game_messages baseball_messages;

bool baseball_read_action(struct slice bytes, struct baseball_action *out);
size_t baseball_write_action(const struct baseball_action *action, uint8_t *bytes);
void baseball_view(const void *state, const struct game_viewer *viewer, struct buf *shared,
                   struct buf *mine);

void baseball_tell_started(struct game_events *events);
/* That there was one more is for everybody; what it was and how it was judged for the seat alone.
 */
void baseball_tell_guessed(struct game_events *events, const struct baseball_state *state,
                           int seat);
void baseball_tell_hinted(struct game_events *events, const struct baseball_state *state, int seat);
void baseball_tell_ended(struct game_events *events, const struct baseball_state *state, int seat);
void baseball_tell_finished(struct game_events *events, enum baseball_cause cause);

/* ---- for the conformance suite (permute.c, random_action.c, releases.c) ---------------------- */

size_t baseball_random_action(const void *state, int seat, int kind, struct rng *rng,
                              uint8_t *bytes);
bool baseball_permute_hidden(void *state, int viewer_seat, struct rng *rng);
void baseball_releases(const void *state, const struct game_input *input,
                       const struct game_context *context, int viewer_seat, struct buf *out);

extern const struct game baseball_game;

#endif
