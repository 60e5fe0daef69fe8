/* SPDX-License-Identifier: Apache-2.0
 *
 * The matchmaker's core as transcripts: who is dead, where a room goes, one room for one request,
 * one match for one ticket.
 */
#include "unit/test.h"

#include "game/game.h"
#include "unit/matchmaker/bench.h"
#include "wire/reason.h"

enum { NO_KIND = -1 };

static struct bench bench;

static int set_up(void **state)
{
    (void)state;
    bench_open(&bench);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bench_close(&bench);
    return 0;
}

static const struct request resolve = {.kind = REQ_RESOLVE, .id = {{5}}, .code = "000012"};

static room_id the_room(void)
{
    return room_id_make(code_bits("000012"), 77);
}

/* The store finds the room with that owner. */
static void found(const struct effect *question, struct id128 owner, uint64_t epoch)
{
    struct store_reply reply = {.kind = STORE_FIND,
                                .tag = question->op.tag,
                                .room = the_room(),
                                .owner = owner,
                                .owner_url = "ipc://w1",
                                .epoch = epoch};
    bench_store(&bench, &reply);
}

static const struct effect *ask(void)
{
    const struct effect *question = bench_find(&bench, EFFECT_STORE, STORE_FIND);
    assert_non_null(question);
    return question;
}

static void a_room_of_a_living_worker_is_where_the_store_says(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &resolve);
    found(ask(), W1, 40);
    const struct reply *reply = bench_answer(&bench, token);
    assert_non_null(reply);
    assert_int_equal(reply->status, ST_OK);
    assert_true(reply->placed.room == the_room());
    assert_true(id128_equal(reply->placed.owner, W1));
    assert_int_equal(reply->placed.epoch, 40);
    assert_string_equal(reply->placed.code, "000012");
}

static void an_unknown_code_is_refused_with_a_reason(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &resolve);
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_NO_SUCH_ROOM);
    struct request nonsense = resolve;
    nonsense.code = "what?";
    token = bench_request(&bench, &nonsense);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_NO_SUCH_ROOM);
}

static void a_room_without_owner_is_placed_and_all_who_asked_are_told(void **state)
{
    (void)state;
    uint64_t first = bench_request(&bench, &resolve);
    found(ask(), NOBODY, 40);
    const struct effect *adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
    assert_non_null(adopt);
    assert_int_equal(adopt->request.room_count, 1);
    assert_int_equal(adopt->request.rooms[0].epoch, 40);
    uint64_t asked = adopt->token;

    uint64_t second = bench_request(&bench, &resolve);
    found(ask(), NOBODY, 40);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
    assert_null(bench_answer(&bench, second));

    struct reply adopted = {.kind = REQ_WORKER_ADOPT, .adopted_count = 1};
    adopted.adopted = test_calloc(1, sizeof *adopted.adopted);
    adopted.adopted[0].room = the_room();
    adopted.adopted[0].epoch = 41;
    bench_reply(&bench, asked, &adopted);
    test_free(adopted.adopted);
    assert_int_equal(bench_answer(&bench, first)->placed.epoch, 41);
    assert_int_equal(bench_answer(&bench, second)->placed.epoch, 41);
}

static void a_room_is_attempted_at_most_once_in_250_ms(void **state)
{
    (void)state;
    bench_request(&bench, &resolve);
    found(ask(), NOBODY, 40);
    uint64_t asked = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT)->token;
    struct reply failed = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, asked, &failed);

    uint64_t token = bench_request(&bench, &resolve);
    found(ask(), NOBODY, 40);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
    assert_true(bench_answer(&bench, token)->pending);

    bench_run(&bench, 300, EFFECT_EXIT, NO_KIND);
    bench_request(&bench, &resolve);
    found(ask(), NOBODY, 40);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
}

static void a_process_that_refuses_a_redial_is_dead_at_once(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    const struct effect *owned = bench_find(&bench, EFFECT_STORE, STORE_OWNED);
    assert_non_null(owned);
    assert_true(id128_equal(owned->op.instance, W1));
}

static void a_silent_worker_is_dead_after_its_lease_and_not_before(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 500, EFFECT_STORE, STORE_OWNED));
}

