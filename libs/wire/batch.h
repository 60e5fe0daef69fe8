/* SPDX-License-Identifier: Apache-2.0
 *
 * A batch in pieces, for the link (link.h): an envelope is encoded the moment it is handed over, so
 * that lent memory is safe, and the other fields follow when the batch leaves. Envelopes and head
 * in any order are one encoded batch.
 */
#ifndef WIRE_BATCH_H
#define WIRE_BATCH_H

#include "wire/cluster.h"

/* Appends one envelope as a piece. ST_TOO_LARGE, ST_INVALID: refused, nothing appended. */
enum status batch_append_envelope(const struct envelope *envelope, struct buf *out);
/* Appends everything but the envelopes; list and count are not looked at. */
enum status batch_append_head(const struct batch *batch, struct buf *out);
/* What a head takes at most. */
enum { BATCH_HEAD_BYTES_MAX = 2 * 18 + 2 + WIRE_URL_BYTES_MAX + 1 + 2 * 11 };

#endif
