/* SPDX-License-Identifier: Apache-2.0
 *
 * A private part reaches the connection that holds that seat's newest generation, and no other:
 * judged on the bytes that go to sockets.
 */
#include "unit/gateway/room_model.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

/* As bytes that hold all that a frame says, also where it was written as a patch. */
static void spell_out(const struct yard_frame *frame, struct buf *out)
{
    buf_put_slice(out, frame->bytes);
    if (frame->frame.kind != SERVER_ROOM) return;
    const struct server_room *room = &frame->frame.u.room;
    buf_put_slice(out, room->room);
    buf_put_slice(out, room->presence);
    buf_put_slice(out, room->game);
    buf_put_slice(out, room->mine);
}

/* Whether anything that was written to the socket holds a part for another seat than `seat`. */
static bool leaked(struct yard *yard, uint64_t socket, int seat)
{
    static struct buf said;
    for (int i = 0; i < yard->frame_count; i++) {
        const struct yard_frame *frame = &yard->frames[i];
        if (frame->socket != socket) continue;
        buf_clear(&said);
        spell_out(frame, &said);
        for (int s = 0; s < MODEL_SEATS; s++) {
            char secret[16], whisper[16];
            int secret_len = snprintf(secret, sizeof secret, "secret%d", s);
            int whisper_len = snprintf(whisper, sizeof whisper, "whisper%d", s);
            bool there = memmem(said.at, said.len, secret, (size_t)secret_len) ||
                         memmem(said.at, said.len, whisper, (size_t)whisper_len);
            if (there && s != seat) return true;
        }
    }
    return false;
}

/* An update that tells every seat's private part, whoever is here: as if a worker erred. */
static const struct envelope *careless_update(struct room_model *model, bool whole)
{
    bool here[MODEL_SEATS];
    memcpy(here, model->here, sizeof here);
    memset(model->here, true, sizeof model->here);
    const struct envelope *envelope = model_update(model, whole);
    memcpy(model->here, here, sizeof here);
    return envelope;
}

static void every_combination_of_viewers_sees_its_own_parts_alone(void **unused)
{
    (void)unused;
    /* Five viewers: seats 0 to 3 and a watcher; every set of them. */
    for (unsigned set = 1; set < 1u << 5; set++) {
        struct yard yard;
        struct room_model model;
        yard_open(&yard);
        model_open(&model, 100, set);
        uint64_t sockets[5] = {0};
        for (int v = 0; v < 5; v++) {
            if (!(set & 1u << v)) continue;
            sockets[v] = v < 4 ? yard_seated(&yard, v, 1) : yard_watching(&yard);
            if (v < 4) model.here[v] = true;
            yard_worker_says(&yard, model_whole_for(&model, sockets[v], v < 4 ? v : -1));
        }
        for (int step = 0; step < 30; step++) {
            model_change(&model);
            yard_worker_says(&yard, careless_update(&model, step % 10 == 9));
        }
        struct client_frame resync = {.kind = CLIENT_RESYNC};
        for (int v = 0; v < 5; v++) {
            if (sockets[v] == 0) continue;
            yard_say(&yard, sockets[v], &resync);
            assert_false(leaked(&yard, sockets[v], v < 4 ? v : -1));
            struct folded folded = {0};
            int from = 0;
            fold_recorded(&folded, &yard, sockets[v], v < 4 ? v : -1, &from);
            assert_int_equal(folded.foreign, 0);
            assert_string_equal(folded.mine, v < 4 ? model.mine[v] : "");
        }
        yard_close(&yard);
    }
}

/* Every pair: the older connection of a seat and the newer one, at any moment of the change. */
static void an_older_window_sees_nothing_from_the_moment_a_newer_one_is_let_in(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 5);
    uint64_t older = yard_seated(&yard, 2, 7);
    model.here[2] = true;
    yard_worker_says(&yard, model_update(&model, true));
    assert_non_null(yard_last(&yard, older, SERVER_ROOM));
    uint64_t newer = yard_seated(&yard, 2, 8);
    yard_forget(&yard);
    /* The word that the older one is out has not come yet. */
    model_change(&model);
    model.mine_changed[2] = true;
    model.changed |= SECTION_MINE;
    yard_worker_says(&yard, model_update(&model, false));
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    yard_say(&yard, older, &resync);
    assert_int_equal(yard_count(&yard, older, SERVER_ROOM), 0);
    yard_worker_says(&yard, model_whole_for(&model, newer, 2));
    assert_true(
        slice_equal(yard_last(&yard, newer, SERVER_ROOM)->u.room.mine, slice_text(model.mine[2])));
    assert_int_equal(yard_count(&yard, older, SERVER_ROOM), 0);
    yard_close(&yard);
}

