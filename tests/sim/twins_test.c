/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-interference on the bytes that the gateway writes (promise 4; rulings D9, D23). Two worlds
 * run in step: the same seed, people and moves, from the first connection on. Before each move what
 * a viewer may not know is changed in one of them (permute_hidden), in the worker's memory, and the
 * others move so that their moves tell that viewer the same in both. Then all that the viewer's
 * socket is given must be equal: the bytes, how many, and when.
 *
 * No game is named here: whoever is in the registry takes part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "unit/test.h"

#include "base/check.h"
#include "room/state.h"
#include "sim/player.h"
#include "worker/parts.h"

enum {
    PAIRS = 24, /* of worlds, a game */
    STEPS_MAX = 120,
    TRIES_MAX = 40,
    PEOPLE = 4,
    STEP_MS = 400,
    TICK_MS = 10,
    ON_THE_WAY_MS = 120, /* of a move, at most */
    START_MS = 90 * 1000,
};

struct twins {
    struct world *here, *there;
    struct buf seen_here, seen_there; /* by the viewer */
    const struct game *game;
    struct rng rng;
    int viewer; /* index of a player */
    uint64_t permuted, moves, unlike, frames;
};

static const struct sim_node *worker_of(const struct world *world)
{
    int i = 0;
    while (world->nodes[i].kind != SERVICE_WORKER) i++;
    return &world->nodes[i];
}

static struct owned_room *owned(struct world *world)
{
    size_t count;
    uint64_t *rooms = map_keys_sorted(&world->shadows, &count);
    room_id room = count ? rooms[0] : 0;
    free(rooms);
    return room ? map_get(&worker_of(world)->core.worker->rooms, room) : NULL;
}

static bool playing(struct world *world)
{
    const struct owned_room *o = owned(world);
    return o && o->room && o->room->phase == ROOM_PLAYING;
}

static void run_both(struct twins *twins, instant_ms ms)
{
    instant_ms until = twins->here->now + ms;
    const char *a = sim_run_until(twins->here, until), *b = sim_run_until(twins->there, until);
    if (a) print_error("here: %s\n", a);
    if (b) print_error("there: %s\n", b);
    assert_true(!a && !b);
    twins->here->now = twins->there->now = until;
}

/* ---- the other world ------------------------------------------------------------------------- */

static int game_seat_of(struct twins *twins, int player)
{
    int seat = twins->here->players[player].seat;
    return seat < 0 ? GAME_SPECTATOR : room_game_seat(owned(twins->here)->room, seat);
}

/* The other world's game becomes this one's, but for what the viewer may not know. The log that it
 * follows from is replayed by the checkers, who must know of it. */
static void part(struct twins *twins)
{
    struct room *here = owned(twins->here)->room, *there = owned(twins->there)->room;
    struct shadow *shadow = shadow_of(twins->there, owned(twins->there)->id);
    assert_int_equal(here->position, there->position);
    assert_int_equal(there->position, room_position(shadow->room));
    size_t size = twins->game->state_size;
    memcpy(there->game_state, here->game_state, size);
    int seat = game_seat_of(twins, twins->viewer);
    twins->permuted += twins->game->permute_hidden(there->game_state, seat, &twins->rng);
    memcpy(shadow->room->game_state, there->game_state, size);
}

/* ---- moves ----------------------------------------------------------------------------------- */

struct move {
    struct game_input input;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
};

static struct game_context context_at(struct world *world, instant_ms later)
{
    const struct owned_room *o = owned(world);
    const struct room *room = o->room;
    instant_ms now = o->time_base + (world->now + worker_of(world)->skew - o->time_since);
    struct game_context context = {.now = now - room->behind + later};
    for (int g = 0; g < room->player_count; g++) {
        const struct room_seat *seat = &room->seats[room->players[g].seat];
        if (seat->missed >= ROOM_MISSED_TURNS) context.hurried |= 1u << g;
        if (seat->connected) context.connected |= 1u << g;
        if (seat->left) context.left |= 1u << g;
    }
    return context;
}

static void put_shown(const struct game *game, const void *state, int seat,
                      struct game_events *events, struct buf *out)
{
    struct buf shared = {0}, mine = {0};
    game_events_seal(events);
    for (int i = 0; i < events->count; i++) {
        buf_put_sized(out, events->list[i].shared);
        if (events->list[i].seat == seat) buf_put_sized(out, events->list[i].mine);
    }
    game->view(state, &(struct game_viewer){seat, false}, &shared, &mine);
    buf_put_sized(out, buf_slice(&shared));
    buf_put_sized(out, buf_slice(&mine));
    buf_fini(&shared);
    buf_fini(&mine);
}

/* What the move would tell the viewer, and whether it would be accepted; with all that the game
 * would show, where the moves are not the same. Returns the former. */
