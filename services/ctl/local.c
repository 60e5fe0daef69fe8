/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/local.h"

#include "ctl/text.h"

void local_add(struct buf *note, const char *name, const char *value)
{
    text_add(note, "%s %s\n", name, value);
}

void local_end(struct buf *note)
{
    for (size_t i = 0; i < note->len; i++)
        if (note->at[i] == '\n') note->at[i] = 0;
    buf_put_u8(note, 0);
}

const char *local_find(struct slice note, const char *name)
{
    size_t len = strlen(name);
    const char *at = (const char *)note.at, *end = at ? at + note.len : NULL;
    while (at < end) {
        if (strncmp(at, name, len) == 0 && at[len] == ' ') return at + len + 1;
        at += strlen(at) + 1;
    }
    return NULL;
}
