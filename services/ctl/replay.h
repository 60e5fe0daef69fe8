/* SPDX-License-Identifier: Apache-2.0
 *
 * A finished game, step by step, as people and scripts read it: each entry with who did what, and
 * whether the state after it is the one that was. Pure.
 */
#ifndef CTL_REPLAY_H
#define CTL_REPLAY_H

#include "ctl/text.h"
#include "room/archive.h"

struct replay_step {
    uint64_t position;
    uint64_t at_ms;        /* since the game's start */
    const char *kind;      /* "start", "act", "clock", ... */
    int seat;              /* of the room, from 0; -1: nobody's */
    const char *name;      /* of who sits there; "": nobody */
    struct slice said;     /* the game's Action, or a RoomCommand */
    const void *described; /* its ProtobufCMessageDescriptor; NULL: unknown */
    struct id128 hash;
};

struct replay {
    struct archive_replay is; /* how far it came, and what is wrong */
    struct replay_step *steps;
    int step_count;
    struct room_shown *shown; /* the state that was asked for, everybody's hands included; NULL */
    struct arena arena;
};

/* Overwrites *out; replay_free frees. show: the number of the step, from 1, whose state is wanted;
 * 0: none. Borrows the slices until then. */
enum archive_fault replay_run(struct replay *out, struct slice record, const struct slice *entries,
                              int count, int64_t show);
void replay_free(struct replay *replay);

void replay_text(const struct replay *replay, const struct text_style *style, struct buf *out);
void replay_json(const struct replay *replay, struct buf *out);

/* ---- many of them ---------------------------------------------------------------------------- */

/* What was verified; bad ones are kept with what is wrong with them. */
enum { VERIFIED_BAD_MAX = 1000 };
struct verified_bad {
    char what[256]; /* a file, or "game 2 of room 00a1..." */
    enum archive_fault fault;
    uint64_t position;
};
struct verified {
    uint64_t games, rooms, entries;
    uint64_t bad; /* in all */
    bool whole;   /* all that was asked for could be read */
    struct verified_bad list[VERIFIED_BAD_MAX];
};
void verified_add(struct verified *verified, const char *what, enum archive_fault fault,
                  uint64_t position);
void verified_text(const struct verified *verified, const struct text_style *style,
                   struct buf *out);
void verified_json(const struct verified *verified, struct buf *out);

#endif
