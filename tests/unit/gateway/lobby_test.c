/* SPDX-License-Identifier: Apache-2.0
 *
 * Before a room: quick match and the list of public rooms.
 */
#include "unit/gateway/yard.h"

static void quick(struct yard *yard, uint64_t socket)
{
    struct client_frame frame = {.kind = CLIENT_QUICK};
    frame.u.quick = (struct client_quick){"toy", "민수"};
    yard_say(yard, socket, &frame);
}

static void add_matchmaker(struct yard *yard, uint8_t id, const char *url)
{
    yard->members[yard->member_count++] = (struct member){
        .kind = SERVICE_MATCHMAKER,
        .instance = {{id}},
        .inbox_url = "",
        .control_url = url,
        .build = "test",
    };
}

static void a_ticket_is_asked_for_until_it_is_matched(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    quick(&yard, socket);
    const struct yard_request *first = yard_last_request(&yard, REQ_TICKET);
    assert_string_equal(first->url, "tcp://10.0.0.3:7003");
    assert_string_equal(first->request.game, "toy");
    struct id128 ticket = first->request.ticket;
    struct reply waiting = {
        .kind = REQ_TICKET, .pending = true, .waiting = 2, .needed = 3, .left_ms = 9000};
    yard_reply(&yard, first, waiting);
    const struct server_quick *status = &yard_last(&yard, socket, SERVER_QUICK)->u.quick;
    assert_string_equal(status->game, "toy");
    assert_int_equal(status->waiting, 2);
    assert_int_equal(status->needed, 3);
    assert_int_equal(status->left_ms, 9000);
    yard_pass(&yard, 3 * GATEWAY_TICKET_MS);
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET), 4);
    assert_true(id128_equal(yard_last_request(&yard, REQ_TICKET)->request.ticket, ticket));
    struct reply matched = {.kind = REQ_TICKET, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_TICKET), matched);
    assert_int_equal(yard_last(&yard, socket, SERVER_NOTICE)->u.notice, NOTICE_MATCHED);
    const struct env_attach *attach = &yard_last_post(&yard, ENV_ATTACH)->u.attach;
    assert_string_equal(attach->name, "민수");
    assert_int_equal(attach->intent, ATTACH_SEAT);
    yard_attached(&yard, socket, 100, 0, 1, 0);
    yard_forget(&yard);
    yard_pass(&yard, 3000);
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET), 0);
    yard_close(&yard);
}

/* Two matchmakers, and a ticket with one of them; returns which. */
static int open_with_ticket(struct yard *yard, uint64_t *socket)
{
    yard_open(yard);
    add_matchmaker(yard, 4, "tcp://10.0.0.4:7003");
    yard_pass(yard, 300);
    *socket = yard_guest(yard);
    quick(yard, *socket);
    const struct yard_request *first = yard_last_request(yard, REQ_TICKET);
    struct reply waiting = {.kind = REQ_TICKET, .pending = true, .waiting = 1};
    yard_reply(yard, first, waiting);
    return strcmp(first->url, yard->members[0].control_url) == 0 ? 0 : 1;
}

static void a_ticket_is_handed_to_the_next_matchmaker_under_the_same_id(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket;
    int named = open_with_ticket(&yard, &socket);
    struct yard_request first = *yard_last_request(&yard, REQ_TICKET);
    yard.members[named].draining = true;
    yard_pass(&yard, 1000);
    /* It is taken back from the one that has it, */
    const struct yard_request *back = yard_last_request(&yard, REQ_TICKET_CANCEL);
    assert_string_equal(back->url, first.url);
    assert_true(id128_equal(back->request.ticket, first.request.ticket));
    assert_string_equal(yard_last_request(&yard, REQ_TICKET)->url, first.url);
    yard_reply(&yard, back, (struct reply){.kind = REQ_TICKET_CANCEL});
    /* and goes to the other at once. */
    const struct yard_request *next = yard_last_request(&yard, REQ_TICKET);
    assert_string_not_equal(next->url, first.url);
    assert_true(id128_equal(next->request.ticket, first.request.ticket));
    yard_close(&yard);
}

