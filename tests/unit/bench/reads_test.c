/* SPDX-License-Identifier: Apache-2.0
 *
 * The lean reader is held against the encoders of libs/wire and of the game.
 */
#include "base/hash.h"
#include "bench/reads.h"
#include "unit/bench/table.h"
#include "unit/test.h"

static struct buf bytes;

static struct slice encode(const struct server_frame *frame)
{
    buf_clear(&bytes);
    server_frame_encode(frame, &bytes);
    return buf_slice(&bytes);
}

static struct server_frame some_room(void)
{
    static struct server_event event = {.seq = 300};
    event.shared = slice_text("event");
    struct server_frame frame = {.kind = SERVER_ROOM};
    frame.u.room = (struct server_room){
        .version = {1777777777777, 300},
        .room_time = 1ULL << 40,
        .game_version = 17,
        .room = slice_text("the room"),
        .presence = slice_text("who is there"),
        .game = slice_text("the game"),
        .mine = slice_text("mine"),
        .events = &event,
        .event_count = 1,
    };
    return frame;
}

static void a_frame_of_a_room_is_read_as_it_was_written(void **unused)
{
    (void)unused;
    struct server_frame frame = some_room();
    struct room_frame read;
    struct slice inside;
    assert_int_equal(frame_open(encode(&frame), &inside), SERVER_ROOM);
    assert_true(room_frame_read(inside, &read));
    assert_int_equal(version_compare(read.version, frame.u.room.version), 0);
    assert_int_equal(read.since, 0);
    assert_int_equal(read.game_version, 17);
    assert_true(slice_equal(read.room, frame.u.room.room));
    assert_true(slice_equal(read.game, frame.u.room.game));
    assert_true(slice_equal(read.mine, frame.u.room.mine));
}

static void a_delta_is_read_as_it_was_written(void **unused)
{
    (void)unused;
    struct server_frame frame = some_room();
    struct room_frame read;
    struct slice inside;
    for (uint64_t since = 290; since <= 300; since++) {
        frame.u.room.since = since;
        frame.u.room.passed = -70;
        frame.u.room.game_ahead = -3;
        frame.u.room.patched = SECTION_ROOM | SECTION_MINE;
        assert_int_equal(frame_open(encode(&frame), &inside), SERVER_ROOM);
        assert_true(room_frame_read(inside, &read));
        assert_int_equal(read.since, since);
        assert_int_equal(read.version.epoch, 0);
        assert_int_equal(read.version.seq, 300);
        assert_int_equal(read.game_ahead, -3);
        assert_int_equal(read.patched, SECTION_ROOM | SECTION_MINE);
        assert_true(slice_equal(read.mine, frame.u.room.mine));
    }
}

static void an_answer_is_read_as_it_was_written(void **unused)
{
    (void)unused;
    struct answer_frame read;
    struct slice inside;
    struct server_frame frame = {.kind = SERVER_ANSWER};
    frame.u.answer = (struct server_answer){.generation = 3, .counter = 700, .ok = true, .seq = 12};
    frame.u.answer.why.domain = "";
    assert_int_equal(frame_open(encode(&frame), &inside), SERVER_ANSWER);
    assert_true(answer_frame_read(inside, &read));
    assert_true(read.ok && !read.by_game);
    assert_int_equal(read.generation, 3);
    assert_int_equal(read.counter, 700);
    assert_int_equal(read.seq, 12);

    frame.u.answer.ok = false;
    frame.u.answer.why = (struct refusal){
        .domain = "", .code = REASON_OUT_OF_ORDER, .params = {-7}, .param_count = 1};
    frame_open(encode(&frame), &inside);
    assert_true(answer_frame_read(inside, &read));
    assert_true(!read.ok && !read.by_game);
    assert_int_equal(read.code, REASON_OUT_OF_ORDER);
    assert_int_equal(read.param, -7);
    frame.u.answer.why.domain = "dobble";
    frame_open(encode(&frame), &inside);
    assert_true(answer_frame_read(inside, &read) && read.by_game);
}

static void what_is_cut_short_is_refused_or_ends_between_two_fields(void **unused)
{
    (void)unused;
    struct server_frame frame = some_room();
    struct slice inside, whole = encode(&frame);
    struct room_frame read;
    for (size_t len = 0; len < whole.len; len++)
        assert_int_equal(frame_open(slice_of(whole.at, len), &inside), 0);
    frame_open(whole, &inside);
    for (size_t len = 0; len < inside.len; len++) {
        uint8_t *part = malloc(len + 1); /* so that sanitizers see a read beyond */
        memcpy(part, inside.at, len);
        room_frame_read(slice_of(part, len), &read);
        free(part);
    }
}

/* ---- the tower ------------------------------------------------------------------------------- */

static struct dobble_state state;

