/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints golden/davinci_candidates.json. A difference there is a change of the rules.
 */
#include "unit/games/davinci_vectors.h"

#include <stdio.h>

int main(void)
{
    struct buf out = {0};
    davinci_vectors_write(&out);
    bool written = fwrite(out.at, 1, out.len, stdout) == out.len;
    buf_fini(&out);
    return written ? 0 : 1;
}
