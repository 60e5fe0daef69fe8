/* SPDX-License-Identifier: Apache-2.0 */
#include "room/name.h"

#include "unit/test.h"

#include <stdio.h>
#include <string.h>

static void becomes(const char *typed, const char *expected)
{
    char out[WIRE_NAME_BYTES_MAX + 1] = "untouched", again[WIRE_NAME_BYTES_MAX + 1];
    assert_int_equal(name_normalise(slice_text(typed), out), NAME_FAULT_NONE);
    assert_string_equal(out, expected);
    assert_int_equal(name_normalise(slice_text(out), again), NAME_FAULT_NONE);
    assert_string_equal(again, out);
}

static void is_refused(const char *typed, enum name_fault expected)
{
    char out[WIRE_NAME_BYTES_MAX + 1] = "untouched";
    enum name_fault fault = name_normalise(slice_text(typed), out);
    if (fault != expected) print_error("\"%s\": %d\n", typed, fault);
    assert_int_equal(fault, expected);
    assert_string_equal(out, "untouched");
}

static void ordinary_names_stay_as_they_are(void **unused)
{
    (void)unused;
    becomes("민수", "민수");
    becomes("Ann-Sofie", "Ann-Sofie");
    becomes("김 영희", "김 영희");
    becomes("ㅋㅋㅋ", "ㅋㅋㅋ");
    becomes("さくら", "さくら");
    becomes("नमस्ते", "नमस्ते");
    becomes("José", "José");
    becomes("123", "123");
    becomes("<b>", "<b>");
}

static void names_are_composed(void **unused)
{
    (void)unused;
    /* What some phones send for 한: three conjoining letters. */
    becomes("\u1112\u1161\u11ab", "한");
    becomes("e\u0301", "é");
}

static void blanks_at_the_ends_go_and_those_within_become_one_space(void **unused)
{
    (void)unused;
    becomes("  민수  ", "민수");
    becomes("김   영희", "김 영희");
    becomes("김\u00a0\u3000영희\u2003", "김 영희");
}

static void nothing_to_see_is_empty(void **unused)
{
    (void)unused;
    is_refused("", NAME_FAULT_EMPTY);
    is_refused("   ", NAME_FAULT_EMPTY);
    is_refused("\u3000\u00a0", NAME_FAULT_EMPTY);
}

static void twelve_characters_fit_and_thirteen_do_not(void **unused)
{
    (void)unused;
    becomes("열두글자로된긴이름이네요", "열두글자로된긴이름이네요");
    is_refused("열두글자로된긴이름이네요!", NAME_FAULT_LONG);
    becomes("abcdefghijkl", "abcdefghijkl");
    is_refused("abcdefghijklm", NAME_FAULT_LONG);
    /* A family is one character, a flag too. */
    becomes("👨‍👩‍👧‍👦abcdefghijk", "👨‍👩‍👧‍👦abcdefghijk");
    becomes("🇰🇷abcdefghijk", "🇰🇷abcdefghijk");
}

static void ninety_six_bytes_fit_and_more_do_not(void **unused)
{
    (void)unused;
    const char *family = "👨‍👩‍👧‍👦"; /* 25 bytes */
    char typed[256] = "";
    for (int i = 0; i < 3; i++) strcat(typed, family);
    strcat(typed, "🇰🇷민수민수abc"); /* 75 + 8 + 12 + 3 = 98: too long by two */
    is_refused(typed, NAME_FAULT_LONG);
    typed[strlen(typed) - 2] = '\0';
    becomes(typed, typed);
}

static void eight_code_points_in_a_character_fit_and_nine_do_not(void **unused)
{
    (void)unused;
    becomes("x\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
            "x\u0301\u0301\u0301\u0301\u0301\u0301\u0301");
    is_refused("x\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", NAME_FAULT_CHARACTERS);
}

