/* SPDX-License-Identifier: Apache-2.0
 *
 * Links, one case each.
 */
#include "unit/test.h"

#include "unit/wire/link_model.h"

static const struct id128 first = {{1}}, second = {{2}}, third = {{3}};

static const struct id128 nobody;

/* Two links and the batch between them. */
struct pair {
    struct link a, b;
    struct arena arena;
    struct buf bytes;
    struct link_in in;
};

static void pair_open(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    link_init(&pair->a, first, "ipc://a");
    link_init(&pair->b, second, "ipc://b");
}

static void pair_close(struct pair *pair)
{
    link_fini(&pair->a);
    link_fini(&pair->b);
    arena_fini(&pair->arena);
    buf_fini(&pair->bytes);
}

/* One envelope from one link to another's URL, as a batch in bytes. */
static void batch_of(struct pair *pair, struct link *from, const char *url, instant_ms now)
{
    struct envelope envelope = {.kind = ENV_PAUSED};
    struct link_out out;
    assert_int_equal(link_send(from, url, nobody, &envelope, now), ST_OK);
    assert_true(link_flush(from, now, &out));
    buf_clear(&pair->bytes);
    buf_put_slice(&pair->bytes, out.bytes);
    assert_false(link_flush(from, now, &out));
}

static enum link_outcome receive(struct pair *pair, struct link *to, instant_ms now)
{
    assert_int_equal(link_receive(to, buf_slice(&pair->bytes), now, &pair->arena, &pair->in),
                     ST_OK);
    return pair->in.outcome;
}

static void one_flush_makes_one_batch_per_peer(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    struct envelope envelope = {.kind = ENV_RTT};
    for (int i = 0; i < 100; i++) {
        envelope.u.rtt.client = (uint64_t)i;
        assert_int_equal(link_send(&pair.a, "ipc://b", nobody, &envelope, 1), ST_OK);
    }
    struct link_out out;
    assert_true(link_flush(&pair.a, 1, &out));
    assert_string_equal(out.url, "ipc://b");
    assert_int_equal(link_receive(&pair.b, out.bytes, 1, &pair.arena, &pair.in), ST_OK);
    assert_int_equal(pair.in.count, 100);
    assert_true(pair.in.reset);
    assert_true(id128_equal(pair.in.peer, first));
    for (int i = 0; i < 100; i++) assert_int_equal(pair.in.list[i].u.rtt.client, i);
    assert_false(link_flush(&pair.a, 1, &out));
    pair_close(&pair);
}

static void a_batch_that_comes_twice_is_delivered_once(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    batch_of(&pair, &pair.a, "ipc://b", 1);
    assert_int_equal(receive(&pair, &pair.b, 1), LINK_NEW_INSTANCE);
    assert_int_equal(receive(&pair, &pair.b, 1), LINK_REPEATED);
    assert_int_equal(pair.in.count, 0);
    assert_false(pair.in.reset);
    pair_close(&pair);
}

static void a_batch_for_a_dead_instance_is_answered_by_a_heartbeat(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    struct envelope envelope = {.kind = ENV_PAUSED};
    struct link_out out;
    assert_int_equal(link_send(&pair.a, "ipc://b", third, &envelope, 1), ST_OK);
    assert_true(link_flush(&pair.a, 1, &out));
    assert_int_equal(link_receive(&pair.b, out.bytes, 1, &pair.arena, &pair.in), ST_OK);
    assert_int_equal(pair.in.outcome, LINK_MISADDRESSED);
    assert_int_equal(pair.in.count, 0);

    assert_true(link_flush(&pair.b, 1, &out));
    assert_true(out.heartbeat);
    assert_int_equal(link_receive(&pair.a, out.bytes, 1, &pair.arena, &pair.in), ST_OK);
    assert_int_equal(pair.in.outcome, LINK_NEW_INSTANCE);
    assert_true(pair.in.reset);
    assert_true(id128_equal(link_instance(&pair.a, "ipc://b"), second));

    batch_of(&pair, &pair.a, "ipc://b", 2);
    assert_int_equal(receive(&pair, &pair.b, 2), LINK_NEW_INSTANCE);
    assert_int_equal(pair.in.count, 1);
    pair_close(&pair);
}

static void after_a_loss_nothing_is_sent_until_the_core_knows(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    batch_of(&pair, &pair.a, "ipc://b", 1);
    assert_int_equal(receive(&pair, &pair.b, 1), LINK_NEW_INSTANCE);

    struct envelope envelope = {.kind = ENV_PAUSED};
    struct id128 instance;
    const char *url;
    link_lost(&pair.a, "ipc://b");
    assert_int_equal(link_send(&pair.a, "ipc://b", nobody, &envelope, 2), ST_UNAVAILABLE);
    assert_true(link_reset_due(&pair.a, &instance, &url));
    assert_string_equal(url, "ipc://b");
    assert_false(link_reset_due(&pair.a, &instance, &url));

    batch_of(&pair, &pair.a, "ipc://b", 3);
    assert_int_equal(receive(&pair, &pair.b, 3), LINK_NEW_STREAM);
    assert_true(pair.in.reset);
    assert_int_equal(pair.in.count, 1);
    pair_close(&pair);
}

