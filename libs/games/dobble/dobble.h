/* SPDX-License-Identifier: Apache-2.0
 *
 * dobble: the state and what its files share. The rules are pure; libs/room owns everything around
 * them.
 *
 * A card is 1 to 57 (0: none), a picture 0 to 56, both as on the wire: set-up gives the lines of
 * the plane their numbers by a stream of their own and the symbols their pictures by another, and
 * the deck's abstract symbols do not outlive it. Everything that will lie open is fixed there too;
 * no seed stays in the state.
 *
 * see.c is the one place that says what lies open: views, hints and targets ask it.
 */
#ifndef GAMES_DOBBLE_DOBBLE_H
#define GAMES_DOBBLE_DOBBLE_H

#include "game/game.h"

enum {
    DOBBLE_SEATS_MAX = 8,
    DOBBLE_ORDER = 7, /* of the plane; tests also play smaller ones */
    DOBBLE_ITEMS_MAX = DOBBLE_ORDER + 1,
    DOBBLE_CARDS_MAX = DOBBLE_ORDER * DOBBLE_ORDER + DOBBLE_ORDER + 1,
    DOBBLE_PLACES = 9, /* of triplet */
    DOBBLE_TRIPLE = 3,
    DOBBLE_NO_CARD = 0,
    DOBBLE_TEMPLATES = 6,
    DOBBLE_LOOKS = 1 << 24,

    DOBBLE_COUNTDOWN_MS = 3000,
    DOBBLE_ROUND_END_MS = 3000, /* B24 */
    DOBBLE_HINT_AFTER_MS = 45000,
    DOBBLE_HINT_MS = 2000, /* B14 */
    DOBBLE_HINTS_MAX = 4,  /* B21 */
    DOBBLE_WINDOW_MS = 60, /* B9 */
    DOBBLE_ADJUST_MAX_MS = 80,
    DOBBLE_GRACE_MS = 10000, /* a short absence pauses nothing */
    DOBBLE_PAUSE_MS = 60000, /* B15 */
    DOBBLE_FORFEIT_MS = 30000,
    DOBBLE_GIVEN_BACK_MAX = 5, /* B3 */
    DOBBLE_FAST_MS = 200,      /* B17 */
    DOBBLE_FAST_HITS = 5,
};

/* The numbers of MiniGame, Phase, Part, Ending and DobbleReason on the wire. */
enum dobble_mini_game {
    DOBBLE_TOWER = 1,
    DOBBLE_WELL,
    DOBBLE_HOT_POTATO,
    DOBBLE_POISONED_GIFT,
    DOBBLE_TRIPLET,
};

enum dobble_phase {
    DOBBLE_COUNTDOWN = 1,
    DOBBLE_PLAYING,
    DOBBLE_ROUND_END,
    DOBBLE_HINT,
    DOBBLE_PAUSED,
    DOBBLE_FINISHED,
};

enum dobble_part { DOBBLE_IN = 1, DOBBLE_ESCAPED, DOBBLE_EMPTIED, DOBBLE_FORFEITED };

enum dobble_ending {
    DOBBLE_PLAYED = 1,
    DOBBLE_UNFOUND,
    DOBBLE_ABSENT,
    DOBBLE_TOO_FEW,
};

enum dobble_reason {
    DOBBLE_MALFORMED = 1,
    DOBBLE_IN_COUNTDOWN,
    DOBBLE_IN_ROUND_END,
    DOBBLE_IN_HINT,
    DOBBLE_IN_PAUSE,
    DOBBLE_OVER,
    DOBBLE_NOT_IN_PLAY,
    DOBBLE_LOCKED,
    DOBBLE_LATE,
    DOBBLE_TARGET_NEEDED,
    DOBBLE_OWN_TARGET,
    DOBBLE_TARGET_OUT,
    DOBBLE_NO_TARGET_HERE,
    DOBBLE_OTHER_MINI_GAME,
    DOBBLE_NOT_THREE,
};

