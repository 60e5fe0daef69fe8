/* SPDX-License-Identifier: Apache-2.0
 *
 * Rooms and their codes: 6 of 32 symbols (Crockford), 30 bits.
 */
#ifndef WIRE_CODE_H
#define WIRE_CODE_H

#include "base/types.h"

enum { WIRE_CODE_LEN = 6, WIRE_SHARDS_MAX = 32 };

/* A room: the code's 30 bits above 32 bits of chance, so that a code used again is another room. */
typedef uint64_t room_id;

/* Normalises what a person typed (case, I and L to 1, O to 0, blanks and hyphens dropped). False:
 * not a code. */
bool code_normalise(struct slice typed, char code[WIRE_CODE_LEN + 1]);
void code_write(uint32_t bits30, char code[WIRE_CODE_LEN + 1]);
uint32_t code_bits(const char *code); /* of a normalised code */
static inline room_id room_id_make(uint32_t bits30, uint32_t chance)
{
    return (room_id)bits30 << 32 | chance;
}
static inline uint32_t room_id_bits(room_id room)
{
    return (uint32_t)(room >> 32);
}
/* The shard (0 .. 31) that a room lives on, from its code alone: adding a shard moves nothing. */
static inline int room_shard(room_id room)
{
    return (int)(room_id_bits(room) * 0x9E3779B1u >> 27);
}
/* Whether the room's is among these: bit s stands for shard s. */
static inline bool room_shard_in(uint32_t shards, room_id room)
{
    return shards >> room_shard(room) & 1;
}
_Static_assert(WIRE_SHARDS_MAX <= 32, "a bit for each");

#endif
