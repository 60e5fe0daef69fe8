/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/chance.h"

#include "base/check.h"
#include "base/hash.h"
#include "sim/world.h"

void chance_init(struct chance *chance, uint64_t seed, const char *purpose, uint64_t number)
{
    uint64_t base = hash_mix64(seed);
    for (const char *at = purpose; *at; at++) base = hash_mix64(base ^ (uint8_t)*at);
    *chance = (struct chance){.base = hash_mix64(base + number), .at = INSTANT_NEVER};
}

/* SplitMix64 from a state that each instant sets anew. */
uint64_t chance_u64(struct chance *chance, instant_ms now)
{
    if (chance->at != now) {
        chance->at = now;
        chance->next = hash_mix64(chance->base ^ hash_mix64(now));
    }
    chance->next += 0x9e3779b97f4a7c15u;
    return hash_mix64(chance->next);
}

/* Biased by less than one in 2^32: luck, not a secret. */
uint32_t chance_below(struct world *world, uint32_t bound)
{
    CHECK(bound > 0);
    uint64_t drawn = chance_u64(world->chance, world->now) >> 32;
    return (uint32_t)(drawn * bound >> 32);
}

bool chance_ppm(struct world *world, uint32_t ppm)
{
    return !world_calm(world) && ppm && chance_below(world, 1000000) < ppm;
}

instant_ms chance_between(struct world *world, instant_ms low, instant_ms high)
{
    return low + chance_below(world, (uint32_t)(high - low + 1));
}

void chance_bytes(struct world *world, uint8_t *into, size_t len)
{
    for (size_t at = 0; at < len; at += sizeof(uint64_t)) {
        uint64_t drawn = chance_u64(world->chance, world->now);
        memcpy(into + at, &drawn, len - at < sizeof drawn ? len - at : sizeof drawn);
    }
}
