/* SPDX-License-Identifier: Apache-2.0
 *
 * Patches: what they make, what they refuse, how small they are.
 */
#include "base/hash.h"
#include "unit/test.h"
#include "wire/patch.h"

#include <string.h>

enum { SECTION = 500 };

static uint64_t chance;

static size_t draw(size_t below)
{
    return below ? (size_t)(hash_mix64(++chance) % below) : 0;
}

static void fill(struct buf *bytes, size_t len)
{
    buf_clear(bytes);
    for (size_t i = 0; i < len; i++) buf_put_u8(bytes, (uint8_t)draw(256));
}

/* A copy that ends where it ends, so that sanitizers see a read beyond. */
static struct slice exactly(struct slice bytes)
{
    uint8_t *copy = malloc(bytes.len ? bytes.len : 1);
    assert_non_null(copy);
    if (bytes.len) memcpy(copy, bytes.at, bytes.len);
    return slice_of(copy, bytes.len);
}

/* ---- what both readers are held against ------------------------------------------------------ */

static struct buf unhex(const char *text)
{
    struct buf bytes = {0};
    unsigned byte;
    for (; sscanf(text, "%2x", &byte) == 1; text += 2) buf_put_u8(&bytes, (uint8_t)byte);
    return bytes;
}

static void hold_against(const char *line)
{
    char what[16], old[1000], patch[1000], new[1000] = "-";
    int words = sscanf(line, "%15s %999s %999s %999s", what, old, patch, new);
    bool makes = strcmp(what, "makes") == 0;
    assert_int_equal(words, makes ? 4 : 3);
    struct buf from = unhex(old), by = unhex(patch), to = unhex(new), made = {0};
    enum status status = patch_apply(buf_slice(&from), buf_slice(&by), 1000, &made);
    if (status != (makes ? ST_OK : ST_INVALID)) fail_msg("%s: %s", line, status_text(status));
    if (!slice_equal(buf_slice(&made), buf_slice(&to))) fail_msg("%s: makes something else", line);
    buf_fini(&from);
    buf_fini(&by);
    buf_fini(&to);
    buf_fini(&made);
}

static void patches_make_and_refuse_what_is_written_down(void **unused)
{
    (void)unused;
    char line[4000];
    int makes = 0, refused = 0;
    FILE *in = fopen("tests/unit/wire/patches.txt", "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#') continue;
        hold_against(line);
        makes += line[0] == 'm';
        refused += line[0] == 'r';
    }
    fclose(in);
    assert_true(makes >= 10 && refused >= 10);
}

/* ---- there and back -------------------------------------------------------------------------- */

/* Some bytes are replaced, put in, taken out, moved or doubled. */
static void edit(struct buf *bytes, struct buf *out)
{
    size_t at = draw(bytes->len + 1), len = draw(bytes->len - at + 1);
    size_t to = draw(bytes->len + 1);
    buf_clear(out);
    switch (draw(4)) {
    case 0:
        buf_put(out, bytes->at, bytes->len);
        for (size_t i = 0; i < len && i < 8; i++) out->at[at + i] = (uint8_t)draw(256);
        break;
    case 1:
        buf_put(out, bytes->at, at);
        for (size_t i = draw(20); i > 0; i--) buf_put_u8(out, (uint8_t)draw(256));
        buf_put(out, bytes->at + at, bytes->len - at);
        break;
    case 2:
        buf_put(out, bytes->at, at);
        buf_put(out, bytes->at + at + len, bytes->len - at - len);
        break;
    default:
        buf_put(out, bytes->at, to);
        buf_put(out, bytes->at + at, len);
        buf_put(out, bytes->at + to, bytes->len - to);
    }
    if (out->len > 3 * SECTION) out->len = SECTION;
}

static void what_was_edited_comes_back(void **unused)
{
    (void)unused;
    struct buf from = {0}, to = {0}, patch = {0}, made = {0};
    int written = 0;
    for (int run = 0; run < 20000; run++) {
        if (run % 100 == 0) fill(&from, 1 + draw(SECTION));
        edit(&from, &to);
        buf_clear(&patch);
        buf_clear(&made);
        struct slice old = exactly(buf_slice(&from)), new = exactly(buf_slice(&to));
        if (patch_write(old, new, &patch)) {
            written++;
            assert_true(patch.len < to.len);
            struct slice by = exactly(buf_slice(&patch));
            assert_int_equal(patch_apply(old, by, to.len, &made), ST_OK);
            assert_true(slice_equal(buf_slice(&made), new));
            free((void *)by.at);
        } else {
            assert_int_equal(patch.len, 0);
        }
        free((void *)old.at);
        free((void *)new.at);
        buf_clear(&from);
        buf_put_slice(&from, buf_slice(&to));
        if (from.len == 0) buf_put_u8(&from, 1);
    }
    assert_true(written > 18000);
    buf_fini(&from);
    buf_fini(&to);
    buf_fini(&patch);
    buf_fini(&made);
}