/* Gateways hear it with their next heartbeat, and ask where the rooms are now. */
static void a_dead_worker_is_listed_as_dead(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    struct request beat = {.kind = REQ_HEARTBEAT, .id = {{9}}};
    beat.self = (struct member){.kind = SERVICE_GATEWAY,
                                .instance = {{0x77}},
                                .inbox_url = "ipc://g",
                                .control_url = "",
                                .build = "test"};
    const struct reply *reply = bench_answer(&bench, bench_request(&bench, &beat));
    int dead = 0;
    for (int i = 0; i < reply->member_count; i++) {
        const struct member *member = &reply->members[i];
        if (member->silent_ms != MEMBER_DEAD) continue;
        assert_true(id128_equal(member->instance, W1));
        dead++;
    }
    assert_int_equal(dead, 1);
}

static void our_own_pause_makes_nobody_dead(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    bench.now += 5000;
    assert_false(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 500, EFFECT_STORE, STORE_OWNED));
}

static void silence_does_not_count_while_the_store_is_away(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = false;
    bench.store_silent = true;
    assert_false(bench_run(&bench, 5000, EFFECT_STORE, STORE_OWNED));
}

static void when_most_seem_dead_the_watcher_waits_one_lease_more(void **state)
{
    (void)state;
    bench_run(&bench, 500, EFFECT_EXIT, NO_KIND);
    bench.w1_alive = bench.w2_alive = false;
    assert_false(bench_run(&bench, 2000, EFFECT_STORE, STORE_OWNED));
    assert_true(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
}

static void a_restart_at_the_same_address_is_the_end_of_the_former_instance(void **state)
{
    (void)state;
    struct request request = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    request.self = (struct member){.kind = SERVICE_WORKER,
                                   .instance = {{3}},
                                   .inbox_url = "ipc://w1",
                                   .control_url = "ipc://c1",
                                   .build = "test",
                                   .rooms_max = 100};
    bench_request(&bench, &request);
    const struct effect *owned = bench_find(&bench, EFFECT_STORE, STORE_OWNED);
    assert_non_null(owned);
    assert_true(id128_equal(owned->op.instance, W1));
}

static void a_sweep_adopts_page_by_page_and_ends_when_nothing_is_left(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    room_id rooms[] = {room_id_make(1, 1), room_id_make(2, 2)};
    uint64_t epochs[] = {10, 20};
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag,
                               .rooms = rooms,
                               .epochs = epochs,
                               .room_count = 2};
    bench.w1_alive = false;
    bench_store(&bench, &page);
    const struct effect *adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
    assert_non_null(adopt);
    assert_string_equal(adopt->url, "ipc://c2");
    assert_int_equal(adopt->request.room_count, 2);
    struct reply lost = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, adopt->token, &lost);

    assert_true(bench_run(&bench, 1000, EFFECT_STORE, STORE_OWNED));
    struct store_reply none = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag};
    bench_store(&bench, &none);
    assert_false(bench_run(&bench, 3000, EFFECT_STORE, STORE_OWNED));
}

static const struct request create = {.kind = REQ_CREATE, .id = {{5}}, .game = "toy"};

static void a_created_room_is_told_with_its_code(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &create);
    const struct effect *ask_worker = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(ask_worker);
    assert_int_equal(strlen(ask_worker->request.code), WIRE_CODE_LEN);
    struct reply made = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 9}};
    bench_reply(&bench, ask_worker->token, &made);
    assert_int_equal(bench_answer(&bench, token)->placed.epoch, 9);
}

static void the_same_request_names_the_same_room_again(void **state)
{
    (void)state;
    bench_request(&bench, &create);
    room_id first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room;
    bench_request(&bench, &create);
    assert_true(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room == first);
    struct request other = create;
    other.id = (struct id128){{6}};
    bench_request(&bench, &other);
    assert_false(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE)->request.room == first);
}

/* A create that timed out may still happen: another room would be a second one. */
static void a_create_without_answer_makes_no_second_room(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &create);
    const struct effect *first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    room_id room = first->request.room;
    struct id128 id = first->request.id;
    struct reply lost = {.kind = REQ_WORKER_CREATE, .status = ST_UNAVAILABLE};
    bench_reply(&bench, first->token, &lost);
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *second = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(second);
    assert_true(second->request.room == room);
    assert_true(id128_equal(second->request.id, id));

    struct reply exists = {.kind = REQ_WORKER_CREATE, .status = ST_EXISTS};
    bench_reply(&bench, second->token, &exists);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = ask()->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 3};
    bench_store(&bench, &there);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}