static void a_peer_that_is_gone_is_forgotten_without_a_reset(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    batch_of(&pair, &pair.b, "ipc://a", 1);
    assert_int_equal(receive(&pair, &pair.a, 1), LINK_NEW_INSTANCE);
    struct envelope envelope = {.kind = ENV_PAUSED};
    assert_int_equal(link_send(&pair.a, "ipc://b", second, &envelope, 2), ST_OK);
    link_lost(&pair.a, "ipc://b");
    link_gone(&pair.a, "ipc://b");

    struct id128 instance;
    const char *url;
    struct link_out out;
    assert_false(link_reset_due(&pair.a, &instance, &url));
    assert_false(link_flush(&pair.a, 2000, &out)); /* no heartbeat either */
    assert_true(id128_is_zero(link_instance(&pair.a, "ipc://b")));
    link_gone(&pair.a, "ipc://b"); /* an unknown one is no matter */

    /* Should it live after all, it is a new acquaintance. */
    batch_of(&pair, &pair.b, "ipc://a", 3);
    assert_int_equal(receive(&pair, &pair.a, 3), LINK_NEW_INSTANCE);
    assert_true(pair.in.reset);
    pair_close(&pair);
}

static void an_overflow_cuts_the_stream_and_never_thins_it(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    static uint8_t section[WIRE_SECTION_BYTES_MAX];
    struct envelope envelope = {.kind = ENV_UPDATE};
    envelope.u.update.game = slice_of(section, sizeof section);
    enum status status = ST_OK;
    int accepted = 0;
    enum { ENDLESS = 2 * LINK_TURN_BYTES_MAX / WIRE_SECTION_BYTES_MAX };
    while (accepted < ENDLESS &&
           (status = link_send(&pair.a, "ipc://b", nobody, &envelope, 1)) == ST_OK)
        accepted++;
    assert_int_equal(status, ST_FULL);
    /* The turn took nearly as much as its bound says. */
    assert_in_range(accepted, LINK_TURN_BYTES_MAX / WIRE_SECTION_BYTES_MAX * 9 / 10,
                    LINK_TURN_BYTES_MAX / WIRE_SECTION_BYTES_MAX);
    struct link_out out;
    assert_false(link_flush(&pair.a, 1, &out)); /* all of it is dropped */
    struct id128 instance;
    const char *url;
    assert_true(link_reset_due(&pair.a, &instance, &url));
    assert_int_equal(link_send(&pair.a, "ipc://b", nobody, &envelope, 1), ST_OK);
    pair_close(&pair);
}

static void a_full_turn_leaves_in_several_batches_within_the_limit(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    struct envelope envelope = {.kind = ENV_RTT};
    int sent = 3 * WIRE_BATCH_ENVELOPES_MAX + 5, batches = 0, delivered = 0;
    for (int i = 0; i < sent; i++)
        assert_int_equal(link_send(&pair.a, "ipc://b", nobody, &envelope, 1), ST_OK);
    struct link_out out;
    while (link_flush(&pair.a, 1, &out)) {
        assert_int_equal(link_receive(&pair.b, out.bytes, 1, &pair.arena, &pair.in), ST_OK);
        assert_int_equal(pair.in.outcome, batches == 0 ? LINK_NEW_INSTANCE : LINK_IN_ORDER);
        delivered += pair.in.count;
        batches++;
    }
    assert_int_equal(batches, 4);
    assert_int_equal(delivered, sent);
    pair_close(&pair);
}

static int beats_between(struct link *link, instant_ms from, instant_ms to)
{
    int beats = 0;
    struct link_out out;
    for (instant_ms now = from; now < to; now += 10)
        while (link_flush(link, now, &out)) beats += out.heartbeat;
    return beats;
}

static void heartbeats_go_on_for_thirty_seconds_and_then_the_peer_is_forgotten(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    batch_of(&pair, &pair.a, "ipc://b", 0);
    assert_in_range(beats_between(&pair.a, 0, LINK_TALK_MS), 115, 121);
    assert_int_equal(beats_between(&pair.a, LINK_TALK_MS, LINK_FORGET_MS), 0);
    assert_int_equal(pair.a.count, 1);
    beats_between(&pair.a, LINK_FORGET_MS, LINK_FORGET_MS + 1000);
    assert_int_equal(pair.a.count, 0);
    assert_true(link_deadline(&pair.a) == INSTANT_NEVER);
    pair_close(&pair);
}

static void batches_that_make_no_sense_change_nothing(void **unused)
{
    (void)unused;
    struct pair pair;
    pair_open(&pair);
    struct envelope envelope = {.kind = ENV_PAUSED};
    struct batch batches[] = {
        {.from_url = "ipc://a", .number = 1, .list = &envelope, .count = 1},   /* from nobody */
        {.from = first, .number = 1, .list = &envelope, .count = 1},           /* from nowhere */
        {.from = first, .from_url = "ipc://a", .list = &envelope, .count = 1}, /* number 0 */
    };
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        buf_clear(&pair.bytes);
        assert_int_equal(batch_encode(&batches[i], &pair.bytes), ST_OK);
        assert_int_equal(link_receive(&pair.b, buf_slice(&pair.bytes), 1, &pair.arena, &pair.in),
                         ST_INVALID);
    }
    assert_int_equal(pair.b.count, 0);
    pair_close(&pair);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(one_flush_makes_one_batch_per_peer),
                     cmocka_unit_test(a_batch_that_comes_twice_is_delivered_once),
                     cmocka_unit_test(a_batch_for_a_dead_instance_is_answered_by_a_heartbeat),
                     cmocka_unit_test(after_a_loss_nothing_is_sent_until_the_core_knows),
                     cmocka_unit_test(a_peer_that_is_gone_is_forgotten_without_a_reset),
                     cmocka_unit_test(an_overflow_cuts_the_stream_and_never_thins_it),
                     cmocka_unit_test(a_full_turn_leaves_in_several_batches_within_the_limit),
                     cmocka_unit_test(
                         heartbeats_go_on_for_thirty_seconds_and_then_the_peer_is_forgotten),
                     cmocka_unit_test(batches_that_make_no_sense_change_nothing));
}
