/* SPDX-License-Identifier: Apache-2.0
 *
 * A checker that cannot fail checks nothing. Most are proven by a planted fault that they find
 * (libs/base/mutant.h); the others are here shown what may not be, by hand, and must say so.
 */
#include "gateway/state.h"
#include "room/state.h"
#include "sim/checks.h"
#include "sim/scene.h"

/* One room that plays, and nobody moves. */
static struct world *still(void)
{
    struct sim_config config = scene_config(1);
    config.only = game_find(slice_text("davinci-code"));
    struct world *world = scene_open(&config);
    scene_hold_still(world);
    scene_run(world, 12 * 1000);
    assert_true(world->players[0].attached && world->players[0].seat >= 0);
    return world;
}

static void assert_breaks(struct world *world, const char *sentence)
{
    if (!world->failure || !strstr(world->failure, sentence))
        fail_msg("\"%s\" is not in: %s", sentence, world->failure ? world->failure : "nothing");
    free(world->failure);
    world->failure = NULL;
}

static void an_ack_of_what_was_never_stored_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct player *player = &world->players[0];
    struct server_answer answer = {.counter = 1000, .ok = true};
    check_ack(world, player, &answer);
    assert_breaks(world, "is acknowledged, the store has accepted up to");
    player->acked = 1000;
    check_acknowledged(world);
    assert_breaks(world, "was acknowledged and is lost");
    sim_close(world);
}

static void two_attempts_at_once_are_seen(void **state)
{
    (void)state;
    struct world *world = still();
    const struct shadow *shadow = scene_room(world);
    struct room_epoch room = {.room = shadow->id, .epoch = shadow->epoch};
    struct effect effect = {.kind = EFFECT_REQUEST};
    effect.request = (struct request){.kind = REQ_WORKER_ADOPT, .rooms = &room, .room_count = 1};
    struct sim_node *matchmaker = scene_node(world, SERVICE_MATCHMAKER, 0);
    check_attempts(world, matchmaker, &effect);
    assert_null(world->failure);
    check_attempts(world, matchmaker, &effect);
    assert_breaks(world, "places room");
    sim_close(world);
}

static void an_epoch_that_falls_or_that_nobody_took_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    struct model_view look;
    assert_true(model_store_look(world->store, shadow->id, &look));
    struct store_op op = {.kind = STORE_TAKE, .room = shadow->id, .instance = look.owner};
    look.epoch = shadow->highest - 1;
    check_epoch(world, shadow, &op, &look);
    assert_breaks(world, "is given after");
    look.epoch = shadow->highest + 1;
    op.kind = STORE_APPEND;
    check_epoch(world, shadow, &op, &look);
    assert_breaks(world, "without a take");
    sim_close(world);
}

static void a_screen_that_shows_something_else_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct player *player = &world->players[0];
    struct server_room frame = {.version = player->version};
    check_frame(world, player, &frame);
    assert_null(world->failure);
    buf_put(&player->sections[2], "x", 1);
    check_frame(world, player, &frame);
    assert_breaks(world, "is not what the room writes");
    sim_close(world);
}

static void a_screen_that_stays_behind_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    check_newest(world);
    assert_null(world->failure);
    world->players[0].version.seq--;
    check_newest(world);
    assert_breaks(world, "holds version");
    sim_close(world);
}

static void who_does_not_leave_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct sim_node *worker = scene_node(world, SERVICE_WORKER, 0);
    worker->leaving = true;
    worker->told_to_leave_at = world->now;
    world->now += SIM_GRACE_MS;
    check_leaving(world);
    assert_null(world->failure);
    world->now += 2000;
    worker->troubled_until = world->now; /* frozen until now */
    check_leaving(world);
    assert_null(world->failure);
    worker->troubled_until = 0;
    check_leaving(world);
    assert_breaks(world, "and is still there");
    worker->leaving = false;
    sim_close(world);
}

/* What the store's clock is set back by counts between two owners alone. */
static void a_room_that_stands_still_is_seen_whatever_the_clock_of_the_store(void **state)
{
    (void)state;
    enum { BACK_MS = 300 * 1000, HANDED_MS = 2000, DUE_MS = 200 * 1000 };
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    struct shadow_time *time = &shadow->time;
    world->now = time->world + HANDED_MS;
    world->server.clock -= BACK_MS;
    shadow_time_changes_hands(world, shadow);
    assert_int_equal(shadow_time_missing(world, shadow), HANDED_MS);
    world->now += DUE_MS;
    assert_int_equal(shadow_time_missing(world, shadow), HANDED_MS);
    world->config.calm_at = 0;
    check_room_moves(world);
    assert_breaks(world, "its deadline has passed");
    shadow->owner = (struct id128){{0}}; /* nobody's room goes by the store's clock alone */
    assert_int_equal(shadow_time_missing(world, shadow), HANDED_MS + DUE_MS);
    sim_close(world);
}

