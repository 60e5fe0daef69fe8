/* SPDX-License-Identifier: Apache-2.0
 *
 * Who watches, sits, is kicked or leaves, and what a worker makes of nonsense.
 */
#include "unit/worker/one_rig.h"

static void watchers_are_bounded(void **state)
{
    (void)state;
    for (uint64_t c = 100; c < 100 + WORKER_WATCHERS_MAX; c++) rig_watch(&rig, GATE2, c, 9);
    assert_int_equal(rig_count(&rig, ENV_ATTACHED), WORKER_WATCHERS_MAX);
    rig_watch(&rig, GATE2, 99, 9);
    assert_int_equal(rig_last(&rig, ENV_ATTACH_REFUSED)->u.attach_refused.why.code,
                     REASON_ROOM_FULL);
    rig_attach(&rig, GATE2, 98, 1, 0); /* a seat is not a watcher's place */
    assert_int_equal(rig_last(&rig, ENV_ATTACHED)->u.attached.seat, 0);
}

static void whoever_has_a_seat_and_asks_to_watch_gets_the_seat(void **state)
{
    (void)state;
    rig_detach(&rig, GATE1, 11);
    rig_watch(&rig, GATE2, 21, 1);
    assert_int_equal(rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.seat, 0);
}

static void a_watcher_plays_no_game_action(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_watch(&rig, GATE2, 21, 9);
    rig_act(&rig, GATE2, 21, 0, 1, TOY_WAVE, 5);
    assert_int_equal(answer()->why.code, REASON_NOT_SEATED);
    assert_int_equal(position(), before);
}

static void a_watcher_sits_down_and_a_player_stands_up(void **state)
{
    (void)state;
    struct rig lobby;
    struct world other;
    world_open(&other);
    rig_open(&lobby, &other, 1);
    assert_int_equal(rig_create(&lobby, ROOM), ST_OK);
    rig_attach(&lobby, GATE1, 11, 1, 0);
    rig_watch(&lobby, GATE2, 21, 9);
    rig_forget(&lobby);
    rig_command(&lobby, GATE2, 21, 0, 1, RIG_SIT_ON_2);
    assert_true(rig_last(&lobby, ENV_ANSWER)->u.answer.ok);
    const struct env_attached *attached = &rig_last(&lobby, ENV_ATTACHED)->u.attached;
    assert_int_equal(attached->seat, 2);
    rig_command(&lobby, GATE2, 21, attached->generation, attached->counter + 1, RIG_STAND_UP);
    assert_true(rig_last(&lobby, ENV_ANSWER)->u.answer.ok);
    assert_int_equal(rig_last(&lobby, ENV_ATTACHED)->u.attached.seat, -1);
    rig_close(&lobby);
    world_close(&other);
}

static void a_kicked_player_is_out_and_may_not_watch(void **state)
{
    (void)state;
    rig_command(&rig, GATE1, 11, 1, 2, RIG_KICK_1);
    assert_true(answer()->ok);
    const struct env_dropped *dropped = &rig_last(&rig, ENV_DROPPED)->u.dropped;
    assert_int_equal(dropped->client, 12);
    assert_int_equal(dropped->why, DROPPED_KICKED);
    rig_watch(&rig, GATE2, 21, 2);
    assert_int_equal(rig_last(&rig, ENV_ATTACH_REFUSED)->u.attach_refused.why.code, REASON_KICKED);
}

static void whoever_leaves_is_told_once_it_is_in_the_log(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    struct envelope envelope = {.kind = ENV_LEAVE};
    envelope.u.client = (struct env_client){ROOM, 12};
    rig_envelope(&rig, GATE1, &envelope);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_last(&rig, ENV_DROPPED)->u.dropped.why, DROPPED_LEFT);
}

static void garbage_changes_nothing_and_stops_nothing(void **state)
{
    (void)state;
    uint64_t before = position(), seed = 12345;
    for (int kind = 0; kind <= 40; kind++) {
        for (int i = 0; i < 50; i++) {
            struct envelope envelope = {.kind = (enum envelope_kind)kind};
            uint8_t bytes[64];
            for (size_t k = 0; k < sizeof bytes; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                bytes[k] = (uint8_t)(seed >> 33);
            }
            if (kind == ENV_ATTACH) {
                envelope.u.attach.room = i % 2 ? ROOM : seed;
                envelope.u.attach.client = seed;
                envelope.u.attach.name = "";
                envelope.u.attach.intent = (enum attach_intent)(seed % 7);
            } else if (kind == ENV_ACT) {
                envelope.u.act.room = i % 2 ? ROOM : seed;
                envelope.u.act.client = i % 3 ? 11 : seed;
                envelope.u.act.generation = i % 5 ? 1 : (uint32_t)seed;
                envelope.u.act.counter = i % 7 ? 2 : seed;
                envelope.u.act.command = i % 2;
                envelope.u.act.bytes = slice_of(bytes, 2 + seed % 40);
                bytes[0] |= 0xe0;
            } else {
                memcpy(&envelope.u, bytes, 16);
            }
            rig_envelope(&rig, GATE1, &envelope);
        }
        rig_forget(&rig);
    }
    assert_int_equal(position(), before);
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    rig_wait(&rig, 3000);
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_true(answer()->ok);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(watchers_are_bounded),
                     ON_A_RIG(whoever_has_a_seat_and_asks_to_watch_gets_the_seat),
                     ON_A_RIG(a_watcher_plays_no_game_action),
                     ON_A_RIG(a_watcher_sits_down_and_a_player_stands_up),
                     ON_A_RIG(a_kicked_player_is_out_and_may_not_watch),
                     ON_A_RIG(whoever_leaves_is_told_once_it_is_in_the_log),
                     ON_A_RIG(garbage_changes_nothing_and_stops_nothing));
}
