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

/* Weight over an exponentially distributed draw: the chance to be the greatest is in proportion to
 * the weight, and a candidate that comes or goes moves only the keys it wins or won. */
static double score(uint64_t key, struct id128 id, double weight)
{
    uint64_t drawn = hash_mix64(hash_mix64(hash_mix64(key) + half(id.byte)) + half(id.byte + 8));
    double uniform = ((double)(drawn >> 12) + 0.5) * 0x1p-52; /* in (0, 1), ends excluded */
    return weight / -log(uniform);
}

int rendezvous_pick(uint64_t key, const struct id128 *ids, const double *weights, int count)
{
    int winner = -1;
    double best = 0;
    for (int i = 0; i < count; i++) {
        double weight = weights ? weights[i] : 1;
        if (!(weight > 0)) continue; /* NaN is never chosen either */
        double mine = score(key, ids[i], weight);
        if (winner < 0 || mine > best || (mine == best && id128_compare(ids[i], ids[winner]) < 0)) {
            winner = i;
            best = mine;
        }
    }
    return winner;
}
