/* SPDX-License-Identifier: Apache-2.0
 *
 * How full a queue is. Everything that can grow with what others do (a queue, a table, a buffer, a
 * list) has a bound and something that happens there; whoever owns it tells these three numbers.
 */
#ifndef BASE_FULLNESS_H
#define BASE_FULLNESS_H

#include <stdint.h>

struct fullness {
    uint64_t depth;   /* what is in it now; of many of a kind (one a room, say), in the fullest */
    uint64_t bound;   /* at most so much */
    uint64_t refused; /* how often its bound was met so far: refused, cut, put off or forgotten */
};

/* Of many of a kind: the fullest counts. */
static inline void fullness_see(struct fullness *of, uint64_t depth)
{
    if (depth > of->depth) of->depth = depth;
}

#endif
