/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written to sockets: deltas that fold to the whole, events once, nothing private to
 * anybody else, and never a queue.
 */
#include "unit/gateway/room_model.h"

#include "base/hash.h"

#include <stdio.h>

static void tell(struct yard *yard, struct room_model *model)
{
    yard_worker_says(yard, model_update(model, false));
}

/* Lets a client in and sends it its first view, as a worker does. */
static uint64_t enter(struct yard *yard, struct room_model *model, int seat)
{
    uint64_t socket = seat < 0 ? yard_watching(yard) : yard_seated(yard, seat, 1);
    if (seat >= 0) model->here[seat] = true;
    yard_worker_says(yard, model_whole_for(model, socket, seat));
    return socket;
}

static void the_first_frame_is_whole_and_waits_for_the_private_part(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 1);
    uint64_t watcher = enter(&yard, &model, -1);
    assert_int_equal(yard_last(&yard, watcher, SERVER_ROOM)->u.room.since, 0);
    uint64_t player = yard_seated(&yard, 0, 1);
    assert_null(yard_last(&yard, player, SERVER_ROOM)); /* the shared parts alone are not enough */
    yard_worker_says(&yard, model_whole_for(&model, player, 0));
    const struct server_room *frame = &yard_last(&yard, player, SERVER_ROOM)->u.room;
    assert_int_equal(frame->since, 0);
    assert_true(slice_equal(frame->mine, slice_text(model.mine[0])));
    assert_int_equal(frame->game_version, 1);
    assert_int_equal(frame->room_time, 1001);
    /* Nothing changed for the watcher by that. */
    assert_int_equal(yard_count(&yard, watcher, SERVER_ROOM), 1);
    yard_close(&yard);
}

static void deltas_fold_to_the_whole_for_every_viewer(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct yard yard;
        struct room_model model;
        yard_open(&yard);
        model_open(&model, 100, seed);
        uint64_t socket[5];
        struct folded folded[5] = {0};
        int from[5] = {0};
        for (int v = 0; v < 5; v++) {
            socket[v] = enter(&yard, &model, v - 1);
            model_change(&model);
            tell(&yard, &model);
        }
        for (int step = 0; step < 200; step++) {
            uint64_t chance = hash_mix64(seed * 7919 + (uint64_t)step);
            for (uint64_t i = 0; i <= chance % 3; i++) model_change(&model);
            uint64_t whose = socket[chance / 8 % 5];
            bool *slow = &yard.slow[whose % YARD_SOCKETS_MAX];
            *slow = chance / 64 % 2;
            if (chance / 128 % 50 == 0)
                yard_worker_says(&yard, model_update(&model, true));
            else
                tell(&yard, &model);
            if (!*slow) yard_writable(&yard, whose);
            for (int v = 0; v < 5; v++)
                if (v > 0 || step % 7 == 0)
                    fold_recorded(&folded[v], &yard, socket[v], v - 1, &from[v]);
        }
        for (int v = 0; v < 5; v++) {
            yard.slow[socket[v] % YARD_SOCKETS_MAX] = false;
            yard_writable(&yard, socket[v]);
            fold_recorded(&folded[v], &yard, socket[v], v - 1, &from[v]);
            assert_folded_equals(&folded[v], &model, v - 1);
            assert_true(folded[v].events > 50);
        }
        yard_close(&yard);
    }
}

static void events_come_once_and_all_of_them_to_a_socket_that_keeps_up(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 3);
    uint64_t socket = enter(&yard, &model, 1);
    for (int step = 0; step < 100; step++) {
        model_change(&model);
        tell(&yard, &model);
    }
    struct folded folded = {0};
    int from = 0;
    fold_recorded(&folded, &yard, socket, 1, &from);
    assert_folded_equals(&folded, &model, 1);
    assert_int_equal(folded.events, model.version.seq - 1);
    yard_close(&yard);
}

static void an_unchanged_room_writes_nothing(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 3);
    uint64_t socket = enter(&yard, &model, 1);
    yard_forget(&yard);
    yard_worker_says(&yard, model_update(&model, true));
    yard_worker_says(&yard, model_update(&model, false));
    assert_int_equal(yard_count(&yard, socket, SERVER_ROOM), 0);
    yard_close(&yard);
}

