/* SPDX-License-Identifier: Apache-2.0
 *
 * davinci-code: the state and what its files share. The rules are pure; libs/room owns everything
 * around them.
 *
 * Faces are numbered as on the wire: 0 is hidden, number n is n + 1, the joker is 13. A tile is
 * colour * 13 + face - 1; these numbers never leave this folder. What a seat may know of the
 * tiles is a `struct davinci_sight`: see.c is the only place that masks, and views, candidates
 * and automatic guesses read nothing but a sight.
 */
#ifndef GAMES_DAVINCI_DAVINCI_H
#define GAMES_DAVINCI_DAVINCI_H

#include "base/mutant.h"
#include "game/game.h"

enum {
    DAVINCI_SEATS_MAX = 4,
    DAVINCI_NUMBERS = 12, /* 0 to 11; tests also play smaller sets */
    DAVINCI_FACE_HIDDEN = 0,
    DAVINCI_FACE_JOKER = 13,
    DAVINCI_TILES_MAX = 26,
    DAVINCI_PILE_MAX = 13,
    DAVINCI_ROW_MAX = DAVINCI_TILES_MAX, /* tiles are conserved: no row can overflow */
    DAVINCI_NO_TILE = 0xff,
    DAVINCI_NO_SEAT = 0xff,

    /* Every guess but a wrong one under `none` with an empty pool opens exactly one tile, and one
     * tile at least is hidden at the end: at most 25 guesses under `reveal-own`. Under `none` a
     * wrong guess refutes a new value (12 for each of 26 tiles) or wastes a turn (fewer than 12
     * in a row, D11), so a game has at most (25 + 312) * 12 = 4044 guesses. Only the newest are
     * kept: what they told stays with the tiles (D16). */
    DAVINCI_HISTORY_MAX = 64,

    DAVINCI_IDLE_ROUNDS = 3, /* D11 */
    DAVINCI_CHOOSE_MS = 15000,
    DAVINCI_STEP_MS = 10000, /* draw, after a hit, place a joker, reveal an own tile */
};
_Static_assert(DAVINCI_HISTORY_MAX >= DAVINCI_TILES_MAX, "reveal-own never loses history");

enum davinci_color { DAVINCI_BLACK, DAVINCI_WHITE };

/* The numbers of the Phase enum on the wire. */
enum davinci_phase {
    DAVINCI_CHOOSE_START = 1,
    DAVINCI_DRAW,
    DAVINCI_GUESS,
    DAVINCI_AFTER_CORRECT,
    DAVINCI_PLACE_JOKER,
    DAVINCI_REVEAL_OWN,
    DAVINCI_FINISHED,
};

/* The numbers of DavinciReason on the wire. */
enum davinci_reason {
    DAVINCI_MALFORMED = 1,
    DAVINCI_WRONG_PHASE,
    DAVINCI_NOT_YOUR_TURN,
    DAVINCI_SUM,
    DAVINCI_TOO_MANY,
    DAVINCI_ALREADY_PICKED,
    DAVINCI_COLOR_NEEDED,
    DAVINCI_COLOR_EMPTY,
    DAVINCI_NO_COLOR_CHOICE,
    DAVINCI_OWN_TILE,
    DAVINCI_NO_SUCH_PLAYER,
    DAVINCI_ELIMINATED,
    DAVINCI_NO_SUCH_TILE,
    DAVINCI_REVEALED,
    DAVINCI_VALUE_RANGE,
    DAVINCI_NO_JOKERS,
    DAVINCI_JOKER_PLACE,
    DAVINCI_NO_JOKER_HELD,
    DAVINCI_OVER,
};

/* Index of each option in the table of game.c. */
enum davinci_option {
    DAVINCI_OPT_JOKERS,
    DAVINCI_OPT_TIE_ORDER,
    DAVINCI_OPT_START_TILES,
    DAVINCI_OPT_CHOOSE_COLORS,
    DAVINCI_OPT_EMPTY_POOL,
    DAVINCI_OPT_TURN_SECONDS,
    DAVINCI_OPT_HELPER,
    DAVINCI_OPT_HISTORY,
    DAVINCI_OPTION_COUNT,
};

/* What was agreed before the game; public. */
struct davinci_rules {
    uint8_t jokers, white_left, choose_colors, reveal_own, turn_seconds, helper, history;
    uint8_t start_tiles; /* each, `auto` resolved */
    uint8_t numbers;     /* per colour: DAVINCI_NUMBERS outside of tests */
};

struct davinci_tile {
    uint8_t tile;
    uint8_t open;
    uint8_t entry;    /* 1, 2, ...: the how-manieth tile to enter this row */
    uint16_t refuted; /* bit f: face f was guessed wrongly; 0 once open (D16) */
};

struct davinci_row {
    uint8_t len;
    struct davinci_tile at[DAVINCI_ROW_MAX]; /* small to large */
};

struct davinci_pick {
    uint8_t made, black, white;
};

struct davinci_told { /* one guess, public */
    uint8_t by, target, position, entry, color, said, correct, automatic;
    uint32_t turn;
};

