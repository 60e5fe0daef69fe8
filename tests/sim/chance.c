/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/chance.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "sim/world.h"

/* The slot of that key, or the empty one where it belongs: those of an earlier instant are. */
static struct chance_begun *slot(const struct chance_table *table, uint64_t key)
{
    size_t last = table->room - 1, at = key & last;
    while (table->list[at].until == table->until && table->list[at].key != key)
        at = (at + 1) & last;
    return &table->list[at];
}

static void grow(struct chance_table *table)
{
    struct chance_table larger = *table;
    larger.room = table->room ? 2 * table->room : CHANCE_ROOM;
    larger.list = calloc(larger.room, sizeof *larger.list);
    CHECK(larger.list);
    for (size_t i = 0; i < table->room; i++)
        if (table->list[i].until == table->until)
            *slot(&larger, table->list[i].key) = table->list[i];
    free(table->list);
    *table = larger;
}

/* A table of this instant, however much happens in it: what would not fit would have to draw by
 * what else there was, and a twin would no longer draw what its twin does. */
static uint64_t times_begun(struct world *world, uint64_t key)
{
    struct chance_table *table = &world->begun;
    if (table->until != world->now + 1) table->count = 0;
    table->until = world->now + 1;
    if (2 * table->count >= table->room) grow(table);
    struct chance_begun *begun = slot(table, key);
    if (begun->until != table->until) {
        *begun = (struct chance_begun){.until = table->until, .key = key};
        table->count++;
    }
    return begun->times++;
}

static uint64_t key_of(const struct world *world, enum actor actor, int index, uint64_t about)
{
    uint64_t key =
        hash_mix64(world->config.seed ^ hash_mix64((uint64_t)actor << 32 | (uint32_t)index));
    return hash_mix64(key ^ hash_mix64(about));
}

struct chance chance_begin(struct world *world, enum actor actor, int index, uint64_t about)
{
    struct chance others = world->chance;
    uint64_t key = key_of(world, actor, index, about);
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
static uint32_t below(uint64_t drawn, uint32_t bound)
{
    CHECK(bound > 0);
    return (uint32_t)((drawn >> 32) * bound >> 32);
}

uint32_t chance_below(struct world *world, uint32_t bound)
{
    return below(draw(world), bound);
}

uint32_t chance_lasting(const struct world *world, enum actor actor, int index, uint64_t about,
                        uint32_t bound)
{
    return below(hash_mix64(key_of(world, actor, index, about)), bound);
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
