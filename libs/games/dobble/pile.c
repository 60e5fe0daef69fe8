/* SPDX-License-Identifier: Apache-2.0
 *
 * Piles of cards. Cards are conserved, so none can overflow; what lies beyond the length is zero,
 * as everywhere in the state.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"

void dobble_push(struct dobble_pile *pile, int card)
{
    CHECK(pile->len < DOBBLE_CARDS_MAX && card != DOBBLE_NO_CARD);
    pile->card[pile->len++] = (uint8_t)card;
}

int dobble_pop(struct dobble_pile *pile)
{
    CHECK(pile->len > 0);
    int card = pile->card[--pile->len];
    pile->card[pile->len] = 0;
    return card;
}

void dobble_push_under(struct dobble_pile *pile, int card)
{
    CHECK(pile->len < DOBBLE_CARDS_MAX && card != DOBBLE_NO_CARD);
    memmove(pile->card + 1, pile->card, pile->len++);
    pile->card[0] = (uint8_t)card;
}

void dobble_move(struct dobble_pile *to, struct dobble_pile *from)
{
    CHECK(to != from && to->len + from->len <= DOBBLE_CARDS_MAX);
    memcpy(to->card + to->len, from->card, from->len);
    to->len = (uint8_t)(to->len + from->len);
    memset(from, 0, sizeof *from);
}
