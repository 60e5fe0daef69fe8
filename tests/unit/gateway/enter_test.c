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

/* A person comes in by a tap: that is newer than the page it is made on. */
static void a_tap_has_a_number_of_its_own(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(
        &yard, socket,
        (struct client_join){.code = YARD_CODE, .name = "u", .take_over = true, .window = 99});
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.window, 99);
    yard_peer(&yard, EVENT_PEER_RESET, YARD_WORKER, YARD_URL); /* it keeps it */
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.window, 99);
    yard_close(&yard);
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
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});

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
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
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
        yard_resolve(&yard, (struct reply){.pending = true});
        yard_forget(&yard);
        yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
        assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    }
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
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
    yard_resolve(&yard, (struct reply){.status = ST_UNAVAILABLE});
    yard_pass(&yard, GATEWAY_ENTER_MS);
    const struct server_frame *refused = yard_last(&yard, socket, SERVER_REFUSED);
    assert_int_equal(refused->u.refused.why.code, REASON_BUSY);
    assert_true(refused->u.refused.retry);
    yard_forget(&yard);
    yard_join(&yard, socket, (struct client_join){0});
    assert_int_equal(yard_count_requests(&yard, REQ_RESOLVE), 1);
    yard_close(&yard);
}

/* Its owner died, and no other worker can take it at this moment. */
static void a_room_without_a_worker_is_tried_again_and_a_new_one_is_not(void **unused)
{
    (void)unused;
    static const uint32_t reasons[] = {REASON_NO_CAPACITY, REASON_NO_RULES};
    struct yard yard;
    yard_open(&yard);
    yard_register_game();
    uint64_t socket = yard_guest(&yard);
    for (int i = 0; i < 2; i++) {
        struct reply none = {.status = ST_UNAVAILABLE, .reason = reasons[i]};
        yard_join(&yard, socket, (struct client_join){.generation = 3});
        yard_resolve(&yard, none);
        const struct server_frame *refused = yard_last(&yard, socket, SERVER_REFUSED);
        assert_int_equal(refused->u.refused.why.code, reasons[i]);
        assert_true(refused->u.refused.retry);

        create(&yard, socket, (struct client_create){.game = "toy", .name = "u"});
        yard_reply(&yard, yard_last_request(&yard, REQ_CREATE), none);
        refused = yard_last(&yard, socket, SERVER_REFUSED);
        assert_int_equal(refused->u.refused.why.code, reasons[i]);
        assert_false(refused->u.refused.retry);
    }
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
    yard_resolve(&yard, (struct reply){.status = ST_UNKNOWN, .reason = REASON_NO_SUCH_ROOM});
    assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);

    static const uint32_t reasons[] = {REASON_ROOM_FULL, REASON_KICKED, REASON_GAME_RUNS,
                                       REASON_OTHER_WINDOW};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        yard_join(&yard, socket, (struct client_join){0});
        yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
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
    yard_look_up(&yard, socket, YARD_CODE);
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
    yard_look_up(&yard, socket, "ABC123");
    yard_reply(&yard, yard_last_request(&yard, REQ_LOOK_UP),
               (struct reply){.kind = REQ_LOOK_UP, .status = ST_UNKNOWN});
    assert_int_equal(yard_refused(&yard, socket), REASON_NO_SUCH_ROOM);
    yard_close(&yard);
}

static void who_has_seen_a_newer_owner_makes_the_directory_look_again(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    yard_join(&yard, socket, (struct client_join){.have = {120, 8}, .generation = 2});
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
    assert_null(yard_last_post(&yard, ENV_ATTACH));
    yard_pass(&yard, GATEWAY_RETRY_MAX_MS);
    yard_resolve(&yard, (struct reply){.placed = yard_placed(130, YARD_WORKER_2, YARD_URL_2)});
    assert_int_equal(yard_last_post(&yard, ENV_ATTACH)->u.attach.have.epoch, 120);
    yard_attached(&yard, socket, 130, 0, 3, 0);

    /* A claim that nobody confirms is dropped in the end, and hurts nobody. */
    uint64_t liar = yard_guest(&yard);
    yard_forget(&yard);
    yard_join(&yard, liar, (struct client_join){.have = {1ull << 60, 8}, .generation = 2});
    for (int i = 0; i < 5; i++) {
        assert_null(yard_last_post(&yard, ENV_ATTACH));
        yard_resolve(&yard, (struct reply){.placed = yard_placed(130, YARD_WORKER_2, YARD_URL_2)});
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
    yard_resolve(&yard, (struct reply){.placed = yard_placed(100, YARD_WORKER, YARD_URL)});
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
                     cmocka_unit_test(a_tap_has_a_number_of_its_own),
                     cmocka_unit_test(who_returns_names_generation_version_and_tap),
                     cmocka_unit_test(a_room_that_is_being_placed_is_asked_for_again),
                     cmocka_unit_test(when_nobody_answers_the_player_hears_busy_and_may_try_again),
                     cmocka_unit_test(a_room_without_a_worker_is_tried_again_and_a_new_one_is_not),
                     cmocka_unit_test(an_unknown_code_and_a_room_that_says_no_are_refusals),
                     cmocka_unit_test(names_are_judged_before_anybody_is_asked),
                     cmocka_unit_test(a_room_is_made_with_options_that_were_checked),
                     cmocka_unit_test(looking_up_tells_what_waits_and_places_nothing),
                     cmocka_unit_test(who_has_seen_a_newer_owner_makes_the_directory_look_again),
                     cmocka_unit_test(a_socket_that_goes_while_it_asks_leaves_nothing_behind));
}
