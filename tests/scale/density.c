/* SPDX-License-Identifier: Apache-2.0 */
#include "scale/density.h"

#include <malloc.h>
#include <time.h>

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

static void one_step_for_all(struct scale_world *world, struct scale_node *worker,
                             struct density *out)
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
    out->metrics_ms = looked - from;
    out->lost_ms = lost - looked;
    out->back_ms = now_ms() - lost;
}

void density_measure(const char *game, size_t rooms, struct density *out)
{
    *out = (struct density){.rooms = 0};
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
        out->rooms = stats.rooms;
        out->playing = stats.by_game[game_place(of)][WORKER_ROOM_PLAYING];
        out->people = (double)world->counts.attached / stats.rooms;
        one_step_for_all(world, &world->nodes[i], out);
        size_t held = heap_bytes();
        node_close(&world->nodes[i]);
        out->bytes = (double)(held - heap_bytes()) / stats.rooms;
    }
    scale_close(world);
}
