/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of both maps, included by map.c once per kind of key. Before including, define
 *   MAP(name)         the name with the prefix of this kind, as in map_##name
 *   MAP_STRUCT        struct map, struct map128
 *   MAP_SLOT          struct map_slot, struct map128_slot: {MAP_KEY key; void *value;}
 *   MAP_KEY           the type of a key
 *   MAP_COMPARE(a, b) negative, zero, positive
 *   MAP_HASH(key)     64 bits, the low ones as good as the high ones
 * All are undefined again at the end. No include guard, on purpose.
 *
 * Linear probing. value NULL marks a slot that ends a probe, GRAVE one whose entry was removed and
 * which a probe steps over: a removal moves nothing, so a walk may remove what it has just seen.
 * Graves are swept out when entries and graves together pass three quarters of the table.
 */

static size_t MAP(find)(const MAP_STRUCT *map, MAP_KEY key)
{
    if (map->room == 0) return SIZE_MAX;
    size_t mask = map->room - 1;
    for (size_t i = MAP_HASH(key) & mask; map->slots[i].value; i = (i + 1) & mask) {
        const MAP_SLOT *slot = &map->slots[i];
        if (slot->value != GRAVE && MAP_COMPARE(slot->key, key) == 0) return i;
    }
    return SIZE_MAX;
}

/* For a key that is not in. */
static void MAP(insert)(MAP_STRUCT *map, MAP_KEY key, void *value)
{
    size_t mask = map->room - 1;
    size_t i = MAP_HASH(key) & mask;
    while (map->slots[i].value && map->slots[i].value != GRAVE) i = (i + 1) & mask;
    if (map->slots[i].value == NULL) map->used++;
    map->slots[i].key = key;
    map->slots[i].value = value;
    map->count++;
}

static void MAP(make_room)(MAP_STRUCT *map)
{
    if (4 * (map->used + 1) <= 3 * map->room) return;

    MAP_STRUCT wider = {.room = MAP_ROOM_MIN};
    while (wider.room < 2 * (map->count + 1)) wider.room *= 2;
    wider.slots = calloc(wider.room, sizeof(MAP_SLOT));
    CHECK(wider.slots != NULL);

    for (size_t i = 0; i < map->room; i++) {
        const MAP_SLOT *slot = &map->slots[i];
        if (slot->value && slot->value != GRAVE) MAP(insert)(&wider, slot->key, slot->value);
    }
    free(map->slots);
    *map = wider;
}

void MAP(fini)(MAP_STRUCT *map)
{
    free(map->slots);
    *map = (MAP_STRUCT){0};
}

void *MAP(get)(const MAP_STRUCT *map, MAP_KEY key)
{
    size_t i = MAP(find)(map, key);
    return i == SIZE_MAX ? NULL : map->slots[i].value;
}

void *MAP(put)(MAP_STRUCT *map, MAP_KEY key, void *value)
{
    CHECK(value != NULL);
    size_t i = MAP(find)(map, key);
    if (i != SIZE_MAX) {
        void *old = map->slots[i].value;
        map->slots[i].value = value;
        return old;
    }
    MAP(make_room)(map);
    MAP(insert)(map, key, value);
    return NULL;
}

void *MAP(remove)(MAP_STRUCT *map, MAP_KEY key)
{
    size_t i = MAP(find)(map, key);
    if (i == SIZE_MAX) return NULL;
    void *old = map->slots[i].value;
    map->slots[i].value = GRAVE;
    map->count--;
    return old;
}

bool MAP(next)(const MAP_STRUCT *map, size_t *cursor, MAP_KEY *key, void **value)
{
    while (*cursor < map->room) {
        const MAP_SLOT *slot = &map->slots[(*cursor)++];
        if (slot->value == NULL || slot->value == GRAVE) continue;
        *key = slot->key;
        *value = slot->value;
        return true;
    }
    return false;
}

static int MAP(compare_for_sort)(const void *a, const void *b)
{
    const MAP_KEY *left = a, *right = b;
    return MAP_COMPARE(*left, *right);
}

MAP_KEY *MAP(keys_sorted)(const MAP_STRUCT *map, size_t *count)
{
    *count = map->count;
    if (map->count == 0) return NULL;
    MAP_KEY *keys = calloc(map->count, sizeof(MAP_KEY));
    CHECK(keys != NULL);

    size_t cursor = 0, filled = 0;
    void *value;
    while (filled < map->count && MAP(next)(map, &cursor, &keys[filled], &value)) filled++;
    CHECK(filled == map->count);
    qsort(keys, filled, sizeof(MAP_KEY), MAP(compare_for_sort));
    return keys;
}

#undef MAP
#undef MAP_STRUCT
#undef MAP_SLOT
#undef MAP_KEY
#undef MAP_COMPARE
#undef MAP_HASH
