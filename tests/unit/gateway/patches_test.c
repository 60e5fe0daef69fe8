/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is sent patches: those, and only those, who were sent the very bytes that they are made from.
 * The yard resolves every delta against what was written to its socket before, so a patch of
 * anything else fails there, or shows another screen than the room's.
 */
#include "unit/gateway/room_model.h"

#include <stdio.h>
#include <string.h>

static struct yard yard;
static struct room_model model;

static int open_yard(void **state)
{
    (void)state;
    yard_open(&yard);
    model_open(&model, 100, 1);
    return 0;
}

static int close_yard(void **state)
{
    (void)state;
    yard_close(&yard);
    return 0;
}

static void tell(void)
{
    yard_worker_says(&yard, model_update(&model, false));
}

static uint64_t enter(int seat, uint32_t generation)
{
    uint64_t socket = seat < 0 ? yard_watching(&yard) : yard_seated(&yard, seat, generation);
    if (seat >= 0) model.here[seat] = true;
    yard_worker_says(&yard, model_whole_for(&model, socket, seat));
    model.sent = model.version.seq;
    return socket;
}

/* One entry, by which the game's part ends in another number. */
static void move(int number)
{
    model.version.seq++;
    snprintf(model.game, sizeof model.game, "a game at number %d", number);
    model.changed |= SECTION_GAME;
}

static void whisper(int seat, int number)
{
    snprintf(model.mine[seat], sizeof model.mine[seat], "a secret%d of number %d", seat, number);
    model.changed |= SECTION_MINE;
    model.mine_changed[seat] = true;
}

/* The last frame of a room that was written to the socket. */
static const struct yard_frame *last(uint64_t socket)
{
    for (int i = yard.frame_count; i-- > 0;)
        if (yard.frames[i].socket == socket && yard.frames[i].frame.kind == SERVER_ROOM)
            return &yard.frames[i];
    fail_msg("no frame of a room");
    return NULL;
}

static void assert_shows(uint64_t socket, int seat)
{
    const struct delta_base *screen = &yard.screens[socket].base;
    const char *mine = seat < 0 ? "" : model.mine[seat];
    assert_int_equal(version_compare(screen->version, model.version), 0);
    assert_true(slice_equal(screen->room, slice_text(model.room)));
    assert_true(slice_equal(screen->presence, slice_text(model.presence)));
    assert_true(slice_equal(screen->game, slice_text(model.game)));
    assert_true(slice_equal(screen->mine, slice_text(mine)));
    assert_int_equal(screen->game_version, model.version.seq);
    assert_int_equal(screen->room_time, 1000 + model.version.seq);
}

static void who_has_the_version_before_is_sent_a_patch(void **state)
{
    (void)state;
    uint64_t player = enter(0, 1), watcher = enter(-1, 0);
    for (int n = 10; n < 20; n++) {
        move(n);
        tell();
        if (n == 10) continue; /* of what was there before nothing is left */
        assert_int_equal(last(player)->patched, SECTION_GAME);
        assert_int_equal(last(watcher)->patched, SECTION_GAME);
        assert_true(last(player)->bytes.len < 50); /* its event is most of it */
        assert_shows(player, 0);
        assert_shows(watcher, -1);
    }
}

static void several_updates_at_once_are_one_patch(void **state)
{
    (void)state;
    uint64_t player = enter(0, 1);
    struct envelope two[2];
    move(10);
    tell();
    move(11);
    two[0] = *model_update(&model, false);
    two[0].u.update.game = slice_text("a game at place 11"); /* what nobody is sent */
    two[0].u.update.events = NULL;
    two[0].u.update.event_count = 0;
    move(12);
    strcpy(model.game, "a game at place 12");
    two[1] = *model_update(&model, false);
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = YARD_WORKER,
                          .peer_url = YARD_URL,
                          .list = two,
                          .count = 2};
    yard_forget(&yard);
    yard_step(&yard, &event);
    assert_int_equal(yard_count(&yard, player, SERVER_ROOM), 1);
    assert_int_equal(last(player)->patched, SECTION_GAME);
    assert_int_equal(last(player)->frame.u.room.since, model.version.seq - 2);
    assert_shows(player, 0);
}

