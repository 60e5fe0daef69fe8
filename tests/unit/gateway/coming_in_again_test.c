/* SPDX-License-Identifier: Apache-2.0
 *
 * Players of a room that moved come in again: with their seats, generations and acts.
 */
#include "unit/gateway/room_model.h"

static void a_newer_window_elsewhere_is_heard_when_coming_in_again(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL);
    struct envelope refused = {.kind = ENV_ATTACH_REFUSED};
    refused.u.attach_refused = (struct env_attach_refused){.room = yard_room(),
                                                           .client = player,
                                                           .why = {.code = REASON_OTHER_WINDOW}};
    yard_worker_says(&yard, &refused);
    assert_int_equal(yard_last(&yard, player, SERVER_DETACHED)->u.detached, DROPPED_OTHER_WINDOW);
    yard_close(&yard);
}

static void a_new_generation_drops_the_acts_of_the_old_one(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_act(&yard, player, 3, 1);
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL);
    yard_forget(&yard);
    yard_attached(&yard, player, 100, 1, 4, 0);
    assert_int_equal(yard_last(&yard, player, SERVER_SEAT)->u.seat.generation, 4);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 0); /* the browser sends it anew */
    yard_close(&yard);
}

/* The new owner's log may have lost an end: what it says counts, even when it counts less. */
static void a_new_owner_may_grant_a_lower_generation(void **unused)
{
    (void)unused;
    struct yard yard;
    struct room_model model;
    yard_open(&yard);
    model_open(&model, 101, 3);
    uint64_t player = yard_seated(&yard, 1, 9);
    yard_attached(&yard, player, 100, 1, 8, 0); /* late, of the same owner: nothing */
    assert_int_equal(yard_last(&yard, player, SERVER_SEAT)->u.seat.generation, 9);
    yard_attached(&yard, player, 101, 1, 8, 0);
    assert_int_equal(yard_last(&yard, player, SERVER_SEAT)->u.seat.generation, 8);
    struct envelope whole = *model_whole_for(&model, player, 1);
    yard_envelope(&yard, YARD_WORKER_2, YARD_URL_2, &whole);
    assert_int_equal(yard_count(&yard, player, SERVER_ROOM), 1);
    yard_act(&yard, player, 8, 1);
    assert_int_equal(yard_last_post(&yard, ENV_ACT)->u.act.generation, 8);
    yard_close(&yard);
}

static void a_lost_attach_is_sent_again_and_an_owner_that_answers_none_is_looked_for(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    yard_resolve_at(&yard, 100);
    yard_forget(&yard);
    yard_pass(&yard, GATEWAY_RESENDS_MAX * GATEWAY_RESEND_MS);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), GATEWAY_RESENDS_MAX);
    yard_pass(&yard, GATEWAY_RESEND_MS + 100);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_pass(&yard, GATEWAY_ENTER_MS);
    assert_int_equal(yard_refused(&yard, socket), REASON_BUSY);
    yard_close(&yard);
}

static void a_leave_during_a_move_reaches_the_new_owner(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    struct client_frame leave = {.kind = CLIENT_LEAVE};
    yard_say(&yard, player, &leave);
    yard_pass(&yard, 100);
    assert_int_equal(yard_count_posts(&yard, ENV_LEAVE), 0);
    yard_resolve_at(&yard, 101);
    assert_int_equal(yard_count_posts(&yard, ENV_LEAVE), 0); /* it must know the seat first */
    yard_attached(&yard, player, 101, 1, 3, 0);
    assert_int_equal(yard_count_posts(&yard, ENV_LEAVE), 1);
    assert_true(id128_equal(yard.posts[yard.post_count - 1].peer, YARD_WORKER_2));
    yard_close(&yard);
}

static void come_in_again_is_heeded(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    yard_act(&yard, player, 3, 1);
    yard_forget(&yard);
    struct envelope moved = {.kind = ENV_MOVED};
    moved.u.moved = (struct env_moved){
        .room = yard_room(), .epoch = 100, .to = YARD_WORKER, .to_url = YARD_URL};
    yard_worker_says(&yard, &moved);
    yard_worker_says(&yard, &moved);
    assert_int_equal(yard_count_posts(&yard, ENV_ATTACH), 1);
    yard_attached(&yard, player, 100, 1, 3, 0);
    assert_int_equal(yard_count_posts(&yard, ENV_ACT), 1);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_newer_window_elsewhere_is_heard_when_coming_in_again),
                     cmocka_unit_test(a_new_generation_drops_the_acts_of_the_old_one),
                     cmocka_unit_test(a_new_owner_may_grant_a_lower_generation),
                     cmocka_unit_test(
                         a_lost_attach_is_sent_again_and_an_owner_that_answers_none_is_looked_for),
                     cmocka_unit_test(a_leave_during_a_move_reaches_the_new_owner),
                     cmocka_unit_test(come_in_again_is_heeded));
}