static void a_code_that_is_taken_is_drawn_again(void **state)
{
    (void)state;
    bench_request(&bench, &create);
    const struct effect *first = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    room_id room = first->request.room;
    struct reply exists = {.kind = REQ_WORKER_CREATE, .status = ST_EXISTS};
    bench_reply(&bench, first->token, &exists);
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *second = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(second);
    assert_false(second->request.room == room);
}

static void bad_options_and_unknown_games_are_refused(void **state)
{
    (void)state;
    struct request unknown = create;
    unknown.game = "tic-tac-toe";
    uint64_t token = bench_request(&bench, &unknown);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_UNKNOWN_GAME);
    struct request bad = create;
    bad.option_count = 1;
    bad.options[0] = (struct option_pair){.key = "seconds", .value = 31};
    token = bench_request(&bench, &bad);
    assert_int_equal(bench_answer(&bench, token)->reason, REASON_BAD_OPTION);
}

static uint64_t poll(uint8_t ticket)
{
    struct request request = {
        .kind = REQ_TICKET, .id = {{8, ticket}}, .game = "toy", .ticket = {{ticket}}};
    return bench_request(&bench, &request);
}

static void keep_polling(uint8_t tickets, instant_ms ms, int what)
{
    for (instant_ms passed = 0; passed < ms; passed += 500) {
        for (uint8_t t = 1; t <= tickets; t++) poll(t);
        if (bench_find(&bench, EFFECT_STORE, what)) return;
        if (bench_run(&bench, 500, EFFECT_STORE, what)) return;
    }
}

/* From the FIND that looks for a free code to the room that was made. */
static room_id finish_match(int expected)
{
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *claim = bench_find(&bench, EFFECT_STORE, STORE_CLAIM);
    assert_non_null(claim);
    assert_int_equal(claim->op.ticket_count, expected);
    struct store_reply claimed = {.kind = STORE_CLAIM, .tag = claim->op.tag};
    bench_store(&bench, &claimed);
    const struct effect *make = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_non_null(make);
    room_id room = make->request.room;
    struct reply made = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 9}};
    bench_reply(&bench, make->token, &made);
    return room;
}

static void a_full_table_is_matched_at_once(void **state)
{
    (void)state;
    for (uint8_t t = 1; t <= 4; t++) assert_true(bench_answer(&bench, poll(t))->pending);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_FIND));
    room_id room = finish_match(4);
    uint64_t token = poll(3);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = ask()->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 9};
    assert_true(ask()->op.room == room);
    bench_store(&bench, &there);
    assert_false(bench_answer(&bench, token)->pending);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}

static void after_twenty_seconds_the_minimum_is_enough(void **state)
{
    (void)state;
    keep_polling(2, 19 * 1000, STORE_FIND);
    assert_null(bench_find(&bench, EFFECT_STORE, STORE_FIND));
    keep_polling(2, 2 * 1000, STORE_FIND);
    finish_match(2);
}

static void one_alone_goes_on_as_an_open_public_room(void **state)
{
    (void)state;
    keep_polling(1, 21 * 1000, STORE_FIND);
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    const struct effect *claim = bench_find(&bench, EFFECT_STORE, STORE_CLAIM);
    struct store_reply claimed = {.kind = STORE_CLAIM, .tag = claim->op.tag};
    bench_store(&bench, &claimed);
    const struct effect *make = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    assert_true(make->request.is_public);
    assert_false(make->request.quick);
}

static void a_ticket_that_was_matched_elsewhere_is_not_matched_again(void **state)
{
    (void)state;
    for (uint8_t t = 1; t <= 4; t++) poll(t);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_FIND));
    struct store_reply none = {.kind = STORE_FIND, .tag = ask()->op.tag, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    struct store_reply taken = {.kind = STORE_CLAIM,
                                .tag = bench_find(&bench, EFFECT_STORE, STORE_CLAIM)->op.tag,
                                .status = ST_EXISTS,
                                .position = 1,
                                .room = 4242};
    bench_store(&bench, &taken);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE));
    poll(2);
    assert_true(ask()->op.room == 4242);
    assert_true(bench_answer(&bench, poll(1))->pending);
}

static void a_ticket_nobody_asks_for_is_dropped(void **state)
{
    (void)state;
    poll(1);
    bench_run(&bench, 4000, EFFECT_EXIT, NO_KIND);
    poll(2);
    poll(3);
    poll(4);
    assert_false(bench_run(&bench, 500, EFFECT_STORE, STORE_FIND));
    assert_int_equal(bench_answer(&bench, poll(2))->waiting, 3);
}

