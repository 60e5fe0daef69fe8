/* SPDX-License-Identifier: Apache-2.0
 *
 * What cores ask of the store and what it answers, as plain structs: an op is an effect of a core,
 * a reply is one of its events. libs/store carries ops out on Redis; tests/sim has a model of it.
 * One conformance suite runs on both.
 *
 * A store never guesses. ST_UNAVAILABLE means "unknown or not now": the op may or may not have been
 * carried out (connection lost) or was refused for a while (MISCONF, OOM, LOADING, READONLY). Every
 * op is safe to repeat.
 *
 * Instants named redis_ms are Redis TIME, the shard's own clock. Nothing else is a wall clock here.
 */
#ifndef WIRE_STORAGE_H
#define WIRE_STORAGE_H

#include "wire/cluster.h"
#include "wire/code.h"

enum {
    STORE_ENTRIES_MAX = 256,      /* in one append */
    STORE_ENTRY_BYTES_MAX = 8192, /* of one that starts a game; others have a few hundred */
    STORE_RECORD_BYTES_MAX = 2048,
    STORE_SNAPSHOT_BYTES_MAX = 65536,
    STORE_SUMMARY_BYTES_MAX = 512,
    STORE_DUE_MAX = 512,
    STORE_TICKETS_MAX = 12,
};

enum store_op_kind {
    STORE_CREATE = 1,
    STORE_TAKE,
    STORE_APPEND,
    STORE_SNAPSHOT,
    STORE_FINISH,  /* archive the game that ended, snapshot, trim */
    STORE_RELEASE, /* orderly: no owner from now on (put away, hand-over) */
    STORE_DELETE,
    STORE_LEASE, /* renew this instance's lease on a shard */
    STORE_TAIL,  /* where a room's log ends, for the comparison after a reconnect */
    STORE_OWNED, /* rooms whose owner is an instance, a page at a time */
    STORE_FIND,  /* by code or id: owner, epoch, summary */
    STORE_PUBLIC,
    STORE_DUE,     /* deadlines that have passed, with their rooms' owners */
    STORE_CLAIM,   /* tickets of a match, all or none */
    STORE_CLAIMED, /* where a ticket went */
    STORE_RESTORE, /* a room that the store has lost, from its owner: record, snapshot, tail */
    STORE_ASIDE,   /* keep record, snapshot and log elsewhere, and go on from this snapshot */
    STORE_SILENT,  /* owners that have rooms and have not renewed their lease for so long */
};

enum store_listing { LISTING_KEEP = 0, LISTING_SHOW, LISTING_HIDE }; /* in the public list */

struct store_entry {
    struct slice bytes; /* an encoded log entry (libs/room) */
    struct id128 hash;  /* hash_128 of bytes */
};

struct store_deadline { /* of a room; at most one is armed */
    bool armed;
    uint64_t number;      /* rises with every change */
    instant_ms due_in_ms; /* from the moment the script runs */
};

struct store_op {
    enum store_op_kind kind;
    uint64_t tag; /* the core's; comes back */
    int shard;    /* LEASE, OWNED, PUBLIC, DUE, CLAIM, CLAIMED, SILENT; others follow from room */
    room_id room;
    uint64_t epoch;        /* CREATE, TAKE: expected (0 for CREATE); others: the owner's */
    uint64_t owned_since;  /* RESTORE: of the create or take that made it the owner's */
    struct id128 instance; /* the owner's; FIND: the asker's */
    const char *owner_url; /* CREATE, TAKE, RESTORE: inbox */
    struct id128 request;  /* CREATE: the same request creates once */

    struct slice record; /* CREATE, RESTORE */
    uint64_t position;   /* APPEND: base; SNAPSHOT, FINISH, RESTORE, ASIDE: of the snapshot */
    struct id128 hash;   /* RESTORE: of the entry there */
    struct store_entry *entries; /* APPEND; RESTORE: those up to position that are still known */
    int entry_count;
    const uint64_t *traces; /* APPEND, for logs alone: of the action that each entry is
                               (wire/trace.h), or 0; NULL: of none */
    bool deadline_changed;  /* CREATE, APPEND, RELEASE, RESTORE: deadline below counts */
    struct store_deadline deadline;
    bool stopped; /* RELEASE: in the middle of a game, whose time stands still from now on */
    enum store_listing listing; /* CREATE, APPEND, RESTORE */
    struct slice summary;       /* CREATE, APPEND, RESTORE: empty: unchanged */
    struct slice snapshot;      /* SNAPSHOT, FINISH, RESTORE, ASIDE */
    uint64_t trim_to;           /* SNAPSHOT, FINISH: entries up to here may go; 0: none */
    uint32_t game_number;       /* FINISH: key game:{room}:{n}; RESTORE: the last archived one */
    uint64_t first;             /* FINISH: position of the game's start entry */
    uint32_t keep_s;            /* FINISH: how long the finished game is kept, 0: not */