static void the_claim_found_is_the_one_that_wins(void **unused)
{
    (void)unused;
    struct tower tower;
    struct bot_claim claim;
    table_set(&state, DOBBLE_PLAYING);
    assert_true(tower_read(table_view(&state), &tower));
    assert_true(tower.is_tower && tower.is_playing);
    assert_int_equal(tower.seats, TABLE_SEATS);
    assert_null(tower_fault(&tower));
    for (int seat = 0; seat < TABLE_SEATS; seat++) {
        assert_true(tower_find(&tower, seat, &claim));
        assert_int_equal(claim.cards[0], TABLE_CARD + seat);
        assert_int_equal(claim.cards[1], TABLE_CENTRE);
        assert_int_equal((int)claim.art, dobble_answer(&state, seat, -1));
    }
    assert_false(tower_find(&tower, TABLE_SEATS, &claim));
    assert_false(tower_find(&tower, -1, &claim));
}

static void nobody_claims_while_it_counts_down(void **unused)
{
    (void)unused;
    struct tower tower;
    struct bot_claim claim;
    table_set(&state, DOBBLE_COUNTDOWN);
    assert_true(tower_read(table_view(&state), &tower));
    assert_null(tower_fault(&tower));
    assert_false(tower_find(&tower, 0, &claim));
}

static void a_card_shown_too_early_is_noticed(void **unused)
{
    (void)unused;
    struct tower tower;
    table_set(&state, DOBBLE_COUNTDOWN);
    state.face_up = true;
    assert_true(tower_read(table_view(&state), &tower));
    assert_string_equal(tower_fault(&tower), "a card is shown before its time");
}

static void two_cards_of_another_deck_are_noticed(void **unused)
{
    (void)unused;
    struct tower tower;
    table_set(&state, DOBBLE_PLAYING);
    for (int i = 0; i < DOBBLE_ITEMS_MAX; i++) /* two pictures in common now */
        state.card[TABLE_CENTRE - 1].art[i] = state.card[TABLE_CARD - 1].art[i];
    assert_true(tower_read(table_view(&state), &tower));
    assert_string_equal(tower_fault(&tower), "two cards do not share a picture");
}

static void an_answer_given_away_is_noticed(void **unused)
{
    (void)unused;
    struct tower tower;
    struct buf mine = {0};
    table_set(&state, DOBBLE_PLAYING);
    assert_true(tower_read(table_view(&state), &tower));
    struct game_viewer viewer = {.seat = 1, .host = false};
    dobble_view(&state, &viewer, NULL, &mine);
    assert_null(tower_mine_fault(&tower, buf_slice(&mine), false));
    state.phase = DOBBLE_HINT; /* what only the hint may say, beside a view of the play */
    buf_clear(&mine);
    dobble_view(&state, &viewer, NULL, &mine);
    assert_string_equal(tower_mine_fault(&tower, buf_slice(&mine), false),
                        "an answer outside of the hint");
    state.phase = DOBBLE_PLAYING;
    state.seat[0].suspected = 1;
    viewer.host = true;
    buf_clear(&mine);
    dobble_view(&state, &viewer, NULL, &mine);
    assert_null(tower_mine_fault(&tower, buf_slice(&mine), true));
    assert_non_null(tower_mine_fault(&tower, buf_slice(&mine), false));
    buf_fini(&mine);
}

static void arbitrary_bytes_do_no_harm(void **unused)
{
    (void)unused;
    table_set(&state, DOBBLE_PLAYING);
    struct slice good = table_view(&state);
    for (uint64_t run = 0; run < 20000; run++) {
        struct tower tower;
        uint8_t *copy = malloc(good.len);
        memcpy(copy, good.at, good.len);
        for (uint64_t i = 0; i < 3; i++) {
            uint64_t draw = hash_mix64(run * 3 + i);
            copy[draw % good.len] = (uint8_t)(draw >> 32);
        }
        if (tower_read(slice_of(copy, good.len), &tower)) {
            struct bot_claim claim;
            tower_fault(&tower);
            tower_find(&tower, 0, &claim);
        }
        free(copy);
    }
}

int main(void)
{
    int failed =
        RUN_TESTS(cmocka_unit_test(a_frame_of_a_room_is_read_as_it_was_written),
                  cmocka_unit_test(a_delta_is_read_as_it_was_written),
                  cmocka_unit_test(an_answer_is_read_as_it_was_written),
                  cmocka_unit_test(what_is_cut_short_is_refused_or_ends_between_two_fields),
                  cmocka_unit_test(the_claim_found_is_the_one_that_wins),
                  cmocka_unit_test(nobody_claims_while_it_counts_down),
                  cmocka_unit_test(a_card_shown_too_early_is_noticed),
                  cmocka_unit_test(two_cards_of_another_deck_are_noticed),
                  cmocka_unit_test(an_answer_given_away_is_noticed),
                  cmocka_unit_test(arbitrary_bytes_do_no_harm));
    buf_fini(&bytes);
    return failed;
}
