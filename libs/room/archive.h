/* SPDX-License-Identifier: Apache-2.0
 *
 * A finished game as it is kept: the record of its room, then its log entries, from the one that
 * started it to the one that ended it. The first carries what the game started from (people and
 * options; nothing of a former game), so an archive stands alone: replayed from there, every entry
 * gives the state whose hash it carries. All who ask whether an archive is good take this road:
 * madangctl, the simulator, the tests.
 *
 *     archive_begin(record)    archive_step(entry) for each    archive_end    archive_close
 *
 * What an archive is of: the format of the state that its first entry carries (room.proto,
 * Snapshot.format) and the rules that its game was started by. Those made before the first entry
 * carried a state are ARCHIVE_OLD.
 */
#ifndef ROOM_ARCHIVE_H
#define ROOM_ARCHIVE_H

#include "room/room.h"

#define ARCHIVE_FAULTS(X)                                                                         \
    X(DAMAGED, "cannot be read: it is damaged, or no archive of a game")                          \
    X(OLD, "was made by an older version of Madang, which did not keep what a game starts from; " \
           "it cannot be replayed")                                                               \
    X(FOREIGN, "is of a game, of rules or in a format that this version does not carry")          \
    X(GAP, "lacks an entry, or has one twice")                                                    \
    X(DIFFERS, "gives another state than its game had")                                           \
    X(ENDS, "does not end where its game ends")
enum archive_fault {
    ARCHIVE_GOOD,
#define X(name, text) ARCHIVE_##name,
    ARCHIVE_FAULTS(X)
#undef X
};
/* "differs", for scripts, and what is said to people. */
const char *archive_fault_name(enum archive_fault fault);
const char *archive_fault_text(enum archive_fault fault);

struct archive_replay {
    struct room_record record;
    struct room *room; /* as it is after the last step; before it, or after a fault: not to be read,
                          and NULL before the first entry */
    enum archive_fault fault;
    uint64_t position; /* of the last entry that was taken, or of the one at fault; 0: of none */
    uint32_t entries;  /* whose hashes were right */
    uint32_t game_number, rules_version;
};

/* Overwrites *replay; archive_close frees, also after a fault. */
enum archive_fault archive_begin(struct archive_replay *replay, struct slice record);
/* The same, where the record is at hand. */
void archive_begin_as(struct archive_replay *replay, const struct room_record *record);
/* Once it was wrong it stays so. */
enum archive_fault archive_step(struct archive_replay *replay, struct slice entry);
/* After the last entry: whether the game ended with it. */
enum archive_fault archive_end(struct archive_replay *replay);
void archive_close(struct archive_replay *replay);

/* As a file. Decoding: ARCHIVE_DAMAGED, or ARCHIVE_FOREIGN for another format; what was decoded is
 * lent by the arena. */
enum { ARCHIVE_FORMAT = 1, ARCHIVE_FILE_BYTES_MAX = 16 << 20 };
void archive_encode(struct slice record, const struct slice *entries, int count, struct buf *out);
enum archive_fault archive_decode(struct slice bytes, struct arena *arena, struct slice *record,
                                  struct slice **entries, int *count);

/* All of it at once. *position: of the entry at fault, 0: of none. */
enum archive_fault archive_verify(struct slice record, const struct slice *entries, int count,
                                  uint64_t *position);

/* The same of a room that lives, as the store has it: from its snapshot (empty: its record) over
 * the entries behind that, wherever they end. */
enum archive_fault archive_verify_room(struct slice record, struct slice snapshot,
                                       const struct slice *entries, int count, uint64_t *position);

#endif
