/* SPDX-License-Identifier: Apache-2.0
 *
 * One decoded envelope to our struct; batch.c's other half.
 */
#ifndef WIRE_ENVELOPE_DECODE_H
#define WIRE_ENVELOPE_DECODE_H

#include "wire/pb.h"

/* *to is zeroed. What it points to lies where `from` lies and in the arena. */
enum status envelope_take(const PB(Envelope) * from, struct arena *arena, struct envelope *to);

#endif
