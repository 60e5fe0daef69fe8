/* SPDX-License-Identifier: Apache-2.0
 *
 * Random messages within the bounds, for round trips: every field gets a value of its own, extreme
 * ones too. What they point to lies in an arena.
 */
#ifndef UNIT_WIRE_SAMPLE_H
#define UNIT_WIRE_SAMPLE_H

#include "wire/cluster.h"

struct sample {
    uint64_t state;
    struct arena arena;
};

uint64_t sample_u64(struct sample *sample);
int sample_below(struct sample *sample, int bound);
struct slice sample_bytes(struct sample *sample, size_t len_max);
struct id128 sample_id(struct sample *sample);

void sample_envelope(struct sample *sample, enum envelope_kind kind, struct envelope *out);
void sample_batch(struct sample *sample, struct batch *out);
void sample_request(struct sample *sample, enum request_kind kind, struct request *out);
void sample_reply(struct sample *sample, enum request_kind kind, struct reply *out);

#endif
