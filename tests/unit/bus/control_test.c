/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bus does with requests: answers, time limits, another that takes over, deaths that are
 * told.
 */
#include "unit/bus/place.h"

enum { ANSWERED_MS = 20 * 1000 /* at most, on a busy machine */ };

static void a_request_to_a_url_is_answered_with_its_token(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    place->b->answers = true;
    for (uint64_t i = 1; i <= 200; i++)
        end_request(place->a, bus_control_url(place->b->bus), i, ANSWERED_MS);
    assert_true(end_wait(place->a, EVENT_REPLY, 200));
    uint64_t sum = 0;
    for (int i = 0; i < 200; i++) {
        const struct seen *reply = end_seen(place->a, EVENT_REPLY, i);
        assert_int_equal(reply->status, ST_OK);
        assert_int_equal(reply->rooms, 2);
        sum += reply->token;
    }
    assert_int_equal(sum, 200 * 201 / 2);
    assert_int_equal(bus_requests_open(place->a->bus), 0);
}

static void any_matchmaker_answers_and_another_takes_over(void **state)
{
    struct place *place = *state;
    end_open(place->b, &place->loop, 2, NULL, place_url(place), NULL, 0);
    end_open(place->c, &place->loop, 3, NULL, place_url(place), NULL, 0);
    const char *matchmakers[] = {bus_control_url(place->b->bus), bus_control_url(place->c->bus)};
    end_open(place->a, &place->loop, 1, place_url(place), NULL, matchmakers, 2);
    place->b->answers = place->c->answers = true;
    loop_run_ms(&place->loop, 100);
    end_close(place->b);
    loop_run_ms(&place->loop, 100); /* nng may lose a request's memory while a pipe closes */
    for (uint64_t i = 1; i <= 10; i++) {
        end_request(place->a, NULL, i, ANSWERED_MS);
        assert_true(end_wait(place->a, EVENT_REPLY, (int)i));
        assert_int_equal(end_seen(place->a, EVENT_REPLY, (int)i - 1)->status, ST_OK);
        assert_int_equal(end_seen(place->a, EVENT_REPLY, (int)i - 1)->rooms, 3);
    }
}

static void a_request_that_nobody_answers_fails_when_its_time_is_over(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    uint64_t start = uv_hrtime();
    end_request(place->a, bus_control_url(place->b->bus), 7, 300);
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    assert_in_range((uv_hrtime() - start) / 1000000, 290, 1000);
    const struct seen *reply = end_seen(place->a, EVENT_REPLY, 0);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_int_equal(reply->token, 7);
    /* The answer comes too late and is dropped. */
    assert_int_equal(end_count(place->b, EVENT_REQUEST), 1);
    end_reply(place->b, end_seen(place->b, EVENT_REQUEST, 0)->token);
    loop_run_ms(&place->loop, 100);
    assert_int_equal(end_count(place->a, EVENT_REPLY), 1);
}

static void a_request_without_any_matchmaker_fails(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    end_request(place->a, NULL, 1, 1000);
    assert_int_equal(end_count(place->a, EVENT_REPLY), 0); /* never from inside bus_carry */
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 0)->status, ST_UNAVAILABLE);
}

static void a_token_is_good_once(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    end_request(place->a, bus_control_url(place->b->bus), 1, ANSWERED_MS);
    assert_true(end_wait(place->b, EVENT_REQUEST, 1));
    assert_int_equal(end_seen(place->b, EVENT_REQUEST, 0)->asked, REQ_STATUS);
    uint64_t token = end_seen(place->b, EVENT_REQUEST, 0)->token;
    end_reply(place->b, token + 64); /* none that was given */
    end_reply(place->b, token);
    end_reply(place->b, token);
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    end_reply(place->b, token);
    end_request(place->a, bus_control_url(place->b->bus), 2, ANSWERED_MS);
    assert_true(end_wait(place->b, EVENT_REQUEST, 2));
    end_reply(place->b, end_seen(place->b, EVENT_REQUEST, 1)->token);
    assert_true(end_wait(place->a, EVENT_REPLY, 2));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 1)->token, 2);
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 1)->status, ST_OK);
}

