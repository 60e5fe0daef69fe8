/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of worlds that differ in what a viewer may not know (twins.h): every game, undisturbed and
 * with faults; and leaks planted into one of them, which must be seen.
 */
#include "unit/test.h"

#include "room/state.h"
#include "sim/scene.h"
#include "sim/twins.h"

#ifdef __SANITIZE_ADDRESS__
enum { PAIRS = 4 };
#else
enum { PAIRS = 12 /* a game */ };
#endif
enum { PEOPLE = 4 };

static void draw(struct sim_config *config, int game, uint64_t seed, bool faults)
{
    sim_config_draw(config, seed);
    config->rooms = 1;
    config->first_game = game;
    config->players_per_room = PEOPLE;
    config->strangers = 0;
    config->viewer = (int)(seed % PEOPLE);
    config->scenes = (struct sim_scenes){.open = false};
    config->calm_at = faults ? 120 * 1000 : 0;
    config->end_at = 180 * 1000;
    if (faults) return;
    config->gateways = config->matchmakers = config->workers = config->timers = 1;
    config->faults = (struct sim_faults){.delay_max_ms = 5};
}

static void add(struct twins_counts *sum, const struct twins_counts *one)
{
    sum->permuted += one->permuted;
    sum->moves += one->moves;
    sum->unlike += one->unlike;
    sum->bytes += one->bytes;
    sum->noted += one->noted;
    sum->apart += one->apart;
}

static void run_pairs(int game, bool faults)
{
    struct twins_counts sum = {.permuted = 0};
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        struct sim_config config;
        struct twins twins;
        draw(&config, game, seed, faults);
        twins_open(&twins, &config);
        const char *failure = twins_run(&twins);
        if (failure)
            fail_msg("%s, seed %llu, at %llu ms: %s", game_at(game)->id, (unsigned long long)seed,
                     (unsigned long long)twins.here->now, failure);
        add(&sum, &twins.counts);
        twins_close(&twins);
    }
    print_message("%s: %llu moves in worlds changed %llu times, %llu of them unlike; %llu bytes "
                  "equal, and %llu of the logs; %llu of %d pairs came apart\n",
                  game_at(game)->id, (unsigned long long)sum.moves,
                  (unsigned long long)sum.permuted, (unsigned long long)sum.unlike,
                  (unsigned long long)sum.bytes, (unsigned long long)sum.noted,
                  (unsigned long long)sum.apart, PAIRS);
    assert_true(sum.permuted >= PAIRS && sum.moves >= 2 * PAIRS && sum.bytes > 0);
    assert_true(sum.noted > 0);
    assert_true(faults || sum.apart < PAIRS / 2);
}

static void what_a_viewer_may_not_know_changes_no_byte_on_its_socket(void **state)
{
    (void)state;
    for (int game = 0; game < game_count(); game++) run_pairs(game, false);
}

static void nor_does_it_while_things_go_wrong(void **state)
{
    (void)state;
    for (int game = 0; game < game_count(); game++) run_pairs(game, true);
}

/* ---- planted leaks --------------------------------------------------------------------------- */

static const struct room *room_of(const struct world *world, int player)
{
    const struct shadow *shadow = map_get(&world->shadows, world->players[player].room);
    return shadow && shadow->room && room_playing(shadow->room) ? shadow->room : NULL;
}

/* One bit of all that is hidden. */
static uint8_t bit_of(const struct world *world, int player)
{
    const struct room *room = room_of(world, player);
    return room ? game_hash(room->game, room->game_state).byte[0] & 1 : 0;
}

static void a_bit_more(const struct world *world, int player, struct buf *written)
{
    buf_put_u8(written, bit_of(world, player));
}

/* Nothing but how often something is written. */
static void a_frame_less(const struct world *world, int player, struct buf *written)
{
    if (bit_of(world, player)) buf_put_u8(written, 0);
}

static void own_things_again(const struct world *world, int player, struct buf *written)
{
    const struct room *room = room_of(world, player);
    struct buf mine = {0};
    int seat = world->players[player].seat;
    if (room && seat >= 0) room_write_mine(room, seat, &mine);
    buf_put_slice(written, buf_slice(&mine));
    buf_fini(&mine);
}

static uint64_t a_bit_in_a_log(const struct world *world)
{
    return bit_of(world, world->config.viewer);
}

typedef void leak(const struct world *world, int player, struct buf *written);

typedef uint64_t slip(const struct world *world);

static bool caught(leak *also_write, slip *also_note, bool faults, uint64_t seed)
{
    struct sim_config config;
    struct twins twins;
    draw(&config, (int)(seed % (uint64_t)game_count()), seed, faults);
    config.also_write = also_write;
    config.also_note = also_note;
    twins_open(&twins, &config);
    const char *failure = twins_run(&twins);
    bool told = failure && strstr(failure, "tells what is hidden");
    if (failure && !told) fail_msg("%s", failure);
    twins_close(&twins);
    return told;
}

static void a_leak_is_seen(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        bool faults = seed > 3;
        assert_true(caught(a_bit_more, NULL, faults, seed));
        assert_true(caught(a_frame_less, NULL, faults, seed));
        assert_false(caught(own_things_again, NULL, faults, seed));
        assert_true(caught(NULL, a_bit_in_a_log, faults, seed));
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

enum { LINE_MS = 4000, SLOW_FROM_MS = 1000, SLOW_TILL_MS = 2000, EVERY_MS = 7 };

/* When what is sent every few ms arrives, both ways, by a browser that reads slowly for a while. */
static void lines_of(bool more, instant_ms out[LINE_MS], instant_ms in[LINE_MS])
{
    struct sim_config config = scene_config(1);
    struct world *world = scene_open(&config);
    scene_hold_still(world);
    scene_run(world, 12 * 1000);
    struct player *player = &world->players[1];
    struct sim_node *gateway = &world->nodes[player->gateway];
    const struct client_frame pong = {.kind = CLIENT_PONG};
    assert_true(player->socket);
    for (int ms = 0; ms < LINE_MS; ms++, world->now++) {
        if (ms == SLOW_FROM_MS) player->slow_until = world->now + SLOW_TILL_MS - SLOW_FROM_MS;
        if (more || ms % EVERY_MS == 0) {
            player_socket_sent(world, gateway, player->socket, slice_text("a view"));
            player_send(world, player, &pong);
        }
        out[ms] = player->last_out;
        in[ms] = player->last_in;
    }
    sim_close(world);
}

/* Else the round trips of others, which everybody sees, would tell how often they are shown
 * something. */
static void what_lies_before_a_ping_does_not_hold_it_up(void **state)
{
    (void)state;
    static instant_ms out[2][LINE_MS], in[2][LINE_MS];
    for (int more = 0; more < 2; more++) lines_of(more, out[more], in[more]);
    for (int ms = 0; ms < LINE_MS; ms += EVERY_MS) {
        assert_int_equal(out[0][ms], out[1][ms]);
        assert_int_equal(in[0][ms], in[1][ms]);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_a_viewer_may_not_know_changes_no_byte_on_its_socket),
                     cmocka_unit_test(nor_does_it_while_things_go_wrong),
                     cmocka_unit_test(a_leak_is_seen),
                     cmocka_unit_test(what_lies_before_a_ping_does_not_hold_it_up));
}
