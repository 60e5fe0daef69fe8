/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays a transcript from standard input and prints it as it should be: for writing new ones.
 */
#include "unit/games/davinci_transcript.h"

#include <stdio.h>

int main(void)
{
    struct buf in = {0}, out = {0};
    int byte;
    while ((byte = getchar()) != EOF) buf_put_u8(&in, (uint8_t)byte);
    transcript_play(buf_slice(&in), &out);
    bool written = fwrite(out.at, 1, out.len, stdout) == out.len;
    buf_fini(&in);
    buf_fini(&out);
    return written ? 0 : 1;
}
