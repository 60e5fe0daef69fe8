/* SPDX-License-Identifier: Apache-2.0
 *
 * The proof that an order comes from who has the operator's key. The key itself never crosses the
 * network: an order carries a keyed hash of what it asks, of whom, and of its number, so what was
 * overheard can neither be changed, nor sent to another process, nor (where the process minds the
 * number) be given a second time.
 */
#ifndef WIRE_ORDER_H
#define WIRE_ORDER_H

#include "wire/cluster.h"

enum { ORDER_KEY_BYTES_MIN = 16, ORDER_KEY_BYTES_MAX = 256 };

struct order_key {
    bool there;
    uint8_t byte[32];
};

/* From the text that operators keep. False: shorter or longer than the bounds; *out is then none.
 */
bool order_key_from(struct slice text, struct order_key *out);
/* The first line of a file that holds one, borrowed. */
struct slice order_key_line(struct slice file);
/* Fills in request->order.proof. Everything else of the request must stand. */
void order_sign(const struct order_key *key, struct request *request);
/* In constant time. False without a key, too. */
bool order_proves(const struct order_key *key, const struct request *request);

#endif
