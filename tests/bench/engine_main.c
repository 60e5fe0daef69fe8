/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast the games' engines are, alone: a legal action is chosen, written, and applied from its
 * bytes, as in a room but for everything around it (no view, no hash, no saving, no log). What
 * these three cost for each action stands beside it. CPU time of this process, the best of some
 * runs: whatever else the machine does only adds to it.
 *
 *     engine_main [budgets]     with "budgets" it fails where one is missed
 */
#include "base/check.h"
#include "base/hash.h"
#include "games/baseball/baseball.h"
#include "games/davinci/davinci.h"
#include "games/dobble/dobble.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 5, GAMES = 64, NS = 1000000000 };
enum { DAVINCI_LEAST = 2000000, DOBBLE_LEAST = 5000000, JUDGED_LEAST = 50000000 };

/* A game at a table of its own. Between two actions a second passes, as among people. */
struct table {
    const struct game *game;
    void *state, *fresh;
    struct game_context context;
    struct game_events events;
    struct rng rng;  /* of what is chosen */
    int seats, seat; /* seat: who acted last */
};

static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * NS + (double)now.tv_nsec;
}

static void table_apply(struct table *table, const struct game_input *input)
{
    struct game_refusal refusal;
    game_events_clear(&table->events);
    CHECK(table->game->apply(table->state, input, &table->context, &table->events, &refusal) ==
          ST_OK);
    game_events_seal(&table->events);
}

/* To where the first action is due. */
static void table_open(struct table *table, const struct game *game, int seats)
{
    struct game_options options;
    struct game_seed seed = {{7}};
    *table = (struct table){.game = game, .seats = seats};
    table->context = (struct game_context){.now = 1000, .connected = (seat_mask)((1 << seats) - 1)};
    table->state = aligned_alloc(16, (game->state_size + 15) / 16 * 16);
    table->fresh = malloc(game->state_size);
    CHECK(table->state && table->fresh);
    game_options_default(game, &options);
    rng_init(&table->rng, &seed, "engine");
    game->setup(table->state, &(struct game_setup){.options = &options,
                                                   .seats = seats,
                                                   .seed = &seed,
                                                   .starter = -1,
                                                   .now = table->context.now,
                                                   .connected = table->context.connected});
    struct game_status status;
    game->status(table->state, &status);
    if (status.to_act == 0) { /* a countdown */
        table->context.now = status.deadline;
        table_apply(table, &(struct game_input){.kind = GAME_CLOCK});
    }
    memcpy(table->fresh, table->state, game->state_size);
}

static void table_close(struct table *table)
{
    game_events_fini(&table->events);
    free(table->state);
    free(table->fresh);
}

/* ---- one action of each game ----------------------------------------------------------------- */

/* The seats find in turn; false when no card is left in the centre. */
static bool claim(struct table *table)
{
    const struct dobble_state *state = table->state;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    if (state->phase != DOBBLE_PLAYING) return false;
    table->seat = (table->seat + 1) % table->seats;
    struct dobble_action action = {0};
    action.claim.card[0] = (uint8_t)dobble_seen_top(state, table->seat);
    action.claim.card[1] = (uint8_t)dobble_seen_centre(state);
    action.claim.art = (uint8_t)dobble_answer(state, table->seat, -1);
    struct slice written = slice_of(bytes, dobble_write_action(&action, bytes));
    table_apply(table,
                &(struct game_input){.kind = GAME_ACTION, .seat = table->seat, .action = written});
    return true;
}

/* Who is to act does what the clock would do for them: a guess that is possible as far as they
 * know. */
static bool play_tiles(struct table *table)
{
    struct game_status status;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    table->game->status(table->state, &status);
    if (status.finished) return false;
    table->seat = __builtin_ctz(status.to_act);
    size_t len = table->game->timeout_action(table->state, table->seat, bytes);
    table_apply(table, &(struct game_input){.kind = GAME_ACTION,
                                            .seat = table->seat,
                                            .action = slice_of(bytes, len)});
    return true;
}