struct davinci_state {
    struct davinci_rules rules;
    uint8_t seats, phase;
    uint8_t first, current;
    uint32_t turn; /* 0 in chooseStart, then 1, 2, ... */
    instant_ms phase_started, deadline;
    uint8_t extended; /* D21: a return has lengthened a phase of this turn */

    uint8_t pile_len[2];
    uint8_t pile[2][DAVINCI_PILE_MAX]; /* [0] is the front */
    uint8_t merged_len; /* chooseColors off (D8): the colour of each next tile, else empty */
    uint8_t merged[DAVINCI_TILES_MAX];
    struct game_seed joker_seed; /* where jokers go after the deal; wiped by it */
    struct davinci_pick pick[DAVINCI_SEATS_MAX];

    uint8_t turn_tile; /* drawn this turn, not yet in the row; or DAVINCI_NO_TILE */
    struct davinci_row row[DAVINCI_SEATS_MAX];
    uint8_t newest_seat, newest_entry; /* the tile that ended the last turn; entry 0 for none */

    uint8_t out_count;
    uint8_t out[DAVINCI_SEATS_MAX]; /* seats in order of elimination */
    uint8_t winner;                 /* or DAVINCI_NO_SEAT */
    seat_mask left;                 /* who had given the seat up when the game ended (D22) */

    uint8_t penalty_switched; /* D11 */
    uint8_t idle_turns;       /* in a row without a reveal or a newly refuted value */
    uint8_t progress;         /* this turn has had one */

    uint32_t guesses[DAVINCI_SEATS_MAX],
        correct[DAVINCI_SEATS_MAX]; /* people's own, not automatic (D20) */
    uint8_t told_len;
    struct davinci_told told[DAVINCI_HISTORY_MAX];
};

/* ---- tiles and rows (row.c) ------------------------------------------------------------------ */

static inline int davinci_color_of(int tile)
{
    return tile / 13;
}
static inline int davinci_face_of(int tile)
{
    return tile % 13 + 1;
}
static inline int davinci_tile_of(int color, int face)
{
    return color * 13 + face - 1;
}
static inline bool davinci_is_joker(int tile)
{
    return davinci_face_of(tile) == DAVINCI_FACE_JOKER;
}

/* Numbers sort by this; equal numbers by colour as tieOrder says. */
static inline int davinci_key(const struct davinci_rules *rules, int color, int face)
{
    return 2 * face + (color == (rules->white_left ? DAVINCI_BLACK : DAVINCI_WHITE));
}

/* Where a number tile goes: right after the last smaller number, jokers ignored (spec 8.2, D14). */
int davinci_row_place(const struct davinci_state *state, int seat, int tile);
/* Puts a tile at an index; older tiles keep their order. Returns its entry number. */
int davinci_row_insert(struct davinci_state *state, int seat, int index, int tile, bool open);
void davinci_row_open(struct davinci_state *state, int seat, int index);
int davinci_row_hidden(const struct davinci_state *state, int seat);
/* Index of the leftmost hidden tile, or -1. */
int davinci_row_first_hidden(const struct davinci_state *state, int seat);

/* In the game: everybody before the deal, then who has a hidden tile in the row. */
bool davinci_alive(const struct davinci_state *state, int seat);
int davinci_alive_count(const struct davinci_state *state);
int davinci_pool_len(const struct davinci_state *state);

/* ---- what a seat may know (see.c) and what follows from it (candidates.c) -------------------- */

struct davinci_seen_tile {
    uint8_t color, face, entry, newest; /* face: DAVINCI_FACE_HIDDEN unless open or one's own */
    uint16_t refuted;
};

struct davinci_sight {
    int viewer; /* or GAME_SPECTATOR */
    struct davinci_rules rules;
    int seats, current;
    struct {
        int len, hidden;
        bool alive;
        struct davinci_seen_tile at[DAVINCI_ROW_MAX];
    } row[DAVINCI_SEATS_MAX];
    int turn_color; /* -1 without a turn tile */
    int turn_face;
};

void davinci_see(const struct davinci_state *state, int viewer, struct davinci_sight *sight);

/* The faces (bit f) that a hidden tile may have as far as the viewer can tell (D17). */
uint16_t davinci_candidates(const struct davinci_sight *sight, int target, int index);

/* ---- actions --------------------------------------------------------------------------------- */

enum davinci_action_kind {
    DAVINCI_ACT_CHOOSE_START = 1,
    DAVINCI_ACT_DRAW,
    DAVINCI_ACT_GUESS,
    DAVINCI_ACT_CONTINUE,
    DAVINCI_ACT_STOP,
    DAVINCI_ACT_PLACE_JOKER,
    DAVINCI_ACT_REVEAL_OWN,
};

struct davinci_action {
    enum davinci_action_kind kind;
    uint32_t black, white;  /* CHOOSE_START */
    int color;              /* DRAW: -1 when none was named */
    uint32_t target, index; /* GUESS; index also PLACE_JOKER, REVEAL_OWN and STOP */
    int face;               /* GUESS: unchecked */
    bool joker;             /* STOP: index is given (D9) */
};