static void a_former_owner_that_speaks_on_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    struct sim_node *former = scene_node(world, SERVICE_WORKER, 0);
    if (former == scene_owner(world)) former = scene_node(world, SERVICE_WORKER, 1);
    struct event event = {.kind = EVENT_TICK};
    struct envelope envelope = {.kind = ENV_UPDATE};
    envelope.u.update.room = shadow->id;
    envelope.u.update.version.epoch = shadow->epoch - 1;
    check_superseded(world, former, &event, &envelope);
    assert_breaks(world, "which is another's since");
    sim_close(world);
}

static void what_is_left_behind_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    scene_room(world)->owner = (struct id128){{0}};
    check_leaks(world);
    assert_breaks(world, "has 1 rooms, 0 are its own");
    sim_close(world);
}

static void a_queue_beyond_its_bound_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    const struct player *player = &world->players[0];
    struct gateway_core *core = world->nodes[player->gateway].core.gateway;
    struct client *client = map_get(&core->clients, player->socket);
    uint8_t before = client->act_count;
    client->act_count = GATEWAY_ACTS_MAX + 1;
    check_bounds(world);
    client->act_count = before;
    assert_breaks(world, "wait for a client");
    sim_close(world);
}

static void an_archive_that_is_gone_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    shadow->archive = (struct shadow_archive){
        .game = 1, .first = 1, .position = shadow->position, .until = INSTANT_NEVER};
    check_archives_stand(world);
    assert_breaks(world, "the archive of game 1");
    sim_close(world);
}

static void a_room_that_the_list_lacks_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    struct player *player = &world->players[0];
    player->list_at = world->now;
    shadow->listed = true;
    shadow->listed_at = 0;
    shadow->epoch_at = world->now;
    check_list_of(world, player);
    assert_null(world->failure);
    world->now += 20 * 1000;
    check_list_of(world, player);
    assert_breaks(world, "not on the list of public rooms");
    sim_close(world);
}

static void a_room_that_is_put_away_and_kept_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    struct shadow *shadow = scene_room(world);
    shadow->room->phase = ROOM_RESULT;
    for (int s = 0; s < shadow->room->seat_count; s++) shadow->room->seats[s].connected = false;
    shadow->room->put_away = true;
    shadow->moved_at = 0;
    world->now += 60 * 1000;
    check_rest(world);
    assert_breaks(world, "is put away, and still somebody's");
    sim_close(world);
}

static void a_room_whose_owner_stays_dead_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    world->now += 60 * 1000;
    check_directory(world);
    assert_null(world->failure);
    scene_room(world)->owner = (struct id128){{9}};
    check_directory(world);
    assert_null(world->failure);
    world->now += 30 * 1000;
    check_directory(world);
    assert_breaks(world, "its own is dead");
    sim_close(world);
}

static void a_room_whose_time_falls_is_seen(void **state)
{
    (void)state;
    struct world *world = still();
    const struct shadow *shadow = scene_room(world);
    struct envelope envelope = {.kind = ENV_UPDATE};
    struct env_update *update = &envelope.u.update;
    *update = (struct env_update){.room = shadow->id,
                                  .version = {shadow->epoch, room_seq(shadow->room)},
                                  .room_time = room_time(shadow->room)};
    check_sent(world, scene_owner(world), &envelope);
    assert_null(world->failure);
    update->room_time--;
    check_sent(world, scene_owner(world), &envelope);
    assert_breaks(world, "what it shows is of");
    sim_close(world);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(an_ack_of_what_was_never_stored_is_seen),
                     cmocka_unit_test(two_attempts_at_once_are_seen),
                     cmocka_unit_test(an_epoch_that_falls_or_that_nobody_took_is_seen),
                     cmocka_unit_test(a_screen_that_shows_something_else_is_seen),
                     cmocka_unit_test(a_screen_that_stays_behind_is_seen),
                     cmocka_unit_test(who_does_not_leave_is_seen),
                     cmocka_unit_test(
                         a_room_that_stands_still_is_seen_whatever_the_clock_of_the_store),
                     cmocka_unit_test(a_former_owner_that_speaks_on_is_seen),
                     cmocka_unit_test(what_is_left_behind_is_seen),
                     cmocka_unit_test(a_queue_beyond_its_bound_is_seen),
                     cmocka_unit_test(an_archive_that_is_gone_is_seen),
                     cmocka_unit_test(a_room_that_the_list_lacks_is_seen),
                     cmocka_unit_test(a_room_that_is_put_away_and_kept_is_seen),
                     cmocka_unit_test(a_room_whose_owner_stays_dead_is_seen),
                     cmocka_unit_test(a_room_whose_time_falls_is_seen));
}
