/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody who speaks the language of the services says whatever comes into its head, of rooms that
 * exist, to all of them: envelopes and requests of every kind, within the bounds of the wire, with
 * values that make no sense. Of TLS, which keeps it away, this test knows nothing: no process may
 * die of what it hears, and people who come afterwards play a game.
 */
#include "cluster/stranger.h"
#include "cluster/table.h"
#include "cluster/whole_game.h"
#include "ops/system.h"
#include "unit/free_port.h"
#include "unit/wire/sample.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 12,
    SAYINGS = 30,
    ENVELOPES = 150,
    REQUESTS = 12,
    TARGETS = 4,
    CLIENTS = 6,
    ASK_MS = 500,
    AFTER_MS = 200,
};

static struct stranger stranger;
static struct sample sample;
static char inboxes[TARGETS][64], controls[2][64];
static struct table table;

static void start(const char *program, char inbox[64], char control[64])
{
    char at[96], take[96];
    snprintf(inbox, 64, "tcp://127.0.0.1:%d", free_port());
    snprintf(at, sizeof at, "--inbox=%s", inbox);
    if (control) snprintf(control, 64, "tcp://127.0.0.1:%d", free_port());
    snprintf(take, sizeof take, "--control=%s", control ? control : "");
    const char *flags[] = {at, control ? take : NULL, NULL};
    rack_start(program, flags);
}

static int open_all(void **state)
{
    (void)state;
    random_fill(&sample.state, sizeof sample.state);
    const char *seed = getenv("SEED");
    if (seed) sample.state = strtoull(seed, NULL, 10);
    print_message("    SEED=%llu\n", (unsigned long long)sample.state);
    rack_open(NULL);
    start("worker", inboxes[0], controls[0]);
    start("worker", inboxes[1], controls[1]);
    start("timer", inboxes[2], NULL);
    start("gateway", inboxes[3], NULL);
    stranger_open(&stranger, false);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    table_close(&table);
    stranger_close(&stranger);
    return rack_close();
}

static bool often(void)
{
    return sample_below(&sample, 4) > 0;
}

/* Rooms and clients that there are, counters that might be the next, epochs around the present. */
static void make_likely(struct envelope *e)
{
    struct env_act *act = &e->u.act;
    if (often()) e->u.client.room = stranger.placed.room; /* first in every envelope */
    if (e->kind == ENV_ATTACH && often()) e->u.attach.name = "x";
    if (e->kind <= ENV_RTT && e->kind != ENV_RESYNC && often())
        e->u.client.client = (uint64_t)sample_below(&sample, CLIENTS);
    if (e->kind == ENV_ACT && often()) act->counter = (uint64_t)sample_below(&sample, CLIENTS);
    if (e->kind == ENV_ACT && often()) act->generation = (uint32_t)sample_below(&sample, CLIENTS);
    if (e->kind == ENV_UPDATE && often())
        e->u.update.version.epoch = stranger.placed.epoch + (uint64_t)sample_below(&sample, 3) - 1;
}

static void say_anything(void)
{
    static struct envelope list[ENVELOPES];
    for (int i = 0; i < ENVELOPES; i++) {
        enum envelope_kind kind = (enum envelope_kind)(1 + sample_below(&sample, ENV_FIRE_ANSWER));
        sample_envelope(&sample, kind, &list[i]);
        make_likely(&list[i]);
    }
    stranger_send(&stranger, inboxes[sample_below(&sample, TARGETS)], list, ENVELOPES);
}

static void ask_anything(void)
{
    struct effects effects = {0};
    int to = sample_below(&sample, 3);
    struct effect *effect = effects_add(&effects, EFFECT_REQUEST);
    effect->timeout_ms = ASK_MS;
    sample_request(&sample, (enum request_kind)(1 + sample_below(&sample, REQ_WORKER_CLOSE)),
                   &effect->request);
    struct request *request = &effect->request;
    effect->request.id = stranger_id(&stranger);
    if (often()) request->game = "dobble";
    if (sample_below(&sample, 2)) request->room = stranger.placed.room;
    if (sample_below(&sample, 2)) request->option_count = 0;
    for (int i = 0; i < request->room_count; i++) {
        if (sample_below(&sample, 2)) request->rooms[i].room = stranger.placed.room;
        if (sample_below(&sample, 2)) request->rooms[i].epoch = stranger.placed.epoch;
    }
    effect->url = to == 2 ? NULL : controls[to];
    bus_carry(stranger.bus, &effects);
    effects_fini(&effects);
    stranger_run(&stranger, 0);
}

/* Of rooms in which people wait, and of rooms in which they play. */
static void one_round(int round)
{
    const struct game *game = game_at(round % 3);
    const char *wrong = table_seat(&table, "127.0.0.1", rack_port, game);
    if (!wrong && round % 2) table_start(&table);
    if (!wrong) stranger_find(&stranger, table.players[0].code);
    const struct placed placed = stranger.placed;
    for (int i = 0; i < SAYINGS; i++) {
        stranger.placed = placed; /* replies to the stranger change it */
        say_anything();
        if (i < REQUESTS) ask_anything();
        ws_pump_all(table.players, table.count);
    }
    stranger_run(&stranger, AFTER_MS);
    arena_fini(&sample.arena);
    sample.arena = (struct arena){0};
    table_close(&table);
}

static void what_makes_no_sense_ends_no_service(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) one_round(round);
    const char *wrong = whole_game_play(rack_port, game_find(slice_text("dobble")), NULL);
    if (wrong) fail_msg("%s", wrong);
}

/* That everything lived to its end, close_all asks. */
int main(void)
{
    return RUN_TESTS_BETWEEN(open_all, close_all,
                             cmocka_unit_test(what_makes_no_sense_ends_no_service));
}