static void who_takes_a_seat_over_gets_nothing_that_was_told_to_the_one_before(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 6);
    uint64_t former = yard_seated(&yard, 0, 1), witness = yard_watching(&yard);
    model.here[0] = true;
    yard_worker_says(&yard, model_update(&model, true));
    for (int i = 0; i < 8; i++) {
        model_change(&model);
        yard_worker_says(&yard, model_update(&model, false));
    }
    struct envelope dropped = {.kind = ENV_DROPPED};
    dropped.u.dropped = (struct env_dropped){yard_room(), former, 100, DROPPED_KICKED};
    yard_worker_says(&yard, &dropped);
    yard_forget(&yard);
    uint64_t next = yard_seated(&yard, 0, 2);
    model.here[0] = false;
    model_change(&model);
    yard_worker_says(&yard, model_update(&model, true)); /* says nothing for seat 0 */
    assert_false(leaked(&yard, next, -1));
    assert_false(leaked(&yard, witness, -1));
    yard_close(&yard);
}

/* A player who stands up, sits down elsewhere, and watchers that become players. */
static void parts_follow_the_seat_through_every_move(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 7);
    uint64_t socket = yard_watching(&yard);
    yard_worker_says(&yard, model_update(&model, true));
    uint32_t generation = 0;
    for (int step = 0; step < 40; step++) {
        int seat = (int)(hash_mix64((uint64_t)step) % 5) - 1;
        generation++;
        memset(model.here, false, sizeof model.here);
        if (seat >= 0) model.here[seat] = true;
        yard_attached(&yard, socket, 100, seat, seat < 0 ? 0 : generation, 0);
        yard_forget(&yard);
        model_change(&model);
        yard_worker_says(&yard, careless_update(&model, false));
        yard_worker_says(&yard, model_whole_for(&model, socket, seat));
        assert_false(leaked(&yard, socket, seat));
        model_change(&model);
        yard_worker_says(&yard, careless_update(&model, false));
        assert_false(leaked(&yard, socket, seat));
        struct client_frame resync = {.kind = CLIENT_RESYNC};
        yard_say(&yard, socket, &resync);
        const struct server_room *frame = &yard_last(&yard, socket, SERVER_ROOM)->u.room;
        assert_true(
            slice_equal(frame->mine, seat < 0 ? (struct slice){0} : slice_text(model.mine[seat])));
    }
    yard_close(&yard);
}

static void a_view_for_one_client_is_written_to_no_other(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 8);
    uint64_t one = yard_seated(&yard, 0, 1), two = yard_seated(&yard, 1, 1);
    yard_worker_says(&yard, model_whole_for(&model, two, 1));
    yard_forget(&yard);
    yard_worker_says(&yard, model_whole_for(&model, one, 0));
    assert_int_equal(yard_count(&yard, one, SERVER_ROOM), 1);
    assert_int_equal(yard_count(&yard, two, SERVER_ROOM), 0);
    /* What it does not say of others' seats is not said to be empty. */
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    yard_say(&yard, two, &resync);
    assert_true(
        slice_equal(yard_last(&yard, two, SERVER_ROOM)->u.room.mine, slice_text(model.mine[1])));
    yard_forget(&yard);
    /* Addressed to a connection that is not in this room. */
    uint64_t stranger = yard_guest(&yard);
    model_change(&model);
    yard_worker_says(&yard, model_whole_for(&model, stranger, 1));
    assert_int_equal(yard_count(&yard, stranger, SERVER_ROOM), 0);
    assert_int_equal(yard_count(&yard, two, SERVER_ROOM), 0);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(every_combination_of_viewers_sees_its_own_parts_alone),
        cmocka_unit_test(an_older_window_sees_nothing_from_the_moment_a_newer_one_is_let_in),
        cmocka_unit_test(who_takes_a_seat_over_gets_nothing_that_was_told_to_the_one_before),
        cmocka_unit_test(parts_follow_the_seat_through_every_move),
        cmocka_unit_test(a_view_for_one_client_is_written_to_no_other));
}
