/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sees and who acts: windows, watchers, gateways that die, and what a worker makes of nonsense.
 */
#include "unit/worker/rig.h"

static struct world world;
static struct rig rig;

static int open_rig(void **state)
{
    (void)state;
    world_open(&world);
    rig_open(&rig, &world, 1);
    rig_play(&rig);
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    rig_close(&rig);
    world_close(&world);
    return 0;
}

static uint64_t position(void)
{
    return rig_stored(&rig, ROOM).position;
}

static const struct env_answer *answer(void)
{
    return &rig_last(&rig, ENV_ANSWER)->u.answer;
}

/* ---- windows (ruling P2) --------------------------------------------------------------------- */

static void the_newer_window_is_live_and_the_older_can_act_no_more(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    const struct env_dropped *dropped = &rig_last_to(&rig, GATE1, ENV_DROPPED)->u.dropped;
    assert_int_equal(dropped->client, 11);
    assert_int_equal(dropped->why, DROPPED_OTHER_WINDOW);
    uint32_t generation = rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation;
    assert_true(generation > 1);

    uint64_t before = position();
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(answer()->why.code, REASON_OTHER_WINDOW);
    rig_act(&rig, GATE1, 11, generation, 2, TOY_WAVE, 5);
    assert_int_equal(answer()->why.code, REASON_OTHER_WINDOW);
    assert_int_equal(position(), before);
    rig_act(&rig, GATE2, 21, generation, 2, TOY_WAVE, 5);
    assert_true(answer()->ok);
}

/* A gateway that has not heard the answer yet repeats what it knew before. */
static void an_attach_that_is_sent_twice_gives_one_generation(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    uint32_t generation = rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation;
    uint64_t before = position();
    rig_forget(&rig);
    rig_attach(&rig, GATE2, 21, 1, 0);
    assert_int_equal(rig_last_to(&rig, GATE2, ENV_ATTACHED)->u.attached.generation, generation);
    assert_int_equal(position(), before);
    assert_null(rig_last_to(&rig, GATE2, ENV_DROPPED));
    rig_act(&rig, GATE2, 21, generation, 2, TOY_WAVE, 5);
    assert_true(answer()->ok);
}

static void the_older_window_does_not_come_back_by_itself(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    rig_forget(&rig);
    rig_attach(&rig, GATE1, 13, 1, 1);
    const struct env_attach_refused *refused =
        &rig_last_to(&rig, GATE1, ENV_ATTACH_REFUSED)->u.attach_refused;
    assert_int_equal(refused->why.code, REASON_OTHER_WINDOW);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
}

static void the_same_connection_that_attaches_again_keeps_its_generation(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_attach(&rig, GATE1, 11, 1, 1);
    assert_int_equal(rig_last(&rig, ENV_ATTACHED)->u.attached.generation, 1);
    assert_int_equal(rig_count(&rig, ENV_DROPPED), 0);
    assert_int_equal(position(), before);
}

static void an_act_of_a_client_that_never_came_in_asks_it_to(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_act(&rig, GATE2, 77, 1, 2, TOY_WAVE, 5);
    assert_string_equal(rig_last_to(&rig, GATE2, ENV_MOVED)->u.moved.to_url, "inbox1");
    assert_int_equal(position(), before);
}

/* ---- views ----------------------------------------------------------------------------------- */

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

static void round_trips_are_shown_at_most_every_two_seconds(void **state)
{
    (void)state;
    int updates = 0;
    for (uint32_t i = 1; i <= 50; i++) {
        struct envelope envelope = {.kind = ENV_RTT};
        envelope.u.rtt = (struct env_rtt){ROOM, 11, 10 + i};
        rig_envelope(&rig, GATE1, &envelope);
        rig_wait(&rig, 100);
        updates = rig_count(&rig, ENV_UPDATE);
    }
    assert_in_range(updates, 2, 3);
    assert_int_equal(rig_last(&rig, ENV_UPDATE)->u.update.sections, SECTION_PRESENCE);
}

/* ---- watchers -------------------------------------------------------------------------------- */

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

/* ---- gateways that die (rule 22) ------------------------------------------------------------- */

static void gone(struct id128 gate)
{
    struct event event = {.kind = EVENT_PEER_GONE, .peer = gate, .peer_url = "gateway"};
    rig_event(&rig, &event);
}

