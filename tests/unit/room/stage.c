/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/room/stage.h"

#include "room/archive.h"

#include <stdio.h>
#include <stdlib.h>

static struct stage *open(const struct game *game, bool quick, uint32_t expected)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->record = (struct room_record){
        .id = 0x1234567890, .code = "K7P3QD", .game = game, .quick = quick, .expected = expected};
    game_options_default(game, &stage->record.options);
    stage->room = room_open(&stage->record);
    stage->twin = room_open(&stage->record);
    stage->steps_clock = true;
    stage->now = 1000;
    return stage;
}

struct stage *stage_open(const struct game *game)
{
    return open(game, false, 0);
}

struct stage *stage_open_quick(const struct game *game, uint32_t expected)
{
    return open(game, true, expected);
}

void stage_close(struct stage *stage)
{
    room_close(stage->room);
    room_close(stage->twin);
    buf_fini(&stage->entry);
    buf_fini(&stage->log);
    free(stage);
}

/* ---- what holds always ----------------------------------------------------------------------- */

static void assert_same_hash(struct id128 a, struct id128 b)
{
    assert_memory_equal(a.byte, b.byte, sizeof a.byte);
}

static void assert_equal_rooms(const struct room *a, const struct room *b)
{
    struct buf left = {0}, right = {0};
    room_encode(a, &left);
    room_encode(b, &right);
    assert_int_equal(left.len, right.len);
    assert_memory_equal(left.at, right.at, left.len);
    buf_clear(&left);
    buf_clear(&right);
    room_write_view(a, &left);
    room_write_view(b, &right);
    assert_int_equal(left.len, right.len);
    assert_memory_equal(left.at, right.at, left.len);
    buf_fini(&left);
    buf_fini(&right);
    uint64_t number, other;
    assert_true(room_deadline(a, &number) == room_deadline(b, &other));
    assert_true(number == other);
}

static void save_and_load(const struct stage *stage, struct room **room)
{
    struct buf bytes = {0};
    room_encode(*room, &bytes);
    room_close(*room);
    *room = room_decode(&stage->record, buf_slice(&bytes));
    assert_non_null(*room);
    buf_fini(&bytes);
}

void stage_save_and_load(struct stage *stage)
{
    save_and_load(stage, &stage->room);
}

int stage_archive(const struct stage *stage, uint64_t first, struct slice **entries)
{
    struct reader log;
    reader_init(&log, buf_slice(&stage->log));
    *entries = calloc((size_t)(stage->entries - first) + 1, sizeof **entries);
    assert_non_null(*entries);
    for (uint64_t i = 1; i <= stage->entries; i++) {
        struct slice entry = reader_sized(&log, STORE_ENTRY_BYTES_MAX);
        if (i >= first) (*entries)[i - first] = entry;
    }
    return (int)(stage->entries - first + 1);
}

/* A game that has ended stands alone in its archive. */
static void assert_archived(const struct stage *stage)
{
    struct slice *entries;
    struct archive_replay replay;
    int count = stage_archive(stage, stage->out.first, &entries);
    archive_begin_as(&replay, &stage->record);
    for (int i = 0; i < count; i++)
        assert_int_equal(archive_step(&replay, entries[i]), ARCHIVE_GOOD);
    assert_int_equal(archive_end(&replay), ARCHIVE_GOOD);
    assert_same_hash(room_hash(replay.room), room_hash(stage->room));
    archive_close(&replay);
    free(entries);
}

static void follow(struct stage *stage)
{
    buf_clear(&stage->entry);
    buf_put_slice(&stage->entry, stage->out.entry);
    buf_put_sized(&stage->log, stage->out.entry);
    stage->entries++;

    struct room_entry_head head;
    assert_int_equal(room_entry_head(stage->out.entry, &head), ST_OK);
    assert_true(head.position == room_position(stage->room) && head.position == stage->entries);
    assert_true(head.at == room_time(stage->room));
    assert_same_hash(head.state_hash, room_hash(stage->room));

    assert_int_equal(room_replay(stage->twin, stage->out.entry), ST_OK);
    save_and_load(stage, &stage->twin);
    assert_equal_rooms(stage->room, stage->twin);
    if (stage->out.game_finished) assert_archived(stage);
}

