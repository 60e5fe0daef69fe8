/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of each room: shadow.c replays it from what the store accepted. Checkers hold what
 * is shown and what is kept against it, and keep here what they have to remember of a room.
 */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "sim/sim.h"

struct model_view;
struct sim_node;
struct world;

/* ---- shadow.c ---- */
struct shadow_seq {
    uint64_t seq;
    instant_ms at; /* room time of the entry that brought it about */
    struct id128 view, game;
    /* A hidden entry changes a seat's own part and no version: what it was before that, too. */
    struct id128 mine[GAME_SEATS_MAX], was[GAME_SEATS_MAX];
};
struct shadow_time { /* see check_entry.c */
    bool known;
    instant_ms last, latest; /* room time of the last entry; the latest that is possible */
    instant_ms world, store; /* when it was accepted */
    instant_ms missing; /* see checks.h; since the last entry, up to the last change of hands */
};
struct shadow_start {
    uint64_t position; /* 0: none */
    struct game_seed seed;
};
struct shadow_archive { /* of the last game that ended, see check_archive.c */
    uint32_t game;      /* 0: none has to be there */
    uint64_t first, position;
    int owner; /* the node that had it archived, and which process there */
    uint64_t life;
    instant_ms at, due; /* when it was; when it has to be there again */
    instant_ms until;   /* by the store's clock it is kept so long */
};
struct shadow_acted { /* by the entry that is being replayed, see check_action.c */
    bool any;
    struct id128 player;
    uint32_t generation;
    uint64_t counter;
};
struct shadow_epoch {
    uint64_t epoch;
    struct id128 instance;
};
struct shadow_entry {
    uint64_t position, seq;   /* seq: of the room after it */
    struct id128 hash, state; /* of its bytes; of the room after it */
};
struct shadow {
    room_id id;
    struct room *room; /* NULL: deleted, or lost (shadow_loss.c) */
    bool deleted;
    bool listed;             /* belongs into the list of public rooms */
    instant_ms listed_at;    /* world time since which it does, or does not */
    instant_ms orphan_since; /* its owner is dead, as was seen then first; 0: it is not */
    uint64_t position;
    uint64_t epoch, highest;               /* the store's; ever given */
    struct id128 owner;                    /* zero: nobody */
    struct shadow_seq seqs[SIM_SEQS];      /* by seq % SIM_SEQS */
    struct shadow_entry entries[SIM_SEQS]; /* by position % SIM_SEQS */
    instant_ms epoch_at;                   /* world time since which the epoch is that */
    bool restored;                         /* it was written again: its log lacks the beginning */
    instant_ms moved_at;                   /* world time of the last entry */
    uint32_t games;
    struct shadow_time time;
    struct shadow_start starts[SIM_STARTS];
    struct shadow_epoch given[SIM_EPOCHS];
    uint32_t given_count;
    uint64_t whole_from; /* the log that was written again begins after it */
    struct shadow_archive archive;
    struct shadow_acted acted;
    bool alone; /* nobody is connected, see check_alone.c */
    instant_ms alone_since;

    uint64_t followed; /* the store's log is known up to here; below position: it forgot the rest */
    bool reopens;      /* these entries are old */
    bool forgotten;    /* the store has less than it had, and its owner has everything */
    int keeper;        /* that owner: a node */
    uint64_t keeper_life;
    struct id128 keeper_instance;
    bool let_go; /* what the store has left of it is nobody's: it forgot who took it */
    instant_ms forgotten_at;
    uint64_t lost_epoch; /* what is of this one or an older one may have been lost; 0: nothing */
};
struct shadow *shadow_of(struct world *world, room_id room);
struct shadow *shadow_by_code(struct world *world, const char *code);
/* The store has carried out an op: what it accepted is replayed. */
void shadow_follow(struct world *world, const struct store_op *op);
/* Replays the room from what the store has. */
void shadow_reopen(struct world *world, struct shadow *shadow);
void shadows_close(struct world *world);

/* ---- shadow_loss.c ---- */
/* The store may have less than before. */
void loss_begin(struct world *world);
/* Before what the store has of that room now is followed. */
void loss_look(struct world *world, struct shadow *shadow, const struct store_op *op,
               const struct model_view *look);
/* What the store has differs from what it had accepted. True: it may. */
bool loss_allowed(struct world *world, struct shadow *shadow);
void loss_node_ended(struct world *world, const struct sim_node *node);
/* Every second: what was forgotten is back in time. */
void check_returned(struct world *world);

#endif
