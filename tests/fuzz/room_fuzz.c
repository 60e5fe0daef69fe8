/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes as everything that a room reads: record, log entries, snapshot, summary,
 * commands, names, archives. What is taken must come out the same again.
 */
#include "base/check.h"
#include "room/archive.h"
#include "room/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct room_record record_of(int game)
{
    struct room_record record = {.id = 1, .code = "ABCDEF", .game = game_at(game)};
    game_options_default(record.game, &record.options);
    return record;
}

static void record(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct room_record decoded;
    if (room_record_decode(bytes, &decoded) != ST_OK) return;
    room_record_encode(&decoded, once);
    CHECK(room_record_decode(buf_slice(once), &decoded) == ST_OK);
    room_record_encode(&decoded, twice);
}

static void summary(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct arena arena = {0};
    struct room_summary decoded;
    if (room_summary_decode(bytes, &arena, &decoded) == ST_OK) {
        room_summary_encode(&decoded, once);
        CHECK(room_summary_decode(buf_slice(once), &arena, &decoded) == ST_OK);
        room_summary_encode(&decoded, twice);
    }
    arena_fini(&arena);
}

static void entry(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct room_entry decoded;
    struct buf before = {0};
    if (room_entry_decode(bytes, &decoded) != ST_OK) return;
    room_entry_before(bytes, &before);
    room_entry_encode(&decoded, buf_slice(&before), once);
    CHECK(room_entry_decode(buf_slice(once), &decoded) == ST_OK);
    buf_clear(&before);
    room_entry_before(buf_slice(once), &before);
    room_entry_encode(&decoded, buf_slice(&before), twice);
    buf_fini(&before);
}

static void replay(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct room_record made = record_of(0);
    struct room *room = room_open(&made);
    room_replay(room, bytes);
    room_set_aside(room, 2);
    room_encode(room, once);
    room_encode(room, twice);
    room_close(room);
}

/* As a file, and as the entry that began a game. */
static void archive(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct arena arena = {0};
    struct room_record made = record_of(0);
    struct archive_replay alone;
    struct slice made_of, *entries;
    int count;
    uint64_t position;
    archive_begin_as(&alone, &made);
    archive_step(&alone, bytes);
    archive_end(&alone);
    archive_close(&alone);
    if (archive_decode(bytes, &arena, &made_of, &entries, &count) == ARCHIVE_GOOD) {
        archive_verify(made_of, entries, count, &position);
        archive_encode(made_of, entries, count, once);
        CHECK(archive_decode(buf_slice(once), &arena, &made_of, &entries, &count) == ARCHIVE_GOOD);
        archive_encode(made_of, entries, count, twice);
    }
    arena_fini(&arena);
}

static void show(const struct room *room, struct buf *out)
{
    struct update_event list[ROOM_EVENTS_MAX];
    room_write_view(room, out);
    room_write_presence(room, NULL, 0, NULL, 0, out);
    room_write_game(room, out);
    for (int s = -1; s <= room_seat_count(room); s++) room_write_mine(room, s, out);
    int count = room_events_since(room, room_seq(room) / 2, list);
    for (int i = 0; i < count; i++) buf_put_slice(out, list[i].mine);
}

/* As the body of a snapshot whose check is right. */
static void body(struct slice bytes, struct buf *once, struct buf *twice)
{
    for (int i = 0; i < game_count(); i++) {
        struct room_record made = record_of(i);
        struct room *empty = room_open(&made);
        struct buf snapshot = {0};
        room_snapshot_encode(empty, bytes, &snapshot);
        struct room *room = room_decode(&made, buf_slice(&snapshot));
        if (room) {
            show(room, once);
            struct buf again = {0};
            room_encode(room, &again);
            struct room *same = room_decode(&made, buf_slice(&again));
            CHECK(same != NULL && id128_equal(room_hash(room), room_hash(same)));
            show(same, twice);
            room_close(same);
            buf_fini(&again);
        }
        buf_fini(&snapshot);
        room_close(empty);
        room_close(room);
    }
}

static void command(struct slice bytes, struct buf *once, struct buf *twice)
{
    struct room_record made = record_of(0);
    struct room *room = room_open(&made), *twin = room_open(&made);
    struct room_outcome out;
    struct room_input inputs[] = {
        {.kind = ROOM_ATTACH, .seat = -1, .player = {{1}}, .name = slice_text("a")},
        {.kind = ROOM_ATTACH, .seat = -1, .player = {{2}}, .name = slice_text("b")},
        {.kind = ROOM_COMMAND, .generation = 1, .counter = 1, .bytes = bytes},
        {.kind = ROOM_COMMAND,
         .seat = -1,
         .player = {{3}},
         .name = slice_text("c"),
         .bytes = bytes},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (inputs[i].bytes.len > WIRE_ACTION_BYTES_MAX) continue;
        room_step(room, &inputs[i], &out);
        if (out.verdict == ROOM_ACCEPTED) CHECK(room_replay(twin, out.entry) == ST_OK);
    }
    room_encode(room, once);
    room_encode(twin, twice);
    room_close(room);
    room_close(twin);
}

static void name(struct slice bytes, struct buf *once, struct buf *twice)
{
    char normal[WIRE_NAME_BYTES_MAX + 1], again[WIRE_NAME_BYTES_MAX + 1];
    name_look(bytes);
    if (name_normalise(bytes, normal) != NAME_FAULT_NONE) return;
    CHECK(name_normalise(slice_text(normal), again) == NAME_FAULT_NONE);
    buf_put_slice(once, slice_text(normal));
    buf_put_slice(twice, slice_text(again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(struct slice, struct buf *, struct buf *) = {
        record, summary, entry, replay, archive, body, command, name};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        struct buf once = {0}, twice = {0};
        readers[i](slice_of(data, size), &once, &twice);
        CHECK(slice_equal(buf_slice(&once), buf_slice(&twice)));
        buf_fini(&once);
        buf_fini(&twice);
    }
    return 0;
}
