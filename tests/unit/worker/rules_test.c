/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules versions among workers (rule 9): an old binary that plays the first version of a game, a
 * new one that plays both, side by side.
 */
#include "unit/worker/rig.h"

static const struct rules first_version[] = {{"toy-rules", 1}};
static const struct rules both_versions[] = {{"toy-rules", 2}, {"toy-rules", 1}};

static struct world world;
static struct rig old, new;

static int open_rigs(void **state)
{
    (void)state;
    world_open(&world);
    rig_open_playing(&old, &world, 1, first_version, 1);
    rig_open_playing(&new, &world, 2, both_versions, 2);
    old.game = new.game = "toy-rules";
    return 0;
}

static int close_rigs(void **state)
{
    (void)state;
    rig_close(&old);
    rig_close(&new);
    world_close(&world);
    return 0;
}

static uint32_t version_stored(void)
{
    struct arena arena = {0};
    struct store_reply reply;
    struct store_op find = {.kind = STORE_FIND, .room = ROOM};
    model_store_step(world.store, &find, world.redis, &arena, &reply);
    struct room_summary summary;
    assert_int_equal(room_summary_decode(reply.summary, &arena, &summary), ST_OK);
    uint32_t version = summary.rules_version;
    arena_fini(&arena);
    return version;
}

/* The matchmakers tell rig of the other worker and what it can play. */
static void tell_of(struct rig *rig, const struct rig *other, struct member *member,
                    const struct rules *plays, int play_count)
{
    *member = (struct member){.kind = SERVICE_WORKER,
                              .instance = other->instance,
                              .inbox_url = other == &old ? "inbox1" : "inbox2",
                              .control_url = other == &old ? "control1" : "control2",
                              .build = "",
                              .rooms_max = 8,
                              .plays = (struct rules *)plays,
                              .play_count = play_count};
    rig->heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = member, .member_count = 1};
    rig_wait(rig, 300);
}

static enum status adopt(struct rig *rig, struct rules rules)
{
    struct request request = {.kind = REQ_WORKER_ADOPT, .id = {{3, (uint8_t)rig->events}}};
    struct room_epoch one = {ROOM, rig_stored(rig, ROOM).epoch, rules};
    request.rooms = &one;
    request.room_count = 1;
    const struct reply *reply = rig_reply(rig, rig_request(rig, &request));
    assert_true(reply && reply->adopted_count == 1);
    return reply->adopted[0].status;
}

static void a_worker_registers_what_it_can_play(void **state)
{
    (void)state;
    assert_int_equal(old.said_of_itself.play_count, 1);
    assert_int_equal(new.said_of_itself.play_count, 2);
    assert_true(member_plays(&new.said_of_itself, (struct rules){"toy-rules", 2}));
    assert_false(member_plays(&old.said_of_itself, (struct rules){"toy-rules", 2}));
    assert_true(member_plays(&old.said_of_itself, (struct rules){"toy-rules", 0}));
    assert_false(member_plays(&old.said_of_itself, (struct rules){"toy", 0}));
    struct rig all;
    rig_open(&all, &world, 1);
    assert_true(member_plays(&all.said_of_itself, (struct rules){"toy", 1}));
    assert_true(member_plays(&all.said_of_itself, (struct rules){"toy-rules", 1}));
    assert_true(member_plays(&all.said_of_itself, (struct rules){"toy-rules", 2}));
    rig_close(&all);
}

static void a_room_it_cannot_play_is_refused_untouched(void **state)
{
    (void)state;
    rig_play(&new);
    assert_int_equal(version_stored(), 2);
    struct model_view before = rig_stored(&new, ROOM);
    assert_int_equal(adopt(&old, (struct rules){"toy-rules", 2}), ST_REFUSED);
    assert_int_equal(rig_waiting(&old, STORE_TAKE), 0);
    struct model_view after = rig_stored(&new, ROOM);
    assert_true(after.epoch == before.epoch && id128_equal(after.owner, new.instance));
    rig_act(&new, GATE1, 11, 1, 2, TOY_WAVE, 5); /* its owner has noticed nothing */
    assert_true(rig_last(&new, ENV_ANSWER)->u.answer.ok);
}

