/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in which a game reads one action: it lies on the stack of that call alone, and what does
 * not fit there is not an action. GAME_ACTION_BYTES_MAX bytes hold at most 128 fields, and each
 * byte of a packed list at most one number; both need less than this.
 *
 *     struct game_scratch scratch;
 *     ProtobufCAllocator allocator = {game_scratch_alloc, game_scratch_free, &scratch};
 *     scratch.used = 0;
 */
#ifndef GAME_SCRATCH_H
#define GAME_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

enum { GAME_SCRATCH_BYTES = 24 * 1024 };

struct game_scratch {
    size_t used;
    _Alignas(16) uint8_t bytes[GAME_SCRATCH_BYTES];
};

/* NULL when it is full. Aligned to 16 bytes. */
static inline void *game_scratch_alloc(void *data, size_t size)
{
    struct game_scratch *scratch = data;
    if (size > GAME_SCRATCH_BYTES) return NULL;
    size = (size + 15) & ~(size_t)15;
    if (size > GAME_SCRATCH_BYTES - scratch->used) return NULL;
    void *at = scratch->bytes + scratch->used;
    scratch->used += size;
    return at;
}

/* The end of the call frees all of it. */
static inline void game_scratch_free(void *data, void *at)
{
    (void)data;
    (void)at;
}

#endif
