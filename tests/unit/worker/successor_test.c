/* SPDX-License-Identifier: Apache-2.0
 *
 * To whom a worker that leaves hands its rooms: to one that reaches the store in which they are
 * kept, else to anybody.
 */
#include "unit/worker/two_rigs.h"

enum { OTHERS = 15 };

static struct member members[1 + OTHERS];

/* The first leaves, and knows of the second and of others. */
static int open_leaving(void **state)
{
    int failed = open_rigs(state);
    for (int i = 0; i <= OTHERS; i++) {
        members[i] = (struct member){.kind = SERVICE_WORKER,
                                     .instance = {{0xee, (uint8_t)i}},
                                     .inbox_url = "inbox2",
                                     .control_url = "control2",
                                     .build = "",
                                     .rooms_max = 8,
                                     .shards_away = UINT32_MAX};
    }
    members[0].instance = second.instance;
    first.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = members};
    return failed;
}

static struct id128 whither(int member_count)
{
    first.heartbeat.member_count = member_count;
    rig_wait(&first, 300);
    rig_forget(&first);
    struct event leave = {.kind = EVENT_DRAIN};
    rig_event(&first, &leave);
    rig_wait(&first, 50);
    assert_int_equal(first.asked.kind, REQ_WORKER_ADOPT);
    const struct reply *reply = rig_reply(&second, rig_request(&second, &first.asked));
    struct event event = {.kind = EVENT_REPLY, .token = first.asked_token, .reply = reply};
    rig_event(&first, &event);
    return rig_last(&first, ENV_MOVED)->u.moved.to;
}

/* Of sixteen, one: hashing alone would hardly name it. */
static void a_room_goes_to_a_successor_that_reaches_the_store(void **state)
{
    (void)state;
    members[0].shards_away = ~1u;
    assert_true(id128_equal(whither(1 + OTHERS), second.instance));
}

static void where_none_is_known_to_reach_it_one_is_asked_all_the_same(void **state)
{
    (void)state;
    assert_true(id128_equal(whither(1), second.instance));
}

int main(void)
{
#define READY(test) ON_RIGS_OPENED(test, open_leaving)
    return RUN_TESTS(READY(a_room_goes_to_a_successor_that_reaches_the_store),
                     READY(where_none_is_known_to_reach_it_one_is_asked_all_the_same));
}
