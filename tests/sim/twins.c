/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/twins.h"

#include "base/check.h"
#include "room/state.h"

enum { TICK_MS = 10, LOOK_MS = 400, PARTINGS = 8 };

/* What two rooms tell the viewer: the same; not the same, and the rules have it so; or else. */
enum told { TOLD_ALIKE, TOLD_APART, TOLD_SECRETS };

void twins_open(struct twins *twins, const struct sim_config *config)
{
    *twins = (struct twins){.viewer = config->viewer, .together = true};
    struct game_seed seed = {{0}};
    memcpy(seed.byte, &config->seed, sizeof config->seed);
    rng_init(&twins->rng, &seed, "twins");
    struct sim_config quiet = *config;
    quiet.trace = NULL;
    twins->here = sim_open(config);
    twins->there = sim_open(&quiet);
    int group = twins->here->players[twins->viewer].group;
    twins->here->puppets = twins->there->puppets = group;
    twins->there->changed = group;
    twins->here->players[twins->viewer].tape = &twins->seen.here;
    twins->there->players[twins->viewer].tape = &twins->seen.there;
    twins->here->notes = &twins->noted.here;
    twins->there->notes = &twins->noted.there;
}

/* ---- what the viewer may be told ------------------------------------------------------------- */

static void put_told(const struct world *world, int viewer, const struct room *room,
                     struct buf *out)
{
    struct update_event events[WIRE_EVENTS_MAX];
    int seat = world->players[viewer].seat;
    struct buf section = {0};
    room_write_game(room, &section);
    buf_put_sized(out, buf_slice(&section));
    buf_clear(&section);
    if (seat >= 0) room_write_mine(room, seat, &section);
    buf_put_sized(out, buf_slice(&section));
    buf_fini(&section);
    int count = room_events_since(room, 0, events);
    for (int i = 0; i < count; i++) {
        buf_put_u64(out, events[i].seq);
        buf_put_sized(out, events[i].shared);
        if (events[i].seat == seat) buf_put_sized(out, events[i].mine);
    }
}

static bool rooms_alike(const struct twins *twins, const struct room *here,
                        const struct room *there)
{
    if (room_position(here) != room_position(there)) return false;
    struct buf a = {0}, b = {0};
    put_told(twins->here, twins->viewer, here, &a);
    put_told(twins->there, twins->viewer, there, &b);
    bool alike = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    return alike;
}

/* What the first entry after a change tells was foretold (twins_moves.c), and is the same; unless
 * it is a move that met another state than it was chosen for, because it came late. */
static bool foretold(const struct twins *twins, const struct room *here, const struct room *there)
{
    uint64_t next = twins->changed_at + 1;
    if (room_position(here) != next || room_position(there) != next) return false;
    return !twins->moved || twins->here->now <= twins->moved_at + TWINS_FORETOLD_MS;
}

static enum told look_at(const struct twins *twins, const struct room *here,
                         const struct room *there)
{
    if (rooms_alike(twins, here, there)) return TOLD_ALIKE;
    return foretold(twins, here, there) ? TOLD_SECRETS : TOLD_APART;
}

/* By the rules, as the shadows have them. A shadow that is behind will be looked at again. */
static enum told by_rules(struct twins *twins)
{
    room_id room = twins->here->players[twins->viewer].room;
    const struct shadow *here = shadow_of(twins->here, room);
    const struct shadow *there = shadow_of(twins->there, room);
    if (!here || !there || !here->room || !there->room) return TOLD_ALIKE;
    if (here->position == twins->position && there->position == twins->position) return TOLD_ALIKE;
    twins->position = here->position;
    return look_at(twins, here->room, there->room);
}

/* A log tells at once what the rules have made of a move, and the shadows know of it when the store
 * does: until then the owners are asked. */
static enum told by_owners(struct twins *twins)
{
    const struct room *here = twins_owners(twins->here, twins->viewer);
    const struct room *there = twins_owners(twins->there, twins->viewer);
    if (!here || !there) return here || there ? TOLD_APART : TOLD_ALIKE;
    return look_at(twins, here, there);
}

/* From here on this world is a run like any other. */
static void go_apart(struct twins *twins)
{
    twins->together = false;
    twins->counts.apart++;
    twins->here->players[twins->viewer].tape = NULL;
    twins->here->notes = NULL;
    twins->here->puppets = -1;
}

/* Counts what is equal; it need not be looked at again. */
static bool alike(struct twins_tape *tape, uint64_t *count)
{
    struct slice a = buf_slice(&tape->here), b = buf_slice(&tape->there);
    size_t least = a.len < b.len ? a.len : b.len;
    while (tape->equal < least && a.at[tape->equal] == b.at[tape->equal]) tape->equal++;
    if (a.len != tape->equal || b.len != tape->equal) return false;
    *count += a.len;
    buf_clear(&tape->here);
    buf_clear(&tape->there);
    tape->equal = 0;
    return true;
}

