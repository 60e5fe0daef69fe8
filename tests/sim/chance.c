/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/chance.h"

#include "base/check.h"
#include "base/hash.h"
#include "sim/world.h"

/* A table of this instant: what is of an earlier one counts as empty. One that is full begins what
 * is new with a number of its own. */
static uint64_t times_begun(struct world *world, uint64_t key)
{
    for (uint64_t i = 0; i < CHANCE_KEPT; i++) {
        struct chance_begun *begun = &world->begun[(key + i) % CHANCE_KEPT];
        if (begun->until != world->now + 1)
            *begun = (struct chance_begun){.until = world->now + 1, .key = key};
        if (begun->key == key) return begun->times++;
    }
    return CHANCE_KEPT + world->next_key++;
}

struct chance chance_begin(struct world *world, enum actor actor, int index, uint64_t about)
{
    struct chance others = world->chance;
    uint64_t key =
        hash_mix64(world->config.seed ^ hash_mix64((uint64_t)actor << 32 | (uint32_t)index));
    key = hash_mix64(key ^ hash_mix64(about));
    world->chance.state = hash_mix64(hash_mix64(key ^ world->now) + times_begun(world, key));
    return others;
}

/* SplitMix64. */
static uint64_t draw(struct world *world)
{
    world->chance.state += 0x9e3779b97f4a7c15u;
    return hash_mix64(world->chance.state);
}

/* Biased by less than one in 2^32: luck, not a secret. */
uint32_t chance_below(struct world *world, uint32_t bound)
{
    CHECK(bound > 0);
    uint64_t drawn = draw(world) >> 32;
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
        uint64_t drawn = draw(world);
        memcpy(into + at, &drawn, len - at < sizeof drawn ? len - at : sizeof drawn);
    }
}
