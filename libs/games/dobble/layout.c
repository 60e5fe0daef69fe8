/* SPDX-License-Identifier: Apache-2.0
 *
 * How pictures lie on a card. A card carries one number drawn for it alone, its look; the template,
 * and the size and the turn of each picture, follow from it. The server keeps and sends the number;
 * the web client works out the same from it (services/web/src/games/dobble/layout.ts), and both are
 * held against one file of vectors (tests/unit/games/golden/dobble_layouts.json).
 *
 * The templates are six ways to pack eight equal circles into a larger one, found by
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

/* The 32-bit finalizer of MurmurHash3 (Austin Appleby, in the public domain): a bijection in which
 * each bit of the input flips about half of the output. */
static uint32_t mix(uint32_t value)
{
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * 0xc2b2ae35u;
    return value ^ value >> 16;
}

/* What a look is asked: its template, and of each slot the size and the turn. */
enum { ASK_TEMPLATE, ASK_SIZE, ASK_TURN = ASK_SIZE + DOBBLE_ITEMS_MAX, ASK_BITS = 5 };
_Static_assert(ASK_TURN + DOBBLE_ITEMS_MAX <= 1 << ASK_BITS, "each question has a number");
_Static_assert(DOBBLE_LOOKS <= 1 << (32 - ASK_BITS), "no two are asked alike");

/* 0 .. bound - 1, each equally often (but for bound in 2^32). */
static int ask(uint32_t look, int question, int bound)
{
    return (int)(mix(look << ASK_BITS | (uint32_t)question) % (uint32_t)bound);
}

struct dobble_lie dobble_lie(uint32_t look, bool easy, int slot)
{
    int sizes = DOBBLE_SIZE_MAX - DOBBLE_SIZE_MIN + 1;
    return (struct dobble_lie){
        .template = ask(look, ASK_TEMPLATE, DOBBLE_TEMPLATES),
        .slot = slot,
        .size = easy ? DOBBLE_SIZE_EASY : DOBBLE_SIZE_MIN + ask(look, ASK_SIZE + slot, sizes),
        .turn = easy ? 0 : ask(look, ASK_TURN + slot, DOBBLE_TURNS),
    };
}

struct dobble_spot dobble_spot(struct dobble_lie lie)
{
    const struct slot *slot = &templates[lie.template][lie.slot];
    return (struct dobble_spot){
        .x = slot->x,
        .y = slot->y,
        .size = (uint16_t)(SIZE_AT_100 * lie.size / 100),
        .turn = (uint16_t)lie.turn,
    };
}

void dobble_lay_anew(const struct dobble_rules *rules, struct dobble_card *card, struct rng *rng)
{
    rng_shuffle(rng, card->art, (size_t)dobble_items(rules));
    uint32_t look = rng_below(rng, DOBBLE_LOOKS);
    for (int i = 0; i < (int)sizeof card->look; i++) card->look[i] = (uint8_t)(look >> 8 * i);
}

void dobble_make_layouts(struct dobble_state *state, const struct game_seed *seed)
{
    struct rng rng;
    rng_init(&rng, seed, "dobble layouts");
    for (int card = 0; card < dobble_cards(&state->rules); card++)
        dobble_lay_anew(&state->rules, &state->card[card], &rng);
}