static void emoji_may_be_joined_and_dressed(void **unused)
{
    (void)unused;
    becomes("👩‍🚀", "👩‍🚀");
    becomes("👩🏽‍🚀", "👩🏽‍🚀");
    becomes("❤️", "❤️");
    becomes("❤️‍🔥", "❤️‍🔥");
    becomes("👍🏻", "👍🏻");
    becomes("1️⃣", "1️⃣");
    becomes("🏳️‍🌈", "🏳️‍🌈");
}

static void joiners_and_selectors_outside_an_emoji_are_refused(void **unused)
{
    (void)unused;
    is_refused("민\u200d수", NAME_FAULT_CHARACTERS);
    is_refused("a\ufe0f", NAME_FAULT_CHARACTERS);
    is_refused("1\ufe0f", NAME_FAULT_CHARACTERS);
    is_refused("\u200d👩", NAME_FAULT_CHARACTERS);
    is_refused("👩\u200d", NAME_FAULT_CHARACTERS);
    is_refused("👩\u200d민", NAME_FAULT_CHARACTERS);
    is_refused("\ufe0f", NAME_FAULT_CHARACTERS);
    is_refused("❤\ufe0e", NAME_FAULT_CHARACTERS);
}

static void what_cannot_be_seen_is_refused(void **unused)
{
    (void)unused;
    static const char *const points[] = {
        "\u200b",     "\u200c",     "\u2060", "\ufeff", "\u00ad",     "\u034f",
        "\u061c",     "\u180e",     "\u115f", "\u1160", "\u3164",     "\uffa0",
        "\u2800",     "\u17b4",     "\ufff9", "\ufffc", "\U000e0041", "\U000e0100",
        "\U0001d159", "\U0001d173", "\u2028", "\u2029",
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char typed[32];
        snprintf(typed, sizeof typed, "민%s수", points[i]);
        is_refused(typed, NAME_FAULT_CHARACTERS);
        is_refused(points[i], NAME_FAULT_CHARACTERS);
    }
}

static void controls_and_directions_are_refused(void **unused)
{
    (void)unused;
    static const char *const points[] = {
        "\x01",   "\t",     "\n",     "\x7f",   "\xc2\x85", "\u202a", "\u202b", "\u202c",
        "\u202d", "\u202e", "\u2066", "\u2067", "\u2068",   "\u2069", "\u200e", "\u200f",
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char typed[32];
        snprintf(typed, sizeof typed, "a%sb", points[i]);
        is_refused(typed, NAME_FAULT_CHARACTERS);
    }
    char out[WIRE_NAME_BYTES_MAX + 1];
    assert_int_equal(name_normalise(slice_of("a\0b", 3), out), NAME_FAULT_CHARACTERS);
}

static void private_unassigned_and_broken_bytes_are_refused(void **unused)
{
    (void)unused;
    is_refused("\ue000", NAME_FAULT_CHARACTERS);
    is_refused("\U000f0000", NAME_FAULT_CHARACTERS);
    is_refused("\u0378", NAME_FAULT_CHARACTERS);
    is_refused("\xf4\x8f\xbf\xbf", NAME_FAULT_CHARACTERS);
    is_refused("\xff", NAME_FAULT_CHARACTERS);
    is_refused("\xed\xa0\x80", NAME_FAULT_CHARACTERS);
    is_refused("\xec\x98", NAME_FAULT_CHARACTERS);
    is_refused("\xc0\x80", NAME_FAULT_CHARACTERS);
    is_refused("\ufffd", NAME_FAULT_CHARACTERS);
}

static void a_mark_needs_a_letter(void **unused)
{
    (void)unused;
    is_refused("\u0301", NAME_FAULT_CHARACTERS);
    is_refused("a \u0301", NAME_FAULT_CHARACTERS);
    is_refused("\u20dd", NAME_FAULT_CHARACTERS);
}

static void overlong_input_is_not_looked_at(void **unused)
{
    (void)unused;
    static char typed[NAME_TYPED_BYTES_MAX + 2];
    memset(typed, ' ', sizeof typed - 1);
    is_refused(typed, NAME_FAULT_LONG);
    typed[NAME_TYPED_BYTES_MAX] = '\0';
    is_refused(typed, NAME_FAULT_EMPTY);
}

