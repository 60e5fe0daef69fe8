/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "base/check.h"

#include <stdalign.h>
#include <stdlib.h>

enum { ALIGNMENT = alignof(max_align_t), CHUNK_SIZE = 16 << 10, KEPT_MAX = 256 << 10 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used; /* of bytes */
    alignas(max_align_t) uint8_t bytes[];
};

static void free_chunks(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void arena_fini(struct arena *arena)
{
    free_chunks(arena->first);
    *arena = (struct arena){0};
}

void arena_reset(struct arena *arena)
{
    struct arena_chunk **link = &arena->first;
    size_t kept = 0;
    while (*link && kept + (*link)->size <= KEPT_MAX) {
        kept += (*link)->size;
        (*link)->used = 0;
        link = &(*link)->next;
    }
    free_chunks(*link);
    *link = NULL;
    arena->current = arena->first;
    arena->total = kept;
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t size)
{
    if (size < CHUNK_SIZE) size = CHUNK_SIZE;
    struct arena_chunk *chunk = malloc(sizeof *chunk + size);
    CHECK(chunk != NULL);
    *chunk = (struct arena_chunk){.size = size};
    if (arena->current) {
        chunk->next = arena->current->next;
        arena->current->next = chunk;
    } else {
        arena->first = chunk;
    }
    arena->total += size;
    return chunk;
}

void *arena_take(struct arena *arena, size_t size)
{
    CHECK(size <= SIZE_MAX / 2);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size == 0) size = ALIGNMENT; /* every allocation has an address of its own */

    struct arena_chunk *chunk = arena->current;
    /* Chunks behind `current` are unused since the last reset. */
    while (chunk && chunk->size - chunk->used < size) chunk = chunk->next;
    if (chunk == NULL) chunk = add_chunk(arena, size);
    arena->current = chunk;

    void *at = chunk->bytes + chunk->used;
    chunk->used += size;
    return at;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    return memset(arena_take(arena, size), 0, size);
}

struct slice arena_copy(struct arena *arena, struct slice bytes)
{
    if (bytes.len == 0) return (struct slice){0};
    void *at = arena_take(arena, bytes.len);
    memcpy(at, bytes.at, bytes.len);
    return slice_of(at, bytes.len);
}

char *arena_text(struct arena *arena, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(arena_take(arena, size), text, size);
}
