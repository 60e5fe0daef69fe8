/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounds of cluster.h, checked on the structs themselves: before encoding, so that nobody is
 * sent what it must refuse, and after decoding, so that nothing beyond a bound gets in.
 */
#ifndef WIRE_BOUNDS_H
#define WIRE_BOUNDS_H

#include "wire/cluster.h"

/* ST_TOO_LARGE beyond a length or a count, ST_INVALID for a kind or value that is none. */
enum status bounds_envelope(const struct envelope *envelope);
enum status bounds_batch_head(const struct batch *batch);
enum status bounds_request(const struct request *request);
enum status bounds_reply(const struct reply *reply);

#endif