static void who_has_missed_a_version_is_sent_the_whole_section(void **state)
{
    (void)state;
    uint64_t slow = enter(0, 1), quick = enter(1, 1);
    move(10);
    tell();
    yard.slow[slow] = true;
    for (int n = 11; n < 14; n++) {
        move(n);
        tell();
        assert_int_equal(last(quick)->patched, SECTION_GAME);
    }
    yard.slow[slow] = false;
    yard_writable(&yard, slow);
    assert_int_equal(last(slow)->patched, 0);
    assert_true(last(slow)->frame.u.room.since > 0);
    assert_shows(slow, 0);
    /* It was written the newest while another one was on its way: both have the same base now. */
    yard.slow[slow] = true;
    yard_writable(&yard, slow);
    move(14);
    tell();
    move(15);
    tell();
    yard.slow[slow] = false;
    yard_writable(&yard, slow);
    move(16);
    tell();
    assert_int_equal(last(slow)->patched, SECTION_GAME);
    assert_int_equal(last(quick)->patched, SECTION_GAME);
    assert_shows(slow, 0);
    assert_shows(quick, 1);
}

static void who_was_written_to_in_the_midst_of_a_step_is_not_taken_for_the_others(void **state)
{
    (void)state;
    uint64_t player = enter(0, 1), other = enter(1, 1);
    move(10);
    tell();
    move(11);
    struct envelope list[2];
    list[0] = *model_whole_for(&model, player, 0); /* for one client alone: it is written at once */
    list[0].u.update.game = arena_copy(&yard.arena, slice_text(model.game));
    list[0].u.update.privates[1] = (struct update_private){1, slice_text(model.mine[1])};
    list[0].u.update.private_count = 2;
    move(12);
    list[1] = *model_update(&model, false);
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = YARD_WORKER,
                          .peer_url = YARD_URL,
                          .list = list,
                          .count = 2};
    yard_step(&yard, &event);
    yard_writable(&yard, player);
    assert_shows(player, 0);
    assert_shows(other, 1);
    assert_int_equal(last(other)->patched, SECTION_GAME);
}

static void a_resync_brings_whole_sections_and_patches_go_on_from_there(void **state)
{
    (void)state;
    uint64_t player = enter(0, 1);
    move(10);
    tell();
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    yard_say(&yard, player, &resync);
    assert_int_equal(last(player)->patched, 0);
    assert_int_equal(last(player)->frame.u.room.since, 0);
    move(11);
    tell();
    assert_int_equal(last(player)->patched, SECTION_GAME);
    assert_shows(player, 0);
}

static void private_parts_are_patched_for_their_holder(void **state)
{
    (void)state;
    uint64_t player = enter(2, 1), other = enter(1, 1);
    whisper(2, 10);
    tell();
    whisper(2, 11);
    yard_forget(&yard);
    tell();
    assert_int_equal(last(player)->patched, SECTION_MINE);
    assert_int_equal(yard_count(&yard, other, SERVER_ROOM), 0);
    assert_shows(player, 2);
    assert_shows(other, 1);
}

/* What one holder was told and the next one is told differ by a byte: no frame may say so. */
static void nothing_is_made_from_what_a_former_holder_was_told(void **state)
{
    (void)state;
    enter(2, 1);
    uint64_t witness = enter(-1, 0);
    whisper(2, 10);
    tell();
    /* In one step: another person sits there, and is told its part, and then a newer one. */
    uint64_t next = yard_guest(&yard);
    yard_join(&yard, next, (struct client_join){.generation = 2});
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE), reply);
    struct envelope list[3] = {{.kind = ENV_ATTACHED}};
    list[0].u.attached = (struct env_attached){.room = yard_room(),
                                               .client = next,
                                               .epoch = 100,
                                               .seat = 2,
                                               .generation = 2,
                                               .code = YARD_CODE};
    whisper(2, 11);
    list[1] = *model_update(&model, true);
    list[1].u.update.privates[0].mine = arena_copy(&yard.arena, slice_text(model.mine[2]));
    whisper(2, 12);
    list[2] = *model_update(&model, false);
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = YARD_WORKER,
                          .peer_url = YARD_URL,
                          .list = list,
                          .count = 3};
    yard_forget(&yard);
    yard_step(&yard, &event);
    for (int i = 0; i < yard.frame_count; i++)
        assert_int_equal(yard.frames[i].patched & SECTION_MINE, 0);
    assert_shows(next, 2);
    whisper(2, 13);
    tell();
    assert_int_equal(last(next)->patched, SECTION_MINE);
    assert_shows(next, 2);
    assert_shows(witness, -1);
}

