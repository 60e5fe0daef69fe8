/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes to a room: people who come, go, act and command as the input says, for every game of the
 * registry. Nobody's bytes change a room that refuses them, whatever is accepted is replayed to the
 * same room from its log, and at the end a snapshot is that room too.
 *
 * A step is a byte for what happens, one for who does it, and for acts and commands a length and
 * so many bytes. Half of all acts and commands have the numbers that a browser would give.
 */
#include "base/check.h"
#include "room/room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS_MAX = 128, PLAYERS = 6 };

struct play {
    struct room *room, *twin;
    struct room_record record;
    struct reader reader;
    uint64_t windows;
    instant_ms now;
};

static void check_same(const struct room *a, const struct room *b)
{
    CHECK(id128_equal(room_hash(a), room_hash(b)));
    CHECK(room_position(a) == room_position(b));
}

static void look(const struct room *room)
{
    struct buf text = {0};
    struct update_event events[ROOM_EVENTS_MAX];
    struct room_summary summary;
    room_write_view(room, &text);
    room_write_game(room, &text);
    room_write_presence(room, NULL, 0, NULL, 0, &text);
    for (int seat = 0; seat < room_seat_count(room); seat++) room_write_mine(room, seat, &text);
    room_events_since(room, room_seq(room) / 2, events);
    room_summary_of(room, &summary);
    buf_fini(&text);
}

static void step(struct play *play, const struct room_input *input)
{
    struct room_outcome out;
    struct id128 before = room_hash(play->room);
    room_step(play->room, input, &out);
    if (out.verdict == ROOM_ACCEPTED)
        CHECK(room_replay(play->twin, out.entry) == ST_OK);
    else
        CHECK(id128_equal(before, room_hash(play->room)));
    check_same(play->room, play->twin);
}

/* The clock comes first, as with an owner. */
static void let_clock_come(struct play *play)
{
    uint64_t number;
    for (int i = 0; i < STEPS_MAX && room_deadline(play->room, &number) <= play->now; i++) {
        const struct room_input clock = {.kind = ROOM_CLOCK,
                                         .now = room_deadline(play->room, &number),
                                         .seat = -1};
        step(play, &clock);
    }
    if (room_deadline(play->room, &number) <= play->now)
        play->now = room_deadline(play->room, &number) - 1;
}

static struct slice some_bytes(struct play *play)
{
    size_t len = reader_u8(&play->reader), left = (size_t)(play->reader.end - play->reader.at);
    if (len > left) len = left;
    struct slice bytes = slice_of(play->reader.at, len);
    play->reader.at += len;
    return bytes;
}

static void come(struct play *play, uint8_t who, bool take_over)
{
    static const char *const names[PLAYERS] = {"a", "b", "c", "d", "e", "f"};
    int seat = room_seat_of(play->room, (struct id128){{(uint8_t)(who % PLAYERS + 1)}});
    const struct room_input input = {
        .kind = ROOM_ATTACH,
        .now = play->now,
        .seat = -1,
        .player = {{(uint8_t)(who % PLAYERS + 1)}},
        .name = slice_text(names[who % PLAYERS]),
        .generation = seat >= 0 ? room_generation(play->room, seat) : 0,
        .take_over = take_over,
        .window = ++play->windows,
        .seed = {{who, 7}},
    };
    step(play, &input);
}

static void act(struct play *play, uint8_t what, int seat)
{
    bool watches = what & 0x20;
    struct room_input input = {
        .kind = what & 0x40 ? ROOM_COMMAND : ROOM_ACT,
        .now = play->now,
        .seat = seat,
        .generation = room_generation(play->room, seat),
        .counter = room_counter(play->room, seat) + 1,
        .made_for = room_game_version(play->room),
        .player = {{(uint8_t)(seat + 1)}},
        .name = slice_text("w"),
        .seed = {{(uint8_t)seat, what}},
    };
    if (what & 0x80) {
        input.generation += reader_u8(&play->reader) - 128u;
        input.counter += reader_u8(&play->reader) - 128u;
        input.made_for += reader_u8(&play->reader) - 128u;
    }
    if (input.kind == ROOM_COMMAND && watches) input.seat = -1;
    input.bytes = some_bytes(play);
    step(play, &input);
}

static void next(struct play *play)
{
    static const instant_ms waits[] = {0, 1, 500, 5000, 31 * 1000, 6 * 60 * 1000};
    uint8_t what = reader_u8(&play->reader), who = reader_u8(&play->reader);
    int seat = who % room_seat_count(play->room);
    struct room_input input = {.seat = seat, .generation = room_generation(play->room, seat)};
    play->now += waits[(who >> 4) % (sizeof waits / sizeof *waits)];
    let_clock_come(play);
    input.now = play->now;
    switch (what & 7) {
    case 0:
    case 1: come(play, who, what & 8); return;
    case 2: input.kind = ROOM_DETACH; break;
    case 3: input.kind = ROOM_LEAVE; break;
    case 4: input.kind = ROOM_RESUMED; break;
    default: act(play, what, seat); return;
    }
    step(play, &input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct play play = {.now = 1000};
    reader_init(&play.reader, slice_of(data, size));
    play.record = (struct room_record){.id = 1,
                                       .code = "ABCDEF",
                                       .game = game_at(reader_u8(&play.reader) % game_count())};
    game_options_default(play.record.game, &play.record.options);
    play.room = room_open(&play.record);
    play.twin = room_open(&play.record);
    for (int i = 0; i < STEPS_MAX && play.reader.at < play.reader.end && !play.reader.bad; i++)
        next(&play);
    look(play.room);
    struct buf snapshot = {0};
    room_encode(play.room, &snapshot);
    struct room *again = room_decode(&play.record, buf_slice(&snapshot));
    CHECK(again != NULL);
    check_same(play.room, again);
    buf_fini(&snapshot);
    room_close(again);
    room_close(play.room);
    room_close(play.twin);
    return 0;
}