static void a_part_that_changed_for_one_seat_alone_is_written_to_that_socket_alone(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 3);
    uint64_t sockets[3] = {enter(&yard, &model, 0), enter(&yard, &model, 1),
                           enter(&yard, &model, -1)};
    tell(&yard, &model);
    yard_forget(&yard);
    /* A hidden entry: the version does not move, one seat's part does. */
    snprintf(model.mine[1], sizeof model.mine[1], "secret1 new");
    model.changed |= SECTION_MINE;
    model.mine_changed[1] = true;
    tell(&yard, &model);
    assert_int_equal(yard_count(&yard, sockets[0], SERVER_ROOM), 0);
    assert_int_equal(yard_count(&yard, sockets[2], SERVER_ROOM), 0);
    const struct server_room *frame = &yard_last(&yard, sockets[1], SERVER_ROOM)->u.room;
    assert_int_equal(frame->since, model.version.seq);
    assert_int_equal(frame->room.len + frame->game.len + frame->presence.len, 0);
    assert_true(slice_equal(frame->mine, slice_text("secret1 new")));
    yard_close(&yard);
}

static void a_slow_socket_gets_the_newest_and_never_a_queue(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 4);
    uint64_t slow = enter(&yard, &model, 0), quick = enter(&yard, &model, 1);
    tell(&yard, &model);
    yard.slow[slow] = true;
    yard_forget(&yard);
    for (int step = 0; step < 40; step++) {
        model_change(&model);
        tell(&yard, &model);
    }
    assert_int_equal(yard_count(&yard, slow, SERVER_ROOM), 1);
    assert_true(yard_count(&yard, quick, SERVER_ROOM) > 20);
    yard.slow[slow] = false;
    yard_writable(&yard, slow);
    assert_int_equal(yard_count(&yard, slow, SERVER_ROOM), 2);
    const struct server_room *frame = &yard_last(&yard, slow, SERVER_ROOM)->u.room;
    assert_true(frame->version.seq == model.version.seq);
    assert_true(frame->since > 0 && frame->since < model.version.seq);
    assert_true(slice_equal(frame->mine, slice_text(model.mine[0])));
    assert_true(frame->event_count > 20); /* what it missed, in one frame */
    yard_close(&yard);
}

static void a_socket_that_never_reads_is_closed_in_the_end(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard.slow[socket] = true;
    struct client_frame ping = {.kind = CLIENT_PING};
    for (int i = 0; i < 40000 && !yard_closed(&yard, socket); i++) {
        yard.now += 25;
        yard_say(&yard, socket, &ping);
        if (yard.frame_count > YARD_FRAMES_MAX / 2) yard.frame_count = 0;
    }
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_SLOW);
    yard_close(&yard);
}

static void more_events_than_are_kept_are_skipped_not_given_with_holes(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 5);
    uint64_t slow = enter(&yard, &model, 0);
    tell(&yard, &model);
    yard.slow[slow] = true;
    for (int step = 0; step < 120; step++) {
        model_change(&model);
        tell(&yard, &model);
    }
    yard.slow[slow] = false;
    yard_writable(&yard, slow);
    const struct server_room *frame = &yard_last(&yard, slow, SERVER_ROOM)->u.room;
    assert_int_equal(frame->event_count, 0);
    assert_true(frame->version.seq == model.version.seq);
    yard_close(&yard);
}

static void resync_brings_the_whole_view(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 6);
    uint64_t socket = enter(&yard, &model, 2);
    model_change(&model);
    tell(&yard, &model);
    yard_forget(&yard);
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    yard_say(&yard, socket, &resync);
    const struct server_room *frame = &yard_last(&yard, socket, SERVER_ROOM)->u.room;
    assert_int_equal(frame->since, 0);
    struct folded folded = {0};
    fold_frame(&folded, 2, frame);
    assert_folded_equals(&folded, &model, 2);
    yard_close(&yard);
}

