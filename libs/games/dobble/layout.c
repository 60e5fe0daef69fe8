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

int dobble_turn(const struct dobble_card *card, int item)
{
    return card->turn_low[item] + 256 * (card->turn_high >> item & 1);
}

void dobble_lay(struct dobble_card *card, int item, int size_percent, int turn)
{
    card->size[item] = (uint8_t)size_percent;
    card->turn_low[item] = (uint8_t)turn;
    card->turn_high = (uint8_t)((card->turn_high & ~(1 << item)) | turn >> 8 << item);
}

struct dobble_spot dobble_spot(const struct dobble_card *card, int item)
{
    const struct slot *slot = &templates[card->template][item];
    return (struct dobble_spot){
        .x = slot->x,
        .y = slot->y,
        .size = (uint16_t)(SIZE_AT_100 * card->size[item] / 100),
        .turn = (uint16_t)dobble_turn(card, item),
    };
}

void dobble_lay_anew(const struct dobble_rules *rules, struct dobble_card *card, struct rng *rng)
{
    int items = dobble_items(rules);
    rng_shuffle(rng, card->art, (size_t)items);
    card->template = (uint8_t)rng_below(rng, DOBBLE_TEMPLATES);
    for (int i = 0; i < items; i++) {
        int size = DOBBLE_SIZE_MIN + (int)rng_below(rng, DOBBLE_SIZE_MAX - DOBBLE_SIZE_MIN + 1);
        int turn = (int)rng_below(rng, DOBBLE_TURNS);
        dobble_lay(card, i, rules->easy ? DOBBLE_SIZE_EASY : size, rules->easy ? 0 : turn);
    }
}

void dobble_make_layouts(struct dobble_state *state, const struct game_seed *seed)
{
    struct rng rng;
    rng_init(&rng, seed, "dobble layouts");
    for (int card = 0; card < dobble_cards(&state->rules); card++)
        dobble_lay_anew(&state->rules, &state->card[card], &rng);
}
