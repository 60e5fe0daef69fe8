/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrong codes are limited by session and by address, and a school is one address (ruling P5).
 */
#include "unit/gateway/yard.h"

static void forty_phones_behind_one_address_join_within_five_seconds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t phones[40];
    for (int i = 0; i < 40; i++) {
        phones[i] = yard_connect(&yard, "198.51.100.7");
        yard_hello(&yard, phones[i], (struct slice){0});
        yard_forget(&yard);
        yard_look_up(&yard, phones[i], YARD_CODE);
        struct reply found = {.kind = REQ_LOOK_UP};
        found.found.game = "toy";
        yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP), found);
        /* Every second child mistypes it once. */
        if (i % 2) {
            yard_join(&yard, phones[i], (struct client_join){.code = "0ABCDF"});
            yard_resolve(&yard, (struct reply){.status = ST_UNKNOWN});
            assert_int_equal(yard_refused(&yard, phones[i]), REASON_NO_SUCH_ROOM);
        }
        yard_join(&yard, phones[i], (struct client_join){0});
        yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
        yard_attached(&yard, phones[i], 100, i < 12 ? i : -1, i < 12 ? 1 : 0, 0);
        assert_non_null(yard_last(&yard, phones[i], SERVER_SEAT));
        yard_pass(&yard, 100);
    }
    for (int i = 0; i < 40; i++) assert_int_equal(yard_closed(&yard, phones[i]), 0);
    yard_close(&yard);
}

static void wrong_codes_are_limited_for_a_session_also_over_new_connections(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    struct slice token = yard_last(&yard, socket, SERVER_WELCOME)->u.welcome.token;
    for (int i = 0; i < 10; i++) {
        yard_join(&yard, socket, (struct client_join){0});
        yard_resolve(&yard, (struct reply){.status = ST_UNKNOWN});
        assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);
    }
    uint64_t again = yard_connect(&yard, "203.0.113.9");
    yard_hello(&yard, again, token);
    yard_forget(&yard);
    yard_join(&yard, again, (struct client_join){0});
    const struct server_frame *refused = yard_last(&yard, again, SERVER_REFUSED);
    assert_int_equal(refused->u.refused.why.code, REASON_TOO_MANY_TRIES);
    assert_int_equal(refused->u.refused.why.params[0], 6);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);
    yard_pass(&yard, 6000);
    yard_join(&yard, again, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);

    /* Another child in the same school is not held up by that. */
    uint64_t other = yard_guest(&yard);
    yard_forget(&yard);
    yard_join(&yard, other, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void wrong_codes_are_limited_for_an_address_whatever_the_session(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    int asked = 0;
    for (int i = 0; i < 300; i++) {
        uint64_t socket = yard_guest(&yard);
        yard_forget(&yard);
        yard_join(&yard, socket, (struct client_join){0});
        if (yard_count_requests(&yard, REQ_RESOLVE)) {
            asked++;
            yard_resolve(&yard, (struct reply){.status = ST_UNKNOWN});
        } else {
            assert_int_equal(yard_refused(&yard, socket), REASON_TOO_MANY_TRIES);
        }
        yard_hang_up(&yard, socket);
    }
    assert_int_equal(asked, 60);
    /* A session is not charged for what its address was refused. */
    uint64_t patient = yard_guest(&yard);
    struct slice token = yard_last(&yard, patient, SERVER_WELCOME)->u.welcome.token;
    for (int i = 0; i < 20; i++) yard_join(&yard, patient, (struct client_join){0});
    uint64_t elsewhere = yard_connect(&yard, "203.0.113.200");
    yard_hello(&yard, elsewhere, token);
    yard_forget(&yard);
    yard_join(&yard, elsewhere, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void right_codes_cost_nothing(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    for (int i = 0; i < 30; i++) {
        yard_pass(&yard, 50);
        yard_forget(&yard);
        yard_look_up(&yard, socket, YARD_CODE);
        yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP),
                   (struct reply){.kind = REQ_LOOK_UP});
        assert_non_null(yard_last(&yard, socket, SERVER_FOUND));
    }
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(forty_phones_behind_one_address_join_within_five_seconds),
                     cmocka_unit_test(
                         wrong_codes_are_limited_for_a_session_also_over_new_connections),
                     cmocka_unit_test(wrong_codes_are_limited_for_an_address_whatever_the_session),
                     cmocka_unit_test(right_codes_cost_nothing));
}