static void a_lost_update_is_asked_for_and_nothing_is_built_on_a_hole(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 7);
    uint64_t socket = enter(&yard, &model, 0);
    tell(&yard, &model);
    model.version.seq++;
    model_update(&model, false); /* lost on the way */
    model.version.seq++;
    yard_forget(&yard);
    tell(&yard, &model);
    tell(&yard, &model);
    assert_int_equal(yard_count(&yard, socket, SERVER_ROOM), 0);
    assert_int_equal(yard_count_posts(&yard, ENV_RESYNC), 1);
    assert_int_equal(yard_last_post(&yard, ENV_RESYNC)->u.resync.have.seq, 1);
    yard_pass(&yard, 600); /* the question was lost too */
    assert_int_equal(yard_count_posts(&yard, ENV_RESYNC), 2);
    model.sent = 1;
    yard_worker_says(&yard, model_update(&model, true));
    const struct server_room *frame = &yard_last(&yard, socket, SERVER_ROOM)->u.room;
    assert_true(frame->version.seq == model.version.seq);
    assert_int_equal(frame->event_count, 2);
    yard_pass(&yard, 2000);
    assert_int_equal(yard_count_posts(&yard, ENV_RESYNC), 2);
    yard_close(&yard);
}

static void who_returns_gets_what_was_missed_with_its_own_private_parts(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 8);
    model.version.seq = 50;
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){.generation = 1, .have = {100, 41}});
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE), reply);
    yard_attached(&yard, socket, 100, 2, 2, 7);
    struct envelope whole = *model_whole_for(&model, socket, 2);
    struct update_event events[9];
    for (int i = 0; i < 9; i++) {
        events[i] = (struct update_event){.seq = 42 + (uint64_t)i,
                                          .shared = slice_text("shown"),
                                          .seat = i % 2 ? 2 : 3,
                                          .mine = slice_text("whisper")};
    }
    whole.u.update.events = events;
    whole.u.update.event_count = 9;
    yard_worker_says(&yard, &whole);
    const struct server_room *frame = &yard_last(&yard, socket, SERVER_ROOM)->u.room;
    assert_int_equal(frame->since, 0);
    assert_int_equal(frame->event_count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(frame->events[i].seq, 42 + i);
        assert_int_equal(frame->events[i].mine.len, i % 2 ? 7 : 0);
    }
    yard_close(&yard);
}

static void a_newcomer_gets_no_history(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 9);
    enter(&yard, &model, 0);
    for (int i = 0; i < 20; i++) {
        model_change(&model);
        tell(&yard, &model);
    }
    uint64_t late = enter(&yard, &model, -1);
    assert_int_equal(yard_last(&yard, late, SERVER_ROOM)->u.room.event_count, 0);
    yard_close(&yard);
}

static void a_part_that_became_empty_makes_the_frame_whole(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 10);
    uint64_t socket = enter(&yard, &model, 1);
    tell(&yard, &model);
    model.version.seq++;
    model.mine[1][0] = '\0';
    model.mine_changed[1] = true;
    model.changed = SECTION_MINE;
    tell(&yard, &model);
    const struct server_room *frame = &yard_last(&yard, socket, SERVER_ROOM)->u.room;
    assert_int_equal(frame->since, 0);
    assert_int_equal(frame->mine.len, 0);
    assert_true(frame->game.len > 0);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_first_frame_is_whole_and_waits_for_the_private_part),
                     cmocka_unit_test(deltas_fold_to_the_whole_for_every_viewer),
                     cmocka_unit_test(events_come_once_and_all_of_them_to_a_socket_that_keeps_up),
                     cmocka_unit_test(an_unchanged_room_writes_nothing),
                     cmocka_unit_test(
                         a_part_that_changed_for_one_seat_alone_is_written_to_that_socket_alone),
                     cmocka_unit_test(a_slow_socket_gets_the_newest_and_never_a_queue),
                     cmocka_unit_test(a_socket_that_never_reads_is_closed_in_the_end),
                     cmocka_unit_test(more_events_than_are_kept_are_skipped_not_given_with_holes),
                     cmocka_unit_test(resync_brings_the_whole_view),
                     cmocka_unit_test(a_lost_update_is_asked_for_and_nothing_is_built_on_a_hole),
                     cmocka_unit_test(who_returns_gets_what_was_missed_with_its_own_private_parts),
                     cmocka_unit_test(a_newcomer_gets_no_history),
                     cmocka_unit_test(a_part_that_became_empty_makes_the_frame_whole));
}