static void look_alike(const char *a, const char *b, bool expected)
{
    bool alike = name_look(slice_text(a)) == name_look(slice_text(b));
    if (alike != expected) print_error("\"%s\" \"%s\"\n", a, b);
    assert_int_equal(alike, expected);
}

static void names_look_alike_after_folding(void **unused)
{
    (void)unused;
    look_alike("Min", "mIN", true);
    look_alike("Ｍｉｎ", "min", true); /* full width */
    look_alike("ﬁn", "fin", true);
    look_alike("Straße", "STRASSE", true);
    look_alike("①", "1", true);
    look_alike("❤️", "❤", true);
    look_alike("민수", "민슈", false);
    look_alike("a b", "ab", false);
    look_alike("", "a", false);
    struct buf skeleton = {0};
    assert_false(name_skeleton(slice_text("\xff"), &skeleton));
    assert_int_equal(skeleton.len, 0);
    assert_true(name_skeleton(slice_text("ＭIN"), &skeleton));
    assert_int_equal(skeleton.len, 3);
    assert_memory_equal(skeleton.at, "min", 3);
    buf_fini(&skeleton);
}

/* Every code point there is, alone and between letters: never a crash, never something that changes
 * when normalised again, never more than fits. */
static void every_code_point_comes_out_the_same_twice_or_not_at_all(void **unused)
{
    (void)unused;
    int accepted = 0;
    for (uint32_t point = 1; point < 0x110000; point++) {
        uint8_t typed[8] = {'a'};
        size_t len = 1;
        if (point < 0x80) {
            typed[len++] = (uint8_t)point;
        } else if (point < 0x800) {
            typed[len++] = (uint8_t)(0xc0 | point >> 6);
            typed[len++] = (uint8_t)(0x80 | (point & 63));
        } else if (point < 0x10000) {
            typed[len++] = (uint8_t)(0xe0 | point >> 12);
            typed[len++] = (uint8_t)(0x80 | (point >> 6 & 63));
            typed[len++] = (uint8_t)(0x80 | (point & 63));
        } else {
            typed[len++] = (uint8_t)(0xf0 | point >> 18);
            typed[len++] = (uint8_t)(0x80 | (point >> 12 & 63));
            typed[len++] = (uint8_t)(0x80 | (point >> 6 & 63));
            typed[len++] = (uint8_t)(0x80 | (point & 63));
        }
        typed[len++] = 'b';
        char once[WIRE_NAME_BYTES_MAX + 1], twice[WIRE_NAME_BYTES_MAX + 1];
        if (name_normalise(slice_of(typed, len), once) != NAME_FAULT_NONE) continue;
        accepted++;
        assert_int_equal(name_normalise(slice_text(once), twice), NAME_FAULT_NONE);
        assert_string_equal(once, twice);
    }
    assert_in_range(accepted, 100000, 200000);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(ordinary_names_stay_as_they_are),
                     cmocka_unit_test(names_are_composed),
                     cmocka_unit_test(blanks_at_the_ends_go_and_those_within_become_one_space),
                     cmocka_unit_test(nothing_to_see_is_empty),
                     cmocka_unit_test(twelve_characters_fit_and_thirteen_do_not),
                     cmocka_unit_test(ninety_six_bytes_fit_and_more_do_not),
                     cmocka_unit_test(eight_code_points_in_a_character_fit_and_nine_do_not),
                     cmocka_unit_test(emoji_may_be_joined_and_dressed),
                     cmocka_unit_test(joiners_and_selectors_outside_an_emoji_are_refused),
                     cmocka_unit_test(what_cannot_be_seen_is_refused),
                     cmocka_unit_test(controls_and_directions_are_refused),
                     cmocka_unit_test(private_unassigned_and_broken_bytes_are_refused),
                     cmocka_unit_test(a_mark_needs_a_letter),
                     cmocka_unit_test(overlong_input_is_not_looked_at),
                     cmocka_unit_test(names_look_alike_after_folding),
                     cmocka_unit_test(every_code_point_comes_out_the_same_twice_or_not_at_all));
}
