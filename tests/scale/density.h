/* SPDX-License-Identifier: Apache-2.0
 *
 * What a playing room costs a worker: one worker fills with rooms of one game in which people sit,
 * connected, in a game. First what it does for all its rooms in one step, in which nobody is
 * served: metrics are read, and a shard's connection is lost and comes back. Then its core is
 * closed, and what that gives back is what they took.
 */
#ifndef SCALE_DENSITY_H
#define SCALE_DENSITY_H

#include "scale/scale.h"

struct density {
    uint32_t rooms, playing;
    double people, bytes;                /* for each room; bytes as malloc counts them */
    double metrics_ms, lost_ms, back_ms; /* of a processor, for all rooms */
};

/* At least that many rooms. Means nothing where malloc is another's (under a sanitizer). */
void density_measure(const char *game, size_t rooms, struct density *out);

#endif
