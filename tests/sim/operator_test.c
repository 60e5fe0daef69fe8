/* SPDX-License-Identifier: Apache-2.0
 *
 * Twins for the operator: `madangctl room` without --reveal says the same, byte for byte, of two
 * rooms that differ only in what a spectator may not know. Of every game, in the middle of
 * simulated play: a worker is asked, what is hidden is changed behind the room's back, and it is
 * asked again.
 */
#include "ctl/show.h"
#include "room/state.h"
#include "sim/world.h"
#include "unit/test.h"
#include "worker/parts.h"

#include <string.h>

enum { SEEDS = 12 / TEST_ONE_IN, STEP_MS = 500, END_MS = 120 * 1000, GAMES_MAX = 8 };

struct looks {
    uint64_t asked, alike, hands_changed;
    uint64_t by_game[GAMES_MAX];
};

/* What the worker answers, as bytes and as people and scripts read it. */
static void ask(struct world *world, struct sim_node *node, room_id room, struct buf *said)
{
    static uint32_t asked;
    struct effects out = {0};
    struct request request = {.kind = REQ_WORKER_ROOM, .room = room};
    struct event event = {.kind = EVENT_REQUEST, .token = 1, .request = &request};
    struct text_style plain = {0};
    request.id = request.order.to = node->instance;
    memcpy(request.id.byte, &asked, sizeof asked);
    asked++;
    worker_core_step(node->core.worker, &event, node_now(world, node), &out);
    for (size_t i = 0; i < out.count; i++) {
        if (out.list[i].kind != EFFECT_REPLY || !out.list[i].reply.shown) continue;
        struct buf bytes = {0};
        out.list[i].reply.id = (struct id128){{0}};
        assert_int_equal(reply_encode(&out.list[i].reply, &bytes), ST_OK);
        buf_put_slice(said, buf_slice(&bytes));
        show_room_text(out.list[i].reply.shown, node->instance, &plain, said);
        show_room_json(out.list[i].reply.shown, node->instance, said);
        buf_fini(&bytes);
    }
    effects_fini(&out);
}

static void put_hands(const struct room *room, struct buf *out)
{
    for (int s = 0; s < room_seat_count(room); s++)
        if (room_taken(room) >> s & 1) room_write_mine(room, s, out);
}

static int number_of(const struct game *game)
{
    for (int i = 0; i < game_count(); i++)
        if (game_at(i) == game) return i;
    return 0;
}

static void look(struct world *world, struct sim_node *node, struct owned_room *o, struct rng *rng,
                 struct looks *looks)
{
    const struct game *game = room_game(o->room);
    struct buf here = {0}, there = {0}, hand = {0}, other_hand = {0};
    uint8_t *kept = malloc(game->state_size);
    assert_non_null(kept);
    ask(world, node, o->id, &here);
    put_hands(o->room, &hand);
    memcpy(kept, o->room->game_state, game->state_size);
    if (here.len > 0 && game->permute_hidden(o->room->game_state, GAME_SPECTATOR, rng)) {
        ask(world, node, o->id, &there);
        put_hands(o->room, &other_hand);
        assert_int_equal(here.len, there.len);
        assert_memory_equal(here.at, there.at, here.len);
        looks->alike++;
        looks->by_game[number_of(game)]++;
        looks->hands_changed += !slice_equal(buf_slice(&hand), buf_slice(&other_hand));
    }
    memcpy(o->room->game_state, kept, game->state_size);
    looks->asked++;
    free(kept);
    buf_fini(&here);
    buf_fini(&there);
    buf_fini(&hand);
    buf_fini(&other_hand);
}

static void look_at_all(struct world *world, struct rng *rng, struct looks *looks)
{
    for (int i = 0; i < world->node_count; i++) {
        struct sim_node *node = &world->nodes[i];
        if (node->kind != SERVICE_WORKER || !node->up || node->frozen_until > world->now) continue;
        size_t count;
        uint64_t *ids = map_keys_sorted(&node->core.worker->rooms, &count);
        for (size_t r = 0; r < count; r++) {
            struct owned_room *o = map_get(&node->core.worker->rooms, ids[r]);
            bool plays = o && o->phase == OWNED_LIVE && o->room && room_playing(o->room);
            if (plays && o->confirmed == room_position(o->room)) look(world, node, o, rng, looks);
        }
        free(ids);
    }
}

static void an_operator_without_key_learns_nothing_that_is_hidden(void **state)
{
    (void)state;
    struct looks looks = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sim_config config;
        struct game_seed chance = {{(uint8_t)seed}};
        struct rng rng;
        sim_config_draw(&config, seed);
        memset(&config.faults, 0, sizeof config.faults);
        config.viewer = -1;
        config.end_at = END_MS;
        rng_init(&rng, &chance, "operator");
        struct world *world = sim_open(&config);
        for (instant_ms at = STEP_MS; at <= END_MS; at += STEP_MS) {
            assert_null(sim_run_until(world, at));
            look_at_all(world, &rng, &looks);
        }
        sim_close(world);
    }
    print_message("asked %llu times; %llu twins looked alike, of %llu of them hands differed\n",
                  (unsigned long long)looks.asked, (unsigned long long)looks.alike,
                  (unsigned long long)looks.hands_changed);
    assert_true(looks.alike > 200 && looks.hands_changed > 50);
    for (int i = 0; i < game_count() && i < GAMES_MAX; i++) assert_true(looks.by_game[i] > 0);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(an_operator_without_key_learns_nothing_that_is_hidden));
}
