/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms that move: a dead worker, a hand-over, a broken stream, an old owner that still talks.
 */
#include "unit/gateway/room_model.h"

static enum notice_kind last_notice(struct yard *yard, uint64_t socket)
{
    const struct server_frame *frame = yard_last(yard, socket, SERVER_NOTICE);
    return frame ? frame->u.notice : 0;
}

static void a_dead_owner_is_replaced_and_everybody_goes_on_with_what_they_had(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 1);
    uint64_t player = yard_seated(&yard, 1, 3), watcher = yard_watching(&yard);
    model.here[1] = true;
    yard_worker_says(&yard, model_update(&model, true));
    model_change(&model);
    model_change(&model);
    yard_worker_says(&yard, model_update(&model, false));
    yard_act(&yard, player, 3, 8);
    yard_act(&yard, player, 3, 9);
    yard_forget(&yard);

    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, 100);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1); /* for the room, not a client */
    assert_true(yard_last_request(&yard, REQ_RESOLVE)->request.room == yard_room());
    assert_int_equal(yard_last_request(&yard, REQ_RESOLVE)->request.stale_epoch, 100);
    assert_int_equal(last_notice(&yard, player), 0);
    yard_act(&yard, player, 3, 10); /* kept meanwhile */
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0);
    yard_resolve_at(&yard, 101);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 2);
    for (int i = 0; i < yard.post_count; i++) {
        const struct env_attach *attach = &yard.posts[i].envelope.u.attach;
        assert_true(id128_equal(yard.posts[i].peer, YARD_WORKER_2));
        assert_int_equal(attach->have.epoch, 100);
        assert_true(attach->have.seq == model.version.seq);
        assert_int_equal(attach->intent, attach->client == player ? ATTACH_SEAT : ATTACH_WATCH);
        assert_int_equal(attach->generation, attach->client == player ? 3 : 0);
        assert_false(attach->take_over);
    }
    int seats = yard_count(&yard, player, SERVER_SEAT);
    yard_attached(&yard, player, 101, 1, 3, 8);
    assert_int_equal(yard_count(&yard, player, SERVER_SEAT), seats); /* nothing new for it */
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 3);
    for (int i = 0, counter = 8; i < yard.post_count; i++)
        if (yard.posts[i].envelope.kind == ENV_ACT)
            assert_int_equal(yard.posts[i].envelope.u.act.counter, counter++);
    assert_int_equal(last_notice(&yard, player), 0); /* quick enough to go unnoticed */

    /* The new owner's first frame is whole. */
    yard_attached(&yard, watcher, 101, -1, 0, 0);
    model.version.epoch = 101;
    model_change(&model);
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, model_update(&model, true));
    assert_int_equal(yard_last(&yard, player, SERVER_ROOM)->u.room.since, 0);
    assert_int_equal(yard_last(&yard, player, SERVER_ROOM)->u.room.version.epoch, 101);
    yard_close(&yard);
}

static const struct envelope *said_by_itself(uint64_t epoch)
{
    static struct envelope moved;
    moved = (struct envelope){.kind = ENV_MOVED};
    moved.u.moved = (struct env_moved){
        .room = yard_room(), .epoch = epoch, .to = YARD_WORKER_2, .to_url = YARD_URL_2};
    return &moved;
}

static void a_new_owner_that_says_so_itself_is_gone_to_at_once(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_forget(&yard);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, said_by_itself(101));
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 1);
    yard_attached(&yard, player, 101, 1, 3, 0);
    yard_forget(&yard);
    yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0); /* nobody else was asked */
    yard_close(&yard);
}

static void a_new_owner_is_believed_before_the_former_is_known_to_be_dead(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard_seated(&yard, 1, 3);
    yard_forget(&yard);
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, said_by_itself(100)); /* no newer than known */
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 0);
    yard_envelope(&yard, YARD_WORKER, YARD_URL, said_by_itself(101)); /* goes where it is sent */
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 1);
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, said_by_itself(102));
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, 100);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
    yard_close(&yard);
}

static void of_many_rooms_lost_at_once_few_are_asked_for_at_a_time(void **unused)
{
    (void)unused;
    enum { ROOMS = 400 };
    struct yard yard;
    yard_open(&yard);
    for (uint32_t i = 0; i < ROOMS; i++) {
        uint64_t socket = yard_guest(&yard);
        char code[WIRE_CODE_LEN + 1];
        code_write(i + 1, code);
        yard_join(&yard, socket, (struct client_join){.code = code, .name = "u"});
        struct placed placed = yard_placed(100, YARD_WORKER, YARD_URL);
        placed.room = room_id_make(i + 1, 1);
        placed.code = code;
        yard_resolve(&yard, (struct reply){.kind = REQ_RESOLVE, .placed = placed});
    }
    yard_forget(&yard);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, 100);
    assert_true(yard_count_requests(&yard, REQ_RESOLVE) < ROOMS / 4);
    yard_pass(&yard, 5000);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), ROOMS);
    yard_close(&yard);
}

