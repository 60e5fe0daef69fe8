/* SPDX-License-Identifier: Apache-2.0
 *
 * One room, one owner, whatever becomes of workers and watchers (rules 3 to 7, 16 and 17): a scene
 * each, in which the checkers of the simulator look on.
 */
#include <stdlib.h>

#include "room/state.h"
#include "sim/checks.h"
#include "sim/scene.h"

enum { SEEDS = 6, SETTLE_MS = 12 * 1000 };

/* ---- a worker that nobody hears any more ----------------------------------------------------- */

/* That a player has gone, as its gateway tells whomever it believes to be the owner: an input that
 * is always logged. */
static void send_detach(struct world *world, struct sim_node *worker)
{
    const struct player *player = &world->players[0];
    const struct sim_node *gateway = &world->nodes[player->gateway];
    struct envelope envelope = {.kind = ENV_DETACH};
    envelope.u.client = (struct env_client){scene_room(world)->id, player->socket};
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = gateway->instance,
                          .peer_url = gateway->inbox,
                          .list = &envelope,
                          .count = 1};
    node_event(world, worker, &event);
}

static void a_worker_that_is_cut_off_writes_nothing_once_another_has_its_room(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        struct sim_node *former = scene_owner(world);
        uint64_t epoch = scene_room(world)->epoch;
        scene_cut_off(world, former, 6000);
        for (int ms = 0; scene_room(world)->epoch == epoch; ms++) {
            assert_true(ms < 5000);
            scene_run(world, 1);
        }
        send_detach(world, former);
        scene_run(world, 6000);
        scene_close(world, SETTLE_MS);
    }
}

static void a_frozen_worker_does_nothing_when_it_wakes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        uint64_t adoptions = sim_counts(world)->adoptions;
        node_freeze(world, scene_owner(world), 5000);
        scene_run(world, 8000);
        assert_true(sim_counts(world)->adoptions > adoptions);
        scene_close(world, SETTLE_MS);
    }
}

/* Held up on its way for as long as it took another worker to become the owner. */
static void send_old_view(struct world *world, struct sim_node *worker, uint64_t epoch)
{
    const struct shadow *shadow = scene_room(world);
    struct buf view = {0}, game = {0}, mine[GAME_SEATS_MAX] = {{0}};
    room_write_view(shadow->room, &view);
    room_write_game(shadow->room, &game);
    struct envelope envelope = {.kind = ENV_UPDATE};
    envelope.u.update = (struct env_update){.room = shadow->id,
                                            .version = {epoch, room_seq(shadow->room)},
                                            .game_version = room_game_version(shadow->room),
                                            .room_view = buf_slice(&view),
                                            .game = buf_slice(&game),
                                            .sections = SECTION_ALL};
    struct env_update *update = &envelope.u.update;
    for (int s = 0; s < room_seat_count(shadow->room); s++) {
        room_write_mine(shadow->room, s, &mine[s]);
        update->privates[update->private_count++] =
            (struct update_private){.seat = s, .mine = buf_slice(&mine[s])};
    }
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = worker->instance,
                          .peer_url = worker->inbox,
                          .list = &envelope,
                          .count = 1};
    node_event(world, scene_node(world, SERVICE_GATEWAY, 0), &event);
    for (int s = 0; s < GAME_SEATS_MAX; s++) buf_fini(&mine[s]);
    buf_fini(&view);
    buf_fini(&game);
}

static void a_view_of_a_former_owner_reaches_nobody_who_saw_the_new_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.timers = 2;
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        uint64_t epoch = scene_room(world)->epoch;
        struct sim_node *former = scene_owner(world);
        scene_cut_off(world, former, 5000);
        scene_run(world, 4500);
        assert_true(scene_room(world)->epoch > epoch);
        send_old_view(world, former, epoch);
        scene_run(world, 3000);
        scene_close(world, SETTLE_MS);
    }
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static void every_owner_has_an_epoch_of_its_own(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        for (int owners = 0; owners < 3; owners++) {
            scene_run(world, 2000);
            uint64_t epoch = scene_room(world)->epoch;
            node_crash(world, scene_owner(world));
            scene_run(world, 4000);
            assert_true(scene_room(world)->epoch > epoch);
        }
        scene_close(world, SETTLE_MS);
    }
}

/* A store that goes down forgets the take; the owner of that epoch dies with it. */
static void an_epoch_that_the_store_forgot_is_not_given_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        uint64_t epoch = scene_room(world)->epoch;
        model_store_sync(world->store);
        scene_kill(world, scene_owner(world));
        for (int ms = 0; scene_room(world)->epoch == epoch; ms++) {
            assert_true(ms < 5000);
            scene_run(world, 1);
            if (scene_room(world)->epoch != epoch) break;
        }
        struct sim_node *second = scene_owner(world);
        store_crash(world);
        scene_kill(world, second);
        scene_run(world, 10000);
        scene_close(world, SETTLE_MS);
    }
}

/* A request that a matchmaker sent before it knew of the owner that there is. */
static void send_old_adopt(struct world *world, struct sim_node *worker, uint64_t epoch)
{
    const struct sim_node *matchmaker = scene_node(world, SERVICE_MATCHMAKER, 0);
    struct route *route = malloc(sizeof *route);
    assert_non_null(route);
    *route = (struct route){.peer = matchmaker->index, .life = matchmaker->life};
    uint64_t token = world->next_route++;
    map_put(&world->routes, token, route);
    struct room_epoch room = {.room = scene_room(world)->id, .epoch = epoch};
    const struct game *game = room_game(scene_room(world)->room);
    room.rules = (struct rules){game->id, game->rules_version};
    struct request request = {
        .kind = REQ_WORKER_ADOPT, .id = {{7}}, .rooms = &room, .room_count = 1};
    struct event event = {.kind = EVENT_REQUEST, .token = token, .request = &request};
    node_event(world, worker, &event);
}