/* Index of each option in the table of game.c. */
enum dobble_option {
    DOBBLE_OPT_MINI_GAME,
    DOBBLE_OPT_DECK_SIZE,
    DOBBLE_OPT_ROUNDS,
    DOBBLE_OPT_LOCKOUT,
    DOBBLE_OPT_LATENCY,
    DOBBLE_OPT_STYLE,
    DOBBLE_OPT_SHOW_RTT,
    DOBBLE_OPT_END_AT_FIRST,
    DOBBLE_OPT_GIVES_CARD,
    DOBBLE_OPT_PRACTICE,
    DOBBLE_OPTION_COUNT,
};

/* What was agreed before the game; public. Options that the mini-game has no use for are off. */
struct dobble_rules {
    uint8_t mini_game, order, deck_size, rounds;
    uint8_t light, easy, show_rtt, end_at_first, gives_card, practice;
    uint16_t lockout_ms;
};

/* The pictures of a card, slot by slot, and the number from which everybody works out how they lie
 * (layout.c), little-endian. Bytes alone, so that all cards are saved in one piece. */
struct dobble_card {
    uint8_t art[DOBBLE_ITEMS_MAX];
    uint8_t look[3];
};
_Static_assert(sizeof(struct dobble_card) == DOBBLE_ITEMS_MAX + 3, "no gaps");

struct dobble_pile { /* bottom first, the top is the last */
    uint8_t len;
    uint8_t card[DOBBLE_CARDS_MAX];
};

/* What a claim names. Two cards: mine (none in poisonedGift), base, none. Three: ascending. */
struct dobble_claim {
    uint8_t card[DOBBLE_TRIPLE];
    uint8_t target; /* seat + 1; 0 for none */
    uint8_t art;
};

struct dobble_seat {
    struct dobble_pile pile;
    instant_ms top_since; /* its top card lies open since then; 0: not shown yet, or no card */
    uint8_t part, place;  /* place: escaped or emptied as the how-manieth */
    uint16_t penalty;
    uint8_t given_back;
    uint8_t fast;      /* hits in a row below DOBBLE_FAST_MS, at most DOBBLE_FAST_HITS */
    uint8_t suspected; /* had that many (B17) */
    uint32_t correct, wrong;
    instant_ms locked_until; /* 0: never was, not in this round (B16), or won since */
    instant_ms away_since;   /* INSTANT_NEVER: connected */
    struct dobble_claim won; /* the last claim that won: its double tap is swallowed (B8) */
};

/* A right claim that waits for the end of the window. */
struct dobble_waiting {
    uint8_t seat;
    instant_ms at, adjusted;
    struct dobble_claim claim;
};

struct dobble_state {
    struct dobble_rules rules;
    uint8_t seats, phase, ending;
    uint8_t face_up;                      /* the open cards are shown */
    uint8_t hints;                        /* in a row without a success */
    instant_ms phase_started, phase_ends; /* ends: INSTANT_NEVER in playing and finished */
    instant_ms hint_at;                   /* playing: 45 s after the last success; else NEVER */
    instant_ms few_since; /* fewer than two are connected since then, or INSTANT_NEVER (B15) */

    struct dobble_card card[DOBBLE_CARDS_MAX]; /* card c at [c - 1] */

    struct dobble_pile draw;   /* face down */
    struct dobble_pile centre; /* the top lies open */
    struct dobble_pile unused; /* never played, spent, or of those who forfeited */
    uint8_t open[DOBBLE_PLACES];
    instant_ms centre_since, open_since[DOBBLE_PLACES];
    struct dobble_seat seat[DOBBLE_SEATS_MAX];

    uint8_t window_len;                             /* 0: no window is open */
    struct dobble_waiting window[DOBBLE_SEATS_MAX]; /* in the order of arrival */

    uint8_t round; /* 1, 2, ... */
    struct {
        uint8_t round, is_void, loser, cards; /* round 0: none yet */
    } last_round;
};

/* ---- the deck and its look (deck.c, layout.c) ------------------------------------------------ */

static inline int dobble_items(const struct dobble_rules *rules)
{
    return rules->order + 1;
}
static inline int dobble_cards(const struct dobble_rules *rules)
{
    return rules->order * rules->order + rules->order + 1;
}

/* The lines of the plane of a prime order: count cards of order + 1 symbols, any two of which share
 * exactly one. */