static void a_dead_gateway_is_not_a_departure_within_the_grace(void **state)
{
    (void)state;
    uint64_t before = position();
    gone(GATE1);
    rig_wait(&rig, 9000);
    assert_int_equal(position(), before);
    rig_attach(&rig, GATE2, 21, 1, 1);
    rig_wait(&rig, 2000);
    assert_int_equal(position(), before + 1); /* the other one is away now */
}

static void another_process_behind_its_url_shows_that_a_gateway_is_dead(void **state)
{
    (void)state;
    struct envelope envelope = {.kind = ENV_RTT};
    envelope.u.rtt = (struct env_rtt){ROOM, 11, 10};
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = {{0xa9}},
                          .peer_url = "gateway1",
                          .list = &envelope,
                          .count = 1};
    rig_event(&rig, &event);
    uint64_t before = position();
    rig_wait(&rig, 9000);
    assert_int_equal(position(), before);
    rig_wait(&rig, 2000);
    assert_int_equal(position(), before + 2);
}

static void a_socket_that_closes_is_a_departure_at_once(void **state)
{
    (void)state;
    uint64_t before = position();
    rig_detach(&rig, GATE1, 11);
    assert_int_equal(position(), before + 1);
}

static void a_detach_of_a_displaced_window_changes_nothing(void **state)
{
    (void)state;
    rig_attach(&rig, GATE2, 21, 1, 0);
    uint64_t before = position();
    rig_detach(&rig, GATE1, 11);
    assert_int_equal(position(), before);
}

static void a_gateway_that_no_matchmaker_hears_counts_as_dead(void **state)
{
    (void)state;
    struct member gate = {.kind = SERVICE_GATEWAY,
                          .instance = GATE1,
                          .inbox_url = "gateway",
                          .control_url = "",
                          .build = ""};
    rig.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = &gate, .member_count = 1};
    rig_wait(&rig, 1000);
    rig.heartbeat.member_count = 0;
    uint64_t before = position();
    rig_wait(&rig, WORKER_GATEWAY_SILENCE_MS + WORKER_GATEWAY_GRACE_MS - 1000);
    assert_int_equal(position(), before);
    rig_wait(&rig, 2000);
    assert_true(position() > before);
}

/* ---- nonsense -------------------------------------------------------------------------------- */

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

#define ON_A_RIG(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)

int main(void)
{
    return RUN_TESTS(ON_A_RIG(the_newer_window_is_live_and_the_older_can_act_no_more),
                     ON_A_RIG(an_attach_that_is_sent_twice_gives_one_generation),
                     ON_A_RIG(the_older_window_does_not_come_back_by_itself),
                     ON_A_RIG(the_same_connection_that_attaches_again_keeps_its_generation),
                     ON_A_RIG(an_act_of_a_client_that_never_came_in_asks_it_to),
                     ON_A_RIG(a_private_part_goes_to_the_gateway_of_that_seat_alone),
                     ON_A_RIG(a_hidden_entry_sends_nobody_anything_but_its_own_answer),
                     ON_A_RIG(a_private_part_that_did_not_change_is_not_sent_again),
                     ON_A_RIG(a_delta_names_what_the_gateway_was_last_sent),
                     ON_A_RIG(a_resync_brings_the_whole_view_and_the_events_since),
                     ON_A_RIG(a_client_that_returns_gets_what_it_missed_as_events),
                     ON_A_RIG(after_a_broken_stream_the_next_update_is_whole),
                     ON_A_RIG(round_trips_are_shown_at_most_every_two_seconds),
                     ON_A_RIG(watchers_are_bounded),
                     ON_A_RIG(whoever_has_a_seat_and_asks_to_watch_gets_the_seat),
                     ON_A_RIG(a_watcher_plays_no_game_action),
                     ON_A_RIG(a_watcher_sits_down_and_a_player_stands_up),
                     ON_A_RIG(a_kicked_player_is_out_and_may_not_watch),
                     ON_A_RIG(whoever_leaves_is_told_once_it_is_in_the_log),
                     ON_A_RIG(a_dead_gateway_is_not_a_departure_within_the_grace),
                     ON_A_RIG(another_process_behind_its_url_shows_that_a_gateway_is_dead),
                     ON_A_RIG(a_socket_that_closes_is_a_departure_at_once),
                     ON_A_RIG(a_detach_of_a_displaced_window_changes_nothing),
                     ON_A_RIG(a_gateway_that_no_matchmaker_hears_counts_as_dead),
                     ON_A_RIG(garbage_changes_nothing_and_stops_nothing));
}
