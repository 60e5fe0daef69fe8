/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/conformance_run.h"

#include <stdio.h>

enum { STEPS_MAX = 600 };

/* Random options that the game does not refuse. */
static void choose_options(struct playthrough *play)
{
    const struct game *game = play->game;
    const char *text = NULL;
    do {
        game_options_default(game, &play->options);
        for (int i = 0; i < game->option_count; i++) {
            const struct game_option *option = &game->options[i];
            int32_t value = (int32_t)rng_below(&play->rng, 2);
            int choices = 0;
            while (choices < GAME_CHOICES_MAX && option->choices[choices].key) choices++;
            if (option->kind == GAME_OPTION_CHOICE)
                value = option->choices[rng_below(&play->rng, (uint32_t)choices)].value;
            else if (option->kind == GAME_OPTION_NUMBER)
                value = option->min +
                        (int32_t)rng_below(&play->rng, (uint32_t)(option->max - option->min + 1));
            if (game_options_set(game, &play->options, slice_text(option->key), value) != ST_OK)
                fault(play->report, "option %s refuses its own value %d", option->key, value);
        }
    } while (game->check(&play->options, play->seats, &text) == GAME_OPTIONS_REFUSED);
}

static void setup(struct playthrough *play, struct run *run, int fill)
{
    run_open(run, play->game, play->seats, fill);
    play->game->setup(run->state, &(struct game_setup){
                                      .options = &play->options,
                                      .seats = play->seats,
                                      .seed = &play->seed,
                                      .starter = play->starter,
                                      .now = play->context.now,
                                      .connected = play->context.connected,
                                  });
}

static void play_open(struct playthrough *play, const struct game *game, uint32_t number,
                      struct conformance_report *report)
{
    struct game_seed seed = {{(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), 1}};
    memset(play, 0, sizeof *play);
    play->game = game;
    play->report = report;
    play->seed = seed;
    rng_init(&play->rng, &seed, "conformance");
    play->seats = game->seats_min +
                  (int)rng_below(&play->rng, (uint32_t)(game->seats_max - game->seats_min + 1));
    if (game->solo_key && chance(&play->rng, 6)) play->seats = 1;
    play->starter = chance(&play->rng, 4) ? (int)rng_below(&play->rng, (uint32_t)play->seats) : -1;
    play->context.now = 1 + rng_below(&play->rng, 100000);
    play->context.connected = (seat_mask)((1u << play->seats) - 1);
    choose_options(play);
    setup(play, &play->run, 0x00);
    setup(play, &play->twin, 0xa5);
}

static bool play_through(struct playthrough *play)
{
    struct conformance_report *report = play->report;
    if (!check_start(play)) return false;
    for (report->step = 0; report->step < STEPS_MAX; report->step++) {
        struct input input;
        if (run_status(&play->run).finished) break;
        if (chance(&play->rng, 8) && !check_clock(play)) return false;
        if (chance(&play->rng, 40) && !check_damage(play)) return false;
        if (chance(&play->rng, 6) && !check_secrets(play)) return false;
        input_next(play, &play->run, &input);
        if (!check_step(play, &input)) return false;
        report->steps++;
    }
    return check_end(play);
}

bool conformance_run(const struct game *game, struct conformance_plan plan,
                     struct conformance_report *report)
{
    memset(report, 0, sizeof *report);
    for (int i = 0; i < plan.playthroughs && !report->fault[0]; i++) {
        struct playthrough play;
        report->playthrough = plan.first + (uint32_t)i;
        report->step = -1;
        play_open(&play, game, report->playthrough, report);
        play_through(&play);
        run_close(&play.run);
        run_close(&play.twin);
    }
    if (!report->fault[0] && report->legal_accepted * 2 < report->legal)
        fault(report, "only %ld of %ld actions meant as legal were", report->legal_accepted,
              report->legal);
    return !report->fault[0];
}