/* By an older matchmaker, which does not know of versions. */
static void a_room_taken_unawares_is_let_go_and_not_set_aside(void **state)
{
    (void)state;
    rig_play(&new);
    assert_int_equal(adopt(&old, (struct rules){0}), ST_UNKNOWN);
    assert_true(rig_noted(&old, "room.unreadable"));
    assert_false(rig_noted(&old, "room.set_aside"));
    assert_true(id128_is_zero(rig_stored(&old, ROOM).owner));
    struct rig third;
    rig_open_playing(&third, &world, 2, both_versions, 2);
    assert_int_equal(adopt(&third, (struct rules){"toy-rules", 2}), ST_OK);
    rig_attach(&third, GATE1, 11, 1, 1);
    rig_act(&third, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_true(rig_last(&third, ENV_ANSWER)->u.answer.ok);
    rig_close(&third);
}

static void a_game_starts_by_what_every_worker_plays(void **state)
{
    (void)state;
    struct member member;
    tell_of(&new, &old, &member, first_version, 1);
    rig_play(&new);
    assert_int_equal(version_stored(), 1);
    assert_int_equal(adopt(&old, (struct rules){"toy-rules", 1}), ST_OK);
    rig_attach(&old, GATE1, 11, 1, 1);
    rig_act(&old, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_true(rig_last(&old, ENV_ANSWER)->u.answer.ok);
}

static void once_the_old_ones_leave_the_next_game_is_of_the_new_rules(void **state)
{
    (void)state;
    struct member member;
    tell_of(&new, &old, &member, first_version, 1);
    assert_int_equal(rig_create(&new, ROOM), ST_OK);
    assert_int_equal(version_stored(), 1);
    member.draining = true;
    rig_wait(&new, 300);
    rig_attach(&new, GATE1, 11, 1, 0);
    rig_attach(&new, GATE1, 12, 2, 0);
    rig_command(&new, GATE1, 11, 1, 1, RIG_START);
    assert_true(rig_noted(&new, "game.started"));
    assert_int_equal(version_stored(), 2);
}

static void a_running_game_keeps_its_rules_under_a_new_owner(void **state)
{
    (void)state;
    rig_play(&old);
    assert_int_equal(adopt(&new, (struct rules){"toy-rules", 1}), ST_OK);
    rig_attach(&new, GATE1, 11, 1, 1);
    for (uint64_t counter = 2; counter < 80; counter++) {
        rig_wait(&new, 60);
        rig_act(&new, GATE1, 11, 1, counter, TOY_WAVE, 5);
    }
    assert_true(rig_stored(&new, ROOM).snapshot_position > 0); /* saved on the way */
    assert_int_equal(version_stored(), 1);
    /* Back again: at first it hears that it was set back, then it takes it. */
    assert_int_equal(adopt(&old, (struct rules){"toy-rules", 1}), ST_UNAVAILABLE);
    assert_int_equal(adopt(&old, (struct rules){"toy-rules", 1}), ST_OK);
    assert_false(rig_noted(&old, "room.set_aside"));
}

static void a_worker_that_says_nothing_counts_as_able(void **state)
{
    (void)state;
    struct member member;
    tell_of(&new, &old, &member, NULL, 0);
    rig_play(&new);
    assert_int_equal(version_stored(), 2);
}

static void a_room_is_handed_only_to_one_that_can_play_it(void **state)
{
    (void)state;
    struct member member;
    rig_play(&new); /* alone then: by the new rules */
    tell_of(&new, &old, &member, first_version, 1);
    rig_forget(&new);
    struct event event = {.kind = EVENT_DRAIN};
    rig_event(&new, &event);
    rig_wait(&new, 100);
    assert_int_equal(new.asked.kind, 0);
    assert_true(new.exited);
    assert_true(id128_is_zero(rig_last(&new, ENV_MOVED)->u.moved.to)); /* the matchmakers' now */
    assert_true(id128_is_zero(rig_stored(&new, ROOM).owner));
}

int main(void)
{
#define ON_RIGS(test) cmocka_unit_test_setup_teardown(test, open_rigs, close_rigs)
    return RUN_TESTS(ON_RIGS(a_worker_registers_what_it_can_play),
                     ON_RIGS(a_room_it_cannot_play_is_refused_untouched),
                     ON_RIGS(a_room_taken_unawares_is_let_go_and_not_set_aside),
                     ON_RIGS(a_game_starts_by_what_every_worker_plays),
                     ON_RIGS(once_the_old_ones_leave_the_next_game_is_of_the_new_rules),
                     ON_RIGS(a_running_game_keeps_its_rules_under_a_new_owner),
                     ON_RIGS(a_worker_that_says_nothing_counts_as_able),
                     ON_RIGS(a_room_is_handed_only_to_one_that_can_play_it));
}
