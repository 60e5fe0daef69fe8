/* SPDX-License-Identifier: Apache-2.0
 *
 * What a playing room costs a worker, for each game: one worker fills with rooms in which people
 * sit, connected, in a game. First what it does for all its rooms in one step, in which nobody is
 * served: metrics are read, and a shard's connection is lost and comes back. Then its core is
 * closed, and what that gives back is what they took.
 *   density_main [rooms [game]]
 */
#include <malloc.h>
#include <stdlib.h>
#include <time.h>

#include "scale/scale.h"

static size_t heap_bytes(void)
{
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

static double now_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1000 + (double)at.tv_nsec * 1e-6;
}

static void one_step_for_all(struct scale_world *world, struct scale_node *worker)
{
    struct worker_stats stats;
    double from = now_ms();
    worker_core_stats(worker->worker, &stats);
    double looked = now_ms();
    struct event away = {.kind = EVENT_STORE_RESET};
    node_event(world, worker, &away);
    double lost = now_ms();
    struct event back = {.kind = EVENT_STORE_RESET, .store_up = true};
    node_event(world, worker, &back);
    printf("> all at once: metrics %.1f ms, connection lost %.1f ms, back %.1f ms\n", looked - from,
           lost - looked, now_ms() - lost);
}

static void measure(const char *game, size_t rooms)
{
    struct scale_config config = {.seed = 1,
                                  .matchmakers = 1,
                                  .workers = 1,
                                  .gateways = 2,
                                  .shards = 1,
                                  .rooms_max = 1000000,
                                  .tickets_a_s = 10000,
                                  .people_max = 12,
                                  .stay_ms = INSTANT_NEVER,
                                  .game = game};
    struct scale_world *world = scale_open(&config);
    world->crowd_rests = true;
    scale_run(world, 3000);
    world->crowd_rests = false;
    while (world->rooms.count < rooms) scale_run(world, 100);
    world->crowd_rests = true;
    scale_run(world, 1500);
    for (int i = 0; i < world->node_count; i++) {
        struct worker_stats stats;
        if (!world->nodes[i].worker) continue;
        worker_core_stats(world->nodes[i].worker, &stats);
        const struct game *of = game_find(slice_text(game));
        uint32_t playing = stats.by_game[game_place(of)][WORKER_ROOM_PLAYING];
        one_step_for_all(world, &world->nodes[i]);
        size_t held = heap_bytes();
        node_close(&world->nodes[i]);
        printf("> %s: %u rooms, %u of them playing, %.1f people each: %.0f bytes each\n", game,
               stats.rooms, playing, (double)world->counts.attached / stats.rooms,
               (double)(held - heap_bytes()) / stats.rooms);
    }
    scale_close(world);
}

int main(int argc, char **argv)
{
    size_t rooms = argc > 1 ? (size_t)atol(argv[1]) : 1000;
    for (int g = 0; g < game_count(); g++)
        if (argc <= 2 || !strcmp(argv[2], game_at(g)->id)) measure(game_at(g)->id, rooms);
    return 0;
}
