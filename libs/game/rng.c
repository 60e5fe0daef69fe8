/* SPDX-License-Identifier: Apache-2.0 */
#include "game/rng.h"

#include "base/check.h"

#include <sodium.h>

_Static_assert(sizeof((struct rng *)0)->key == crypto_stream_chacha20_KEYBYTES, "ChaCha20 key");
_Static_assert(sizeof(struct game_seed) >= crypto_generichash_KEYBYTES_MIN, "BLAKE2b key");

void rng_init(struct rng *rng, const struct game_seed *seed, const char *purpose)
{
    /* All bytes are set: a generator inside a game's state must not carry what lay in memory
     * before. */
    memset(rng, 0, sizeof *rng);
    CHECK(crypto_generichash(rng->key, sizeof rng->key, (const uint8_t *)purpose, strlen(purpose),
                             seed->byte, sizeof seed->byte) == 0);
    rng->used = sizeof rng->bytes;
}

/* Each key serves one stream, so the nonce is constant and the block number does all. */
static void next_block(struct rng *rng)
{
    static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
    static const uint8_t zeroes[sizeof rng->bytes];
    CHECK(crypto_stream_chacha20_xor_ic(rng->bytes, zeroes, sizeof zeroes, nonce, rng->block,
                                        rng->key) == 0);
    rng->block++;
    rng->used = 0;
}

uint32_t rng_u32(struct rng *rng)
{
    if (rng->used + 4u > sizeof rng->bytes) next_block(rng);
    const uint8_t *at = rng->bytes + rng->used;
    rng->used += 4;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    CHECK(bound > 0);
    /* 2^32 mod bound values at the low end would make some results more likely: draw again. Fewer
     * than half are rejected for any bound, so the loop ends soon. */
    uint32_t rejected = -bound % bound;
    for (;;) {
        uint32_t drawn = rng_u32(rng);
        if (drawn >= rejected) return drawn % bound;
    }
}

void rng_shuffle(struct rng *rng, uint8_t *items, size_t count)
{
    CHECK(count <= UINT32_MAX);
    for (size_t left = count; left > 1; left--) {
        size_t other = rng_below(rng, (uint32_t)left);
        uint8_t item = items[left - 1];
        items[left - 1] = items[other];
        items[other] = item;
    }
}
