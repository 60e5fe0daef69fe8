/* SPDX-License-Identifier: Apache-2.0
 *
 * What a player does happens once, as it was meant, and is answered alike however often it is asked
 * about (rules 10 to 12): a scene each, in which the checkers of the simulator look on.
 */
#include "room/state.h"
#include "sim/scene.h"

enum { SEEDS = 6, SETTLE_MS = 12 * 1000, TURNS = 20 };

static void send_act(struct world *world, const struct player *player, struct env_act act)
{
    const struct sim_node *gateway = &world->nodes[player->gateway];
    struct envelope envelope = {.kind = ENV_ACT};
    envelope.u.act = act;
    envelope.u.act.room = scene_room(world)->id;
    envelope.u.act.client = player->socket;
    struct event event = {.kind = EVENT_ENVELOPES,
                          .peer = gateway->instance,
                          .peer_url = gateway->inbox,
                          .list = &envelope,
                          .count = 1};
    node_event(world, scene_owner(world), &event);
}

/* Somebody who can do something now that is bound to the version on the table, and what. */
static struct player *find_turn(struct world *world, struct rng *chance, struct slice *action)
{
    static uint8_t bytes[GAME_ACTION_BYTES_MAX];
    const struct room *room = scene_room(world)->room;
    if (room->phase != ROOM_PLAYING) return NULL;
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        int seat = player->attached ? room_game_seat(room, player->seat) : -1;
        if (seat < 0) continue;
        size_t len = room->game->random_action(room->game_state, seat, 0, chance, bytes);
        *action = slice_of(bytes, len);
        if (len && room->game->bound(*action)) return player;
    }
    return NULL;
}

static void try_what_may_not_be_done(struct world *world, struct rng *chance, int *tried)
{
    struct slice action;
    const struct player *player = find_turn(world, chance, &action);
    if (!player) return;
    const struct room *room = scene_room(world)->room;
    struct env_act good = {.generation = room_generation(room, player->seat),
                           .counter = room_counter(room, player->seat) + 1,
                           .made_for = room_game_version(room),
                           .bytes = action};
    struct env_act stale = good, former = good, ahead = good;
    stale.made_for--;
    former.generation--;
    ahead.counter += 3;
    send_act(world, player, stale);
    send_act(world, player, former);
    send_act(world, player, ahead);
    scene_run(world, 200);
    assert_true(room_counter(room, player->seat) < good.counter);
    ++*tried;
}

static void what_may_not_be_done_is_not_logged(void **state)
{
    (void)state;
    int tried = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        config.only = game_find(slice_text("davinci-code"));
        struct world *world = scene_open(&config);
        struct rng chance;
        rng_init(&chance, &(struct game_seed){{(uint8_t)seed}}, "what may not be done");
        scene_hold_still(world);
        for (int turn = 0; turn < TURNS; turn++) {
            scene_run(world, 2000);
            try_what_may_not_be_done(world, &chance, &tried);
        }
        scene_close(world, SETTLE_MS);
    }
    assert_true(tried > SEEDS);
}

/* The gateway asks again when it hears of the owner; meanwhile others have gone on. */
static void an_answer_that_was_lost_is_given_again_as_it_was(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config = scene_config(seed);
        struct world *world = scene_open(&config);
        for (int cuts = 0; cuts < TURNS; cuts++) {
            scene_cut(world, scene_owner(world), SERVICE_GATEWAY, 1500);
            scene_run(world, 5000);
        }
        scene_close(world, SETTLE_MS);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_may_not_be_done_is_not_logged),
                     cmocka_unit_test(an_answer_that_was_lost_is_given_again_as_it_was));
}
