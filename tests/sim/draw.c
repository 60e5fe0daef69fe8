/* SPDX-License-Identifier: Apache-2.0
 *
 * What a seed stands for: how many of whom, and how often what goes wrong. Each seed has a mixture
 * of its own, since faults that hide one another are as bad as none.
 */
#include "game/rng.h"
#include "sim/sim.h"

enum { CALM_MS = 240 * 1000, END_MS = 360 * 1000 };

/* One time in `odds` 0: this run is spared; else something between the two. */
static uint32_t some(struct rng *chance, uint32_t odds, uint32_t low, uint32_t high)
{
    return rng_below(chance, odds) ? low + rng_below(chance, high - low + 1) : 0;
}

static void draw_network(struct sim_faults *faults, struct rng *chance)
{
    faults->delay_min_ms = rng_below(chance, 3);
    faults->delay_max_ms = faults->delay_min_ms + 1 + rng_below(chance, 20);
    faults->slow_ms = 50 + rng_below(chance, 500);
    faults->slow_ppm = rng_below(chance, 4) ? 1000 : 0;
    faults->loss_ppm = some(chance, 3, 1, 5000);
    faults->twice_ppm = some(chance, 3, 1, 5000);
    faults->overtake_ppm = some(chance, 3, 1, 5000);
    faults->cut_every_ms = some(chance, 3, 8000, 38000);
    faults->player_cut_every_ms = 5000 + rng_below(chance, 30000);
    faults->slow_reader_every_ms = some(chance, 2, 20000, 60000);
}

static void draw_processes(struct sim_faults *faults, struct rng *chance)
{
    faults->crash_every_ms = some(chance, 3, 8000, 38000);
    faults->pause_every_ms = some(chance, 3, 8000, 38000);
    faults->suspend_every_ms = some(chance, 3, 40000, 120000);
    faults->replace_every_ms = some(chance, 3, 40000, 120000);
    faults->claim_crash_ppm = rng_below(chance, 2) ? 500000 : 0;
    faults->drift_ppm = rng_below(chance, 2) ? 200 : 0;
}

static void draw_store(struct sim_faults *faults, struct rng *chance)
{
    faults->store_cut_every_ms = some(chance, 3, 8000, 38000);
    faults->store_partition_every_ms = some(chance, 3, 8000, 38000);
    faults->store_slow_every_ms = some(chance, 3, 30000, 90000);
    faults->store_freeze_every_ms = some(chance, 3, 40000, 120000);
    faults->store_refuse_every_ms = some(chance, 3, 40000, 120000);
    faults->store_clock_every_ms = rng_below(chance, 4) ? 0 : 40000 + rng_below(chance, 60000);
    faults->aof = (enum sim_aof)rng_below(chance, 3);
    if (faults->store_clock_every_ms) return; /* see sim.h */
    faults->store_crash_every_ms = some(chance, 2, 40000, 100000);
    faults->store_promote_every_ms = rng_below(chance, 3) ? 0 : 40000 + rng_below(chance, 60000);
    faults->store_forget_every_ms = rng_below(chance, 4) ? 0 : 30000 + rng_below(chance, 60000);
}

/* Nights are long and quiet; one in two is that of a run in which everything goes well by then. */
static void draw_night(struct sim_config *config, struct rng *chance)
{
    instant_ms night_ms = 900 * 1000, after_ms = config->end_at - config->calm_at;
    bool calm = rng_below(chance, 2);
    config->scenes.kick_ppm = 5000; /* who knocks at a room that has been put away */
    config->scenes.night_at = calm ? config->calm_at + 20 * 1000 : 100 * 1000;
    if (!calm) config->calm_at = config->scenes.night_at + night_ms;
    config->end_at = config->calm_at + after_ms + (calm ? night_ms : 0);
}

static void draw_scenes(struct sim_config *config, const struct game_seed *drawn)
{
    struct rng chance;
    rng_init(&chance, drawn, "what people do");
    config->scenes.open = rng_below(&chance, 3) == 0;
    config->scenes.kick_ppm = some(&chance, 2, 1000, 5000);
    config->scenes.options_ppm = some(&chance, 2, 100000, 300000);
    if (rng_below(&chance, 6) == 0)
        config->scenes.rooms_max = 1 + rng_below(&chance, (uint32_t)config->rooms / 2);
    if (rng_below(&chance, 8) == 0) draw_night(config, &chance);
}

void sim_config_draw(struct sim_config *config, uint64_t seed)
{
    struct game_seed drawn = {{0}};
    memcpy(drawn.byte, &seed, sizeof seed);
    struct rng chance;
    rng_init(&chance, &drawn, "what goes wrong");
    *config = (struct sim_config){.seed = seed,
                                  .drawn = "",
                                  .gateways = 1 + (int)rng_below(&chance, 3),
                                  .matchmakers = 1 + (int)rng_below(&chance, 2),
                                  .workers = 2 + (int)rng_below(&chance, 3),
                                  .timers = 1 + (int)rng_below(&chance, 2),
                                  .rooms = 2 + (int)rng_below(&chance, 4),
                                  .players_per_room = 3 + (int)rng_below(&chance, 3),
                                  .look_min_ms = 150,
                                  .look_max_ms = 1500,
                                  .away_once_in = 60,
                                  .calm_at = CALM_MS,
                                  .end_at = END_MS};
    draw_network(&config->faults, &chance);
    draw_processes(&config->faults, &chance);
    draw_store(&config->faults, &chance);
    config->viewer = -1;
    if (rng_below(&chance, 4) == 0)
        config->viewer =
            (int)rng_below(&chance, (uint32_t)(config->rooms * config->players_per_room));
    config->strangers = (int)rng_below(&chance, 6);
    config->newer = rng_below(&chance, 2);
    config->faults.strange_ppm = 1000;
    if (config->viewer < 0) draw_scenes(config, &drawn);
}

void sim_config_draw_deadly(struct sim_config *config, uint64_t seed)
{
    sim_config_draw(config, seed);
    config->drawn = " KILLS=1";
    config->scenes = (struct sim_scenes){.open = config->scenes.open};
    config->calm_at = CALM_MS;
    config->end_at = END_MS;
    struct sim_faults *faults = &config->faults;
    faults->crash_every_ms = 400 + (uint32_t)(seed % 7) * 200;
    faults->store_crash_every_ms = faults->store_promote_every_ms = 0;
    faults->store_forget_every_ms = 0;
}

void sim_config_draw_night(struct sim_config *config, uint64_t seed)
{
    struct game_seed drawn = {{0}};
    memcpy(drawn.byte, &seed, sizeof seed);
    struct rng chance;
    rng_init(&chance, &drawn, "a night");
    sim_config_draw(config, seed);
    config->viewer = -1;
    config->calm_at = CALM_MS;
    config->end_at = END_MS;
    config->drawn = " NIGHT=1";
    config->scenes = (struct sim_scenes){.open = true, .options_ppm = 300000};
    draw_night(config, &chance);
}