    const char *code;                        /* FIND: by code; NULL: by room */
    uint64_t cursor;                         /* OWNED: 0 first; DUE, SILENT: so many are skipped */
    int limit;                               /* OWNED, PUBLIC, DUE, SILENT */
    instant_ms ahead_ms;                     /* DUE: also those due within */
    instant_ms silent_ms;                    /* SILENT */
    struct id128 tickets[STORE_TICKETS_MAX]; /* CLAIM, into room; CLAIMED: one */
    int ticket_count;
    uint32_t expected; /* CLAIM: people whom the room is yet to be made for, 0: it is there */
};

/* Whether it concerns a shard as a whole, which op.shard names; any other a room. */
static inline bool store_op_names_shard(enum store_op_kind kind)
{
    switch (kind) {
    case STORE_LEASE:
    case STORE_OWNED:
    case STORE_PUBLIC:
    case STORE_DUE:
    case STORE_CLAIM:
    case STORE_CLAIMED:
    case STORE_SILENT: return true;
    default: return false;
    }
}
/* The shard that it goes to. */
static inline int store_op_shard(const struct store_op *op)
{
    if (store_op_names_shard(op->kind)) return op->shard;
    if (op->kind == STORE_FIND && op->code) return room_shard(room_id_make(code_bits(op->code), 0));
    return room_shard(op->room);
}

struct store_due {
    room_id room;
    uint64_t number;
    int64_t due_in_ms;  /* negative: late by that much */
    struct id128 owner; /* zero: nobody */
    const char *owner_url;
    uint64_t epoch;
};

struct store_reply {
    enum store_op_kind kind;
    uint64_t tag;
    int shard;
    room_id room;
    /* ST_OK; ST_UNAVAILABLE; ST_FENCED (epoch and owner name the present one); ST_MISMATCH (APPEND:
     * the base is not the log's end: position and hash name it); ST_UNKNOWN (no such room or code;
     * CLAIMED: nobody has claimed it; RESTORE: it was deleted); ST_EXISTS (CREATE, RESTORE: that
     * code is taken by another room; CLAIM: a ticket is taken by the room that is named); ST_STALE
     * (SNAPSHOT: not above the stored one, or above the log's end; ASIDE: not at it). */
    enum status status;
    instant_ms redis_ms; /* when it was carried out, where status is ST_OK */

    uint64_t epoch; /* CREATE, TAKE, RESTORE: the new one; FENCED, TAIL, FIND: the present one */
    struct id128 owner; /* FENCED, TAIL, FIND; zero: nobody */
    const char *owner_url;
    /* FENCED, TAIL: the room was lost and written again by one who had owned it since this epoch;
     * 0: it was not. Who became its owner after that has the newer room and may RESTORE it. */
    uint64_t restored_from;
    uint64_t position; /* end of the log: APPEND, TAKE, TAIL, RESTORE, MISMATCH */
    struct id128 hash; /* of the entry there; zero when the log has none */

    /* TAKE, all of one instant */
    struct slice record, snapshot;
    uint64_t snapshot_position; /* 0: none; entries follow it */
    struct slice *entries;
    int entry_count;
    instant_ms last_entry_redis_ms; /* when the last entry was accepted (or the room created) */
    /* The former owner's last renewal, or when it stopped; 0: unknown. LEASE: the asker's own one
     * before this; FIND answered ST_UNKNOWN: the asker's last. */
    instant_ms last_lease_redis_ms;
    uint64_t taken; /* LEASE: how many rooms others have taken from the asker so far */
    bool released;  /* by its owner: put away, or in the middle of a game for want of a successor */
    instant_ms released_redis_ms;
    struct store_deadline deadline; /* due_in_ms 0: passed */

    struct id128
        run_id; /* LEASE: hash of Redis' run id and replication id: another value: compare tails */
    room_id *rooms; /* OWNED, with epochs and summaries beside */
    uint64_t *epochs;
    int room_count;
    uint64_t cursor;      /* OWNED: 0: no more */
    struct id128 *owners; /* SILENT, the longest silent first */
    int owner_count;
    struct slice summary;  /* FIND */
    room_id *public_rooms; /* PUBLIC, newest first, with summaries beside */
    struct slice *summaries;
    struct id128 *public_owners; /* zero: nobody */
    int public_count;
    uint32_t expected;     /* CLAIMED, into room: as the claim said */
    struct store_due *due; /* DUE, earliest first */
    int due_count;
    int64_t next_due_in_ms; /* DUE: the next one not in the list; INT64_MAX: none */
};

#endif
