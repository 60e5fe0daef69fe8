/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/dobble_vectors.h"

#include "games/dobble/dobble.h"
#include "unit/games/text.h"

/* Looks from all over: the first ones, the last ones, and some between. */
enum { AT_EACH_END = 12, BETWEEN = 40, STEP = DOBBLE_LOOKS / BETWEEN };

static void put_vector(uint32_t look, bool easy, struct buf *out)
{
    text_put(out, "%s{\"look\": %u, \"easy\": %s, \"spots\": [", out->len > 2 ? ",\n" : "", look,
             easy ? "true" : "false");
    for (int slot = 0; slot < DOBBLE_ITEMS_MAX; slot++) {
        struct dobble_spot spot = dobble_spot(dobble_lie(look, easy, slot));
        text_put(out, "%s\n  {\"x\": %u, \"y\": %u, \"size\": %u, \"turn\": %u}", slot ? "," : "",
                 spot.x, spot.y, spot.size, spot.turn);
    }
    text_put(out, "]}");
}

void dobble_vectors_write(struct buf *out)
{
    text_put(out, "[\n");
    for (uint32_t i = 0; i < AT_EACH_END; i++) put_vector(i, false, out);
    for (uint32_t i = 1; i < BETWEEN; i++) put_vector(i * STEP, i % 8 == 0, out);
    for (uint32_t i = AT_EACH_END; i > 0; i--) put_vector(DOBBLE_LOOKS - i, false, out);
    text_put(out, "\n]\n");
}
