/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a room is, and giving it an owner.
 */
#include "base/check.h"
#include "unit/matchmaker/bench.h"
#include "wire/reason.h"

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

static void a_room_of_a_living_worker_is_where_the_store_says(void **state)
{
    (void)state;
    uint64_t token = bench_request(&bench, &resolve);
    found(bench_question(&bench), W1, 40);
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
    struct store_reply none = {.kind = STORE_FIND,
                               .tag = bench_question(&bench)->op.tag,
                               .status = ST_UNKNOWN};
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
    found(bench_question(&bench), NOBODY, 40);
    const struct effect *adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
    assert_non_null(adopt);
    assert_int_equal(adopt->request.room_count, 1);
    assert_int_equal(adopt->request.rooms[0].epoch, 40);
    uint64_t asked = adopt->token;

    uint64_t second = bench_request(&bench, &resolve);
    found(bench_question(&bench), NOBODY, 40);
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

/* It was given the room by another matchmaker, and its first heartbeat to this one was lost. */
static void an_owner_that_has_just_come_is_given_a_lease_to_be_heard_of(void **state)
{
    (void)state;
    const struct id128 newcomer = {{3}};
    bench_run(&bench, 2000, EFFECT_EXIT, NO_KIND);
    uint64_t epoch = 5000 + bench.now - 100; /* by the clock of bench_store */
    uint64_t token = bench_request(&bench, &resolve);
    found(bench_question(&bench), newcomer, epoch);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
    assert_true(bench_answer(&bench, token)->pending);
    bench_run(&bench, MATCHMAKER_LEASE_MS + MATCHMAKER_HEARTBEAT_MS, EFFECT_EXIT, NO_KIND);
    bench_request(&bench, &resolve);
    found(bench_question(&bench), newcomer, epoch);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
}

static void a_room_is_attempted_at_most_once_in_250_ms(void **state)
{
    (void)state;
    bench_request(&bench, &resolve);
    found(bench_question(&bench), NOBODY, 40);
    uint64_t asked = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT)->token;
    struct reply failed = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, asked, &failed);

    uint64_t token = bench_request(&bench, &resolve);
    found(bench_question(&bench), NOBODY, 40);
    assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
    assert_true(bench_answer(&bench, token)->pending);

    bench_run(&bench, 300, EFFECT_EXIT, NO_KIND);
    bench_request(&bench, &resolve);
    found(bench_question(&bench), NOBODY, 40);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
}

static void a_sweep_adopts_page_by_page_and_ends_when_nothing_is_left(void **state)
{
    (void)state;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    room_id rooms[] = {room_id_make(1, 1), room_id_make(2, 2)};
    uint64_t epochs[] = {10, 20};
    struct slice summaries[2] = {{0}};
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag,
                               .rooms = rooms,
                               .epochs = epochs,
                               .summaries = summaries,
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

/* The n-th room of shard 0. */
static room_id numbered(uint32_t n)
{
    static uint32_t bits[4096];
    CHECK(n < 4096);
    for (uint32_t i = 1; i <= n && bits[n] == 0; i++) {
        if (bits[i]) continue;
        bits[i] = bits[i - 1] + 1;
        while (room_shard(room_id_make(bits[i], 1)) != 0) bits[i]++;
    }
    return room_id_make(bits[n], 1);
}

/* A page of a dead worker's rooms, numbered from `first` on. */
static void listed(uint32_t first, int count)
{
    static room_id rooms[256];
    static uint64_t epochs[256];
    static struct slice summaries[256];
    for (int i = 0; i < count; i++) rooms[i] = numbered(first + (uint32_t)i);
    struct store_reply page = {.kind = STORE_OWNED,
                               .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag,
                               .rooms = rooms,
                               .epochs = epochs,
                               .summaries = summaries,
                               .room_count = count,
                               .cursor = first + (uint32_t)count};
    bench_store(&bench, &page);
}

static void end_of_list(void)
{
    struct store_reply end = {.kind = STORE_OWNED,
                              .tag = bench_find(&bench, EFFECT_STORE, STORE_OWNED)->op.tag};
    bench_store(&bench, &end);
}

static int adoptions_asked(uint64_t *last)
{
    int count = 0;
    for (size_t i = 0; i < bench.out.count; i++) {
        const struct effect *effect = &bench.out.list[i];
        if (effect->kind != EFFECT_REQUEST || effect->request.kind != REQ_WORKER_ADOPT) continue;
        count++;
        *last = effect->token;
    }
    return count;
}

static void a_worker_is_asked_for_no_more_rooms_than_it_loads_meanwhile(void **state)
{
    (void)state;
    uint64_t asked = 0;
    int open = 0;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    for (uint32_t page = 0; page < 8; page++) {
        listed(1 + 256 * page, 256);
        open += adoptions_asked(&asked);
        const struct effect *adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
        if (adopt) assert_int_equal(adopt->request.room_count, MATCHMAKER_ADOPT_MAX);
        if (page < 7) assert_non_null(bench_find(&bench, EFFECT_STORE, STORE_OWNED));
    }
    assert_int_equal(open, MATCHMAKER_ADOPTS_OPEN_MAX);
    /* An answer, whatever it says, makes way for the next in its line. */
    struct reply lost = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    for (int i = 8 * 256 / MATCHMAKER_ADOPT_MAX - open; i > 0; i--) {
        bench_reply(&bench, asked, &lost);
        assert_int_equal(adoptions_asked(&asked), 1);
    }
    bench_reply(&bench, asked, &lost);
    assert_int_equal(adoptions_asked(&asked), 0);
}

/* Another matchmaker shares the rooms for as long as it is heard. */
static void rooms_of_a_dead_worker_are_shared_until_they_have_waited_too_long(void **state)
{
    (void)state;
    struct request other = {.kind = REQ_HEARTBEAT, .id = {{7}}};
    other.self = (struct member){.kind = SERVICE_MATCHMAKER,
                                 .instance = {{8}},
                                 .inbox_url = "",
                                 .control_url = "ipc://m2",
                                 .build = "test"};
    bench_request(&bench, &other);
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    bench.w1_alive = false;
    listed(1, 100);
    const struct effect *adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
    assert_non_null(adopt);
    int ours = adopt->request.room_count;
    assert_in_range(ours, 20, 80);
    room_id taken = adopt->request.rooms[0].room;
    end_of_list();

    /* Whoever asks for a room of the other's hears "not yet", and nobody is asked to take it. */
    int theirs = 0;
    for (uint32_t i = 1; i <= 100; i++) {
        struct request where = {.kind = REQ_RESOLVE, .id = {{5}}, .room = numbered(i)};
        uint64_t token = bench_request(&bench, &where);
        struct store_reply owned = {.kind = STORE_FIND,
                                    .tag = bench_question(&bench)->op.tag,
                                    .room = where.room,
                                    .owner = W1,
                                    .owner_url = "ipc://w1"};
        bench_store(&bench, &owned);
        assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
        const struct reply *reply = bench_answer(&bench, token);
        theirs += reply && reply->pending;
        if (where.room == taken) assert_null(reply);
    }
    assert_in_range(theirs, 100 - ours, 100);

    /* The other one has not done it: now they are everybody's. */
    adopt = NULL;
    while (!adopt && bench_run(&bench, 3000, EFFECT_STORE, STORE_OWNED)) {
        listed(1, 100);
        adopt = bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT);
        if (!adopt) end_of_list();
    }
    assert_non_null(adopt);
    assert_int_equal(adopt->request.room_count, 100 - ours);
}