static void fail_viewer(struct twins *twins, const char *format)
{
    const struct player *viewer = &twins->here->players[twins->viewer];
    world_fail(twins->here, format, viewer->name, viewer->seat);
}

static void compare(struct twins *twins)
{
    enum told rules = by_rules(twins);
    if (rules == TOLD_SECRETS)
        fail_viewer(twins, "%s: what its room shows it (seat %d) tells what is hidden");
    else if (rules == TOLD_APART)
        go_apart(twins);
    else if (!alike(&twins->seen, &twins->counts.bytes))
        fail_viewer(twins, "%s: what is written to it (seat %d) tells what is hidden");
    else if (!alike(&twins->noted, &twins->counts.noted) && by_owners(twins) == TOLD_APART)
        go_apart(twins);
    else if (twins->noted.here.len || twins->noted.there.len)
        fail_viewer(twins, "%s: what is logged (it has seat %d) tells what is hidden");
}

/* ---- what is changed ------------------------------------------------------------------------- */

/* The room as it is now is what its next owner will be given. */
static void store_as_it_is(struct world *world, const struct room *room)
{
    struct buf bytes = {0};
    room_encode(room, &bytes);
    model_store_plant(world->store, world->players[world->config.viewer].room, buf_slice(&bytes),
                      room_position(room));
    buf_fini(&bytes);
}

/* The other world's game becomes this one's, but for what the viewer may not know. */
static void part(struct twins *twins, struct room *here, struct room *there, bool permute)
{
    const struct game *game = here->game;
    struct shadow *shadow = shadow_of(twins->there, twins->there->players[twins->viewer].room);
    memcpy(there->game_state, here->game_state, game->state_size);
    if (permute)
        twins->counts.permuted +=
            game->permute_hidden(there->game_state, twins_game_seat(twins, here), &twins->rng);
    memcpy(shadow->room->game_state, there->game_state, game->state_size);
    store_as_it_is(twins->here, here);
    store_as_it_is(twins->there, there);
    twins->changed_at = room_position(here);
    twins->moved = false;
    if (!rooms_alike(twins, here, there))
        fail_viewer(twins, "%s: what its room shows it (seat %d) tells what is hidden");
}

static bool somebody_acts(const struct world *world, int viewer)
{
    for (int i = 0; i < world->player_count; i++)
        if (world->players[i].group == world->players[viewer].group && world->players[i].acting)
            return true;
    return false;
}

static void look(struct twins *twins)
{
    struct room *here = twins_room(twins->here, twins->viewer);
    struct room *there = twins_room(twins->there, twins->viewer);
    if (!here || !there || here->phase != ROOM_PLAYING || there->phase != ROOM_PLAYING) return;
    if (here->position != there->position || somebody_acts(twins->here, twins->viewer)) return;
    bool soon = twins_until_deadline(twins) <= 2 * LOOK_MS;
    twins->next_look = twins->here->now + LOOK_MS;
    for (int i = 0; i < PARTINGS; i++) {
        part(twins, here, there, true);
        /* Not so close before the deadline that it passes meanwhile. */
        twins->moved = !soon && twins_move(twins, i % 2 == 0);
        twins->moved_at = twins->here->now;
        if (twins->moved) return;
        if (twins_clock_alike(twins)) return;
    }
    part(twins, here, there, false); /* whatever may happen now tells: both go on as one */
}

/* ---- a pair ---------------------------------------------------------------------------------- */

static const char *failure_of(struct twins *twins)
{
    struct world *here = twins->here, *there = twins->there;
    if (!here->failure && there->failure) {
        world_fail(here, "%s (in the twin alone)", there->failure);
        here->failed_by = there->failed_by;
    }
    return here->failure;
}

static void tick(struct twins *twins, instant_ms at)
{
    sim_run_until(twins->here, at);
    if (!twins->together) return;
    sim_run_until(twins->there, at);
    if (failure_of(twins)) return;
    twins->here->now = twins->there->now = at;
    compare(twins);
    if (twins->together && at >= twins->next_look) look(twins);
}

const char *twins_run_until(struct twins *twins, instant_ms at)
{
    while (!twins->here->failure && twins->here->now < at) {
        instant_ms next = twins->here->now + TICK_MS;
        tick(twins, twins->together && next < at ? next : at);
    }
    return twins->here->failure;
}

const char *twins_run(struct twins *twins)
{
    if (twins_run_until(twins, twins->here->config.end_at)) return twins->here->failure;
    sim_run(twins->here);
    if (twins->together && !twins->here->failure) sim_run(twins->there);
    return failure_of(twins);
}

void twins_close(struct twins *twins)
{
    sim_close(twins->here);
    sim_close(twins->there);
    buf_fini(&twins->seen.here);
    buf_fini(&twins->seen.there);
    buf_fini(&twins->noted.here);
    buf_fini(&twins->noted.there);
}
