/* SPDX-License-Identifier: Apache-2.0
 *
 * From a code, a game or a link into a room.
 */
#include "unit/gateway/yard.h"

#include <string.h>

static void create(struct yard *yard, uint64_t socket, struct client_create what)
{
    struct client_frame frame = {.kind = CLIENT_CREATE};
    frame.u.create = what;
    yard_say(yard, socket, &frame);
}

static void look_up(struct yard *yard, uint64_t socket, const char *code)
{
    struct client_frame frame = {.kind = CLIENT_LOOK_UP};
    frame.u.code = code;
    yard_say(yard, socket, &frame);
}

static void resolve_as(struct yard *yard, struct reply reply)
{
    reply.kind = REQ_RESOLVE;
    yard_reply(yard, yard_last_request(yard, REQ_RESOLVE), reply);
}

static void a_code_leads_to_the_room_and_its_seat(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){.code = " oab-cde ", .name = "  영희 "});
    const struct yard_request *request = yard_last_request(&yard, REQ_RESOLVE);
    assert_string_equal(request->request.code, "0ABCDE");
    assert_null(request->url);
    assert_null(yard_last_post(&yard, ENV_ATTACH));
    resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});

    assert_int_equal(yard.post_count, 1);
    assert_string_equal(yard.posts[0].url, YARD_URL);
    assert_true(id128_equal(yard.posts[0].peer, YARD_WORKER));
    const struct env_attach *attach = &yard.posts[0].envelope.u.attach;
    assert_true(attach->room == yard_room());
    assert_true(attach->client == socket);
    assert_string_equal(attach->name, "영희");
    assert_int_equal(attach->intent, ATTACH_SEAT);
    assert_false(attach->take_over);
    assert_int_equal(attach->generation, 0);
    assert_int_equal(attach->window, 77);
    assert_int_equal(attach->line, 3);

    yard_attached(&yard, socket, 100, 2, 11, 40);
    const struct server_seat *seat = &yard_last(&yard, socket, SERVER_SEAT)->u.seat;
    assert_string_equal(seat->code, YARD_CODE);
    assert_int_equal(seat->seat, 2);
    assert_int_equal(seat->generation, 11);
    assert_int_equal(seat->counter, 40);
    assert_int_equal(seat->epoch, 100);
    yard_close(&yard);
}

static void who_returns_names_generation_version_and_tap(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(
        &yard, socket,
        (struct client_join){.name = "", .generation = 9, .have = {99, 31}, .take_over = true});
    resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    const struct env_attach *attach = &yard_last_post(&yard, ENV_ATTACH)->u.attach;
    assert_int_equal(attach->generation, 9);
    assert_true(attach->take_over);
    assert_int_equal(attach->have.epoch, 99);
    assert_int_equal(attach->have.seq, 31);
    yard_close(&yard);
}

static void a_room_that_is_being_placed_is_asked_for_again(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    yard_join(&yard, socket, (struct client_join){0}); /* one question at a time */
    assert_int_equal(yard_refused(&yard, socket), REASON_OUT_OF_PLACE);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    for (int i = 0; i < 4; i++) {
        resolve_as(&yard, (struct reply){.pending = true});
        yard_forget(&yard);
        yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
        assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    }
    resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.client, socket);
    yard_close(&yard);
}

static void when_nobody_answers_the_player_hears_busy_and_may_try_again(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    resolve_as(&yard, (struct reply){.status = ST_UNAVAILABLE});
    yard_pass(&yard, GATEWAY_ENTER_MS);
    const struct server_frame *refused = yard_last(&yard, socket, SERVER_REFUSED);
    assert_int_equal(refused->u.refused.why.code, REASON_BUSY);
    assert_true(refused->u.refused.retry);
    yard_forget(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

static void an_unknown_code_and_a_room_that_says_no_are_refusals(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){.code = "nonsense"});
    assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 0);

    yard_join(&yard, socket, (struct client_join){0});
    resolve_as(&yard, (struct reply){.status = ST_UNKNOWN, .reason = REASON_NO_SUCH_ROOM});
    assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);

    static const uint32_t reasons[] = {REASON_ROOM_FULL, REASON_KICKED, REASON_GAME_RUNS,
                                       REASON_OTHER_WINDOW};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        yard_join(&yard, socket, (struct client_join){0});
        resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
        struct envelope envelope = {.kind = ENV_ATTACH_REFUSED};
        envelope.u.attach_refused = (struct env_attach_refused){
            .room = yard_room(),
            .client = socket,
            .why = {.code = reasons[i], .params = {4}, .param_count = 1}};
        yard_worker_says(&yard, &envelope);
        const struct server_frame *refused = yard_last(&yard, socket, SERVER_REFUSED);
        assert_int_equal(refused->u.refused.why.code, reasons[i]);
        assert_int_equal(refused->u.refused.why.params[0], 4);
        assert_null(yard_last(&yard, socket, SERVER_SEAT));
    }
    struct gateway_stats stats;
    gateway_core_stats(yard.core, &stats);
    assert_int_equal(stats.rooms, 0); /* nobody in it: forgotten */
    yard_close(&yard);
}

