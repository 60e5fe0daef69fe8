/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "unit/room/stage.h"

#include "room.pb-c.h"

static enum status replay_changed(struct stage *stage, void (*change)(Madang__V1__Room__LogEntry *))
{
    Madang__V1__Room__LogEntry *entry =
        madang__v1__room__log_entry__unpack(NULL, stage->entry.len, stage->entry.at);
    assert_non_null(entry);
    change(entry);
    struct buf bytes = {0};
    size_t len = madang__v1__room__log_entry__get_packed_size(entry);
    madang__v1__room__log_entry__pack(entry, buf_extend(&bytes, len));
    madang__v1__room__log_entry__free_unpacked(entry, NULL);

    /* A room that has everything but the last entry. */
    struct room *room = room_open(&stage->record);
    struct reader log;
    reader_init(&log, buf_slice(&stage->log));
    for (uint64_t i = 1; i < stage->entries; i++)
        assert_int_equal(room_replay(room, reader_sized(&log, 4096)), ST_OK);
    enum status status = room_replay(room, buf_slice(&bytes));
    room_close(room);
    buf_fini(&bytes);
    return status;
}

static void as_it_is(Madang__V1__Room__LogEntry *entry)
{
    (void)entry;
}
static void other_hash(Madang__V1__Room__LogEntry *entry)
{
    entry->state_hash.data[3] ^= 1;
}
static void later_position(Madang__V1__Room__LogEntry *entry)
{
    entry->position++;
}
static void earlier_position(Madang__V1__Room__LogEntry *entry)
{
    entry->position--;
}
static void earlier_time(Madang__V1__Room__LogEntry *entry)
{
    entry->at = 1;
}
static void past_the_deadline(Madang__V1__Room__LogEntry *entry)
{
    entry->at += 10 * TOY_TURN_MS;
}
static void one_ms_later(Madang__V1__Room__LogEntry *entry)
{
    entry->at++;
}
static void other_counter(Madang__V1__Room__LogEntry *entry)
{
    entry->counter++;
}
static void no_hash(Madang__V1__Room__LogEntry *entry)
{
    entry->state_hash.len = 0;
}
static void unknown_kind(Madang__V1__Room__LogEntry *entry)
{
    entry->kind = (Madang__V1__Room__LogEntry__Kind)99;
}
static void strange_seat(Madang__V1__Room__LogEntry *entry)
{
    entry->seat = 40;
}
static void other_seed(Madang__V1__Room__LogEntry *entry)
{
    if (entry->start) entry->start->seed.data[9] ^= 1;
}
static void other_value(Madang__V1__Room__LogEntry *entry)
{
    entry->bytes.data[1] ^= 1;
}
static void other_rules(Madang__V1__Room__LogEntry *entry)
{
    entry->start->rules_version++;
}
static void without_start(Madang__V1__Room__LogEntry *entry)
{
    madang__v1__room__start__free_unpacked(entry->start, NULL);
    entry->start = NULL;
}

static void a_replay_holds_each_entry_against_the_state(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    stage->now += 500;
    assert_accepted(stage_say(stage, stage_turn_seat(stage), 4));
    assert_int_equal(replay_changed(stage, as_it_is), ST_OK);
    assert_int_equal(replay_changed(stage, other_hash), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, later_position), ST_STALE);
    assert_int_equal(replay_changed(stage, earlier_position), ST_STALE);
    assert_int_equal(replay_changed(stage, earlier_time), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, past_the_deadline), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, one_ms_later), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, other_counter), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, no_hash), ST_INVALID);
    assert_int_equal(replay_changed(stage, unknown_kind), ST_INVALID);
    assert_int_equal(replay_changed(stage, strange_seat), ST_INVALID);
    stage_close(stage);
}

/* A wave leaves nothing in the toy's state: the event alone tells one from another. */
static void events_that_were_told_are_part_of_the_hash(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_act(stage, 0, TOY_WAVE, 6));
    assert_int_equal(replay_changed(stage, as_it_is), ST_OK);
    assert_int_equal(replay_changed(stage, other_value), ST_MISMATCH);
    stage_close(stage);
}

static void a_clock_in_the_log_stands_at_its_deadline(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    stage_next_deadline(stage);
    assert_int_equal(replay_changed(stage, as_it_is), ST_OK);
    assert_int_equal(replay_changed(stage, one_ms_later), ST_MISMATCH);
    stage_close(stage);
}

/* A game that minds absence is not paused, so its log passes over the instant at which the other
 * game would have been: to a room of the other game, a log whose owner forgot the clock. */