/* The seats guess in turn, mostly any code; a few ask for a hint or give up. */
static bool throw_code(struct table *table)
{
    struct game_status status;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    table->game->status(table->state, &status);
    if (status.finished) return false;
    do {
        table->seat = (table->seat + 1) % table->seats;
    } while (!(status.to_act >> table->seat & 1));
    size_t len = baseball_random_action(table->state, table->seat, 0, &table->rng, bytes);
    table_apply(table, &(struct game_input){.kind = GAME_ACTION,
                                            .seat = table->seat,
                                            .action = slice_of(bytes, len)});
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Whole games; returns how many actions they took. */
static int play(struct table *table, bool (*act)(struct table *))
{
    int actions = 0;
    for (int i = 0; i < GAMES; i++) {
        memcpy(table->state, table->fresh, table->game->state_size);
        while (act(table)) {
            actions++;
            table->context.now += 1000;
        }
    }
    return actions;
}

enum part { NOTHING, VIEW, ENCODE, HASH, PARTS };

/* What one of them costs at the state that is there now. */
static double cost(struct table *table, enum part part, struct buf *out)
{
    enum { TIMES = 200 };
    double start = cpu_now();
    for (int i = 0; i < TIMES; i++) {
        buf_clear(out);
        if (part == VIEW) table->game->view(table->state, &(struct game_viewer){0}, out, NULL);
        if (part != VIEW) table->game->encode(table->state, out);
        if (part == HASH) (void)hash_128(buf_slice(out));
    }
    return (cpu_now() - start) / TIMES;
}

/* In ns an action, over one game; also the bytes of a view and of a saved state in the middle. */
static void print_rest(struct table *table, bool (*act)(struct table *))
{
    double sum[PARTS] = {0};
    size_t bytes[PARTS] = {0};
    struct buf out = {0};
    int actions = 0;
    memcpy(table->state, table->fresh, table->game->state_size);
    for (; act(table); actions++) {
        for (enum part part = VIEW; part < PARTS; part++) {
            sum[part] += cost(table, part, &out);
            if (part != HASH) bytes[part] += out.len;
        }
        table->context.now += 1000;
    }
    buf_fini(&out);
    printf(
        ">   for each action beside: the view everybody has %.0f ns (%zu bytes), the state's bytes "
        "%.0f ns (%zu bytes), their hash %.0f ns\n",
        sum[VIEW] / actions, bytes[VIEW] / (size_t)actions, sum[ENCODE] / actions,
        bytes[ENCODE] / (size_t)actions, (sum[HASH] - sum[ENCODE]) / actions);
}

static bool print_rate(const char *what, double per_second, double least)
{
    printf("> %s: %.2f million a second, %.0f ns each", what, per_second / 1e6, NS / per_second);
    if (least > 0) printf("; the budget is %.0f million", least / 1e6);
    printf("\n");
    return per_second >= least;
}

/* least 0: no budget. */
static bool measure(const char *what, const struct game *game, int seats, double least,
                    bool (*act)(struct table *))
{
    struct table table;
    double best = 0;
    table_open(&table, game, seats);
    play(&table, act);
    for (int run = 0; run < RUNS; run++) {
        double start = cpu_now();
        int actions = play(&table, act);
        double rate = actions * (double)NS / (cpu_now() - start);
        if (rate > best) best = rate;
    }
    bool reached = print_rate(what, best, least);
    print_rest(&table, act);
    table_close(&table);
    return reached;
}

/* Guesses at secrets of four digits, both drawn beforehand. */
static bool measure_judging(void)
{
    enum { CODES = 4096, ROUNDS = 256 };
    static uint32_t code[CODES];
    struct baseball_rules rules = {.digits = 4, .symbols = BASEBALL_SYMBOLS};
    struct game_seed seed = {{7}};
    struct rng rng;
    double best = 0;
    int strikes = 0;
    rng_init(&rng, &seed, "engine");
    for (int i = 0; i < CODES; i++) code[i] = baseball_draw_code(&rules, &rng);
    for (int run = 0; run < RUNS; run++) {
        double start = cpu_now();
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < CODES; i++)
                strikes += baseball_judge(&rules, code[round], code[i]).strikes;
        double rate = (double)CODES * ROUNDS * NS / (cpu_now() - start);
        if (rate > best) best = rate;
    }
    CHECK(strikes > 0);
    return print_rate("number baseball, judgements", best, JUDGED_LEAST);
}

int main(int argc, char **argv)
{
    CHECK(sodium_init() >= 0); /* as a service does: it picks the code for this machine */
    bool strict = argc > 1 && strcmp(argv[1], "budgets") == 0;
    bool reached = measure("dobble, the tower of four", &dobble_game, 4, DOBBLE_LEAST, claim);
    reached &= measure("da vinci, four players", &davinci_game, 4, DAVINCI_LEAST, play_tiles);
    reached &= measure("number baseball, four players", &baseball_game, 4, 0, throw_code);
    reached &= measure_judging();
    return strict && !reached;
}
