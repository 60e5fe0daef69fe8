/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing acknowledged is lost, nothing happens twice, and no game stalls (rules 1, 2, 4, 8, 14,
 * 15, 18 to 21): a scene each, in which the checkers of the simulator look on.
 */
#include "sim/scene.h"

enum { SEEDS = 6, SETTLE_MS = 12 * 1000 };

static void what_leaves_a_worker_is_what_the_store_has_accepted(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        for (int breaks = 0; breaks < 4; breaks++) {
            scene_run(world, 2000);
            storage_break(world, scene_owner(world));
        }
        scene_close(world, SETTLE_MS);
    }
}

/* Somebody whom nobody knows asks for a seat while a game runs, again and again. */
static void knock(struct world *world)
{
    const struct sim_node *gateway = scene_node(world, SERVICE_GATEWAY, 0);
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){.room = scene_room(world)->id,
                                            .client = world->next_socket++,
                                            .player = {{9}},
                                            .name = "nobody",
                                            .intent = ATTACH_SEAT};
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = gateway->instance,
                          .peer_url = gateway->inbox,
                          .list = &envelope,
                          .count = 1};
    node_event(world, scene_owner(world), &event);
}

static void who_is_turned_away_hears_so_when_its_reason_is_stored(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        world->server.slow_ms = 150;
        world->server.slow_until = world->now + 20 * 1000;
        for (int knocks = 0; knocks < 400; knocks++) {
            knock(world);
            scene_run(world, 50);
        }
        scene_close(world, SETTLE_MS);
    }
}

/* The store carries appends out and cannot vouch for them: they are sent again. */
static void an_append_that_is_sent_again_is_appended_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        world->server.mood = STORE_WAIT_SHORT;
        world->server.mood_until = world->now + 2000;
        world_schedule(world, HAPPEN_STORE_START, world->server.mood_until);
        scene_run(world, 4000);
        scene_close(world, SETTLE_MS);
    }
}

static void what_a_store_forgot_is_given_to_it_again(void **state)
{
    (void)state;
    uint64_t returned = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        for (int crashes = 0; crashes < 3; crashes++) {
            scene_run(world, 3000);
            store_crash(world);
        }
        scene_run(world, 6000);
        returned += sim_counts(world)->returned;
        scene_close(world, SETTLE_MS);
    }
    assert_true(returned >= SEEDS);
}

/* A replica that lacks the last writes becomes the primary, and who has them dies meanwhile: what
 * the durability table allows. The room's people see it as it is as soon as the store is back. */
static void what_a_store_and_an_owner_lose_together_is_shown_when_it_is_back(void **state)
{
    (void)state;
    uint64_t losses = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 10 * 1000);
        store_promote(world);
        scene_run(world, 300);
        scene_kill(world, scene_owner(world));
        losses += sim_counts(world)->losses;
        scene_close(world, SETTLE_MS);
    }
    assert_true(losses > 0);
}

/* Its owner sends none that is not of its log: as one would that took another room's for it. */
static void a_snapshot_above_the_log_is_not_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_hold_still(world);
        scene_run(world, 2000);
        const struct shadow *shadow = scene_room(world);
        struct model_view look;
        assert_true(model_store_look(world->store, shadow->id, &look));
        struct store_op op = {.kind = STORE_SNAPSHOT,
                              .room = shadow->id,
                              .epoch = shadow->epoch,
                              .instance = shadow->owner,
                              .position = shadow->position + 7,
                              .snapshot = look.snapshot};
        storage_op(world, scene_owner(world), &op);
        scene_run(world, 2000);
        scene_close(world, SETTLE_MS);
    }
}

/* The requests lie in the matchmaker's kernel until long after it has given each of them up. */
static void a_create_that_comes_late_makes_no_second_room(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = sim_open(&config);
        scene_run(world, 900);
        const struct sim_node *matchmaker = scene_node(world, SERVICE_MATCHMAKER, 0);
        for (int i = 0; i < world->node_count; i++)
            if (world->nodes[i].kind == SERVICE_WORKER)
                world->cuts[matchmaker->index][i] = (struct sim_cut){world->now + 6000, true};
        scene_run(world, 15000);
        scene_close(world, 30 * 1000);
    }
}