static void a_match_that_was_made_before_the_hand_over_counts(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket;
    int named = open_with_ticket(&yard, &socket);
    yard.members[named].draining = true;
    yard_pass(&yard, 1000);
    yard_reply(&yard, yard_last_request(&yard, REQ_TICKET_CANCEL),
               (struct reply){.kind = REQ_TICKET_CANCEL, .pending = true});
    yard_forget(&yard);
    yard_pass(&yard, GATEWAY_TICKET_MS);
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET), 0);
    struct reply made = {.kind = REQ_TICKET_CANCEL,
                         .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_TICKET_CANCEL), made);
    assert_int_equal(yard_last(&yard, socket, SERVER_NOTICE)->u.notice, NOTICE_MATCHED);
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.client, socket);
    yard_close(&yard);
}

static void a_matchmaker_that_is_gone_or_silent_keeps_no_ticket(void **unused)
{
    (void)unused;
    struct yard yard;
    uint64_t socket;
    /* In nobody's list any more. */
    int named = open_with_ticket(&yard, &socket);
    const char *first = yard_last_request(&yard, REQ_TICKET)->url;
    if (named == 0) yard.members[0] = yard.members[1];
    yard.member_count = 1;
    yard_pass(&yard, 4500);
    assert_string_not_equal(yard_last_request(&yard, REQ_TICKET)->url, first);
    yard_close(&yard);
    /* In the list, but without an answer. */
    named = open_with_ticket(&yard, &socket);
    first = yard_last_request(&yard, REQ_TICKET)->url;
    yard.members[named].draining = true;
    yard_pass(&yard, 6 * GATEWAY_TICKET_MS);
    assert_string_not_equal(yard_last_request(&yard, REQ_TICKET)->url, first);
    yard_close(&yard);
}

/* Its ticket cannot be taken back: the next one finds in the store what became of it. */
static void a_matchmaker_that_does_not_answer_itself_loses_its_tickets(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    const char *own = yard.config.matchmakers[0];
    add_matchmaker(&yard, 4, "tcp://10.0.0.4:7003");
    yard_pass(&yard, 300);
    quick(&yard, yard_guest(&yard));
    for (uint8_t other = 5; strcmp(yard_last_request(&yard, REQ_TICKET)->url, own) != 0; other++) {
        yard.members[1].instance.byte[0] = other;
        yard_pass(&yard, 4000);
    }
    struct yard_request first = *yard_last_request(&yard, REQ_TICKET);
    /* From now on only the other one calls it alive. */
    struct member there = yard.members[0];
    yard.members[0] = yard.members[1];
    yard.members[1] = there;
    yard_forget(&yard);
    yard_pass(&yard, 1000 + GATEWAY_HEARTBEAT_MS + GATEWAY_TICKET_MS);
    const struct yard_request *next = yard_last_request(&yard, REQ_TICKET);
    assert_string_equal(next->url, yard.members[0].control_url);
    assert_true(id128_equal(next->request.ticket, first.request.ticket));
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET_CANCEL), 0);
    yard_close(&yard);
}

static void a_matchmaker_that_was_started_again_is_asked_for_the_same_ticket(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard_pass(&yard, 300);
    quick(&yard, yard_guest(&yard));
    struct id128 ticket = yard_last_request(&yard, REQ_TICKET)->request.ticket;
    yard.members[0].instance.byte[0] = 33;
    yard_forget(&yard);
    yard_pass(&yard, GATEWAY_HEARTBEAT_MS + GATEWAY_TICKET_MS);
    assert_true(id128_equal(yard_last_request(&yard, REQ_TICKET)->request.ticket, ticket));
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET_CANCEL), 0);
    yard_close(&yard);
}

static void two_gateways_name_the_same_matchmaker(void **unused)
{
    (void)unused;
    struct yard one, two;
    yard_open(&one);
    yard_open(&two);
    for (uint8_t i = 0; i < 3; i++) {
        static const char *const urls[] = {"tcp://a:1", "tcp://b:1", "tcp://c:1"};
        add_matchmaker(&one, (uint8_t)(20 + i), urls[i]);
        add_matchmaker(&two, (uint8_t)(22 - i), urls[2 - i]); /* in another order */
    }
    yard_pass(&one, 300);
    yard_pass(&two, 300);
    quick(&one, yard_guest(&one));
    quick(&two, yard_guest(&two));
    assert_string_equal(yard_last_request(&one, REQ_TICKET)->url,
                        yard_last_request(&two, REQ_TICKET)->url);
    yard_close(&one);
    yard_close(&two);
}

