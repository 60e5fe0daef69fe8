/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdlib.h>

enum { MAP_ROOM_MIN = 16 };

/* An address that no caller can have. */
static char grave_byte;
#define GRAVE ((void *)&grave_byte)

struct map_slot {
    uint64_t key;
    void *value;
};

#define MAP(name)         map_##name
#define MAP_STRUCT        struct map
#define MAP_SLOT          struct map_slot
#define MAP_KEY           uint64_t
#define MAP_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
#define MAP_HASH(key)     hash_mix64(key)
#include "base/map_body.h"

struct map128_slot {
    struct id128 key;
    void *value;
};

static uint64_t hash_id(struct id128 id)
{
    uint64_t halves[2];
    memcpy(halves, id.byte, sizeof halves);
    return hash_mix64(hash_mix64(halves[0]) + halves[1]);
}

#define MAP(name)         map128_##name
#define MAP_STRUCT        struct map128
#define MAP_SLOT          struct map128_slot
#define MAP_KEY           struct id128
#define MAP_COMPARE(a, b) id128_compare(a, b)
#define MAP_HASH(key)     hash_id(key)
#include "base/map_body.h"