/* Of other rooms: it works, and what was sent to it is there. */
static void speaks(struct yard *yard, instant_ms ms)
{
    struct envelope other = {.kind = ENV_PAUSED};
    other.u.paused = (struct env_paused){.room = room_id_make(77, 1), .epoch = 1};
    for (instant_ms passed = 0; passed < ms; passed += 500) {
        yard_envelope(yard, YARD_WORKER, YARD_URL, &other);
        yard_pass(yard, 500);
    }
}

static void an_owner_that_is_behind_keeps_its_rooms_and_is_not_pressed(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard.members[0] = (struct member){.kind = SERVICE_WORKER,
                                      .instance = YARD_WORKER,
                                      .inbox_url = YARD_URL,
                                      .control_url = "",
                                      .build = ""};
    yard.member_count = 1;
    yard_pass(&yard, 2 * GATEWAY_HEARTBEAT_MS);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL); /* everybody comes in again */
    yard_act(&yard, player, 3, 1);
    yard_forget(&yard);
    speaks(&yard, 3 * GATEWAY_RESEND_MS);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 2); /* after 1 s, and after 2 s more */
    speaks(&yard, 3 * GATEWAY_RESEND_MS);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 2);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
    /* Silent, it has no such credit. */
    yard_pass(&yard, 4 * GATEWAY_RESEND_MS);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void players_hear_when_it_takes_longer_and_when_it_is_over(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, GATEWAY_UNREACHABLE_MS - 1);
    assert_int_equal(last_notice(&yard, player), 0);
    yard_pass(&yard, 1);
    assert_int_equal(last_notice(&yard, player), NOTICE_ROOM_UNREACHABLE);
    for (int i = 0; i < 8; i++) {
        yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE),
                   (struct reply){.kind = REQ_RESOLVE, .pending = true});
        yard_forget(&yard);
        yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
        assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
        assert_int_equal(yard_count(&yard, player, SERVER_NOTICE), 0); /* once is enough */
    }
    yard_resolve_at(&yard, 101);
    yard_attached(&yard, player, 101, 1, 3, 0);
    assert_int_equal(last_notice(&yard, player), NOTICE_ROOM_BACK);
    yard_close(&yard);
}

static void a_room_that_nobody_has_any_more_is_closed(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, 100);
    yard_reply(&yard, yard_last_request(&yard, REQ_RESOLVE),
               (struct reply){.kind = REQ_RESOLVE, .status = ST_UNKNOWN});
    assert_int_equal(yard_last(&yard, player, SERVER_DETACHED)->u.detached, DROPPED_CLOSED);
    assert_int_equal(yard_closed(&yard, player), 0);
    yard_close(&yard);
}

static void nothing_of_an_older_epoch_gets_through(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 2);
    uint64_t player = yard_seated(&yard, 1, 3);
    model.here[1] = true;
    yard_worker_says(&yard, model_update(&model, true));
    yard_act(&yard, player, 3, 1);
    struct envelope moved = {.kind = ENV_MOVED};
    moved.u.moved = (struct env_moved){
        .room = yard_room(), .epoch = 101, .to = YARD_WORKER_2, .to_url = YARD_URL_2};
    yard_worker_says(&yard, &moved);
    assert_true(id128_equal(yard.posts[yard.post_count - 1].peer, YARD_WORKER_2));
    yard_attached(&yard, player, 101, 1, 3, 0);
    yard_forget(&yard);

    model_change(&model);
    yard_worker_says(&yard, model_update(&model, true));
    yard_answer(&yard, player, 3, 1, false);
    struct envelope dropped = {.kind = ENV_DROPPED};
    dropped.u.dropped = (struct env_dropped){yard_room(), player, 100, DROPPED_CLOSED};
    yard_worker_says(&yard, &dropped);
    struct envelope refused = {.kind = ENV_ATTACH_REFUSED};
    refused.u.attach_refused = (struct env_attach_refused){.room = yard_room(),
                                                           .client = player,
                                                           .why = {.code = REASON_KICKED}};
    yard_worker_says(&yard, &refused);
    moved.u.moved.gone = true;
    yard_worker_says(&yard, &moved);
    struct envelope paused = {.kind = ENV_PAUSED};
    paused.u.paused = (struct env_paused){yard_room(), 100, true};
    yard_worker_says(&yard, &paused);
    assert_int_equal(yard.frame_count, 0);
    assert_int_equal(yard.post_count, 0);

    model.version.epoch = 101;
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, model_update(&model, true));
    assert_int_equal(yard_count(&yard, player, SERVER_ROOM), 1);
    yard_close(&yard);
}