/* One action on its way through its handler. */
struct davinci_step {
    struct davinci_state *state;
    int seat;
    bool automatic; /* by the clock */
    const struct davinci_action *action;
    const struct game_context *context;
    struct game_events *events;
    struct game_refusal *refusal;
};

enum status davinci_refuse(struct davinci_step *step, enum davinci_reason reason);
enum status davinci_refuse_with(struct davinci_step *step, enum davinci_reason reason,
                                int32_t param);

/* Handlers: guard first, change after, never half. */
enum status davinci_on_choose_start(struct davinci_step *step);
enum status davinci_on_draw(struct davinci_step *step);
enum status davinci_on_guess(struct davinci_step *step);
enum status davinci_on_continue(struct davinci_step *step);
enum status davinci_on_stop(struct davinci_step *step);
enum status davinci_on_place_joker(struct davinci_step *step);
enum status davinci_on_reveal_own(struct davinci_step *step);
/* Hands one read action to its handler. */
enum status davinci_act(struct davinci_step *step);

/* The clock (on_clock.c). */
void davinci_on_clock(struct davinci_step *step);
void davinci_on_presence(struct davinci_step *step, bool connected);
/* What the clock does for a seat that is to act (D6, D18). */
void davinci_automatic(const struct davinci_state *state, int seat, struct davinci_action *out);

/* ---- the course of the game (setup.c, turn.c) ------------------------------------------------ */

void davinci_setup(void *state, const struct game_setup *setup);
/* The same with another set of tiles: numbers per colour (at most DAVINCI_NUMBERS) and start
 * tiles each. For tests. */
void davinci_setup_small(struct davinci_state *state, const struct game_setup *setup, int numbers,
                         int start_tiles);
/* Start tiles each by the options. */
int davinci_start_tiles(const struct game_options *options, int seats);
/* Deals by the picks, or by the merged order, and mixes the jokers in (D1, D6, D8). */
void davinci_deal(struct davinci_state *state);
/* Takes the front of a colour's pile. */
int davinci_take(struct davinci_state *state, int color);
/* The most of each colour that a further pick may hold. */
void davinci_pick_limits(const struct davinci_state *state, int most[2]);

void davinci_enter(struct davinci_state *state, enum davinci_phase phase, instant_ms now,
                   bool hurried);
bool davinci_is_hurried(const struct game_context *context, int seat);
/* Begins the turn of `seat`: draw, or guess when the pool is empty. */
void davinci_begin_turn(struct davinci_step *step, int seat);
/* Ends the current turn; newest_entry names the tile that entered the row, 0 for none. */
void davinci_end_turn(struct davinci_step *step, int newest_entry);
/* Notes an elimination when `seat` has nothing hidden; true when that has ended the game. */
bool davinci_settle(struct davinci_step *step, int seat);
seat_mask davinci_to_act(const struct davinci_state *state);

/* ---- saving and checking (codec.c, audit.c) -------------------------------------------------- */

void davinci_encode(const void *state, struct buf *out);
enum status davinci_decode(void *state, struct slice bytes);
const char *davinci_audit(const void *state);

/* ---- the wire (davinci_wire.c, davinci_view_wire.c, davinci_event_wire.c) -------------------- */

extern const struct game_messages davinci_messages;

bool davinci_read_action(struct slice bytes, struct davinci_action *out);
size_t davinci_write_action(const struct davinci_action *action, uint8_t *bytes);
void davinci_view(const void *state, const struct game_viewer *viewer, struct buf *shared,
                  struct buf *mine);

void davinci_tell_picked(struct game_events *events, int seat, bool automatic);
void davinci_tell_dealt(struct game_events *events);
/* The face goes to the seat alone. */
void davinci_tell_drawn(struct game_events *events, int seat, int tile, bool automatic);
void davinci_tell_guessed(struct game_events *events, const struct davinci_told *told);
void davinci_tell_went_on(struct game_events *events, int seat);
void davinci_tell_inserted(struct game_events *events, int seat, int position, int color,
                           int open_face, bool automatic);
void davinci_tell_revealed(struct game_events *events, int seat, int position, int face,
                           bool automatic);
void davinci_tell_eliminated(struct game_events *events, int seat);
void davinci_tell_turn(struct game_events *events, int seat, int turn);
void davinci_tell_finished(struct game_events *events, int winner);
void davinci_tell_switched(struct game_events *events);
void davinci_tell_joker_opened(struct game_events *events, int seat);

/* ---- for the conformance suite (permute.c, random_action.c, releases.c) ---------------------- */

size_t davinci_random_action(const void *state, int seat, int kind, struct rng *rng,
                             uint8_t *bytes);
bool davinci_permute_hidden(void *state, int viewer_seat, struct rng *rng);
void davinci_releases(const void *state, const struct game_input *input,
                      const struct game_context *context, int viewer_seat, struct buf *out);

extern const struct game davinci_game;

#endif
