/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions: bytes to our struct and back.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"
#include "dobble.pb-c.h"
#include "game/scratch.h"

typedef Madang__V1__Dobble__Action wire_action;
#define KIND(name) MADANG__V1__DOBBLE__ACTION__KIND_##name

/* Our enums are written with the numbers of the wire's. */
#define REASON(name) MADANG__V1__DOBBLE__DOBBLE_REASON__DOBBLE_REASON_##name
_Static_assert((int)DOBBLE_TRIPLET == (int)MADANG__V1__DOBBLE__MINI_GAME__MINI_GAME_TRIPLET,
               "mini-games");
_Static_assert((int)DOBBLE_FINISHED == (int)MADANG__V1__DOBBLE__PHASE__PHASE_FINISHED, "phases");
_Static_assert((int)DOBBLE_FORFEITED == (int)MADANG__V1__DOBBLE__PART__PART_FORFEITED, "parts");
_Static_assert((int)DOBBLE_TOO_FEW == (int)MADANG__V1__DOBBLE__ENDING__ENDING_TOO_FEW, "endings");
_Static_assert((int)DOBBLE_LATE == (int)REASON(LATE), "reasons");
_Static_assert((int)DOBBLE_NOT_THREE == (int)REASON(NOT_THREE), "reasons");

/* A number too large for us names nothing that there is. */
static uint8_t small(uint32_t value)
{
    return value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
}

static void sort_three(uint8_t card[DOBBLE_TRIPLE])
{
    for (int i = 0; i < DOBBLE_TRIPLE; i++)
        for (int k = i + 1; k < DOBBLE_TRIPLE; k++)
            if (card[k] < card[i]) {
                uint8_t lower = card[k];
                card[k] = card[i];
                card[i] = lower;
            }
}

/* Anything but three cards is made into a claim for one card three times, which is refused as such.
 */
static void take_triplet(const Madang__V1__Dobble__ClaimTriplet *wire, struct dobble_action *out)
{
    out->triplet = true;
    out->claim.art = small(wire->art);
    for (size_t i = 0; i < DOBBLE_TRIPLE && wire->n_cards == DOBBLE_TRIPLE; i++)
        out->claim.card[i] = small(wire->cards[i]);
    sort_three(out->claim.card);
}

static bool take(const wire_action *wire, struct dobble_action *out)
{
    memset(out, 0, sizeof *out);
    switch (wire->kind_case) {
    case KIND(CLAIM):
        out->claim.card[0] = small(wire->claim->mine);
        out->claim.card[1] = small(wire->claim->against);
        out->claim.target = small(wire->claim->target);
        out->claim.art = small(wire->claim->art);
        break;
    case KIND(TRIPLET): take_triplet(wire->triplet, out); break;
    default: return false;
    }
    return out->claim.art < DOBBLE_CARDS_MAX; /* as many pictures as cards */
}

bool dobble_read_action(struct slice bytes, struct dobble_action *out)
{
    struct game_scratch scratch;
    ProtobufCAllocator allocator = {game_scratch_alloc, game_scratch_free, &scratch};
    scratch.used = 0;
    if (bytes.len > GAME_ACTION_BYTES_MAX) return false;
    wire_action *wire = madang__v1__dobble__action__unpack(&allocator, bytes.len,
                                                           bytes.at ? bytes.at : scratch.bytes);
    return wire && take(wire, out);
}

/* Four numbers of at most 6 bytes with their tags, or three and one: far below the bound. */
size_t dobble_write_action(const struct dobble_action *action, uint8_t *bytes)
{
    wire_action wire = MADANG__V1__DOBBLE__ACTION__INIT;
    Madang__V1__Dobble__Claim claim = MADANG__V1__DOBBLE__CLAIM__INIT;
    Madang__V1__Dobble__ClaimTriplet triplet = MADANG__V1__DOBBLE__CLAIM_TRIPLET__INIT;
    uint32_t cards[DOBBLE_TRIPLE];
    if (action->triplet) {
        for (int i = 0; i < DOBBLE_TRIPLE; i++) cards[i] = action->claim.card[i];
        triplet.cards = cards;
        triplet.n_cards = DOBBLE_TRIPLE;
        triplet.art = action->claim.art;
        wire.kind_case = KIND(TRIPLET);
        wire.triplet = &triplet;
    } else {
        claim.mine = action->claim.card[0];
        claim.against = action->claim.card[1];
        claim.target = action->claim.target;
        claim.art = action->claim.art;
        wire.kind_case = KIND(CLAIM);
        wire.claim = &claim;
    }
    size_t len = madang__v1__dobble__action__pack(&wire, bytes);
    CHECK(len <= GAME_ACTION_BYTES_MAX);
    return len;
}

const struct game_messages dobble_messages = {
    .action = &madang__v1__dobble__action__descriptor,
    .view = &madang__v1__dobble__view__descriptor,
    .mine = &madang__v1__dobble__mine__descriptor,
    .event = &madang__v1__dobble__event__descriptor,
    .mine_event = &madang__v1__dobble__mine_event__descriptor,
};