/* ---- size ------------------------------------------------------------------------------------ */

static size_t cost(struct slice from, struct slice to)
{
    struct buf patch = {0};
    bool smaller = patch_write(from, to, &patch);
    size_t len = smaller ? patch.len : SIZE_MAX;
    buf_fini(&patch);
    return len;
}

static void a_small_change_costs_a_few_bytes(void **unused)
{
    (void)unused;
    struct buf from = {0};
    for (int run = 0; run < 1000; run++) {
        fill(&from, SECTION);
        size_t at = 40 + draw(SECTION - 80);
        struct buf to = {0};
        buf_put_slice(&to, buf_slice(&from));
        to.at[at] ^= 1; /* a number */
        assert_true(cost(buf_slice(&from), buf_slice(&to)) <= 7);
        to.at[at / 2 + 10] ^= 1; /* and another */
        to.at[20] ^= 1;          /* and a third */
        assert_true(cost(buf_slice(&from), buf_slice(&to)) < 20);
        buf_clear(&to); /* a number that has one byte more now */
        buf_put(&to, from.at, at);
        buf_put(&to, "x", 1);
        buf_put(&to, from.at + at, SECTION - at);
        assert_true(cost(buf_slice(&from), buf_slice(&to)) <= 9);
        buf_clear(&to); /* thirteen bytes that lie elsewhere now, as a card does */
        buf_put(&to, from.at, 5);
        buf_put(&to, from.at + at, 13);
        buf_put(&to, from.at + 18, SECTION - 18);
        assert_true(cost(buf_slice(&from), buf_slice(&to)) <= 9);
        buf_fini(&to);
    }
    buf_fini(&from);
}

static void what_would_not_be_smaller_is_no_patch(void **unused)
{
    (void)unused;
    struct buf from = {0}, to = {0}, patch = {0};
    fill(&from, SECTION);
    fill(&to, SECTION);
    buf_put(&patch, "before", 6);
    assert_false(patch_write(buf_slice(&from), buf_slice(&to), &patch));
    assert_false(patch_write((struct slice){0}, buf_slice(&to), &patch));
    assert_false(patch_write(buf_slice(&from), (struct slice){0}, &patch));
    assert_false(patch_write(slice_text("abc"), slice_text("a"), &patch));
    fill(&to, PATCH_BYTES_MAX);
    assert_false(patch_write(buf_slice(&to), buf_slice(&to), &patch));
    assert_true(slice_equal(buf_slice(&patch), slice_text("before")));
    buf_fini(&from);
    buf_fini(&to);
    buf_fini(&patch);
}

/* ---- anything as a patch --------------------------------------------------------------------- */

static void arbitrary_patches_stay_within_bounds(void **unused)
{
    (void)unused;
    struct buf from = {0}, patch = {0}, made = {0};
    uint64_t seen[ST_TOO_LARGE + 1] = {0};
    fill(&from, 40);
    struct slice old = exactly(buf_slice(&from));
    for (int run = 0; run < 200000; run++) {
        buf_clear(&patch);
        for (size_t i = 1 + draw(6); i > 0; i--)
            buf_put_u8(&patch, (uint8_t)draw(1 << (2 + run % 7)));
        struct slice by = exactly(buf_slice(&patch));
        buf_clear(&made);
        buf_put_u8(&made, 7);
        enum status status = patch_apply(old, by, 10, &made);
        assert_true(status == ST_OK || status == ST_INVALID || status == ST_TOO_LARGE);
        assert_true(made.len <= 1 + 10 && (status == ST_OK || made.len == 1));
        seen[status]++;
        free((void *)by.at);
    }
    assert_true(seen[ST_OK] && seen[ST_INVALID] && seen[ST_TOO_LARGE]);
    free((void *)old.at);
    buf_fini(&from);
    buf_fini(&patch);
    buf_fini(&made);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(patches_make_and_refuse_what_is_written_down),
                     cmocka_unit_test(what_was_edited_comes_back),
                     cmocka_unit_test(a_small_change_costs_a_few_bytes),
                     cmocka_unit_test(what_would_not_be_smaller_is_no_patch),
                     cmocka_unit_test(arbitrary_patches_stay_within_bounds));
}