/* Nobody moves: every turn is ended by the clock. */
static struct world *open_for_the_clock(uint64_t seed)
{
    struct sim_config config = scene_config(seed);
    config.timers = 2;
    struct world *world = scene_open(&config);
    scene_hold_still(world);
    return world;
}

static void what_a_dead_timer_would_have_fired_is_fired(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world *world = open_for_the_clock(seed);
        scene_run(world, 2000);
        scene_kill(world, scene_node(world, SERVICE_TIMER, (int)(seed % 2)));
        scene_run(world, 120 * 1000);
        sim_close(world);
    }
}

static void a_fire_that_is_lost_is_sent_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world *world = open_for_the_clock(seed);
        for (int cuts = 0; cuts < 20; cuts++) {
            for (int timer = 0; timer < world->config.timers; timer++)
                scene_cut(world, scene_node(world, SERVICE_TIMER, timer), SERVICE_WORKER, 4500);
            scene_run(world, 6000);
        }
        sim_close(world);
    }
}

/* Machines differ in their clocks by up to a day. */
static void room_time_goes_on_where_it_stood_when_another_has_the_room(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        if (seed % 2) scene_hold_still(world);
        for (int owners = 0; owners < 3; owners++) {
            scene_run(world, 7000);
            node_crash(world, scene_owner(world));
            scene_run(world, 5000);
        }
        scene_run(world, 60 * 1000);
        sim_close(world);
    }
}

/* Until somebody has the room, and dies before it has logged anything; then until the next. */
static void let_two_take_it(struct world *world, struct sim_node *second, struct sim_node *third)
{
    uint64_t epoch = scene_room(world)->epoch;
    scene_run(world, 15 * 1000);
    node_start(world, second);
    for (int ms = 0; scene_room(world)->epoch == epoch; ms++) {
        assert_true(ms < 10 * 1000);
        scene_run(world, 1);
    }
    scene_kill(world, second);
    scene_run(world, 15 * 1000);
    node_start(world, third);
    scene_run(world, 20 * 1000);
    assert_true(scene_owner(world) == third);
}

/* All workers are gone; in every other run the owner has let go of the room in order before. */
static void what_passes_while_nobody_owns_a_room_is_nobodys_time(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        world->config.calm_at = world->now + 100 * 1000; /* until then deadlines may pass */
        scene_run(world, 3000);
        struct sim_node *owner = scene_owner(world), *others[2];
        for (int i = 0, found = 0; found < 2; i++)
            if (scene_node(world, SERVICE_WORKER, i) != owner)
                others[found++] = scene_node(world, SERVICE_WORKER, i);
        scene_kill(world, others[0]);
        scene_kill(world, others[1]);
        if (seed % 2)
            scene_kill(world, owner);
        else
            node_replace(world, owner);
        while (owner->up) scene_run(world, 10);
        owner->life++; /* and does not come back */
        let_two_take_it(world, others[0], others[1]);
        scene_close(world, SETTLE_MS);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_leaves_a_worker_is_what_the_store_has_accepted),
                     cmocka_unit_test(who_is_turned_away_hears_so_when_its_reason_is_stored),
                     cmocka_unit_test(an_append_that_is_sent_again_is_appended_once),
                     cmocka_unit_test(what_a_store_forgot_is_given_to_it_again),
                     cmocka_unit_test(
                         what_a_store_and_an_owner_lose_together_is_shown_when_it_is_back),
                     cmocka_unit_test(a_snapshot_above_the_log_is_not_kept),
                     cmocka_unit_test(a_create_that_comes_late_makes_no_second_room),
                     cmocka_unit_test(what_a_dead_timer_would_have_fired_is_fired),
                     cmocka_unit_test(a_fire_that_is_lost_is_sent_again),
                     cmocka_unit_test(room_time_goes_on_where_it_stood_when_another_has_the_room),
                     cmocka_unit_test(what_passes_while_nobody_owns_a_room_is_nobodys_time));
}
