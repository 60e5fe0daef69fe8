/* SPDX-License-Identifier: Apache-2.0
 *
 * Where settings come from, and how a command speaks.
 */
#include "ctl/shell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl/local.h"
#include "ops/system.h"

enum { KEY_FILE_BYTES_MAX = 1024 };

int ctl_fail(enum ctl_exit code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "madangctl: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    return (int)code;
}

const char *ctl_setting(const struct ctl *ctl, enum ctl_flag_id id)
{
    if (ctl->is.flag[id]) return ctl->is.flag[id];
    return local_find(buf_slice(&ctl->local), ctl_flags[id].name);
}

bool ctl_json(const struct ctl *ctl)
{
    return ctl->is.flag[CTL_JSON] != NULL;
}

void ctl_print(struct buf *out)
{
    if (out->len) fwrite(out->at, 1, out->len, stdout);
    fflush(stdout);
    buf_clear(out);
}

bool ctl_key(const struct ctl *ctl, struct order_key *out)
{
    const char *file = ctl_setting(ctl, CTL_OPERATOR_KEY_FILE);
    const char *text = getenv("MADANG_OPERATOR_KEY");
    struct buf bytes = {0};
    *out = (struct order_key){0};
    if (ctl->is.from_flag[CTL_OPERATOR_KEY_FILE] || text == NULL || *text == '\0') {
        if (file == NULL) {
            ctl_fail(CTL_EXIT_FORBIDDEN, "this needs the operator's key: MADANG_OPERATOR_KEY, "
                                         "MADANG_OPERATOR_KEY_FILE or --operator-key-file=FILE");
            return false;
        }
        if (!file_read(file, KEY_FILE_BYTES_MAX, &bytes)) {
            ctl_fail(CTL_EXIT_FORBIDDEN, "%s: the operator's key cannot be read from it", file);
            return false;
        }
    } else {
        buf_put_slice(&bytes, slice_text(text));
    }
    bool good = order_key_from(order_key_line(buf_slice(&bytes)), out);
    memset(bytes.at, 0, bytes.len);
    buf_fini(&bytes);
    if (!good)
        ctl_fail(CTL_EXIT_FORBIDDEN, "the operator's key has from %d to %d bytes",
                 ORDER_KEY_BYTES_MIN, ORDER_KEY_BYTES_MAX);
    return good;
}
