/* SPDX-License-Identifier: Apache-2.0
 *
 * One room of two, whose gateway is this test: it says what a gateway says, and what none may.
 */
#include "bench/load.h"
#include "unit/bench/table.h"
#include "unit/test.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PLAYERS = 2, EPOCH = 7 };

static struct load_plan plan = {.game = "dobble", .rooms = 1, .players = PLAYERS, .processes = 1};
static struct load_shared shared;
static struct load load;
static struct load_client clients[PLAYERS];
static struct load_room room, *free_rooms[1];
static int far[PLAYERS];
static struct dobble_state state;
static struct load_figures *figures = &shared.share[0].figures;

/* RoomView { state: PLAYING, host: 0, playing: [0, 1] } */
static const uint8_t playing[] = {0x18, 0x02, 0x28, 0x00, 0x5a, 0x02, 0x00, 0x01};

static int begin(void **unused)
{
    (void)unused;
    memset(&shared, 0, sizeof shared);
    load = (struct load){.plan = &plan, .shared = &shared, .share = &shared.share[0]};
    load.phase = LOAD_MEASURE;
    load.epoll = epoll_create1(0);
    load.lean = true;
    load.flights_max = 1;
    load.client_count = PLAYERS;
    load.room_count = 1;
    load.free = free_rooms;
    room =
        (struct load_room){.load = &load, .clients = clients, .count = PLAYERS, .code = "ABCDEF"};
    for (int i = 0; i < PLAYERS; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) return -1;
        clients[i] = (struct load_client){.load = &load, .room = &room, .state = LOAD_SEATED};
        clients[i].line = (struct line){.fd = pair[0], .open = true};
        clients[i].interest = EPOLLIN;
        clients[i].seat = i;
        clients[i].generation = 1;
        clients[i].hellos = 1;
        far[i] = pair[1];
    }
    table_set(&state, DOBBLE_PLAYING);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    for (int i = 0; i < PLAYERS; i++) {
        line_cut(&clients[i].line);
        close(far[i]);
        buf_fini(&clients[i].view);
        buf_fini(&clients[i].game);
        buf_fini(&clients[i].mine);
    }
    buf_fini(&room.game);
    heap_fini(&load.due);
    close(load.epoll);
    return 0;
}

/* ---- what the gateway says ------------------------------------------------------------------- */

static void say(int to, const struct server_frame *frame)
{
    struct buf bytes = {0};
    server_frame_encode(frame, &bytes);
    load_heard(&clients[to], buf_slice(&bytes), bytes.len + 2);
    buf_fini(&bytes);
}

static void show(int to, uint64_t seq, uint64_t since)
{
    struct server_frame frame = {.kind = SERVER_ROOM};
    frame.u.room = (struct server_room){
        .version = {EPOCH, seq},
        .since = since,
        .game = table_view(&state),
        .room = since ? (struct slice){0} : slice_of(playing, sizeof playing),
    };
    say(to, &frame);
}

static void show_all(uint64_t seq, uint64_t since)
{
    for (int i = 0; i < PLAYERS; i++) show(i, seq, since);
}

static void answer(int to, uint64_t counter, bool ok, uint32_t code, uint64_t seq)
{
    struct server_frame frame = {.kind = SERVER_ANSWER};
    frame.u.answer =
        (struct server_answer){.generation = 1, .counter = counter, .ok = ok, .seq = seq};
    frame.u.answer.why = (struct refusal){.domain = "", .code = code};
    say(to, &frame);
}

static void seat(int to, uint32_t generation, uint64_t counter)
{
    struct server_frame frame = {.kind = SERVER_SEAT};
    frame.u.seat = (struct server_seat){"ABCDEF", to, generation, counter, EPOCH};
    say(to, &frame);
}

/* What a client has sent since the last time: how many messages, and the last one. */
static int said(int by, struct client_frame *last)
{
    static struct arena arena;
    uint8_t bytes[1000];
    ssize_t got = recv(far[by], bytes, sizeof bytes, 0);
    int count = 0;
    for (ssize_t at = 0; at < got; count++) {
        size_t len = bytes[at + 1] & 127;
        uint8_t *key = bytes + at + 2, *body = key + 4;
        for (size_t i = 0; i < len; i++) body[i] ^= key[i & 3];
        arena_fini(&arena);
        assert_int_equal(client_frame_decode(slice_of(body, len), &arena, last), ST_OK);
        at += (ssize_t)len + 6;
    }
    return count;
}

static uint64_t faults(void)
{
    uint64_t count = 0;
    for (int i = 0; i < LOAD_FAULT_COUNT; i++) count += shared.share[0].faults[i];
    return count;
}

/* Exactly this, and nothing else. */
static void expect_fault(enum load_fault fault)
{
    assert_int_equal(shared.share[0].faults[fault], 1);
    assert_int_equal(faults(), 1);
    assert_true(shared.share[0].said[0][0]);
}

/* ---- actions --------------------------------------------------------------------------------- */

static void an_action_is_over_when_it_is_answered_and_everybody_has_seen_it(void **unused)
{
    (void)unused;
    struct client_frame sent;
    show(0, 10, 0);
    assert_false(load_room_act(&load, 0)); /* the other one knows nothing yet */
    show(1, 10, 0);
    assert_true(load_room_act(&load, 0));
    assert_int_equal(load.flights, 1);
    assert_false(load_room_act(&load, 0)); /* one at a time */
    assert_int_equal(said(0, &sent), 1);
    assert_int_equal(sent.kind, CLIENT_ACT);
    assert_int_equal(sent.u.act.counter, 1);
    answer(0, 1, true, 0, 11);
    show(0, 11, 10);
    assert_int_equal(figures->accepted, 0);
    show(1, 11, 10);
    assert_int_equal(figures->accepted, 1);
    assert_int_equal(figures->own.count, 1);
    assert_int_equal(figures->last.count, 1);
    assert_true(figures->last.sum_us >= figures->own.sum_us);
    assert_int_equal(load.flights, 0);
    assert_true(load_room_act(&load, 0)); /* the next one's turn */
    assert_int_equal(said(1, &sent), 1);
    assert_int_equal(faults(), 0);
    assert_int_equal(figures->traffic[LOAD_VIEWS].frames, 4);
    assert_int_equal(figures->traffic[LOAD_ACTS].frames, 2);
}