static void names_are_judged_before_anybody_is_asked(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    static const struct {
        const char *name;
        int fault;
    } bad[] = {
        {"", NAME_FAULT_EMPTY},
        {"   ", NAME_FAULT_EMPTY},
        {"\u200b", NAME_FAULT_CHARACTERS},
        {"가나다라마바사아자차카타파", NAME_FAULT_LONG},
        {"a\x01", NAME_FAULT_CHARACTERS},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        yard_forget(&yard);
        yard_join(&yard, socket, (struct client_join){.name = bad[i].name});
        const struct server_frame *refused = yard_last(&yard, socket, SERVER_REFUSED);
        assert_int_equal(refused->u.refused.why.code, REASON_BAD_NAME);
        assert_int_equal(refused->u.refused.why.param_count, 1);
        if (i != 2) assert_int_equal(refused->u.refused.why.params[0], bad[i].fault);
        create(&yard, socket, (struct client_create){.game = "toy", .name = bad[i].name});
        assert_int_equal(yard_count(&yard, socket, SERVER_REFUSED), 2);
        assert_int_equal(yard.request_count, 0);
    }
    yard_close(&yard);
}

static void a_room_is_made_with_options_that_were_checked(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    create(&yard, socket, (struct client_create){.game = "chess", .name = "철수"});
    assert_int_equal(yard_refused(&yard, socket), REASON_UNKNOWN_GAME);
    create(&yard, socket,
           (struct client_create){
               .game = "toy", .name = "철수", .options = {{"size", 9}}, .option_count = 1});
    assert_int_equal(yard_refused(&yard, socket), REASON_BAD_OPTION);
    create(&yard, socket,
           (struct client_create){
               .game = "toy", .name = "철수", .options = {{"colour", 1}}, .option_count = 1});
    assert_int_equal(yard_refused(&yard, socket), REASON_BAD_OPTION);
    assert_int_equal(yard_count_requests(&yard, REQ_CREATE), 0);

    create(&yard, socket,
           (struct client_create){.game = "toy",
                                  .name = "철수",
                                  .is_public = true,
                                  .options = {{"size", 3}},
                                  .option_count = 1});
    struct id128 id = yard_last_request(&yard, REQ_CREATE)->request.id;
    struct reply away = {.kind = REQ_CREATE, .status = ST_UNAVAILABLE};
    yard_reply(&yard, yard_last_request(&yard, REQ_CREATE), away);
    yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
    assert_int_equal(yard_count_requests(&yard, REQ_CREATE), 2);
    const struct request *request = &yard_last_request(&yard, REQ_CREATE)->request;
    assert_true(id128_equal(request->id, id)); /* the same room, however often it is asked for */
    assert_string_equal(request->game, "toy");
    assert_true(request->is_public);
    assert_int_equal(request->option_count, 1);
    assert_string_equal(request->options[0].key, "size");
    assert_int_equal(request->options[0].value, 3);
    struct reply made = {.kind = REQ_CREATE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(&yard, yard_last_request(&yard, REQ_CREATE), made);
    assert_string_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.name, "철수");
    yard_close(&yard);
}

