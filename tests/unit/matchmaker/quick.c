/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/matchmaker/quick.h"

uint64_t quick_ask_but(uint8_t ticket, room_id avoid)
{
    struct request request = {.kind = REQ_TICKET,
                              .id = {{8, ticket}},
                              .game = "toy",
                              .ticket = {{ticket}},
                              .room = avoid};
    return bench_request(&bench, &request);
}

uint64_t quick_ask(uint8_t ticket)
{
    return quick_ask_but(ticket, 0);
}

void quick_say_claimed(room_id room, uint32_t expected)
{
    const struct effect *question = bench_find(&bench, EFFECT_STORE, STORE_CLAIMED);
    assert_non_null(question);
    struct store_reply reply = {.kind = STORE_CLAIMED,
                                .tag = question->op.tag,
                                .status = room ? ST_OK : ST_UNKNOWN,
                                .room = room,
                                .expected = expected};
    bench_store(&bench, &reply);
}

uint64_t quick_poll(uint8_t ticket)
{
    uint64_t token = quick_ask(ticket);
    if (bench_find(&bench, EFFECT_STORE, STORE_CLAIMED)) quick_say_claimed(0, 0);
    return token;
}

void quick_say_none(void)
{
    struct store_reply none = {.kind = STORE_FIND,
                               .tag = bench_question(&bench)->op.tag,
                               .status = ST_UNKNOWN};
    bench_store(&bench, &none);
}

void quick_say_there(room_id room)
{
    assert_true(bench_question(&bench)->op.room == room);
    struct store_reply there = {.kind = STORE_FIND,
                                .tag = bench_question(&bench)->op.tag,
                                .room = room,
                                .owner = W1,
                                .owner_url = "ipc://w1",
                                .epoch = 9};
    bench_store(&bench, &there);
}

const struct effect *quick_claim(void)
{
    const struct effect *effect = bench_find(&bench, EFFECT_STORE, STORE_CLAIM);
    assert_non_null(effect);
    return effect;
}

void quick_say_claim(enum status status)
{
    struct store_reply reply = {
        .kind = STORE_CLAIM, .tag = quick_claim()->op.tag, .status = status, .room = 4242};
    bench_store(&bench, &reply);
}

void quick_assert_told(uint8_t ticket, room_id room)
{
    uint64_t token = quick_ask(ticket);
    quick_say_there(room);
    assert_false(bench_answer(&bench, token)->pending);
    assert_true(bench_answer(&bench, token)->placed.room == room);
}