static void a_log_that_passed_over_a_deadline_is_set_aside(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_that_minds_absence, 2);
    assert_accepted(stage_detach(stage, 0));
    assert_accepted(stage_detach(stage, 1));
    stage->now += ROOM_GRACE_MS + 100;
    assert_int_equal(stage_enter(stage, 0, "가"), 0);

    struct room_record record = stage->record;
    record.game = &toy_game;
    struct room *room = room_open(&record);
    struct reader log;
    reader_init(&log, buf_slice(&stage->log));
    for (uint64_t i = 1; i + 1 < stage->entries; i++)
        assert_int_equal(room_replay(room, reader_sized(&log, 4096)), ST_OK);
    /* From here on their deadlines differ, and with them the hash. */
    assert_int_equal(room_replay(room, reader_sized(&log, 4096)), ST_MISMATCH);
    assert_int_equal(room_replay(room, buf_slice(&stage->entry)), ST_MISMATCH);
    assert_true(room_position(room) == stage->entries - 1);
    room_close(room);
    stage_close(stage);
}

static void a_start_is_a_function_of_its_seed_and_rules(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_int_equal(replay_changed(stage, as_it_is), ST_OK);
    assert_int_equal(replay_changed(stage, other_seed), ST_MISMATCH);
    assert_int_equal(replay_changed(stage, other_rules), ST_UNKNOWN);
    assert_int_equal(replay_changed(stage, without_start), ST_MISMATCH);
    stage_close(stage);
}

static void a_seed_is_logged_in_a_start_and_nowhere_else(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    stage_play_out(stage, 0);
    assert_accepted(stage_start(stage, 0));
    stage_next_deadline(stage);
    uint8_t marker[16];
    memset(marker, 0x5e, sizeof marker); /* in every seed of the stage */
    struct reader log;
    reader_init(&log, buf_slice(&stage->log));
    int starts = 0;
    for (uint64_t i = 0; i < stage->entries; i++) {
        struct slice bytes = reader_sized(&log, 4096);
        Madang__V1__Room__LogEntry *entry =
            madang__v1__room__log_entry__unpack(NULL, bytes.len, bytes.at);
        bool seeded = memmem(bytes.at, bytes.len, marker, sizeof marker) != NULL;
        assert_true(seeded == (entry->start != NULL));
        starts += seeded;
        madang__v1__room__log_entry__free_unpacked(entry, NULL);
    }
    assert_int_equal(starts, 2);
    struct buf snapshot = {0};
    room_encode(stage->room, &snapshot);
    assert_null(memmem(snapshot.at, snapshot.len, marker, sizeof marker));
    buf_fini(&snapshot);
    stage_close(stage);
}

static void damaged_entries_are_unreadable_or_disagree(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_say(stage, stage_turn_seat(stage), 4));
    struct room_entry_head head;
    for (size_t i = 0; i < stage->entry.len; i++) {
        for (int bit = 0; bit < 8; bit++) {
            struct buf snapshot = {0};
            struct room *room = room_open(&stage->record);
            struct reader log;
            reader_init(&log, buf_slice(&stage->log));
            for (uint64_t e = 1; e < stage->entries; e++)
                assert_int_equal(room_replay(room, reader_sized(&log, 4096)), ST_OK);
            stage->entry.at[i] ^= (uint8_t)(1 << bit);
            room_entry_head(buf_slice(&stage->entry), &head);
            enum status status = room_replay(room, buf_slice(&stage->entry));
            if (status == ST_OK) {
                /* Only where it says the same in other words. */
                struct id128 hash = room_hash(room), expected = room_hash(stage->room);
                assert_memory_equal(hash.byte, expected.byte, sizeof hash.byte);
            }
            stage->entry.at[i] ^= (uint8_t)(1 << bit);
            room_close(room);
            buf_fini(&snapshot);
        }
        assert_int_not_equal(room_entry_head(slice_of(stage->entry.at, i), &head), ST_OK);
    }
    stage_close(stage);
}

static void a_damaged_snapshot_is_refused(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    assert_accepted(stage_say(stage, stage_turn_seat(stage), 4));
    struct buf bytes = {0};
    room_encode(stage->room, &bytes);
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.at[i] ^= 0x10;
        struct room *room = room_decode(&stage->record, buf_slice(&bytes));
        if (room) {
            /* The position in the envelope is for tools: the body has its own. */
            struct id128 hash = room_hash(room), expected = room_hash(stage->room);
            assert_memory_equal(hash.byte, expected.byte, sizeof hash.byte);
            room_close(room);
        }
        bytes.at[i] ^= 0x10;
        assert_null(room_decode(&stage->record, slice_of(bytes.at, i)));
    }
    struct room_record other = stage->record;
    other.game = &toy_that_minds_absence;
    assert_null(room_decode(&other, buf_slice(&bytes)));
    buf_fini(&bytes);
    stage_close(stage);
}

