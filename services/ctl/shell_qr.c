/* SPDX-License-Identifier: Apache-2.0
 *
 * A QR code for a terminal: two rows of modules a line, drawn with half blocks, dark on light
 * whatever the terminal's colours are, with the quiet zone of four modules that readers want.
 */
#include <qrencode.h>
#include <stdio.h>

#include "ctl/up.h"

enum { QUIET = 4 };

static bool dark(const QRcode *code, int x, int y)
{
    if (x < 0 || y < 0 || x >= code->width || y >= code->width) return false;
    return code->data[y * code->width + x] & 1;
}

void qr_print(const char *text)
{
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
    if (!code) return;
    for (int y = -QUIET; y < code->width + QUIET; y += 2) {
        printf("  \033[38;5;16;48;5;231m");
        for (int x = -QUIET; x < code->width + QUIET; x++) {
            bool top = dark(code, x, y), bottom = dark(code, x, y + 1);
            fputs(top && bottom ? "█" : top ? "▀" : bottom ? "▄" : " ", stdout);
        }
        printf("\033[0m\n");
    }
    QRcode_free(code);
}
