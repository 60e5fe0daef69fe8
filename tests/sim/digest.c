/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/digest.h"

#include "base/hash.h"

/* Two lanes, each a bijection of what it held for every word that it takes in. */
struct id128 digest(struct slice bytes)
{
    uint64_t lanes[2] = {bytes.len, ~(uint64_t)bytes.len};
    for (size_t at = 0; at < bytes.len; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t left = bytes.len - at;
        if (left < sizeof word)
            memcpy(&word, bytes.at + at, left);
        else
            memcpy(&word, bytes.at + at, sizeof word);
        lanes[0] = (lanes[0] ^ word) * 0xbf58476d1ce4e5b9u;
        lanes[0] ^= lanes[0] >> 32;
        lanes[1] = (lanes[1] + word) * 0x94d049bb133111ebu;
        lanes[1] ^= lanes[1] >> 29;
    }
    lanes[0] = hash_mix64(lanes[0] + hash_mix64(lanes[1]));
    lanes[1] = hash_mix64(lanes[1] ^ lanes[0]);
    struct id128 out;
    memcpy(out.byte, lanes, sizeof out.byte);
    return out;
}