static void who_dies_before_it_was_asked_leaves_its_line_to_others(void **state)
{
    (void)state;
    uint64_t asked = 0;
    struct event gone = {.kind = EVENT_PEER_GONE, .peer_url = "ipc://c1"};
    bench_step(&bench, &gone);
    for (uint32_t page = 0; page < 8; page++) {
        listed(1 + 256 * page, 256);
        adoptions_asked(&asked);
    }
    gone.peer_url = "ipc://c2";
    bench_step(&bench, &gone);
    struct reply lost = {.kind = REQ_WORKER_ADOPT, .status = ST_UNAVAILABLE};
    bench_reply(&bench, asked, &lost);
    assert_int_equal(adoptions_asked(&asked), 0);
}

static void a_living_worker_that_drops_a_room_loses_it_after_a_second(void **state)
{
    (void)state;
    struct request stale = resolve;
    stale.stale_epoch = 40;
    for (int i = 0; i < 4; i++) {
        bench_request(&bench, &stale);
        found(bench_question(&bench), W1, 40);
        assert_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
        bench_run(&bench, 250, EFFECT_EXIT, NO_KIND);
    }
    bench_request(&bench, &stale);
    found(bench_question(&bench), W1, 40);
    assert_non_null(bench_find(&bench, EFFECT_REQUEST, REQ_WORKER_ADOPT));
}

static void a_request_for_another_service_is_refused(void **state)
{
    (void)state;
    struct request wrong = {.kind = REQ_WORKER_ADOPT, .id = {{1}}};
    uint64_t token = bench_request(&bench, &wrong);
    assert_int_equal(bench_answer(&bench, token)->status, ST_INVALID);
}

int main(void)
{
    return RUN_TESTS(BENCH_TEST(a_room_of_a_living_worker_is_where_the_store_says),
                     BENCH_TEST(an_unknown_code_is_refused_with_a_reason),
                     BENCH_TEST(a_room_without_owner_is_placed_and_all_who_asked_are_told),
                     BENCH_TEST(an_owner_that_has_just_come_is_given_a_lease_to_be_heard_of),
                     BENCH_TEST(a_room_is_attempted_at_most_once_in_250_ms),
                     BENCH_TEST(a_sweep_adopts_page_by_page_and_ends_when_nothing_is_left),
                     BENCH_TEST(a_worker_is_asked_for_no_more_rooms_than_it_loads_meanwhile),
                     BENCH_TEST(rooms_of_a_dead_worker_are_shared_until_they_have_waited_too_long),
                     BENCH_TEST(who_dies_before_it_was_asked_leaves_its_line_to_others),
                     BENCH_TEST(a_living_worker_that_drops_a_room_loses_it_after_a_second),
                     BENCH_TEST(a_request_for_another_service_is_refused));
}
