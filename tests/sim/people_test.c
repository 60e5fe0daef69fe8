/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there is seen to be there, on one seat (rules 11 and 22): a scene each, in which the
 * checkers of the simulator look on.
 */
#include "room/state.h"
#include "sim/scene.h"

enum { SEEDS = 6, SETTLE_MS = 12 * 1000 };

/* The other one takes its people in within the grace. */
static void who_comes_back_after_a_gateway_died_is_there(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.gateways = 2;
        struct world *world = scene_open(&config);
        for (int deaths = 0; deaths < 2; deaths++) {
            scene_run(world, 15 * 1000);
            node_crash(world, scene_node(world, SERVICE_GATEWAY, deaths));
        }
        scene_run(world, 15 * 1000);
        scene_close(world, SETTLE_MS);
    }
}

/* The only gateway is away. Nobody has been connected for the grace when the room is called idle,
 * and no turn is lost after that. */
static void a_game_that_nobody_is_in_does_not_go_on(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.only = game_find(slice_text("davinci-code"));
        struct world *world = scene_open(&config);
        scene_run(world, 5000);
        struct sim_node *gateway = scene_node(world, SERVICE_GATEWAY, 0);
        scene_kill(world, gateway);
        scene_run(world, 200 * 1000);
        assert_int_equal(scene_room(world)->room->phase, ROOM_PAUSED);
        node_start(world, gateway);
        scene_run(world, 20 * 1000);
        scene_close(world, SETTLE_MS);
    }
}

/* A page that is loaded again while people gather. */
static void who_comes_back_before_the_game_begins_has_one_seat(void **state)
{
    (void)state;
    int came_back = 0;
    for (uint64_t seed = 1; seed <= 2 * SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = sim_open(&config);
        struct player *player = &world->players[1];
        for (int ms = 0; !player->attached && ms < 60 * 1000; ms++) scene_run(world, 1);
        assert_true(player->attached);
        scene_run(world, 100);
        came_back += !room_playing(scene_room(world)->room);
        player->reload = true;
        player_drop_socket(world, player, 0);
        scene_run(world, 20 * 1000);
        scene_close(world, SETTLE_MS);
    }
    assert_true(came_back >= SEEDS);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(who_comes_back_after_a_gateway_died_is_there),
                     cmocka_unit_test(a_game_that_nobody_is_in_does_not_go_on),
                     cmocka_unit_test(who_comes_back_before_the_game_begins_has_one_seat));
}