static void the_death_of_a_watched_process_is_told_once(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    char url[64];
    strcpy(url, bus_control_url(place->b->bus));
    end_watch(place->a, url, true);
    loop_run_ms(&place->loop, 300);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
    end_close(place->b);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_GONE, 0)->url, url);
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 1);
}

static void a_process_no_longer_watched_dies_in_silence(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    end_watch(place->a, bus_control_url(place->b->bus), true);
    loop_run_ms(&place->loop, 200);
    end_watch(place->a, bus_control_url(place->b->bus), false);
    end_close(place->b);
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
}

static bool wait_asked(struct end *end, enum request_kind kind)
{
    uint64_t start = uv_hrtime();
    while (uv_hrtime() - start < ANSWERED_MS * UINT64_C(1000000)) {
        for (int i = 0; i < end_count(end, EVENT_REQUEST); i++)
            if (end_seen(end, EVENT_REQUEST, i)->asked == kind) return true;
        uv_run(end->loop, UV_RUN_ONCE);
    }
    return false;
}

/* Else all that are alive would seem dead as soon as a store stands still. */
static void requests_that_wait_leave_room_for_heartbeats(void **state)
{
    struct place *place = *state;
    const int most = BUS_ANSWERS_MAX - BUS_ANSWERS_SPARE;
    struct bus_queues queues;
    place_open_both(place);
    for (int i = 1; i <= BUS_ANSWERS_MAX; i++)
        end_request(place->a, bus_control_url(place->b->bus), (uint64_t)i, ANSWERED_MS);
    assert_true(end_wait(place->a, EVENT_REPLY, BUS_ANSWERS_SPARE));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 0)->status, ST_UNAVAILABLE); /* busy */
    assert_int_equal(end_count(place->b, EVENT_REQUEST), most);
    bus_queues(place->b->bus, &queues);
    assert_int_equal(queues.answers.depth, most);
    assert_int_equal(queues.answers.bound, BUS_ANSWERS_MAX);
    assert_true(queues.answers.refused >= BUS_ANSWERS_SPARE);

    end_heartbeat(place->a, bus_control_url(place->b->bus), 1000);
    assert_true(wait_asked(place->b, REQ_HEARTBEAT));
    for (int i = 0; i < end_count(place->b, EVENT_REQUEST); i++)
        end_reply(place->b, end_seen(place->b, EVENT_REQUEST, i)->token);
    bus_queues(place->b->bus, &queues);
    assert_int_equal(queues.answers.depth, 0);
    int asked = end_count(place->b, EVENT_REQUEST);
    end_request(place->a, bus_control_url(place->b->bus), 2000, ANSWERED_MS);
    assert_true(end_wait(place->b, EVENT_REQUEST, asked + 1));
}

static void a_request_too_many_fails_in_the_next_turn(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    for (int i = 1; i <= BUS_REQUESTS_MAX + 5; i++)
        end_request(place->a, bus_control_url(place->b->bus), (uint64_t)i, 500);
    struct bus_queues queues;
    bus_queues(place->a->bus, &queues);
    assert_int_equal(queues.requests.refused, 5);
    assert_true(end_wait(place->a, EVENT_REPLY, 5));
    assert_true(end_wait(place->a, EVENT_REPLY, BUS_REQUESTS_MAX + 5));
    bus_queues(place->a->bus, &queues);
    assert_int_equal(queues.requests.depth, 0);
}

int main(void)
{
    return RUN_TESTS(BOTH(a_request_to_a_url_is_answered_with_its_token),
                     BOTH(any_matchmaker_answers_and_another_takes_over),
                     BOTH(a_request_that_nobody_answers_fails_when_its_time_is_over),
                     BOTH(a_request_without_any_matchmaker_fails), BOTH(a_token_is_good_once),
                     BOTH(the_death_of_a_watched_process_is_told_once),
                     BOTH(a_process_no_longer_watched_dies_in_silence),
                     TCP(requests_that_wait_leave_room_for_heartbeats),
                     TCP(a_request_too_many_fails_in_the_next_turn));
}