void dobble_plane(int order, uint8_t card[][DOBBLE_ITEMS_MAX]);
/* Cards with their numbers and pictures, and how they lie. */
void dobble_make_deck(struct dobble_state *state, const struct game_seed *seed);
void dobble_make_layouts(struct dobble_state *state, const struct game_seed *seed);
/* The shuffled cards of the game into draw; those left out into unused. */
void dobble_shuffle(struct dobble_state *state, const struct game_seed *seed);

static inline uint32_t dobble_look(const struct dobble_card *card)
{
    return (uint32_t)(card->look[0] | card->look[1] << 8 | card->look[2] << 16);
}
/* Another way to lie, at random: which picture in which slot, and the look. */
void dobble_lay_anew(const struct dobble_rules *rules, struct dobble_card *card, struct rng *rng);

/* How the picture in a slot lies. */
struct dobble_lie {
    int template, slot;
    int size, turn; /* percent of the template's; degrees */
};
enum { DOBBLE_SIZE_MIN = 60, DOBBLE_SIZE_EASY = 100, DOBBLE_SIZE_MAX = 120, DOBBLE_TURNS = 360 };
/* What a look says; easy: of one size, upright. */
struct dobble_lie dobble_lie(uint32_t look, bool easy, int slot);

/* Where that is and how large, in thousandths of the card's diameter. */
struct dobble_spot {
    uint16_t x, y, size, turn;
};
struct dobble_spot dobble_spot(struct dobble_lie lie);

/* ---- piles (pile.c) -------------------------------------------------------------------------- */

static inline int dobble_top(const struct dobble_pile *pile)
{
    return pile->len ? pile->card[pile->len - 1] : DOBBLE_NO_CARD;
}
void dobble_push(struct dobble_pile *pile, int card);
int dobble_pop(struct dobble_pile *pile);
void dobble_push_under(struct dobble_pile *pile, int card);
/* All of `from` onto `to`, in its order. */
void dobble_move(struct dobble_pile *to, struct dobble_pile *from);

/* ---- what lies open (see.c) ------------------------------------------------------------------ */

bool dobble_bears(const struct dobble_state *state, int card, int art);
/* The picture that two different cards share. */
int dobble_shared(const struct dobble_state *state, int a, int b);
/* A picture on three open cards of triplet, or -1. */
int dobble_triple(const struct dobble_state *state);
/* Index of an open card among the places, or -1. */
int dobble_place_of(const struct dobble_state *state, int card);
/* Its open card as everybody sees it now; DOBBLE_NO_CARD while cards are not shown. */
int dobble_seen_top(const struct dobble_state *state, int seat);
int dobble_seen_centre(const struct dobble_state *state);
int dobble_seen_place(const struct dobble_state *state, int place);
bool dobble_has_targets(const struct dobble_state *state);
/* Whom a seat may choose, in the phases in which cards are played with. */
seat_mask dobble_targets(const struct dobble_state *state, int seat);
/* The picture that would win for a seat now, against one of its targets (-1: without); -1: none. */
int dobble_answer(const struct dobble_state *state, int seat, int target);

/* ---- claims ---------------------------------------------------------------------------------- */

struct dobble_action {
    bool triplet; /* names three cards */
    struct dobble_claim claim;
};

/* One input on its way. */
struct dobble_step {
    struct dobble_state *state;
    const struct game_context *context;
    struct game_events *events;
    struct game_refusal *refusal;
};

enum status dobble_refuse(struct dobble_step *step, enum dobble_reason reason);
/* Judges a claim (on_claim.c): refused, wrong, put into the window, or won. */
enum status dobble_on_claim(struct dobble_step *step, int seat, uint32_t rtt_ms,
                            const struct dobble_action *action);
/* 0 when the cards and the target that a claim names are as they should be, else the reason. */
enum dobble_reason dobble_claim_fault(const struct dobble_state *state, int seat,
                                      const struct dobble_claim *claim);
/* What a right claim does (win.c); `at` is its stamp. Ends nothing: see dobble_settle. */
void dobble_win(struct dobble_step *step, int seat, const struct dobble_claim *claim,
                instant_ms at);
/* The compensation window (window.c). */
void dobble_window_enter(struct dobble_step *step, int seat, uint32_t rtt_ms,
                         const struct dobble_claim *claim);
void dobble_window_resolve(struct dobble_step *step);
static inline instant_ms dobble_window_end(const struct dobble_state *state)
{
    return state->window[0].at + DOBBLE_WINDOW_MS;
}

