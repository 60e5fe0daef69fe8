/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms cost memory in a worker for minutes: one person, and one address, gets so many and no more,
 * or a single visitor would leave no room for anybody else.
 */
#include "unit/gateway/yard.h"

#include "gateway/state.h"

enum { SESSION_ROOMS = 10, SESSION_EACH_MS = 6000, ADDRESS_ROOMS = 400 };

static bool asks_for_room(struct yard *yard, uint64_t socket)
{
    yard_forget(yard);
    struct client_frame frame = {.kind = CLIENT_CREATE};
    frame.u.create = (struct client_create){.game = "toy", .name = "민수"};
    yard_say(yard, socket, &frame);
    if (yard_count_requests(yard, REQ_CREATE) == 0) {
        assert_int_equal(yard_refused(yard, socket), REASON_TOO_FAST);
        return false;
    }
    yard_reply(yard, yard_last_request(yard, REQ_CREATE),
               (struct reply){.kind = REQ_CREATE, .status = ST_REFUSED});
    return true;
}

static void a_person_makes_ten_rooms_and_then_one_every_six_seconds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    for (int i = 0; i < SESSION_ROOMS; i++) assert_true(asks_for_room(&yard, socket));
    assert_false(asks_for_room(&yard, socket));
    assert_true(asks_for_room(&yard, yard_guest(&yard))); /* somebody else at that address */
    yard_pass(&yard, SESSION_EACH_MS);
    assert_true(asks_for_room(&yard, socket));
    assert_false(asks_for_room(&yard, socket));
    yard_close(&yard);
}

static void an_address_has_a_limit_whatever_the_session(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    int made = 0;
    for (int i = 0; i < ADDRESS_ROOMS + 50; i++) {
        uint64_t socket = yard_guest(&yard);
        made += asks_for_room(&yard, socket);
        yard_hang_up(&yard, socket);
    }
    assert_int_equal(made, ADDRESS_ROOMS);
    uint64_t elsewhere = yard_connect(&yard, "203.0.113.200");
    yard_hello(&yard, elsewhere, (struct slice){0});
    assert_true(asks_for_room(&yard, elsewhere));
    yard_close(&yard);
}

/* Else a row of new sessions would fill the table, and then nobody could join. */
static void sessions_of_a_spent_address_are_not_remembered(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    for (int i = 0; i < 300; i++) {
        uint64_t socket = yard_guest(&yard);
        yard_look_up(&yard, socket, YARD_CODE);
        yard_hang_up(&yard, socket);
    }
    size_t spent = yard.core->tries.count;
    for (int i = 0; i < 300; i++) {
        uint64_t socket = yard_guest(&yard);
        yard_look_up(&yard, socket, YARD_CODE);
        yard_hang_up(&yard, socket);
    }
    assert_int_equal(yard.core->tries.count, spent);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_person_makes_ten_rooms_and_then_one_every_six_seconds),
                     cmocka_unit_test(an_address_has_a_limit_whatever_the_session),
                     cmocka_unit_test(sessions_of_a_spent_address_are_not_remembered));
}
