/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates of a hidden tile (D17). The web client's helper computes the same; both are held
 * against one file of vectors (tests/unit/games/golden/davinci_candidates.json).
 *
 *     black 4   ?black   white 6        black-left: 5 or 6        white-left: 5
 *
 * A joker keeps its place whatever lies beside it, so an open joker says nothing about its
 * neighbours.
 */
#include "games/davinci/davinci.h"

/* The keys of the nearest open numbers on both sides; what lies between them is possible. */
static void range(const struct davinci_sight *sight, int target, int index, int *low, int *high)
{
    *low = 0;
    *high = INT32_MAX;
    for (int i = 0; i < sight->row[target].len; i++) {
        const struct davinci_seen_tile *tile = &sight->row[target].at[i];
        if (tile->face == DAVINCI_FACE_HIDDEN || tile->face == DAVINCI_FACE_JOKER) continue;
        int key = davinci_key(&sight->rules, tile->color, tile->face);
        if (i < index)
            *low = key;
        else if (i > index && *high == INT32_MAX)
            *high = key;
    }
}

/* Faces of a colour that the viewer can place elsewhere: open ones, the viewer's own, the turn
 * tile if known. */
static uint16_t accounted(const struct davinci_sight *sight, int color)
{
    uint32_t faces = 0;
    for (int seat = 0; seat < sight->seats; seat++)
        for (int i = 0; i < sight->row[seat].len; i++)
            if (sight->row[seat].at[i].color == color) faces |= 1u << sight->row[seat].at[i].face;
    if (sight->turn_color == color) faces |= 1u << sight->turn_face;
    return (uint16_t)faces;
}

uint16_t davinci_candidates(const struct davinci_sight *sight, int target, int index)
{
    const struct davinci_seen_tile *tile = &sight->row[target].at[index];
    if (tile->face != DAVINCI_FACE_HIDDEN) return (uint16_t)(1u << tile->face);
    int low, high;
    range(sight, target, index, &low, &high);
    uint32_t faces = sight->rules.jokers ? 1u << DAVINCI_FACE_JOKER : 0;
    for (int face = 1; face <= sight->rules.numbers; face++) {
        int key = davinci_key(&sight->rules, tile->color, face);
        if (key > low && key < high) faces |= 1u << face;
    }
    return (uint16_t)(faces & ~(uint32_t)accounted(sight, tile->color) & ~(uint32_t)tile->refuted);
}
