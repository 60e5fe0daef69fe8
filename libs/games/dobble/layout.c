/* SPDX-License-Identifier: Apache-2.0
 *
 * How pictures lie on a card: six ways to pack eight equal circles into a larger one, found by
 * relaxing random starts and chosen to look as different as possible. A slot's circle is as large
 * as the largest picture, so no size and no turn lets two pictures overlap; with at most 264 of
 * 1000 it is also wider than the 48 px that a finger needs on a card of 300 px (160).
 */
#include "games/dobble/dobble.h"

enum { SIZE_AT_100 = 220 }; /* a picture's circle at 100 percent */

struct slot {
    uint16_t x, y;
};

static const struct slot templates[DOBBLE_TEMPLATES][DOBBLE_ITEMS_MAX] = {
    /* two inside, six around */
    {{408, 463},
     {674, 495},
     {243, 252},
     {488, 143},
     {740, 235},
     {512, 744},
     {244, 749},
     {143, 500}},
    /* a ring */
    {{143, 490},
     {251, 244},
     {499, 143},
     {747, 242},
     {857, 487},
     {732, 771},
     {478, 856},
     {236, 741}},
    /* one inside, seven around */
    {{509, 511},
     {150, 428},
     {315, 217},
     {813, 328},
     {844, 594},
     {682, 807},
     {417, 847},
     {199, 692}},
    /* one low inside, seven around, the widest gap at the bottom */
    {{540, 647},
     {208, 294},
     {433, 149},
     {696, 202},
     {848, 422},
     {805, 686},
     {330, 814},
     {290, 549}},
    /* one inside, seven around that stand closer */
    {{520, 502},
     {330, 268},
     {625, 250},
     {844, 405},
     {790, 667},
     {590, 846},
     {348, 732},
     {205, 505}},
    /* three columns */
    {{495, 359},
     {505, 641},
     {254, 241},
     {727, 224},
     {728, 492},
     {746, 759},
     {273, 776},
     {273, 508}},
};

uint16_t dobble_look(int size_percent, int turn)
{
    return (uint16_t)((size_percent - DOBBLE_SIZE_MIN) * DOBBLE_TURNS + turn);
}

struct dobble_spot dobble_spot(const struct dobble_layout *layout, int item)
{
    const struct slot *slot = &templates[layout->template][item];
    int percent = DOBBLE_SIZE_MIN + layout->look[item] / DOBBLE_TURNS;
    return (struct dobble_spot){
        .x = slot->x,
        .y = slot->y,
        .size = (uint16_t)(SIZE_AT_100 * percent / 100),
        .turn = layout->look[item] % DOBBLE_TURNS,
    };
}

/* Which picture lies in which slot is part of the look: the card's own list is mixed. */
void dobble_make_layouts(struct dobble_state *state, const struct game_seed *seed)
{
    struct rng rng;
    int items = dobble_items(&state->rules);
    rng_init(&rng, seed, "dobble layouts");
    for (int card = 0; card < dobble_cards(&state->rules); card++) {
        struct dobble_layout *layout = &state->layout[card];
        rng_shuffle(&rng, state->art[card], (size_t)items);
        layout->template = (uint8_t)rng_below(&rng, DOBBLE_TEMPLATES);
        for (int i = 0; i < items; i++) {
            uint16_t classic = (uint16_t)rng_below(&rng, DOBBLE_LOOKS);
            layout->look[i] = state->rules.easy ? dobble_look(DOBBLE_SIZE_EASY, 0) : classic;
        }
    }
}