/* The new owner has let it in, and its view is still on its way: what is kept is of the former. */
static void who_comes_in_is_shown_nothing_of_a_former_owner(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 100, 2);
    uint64_t player = yard_seated(&yard, 1, 3);
    model.here[1] = true;
    yard_worker_says(&yard, model_update(&model, true));
    uint64_t late = yard_guest(&yard);
    yard_join(&yard, late, (struct client_join){.spectate = true});
    yard_resolve_at(&yard, 100);
    yard_forget(&yard);
    yard_attached(&yard, late, 101, -1, 0, 0);
    assert_int_equal(yard_count(&yard, late, SERVER_SEAT), 1);
    assert_int_equal(yard_count(&yard, late, SERVER_ROOM), 0);
    assert_int_equal(yard_count(&yard, player, SERVER_ROOM), 0);

    model.version.epoch = 101;
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, model_update(&model, true));
    assert_int_equal(yard_count(&yard, late, SERVER_ROOM), 1);
    yard_close(&yard);
}

static void a_newer_epoch_makes_its_sender_the_owner(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_forget(&yard);
    yard_attached(&yard, player, 105, 1, 3, 0);
    yard_act(&yard, player, 3, 1);
    assert_true(id128_equal(yard.posts[yard.post_count - 1].peer, YARD_WORKER_2));
    yard_close(&yard);
}

static void a_broken_stream_makes_everybody_come_in_again_and_repeats_what_may_be_lost(
    void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3), gone = yard_seated(&yard, 2, 4);
    yard_act(&yard, player, 3, 1);
    yard_hang_up(&yard, gone);
    yard_forget(&yard);
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 1);
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.generation, 3);
    assert_int_equal(yard_last_post(&yard, ENV_DETACH)->u.client.client, gone);
    yard_attached(&yard, player, 100, 1, 3, 0);
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.counter, 1);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
    yard_close(&yard);
}

static void another_process_behind_the_same_address_is_not_the_owner(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard_seated(&yard, 1, 3);
    yard_forget(&yard);
    yard_peer(&yard, EVENT_PEER_RESET, (struct id128){{55}}, YARD_URL);
    yard_pass(&yard, 100);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void a_worker_that_the_matchmakers_call_silent_or_gone_loses_its_rooms(void **unused)
{
    (void)unused;
    for (int gone = 0; gone < 2; gone++) {
        struct yard yard;
        yard_open(&yard);
        yard.members[yard.member_count++] = (struct member){
            .kind = SERVICE_WORKER,
            .instance = YARD_WORKER,
            .inbox_url = YARD_URL,
            .control_url = "tcp://10.0.0.1:7002",
            .build = "test",
        };
        yard_pass(&yard, 300);
        uint64_t player = yard_seated(&yard, 1, 3);
        yard_forget(&yard);
        yard_pass(&yard, 3000);
        assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
        yard.members[1].silent_ms = 1600;
        if (gone) yard.member_count--;
        yard_pass(&yard, 5000);
        assert_true(yard_count_requests(&yard, REQ_RESOLVE) > 0);
        assert_int_equal(last_notice(&yard, player), NOTICE_ROOM_UNREACHABLE);
        yard_close(&yard);
    }
}

static void a_room_that_cannot_confirm_writes_says_so(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    struct envelope paused = {.kind = ENV_PAUSED};
    paused.u.paused = (struct env_paused){yard_room(), 100, true};
    yard_worker_says(&yard, &paused);
    yard_worker_says(&yard, &paused);
    assert_int_equal(last_notice(&yard, player), NOTICE_ROOM_UNREACHABLE);
    assert_int_equal(yard_count(&yard, player, SERVER_NOTICE), 1);
    /* Meanwhile it answers nothing, and that is no reason to look for another owner. */
    yard_act(&yard, player, 3, 1);
    yard_forget(&yard);
    yard_pass(&yard, 6000);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
    assert_true(yard_count_posts(&yard, ENV_ACT) > 0);
    paused.u.paused.paused = false;
    yard_worker_says(&yard, &paused);
    assert_int_equal(last_notice(&yard, player), NOTICE_ROOM_BACK);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(a_dead_owner_is_replaced_and_everybody_goes_on_with_what_they_had),
        cmocka_unit_test(a_new_owner_that_says_so_itself_is_gone_to_at_once),
        cmocka_unit_test(a_new_owner_is_believed_before_the_former_is_known_to_be_dead),
        cmocka_unit_test(of_many_rooms_lost_at_once_few_are_asked_for_at_a_time),
        cmocka_unit_test(an_owner_that_is_behind_keeps_its_rooms_and_is_not_pressed),
        cmocka_unit_test(players_hear_when_it_takes_longer_and_when_it_is_over),
        cmocka_unit_test(a_room_that_nobody_has_any_more_is_closed),
        cmocka_unit_test(nothing_of_an_older_epoch_gets_through),
        cmocka_unit_test(who_comes_in_is_shown_nothing_of_a_former_owner),
        cmocka_unit_test(a_newer_epoch_makes_its_sender_the_owner),
        cmocka_unit_test(
            a_broken_stream_makes_everybody_come_in_again_and_repeats_what_may_be_lost),
        cmocka_unit_test(another_process_behind_the_same_address_is_not_the_owner),
        cmocka_unit_test(a_worker_that_the_matchmakers_call_silent_or_gone_loses_its_rooms),
        cmocka_unit_test(a_room_that_cannot_confirm_writes_says_so));
}
