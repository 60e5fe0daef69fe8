/* SPDX-License-Identifier: Apache-2.0
 *
 * Which moves tell a viewer the same in both worlds.
 */
#include <stdlib.h>

#include "base/check.h"
#include "room/state.h"
#include "sim/twins.h"
#include "worker/parts.h"

enum { TRIES_MAX = 40 };

struct move {
    struct game_input input;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
};

/* ---- the room -------------------------------------------------------------------------------- */

static struct sim_node *owner(struct world *world, room_id room)
{
    struct model_view look;
    if (!room || !model_store_look(world->store, room, &look)) return NULL;
    for (int i = 0; i < world->node_count; i++) {
        struct sim_node *node = &world->nodes[i];
        if (node->up && node->kind == SERVICE_WORKER && id128_equal(node->instance, look.owner))
            return node;
    }
    return NULL;
}

static const struct owned_room *owned(struct world *world, int viewer, struct sim_node **node)
{
    room_id room = world->players[viewer].room;
    *node = owner(world, room);
    return *node ? map_get(&(*node)->core.worker->rooms, room) : NULL;
}

struct room *twins_room(struct world *world, int viewer)
{
    struct sim_node *node;
    const struct owned_room *o = owned(world, viewer, &node);
    if (!o || o->dead || o->phase != OWNED_LIVE || o->checking || o->frozen) return NULL;
    if (o->held || o->snapshot_count || o->snapshot_tag || o->set_aside) return NULL;
    const struct shadow *shadow = shadow_of(world, o->id);
    if (!shadow || !shadow->room || room_position(shadow->room) != room_position(o->room))
        return NULL;
    return o->confirmed == room_position(o->room) ? o->room : NULL;
}

const struct room *twins_owners(struct world *world, int viewer)
{
    struct sim_node *node;
    const struct owned_room *o = owned(world, viewer, &node);
    return o ? o->room : NULL;
}

int twins_game_seat(const struct twins *twins, const struct room *room)
{
    int seat = twins->here->players[twins->viewer].seat;
    return seat < 0 ? GAME_SPECTATOR : room_game_seat(room, seat);
}

static struct game_context context_at(struct twins *twins, struct world *world, instant_ms later)
{
    struct sim_node *node;
    const struct owned_room *o = owned(world, twins->viewer, &node);
    const struct room *room = o->room;
    instant_ms now = o->time_base + (world->now + node->skew - o->time_since);
    struct game_context context = {.now = now - room->behind + later};
    for (int g = 0; g < room->player_count; g++) {
        const struct room_seat *seat = &room->seats[room->players[g].seat];
        if (seat->missed >= ROOM_MISSED_TURNS) context.hurried |= 1u << g;
        if (seat->connected) context.connected |= 1u << g;
        if (seat->left) context.left |= 1u << g;
    }
    return context;
}

instant_ms twins_until_deadline(struct twins *twins)
{
    struct game_status status;
    const struct room *room = twins_room(twins->here, twins->viewer);
    room->game->status(room->game_state, &status);
    instant_ms now = context_at(twins, twins->here, 0).now;
    return status.deadline > now ? status.deadline - now : 0;
}

/* ---- what a move would tell ------------------------------------------------------------------ */

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
    const struct room *room = twins_room(world, twins->viewer);
    const struct game *game = room->game;
    int seat = twins_game_seat(twins, room);
    struct game_context context = context_at(twins, world, later);
    struct game_input input = move->input;
    input.action = slice_of(move->bytes, move->input.action.len);
    if (game->releases) game->releases(room->game_state, &input, &context, seat, out);
    void *copy = malloc(game->state_size);
    CHECK(copy);
    memcpy(copy, room->game_state, game->state_size);
    struct game_events events = {0};
    struct game_refusal refusal = {0};
    enum status status = game->apply(copy, &input, &context, &events, &refusal);
    buf_put_u8(out, (uint8_t)status);
    buf_put_u32(out, (uint32_t)events.count);
    buf_put_u8(out, events.hidden);
    if (shown) put_shown(game, copy, seat, &events, out);
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
    for (instant_ms later = 0; later <= TWINS_FORETOLD_MS; later += TWINS_FORETOLD_MS) {
        status = foretell(twins, twins->here, here, later, differ, &a);
        foretell(twins, twins->there, there, later, differ, &b);
    }
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    return same && (!differ || status == ST_OK); /* refused ones are nobody else's anyway */
}

bool twins_clock_alike(struct twins *twins)
{
    struct move clock = {.input = {.kind = GAME_CLOCK, .seat = -1}};
    instant_ms left = twins_until_deadline(twins);
    struct buf a = {0}, b = {0};
    foretell(twins, twins->here, &clock, left, false, &a);
    foretell(twins, twins->there, &clock, left, false, &b);
    bool same = slice_equal(buf_slice(&a), buf_slice(&b));
    buf_fini(&a);
    buf_fini(&b);
    return same;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static struct player *player_of(struct world *world, const struct room *room, int viewer, int seat)
{
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (player->group != world->players[viewer].group || player->seat < 0) continue;
        if (room_game_seat(room, player->seat) == seat && player->attached) return player;
    }
    return NULL;
}

static void draw_move(struct twins *twins, struct world *world, int seat, int kind,
                      struct move *out)
{
    *out = (struct move){.input = {.kind = GAME_ACTION, .seat = seat}};
    const struct room *room = twins_room(world, twins->viewer);
    out->input.action.len =
        room->game->random_action(room->game_state, seat, kind, &twins->rng, out->bytes);
}

/* The same move in both worlds. Or another's than the viewer's that is not, because it must be
 * another for it to look the same: as when one stops with a joker, or with a number. */
static bool find_moves(struct twins *twins, int seat, bool unlike, struct move *here,
                       struct move *there)
{
    const struct room *room = twins_room(twins->here, twins->viewer);
    int kind = rng_below(&twins->rng, 10) == 0;
    draw_move(twins, twins->here, seat, kind, here);
    *there = *here;
    if (unlike) {
        if (seat == twins_game_seat(twins, room)) return false;
        draw_move(twins, twins->there, seat, kind, there);
        if (same_bytes(here, there)) return false;
    }
    return here->input.action.len && there->input.action.len && tell_the_same(twins, here, there);
}

static bool make(struct twins *twins, int seat, const struct move *here, const struct move *there)
{
    const struct room *room = twins_room(twins->here, twins->viewer);
    struct player *a = player_of(twins->here, room, twins->viewer, seat);
    struct player *b = player_of(twins->there, room, twins->viewer, seat);
    if (!a || !b || a->acting || b->acting) return false;
    player_act(twins->here, a, slice_of(here->bytes, here->input.action.len));
    player_act(twins->there, b, slice_of(there->bytes, there->input.action.len));
    return true;
}

bool twins_move(struct twins *twins, bool unlike)
{
    struct game_status status;
    const struct room *room = twins_room(twins->here, twins->viewer);
    room->game->status(room->game_state, &status);
    for (int i = 0; i < TRIES_MAX; i++) {
        struct move here, there;
        int seat = (int)rng_below(&twins->rng, (uint32_t)room->player_count);
        if (!(status.to_act & 1u << seat) && rng_below(&twins->rng, 8)) continue;
        if (!find_moves(twins, seat, unlike, &here, &there)) continue;
        if (!make(twins, seat, &here, &there)) continue;
        twins->counts.moves++;
        twins->counts.unlike += unlike;
        return true;
    }
    return false;
}