/* Each section as it is shown now: the room's, presence, the game's, everybody's own. */
static void write_sections(const struct room *room, struct buf parts[4])
{
    room_write_view(room, &parts[0]);
    room_write_presence(room, NULL, 0, NULL, 0, &parts[1]);
    room_write_game(room, &parts[2]);
    for (int s = 0; s < room_seat_count(room); s++) {
        struct buf mine = {0};
        room_write_mine(room, s, &mine);
        buf_put_sized(&parts[3], buf_slice(&mine));
        buf_fini(&mine);
    }
}

/* A section that is not named as changed is as it was. */
static void assert_named_changes(const struct stage *stage, struct buf before[4])
{
    static const uint32_t bit[] = {SECTION_ROOM, SECTION_PRESENCE, SECTION_GAME, SECTION_MINE};
    struct buf after[4] = {0};
    write_sections(stage->room, after);
    for (int i = 0; i < 4; i++) {
        bool same = slice_equal(buf_slice(&before[i]), buf_slice(&after[i]));
        assert_true(same || (stage->out.verdict == ROOM_ACCEPTED && stage->out.changed & bit[i]));
        buf_fini(&before[i]);
        buf_fini(&after[i]);
    }
}

static enum room_verdict step(struct stage *stage, struct room_input *input)
{
    struct buf sections[4] = {0};
    write_sections(stage->room, sections);
    struct id128 hash = room_hash(stage->room);
    uint64_t number, number_after;
    instant_ms deadline = room_deadline(stage->room, &number);
    uint64_t position = room_position(stage->room), seq = room_seq(stage->room);

