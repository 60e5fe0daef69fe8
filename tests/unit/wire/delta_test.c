/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames that build on the one before: how few bytes they are, and that they say the same.
 */
#include "unit/test.h"
#include "wire/delta.h"
#include "wire/patch.h"

#include <string.h>

static const struct delta_base base = {
    .version = {1777777777777, 300},
    .room_time = 1ULL << 40,
    .game_version = 250,
    .room = {(const uint8_t *)"the room", 8},
    .presence = {(const uint8_t *)"who is there", 12},
    .game = {(const uint8_t *)"a game of which little changes", 30},
    .mine = {(const uint8_t *)"mine", 4},
};

static struct server_event event = {.seq = 301};

/* One entry of the game, 420 ms later: of the game's part three bytes are others. */
static struct server_frame next_frame(struct buf *patch)
{
    struct server_frame frame = {.kind = SERVER_ROOM};
    event.shared = slice_text("event");
    assert_true(patch_write(base.game, slice_text("a game of which a lot changes!"), patch));
    frame.u.room = (struct server_room){
        .version = {base.version.epoch, 301},
        .since = 300,
        .passed = 420,
        .patched = SECTION_GAME,
        .game = buf_slice(patch),
        .events = &event,
        .event_count = 1,
    };
    return frame;
}

/* Through the wire; the frame as it was read, and its length. */
static size_t pass(const struct server_frame *in, struct arena *arena, struct server_frame *out)
{
    struct buf bytes = {0};
    server_frame_encode(in, &bytes);
    assert_int_equal(server_frame_decode(buf_slice(&bytes), arena, out), ST_OK);
    size_t len = bytes.len;
    buf_fini(&bytes);
    return len;
}

static void a_delta_says_what_is_new_and_no_absolute_numbers(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct buf patch = {0};
    struct server_frame out, in = next_frame(&patch);
    /* A tag and a length for what surrounds it, since, passed; patch and event with a tag and a
     * length each. */
    assert_int_equal(pass(&in, &arena, &out), 2 + 3 + 3 + (2 + patch.len) + (2 + 2 + 5));
    struct server_room *room = &out.u.room;
    assert_int_equal(room->version.epoch, 0);
    assert_int_equal(room->version.seq, 301);
    assert_int_equal(room->events[0].seq, 301);
    assert_int_equal(delta_resolve(room, &base, &arena), ST_OK);
    assert_int_equal(room->version.epoch, base.version.epoch);
    assert_int_equal(room->room_time, base.room_time + 420);
    assert_int_equal(room->game_version, 251);
    assert_int_equal(room->patched, 0);
    assert_true(slice_equal(room->game, slice_text("a game of which a lot changes!")));
    assert_int_equal(room->room.len + room->presence.len + room->mine.len, 0);
    buf_fini(&patch);
    arena_fini(&arena);
}

static void every_step_of_the_numbers_comes_back(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    for (int ahead = -1; ahead < 70; ahead++) {
        for (int game_ahead = -70; game_ahead < 4; game_ahead++) {
            struct server_frame out, in = {.kind = SERVER_ROOM};
            in.u.room = (struct server_room){
                .version = {base.version.epoch, (uint64_t)(301 + ahead)},
                .since = 300,
                .passed = game_ahead * 1000, /* an outage may take it back */
                .game_ahead = game_ahead,
            };
            pass(&in, &arena, &out);
            struct server_room *room = &out.u.room;
            assert_int_equal(delta_resolve(room, &base, &arena), ST_OK);
            assert_int_equal(version_compare(room->version, in.u.room.version), 0);
            assert_int_equal(room->game_version, 251 + ahead + game_ahead);
            assert_int_equal(room->room_time, (int64_t)base.room_time + game_ahead * 1000);
        }
    }
    arena_fini(&arena);
}

static void a_delta_on_something_else_is_refused(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct buf patch = {0};
    struct server_frame out, in = next_frame(&patch);
    struct delta_base other = base;
    pass(&in, &arena, &out);
    other.version.seq = 299;
    assert_int_equal(delta_resolve(&out.u.room, &other, &arena), ST_STALE);
    assert_int_equal(delta_resolve(&out.u.room, &(struct delta_base){0}, &arena), ST_STALE);
    other = base;
    other.game = slice_text("short");
    assert_int_equal(delta_resolve(&out.u.room, &other, &arena), ST_INVALID);
    buf_fini(&patch);
    arena_fini(&arena);
}

static void a_whole_frame_stays_as_it_is(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct server_frame out, in = {.kind = SERVER_ROOM};
    in.u.room = (struct server_room){
        .version = {7, 9}, .room_time = 5, .game_version = 3, .game = slice_text("game")};
    pass(&in, &arena, &out);
    assert_int_equal(delta_resolve(&out.u.room, &base, &arena), ST_OK);
    assert_int_equal(version_compare(out.u.room.version, (struct version){7, 9}), 0);
    assert_int_equal(out.u.room.room_time, 5);
    assert_int_equal(out.u.room.game_version, 3);
    assert_true(slice_equal(out.u.room.game, slice_text("game")));
    arena_fini(&arena);
}

/* server { room { since: 5, <field>: <zigzag> } }, and a whole frame that claims to be patched. */
static void numbers_that_cannot_be_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        uint8_t bytes[20];
        size_t len;
    } frames[] = {
        {{0x32, 4, 0x10, 5, 0x50, 3}, 6}, /* ahead -2 */
        {{0x32, 13, 0x10, 5, 0x50, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 15},
        {{0x32, 3, 0x6a, 1, 5}, 5},                /* whole, and patched */
        {{0x32, 6, 0x10, 5, 0x4a, 2, 0x28, 7}, 8}, /* an event before the first */
    };
    struct arena arena = {0};
    struct server_frame out;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        assert_int_equal(server_frame_decode(slice_of(frames[i].bytes, frames[i].len), &arena,
                                             &out),
                         ST_INVALID);
    arena_fini(&arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_delta_says_what_is_new_and_no_absolute_numbers),
                     cmocka_unit_test(every_step_of_the_numbers_comes_back),
                     cmocka_unit_test(a_delta_on_something_else_is_refused),
                     cmocka_unit_test(a_whole_frame_stays_as_it_is),
                     cmocka_unit_test(numbers_that_cannot_be_are_refused));
}