static void an_action_that_could_not_go_out_in_time_counts_from_when_it_was_due(void **unused)
{
    (void)unused;
    show_all(10, 0);
    assert_true(load_room_act(&load, load_clock_us() - 250000));
    answer(0, 1, true, 0, 11);
    show_all(11, 10);
    assert_true(latency_at(&figures->own, 500000) >= 250000);
}

static void a_refused_action_is_an_error_and_not_accepted(void **unused)
{
    (void)unused;
    show_all(10, 0);
    load_room_act(&load, 0);
    answer(0, 1, false, REASON_STALE, 0);
    assert_int_equal(figures->errors[LOAD_ERROR_REFUSED], 1);
    assert_int_equal(figures->accepted, 0);
    assert_int_equal(load.flights, 0);
    assert_int_equal(clients[0].counter, 0);
}

static void a_busy_cluster_is_asked_again_with_the_same_counter(void **unused)
{
    (void)unused;
    struct client_frame sent;
    show_all(10, 0);
    load_room_act(&load, 0);
    said(0, &sent);
    answer(0, 1, false, REASON_BUSY, 0);
    assert_int_equal(figures->errors[LOAD_ERROR_BUSY], 1);
    assert_ptr_equal(heap_first(&load.due), &room.due);
    assert_int_equal(said(0, &sent), 0);
    heap_remove(&load.due, &room.due);
    load_room_due(&room);
    assert_int_equal(said(0, &sent), 1);
    assert_int_equal(sent.u.act.counter, 1);
    answer(0, 1, true, 0, 11);
    show_all(11, 10);
    assert_int_equal(figures->accepted, 1);
}

static void whoever_comes_back_sends_what_was_not_accepted(void **unused)
{
    (void)unused;
    struct client_frame sent;
    show_all(10, 0);
    load_room_act(&load, 0);
    said(0, &sent);
    seat(0, 2, 0);
    assert_int_equal(said(0, &sent), 1);
    assert_int_equal(sent.u.act.generation, 2);
    assert_int_equal(sent.u.act.counter, 1);
    seat(0, 3, 1); /* it was accepted meanwhile */
    assert_int_equal(figures->accepted, 1);
    assert_int_equal(faults(), 0);
    seat(0, 4, 0);
    expect_fault(LOAD_FAULT_TWICE);
}

/* ---- what must never come -------------------------------------------------------------------- */

static void a_version_that_falls_is_noticed(void **unused)
{
    (void)unused;
    show(0, 10, 0);
    show(0, 9, 0);
    expect_fault(LOAD_FAULT_VERSION);
}

static void a_delta_without_its_base_is_noticed_and_the_whole_asked_for(void **unused)
{
    (void)unused;
    struct client_frame sent;
    show(0, 10, 0);
    show(0, 13, 12);
    expect_fault(LOAD_FAULT_BASE);
    assert_int_equal(clients[0].version.seq, 10);
    assert_int_equal(said(0, &sent), 1);
    assert_int_equal(sent.kind, CLIENT_RESYNC);
}

static void two_who_are_shown_different_things_are_noticed(void **unused)
{
    (void)unused;
    show(0, 10, 0);
    state.seat[3].correct++;
    show(1, 10, 0);
    expect_fault(LOAD_FAULT_DIFFERS);
}

static void a_card_before_its_time_is_noticed(void **unused)
{
    (void)unused;
    table_set(&state, DOBBLE_COUNTDOWN);
    show(0, 10, 0);
    assert_int_equal(faults(), 0);
    state.face_up = true;
    show(0, 11, 10);
    expect_fault(LOAD_FAULT_TOLD);
}

static void a_second_answer_is_noticed(void **unused)
{
    (void)unused;
    show_all(10, 0);
    load_room_act(&load, 0);
    answer(0, 1, true, 0, 11);
    answer(0, 1, true, 0, 11);
    expect_fault(LOAD_FAULT_TWICE);
}

static void what_cannot_be_read_is_noticed(void **unused)
{
    (void)unused;
    load_heard(&clients[0], slice_text("\x32\x03nonsense"), 12);
    expect_fault(LOAD_FAULT_UNREADABLE);
}

#define ROOM(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    return RUN_TESTS(ROOM(an_action_is_over_when_it_is_answered_and_everybody_has_seen_it),
                     ROOM(an_action_that_could_not_go_out_in_time_counts_from_when_it_was_due),
                     ROOM(a_refused_action_is_an_error_and_not_accepted),
                     ROOM(a_busy_cluster_is_asked_again_with_the_same_counter),
                     ROOM(whoever_comes_back_sends_what_was_not_accepted),
                     ROOM(a_version_that_falls_is_noticed),
                     ROOM(a_delta_without_its_base_is_noticed_and_the_whole_asked_for),
                     ROOM(two_who_are_shown_different_things_are_noticed),
                     ROOM(a_card_before_its_time_is_noticed), ROOM(a_second_answer_is_noticed),
                     ROOM(what_cannot_be_read_is_noticed));
}
