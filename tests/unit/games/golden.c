/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/golden.h"

#include "unit/test.h"

#include <stdio.h>

struct buf golden_read(const char *file)
{
    char path[160];
    struct buf text = {0};
    snprintf(path, sizeof path, "tests/unit/games/golden/%s", file);
    FILE *in = fopen(path, "rb");
    if (!in) fail_msg("%s cannot be read", path);
    int byte;
    while ((byte = fgetc(in)) != EOF) buf_put_u8(&text, (uint8_t)byte);
    fclose(in);
    return text;
}

void golden_same(const char *file, struct slice is, struct slice should)
{
    size_t at = 0, from = 0, line = 1;
    while (at < is.len && at < should.len && is.at[at] == should.at[at])
        if (should.at[at++] == '\n') from = at, line++;
    if (at == is.len && at == should.len) return;
    size_t end = from;
    while (end < should.len && should.at[end] != '\n') end++;
    fail_msg("%s:%zu: made today it is \"%.*s\"", file, line, (int)(end - from),
             (const char *)should.at + from);
}

void golden_plays_as_written(const char *name, golden_play *play)
{
    char file[128];
    struct buf played = {0};
    snprintf(file, sizeof file, "%s.txt", name);
    struct buf written = golden_read(file);
    play(buf_slice(&written), &played);
    golden_same(file, buf_slice(&written), buf_slice(&played));
    buf_fini(&written);
    buf_fini(&played);
}

int golden_write(golden_play *play)
{
    struct buf in = {0}, out = {0};
    int byte;
    while ((byte = getchar()) != EOF) buf_put_u8(&in, (uint8_t)byte);
    play(buf_slice(&in), &out);
    bool written = fwrite(out.at, 1, out.len, stdout) == out.len;
    buf_fini(&in);
    buf_fini(&out);
    return written ? 0 : 1;
}