static void a_section_that_was_empty_comes_whole_and_one_that_became_empty_too(void **state)
{
    (void)state;
    uint64_t player = enter(1, 1);
    model.version.seq++;
    model.mine[1][0] = '\0';
    model.mine_changed[1] = true;
    model.changed |= SECTION_MINE;
    tell();
    assert_int_equal(last(player)->frame.u.room.since, 0);
    assert_shows(player, 1);
    whisper(1, 10);
    tell();
    assert_int_equal(last(player)->patched, 0);
    assert_true(last(player)->frame.u.room.since > 0);
    assert_shows(player, 1);
}

/* Two gateways share a room and nothing else: each has its own clients' bases. */
static void another_gateway_begins_with_the_whole(void **state)
{
    (void)state;
    static struct yard second;
    uint64_t here = enter(0, 1);
    move(10);
    tell();
    yard_open(&second);
    uint64_t there = yard_seated(&second, 1, 1);
    yard_worker_says(&second, model_whole_for(&model, there, 1));
    for (int n = 11; n < 14; n++) {
        move(n);
        whisper(1, n);
        struct envelope update = *model_update(&model, false);
        update.u.update.private_count = 0;
        yard_worker_says(&yard, &update);
        update.u.update.privates[0] = (struct update_private){1, slice_text(model.mine[1])};
        update.u.update.private_count = 1;
        yard_worker_says(&second, &update);
        assert_int_equal(last(here)->patched, SECTION_GAME);
        assert_shows(here, 0);
        assert_true(slice_equal(second.screens[there].base.game, slice_text(model.game)));
        assert_true(slice_equal(second.screens[there].base.mine, slice_text(model.mine[1])));
    }
    yard_close(&second);
}

static void a_new_owner_begins_with_the_whole(void **state)
{
    (void)state;
    uint64_t player = enter(0, 1);
    move(10);
    tell();
    move(11);
    model.version.epoch = 101;
    model.sent = 0;
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, model_update(&model, true));
    assert_int_equal(last(player)->patched, 0);
    assert_int_equal(last(player)->frame.u.room.since, 0);
    assert_shows(player, 0);
}

static void who_is_sent_the_same_is_sent_the_same_bytes_once_made(void **state)
{
    (void)state;
    uint64_t sockets[5];
    for (int v = 0; v < 5; v++) sockets[v] = enter(v - 1, 1);
    move(10);
    tell();
    move(11);
    const struct envelope *update = model_update(&model, false);
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = YARD_WORKER,
                          .peer_url = YARD_URL,
                          .list = update,
                          .count = 1};
    /* Its event has a part for one seat: that one's frame alone is another. */
    int whose = (int)(model.version.seq % MODEL_SEATS);
    for (int v = 0; v < 5; v++) yard.slow[sockets[v]] = true; /* no step follows that */
    yard_step(&yard, &event);
    const uint8_t *shared = NULL;
    int sends = 0;
    for (size_t i = 0; i < yard.out.count; i++) {
        const struct effect *effect = &yard.out.list[i];
        if (effect->kind != EFFECT_SOCKET_SEND) continue;
        sends++;
        if (effect->socket == sockets[whose + 1]) continue;
        if (shared == NULL) shared = effect->frame.at;
        assert_ptr_equal(effect->frame.at, shared);
    }
    assert_int_equal(sends, 5);
    for (int v = 0; v < 5; v++) assert_shows(sockets[v], v - 1);
}

#define IN_A_YARD(name) cmocka_unit_test_setup_teardown(name, open_yard, close_yard)

int main(void)
{
    return RUN_TESTS(IN_A_YARD(who_has_the_version_before_is_sent_a_patch),
                     IN_A_YARD(several_updates_at_once_are_one_patch),
                     IN_A_YARD(who_has_missed_a_version_is_sent_the_whole_section),
                     IN_A_YARD(
                         who_was_written_to_in_the_midst_of_a_step_is_not_taken_for_the_others),
                     IN_A_YARD(a_resync_brings_whole_sections_and_patches_go_on_from_there),
                     IN_A_YARD(private_parts_are_patched_for_their_holder),
                     IN_A_YARD(nothing_is_made_from_what_a_former_holder_was_told),
                     IN_A_YARD(a_section_that_was_empty_comes_whole_and_one_that_became_empty_too),
                     IN_A_YARD(another_gateway_begins_with_the_whole),
                     IN_A_YARD(a_new_owner_begins_with_the_whole),
                     IN_A_YARD(who_is_sent_the_same_is_sent_the_same_bytes_once_made));
}
