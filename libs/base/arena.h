/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for one step: many small allocations, freed together. Cores lend what lies in it until
 * their next step.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/types.h"

struct arena_chunk;
struct arena {
    struct arena_chunk *first, *current;
    size_t total; /* bytes held */
};

/* A zeroed struct is an empty arena. */
void arena_fini(struct arena *arena);
/* Forgets all allocations; keeps up to 256 KiB for the next round. */
void arena_reset(struct arena *arena);
/* Zeroed memory aligned for anything; never NULL. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, not zeroed: for whoever fills all of it. */
void *arena_take(struct arena *arena, size_t size);
/* Copies. An empty slice stays empty. */
struct slice arena_copy(struct arena *arena, struct slice bytes);
char *arena_text(struct arena *arena, const char *text);

#endif
