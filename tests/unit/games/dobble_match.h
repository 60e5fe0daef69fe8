/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays exact games of dobble, for tests of the rules. As in a room, the clock comes first: before
 * an input stamped at or after a deadline, the clock is applied at that deadline. After every input
 * the audit must find the state sound.
 */
#ifndef UNIT_GAMES_DOBBLE_MATCH_H
#define UNIT_GAMES_DOBBLE_MATCH_H

#include "games/dobble/dobble.h"

#include "dobble.pb-c.h"

typedef Madang__V1__Dobble__View dobble_wire_view;
typedef Madang__V1__Dobble__Mine dobble_wire_mine;
typedef Madang__V1__Dobble__Event dobble_wire_event;

struct match_options { /* zero: the default */
    int mini_game, seats, rounds;
    bool deck_55, light, easy, hide_rtt, end_at_first, gives_card, practice;
    int lockout_ms; /* -1: none */
    int order;      /* of a smaller plane */
    uint32_t seed;
};

enum { MATCH_START = 100000, MATCH_NO_ANSWER = 0xfe };

/* A game and the outcome of its last input. A zeroed one is closed; opening closes what was. */
struct match {
    struct dobble_state state;
    instant_ms now;
    seat_mask connected;
    uint32_t rtt_ms; /* of claims to come */
    struct game_events events;
    struct game_refusal refusal;
};

struct game_options match_game_options(const struct match_options *options);
/* In the first countdown. */
void match_set_up(struct match *match, const struct match_options *options);
/* The countdown is over. */
void match_open(struct match *match, const struct match_options *options);
void match_close(struct match *match);

/* Lets time pass, with every deadline on the way. */
void match_wait(struct match *match, instant_ms ms);
/* To the next deadline. */
void match_clock(struct match *match);
/* Until the phase is this one, by the clock alone. */
void match_wait_for(struct match *match, enum dobble_phase phase);
/* A clock input as it is, whenever the deadline is. */
void match_fire(struct match *match);
void match_presence(struct match *match, int seat, bool connected);

/* An input at match->now: 0, or the reason of the refusal. */
int match_act(struct match *match, int seat, const struct dobble_action *action);
int match_bytes(struct match *match, int seat, struct slice bytes);
/* The claim of a seat as its screen would make it, with its right answer: against its first target
 * where it needs one. */
struct dobble_action match_answer(const struct match *match, int seat);
struct dobble_action match_answer_to(const struct match *match, int seat, int target);
int match_right(struct match *match, int seat);
int match_right_to(struct match *match, int seat, int target);
/* The same cards with a picture that is not the answer. */
int match_wrong(struct match *match, int seat);
/* Wins until nothing is left to win, the seats in turn; the time between two claims is 1 s. */
void match_play_out(struct match *match);

/* What a viewer sees; free with match_free_view, match_free_mine. */
dobble_wire_view *match_view(const struct match *match);
dobble_wire_mine *match_mine(const struct match *match, int seat, bool host);
void match_free_view(dobble_wire_view *view);
void match_free_mine(dobble_wire_mine *mine);
/* Whether the last input told an event of a kind. */
bool match_told(const struct match *match, Madang__V1__Dobble__Event__KindCase kind);
#define DOBBLE_TOLD(name) MADANG__V1__DOBBLE__EVENT__KIND_##name

/* Equal states, whatever lies between their fields. */
bool match_same(const struct dobble_state *a, const struct dobble_state *b);
/* All bytes that a viewer has (views for the host too), for comparing. Free with buf_fini. */
struct buf match_seen(const struct dobble_state *state);

#endif