static void a_room_is_not_taken_from_an_owner_that_nobody_asked_about(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        uint64_t epoch = scene_room(world)->epoch;
        node_crash(world, scene_owner(world));
        scene_run(world, 6000);
        const struct sim_node *owner = scene_owner(world);
        for (int worker = 0; worker < config.workers; worker++) {
            struct sim_node *other = scene_node(world, SERVICE_WORKER, worker);
            if (other != owner) send_old_adopt(world, other, epoch);
        }
        scene_run(world, 2000);
        assert_true(scene_owner(world) == owner);
        scene_close(world, SETTLE_MS);
    }
}

/* It may have lost the room without knowing: its ops do not get to the store, and nobody tells it.
 * Who watches needs no append. */
static void a_worker_whose_lease_is_over_shows_nobody_anything(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.only = game_find(slice_text("davinci-code"));
        config.players_per_room = config.only->seats_max + 1;
        struct world *world = scene_open(&config);
        scene_hold_still(world); /* so that nothing is held up behind something else */
        struct player *watcher = &world->players[config.players_per_room - 1];
        scene_run(world, 5000);
        assert_true(watcher->watches && watcher->attached);
        struct sim_node *owner = scene_owner(world);
        owner->store.deaf_until = world->now + 8000;
        node_troubled(world, owner, owner->store.deaf_until);
        scene_run(world, 1500);
        player_drop_socket(world, watcher, 0);
        scene_run(world, 6000);
        assert_true(watcher->socket && !watcher->attached);
        scene_run(world, 8000);
        assert_true(watcher->attached);
        scene_close(world, SETTLE_MS);
    }
}

/* ---- watchers, drains ------------------------------------------------------------------------ */

static void a_watcher_that_slept_takes_nobody_for_dead(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        node_crash(world,
                   scene_owner(world)); /* when it is back, the room may be better off there */
        scene_run(world, 6000);
        uint64_t adoptions = sim_counts(world)->adoptions;
        node_freeze(world, scene_node(world, SERVICE_MATCHMAKER, 0), 4000);
        scene_run(world, 9000);
        assert_int_equal(sim_counts(world)->adoptions, adoptions);
        scene_close(world, SETTLE_MS);
    }
}

/* No gateway asks for the room, no timer is there to miss it, and whoever watched its owner died
 * with it: the store alone knows. */
static void rooms_whose_owner_died_with_all_who_watch_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.matchmakers = 1 + (int)(seed % 2);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        world->config.calm_at = world->now + 60 * 1000; /* until then deadlines may pass */
        uint64_t epoch = scene_room(world)->epoch;
        scene_kill(world, scene_node(world, SERVICE_GATEWAY, 0));
        scene_kill(world, scene_node(world, SERVICE_TIMER, 0));
        for (int i = 0; i < config.matchmakers; i++)
            node_crash(world, scene_node(world, SERVICE_MATCHMAKER, i));
        scene_kill(world, scene_owner(world));
        scene_run(world, 20 * 1000);
        assert_true(scene_room(world)->epoch > epoch);
        assert_non_null(scene_owner(world));
        sim_close(world);
    }
}

static void a_worker_that_is_told_to_leave_has_handed_over_when_it_says_so(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        node_replace(world, scene_owner(world));
        scene_run(world, 8000);
        assert_true(sim_counts(world)->handed > 0);
        scene_close(world, SETTLE_MS);
    }
}

/* A signal waits until its process runs. */
static void who_is_told_to_leave_while_frozen_hands_over_when_it_wakes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        struct sim_node *owner = scene_owner(world);
        uint64_t life = owner->life;
        node_freeze(world, owner, 600);
        node_replace(world, owner);
        scene_run(world, 8000);
        assert_true(owner->life > life || !owner->up);
        assert_true(sim_counts(world)->handed > 0);
        scene_close(world, SETTLE_MS);
    }
}

/* ---- people ---------------------------------------------------------------------------------- */

/* What everybody sees of a person is no key to that person's seat. */
static void a_seat_is_not_given_to_whoever_knows_its_number(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        scene_run(world, 2000);
        const struct room_seat *victim = &scene_room(world)->room->seats[world->players[0].seat];
        struct player *thief = &world->players[2];
        memset(thief->token + 1, 0, thief->token_len - 1);
        memcpy(thief->token + 1, &victim->member, sizeof victim->member);
        thief->reload = true;
        thief->counter = thief->acked = thief->generation = 0;
        player_drop_socket(world, thief, 0);
        scene_run(world, 8000);
        sim_close(world);
    }
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(a_worker_that_is_cut_off_writes_nothing_once_another_has_its_room),
        cmocka_unit_test(a_frozen_worker_does_nothing_when_it_wakes),
        cmocka_unit_test(a_view_of_a_former_owner_reaches_nobody_who_saw_the_new_one),
        cmocka_unit_test(every_owner_has_an_epoch_of_its_own),
        cmocka_unit_test(an_epoch_that_the_store_forgot_is_not_given_again),
        cmocka_unit_test(a_room_is_not_taken_from_an_owner_that_nobody_asked_about),
        cmocka_unit_test(a_worker_whose_lease_is_over_shows_nobody_anything),
        cmocka_unit_test(a_watcher_that_slept_takes_nobody_for_dead),
        cmocka_unit_test(rooms_whose_owner_died_with_all_who_watch_are_found),
        cmocka_unit_test(a_worker_that_is_told_to_leave_has_handed_over_when_it_says_so),
        cmocka_unit_test(who_is_told_to_leave_while_frozen_hands_over_when_it_wakes),
        cmocka_unit_test(a_seat_is_not_given_to_whoever_knows_its_number));
}