static void cancelling_or_going_takes_the_ticket_back(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    quick(&yard, socket);
    struct id128 ticket = yard_last_request(&yard, REQ_TICKET)->request.ticket;
    struct client_frame cancel = {.kind = CLIENT_CANCEL_QUICK};
    yard_say(&yard, socket, &cancel);
    assert_true(id128_equal(yard_last_request(&yard, REQ_TICKET_CANCEL)->request.ticket, ticket));
    yard_say(&yard, socket, &cancel); /* crossed: nothing to say */
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET_CANCEL), 1);
    assert_int_equal(yard_refused(&yard, socket), 0);
    /* A match that was under way when it was cancelled leads nowhere. */
    struct reply matched = {.kind = REQ_TICKET, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_TICKET), matched);
    assert_int_equal(yard.post_count, 0);

    quick(&yard, socket);
    assert_false(id128_equal(yard_last_request(&yard, REQ_TICKET)->request.ticket, ticket));
    yard_hang_up(&yard, socket);
    assert_int_equal(yard_count_requests(&yard, REQ_TICKET_CANCEL), 2);
    yard_close(&yard);
}

static void a_ticket_of_a_match_that_failed_is_drawn_anew(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    quick(&yard, socket);
    struct id128 ticket = yard_last_request(&yard, REQ_TICKET)->request.ticket;
    yard_reply(&yard, yard_last_request(&yard, REQ_TICKET),
               (struct reply){.kind = REQ_TICKET, .status = ST_UNKNOWN, .reason = REASON_BUSY});
    yard_pass(&yard, GATEWAY_TICKET_MS);
    assert_false(id128_equal(yard_last_request(&yard, REQ_TICKET)->request.ticket, ticket));
    assert_int_equal(yard_refused(&yard, socket), 0);
    yard_close(&yard);
}

