/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeded random runs of rooms with every game there is: inputs of all kinds, near misses, garbage,
 * repeats, clocks early and late, people that come and go, saving and loading in the middle. The
 * stage checks each step (stage.h); here are the sentences about the room as a whole.
 *
 *   ROOM_SEED=n ROOM_RUNS=n     repeats a run, or does more of them
 */
#include "room/state.h"
#include "unit/room/stage.h"

#include <stdio.h>
#include <stdlib.h>

enum { PERSONS = 9, STEPS = 600, RUNS = 40 / TEST_ONE_IN, KEPT = 24 };

struct run {
    struct stage *stage;
    struct rng rng;
    const struct game *game;
    struct room_input kept[KEPT]; /* accepted actions, to be sent again */
    uint64_t kept_seq[KEPT];
    uint32_t kept_member[KEPT];
    uint8_t kept_bytes[KEPT][GAME_ACTION_BYTES_MAX];
    int kept_count;
    int games, ended, accepted, refused, repeated, same;
    instant_ms last_time;
    uint64_t last_version, last_number;
};

static uint32_t below(struct run *run, uint32_t bound)
{
    return rng_below(&run->rng, bound);
}

static bool chance(struct run *run, uint32_t percent)
{
    return below(run, 100) < percent;
}

static int random_seat(struct run *run)
{
    return (int)below(run, (uint32_t)run->game->seats_max + 2) - 1;
}

/* ---- what holds after every step ------------------------------------------------------------- */

static void check_people(const struct run *run)
{
    const struct room *room = run->stage->room;
    for (int a = 0; a < room->seat_count; a++) {
        const struct room_seat *seat = &room->seats[a];
        if (!seat->taken) continue;
        assert_true(seat->member >= 1 && seat->member <= room->members);
        assert_true(seat->generation >= 1 && seat->generation <= room->generations);
        assert_true(seat->name[0] != '\0');
        assert_false(room_is_kicked(room, seat->player));
        assert_true(!seat->left || (room_runs(room) && !seat->connected));
        for (int b = 0; b < a; b++) {
            const struct room_seat *other = &room->seats[b];
            if (!other->taken) continue;
            assert_int_not_equal(seat->member, other->member);
            assert_int_not_equal(seat->generation, other->generation);
            bool nobody = id128_is_zero(seat->player);
            assert_true(nobody || !id128_equal(seat->player, other->player));
        }
    }
    /* Somebody connected, so somebody is host. */
    int host = room_seat_of_member(room, room->host);
    if (room_longest_seated(room, 0) != 0) assert_true(host >= 0 && !room->seats[host].left);
    if (room->starter) assert_true(room_seat_of_member(room, room->starter) >= 0);
    assert_true((room->quiet_since == INSTANT_NEVER) == (room_count_connected(room) > 0));
}

static void check_waiting(const struct run *run)
{
    const struct room *room = run->stage->room;
    instant_ms due = stage_deadline(run->stage);
    if (room->phase == ROOM_PLAYING) {
        struct game_status status;
        run->game->status(room->game_state, &status);
        assert_false(status.finished);
        assert_true(due != INSTANT_NEVER || status.deadline == INSTANT_NEVER);
        assert_true(status.to_act == 0 || status.deadline != INSTANT_NEVER);
        assert_true(room_count_connected(room) > 0 || due != INSTANT_NEVER);
        if (run->game->audit) {
            const char *complaint = run->game->audit(room->game_state);
            if (complaint) fail_msg("%s", complaint);
        }
    } else if (room->phase == ROOM_PAUSED) {
        assert_int_equal(room_count_connected(room), 0);
        assert_true(due == room->phase_since + ROOM_ABANDON_MS);
    } else if (room_count_connected(room) == 0) {
        assert_true(due != INSTANT_NEVER || room->deleted);
    }
}

static void check(struct run *run)
{
    const struct stage *stage = run->stage;
    uint64_t number;
    room_deadline(stage->room, &number);
    assert_true(number >= run->last_number);
    assert_true(room_time(stage->room) >= run->last_time);
    assert_true(room_game_version(stage->room) >= run->last_version);
    assert_true(room_seq(stage->room) <= room_position(stage->room));
    run->last_number = number;
    run->last_time = room_time(stage->room);
    run->last_version = room_game_version(stage->room);
    check_people(run);
    check_waiting(run);
}

/* ---- what may happen ------------------------------------------------------------------------- */

static void count(struct run *run, enum room_verdict verdict)
{
    run->accepted += verdict == ROOM_ACCEPTED;
    run->refused += verdict == ROOM_REFUSED;
    run->repeated += verdict == ROOM_REPEATED;
    run->same += verdict == ROOM_SAME;
    if (run->stage->out.game_started) run->games++;
    if (run->stage->out.game_finished) run->ended++;
}

