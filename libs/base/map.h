/* SPDX-License-Identifier: Apache-2.0
 *
 * An open-addressing hash map from a fixed-size key (8 or 16 bytes) to a pointer. The order of a
 * walk is not defined and must never reach an effect, a log or a view: sort first (map_sorted).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/types.h"

struct map {
    struct map_slot *slots;
    size_t count, room;
    size_t used; /* slots that are not empty: entries and graves */
};

/* A zeroed struct is an empty map. fini frees the table, not the values. */
void map_fini(struct map *map);
void *map_get(const struct map *map, uint64_t key);
/* Returns the value that was there, or NULL. value must not be NULL. */
void *map_put(struct map *map, uint64_t key, void *value);
void *map_remove(struct map *map, uint64_t key);

/* The same for 128-bit keys. */
struct map128 {
    struct map128_slot *slots;
    size_t count, room, used;
};
void map128_fini(struct map128 *map);
void *map128_get(const struct map128 *map, struct id128 key);
void *map128_put(struct map128 *map, struct id128 key, void *value);
void *map128_remove(struct map128 *map, struct id128 key);

/* Walk in undefined order: start with *cursor = 0; false at the end. Removing the entry just
 * returned is allowed, any other change is not. */
bool map_next(const struct map *map, size_t *cursor, uint64_t *key, void **value);
bool map128_next(const struct map128 *map, size_t *cursor, struct id128 *key, void **value);
/* All keys, ascending; malloc'd, the caller frees. *count is set. NULL when empty. */
uint64_t *map_keys_sorted(const struct map *map, size_t *count);
struct id128 *map128_keys_sorted(const struct map128 *map, size_t *count);

#endif
