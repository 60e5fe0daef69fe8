/* SPDX-License-Identifier: Apache-2.0
 *
 * Field by field equality of messages, failing the test that asks. Written out rather than compared
 * as bytes, so that a field which encoder and decoder both forget is noticed.
 */
#ifndef UNIT_WIRE_SAME_H
#define UNIT_WIRE_SAME_H

#include "wire/cluster.h"

void assert_same_envelope(const struct envelope *a, const struct envelope *b);
void assert_same_batch(const struct batch *a, const struct batch *b);
void assert_same_request(const struct request *a, const struct request *b);
void assert_same_reply(const struct reply *a, const struct reply *b);

#endif
