/* SPDX-License-Identifier: Apache-2.0 */
#include "room/archive.h"

#include "room/state.h"

const char *archive_fault_name(enum archive_fault fault)
{
    static const char *const names[] = {
        "good", "damaged", "old", "foreign", "gap", "differs", "ends",
    };
    _Static_assert(sizeof names / sizeof *names == ARCHIVE_ENDS + 1, "a name for each");
    return names[fault];
}

const char *archive_fault_text(enum archive_fault fault)
{
    switch (fault) {
    case ARCHIVE_GOOD: return "is good";
#define X(name, text) \
    case ARCHIVE_##name: return text;
        ARCHIVE_FAULTS(X)
#undef X
    }
    return "";
}

static enum archive_fault wrong(struct archive_replay *replay, enum archive_fault fault)
{
    return replay->fault = fault;
}

enum archive_fault archive_begin(struct archive_replay *replay, struct slice record)
{
    *replay = (struct archive_replay){0};
    enum status status = room_record_decode(record, &replay->record);
    if (status == ST_OK) return ARCHIVE_GOOD;
    return wrong(replay, status == ST_UNKNOWN ? ARCHIVE_FOREIGN : ARCHIVE_DAMAGED);
}

void archive_begin_as(struct archive_replay *replay, const struct room_record *record)
{
    *replay = (struct archive_replay){.record = *record};
}

/* The room as the game that this entry started found it. */
static enum archive_fault open_before(struct archive_replay *replay, struct slice entry)
{
    struct room_entry start;
    struct buf before = {0};
    if (room_entry_decode(entry, &start) != ST_OK || !start.started) return ARCHIVE_DAMAGED;
    replay->game_number = start.game_number;
    replay->rules_version = start.rules_version;
    if (room_entry_before(entry, &before) != ST_OK) return ARCHIVE_OLD;
    replay->room = room_decode(&replay->record, buf_slice(&before));
    enum archive_fault fault = ARCHIVE_GOOD;
    if (replay->room == NULL) {
        enum status status = room_decode_fault(&replay->record, buf_slice(&before));
        fault = status == ST_UNKNOWN ? ARCHIVE_FOREIGN : ARCHIVE_DAMAGED;
    }
    buf_fini(&before);
    return fault;
}

static enum archive_fault fault_of(enum status replayed)
{
    switch (replayed) {
    case ST_OK: return ARCHIVE_GOOD;
    case ST_INVALID: return ARCHIVE_DAMAGED;
    case ST_STALE: return ARCHIVE_GAP;
    case ST_UNKNOWN: return ARCHIVE_FOREIGN;
    default: return ARCHIVE_DIFFERS;
    }
}

enum archive_fault archive_step(struct archive_replay *replay, struct slice entry)
{
    struct room_entry_head head;
    if (replay->fault != ARCHIVE_GOOD) return replay->fault;
    if (room_entry_head(entry, &head) != ST_OK) return wrong(replay, ARCHIVE_DAMAGED);
    replay->position = head.position;
    if (replay->room == NULL) {
        enum archive_fault fault = open_before(replay, entry);
        if (fault != ARCHIVE_GOOD) return wrong(replay, fault);
    } else if (!room_playing(replay->room)) {
        return wrong(replay, ARCHIVE_ENDS);
    }
    enum archive_fault fault = fault_of(room_replay(replay->room, entry));
    if (fault != ARCHIVE_GOOD) return wrong(replay, fault);
    replay->entries++;
    return ARCHIVE_GOOD;
}

enum archive_fault archive_end(struct archive_replay *replay)
{
    if (replay->fault != ARCHIVE_GOOD) return replay->fault;
    if (replay->room == NULL) return wrong(replay, ARCHIVE_DAMAGED);
    uint64_t first;
    bool ended =
        !room_playing(replay->room) && room_last_game(replay->room, &first) == replay->game_number;
    return ended ? ARCHIVE_GOOD : wrong(replay, ARCHIVE_ENDS);
}

void archive_close(struct archive_replay *replay)
{
    room_close(replay->room);
    replay->room = NULL;
}

enum archive_fault archive_verify(struct slice record, const struct slice *entries, int count,
                                  uint64_t *position)
{
    struct archive_replay replay;
    archive_begin(&replay, record);
    for (int i = 0; i < count && replay.fault == ARCHIVE_GOOD; i++)
        archive_step(&replay, entries[i]);
    enum archive_fault fault = archive_end(&replay);
    *position = replay.position;
    archive_close(&replay);
    return fault;
}

static enum archive_fault open_stored(struct archive_replay *replay, struct slice snapshot)
{
    const struct room_record *record = &replay->record;
    if (snapshot.len == 0) {
        if (!room_record_carried(record)) return ARCHIVE_FOREIGN;
        replay->room = room_open(record);
        return ARCHIVE_GOOD;
    }
    replay->room = room_decode(record, snapshot);
    if (replay->room) return ARCHIVE_GOOD;
    return room_decode_fault(record, snapshot) == ST_UNKNOWN ? ARCHIVE_FOREIGN : ARCHIVE_DAMAGED;
}

enum archive_fault archive_verify_room(struct slice record, struct slice snapshot,
                                       const struct slice *entries, int count, uint64_t *position)
{
    struct archive_replay replay;
    enum archive_fault fault = archive_begin(&replay, record);
    if (fault == ARCHIVE_GOOD) fault = open_stored(&replay, snapshot);
    *position = replay.room ? room_position(replay.room) : 0;
    for (int i = 0; i < count && fault == ARCHIVE_GOOD; i++) {
        ++*position;
        fault = fault_of(room_replay(replay.room, entries[i]));
    }
    archive_close(&replay);
    return fault;
}
