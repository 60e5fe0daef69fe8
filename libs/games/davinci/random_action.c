/* SPDX-License-Identifier: Apache-2.0
 *
 * Random actions for the conformance suite and for bots of tests: legal ones, near misses and
 * garbage.
 */
#include "games/davinci/davinci.h"

static int below(struct rng *rng, int bound)
{
    return (int)rng_below(rng, (uint32_t)bound);
}

/* A random living opponent and a random hidden tile of theirs. */
static void pick_target(const struct davinci_state *state, int seat, struct rng *rng,
                        struct davinci_action *out)
{
    int target;
    do {
        target = below(rng, state->seats);
    } while (target == seat || !davinci_alive(state, target));
    int index;
    do {
        index = below(rng, state->row[target].len);
    } while (state->row[target].at[index].open);
    out->target = (uint32_t)target;
    out->index = (uint32_t)index;
}

/* Mostly what the seat holds possible, sometimes the truth so that games go on, sometimes
 * anything. */
static int pick_face(const struct davinci_state *state, int seat, struct rng *rng,
                     const struct davinci_action *action)
{
    int how = below(rng, 10);
    if (how < 3) return davinci_face_of(state->row[action->target].at[action->index].tile);
    if (how < 5) return 1 + below(rng, state->rules.numbers);
    struct davinci_sight sight;
    davinci_see(state, seat, &sight);
    uint16_t faces = davinci_candidates(&sight, (int)action->target, (int)action->index);
    int face;
    do {
        face = 1 + below(rng, DAVINCI_FACE_JOKER);
    } while (!(faces >> face & 1));
    return face;
}

static void legal(const struct davinci_state *state, int seat, struct rng *rng,
                  struct davinci_action *out)
{
    davinci_automatic(state, seat, out);
    switch (out->kind) {
    case DAVINCI_ACT_CHOOSE_START:
        if (below(rng, 4) != 0) {
            out->black = rng_below(rng, state->rules.start_tiles + 1u);
            out->white = state->rules.start_tiles - out->black;
        }
        break;
    case DAVINCI_ACT_DRAW:
        if (state->rules.choose_colors && state->pile_len[1 - out->color] > 0)
            out->color = below(rng, 2);
        break;
    case DAVINCI_ACT_GUESS:
        pick_target(state, seat, rng, out);
        out->face = pick_face(state, seat, rng, out);
        break;
    case DAVINCI_ACT_STOP:
        if (below(rng, 2) == 0)
            out->kind = DAVINCI_ACT_CONTINUE;
        else if (out->joker)
            out->index = rng_below(rng, out->index + 1);
        break;
    case DAVINCI_ACT_PLACE_JOKER: out->index = rng_below(rng, out->index + 1); break;
    case DAVINCI_ACT_REVEAL_OWN: do { out->index = rng_below(rng, state->row[seat].len);
        } while (state->row[seat].at[out->index].open);
        break;
    case DAVINCI_ACT_CONTINUE: break;
    }
}

/* Any kind with values at and just past their bounds. */
static void near_miss(const struct davinci_state *state, struct rng *rng,
                      struct davinci_action *out)
{
    int target = below(rng, state->seats + 1);
    int len = target < state->seats ? state->row[target].len : 1;
    *out = (struct davinci_action){
        .kind = (enum davinci_action_kind)(1 + below(rng, 7)),
        .black = rng_below(rng, state->rules.start_tiles + 2u),
        .white = rng_below(rng, state->rules.start_tiles + 2u),
        .color = below(rng, 3) - 1,
        .target = (uint32_t)target,
        .index = rng_below(rng, (uint32_t)len + 2),
        .face = below(rng, DAVINCI_FACE_JOKER + 3) - 1,
        .joker = below(rng, 2) == 0,
    };
}

size_t davinci_random_action(const void *data, int seat, int kind, struct rng *rng, uint8_t *bytes)
{
    const struct davinci_state *state = data;
    struct davinci_action action;
    if (kind == 0 && !(davinci_to_act(state) >> seat & 1)) return 0;
    if (kind == 2) {
        size_t len = 1 + rng_below(rng, 24);
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)rng_below(rng, 256);
        return len;
    }
    if (kind == 0)
        legal(state, seat, rng, &action);
    else
        near_miss(state, rng, &action);
    return davinci_write_action(&action, bytes);
}
