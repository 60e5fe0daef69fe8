/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/test.h"
#include "unit/wire/same.h"
#include "unit/wire/sample.h"

#include <stdlib.h>

enum { ROUNDS = 200 };

static void an_envelope_of_every_kind_comes_back(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 1};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int kind = ENV_ATTACH; kind <= ENV_FIRE_ANSWER; kind++) {
        for (int i = 0; i < ROUNDS; i++) {
            struct envelope envelope;
            sample_envelope(&sample, (enum envelope_kind)kind, &envelope);
            struct batch batch = {.from_url = "", .list = &envelope, .count = 1}, back;
            buf_clear(&buf);
            assert_int_equal(batch_encode(&batch, &buf), ST_OK);
            assert_int_equal(batch_decode(buf_slice(&buf), &arena, &back), ST_OK);
            assert_same_batch(&batch, &back);
            arena_reset(&arena);
            arena_reset(&sample.arena);
        }
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void batches_come_back(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 2};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int i = 0; i < ROUNDS; i++) {
        struct batch batch, back;
        sample_batch(&sample, &batch);
        buf_clear(&buf);
        assert_int_equal(batch_encode(&batch, &buf), ST_OK);
        assert_int_equal(batch_decode(buf_slice(&buf), &arena, &back), ST_OK);
        assert_same_batch(&batch, &back);
        arena_reset(&arena);
        arena_reset(&sample.arena);
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void assert_comes_back(const struct envelope *envelope)
{
    struct arena arena = {0};
    struct buf buf = {0};
    struct batch batch = {.from_url = "", .list = (struct envelope *)envelope, .count = 1}, back;
    assert_int_equal(batch_encode(&batch, &buf), ST_OK);
    assert_int_equal(batch_decode(buf_slice(&buf), &arena, &back), ST_OK);
    assert_same_batch(&batch, &back);
    buf_fini(&buf);
    arena_fini(&arena);
}

/* These are packed into as much room as they may take, without being measured. */
static void the_widest_numbers_find_room(void **unused)
{
    (void)unused;
    const uint64_t widest = UINT64_MAX;
    struct envelope act = {.kind = ENV_ACT};
    act.u.act = (struct env_act){widest, widest, UINT32_MAX, widest, widest, true, {0}, 0, 0};
    act.u.act.rtt_ms = act.u.act.copy = UINT32_MAX;
    assert_comes_back(&act);

    char domain[WIRE_NAME_BYTES_MAX + 1] = {0};
    memset(domain, 'd', WIRE_NAME_BYTES_MAX);
    struct envelope answer = {.kind = ENV_ANSWER};
    answer.u.answer =
        (struct env_answer){widest, widest, widest, UINT32_MAX, widest, false, {0}, 0, 0};
    answer.u.answer.why = (struct refusal){.domain = domain, .code = UINT32_MAX};
    answer.u.answer.why.param_count = WIRE_PARAMS_MAX;
    for (int i = 0; i < WIRE_PARAMS_MAX; i++) answer.u.answer.why.params[i] = INT32_MIN;
    answer.u.answer.seq = widest;
    answer.u.answer.copy = UINT32_MAX;
    assert_comes_back(&answer);

    struct update_event events[WIRE_EVENTS_MAX];
    struct envelope update = {.kind = ENV_UPDATE};
    struct env_update *u = &update.u.update;
    *u = (struct env_update){.room = widest,
                             .version = {widest, widest},
                             .base = widest,
                             .game_version = widest,
                             .room_time = widest,
                             .sections = SECTION_ALL,
                             .events = events,
                             .event_count = WIRE_EVENTS_MAX,
                             .private_count = WIRE_PRIVATES_MAX,
                             .only_client = widest};
    for (int i = 0; i < WIRE_PRIVATES_MAX; i++) u->privates[i].seat = i;
    for (int i = 0; i < WIRE_EVENTS_MAX; i++)
        events[i] = (struct update_event){.seq = widest, .seat = WIRE_PRIVATES_MAX - 1};
    assert_comes_back(&update);
}

static void what_was_decoded_does_not_need_the_bytes(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 3};
    struct arena arena = {0};
    struct buf buf = {0};
    struct batch batch, back;
    sample_batch(&sample, &batch);
    assert_int_equal(batch_encode(&batch, &buf), ST_OK);
    assert_int_equal(batch_decode(buf_slice(&buf), &arena, &back), ST_OK);
    memset(buf.at, 0x55, buf.len);
    assert_same_batch(&batch, &back);
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void a_request_of_every_kind_comes_back(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 4};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int kind = REQ_HEARTBEAT; kind <= REQ_WORKER_CLOSE; kind++) {
        for (int i = 0; i < ROUNDS / 4; i++) {
            struct request request, back;
            sample_request(&sample, (enum request_kind)kind, &request);
            buf_clear(&buf);
            assert_int_equal(request_encode(&request, &buf), ST_OK);
            assert_int_equal(request_decode(buf_slice(&buf), &arena, &back), ST_OK);
            assert_same_request(&request, &back);
            arena_reset(&arena);
            arena_reset(&sample.arena);
        }
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void a_reply_of_every_kind_comes_back(void **unused)
{
    (void)unused;
    struct sample sample = {.state = 5};
    struct arena arena = {0};
    struct buf buf = {0};
    for (int kind = REQ_HEARTBEAT; kind <= REQ_WORKER_CLOSE; kind++) {
        for (int i = 0; i < ROUNDS / 4; i++) {
            struct reply reply, back;
            sample_reply(&sample, (enum request_kind)kind, &reply);
            buf_clear(&buf);
            assert_int_equal(reply_encode(&reply, &buf), ST_OK);
            assert_int_equal(reply_decode(buf_slice(&buf), &arena, &back), ST_OK);
            assert_same_reply(&reply, &back);
            arena_reset(&arena);
            arena_reset(&sample.arena);
        }
    }
    buf_fini(&buf);
    arena_fini(&arena);
    arena_fini(&sample.arena);
}

static void many_empty_envelopes_are_refused_within_the_memory_budget(void **unused)
{
    (void)unused;
    /* Two bytes each, a struct each when decoded. */
    struct arena arena = {0};
    struct buf buf = {0};
    for (int i = 0; i < WIRE_BATCH_BYTES_MAX / 2; i++) buf_put(&buf, "\x32\x00", 2);
    struct batch batch;
    assert_int_not_equal(batch_decode(buf_slice(&buf), &arena, &batch), ST_OK);
    assert_true(arena.total <= 9 * (size_t)WIRE_BATCH_BYTES_MAX);
    buf_put_u8(&buf, 0);
    assert_int_equal(batch_decode(buf_slice(&buf), &arena, &batch), ST_TOO_LARGE);
    buf_fini(&buf);
    arena_fini(&arena);
}

/* ---- values and bounds ----------------------------------------------------------------------- */

static enum status encode_one(struct envelope *envelope)
{
    struct buf buf = {0};
    struct batch batch = {.list = envelope, .count = 1};
    enum status status = batch_encode(&batch, &buf);
    if (status != ST_OK) assert_int_equal(buf.len, 0);
    buf_fini(&buf);
    return status;
}

static void what_is_beyond_a_bound_is_not_sent(void **unused)
{
    (void)unused;
    static uint8_t bytes[WIRE_SECTION_BYTES_MAX + 1];
    static char text[WIRE_URL_BYTES_MAX + 2];

    struct envelope act = {.kind = ENV_ACT};
    act.u.act.bytes = slice_of(bytes, WIRE_ACTION_BYTES_MAX);
    assert_int_equal(encode_one(&act), ST_OK);
    act.u.act.bytes.len++;
    assert_int_equal(encode_one(&act), ST_TOO_LARGE);

    struct envelope update = {.kind = ENV_UPDATE};
    update.u.update.game = slice_of(bytes, WIRE_SECTION_BYTES_MAX);
    assert_int_equal(encode_one(&update), ST_OK);
    update.u.update.game.len++;
    assert_int_equal(encode_one(&update), ST_TOO_LARGE);
    update.u.update.game.len = 0;
    update.u.update.event_count = WIRE_EVENTS_MAX + 1;
    assert_int_equal(encode_one(&update), ST_TOO_LARGE);
    update.u.update.event_count = 0;
    update.u.update.private_count = WIRE_PRIVATES_MAX + 1;
    assert_int_equal(encode_one(&update), ST_TOO_LARGE);

    struct envelope moved = {.kind = ENV_MOVED};
    memset(text, 'u', WIRE_URL_BYTES_MAX);
    moved.u.moved.to_url = text;
    assert_int_equal(encode_one(&moved), ST_OK);
    text[WIRE_URL_BYTES_MAX] = 'u';
    assert_int_equal(encode_one(&moved), ST_TOO_LARGE);
}

static void events_out_of_order_are_refused(void **unused)
{
    (void)unused;
    struct update_event events[2] = {{.seq = 5}, {.seq = 6}};
    struct envelope update = {.kind = ENV_UPDATE};
    update.u.update.events = events;
    update.u.update.event_count = 2;
    assert_int_equal(encode_one(&update), ST_OK);
    events[1].seq = 5; /* two of one entry */
    assert_int_equal(encode_one(&update), ST_OK);
    events[1].seq = 4;
    assert_int_equal(encode_one(&update), ST_INVALID);
}

static enum status decode_hex(const char *bytes, size_t len)
{
    struct arena arena = {0};
    struct batch batch;
    enum status status = batch_decode(slice_of(bytes, len), &arena, &batch);
    arena_fini(&arena);
    return status;
}

static void unknown_kinds_and_values_are_refused(void **unused)
{
    (void)unused;
    /* Batch{envelopes: [Envelope{...}]}: field 6, length, then the kind's field */
    assert_int_equal(decode_hex("\x32\x02\x2a\x00", 4), ST_OK);              /* resync {} */
    assert_int_equal(decode_hex("\x32\x00", 2), ST_INVALID);                 /* no kind */
    assert_int_equal(decode_hex("\x32\x03\x8a\x01\x00", 5), ST_INVALID);     /* field 17 */
    assert_int_equal(decode_hex("\x32\x04\x0a\x02\x28\x01", 6), ST_OK);      /* attach to sit */
    assert_int_equal(decode_hex("\x32\x04\x0a\x02\x28\x03", 6), ST_INVALID); /* intent 3 */
    assert_int_equal(decode_hex("\x32\x02\x0a\x00", 4), ST_INVALID);         /* no intent */
    assert_int_equal(decode_hex("\x32\x04\x4a\x02\x30\x10", 6), ST_INVALID); /* section 16 */
    assert_int_equal(decode_hex("\x0a\x02xy", 4), ST_INVALID);               /* an id of 2 bytes */
    assert_int_equal(decode_hex("\xa2\x06\x01z", 4), ST_OK); /* an unknown field is ignored */
}

static void unknown_requests_and_statuses_are_refused(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct request request;
    struct reply reply;
    assert_int_equal(request_decode(slice_of("\x08\x09", 2), &arena, &request), ST_OK);
    assert_int_equal(request_decode(slice_of("\x08\x13", 2), &arena, &request), ST_INVALID);
    assert_int_equal(request_decode((struct slice){0}, &arena, &request), ST_INVALID);
    assert_int_equal(reply_decode(slice_of("\x08\x09\x18\x01", 4), &arena, &reply), ST_OK);
    assert_int_equal(reply.status, ST_OK);
    assert_int_equal(reply_decode(slice_of("\x08\x09\x18\x0c", 4), &arena, &reply), ST_INVALID);
    assert_int_equal(reply_decode(slice_of("\x08\x09", 2), &arena, &reply), ST_INVALID);
    arena_fini(&arena);
}

static void absent_parts_decode_to_empty_texts(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct request request;
    struct reply reply;
    assert_int_equal(request_decode(slice_of("\x08\x09", 2), &arena, &request), ST_OK);
    assert_string_equal(request.self.inbox_url, "");
    assert_string_equal(request.code, "");
    assert_null(request.rooms);
    assert_int_equal(reply_decode(slice_of("\x08\x09\x18\x01", 4), &arena, &reply), ST_OK);
    assert_string_equal(reply.placed.owner_url, "");
    assert_string_equal(reply.found.game, "");
    assert_null(reply.members);
    arena_fini(&arena);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(an_envelope_of_every_kind_comes_back),
                     cmocka_unit_test(batches_come_back),
                     cmocka_unit_test(the_widest_numbers_find_room),
                     cmocka_unit_test(what_was_decoded_does_not_need_the_bytes),
                     cmocka_unit_test(a_request_of_every_kind_comes_back),
                     cmocka_unit_test(a_reply_of_every_kind_comes_back),
                     cmocka_unit_test(many_empty_envelopes_are_refused_within_the_memory_budget),
                     cmocka_unit_test(what_is_beyond_a_bound_is_not_sent),
                     cmocka_unit_test(events_out_of_order_are_refused),
                     cmocka_unit_test(unknown_kinds_and_values_are_refused),
                     cmocka_unit_test(unknown_requests_and_statuses_are_refused),
                     cmocka_unit_test(absent_parts_decode_to_empty_texts));
}
