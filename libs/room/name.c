/* SPDX-License-Identifier: Apache-2.0 */
#include "room/name.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdlib.h>
#include <utf8proc.h>

enum {
    ZWJ = 0x200D,
    VS16 = 0xFE0F,
    KEYCAP = 0x20E3,
};

/* What is drawn as nothing although its category is that of a letter, a mark or a symbol. The
 * Hangul fillers and the selectors are marked as ignorable in the tables. */
static bool is_blank_looking(utf8proc_int32_t point, const utf8proc_property_t *property)
{
    return property->ignorable || point == 0x2800 /* Braille blank */ || point == 0xFFFC ||
           point == 0xFFFD || point == 0x16FE4 || point == 0x1D159;
}

static bool is_space(const utf8proc_property_t *property)
{
    return property->category == UTF8PROC_CATEGORY_ZS;
}

static bool is_mark(const utf8proc_property_t *property)
{
    return property->category == UTF8PROC_CATEGORY_MN ||
           property->category == UTF8PROC_CATEGORY_MC || property->category == UTF8PROC_CATEGORY_ME;
}

static bool is_forbidden(utf8proc_int32_t point, const utf8proc_property_t *property)
{
    switch (property->category) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return is_blank_looking(point, property);
    }
}

static bool is_pictograph(utf8proc_int32_t point)
{
    return utf8proc_get_property(point)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

static bool is_keycap_base(utf8proc_int32_t point)
{
    return (point >= '0' && point <= '9') || point == '#' || point == '*';
}

/* Skin tones are extenders in the tables. */
static bool is_skin_tone(utf8proc_int32_t point)
{
    return point >= 0x1F3FB && point <= 0x1F3FF;
}

/* Whether the joiner or selector at i stands inside an emoji: ZWJ between two pictographs (skin
 * tone and VS16 may follow the first), VS16 after a pictograph or within a keycap. */
static bool belongs_to_emoji(const utf8proc_int32_t *points, size_t count, size_t i)
{
    utf8proc_int32_t next = i + 1 < count ? points[i + 1] : 0;
    if (i == 0) return false;
    if (points[i] == VS16)
        return is_pictograph(points[i - 1]) || (is_keycap_base(points[i - 1]) && next == KEYCAP);

    size_t before = i - 1;
    while (before > 0 && (is_skin_tone(points[before]) || points[before] == VS16)) before--;
    return is_pictograph(points[before]) && is_pictograph(next);
}

/* Drops blanks at the ends, makes those within one space each. Returns how many points are left. */
static size_t collapse_spaces(utf8proc_int32_t *points, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool space = is_space(utf8proc_get_property(points[i]));
        if (space && (kept == 0 || points[kept - 1] == ' ')) continue;
        points[kept++] = space ? ' ' : points[i];
    }
    return kept > 0 && points[kept - 1] == ' ' ? kept - 1 : kept;
}

static enum name_fault judge(const utf8proc_int32_t *points, size_t count)
{
    size_t graphemes = 0, in_grapheme = 0;
    utf8proc_int32_t state = 0;
    for (size_t i = 0; i < count; i++) {
        const utf8proc_property_t *property = utf8proc_get_property(points[i]);
        if (points[i] == ZWJ || points[i] == VS16) {
            if (!belongs_to_emoji(points, count, i)) return NAME_FAULT_CHARACTERS;
        } else if (is_forbidden(points[i], property)) {
            return NAME_FAULT_CHARACTERS;
        }
        if (is_mark(property) && (i == 0 || points[i - 1] == ' ')) return NAME_FAULT_CHARACTERS;

        bool begins = i == 0 || utf8proc_grapheme_break_stateful(points[i - 1], points[i], &state);
        graphemes += begins;
        in_grapheme = begins ? 1 : in_grapheme + 1;
        if (in_grapheme > NAME_GRAPHEME_POINTS_MAX) return NAME_FAULT_CHARACTERS;
    }
    return graphemes > NAME_GRAPHEMES_MAX ? NAME_FAULT_LONG : NAME_FAULT_NONE;
}

static enum name_fault write_points(const utf8proc_int32_t *points, size_t count,
                                    char out[WIRE_NAME_BYTES_MAX + 1])
{
    char written[WIRE_NAME_BYTES_MAX + 4];
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        if (len > WIRE_NAME_BYTES_MAX) return NAME_FAULT_LONG;
        len += (size_t)utf8proc_encode_char(points[i], (utf8proc_uint8_t *)written + len);
    }
    if (len > WIRE_NAME_BYTES_MAX) return NAME_FAULT_LONG;
    memcpy(out, written, len);
    out[len] = '\0';
    return NAME_FAULT_NONE;
}

enum name_fault name_normalise(struct slice typed, char out[WIRE_NAME_BYTES_MAX + 1])
{
    if (typed.len == 0) return NAME_FAULT_EMPTY;
    if (typed.len > NAME_TYPED_BYTES_MAX) return NAME_FAULT_LONG;

    const utf8proc_option_t nfc = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_ssize_t len = (utf8proc_ssize_t)typed.len;
    utf8proc_ssize_t found = utf8proc_decompose(typed.at, len, NULL, 0, nfc);
    if (found < 0) return NAME_FAULT_CHARACTERS;

    utf8proc_int32_t *points = calloc((size_t)found + 1, sizeof *points);
    CHECK(points != NULL);
    CHECK(utf8proc_decompose(typed.at, len, points, found, nfc) == found);
    found = utf8proc_normalize_utf32(points, found, nfc);
    CHECK(found >= 0);

    size_t count = collapse_spaces(points, (size_t)found);
    enum name_fault fault = count > 0 ? judge(points, count) : NAME_FAULT_EMPTY;
    if (fault == NAME_FAULT_NONE) fault = write_points(points, count, out);
    free(points);
    return fault;
}

bool name_skeleton(struct slice name, struct buf *out)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t bytes = utf8proc_map(name.at, (utf8proc_ssize_t)name.len, &folded,
                                          UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                                              UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    if (bytes < 0) return false;
    buf_put(out, folded, (size_t)bytes);
    free(folded);
    return true;
}

uint64_t name_look(struct slice name)
{
    struct buf skeleton = {0};
    if (!name_skeleton(name, &skeleton)) buf_put_slice(&skeleton, name);
    struct id128 hash = hash_128_for("name", buf_slice(&skeleton));
    buf_fini(&skeleton);

    uint64_t look = 0;
    for (int i = 0; i < 8; i++) look |= (uint64_t)hash.byte[i] << (8 * i);
    return look;
}
