/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/check.h"

#include <math.h>
#include <sodium.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(struct id128) == crypto_generichash_BYTES_MIN, "BLAKE2b-128");
_Static_assert(sizeof(struct id128) == sizeof(XXH128_canonical_t), "XXH3-128");

struct id128 hash_128(struct slice bytes)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.at, bytes.len));
    struct id128 out;
    memcpy(out.byte, canonical.digest, sizeof out.byte);
    return out;
}

struct id128 hash_128_for(const char *purpose, struct slice bytes)
{
    /* A purpose of any length becomes a key of one length. */
    uint8_t key[crypto_generichash_KEYBYTES];
    CHECK(crypto_generichash(key, sizeof key, (const uint8_t *)purpose, strlen(purpose), NULL, 0) ==
          0);
    struct id128 out;
    CHECK(crypto_generichash(out.byte, sizeof out.byte, bytes.at, bytes.len, key, sizeof key) == 0);
    return out;
}

/* Read byte by byte: machines of either byte order agree on a winner. */
static uint64_t half(const uint8_t *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* 52 bits for each pair of a (mixed) key and an id. */
static uint64_t draw(uint64_t mixed, struct id128 id)
{
    return hash_mix64(hash_mix64(mixed + half(id.byte)) + half(id.byte + 8)) >> 12;
}

/* Weight over an exponentially distributed draw: the chance to be the greatest is in proportion to
 * the weight, and a candidate that comes or goes moves only the keys it wins or won. */
static double score(uint64_t drawn, double weight)
{
    double uniform = ((double)drawn + 0.5) * 0x1p-52; /* in (0, 1), ends excluded */
    return weight / -log(uniform);
}

/* Below it no draw scores `best`, whatever weight it has. A little less, for what is rounded. */
static uint64_t least_draw(double best, double heaviest)
{
    double least = exp(-heaviest / best) * 0x1p52 * (1 - 1e-9) - 2;
    return least > 0 ? (uint64_t)least : 0;
}

int rendezvous_pick(uint64_t key, const struct id128 *ids, const double *weights, int count)
{
    int winner = -1;
    double best = 0, heaviest = weights ? 0 : 1;
    for (int i = 0; weights && i < count; i++)
        if (weights[i] > heaviest) heaviest = weights[i];
    uint64_t mixed = hash_mix64(key), least = 0;
    for (int i = 0; i < count; i++) {
        double weight = weights ? weights[i] : 1;
        if (!(weight > 0)) continue; /* NaN is never chosen either */
        uint64_t drawn = draw(mixed, ids[i]);
        if (drawn < least) continue; /* most of a thousand, without a logarithm */
        double mine = score(drawn, weight);
        if (winner < 0 || mine > best || (mine == best && id128_compare(ids[i], ids[winner]) < 0)) {
            winner = i;
            best = mine;
            least = least_draw(best, heaviest);
        }
    }
    return winner;
}
