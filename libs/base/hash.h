/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes: XXH3 that tells states and entries apart, BLAKE2b for what others may try to guess or to
 * hit, a fast mixer for tables, rendezvous hashing for placement.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/types.h"

/* XXH3-128 (xxHash), as bytes that are the same on every machine. It finds what differs by a fault,
 * not what somebody made to look alike. A state hash is a secret while its game runs. */
struct id128 hash_128(struct slice bytes);
/* BLAKE2b-128 (libsodium crypto_generichash), keyed by purpose: the same input under two purposes
 * is unrelated. */
struct id128 hash_128_for(const char *purpose, struct slice bytes);

/* The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which each bit of the
 * input flips about half of the output. */
static inline uint64_t hash_mix64(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* The index of the winner among count candidates for key (highest random weight; Thaler and
 * Ravishankar 1998), with weights (NULL: equal; weight 0: never). -1 when none. Ties go to the
 * smaller id. */
int rendezvous_pick(uint64_t key, const struct id128 *ids, const double *weights, int count);

#endif
