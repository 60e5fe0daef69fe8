/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of a drill, out of Redis itself: each room's record, log, snapshot and finished games
 * are read, the whole is played again by libs/room with every hash checked, and held against what
 * the crowd said and heard.
 *
 *   lost      acknowledged, and not in the log
 *   doubled   in the log twice
 *   strange   in the log, and not what that person did with that counter
 *   unheld    shown to somebody, and not what the log gives at that version
 *   differing entries whose hash is not that of the state they lead to, or out of their order
 *
 * A verdict goes on where the former one ended: it keeps each room as it was replayed, so that a
 * long drill is judged now and then, and what was judged can be forgotten.
 */
#ifndef DRILL_VERDICT_H
#define DRILL_VERDICT_H

#include "drill/crowd.h"
#include "room/room.h"

enum { VERDICT_FAULTS_KEPT = 8 };

struct verdict_counts {
    uint64_t rooms, missing;   /* a room that is not in Redis */
    uint64_t entries, actions; /* read; of them, somebody's actions */
    uint64_t skipped;          /* entries whose beginning was trimmed: judged, not replayed */
    uint64_t screens;          /* that were held against it */
    uint64_t lost, doubled, strange, unheld, differing;
};

/* One room as it lies in Redis. */
struct verdict_bytes {
    struct slice record;
    uint64_t epoch;
    uint64_t position; /* of the last entry in the log */
    struct slice *log; /* up to that position */
    size_t log_count;
    uint64_t snapshot_position; /* 0: none */
    struct slice snapshot;
    struct { /* finished games, oldest first; their entries */
        struct slice *list;
        size_t count;
    } * games;
    size_t game_count;
};

/* A room as far as it was judged. */
struct verdict_room {
    struct room *room; /* replayed; NULL when its beginning was trimmed before it was read */
    uint64_t position;
    uint64_t seq;                      /* the newest version of all that was judged, 0: not known */
    uint64_t games;                    /* archived ones that were judged */
    uint64_t counters[GAME_SEATS_MAX]; /* of each seat's last action in the log */
};

struct verdict {
    struct crowd *crowd;
    struct verdict_room *rooms;
    struct verdict_counts counts;
    char faults[VERDICT_FAULTS_KEPT][160];
    uint64_t fault_count;
};

void verdict_open(struct verdict *verdict, struct crowd *crowd);
void verdict_close(struct verdict *verdict);

/* Reads and judges every room; the crowd plays on now and then meanwhile. `socket`: of Redis.
 * Finished games that were judged are removed, so that a long drill stays small. False: Redis
 * cannot be read. verdict_redis.c */
bool verdict_reach(struct verdict *verdict, const char *socket);
/* Judges one room. */
void verdict_judge(struct verdict *verdict, int room, const struct verdict_bytes *bytes);
bool verdict_is_clean(const struct verdict *verdict);
/* People who sit and have not seen what the last verdict found in the log. */
int verdict_behind(const struct verdict *verdict);

#endif