static void looking_up_tells_what_waits_and_places_nothing(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    look_up(&yard, socket, YARD_CODE);
    struct reply reply = {.kind = REQ_LOOK_UP};
    reply.found.game = "toy";
    reply.found.seated = 2;
    reply.found.seats = 4;
    reply.found.playing = true;
    yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP), reply);
    const struct server_found *found = &yard_last(&yard, socket, SERVER_FOUND)->u.found;
    assert_string_equal(found->code, YARD_CODE);
    assert_string_equal(found->game, "toy");
    assert_int_equal(found->seated, 2);
    assert_int_equal(found->seats, 4);
    assert_true(found->playing);
    assert_int_equal(yard.post_count, 0);
    look_up(&yard, socket, "ABC123");
    yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP),
               (struct reply){.kind = REQ_LOOK_UP, .status = ST_UNKNOWN});
    assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);
    yard_close(&yard);
}

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
        look_up(&yard, phones[i], YARD_CODE);
        struct reply found = {.kind = REQ_LOOK_UP};
        found.found.game = "toy";
        yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP), found);
        /* Every second child mistypes it once. */
        if (i % 2) {
            yard_join(&yard, phones[i], (struct client_join){.code = "0ABCDF"});
            resolve_as(&yard, (struct reply){.status = ST_UNKNOWN});
            assert_int_equal(yard_refused(&yard, phones[i]), REASON_NO_SUCH_ROOM);
        }
        yard_join(&yard, phones[i], (struct client_join){0});
        resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
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
        resolve_as(&yard, (struct reply){.status = ST_UNKNOWN});
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
            resolve_as(&yard, (struct reply){.status = ST_UNKNOWN});
        } else {
            assert_int_equal(yard_refused(&yard, socket), REASON_TOO_MANY_TRIES);
        }
        yard_hang_up(&yard, socket);
    }
    assert_int_equal(asked, 120);
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
        look_up(&yard, socket, YARD_CODE);
        yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP),
                   (struct reply){.kind = REQ_LOOK_UP});
        assert_non_null(yard_last(&yard, socket, SERVER_FOUND));
    }
    yard_close(&yard);
}

static void who_has_seen_a_newer_owner_makes_the_directory_look_again(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){.have = {120, 8}, .generation = 2});
    resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    assert_null(yard_last_post(&yard, ENV_ATTACH));
    yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
    resolve_as(&yard, (struct reply){.placed = yard_placed(130, YARD_WORKER_2, YARD_URL_2)});
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.have.epoch, 120);
    yard_attached(&yard, socket, 130, 0, 3, 0);

    /* A claim that nobody confirms is dropped in the end, and hurts nobody. */
    uint64_t liar = yard_guest(&yard);
    yard_forget(&yard);
    yard_join(&yard, liar, (struct client_join){.have = {1ull << 60, 8}, .generation = 2});
    for (int i = 0; i < 5; i++) {
        assert_null(yard_last_post(&yard, ENV_ATTACH));
        resolve_as(&yard, (struct reply){.placed = yard_placed(130, YARD_WORKER_2, YARD_URL_2)});
        yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
    }
    const struct env_attach *attach = &yard_last_post(&yard, ENV_ATTACH)->u.attach;
    assert_true(attach->client == liar);
    assert_int_equal(attach->have.epoch, 0);
    yard_close(&yard);
}

static void a_socket_that_goes_while_it_asks_leaves_nothing_behind(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    yard_hang_up(&yard, socket);
    resolve_as(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    assert_int_equal(yard.post_count, 0);
    struct gateway_stats stats;
    gateway_core_stats(yard.core, &stats);
    assert_int_equal(stats.clients, 0);
    assert_int_equal(stats.rooms, 0);

    socket = yard_seated(&yard, 0, 1);
    yard_hang_up(&yard, socket);
    assert_int_equal(yard_last_post(&yard, ENV_DETACH)->u.client.client, socket);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_code_leads_to_the_room_and_its_seat),
                     cmocka_unit_test(who_returns_names_generation_version_and_tap),
                     cmocka_unit_test(a_room_that_is_being_placed_is_asked_for_again),
                     cmocka_unit_test(when_nobody_answers_the_player_hears_busy_and_may_try_again),
                     cmocka_unit_test(an_unknown_code_and_a_room_that_says_no_are_refusals),
                     cmocka_unit_test(names_are_judged_before_anybody_is_asked),
                     cmocka_unit_test(a_room_is_made_with_options_that_were_checked),
                     cmocka_unit_test(looking_up_tells_what_waits_and_places_nothing),
                     cmocka_unit_test(forty_phones_behind_one_address_join_within_five_seconds),
                     cmocka_unit_test(
                         wrong_codes_are_limited_for_a_session_also_over_new_connections),
                     cmocka_unit_test(wrong_codes_are_limited_for_an_address_whatever_the_session),
                     cmocka_unit_test(right_codes_cost_nothing),
                     cmocka_unit_test(who_has_seen_a_newer_owner_makes_the_directory_look_again),
                     cmocka_unit_test(a_socket_that_goes_while_it_asks_leaves_nothing_behind));
}