/* What passes the check of the envelope but is no room: a fault of ours or of a bad friend, not a
 * crash. */
static void a_body_that_is_no_room_is_refused(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 2);
    struct buf whole = {0}, bytes = {0};
    room_encode(stage->room, &whole);
    Madang__V1__Room__Snapshot *snapshot =
        madang__v1__room__snapshot__unpack(NULL, whole.len, whole.at);
    assert_non_null(snapshot);
    int refused = 0;
    for (size_t i = 0; i < snapshot->body.len; i++) {
        for (int j = 0; j < 3; j++) {
            uint8_t was = snapshot->body.data[i];
            snapshot->body.data[i] = (uint8_t)(j == 0 ? was ^ 1 : j == 1 ? 0xff : 0);
            struct id128 check = hash_128(slice_of(snapshot->body.data, snapshot->body.len));
            memcpy(snapshot->check.data, check.byte, sizeof check.byte);
            buf_clear(&bytes);
            size_t len = madang__v1__room__snapshot__get_packed_size(snapshot);
            madang__v1__room__snapshot__pack(snapshot, buf_extend(&bytes, len));
            struct room *room = room_decode(&stage->record, buf_slice(&bytes));
            refused += room == NULL;
            if (room) room_hash(room);
            room_close(room);
            snapshot->body.data[i] = was;
        }
    }
    assert_true(refused > 100);
    madang__v1__room__snapshot__free_unpacked(snapshot, NULL);
    buf_fini(&whole);
    buf_fini(&bytes);
    stage_close(stage);
}

static void a_room_set_aside_is_a_lobby_with_the_same_people(void **unused)
{
    (void)unused;
    struct stage *stage = stage_with_game(&toy_game, 3);
    assert_accepted(stage_leave(stage, 2));
    assert_int_equal(replay_changed(stage, other_hash), ST_MISMATCH);
    stage->entry.at[stage->entry.len - 1] ^= 1;
    struct room *room = room_open(&stage->record);
    struct reader log;
    reader_init(&log, buf_slice(&stage->log));
    for (uint64_t e = 1; e < stage->entries; e++)
        assert_int_equal(room_replay(room, reader_sized(&log, 4096)), ST_OK);
    assert_int_equal(room_replay(room, buf_slice(&stage->entry)), ST_MISMATCH);
    uint64_t version = room_game_version(room);
    room_set_aside(room, 41);
    assert_true(room_position(room) == 40 && room_seq(room) == 40);
    assert_false(room_playing(room));

    /* It can be saved, and a new game started, as from any lobby. */
    struct buf bytes = {0};
    room_encode(room, &bytes);
    room_close(stage->room);
    room_close(stage->twin);
    stage->room = room;
    stage->twin = room_decode(&stage->record, buf_slice(&bytes));
    assert_non_null(stage->twin);
    stage->entries = 40;
    buf_fini(&bytes);
    Madang__V1__RoomView *view = stage_view(stage);
    assert_int_equal(view->state, MADANG__V1__ROOM_STATE__ROOM_STATE_SET_ASIDE);
    assert_true(view->seats[0]->taken && view->seats[1]->taken && !view->seats[2]->taken);
    assert_true(view->can_start);
    stage_view_free(view);
    struct buf shared = {0};
    room_write_game(stage->room, &shared);
    assert_int_equal(shared.len, 0);
    buf_fini(&shared);
    assert_refused(stage, stage_act(stage, 0, TOY_WAVE, 0), REASON_SET_ASIDE);
    assert_int_equal(stage_enter(stage, 7, "새사람"), 2);
    assert_accepted(stage_start(stage, 0));
    assert_true(room_game_version(stage->room) > version);
    stage_close(stage);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_replay_holds_each_entry_against_the_state),
                     cmocka_unit_test(events_that_were_told_are_part_of_the_hash),
                     cmocka_unit_test(a_clock_in_the_log_stands_at_its_deadline),
                     cmocka_unit_test(a_log_that_passed_over_a_deadline_is_set_aside),
                     cmocka_unit_test(a_start_is_a_function_of_its_seed_and_rules),
                     cmocka_unit_test(a_seed_is_logged_in_a_start_and_nowhere_else),
                     cmocka_unit_test(damaged_entries_are_unreadable_or_disagree),
                     cmocka_unit_test(a_damaged_snapshot_is_refused),
                     cmocka_unit_test(a_body_that_is_no_room_is_refused),
                     cmocka_unit_test(a_room_set_aside_is_a_lobby_with_the_same_people));
}
