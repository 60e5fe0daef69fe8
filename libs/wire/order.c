/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/order.h"

#include "base/check.h"

#include <sodium.h>

_Static_assert(ORDER_PROOF_BYTES == crypto_auth_BYTES, "a proof is what crypto_auth makes");

bool order_key_from(struct slice text, struct order_key *out)
{
    static const char purpose[] = "madang operator";
    *out = (struct order_key){0};
    if (text.len < ORDER_KEY_BYTES_MIN || text.len > ORDER_KEY_BYTES_MAX) return false;
    _Static_assert(sizeof out->byte == crypto_auth_KEYBYTES, "a key is what crypto_auth takes");
    CHECK(crypto_generichash(out->byte, sizeof out->byte, text.at, text.len,
                             (const unsigned char *)purpose, sizeof purpose - 1) == 0);
    out->there = true;
    return true;
}

static void put_id(struct buf *out, struct id128 id)
{
    buf_put(out, id.byte, sizeof id.byte);
}

/* Fixed widths, in this order. A new field of an order is added at the end. */
static void put_covered(const struct request *request, struct buf *out)
{
    const struct order *order = &request->order;
    buf_put_u32(out, (uint32_t)request->kind);
    put_id(out, request->id);
    put_id(out, request->from);
    buf_put_u64(out, request->room);
    put_id(out, order->to);
    buf_put_u64(out, order->number);
    buf_put_u64(out, order->after);
    buf_put_u32(out, order->seat);
    buf_put_u8(out, order->reveal);
}

void order_sign(const struct order_key *key, struct request *request)
{
    struct buf covered = {0};
    put_covered(request, &covered);
    CHECK(key->there);
    CHECK(crypto_auth(request->order.proof, covered.at, covered.len, key->byte) == 0);
    buf_fini(&covered);
}

bool order_proves(const struct order_key *key, const struct request *request)
{
    struct buf covered = {0};
    if (!key->there) return false;
    put_covered(request, &covered);
    bool proves = crypto_auth_verify(request->order.proof, covered.at, covered.len, key->byte) == 0;
    buf_fini(&covered);
    return proves;
}

struct slice order_key_line(struct slice file)
{
    size_t len = 0;
    while (len < file.len && file.at[len] != '\n' && file.at[len] != '\r') len++;
    return slice_of(file.at, len);
}