static void keep(struct run *run, const struct room_input *input)
{
    if (input->bytes.len > GAME_ACTION_BYTES_MAX) return;
    int k = run->kept_count++ % KEPT;
    run->kept[k] = *input;
    if (input->bytes.len) memcpy(run->kept_bytes[k], input->bytes.at, input->bytes.len);
    run->kept[k].bytes.at = run->kept_bytes[k];
    run->kept_seq[k] = run->stage->out.seq;
    const struct room_seat *seat = room_seat_at(run->stage->room, input->seat);
    run->kept_member[k] = seat ? seat->member : 0;
}

static void come(struct run *run)
{
    int number = (int)below(run, PERSONS);
    int seat = room_seat_of(run->stage->room, person(number));
    uint32_t generation = chance(run, 50) ? room_generation(run->stage->room, seat)
                                          : below(run, run->stage->room->generations + 3);
    count(run, stage_attach(run->stage, number, generation, chance(run, 50), chance(run, 20)));
}

static void go(struct run *run, enum room_input_kind kind)
{
    int seat = random_seat(run);
    uint32_t generation = room_generation(run->stage->room, seat);
    if (chance(run, 10)) generation = below(run, run->stage->room->generations + 2);
    count(run,
          stage_step(run->stage,
                     (struct room_input){.kind = kind, .seat = seat, .generation = generation}));
}

static int acting_seat(struct run *run)
{
    const struct room *room = run->stage->room;
    struct game_status status = {0};
    if (room->phase == ROOM_PLAYING) run->game->status(room->game_state, &status);
    if (status.to_act == 0 || chance(run, 15)) return random_seat(run);
    int game_seat = (int)below(run, (uint32_t)room->player_count);
    for (int i = 0; i < room->player_count; i++, game_seat = (game_seat + 1) % room->player_count)
        if (status.to_act >> game_seat & 1) break;
    return room->players[game_seat].seat;
}

static void act(struct run *run)
{
    const struct room *room = run->stage->room;
    int seat = acting_seat(run), game_seat = room_game_seat(room, seat);
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    uint32_t dice = below(run, 100);
    int kind = dice < 80 ? 0 : dice < 95 ? 1 : 2;
    size_t len = 0;
    if (room->phase == ROOM_PLAYING && game_seat >= 0)
        len = run->game->random_action(room->game_state, game_seat, kind, &run->rng, bytes);
    struct room_input input = {
        .kind = ROOM_ACT,
        .seat = seat,
        .generation = room_generation(room, seat),
        .counter = room_counter(room, seat) + 1,
        .made_for = room_game_version(room),
        .bytes = slice_of(bytes, len),
        .rtt_ms = below(run, 300),
    };
    if (chance(run, 3)) input.generation = below(run, room->generations + 2);
    if (chance(run, 3)) input.counter = below(run, (uint32_t)input.counter + 3);
    if (chance(run, 3)) input.made_for -= below(run, 3);
    enum room_verdict verdict = stage_step(run->stage, input);
    count(run, verdict);
    if (verdict == ROOM_ACCEPTED) keep(run, &input);
}

static void garbage_command(struct run *run)
{
    uint8_t bytes[24];
    size_t len = below(run, sizeof bytes + 1);
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_u32(&run->rng);
    if (len > 0 && chance(run, 70)) bytes[0] = (uint8_t)((1 + below(run, 8)) << 3 | 2);
    if (len > 1 && chance(run, 70)) bytes[1] = (uint8_t)(len - 2);
    count(run, stage_command(run->stage, random_seat(run), slice_of(bytes, len)));
}

static void command(struct run *run)
{
    static const char *const names[] = {"민수",   "Min", "MIN",
                                        "\u200b", "",    "너무너무너무너무긴이름이에요"};
    struct stage *stage = run->stage;
    int host = room_seat_of_member(stage->room, stage->room->host);
    int seat = chance(run, 70) ? host : random_seat(run);
    uint32_t any = below(run, (uint32_t)run->game->seats_max + 2);
    const char *name = names[below(run, sizeof names / sizeof *names)];
    const struct game_option *option =
        run->game->option_count ? &run->game->options[below(run, (uint32_t)run->game->option_count)]
                                : NULL;
    switch (below(run, 12)) {
    case 0: count(run, stage_public(stage, seat, chance(run, 50))); break;
    case 1: count(run, chance(run, 10) ? stage_kick(stage, seat, any) : ROOM_SAME); break;
    case 2: count(run, stage_take_seat(stage, random_seat(run), any)); break;
    case 3: count(run, stage_watcher_sits(stage, (int)below(run, PERSONS), name, any)); break;
    case 4: count(run, stage_stand_up(stage, random_seat(run))); break;
    case 5: count(run, stage_rename(stage, random_seat(run), name)); break;
    case 6: garbage_command(run); break;
    case 7:
        if (option) count(run, stage_options(stage, seat, option->key, (int32_t)below(run, 4)));
        break;
    default: count(run, stage_start(stage, seat)); break;
    }
}

/* An action that was accepted is sent again: the same answer, or that it is too old or another
 * window's; never twice. */