/* The table filled up meanwhile, or they are not wanted there: others may have them. */
static void who_is_turned_away_is_matched_again_elsewhere(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    quick(&yard, socket);
    for (int times = 0; times <= GATEWAY_TURNED_AWAY_MAX; times++) {
        struct yard_request asked = *yard_last_request(&yard, REQ_TICKET);
        assert_true(asked.request.room == (times ? yard_room() : 0));
        struct reply matched = {.kind = REQ_TICKET,
                                .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
        yard_reply(&yard, &asked, matched);
        struct envelope refused = {.kind = ENV_ATTACH_REFUSED};
        refused.u.attach_refused = (struct env_attach_refused){
            .room = yard_room(),
            .client = socket,
            .why = {.code = times % 2 ? REASON_ROOM_FULL : REASON_KICKED}};
        assert_int_equal(yard_refused(&yard, socket), 0);
        yard_worker_says(&yard, &refused);
        if (times == GATEWAY_TURNED_AWAY_MAX) break;
        assert_false(id128_equal(yard_last_request(&yard, REQ_TICKET)->request.ticket,
                                 asked.request.ticket));
    }
    assert_int_equal(yard_refused(&yard, socket), REASON_ROOM_FULL);
    yard_close(&yard);
}

static void without_any_matchmaker_quick_match_ends_as_busy(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    quick(&yard, socket);
    struct client_frame pong = {.kind = CLIENT_PING};
    for (int i = 0; i < 6; i++) {
        yard_pass(&yard, 2000);
        yard_say(&yard, socket, &pong);
    }
    assert_int_equal(yard_refused(&yard, socket), REASON_BUSY);
    yard_close(&yard);
}

/* ---- public rooms ---------------------------------------------------------------------------- */

static void watch(struct yard *yard, uint64_t socket, bool on)
{
    struct client_frame frame = {.kind = CLIENT_WATCH_ROOMS};
    frame.u.watch = on;
    yard_say(yard, socket, &frame);
}

static void list(struct yard *yard, uint32_t seated)
{
    struct public_room room = {YARD_CODE, "toy", "영희", seated, 4};
    struct reply reply = {.kind = REQ_PUBLIC, .publics = &room, .public_count = 1};
    yard_reply(yard, yard_last_request(yard, REQ_PUBLIC), reply);
}

static void the_list_is_asked_for_once_a_second_while_anybody_looks(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t one = yard_guest(&yard), two = yard_guest(&yard);
    yard_pass(&yard, 3000);
    assert_int_equal(yard_count_requests(&yard, REQ_PUBLIC), 0);
    watch(&yard, one, true);
    watch(&yard, two, true);
    for (int i = 0; i < 5; i++) {
        list(&yard, 1);
        yard_pass(&yard, GATEWAY_PUBLIC_MS);
    }
    assert_int_equal(yard_count_requests(&yard, REQ_PUBLIC), 6);
    watch(&yard, one, false);
    yard_hang_up(&yard, two);
    list(&yard, 1);
    yard_forget(&yard);
    yard_pass(&yard, 3000);
    assert_int_equal(yard_count_requests(&yard, REQ_PUBLIC), 0);
    yard_close(&yard);
}

static void it_is_pushed_when_it_has_changed_and_to_newcomers_at_once(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t one = yard_guest(&yard);
    watch(&yard, one, true);
    list(&yard, 1);
    const struct server_rooms *rooms = &yard_last(&yard, one, SERVER_ROOMS)->u.rooms;
    assert_int_equal(rooms->count, 1);
    assert_string_equal(rooms->list[0].code, YARD_CODE);
    assert_string_equal(rooms->list[0].host, "영희");
    assert_int_equal(rooms->list[0].seated, 1);
    yard_pass(&yard, GATEWAY_PUBLIC_MS);
    list(&yard, 1);
    assert_int_equal(yard_count(&yard, one, SERVER_ROOMS), 1);
    uint64_t two = yard_guest(&yard);
    watch(&yard, two, true);
    assert_int_equal(yard_count(&yard, two, SERVER_ROOMS), 1);
    yard_pass(&yard, GATEWAY_PUBLIC_MS);
    list(&yard, 2);
    assert_int_equal(yard_count(&yard, one, SERVER_ROOMS), 2);
    assert_int_equal(yard_count(&yard, two, SERVER_ROOMS), 2);

    /* A socket that is behind gets the newest when it has caught up. */
    yard.slow[one] = true;
    struct client_frame ping = {.kind = CLIENT_PING};
    yard_say(&yard, one, &ping);
    for (uint32_t seated = 3; seated <= 4; seated++) {
        yard_pass(&yard, GATEWAY_PUBLIC_MS);
        list(&yard, seated);
    }
    assert_int_equal(yard_count(&yard, one, SERVER_ROOMS), 2);
    yard_writable(&yard, one);
    assert_int_equal(yard_count(&yard, one, SERVER_ROOMS), 3);
    assert_int_equal(yard_last(&yard, one, SERVER_ROOMS)->u.rooms.list[0].seated, 4);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_ticket_is_asked_for_until_it_is_matched),
                     cmocka_unit_test(a_ticket_is_handed_to_the_next_matchmaker_under_the_same_id),
                     cmocka_unit_test(a_match_that_was_made_before_the_hand_over_counts),
                     cmocka_unit_test(a_matchmaker_that_is_gone_or_silent_keeps_no_ticket),
                     cmocka_unit_test(a_matchmaker_that_does_not_answer_itself_loses_its_tickets),
                     cmocka_unit_test(
                         a_matchmaker_that_was_started_again_is_asked_for_the_same_ticket),
                     cmocka_unit_test(two_gateways_name_the_same_matchmaker),
                     cmocka_unit_test(cancelling_or_going_takes_the_ticket_back),
                     cmocka_unit_test(a_ticket_of_a_match_that_failed_is_drawn_anew),
                     cmocka_unit_test(who_is_turned_away_is_matched_again_elsewhere),
                     cmocka_unit_test(without_any_matchmaker_quick_match_ends_as_busy),
                     cmocka_unit_test(the_list_is_asked_for_once_a_second_while_anybody_looks),
                     cmocka_unit_test(it_is_pushed_when_it_has_changed_and_to_newcomers_at_once));
}
