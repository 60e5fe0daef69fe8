/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is sent what, and how often.
 */
#include "unit/worker/one_rig.h"

static bool told_private(const struct env_update *update, int seat)
{
    for (int i = 0; i < update->private_count; i++)
        if (update->privates[i].seat == seat) return true;
    return false;
}

static void a_private_part_goes_to_the_gateway_of_that_seat_alone(void **state)
{
    (void)state;
    rig_detach(&rig, GATE1, 12);
    rig_attach(&rig, GATE2, 22, 2, 2);
    for (int i = 0; i < rig.sent_count; i++) {
        const struct envelope *envelope = &rig.sent[i].envelope;
        if (envelope->kind != ENV_UPDATE) continue;
        bool first = id128_equal(rig.sent[i].to, GATE1);
        assert_false(told_private(&envelope->u.update, first ? 1 : 0));
    }
    assert_true(told_private(&rig_last_to(&rig, GATE2, ENV_UPDATE)->u.update, 1));
}

static void a_hidden_entry_sends_nobody_anything_but_its_own_answer(void **state)
{
    (void)state;
    rig_watch(&rig, GATE2, 21, 9);
    rig_wait(&rig, 2500);
    rig_forget(&rig);
    uint64_t before = position();
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WHISPER, 0);
    assert_int_equal(position(), before + 1);
    assert_int_equal(rig.sent_count, 1);
    assert_true(answer()->ok);
}

static void a_private_part_that_did_not_change_is_not_sent_again(void **state)
{
    (void)state;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    const struct env_update *update = &rig_last(&rig, ENV_UPDATE)->u.update;
    assert_int_equal(update->sections, SECTION_GAME);
    assert_int_equal(update->private_count, 0);
}

/* Whose turn it is, in the state that the game began in. */
static void say_something(void)
{
    uint8_t bytes[] = {TOY_SAY, 1};
    struct envelope envelope = {.kind = ENV_ACT};
    envelope.u.act = (struct env_act){.room = ROOM,
                                      .client = 12,
                                      .generation = 2,
                                      .counter = 1,
                                      .made_for = 1,
                                      .bytes = slice_of(bytes, sizeof bytes)};
    rig_envelope(&rig, GATE1, &envelope);
}

/* Both stand in the log before either is confirmed. */
static void who_is_about_to_be_shown_out_is_shown_all_of_what_was_before(void **state)
{
    (void)state;
    rig.answers = RIG_HOLDS;
    say_something();
    rig_command(&rig, GATE1, 11, 1, 2, RIG_KICK_1);
    rig.answers = RIG_ANSWERS;
    rig_release(&rig, 1);
    const struct env_update *update = &rig_last(&rig, ENV_UPDATE)->u.update;
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
    assert_int_equal(update->event_count, 1);
    assert_int_equal(update->events[0].seat, 1);
    assert_int_equal(update->events[0].mine.len, 1);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 1);
}

static void a_delta_names_what_the_gateway_was_last_sent(void **state)
{
    (void)state;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    struct version version = rig_last(&rig, ENV_UPDATE)->u.update.version;
    rig_act(&rig, GATE1, 11, 1, 3, TOY_WAVE, 5);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.base, version.seq);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.version.epoch, version.epoch);
}

static void a_resync_brings_the_whole_view_and_the_events_since(void **state)
{
    (void)state;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    struct version have = rig_last(&rig, ENV_UPDATE)->u.update.version;
    rig_act(&rig, GATE1, 11, 1, 3, TOY_WAVE, 5);
    rig_act(&rig, GATE1, 11, 1, 4, TOY_WAVE, 5);
    rig_forget(&rig);
    struct envelope envelope = {.kind = ENV_RESYNC};
    envelope.u.resync = (struct env_resync){ROOM, have};
    rig_envelope(&rig, GATE1, &envelope);
    const struct env_update *update = &rig_last(&rig, ENV_UPDATE)->u.update;
    assert_int_equal(update->base, 0);
    assert_int_equal(update->only_client, 0);
    assert_int_equal(update->private_count, 2);
    assert_int_equal(update->event_count, 2);
}

static void a_client_that_returns_gets_what_it_missed_as_events(void **state)
{
    (void)state;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    struct version have = rig_last(&rig, ENV_UPDATE)->u.update.version;
    rig_act(&rig, GATE1, 11, 1, 3, TOY_WAVE, 5);
    rig_detach(&rig, GATE1, 12);
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){.room = ROOM,
                                            .client = 22,
                                            .player = person(2),
                                            .name = "",
                                            .intent = ATTACH_SEAT,
                                            .generation = 2,
                                            .have = have};
    rig_envelope(&rig, GATE2, &envelope);
    const struct env_update *update = &rig_last_to(&rig, GATE2, ENV_UPDATE)->u.update;
    assert_int_equal(update->base, 0);
    assert_true(update->event_count >= 3); /* the wave, away, back again */
}

static void after_a_broken_stream_the_next_update_is_whole(void **state)
{
    (void)state;
    struct event event = {.kind = EVENT_PEER_RESET, .peer = GATE1, .peer_url = "gateway"};
    rig_event(&rig, &event);
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.base, 0);
}

static int updates_by_round_trips(struct rig *at)
{
    rig_forget(at);
    for (uint32_t i = 1; i <= 50; i++) {
        struct envelope envelope = {.kind = ENV_RTT};
        envelope.u.rtt = (struct env_rtt){ROOM, 11, 10 + i};
        rig_envelope(at, GATE1, &envelope);
        rig_wait(at, 100);
    }
    return rig_count(at, ENV_UPDATE);
}

static void round_trips_that_are_not_shown_make_no_update(void **state)
{
    /* SetOptions {rtt: 0} */
    static const char hide_rtt[] = "\x0a\x07\x0a\x05\x0a\x03rtt";
    struct world lobby_world;
    struct rig lobby;
    (void)state;
    world_open(&lobby_world);
    rig_open(&lobby, &lobby_world, 1);
    assert_int_equal(rig_create(&lobby, ROOM), ST_OK);
    rig_attach(&lobby, GATE1, 11, 1, 0);
    rig_wait(&lobby, 3000);
    assert_true(updates_by_round_trips(&lobby) > 0);
    rig_command(&lobby, GATE1, 11, 1, 1, hide_rtt, sizeof hide_rtt - 1);
    rig_wait(&lobby, 3000);
    assert_int_equal(updates_by_round_trips(&lobby), 0);
    rig_close(&lobby);
    world_close(&lobby_world);
}

static void round_trips_are_shown_at_most_every_two_seconds(void **state)
{
    (void)state;
    assert_in_range(updates_by_round_trips(&rig), 2, 3);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.sections, SECTION_PRESENCE);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(a_private_part_goes_to_the_gateway_of_that_seat_alone),
                     ON_A_RIG(a_hidden_entry_sends_nobody_anything_but_its_own_answer),
                     ON_A_RIG(a_private_part_that_did_not_change_is_not_sent_again),
                     ON_A_RIG(who_is_about_to_be_shown_out_is_shown_all_of_what_was_before),
                     ON_A_RIG(a_delta_names_what_the_gateway_was_last_sent),
                     ON_A_RIG(a_resync_brings_the_whole_view_and_the_events_since),
                     ON_A_RIG(a_client_that_returns_gets_what_it_missed_as_events),
                     ON_A_RIG(after_a_broken_stream_the_next_update_is_whole),
                     ON_A_RIG(round_trips_are_shown_at_most_every_two_seconds),
                     cmocka_unit_test(round_trips_that_are_not_shown_make_no_update));
}