static enum status foretell(struct twins *twins, struct world *world, const struct move *move,
                            instant_ms later, bool shown, struct buf *out)
{
    const struct game *game = twins->game;
    const struct room *room = owned(world)->room;
    struct game_context context = context_at(world, later);
    struct game_input input = move->input;
    input.action = slice_of(move->bytes, move->input.action.len);
    if (game->releases)
        game->releases(room->game_state, &input, &context, game_seat_of(twins, twins->viewer), out);
    void *copy = malloc(game->state_size);
    CHECK(copy);
    memcpy(copy, room->game_state, game->state_size);
    struct game_events events = {0};
    struct game_refusal refusal = {0};
    enum status status = game->apply(copy, &input, &context, &events, &refusal);
    buf_put_u8(out, (uint8_t)status);
    buf_put_u32(out, (uint32_t)events.count);
    buf_put_u8(out, events.hidden);
    if (shown) put_shown(game, copy, game_seat_of(twins, twins->viewer), &events, out);
    game_events_fini(&events);
    free(copy);
    return status;
}

static bool same_bytes(const struct move *a, const struct move *b)
{
    return slice_equal(slice_of(a->bytes, a->input.action.len),
                       slice_of(b->bytes, b->input.action.len));
}

static bool tell_the_same(struct twins *twins, const struct move *here, const struct move *there)
{
    struct buf a = {0}, b = {0};
    enum status status = ST_OK;
    bool differ = !same_bytes(here, there);
    for (instant_ms later = 0; later <= ON_THE_WAY_MS; later += ON_THE_WAY_MS) {
        status = foretell(twins, twins->here, here, later, differ, &a);
        foretell(twins, twins->there, there, later, differ, &b);
    }
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    return same && (!differ || status == ST_OK); /* refused ones are nobody else's anyway */
}

static void draw_move(struct twins *twins, struct world *world, int seat, int kind,
                      struct move *out)
{
    *out = (struct move){.input = {.kind = GAME_ACTION, .seat = seat}};
    const void *state = owned(world)->room->game_state;
    out->input.action.len = twins->game->random_action(state, seat, kind, &twins->rng, out->bytes);
}

/* Somebody's move, the same in both worlds. Or another's than the viewer's that is not, because it
 * must be another for it to look the same: as when one stops with a joker, or with a number. */
static bool find_moves(struct twins *twins, bool unlike, struct move *here, struct move *there)
{
    struct game_status status;
    const struct room *room = owned(twins->here)->room;
    twins->game->status(room->game_state, &status);
    for (int i = 0; i < TRIES_MAX; i++) {
        int seat = (int)rng_below(&twins->rng, (uint32_t)room->player_count);
        if (!(status.to_act & 1u << seat) && rng_below(&twins->rng, 8)) continue;
        int kind = rng_below(&twins->rng, 10) == 0;
        draw_move(twins, twins->here, seat, kind, here);
        *there = *here;
        if (unlike) {
            if (seat == game_seat_of(twins, twins->viewer)) continue;
            draw_move(twins, twins->there, seat, kind, there);
            if (same_bytes(here, there)) continue;
        }
        if (!here->input.action.len || !there->input.action.len) continue;
        if (!tell_the_same(twins, here, there)) continue;
        twins->unlike += unlike;
        return true;
    }
    return false;
}

static void make(struct twins *twins, struct world *world, const struct move *move)
{
    const struct room *room = owned(world)->room;
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (player->seat < 0 || room_game_seat(room, player->seat) != move->input.seat) continue;
        if (!player->attached || player->acting) return;
        player_act(world, player, slice_of(move->bytes, move->input.action.len));
        twins->moves++;
    }
}

static instant_ms until_deadline(struct twins *twins)
{
    struct game_status status;
    twins->game->status(owned(twins->here)->room->game_state, &status);
    instant_ms now = context_at(twins->here, 0).now;
    return status.deadline > now ? status.deadline - now : 0;
}

/* Whether all that happened in the room is in the log. */
static bool settled(struct world *world)
{
    const struct owned_room *o = owned(world);
    return room_position(o->room) == room_position(shadow_of(world, o->id)->room);
}

/* A deadline that follows from the move is a step of its own. */
static void see_it_done(struct twins *twins)
{
    for (instant_ms ran = 0; ran < STEP_MS && playing(twins->here); ran += TICK_MS) {
        run_both(twins, TICK_MS);
        bool quiet = settled(twins->here) && settled(twins->there);
        if (quiet && playing(twins->here) && until_deadline(twins) <= 2 * TICK_MS) return;
    }
}

