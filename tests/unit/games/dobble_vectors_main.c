/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints golden/dobble_layouts.json. A difference there lays the cards of every game otherwise.
 */
#include "unit/games/dobble_vectors.h"

#include <stdio.h>

int main(void)
{
    struct buf out = {0};
    dobble_vectors_write(&out);
    bool written = fwrite(out.at, 1, out.len, stdout) == out.len;
    buf_fini(&out);
    return written ? 0 : 1;
}