static void a_cancelled_ticket_is_gone(void **state)
{
    (void)state;
    poll(1);
    struct request cancel = {.kind = REQ_TICKET_CANCEL, .id = {{4}}, .ticket = {{1}}};
    bench_request(&bench, &cancel);
    assert_int_equal(bench_answer(&bench, poll(2))->waiting, 1);
}

/* The list of matchmakers has changed and a gateway takes its ticket back: what happened to it here
 * in the meantime is not lost. */
static void a_ticket_that_is_taken_back_tells_of_its_match(void **state)
{
    (void)state;
    struct request back = {.kind = REQ_TICKET_CANCEL, .id = {{4}}, .ticket = {{1}}};
    for (uint8_t t = 1; t <= 4; t++) poll(t);
    assert_true(bench_run(&bench, 100, EFFECT_STORE, STORE_FIND));
    uint64_t find = ask()->op.tag;
    assert_true(bench_answer(&bench, bench_request(&bench, &back))->pending);
    struct store_reply none = {.kind = STORE_FIND, .tag = find, .status = ST_UNKNOWN};
    bench_store(&bench, &none);
    struct store_reply claimed = {.kind = STORE_CLAIM,
                                  .tag = bench_find(&bench, EFFECT_STORE, STORE_CLAIM)->op.tag};
    bench_store(&bench, &claimed);
    const struct effect *make = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_CREATE);
    room_id room = make->request.room;
    struct reply made = {.kind = REQ_WORKER_CREATE, .placed = {.epoch = 9}};
    bench_reply(&bench, make->token, &made);
    uint64_t token = bench_request(&bench, &back);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = ask()->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 9};
    bench_store(&bench, &there);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}

static void a_living_worker_that_drops_a_room_loses_it_after_a_second(void **state)
{
    (void)state;
    struct request stale = resolve;
    stale.stale_epoch = 40;
    for (int i = 0; i < 4; i++) {
        bench_request(&bench, &stale);
        found(ask(), W1, 40);
        assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
        bench_run(&bench, 250, EFFECT_EXIT, NO_KIND);
    }
    bench_request(&bench, &stale);
    found(ask(), W1, 40);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
}

static void a_request_for_another_service_is_refused(void **state)
{
    (void)state;
    struct request wrong = {.kind = REQ_WORKER_ADOPT, .id = {{1}}};
    uint64_t token = bench_request(&bench, &wrong);
    assert_int_equal(bench_answer(&bench, token)->status, ST_INVALID);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    return RUN_TESTS(TEST(a_room_of_a_living_worker_is_where_the_store_says),
                     TEST(an_unknown_code_is_refused_with_a_reason),
                     TEST(a_room_without_owner_is_placed_and_all_who_asked_are_told),
                     TEST(a_room_is_attempted_at_most_once_in_250_ms),
                     TEST(a_process_that_refuses_a_redial_is_dead_at_once),
                     TEST(a_silent_worker_is_dead_after_its_lease_and_not_before),
                     TEST(a_dead_worker_is_listed_as_dead), TEST(our_own_pause_makes_nobody_dead),
                     TEST(silence_does_not_count_while_the_store_is_away),
                     TEST(when_most_seem_dead_the_watcher_waits_one_lease_more),
                     TEST(a_restart_at_the_same_address_is_the_end_of_the_former_instance),
                     TEST(a_sweep_adopts_page_by_page_and_ends_when_nothing_is_left),
                     TEST(a_created_room_is_told_with_its_code),
                     TEST(the_same_request_names_the_same_room_again),
                     TEST(a_create_without_answer_makes_no_second_room),
                     TEST(a_code_that_is_taken_is_drawn_again),
                     TEST(bad_options_and_unknown_games_are_refused),
                     TEST(a_full_table_is_matched_at_once),
                     TEST(after_twenty_seconds_the_minimum_is_enough),
                     TEST(one_alone_goes_on_as_an_open_public_room),
                     TEST(a_ticket_that_was_matched_elsewhere_is_not_matched_again),
                     TEST(a_ticket_nobody_asks_for_is_dropped), TEST(a_cancelled_ticket_is_gone),
                     TEST(a_ticket_that_is_taken_back_tells_of_its_match),
                     TEST(a_living_worker_that_drops_a_room_loses_it_after_a_second),
                     TEST(a_request_for_another_service_is_refused));
}
