/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/test.h"
#include "wire/cluster.h"

static bool normalised(const char *typed, const char *expected)
{
    char code[WIRE_CODE_LEN + 1];
    return code_normalise(slice_text(typed), code) && strcmp(code, expected) == 0;
}

static bool refused(const char *typed)
{
    char code[WIRE_CODE_LEN + 1];
    return !code_normalise(slice_text(typed), code);
}

static void what_people_type_is_forgiven(void **unused)
{
    (void)unused;
    assert_true(normalised("ABC123", "ABC123"));
    assert_true(normalised("abc-123", "ABC123"));
    assert_true(normalised(" ab c1 23\n", "ABC123"));
    assert_true(normalised("iIlLoO", "111100"));
    assert_true(normalised("zyxwvt", "ZYXWVT"));
}

static void what_is_no_code_is_refused(void **unused)
{
    (void)unused;
    assert_true(refused(""));
    assert_true(refused("ABC12"));
    assert_true(refused("ABC1234"));
    assert_true(refused("ABCU12"));
    assert_true(refused("ABC12!"));
    assert_true(refused("마당마당마당"));
    char code[WIRE_CODE_LEN + 1];
    assert_false(code_normalise(slice_of("ABC\00012", 6), code));
}

static void thirty_bits_come_back(void **unused)
{
    (void)unused;
    char code[WIRE_CODE_LEN + 1], again[WIRE_CODE_LEN + 1];
    for (uint32_t bits = 1; bits < 1u << 30; bits = bits * 3 + 7) {
        code_write(bits, code);
        assert_int_equal(code_bits(code), bits);
        assert_true(code_normalise(slice_text(code), again));
        assert_string_equal(code, again);
    }
    code_write(0, code);
    assert_string_equal(code, "000000");
    code_write((1u << 30) - 1, code);
    assert_string_equal(code, "ZZZZZZ");
    assert_int_equal(room_id_bits(room_id_make(code_bits(code), 7)), (1u << 30) - 1);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_people_type_is_forgiven),
                     cmocka_unit_test(what_is_no_code_is_refused),
                     cmocka_unit_test(thirty_bits_come_back));
}
