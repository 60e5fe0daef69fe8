/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/play.h"

static void count_twins(struct sim_counts *counts, const struct twins_counts *twins)
{
    counts->twins++;
    counts->permuted += twins->permuted;
    counts->unlike += twins->unlike;
    counts->told_alike += twins->bytes;
    counts->twins_apart += twins->apart;
}

const char *play_run(struct play *play, const struct sim_config *config)
{
    *play = (struct play){.paired = config->viewer >= 0};
    if (!play->paired) {
        play->world = sim_open(config);
        return sim_run(play->world);
    }
    twins_open(&play->twins, config);
    play->world = play->twins.here;
    const char *failure = twins_run(&play->twins);
    count_twins(&play->world->counts, &play->twins.counts);
    return failure;
}

void play_close(struct play *play)
{
    if (play->paired)
        twins_close(&play->twins);
    else
        sim_close(play->world);
}