    for (int i = 0; i < 4; i++) input->seed.byte[i] = (uint8_t)(stage->seeds >> (8 * i));
    memset(input->seed.byte + 4, 0x5e, sizeof input->seed.byte - 4);
    input->rules_version = stage->rules_version;
    stage->seeds++;
    room_step(stage->room, input, &stage->out);
    assert_named_changes(stage, sections);
    assert_true(stage->out.position == room_position(stage->room));
    assert_true(stage->out.verdict == ROOM_REPEATED || stage->out.seq == room_seq(stage->room));
    if (stage->out.verdict == ROOM_ACCEPTED) {
        assert_true(room_position(stage->room) == position + 1);
        follow(stage);
        if (stage->now < room_time(stage->room)) stage->now = room_time(stage->room);
        return ROOM_ACCEPTED;
    }
    assert_true(room_position(stage->room) == position && room_seq(stage->room) == seq);
    assert_true(room_deadline(stage->room, &number_after) == deadline && number_after == number);
    assert_same_hash(hash, room_hash(stage->room));
    return stage->out.verdict;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

instant_ms stage_deadline(const struct stage *stage)
{
    return room_deadline(stage->room, NULL);
}

static void clock_until(struct stage *stage, instant_ms until)
{
    while (stage_deadline(stage) <= until) {
        struct room_input clock = {.kind = ROOM_CLOCK, .now = stage_deadline(stage), .seat = -1};
        assert_accepted(step(stage, &clock));
    }
}

enum room_verdict stage_step(struct stage *stage, struct room_input input)
{
    if (stage->steps_clock && input.kind != ROOM_CLOCK) clock_until(stage, stage->now);
    input.now = stage->now;
    return step(stage, &input);
}

void stage_wait(struct stage *stage, instant_ms ms)
{
    instant_ms until = stage->now + ms;
    clock_until(stage, until);
    stage->now = until;
}

void stage_next_deadline(struct stage *stage)
{
    assert_true(stage_deadline(stage) != INSTANT_NEVER);
    stage->now = stage_deadline(stage);
    assert_accepted(stage_step(stage, (struct room_input){.kind = ROOM_CLOCK, .seat = -1}));
}

struct id128 person(int number)
{
    struct id128 id = {{0xa0, (uint8_t)number, (uint8_t)(number >> 8)}};
    return id;
}

int stage_enter(struct stage *stage, int number, const char *name)
{
    struct room_input input = {
        .kind = ROOM_ATTACH, .seat = -1, .player = person(number), .name = slice_text(name)};
    enum room_verdict verdict = stage_step(stage, input);
    return verdict == ROOM_ACCEPTED || verdict == ROOM_SAME ? stage->out.seat : -1;
}

enum room_verdict stage_attach(struct stage *stage, int number, uint32_t generation, bool stands,
                               bool take_over)
{
    struct room_input input = {
        .kind = ROOM_ATTACH,
        .seat = -1,
        .player = person(number),
        .name = slice_text("돌아온 사람"),
        .generation = generation,
        .generation_stands = stands,
        .take_over = take_over,
    };
    return stage_step(stage, input);
}

enum room_verdict stage_detach(struct stage *stage, int seat)
{
    return stage_step(stage, (struct room_input){.kind = ROOM_DETACH,
                                                 .seat = seat,
                                                 .generation = room_generation(stage->room, seat)});
}

enum room_verdict stage_leave(struct stage *stage, int seat)
{
    return stage_step(stage, (struct room_input){.kind = ROOM_LEAVE,
                                                 .seat = seat,
                                                 .generation = room_generation(stage->room, seat)});
}

enum room_verdict stage_act(struct stage *stage, int seat, uint8_t kind, uint8_t value)
{
    uint8_t bytes[] = {kind, value};
    struct room_input input = {
        .kind = ROOM_ACT,
        .seat = seat,
        .generation = room_generation(stage->room, seat),
        .counter = room_counter(stage->room, seat) + 1,
        .made_for = room_game_version(stage->room),
        .bytes = slice_of(bytes, sizeof bytes),
    };
    return stage_step(stage, input);
}

enum room_verdict stage_say(struct stage *stage, int seat, uint8_t value)
{
    return stage_act(stage, seat, TOY_SAY, value);
}

/* ---- scenes ---------------------------------------------------------------------------------- */

struct stage *stage_with_game(const struct game *game, int people)
{
    struct stage *stage = stage_open(game);
    for (int i = 0; i < people; i++) {
        char name[16];
        snprintf(name, sizeof name, "사람%d", i);
        assert_int_equal(stage_enter(stage, i, name), i);
    }
    assert_accepted(stage_start(stage, 0));
    return stage;
}

int stage_turn_seat(const struct stage *stage)
{
    struct buf shared = {0};
    room_write_game(stage->room, &shared);
    assert_true(shared.len > 5);
    int game_seat = shared.at[4];
    buf_fini(&shared);
    Madang__V1__RoomView *view = stage_view(stage);
    int seat = (int)view->playing[game_seat];
    stage_view_free(view);
    return seat;
}

void stage_play_out(struct stage *stage, int winner)
{
    while (room_playing(stage->room)) {
        int seat = stage_turn_seat(stage);
        if (room_connected(stage->room, seat))
            assert_accepted(stage_say(stage, seat, seat == winner ? 9 : 1));
        else
            stage_next_deadline(stage);
        stage->now += 100;
    }
}

Madang__V1__RoomView *stage_view(const struct stage *stage)
{
    struct buf bytes = {0};
    room_write_view(stage->room, &bytes);
    Madang__V1__RoomView *view = madang__v1__room_view__unpack(NULL, bytes.len, bytes.at);
    assert_non_null(view);
    buf_fini(&bytes);
    return view;
}

void stage_view_free(Madang__V1__RoomView *view)
{
    madang__v1__room_view__free_unpacked(view, NULL);
}

bool stage_told(const struct stage *stage, Madang__V1__RoomHappened__Kind kind)
{
    struct update_event list[ROOM_EVENTS_MAX];
    bool told = false;
    int count = room_events_since(stage->room, room_seq(stage->room) - 1, list);
    assert_true(count >= 0);
    for (int i = 0; i < count; i++) {
        if (list[i].room.len == 0) continue;
        Madang__V1__RoomHappened *happened =
            madang__v1__room_happened__unpack(NULL, list[i].room.len, list[i].room.at);
        assert_non_null(happened);
        told = told || happened->kind == kind;
        madang__v1__room_happened__free_unpacked(happened, NULL);
    }
    return told;
}
