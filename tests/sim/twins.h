/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-interference on the bytes that the gateway writes (promise 4; rulings D9, D23), with all
 * faults on. Two worlds run in step: the same seed, people, moves and faults. Again and again
 * what a viewer may not know of its room's game is changed in one of them (permute_hidden): in
 * its owner's memory, in the store, and in the shadow. The others of that room then move so
 * that their moves tell that viewer the same in both; and all that the viewer's socket is given
 * must be equal: the bytes, how many, and when. So must be what the services would log of it.
 *
 * A move that comes late, or behind another, may meet another state than it was chosen for, and
 * the rules may then tell the viewer different things. They are asked, by way of the shadows: from
 * there on the worlds are apart, and nothing more is compared. What was foretold has no such
 * excuse.
 *
 * Others of that room may be shown other things, and more often (their own parts are theirs). Their
 * connections are as slow as the instant makes them, whatever is on them (player_socket.c): round
 * trips are shown to everybody, and services' logs tell when something came.
 *
 * No game is named here: whoever is in the registry takes part.
 */
#ifndef SIM_TWINS_H
#define SIM_TWINS_H

#include "sim/player.h"

/* A move that arrives within so long tells what was foretold of it. */
enum { TWINS_FORETOLD_MS = 120 };

/* Sums, over the pairs of a set. */
struct twins_counts {
    uint64_t permuted, moves, unlike; /* moves of a pair are counted once */
    uint64_t bytes;                   /* compared and equal */
    uint64_t noted;                   /* the same of what all services would log */
    uint64_t apart;                   /* pairs whose rules told the viewer different things */
};

struct twins_tape {
    struct buf here, there;
    size_t equal; /* bytes of both, from the start */
};

struct twins {
    struct world *here, *there;
    struct twins_tape seen;  /* by the viewer */
    struct twins_tape noted; /* by all services, at level debug */
    struct rng rng;
    int viewer; /* index of a player */
    bool together;
    uint64_t position; /* of both shadows, when they were last held against each other */
    instant_ms next_look;
    uint64_t changed_at; /* position of both rooms when one was changed */
    bool moved;          /* and somebody has moved thereupon, then */
    instant_ms moved_at;
    struct twins_counts counts;
};

/* Both worlds of that config, and config->viewer. */
void twins_open(struct twins *twins, const struct sim_config *config);
/* To that instant, or to the first failure in either world: the same return as sim_run_until. */
const char *twins_run_until(struct twins *twins, instant_ms at);
/* To the end, with the checks that belong there. */
const char *twins_run(struct twins *twins);
void twins_close(struct twins *twins);

/* ---- twins_moves.c ---- */
/* The room that the viewer is in, as its owner has it; NULL: it has none right now that applies
 * inputs and has confirmed all of them. */
struct room *twins_room(struct world *world, int viewer);
/* It in any case, ahead of the store or not; NULL: nobody lives who has it. */
const struct room *twins_owners(struct world *world, int viewer);
/* The room's seat, or GAME_SPECTATOR. */
int twins_game_seat(const struct twins *twins, const struct room *room);
/* Somebody's move: all that it tells the viewer is the same in both worlds. False: none was found.
 */
bool twins_move(struct twins *twins, bool unlike);
/* Whether the game's next deadline tells the viewer the same in both worlds. */
bool twins_clock_alike(struct twins *twins);
/* Until the game's deadline. */
instant_ms twins_until_deadline(struct twins *twins);

#endif