/* Until the game's deadline has passed, where the clock tells the viewer the same in both. */
static bool wait_for_the_clock(struct twins *twins)
{
    struct move clock = {.input = {.kind = GAME_CLOCK, .seat = -1}};
    instant_ms left = until_deadline(twins);
    struct buf a = {0}, b = {0};
    foretell(twins, twins->here, &clock, left, false, &a);
    foretell(twins, twins->there, &clock, left, false, &b);
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    if (!same) return false;
    uint64_t before = room_position(owned(twins->here)->room);
    run_both(twins, left);
    for (instant_ms late = 0; room_position(owned(twins->here)->room) == before; late += TICK_MS) {
        assert_true(late < STEP_MS);
        run_both(twins, TICK_MS);
    }
    see_it_done(twins);
    return true;
}

/* ---- a pair ---------------------------------------------------------------------------------- */

static void assert_seen_alike(struct twins *twins, uint64_t seed)
{
    if (slice_equal(buf_slice(&twins->seen_here), buf_slice(&twins->seen_there))) return;
    size_t at = 0, least = twins->seen_here.len;
    if (twins->seen_there.len < least) least = twins->seen_there.len;
    while (at < least && twins->seen_here.at[at] == twins->seen_there.at[at]) at++;
    fail_msg("%s, seed %llu: what is written to %s (seat %d) tells what is hidden, at byte %zu of "
             "%zu and %zu",
             twins->game->id, (unsigned long long)seed, twins->here->players[twins->viewer].name,
             game_seat_of(twins, twins->viewer), at, twins->seen_here.len, twins->seen_there.len);
}

static void step(struct twins *twins)
{
    struct move here, there;
    for (int i = 0; i < 8; i++) {
        part(twins);
        /* Not so close before the deadline that it passes meanwhile. */
        bool unlike = i % 2 == 0;
        if (until_deadline(twins) > 2 * STEP_MS && find_moves(twins, unlike, &here, &there)) {
            make(twins, twins->here, &here);
            make(twins, twins->there, &there);
            see_it_done(twins);
            return;
        }
        if (wait_for_the_clock(twins)) return;
    }
    /* Whatever may happen now tells: both go on as one. */
    struct room *from = owned(twins->here)->room, *to = owned(twins->there)->room;
    struct shadow *shadow = shadow_of(twins->there, owned(twins->there)->id);
    memcpy(to->game_state, from->game_state, twins->game->state_size);
    memcpy(shadow->room->game_state, from->game_state, twins->game->state_size);
    run_both(twins, until_deadline(twins) + STEP_MS);
}

static void run_pair(int game, uint64_t seed, struct twins *twins)
{
    struct sim_config config;
    sim_config_draw(&config, seed);
    config.gateways = config.matchmakers = config.workers = config.timers = 1;
    config.rooms = 1;
    config.first_game = game;
    config.players_per_room = PEOPLE;
    config.strangers = 0;
    config.faults = (struct sim_faults){.delay_max_ms = 5};
    config.calm_at = 0;
    config.end_at = INSTANT_NEVER;
    config.puppets = true;
    twins->here = sim_open(&config);
    twins->there = sim_open(&config);
    twins->game = game_at(game);
    twins->viewer = (int)(seed % PEOPLE);
    twins->here->players[twins->viewer].tape = &twins->seen_here;
    twins->there->players[twins->viewer].tape = &twins->seen_there;
    struct game_seed luck = {{(uint8_t)seed, (uint8_t)game}};
    rng_init(&twins->rng, &luck, "twins");
    for (int waited = 0; !playing(twins->here); waited += STEP_MS) {
        assert_true(waited < START_MS);
        run_both(twins, STEP_MS);
    }
    run_both(twins, 4 * STEP_MS);
    for (int i = 0; i < STEPS_MAX && playing(twins->here); i++) {
        step(twins);
        assert_seen_alike(twins, seed);
    }
    twins->frames += twins->here->counts.frames;
    sim_close(twins->here);
    sim_close(twins->there);
    buf_fini(&twins->seen_here);
    buf_fini(&twins->seen_there);
}

static void what_a_viewer_may_not_know_changes_no_byte_on_its_socket(void **state)
{
    (void)state;
    for (int game = 0; game < game_count(); game++) {
        struct twins twins = {.permuted = 0};
        for (uint64_t seed = 1; seed <= PAIRS; seed++) run_pair(game, seed, &twins);
        print_message("%s: %llu moves in worlds changed %llu times, %llu of them unlike\n",
                      game_at(game)->id, (unsigned long long)twins.moves / 2,
                      (unsigned long long)twins.permuted, (unsigned long long)twins.unlike);
        assert_true(twins.permuted >= PAIRS && twins.moves >= 2 * PAIRS && twins.frames > 0);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_a_viewer_may_not_know_changes_no_byte_on_its_socket));
}