static void again(struct run *run)
{
    if (run->kept_count == 0) return;
    int held = run->kept_count < KEPT ? run->kept_count : KEPT;
    int k = (int)below(run, (uint32_t)held);
    const struct room_seat *seat = room_seat_at(run->stage->room, run->kept[k].seat);
    enum room_verdict verdict = stage_step(run->stage, run->kept[k]);
    count(run, verdict);
    assert_int_not_equal(verdict, ROOM_ACCEPTED);
    bool same_person = seat && seat->member == run->kept_member[k];
    if (verdict == ROOM_REPEATED) assert_true(same_person);
    if (verdict == ROOM_REPEATED) assert_true(run->stage->out.seq == run->kept_seq[k]);
    if (same_person && seat->counter - run->kept[k].counter < ROOM_OUTCOMES_MAX)
        assert_int_equal(verdict, ROOM_REPEATED);
}

static void stray_clock(struct run *run)
{
    struct room_input clock = {.kind = ROOM_CLOCK, .seat = -1};
    bool due = stage_deadline(run->stage) <= run->stage->now;
    assert_int_equal(stage_step(run->stage, clock), due ? ROOM_ACCEPTED : ROOM_SAME);
    count(run, run->stage->out.verdict);
}

static void let_time_pass(struct run *run)
{
    struct stage *stage = run->stage;
    instant_ms due = stage_deadline(stage);
    bool soon = due != INSTANT_NEVER && due > stage->now && due - stage->now < 60000;
    if (soon && chance(run, 30)) {
        stage->now = due - 1 + below(run, 3); /* a millisecond before, at, after */
        stray_clock(run);
        return;
    }
    stage_wait(stage, chance(run, 90) ? below(run, 3000) : below(run, 700000));
}

static void something(struct run *run)
{
    uint32_t dice = below(run, 100);
    if (dice < 14)
        come(run);
    else if (dice < 19)
        go(run, ROOM_DETACH);
    else if (dice < 21)
        go(run, ROOM_LEAVE);
    else if (dice < 62)
        act(run);
    else if (dice < 76)
        command(run);
    else if (dice < 82)
        again(run);
    else if (dice < 92)
        let_time_pass(run);
    else if (dice < 95)
        stray_clock(run);
    else if (dice < 96)
        count(run, stage_step(run->stage, (struct room_input){.kind = ROOM_RESUMED, .seat = -1}));
    else if (dice < 98)
        stage_save_and_load(run->stage);
    else
        run->stage->now += below(run, 100);
}

static void run_once(const struct game *game, uint64_t seed, struct run *total)
{
    struct run run = {.game = game};
    struct game_seed from = {{0}};
    for (int i = 0; i < 8; i++) from.byte[i] = (uint8_t)(seed >> (8 * i));
    rng_init(&run.rng, &from, game->id);
    run.stage = seed % 4 == 3 ? stage_open_quick(game, 2 + below(&run, 3)) : stage_open(game);
    run.stage->seeds = seed << 20;
    for (int i = 0; i < STEPS && !run.stage->room->deleted; i++) {
        something(&run);
        check(&run);
    }
    stage_close(run.stage);
    total->games += run.games;
    total->ended += run.ended;
    total->accepted += run.accepted;
    total->refused += run.refused;
    total->repeated += run.repeated;
    total->same += run.same;
}

static uint64_t number_from(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : fallback;
}

static void run_game(const struct game *game)
{
    struct run total = {0};
    uint64_t seed = number_from("ROOM_SEED", 1);
    uint64_t runs = number_from("ROOM_RUNS", getenv("ROOM_SEED") ? 1 : RUNS);
    for (uint64_t i = 0; i < runs; i++) {
        printf("%s: ROOM_SEED=%llu\n", game->id, (unsigned long long)(seed + i));
        fflush(stdout);
        run_once(game, seed + i, &total);
    }
    printf("%s: %d games begun, %d seen to end, %d accepted, %d refused, %d repeated, %d same\n",
           game->id, total.games, total.ended, total.accepted, total.refused, total.repeated,
           total.same);
    if (runs < RUNS) return;
    /* The runs were worth their time. */
    assert_true(total.games >= RUNS / 2 && total.accepted > 40 * RUNS && total.refused > 20 * RUNS);
    assert_true(total.repeated > RUNS);
}

static void random_rooms_with_the_toy_keep_every_promise(void **unused)
{
    (void)unused;
    run_game(&toy_game);
}

static void random_rooms_with_a_game_that_minds_absence_keep_every_promise(void **unused)
{
    (void)unused;
    run_game(&toy_that_minds_absence);
}

static void random_rooms_with_every_game_there_is_keep_every_promise(void **unused)
{
    (void)unused;
    for (int i = 0; i < game_count(); i++) run_game(game_at(i));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(random_rooms_with_the_toy_keep_every_promise),
                     cmocka_unit_test(
                         random_rooms_with_a_game_that_minds_absence_keep_every_promise),
                     cmocka_unit_test(random_rooms_with_every_game_there_is_keep_every_promise));
}
