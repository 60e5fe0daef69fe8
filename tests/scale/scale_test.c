/* SPDX-License-Identifier: Apache-2.0
 *
 * The large cluster in small, as each run of the tests can have it; `make scale` has the whole.
 */
#include "unit/test.h"

#include "scale/density.h"
#include "scale/story.h"

#ifdef __SANITIZE_ADDRESS__
enum { WORKERS = 10, ROOMS = 1000, TICKETS_A_S = 1000 };
#else
enum { WORKERS = 100, ROOMS = 10000, TICKETS_A_S = 5000 };
#endif

static struct scale_config config_of(int workers, uint32_t tickets_a_s)
{
    return (struct scale_config){.seed = 1,
                                 .matchmakers = 4,
                                 .workers = workers,
                                 .gateways = 5,
                                 .shards = 2,
                                 .rooms_max = 5000,
                                 .tickets_a_s = tickets_a_s,
                                 .people_max = 2,
                                 .stay_ms = 5000};
}

static void rooms_lie_evenly_and_have_owners_again_whoever_falls(void **state)
{
    (void)state;
    struct story_plan plan = {.config = config_of(WORKERS, TICKETS_A_S),
                              .marks = {ROOMS / 10, ROOMS / 2, ROOMS},
                              .newcomers = WORKERS / 10,
                              .tell = stdout};
    struct story_figures figures;
    const char *wrong = story_run(&plan, &figures);
    if (wrong) fprintf(stderr, "%s\n", wrong);
    assert_null(wrong);
    /* Half a second between two questions, and the match is made in between. */
    assert_in_range(figures.wait_p99_ms, 1, 700);
    /* A lease and a heartbeat of silence, a tick, a page of the store and a take. */
    assert_in_range(figures.falls[STORY_KILLED].owned_ms, 1, 150);
    assert_in_range(figures.falls[STORY_SILENT].owned_ms, 1000, 1500);
    assert_in_range(figures.falls[STORY_TENTH].owned_ms, 1000, 1800);
}

static double reply_bytes(int workers)
{
    struct scale_config config = config_of(workers, 0);
    struct scale_world *world = scale_open(&config);
    scale_run(world, 2000);
    world->counts = (struct scale_counts){.replies = 0};
    scale_run(world, 1000);
    assert_int_equal(world->counts.replies, 4 * 4 * workers);
    double bytes = (double)world->counts.reply_bytes / (double)world->counts.replies;
    scale_close(world);
    return bytes;
}

static void a_worker_is_told_no_more_among_many_than_among_few(void **state)
{
    (void)state;
    double few = reply_bytes(20), many = reply_bytes(200);
    assert_true(many < few * 1.2); /* an example of its sort may be a neighbour among few */
}

static void the_same_seed_gives_the_same_run(void **state)
{
    (void)state;
    uint64_t rooms[2], steps[2], draws[2];
    for (int i = 0; i < 2; i++) {
        struct scale_config config = config_of(10, 200);
        struct scale_world *world = scale_open(&config);
        scale_run(world, 6000);
        node_kill(world, &world->nodes[4], false);
        scale_run(world, 3000);
        rooms[i] = world->rooms.count;
        steps[i] = world->worker_cost.steps[SCALE_WORK_play];
        draws[i] = world->draws;
        scale_close(world);
    }
    assert_true(rooms[0] == rooms[1] && steps[0] == steps[1] && draws[0] == draws[1]);
    assert_true(rooms[0] > 100);
}

/* What looks for faults finds some. */
static void a_room_without_an_owner_and_one_that_is_nowhere_are_seen(void **state)
{
    (void)state;
    struct scale_config config = config_of(10, 200);
    struct scale_world *world = scale_open(&config);
    scale_run(world, 6000);
    world->crowd_rests = true;
    scale_run(world, 2500);
    assert_null(look_for_faults(world));
    node_kill(world, &world->nodes[4], false);
    assert_non_null(strstr(look_for_faults(world), "nobody who is there owns a room"));
    scale_run(world, 4000);
    assert_null(look_for_faults(world));
    model_store_forget(world->stores[1]);
    assert_non_null(strstr(look_for_faults(world), "a room is lost"));
    scale_close(world);
}

/* With as many people as a room has seats, at the start of the game. A twentieth above what it was
 * when it was measured last; the aim is 8 KB for every game. */
static void a_playing_room_takes_no_more_of_a_worker_than_it_did(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* malloc is another's, which mallinfo does not know */
#endif
    static const struct {
        const char *game;
        double bytes_max;
    } limits[] = {{"davinci-code", 11200}, {"dobble", 15400}, {"number-baseball", 23900}};
    assert_int_equal(sizeof limits / sizeof *limits, game_count());
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct density of;
        density_measure(limits[i].game, 1000, &of);
        printf("> %s: %.0f bytes a room\n", limits[i].game, of.bytes);
        assert_true(of.rooms >= 1000 && of.playing == of.rooms);
        assert_true(of.bytes > 0 && of.bytes < limits[i].bytes_max);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_playing_room_takes_no_more_of_a_worker_than_it_did),
                     cmocka_unit_test(rooms_lie_evenly_and_have_owners_again_whoever_falls),
                     cmocka_unit_test(a_worker_is_told_no_more_among_many_than_among_few),
                     cmocka_unit_test(the_same_seed_gives_the_same_run),
                     cmocka_unit_test(a_room_without_an_owner_and_one_that_is_nowhere_are_seen));
}