/* ---- the course of the game (setup.c, course.c, on_clock.c, rank.c) -------------------------- */

void dobble_setup(void *state, const struct game_setup *setup);
/* The same with a plane of another prime order. For tests. */
void dobble_setup_order(struct dobble_state *state, const struct game_setup *setup, int order);
void dobble_set_rules(struct dobble_rules *rules, const struct game_options *options, int seats);
void dobble_deal_round(struct dobble_state *state); /* hotPotato */
/* Fills the empty places of triplet from the draw pile; new cards lie open since `now`, 0 for not
 * yet. */
void dobble_fill_places(struct dobble_state *state, instant_ms now);

bool dobble_has_forfeits(const struct dobble_state *state);
/* Still wanted in this game: may claim, or will again in the next round. */
bool dobble_in_game(const struct dobble_state *state, int seat);
int dobble_count_part(const struct dobble_state *state, enum dobble_part part);
instant_ms dobble_deadline(const struct dobble_state *state);

void dobble_begin_countdown(struct dobble_step *step);
void dobble_show(struct dobble_step *step);
void dobble_begin_hint(struct dobble_step *step);
void dobble_end_hint(struct dobble_step *step);
void dobble_end_round_end(struct dobble_step *step);
void dobble_pause(struct dobble_step *step);
void dobble_finish(struct dobble_step *step, enum dobble_ending ending);
/* Ends the round or the game when the rules say so: after successes (why: DOBBLE_PLAYED) or
 * forfeits (DOBBLE_TOO_FEW). */
void dobble_settle(struct dobble_step *step, enum dobble_ending why);
void dobble_forfeit(struct dobble_step *step, int seat);
/* Notes since when too few are connected (B15). */
void dobble_count_present(struct dobble_state *state, instant_ms now);
void dobble_on_clock(struct dobble_step *step);
void dobble_on_presence(struct dobble_step *step, int seat, bool connected);

/* Rank by the standing, shared ranks 1, 1, 3; 0 in practice. */
int dobble_rank(const struct dobble_state *state, int seat);
int dobble_points(const struct dobble_state *state, int seat);

/* ---- saving and checking (codec.c, audit.c) -------------------------------------------------- */

void dobble_encode(const void *state, struct buf *out);
enum status dobble_decode(void *state, struct slice bytes);
const char *dobble_audit(const void *state);

/* ---- the wire (dobble_wire.c, dobble_view_wire.c, dobble_event_wire.c) ----------------------- */

extern const struct game_messages dobble_messages;

/* False for bytes that are no action, and for a picture that does not exist. */
bool dobble_read_action(struct slice bytes, struct dobble_action *out);
size_t dobble_write_action(const struct dobble_action *action, uint8_t *bytes);
void dobble_view(const void *state, const struct game_viewer *viewer, struct buf *shared,
                 struct buf *mine);

void dobble_tell_shown(struct game_events *events, int round);
void dobble_tell_found(struct game_events *events, int seat, const struct dobble_claim *claim);
/* The picture goes to the seat alone. */
void dobble_tell_wrong(struct game_events *events, int seat, instant_ms locked_until,
                       bool gave_card, int art);
void dobble_tell_beaten(struct game_events *events, int seat);
void dobble_tell_escaped(struct game_events *events, int seat, int place);
void dobble_tell_emptied(struct game_events *events, int seat, int place);
void dobble_tell_round_ended(struct game_events *events, const struct dobble_state *state);
void dobble_tell_forfeited(struct game_events *events, int seat);
void dobble_tell_hint_shown(struct game_events *events);
void dobble_tell_hint_over(struct game_events *events);
void dobble_tell_paused(struct game_events *events);
void dobble_tell_countdown(struct game_events *events, int round);
void dobble_tell_finished(struct game_events *events, int ending);

/* ---- for the conformance suite (permute.c, random_action.c, releases.c) ---------------------- */

size_t dobble_random_action(const void *state, int seat, int kind, struct rng *rng, uint8_t *bytes);
bool dobble_permute_hidden(void *state, int viewer_seat, struct rng *rng);
void dobble_releases(const void *state, const struct game_input *input,
                     const struct game_context *context, int viewer_seat, struct buf *out);

extern const struct game dobble_game;

#endif
