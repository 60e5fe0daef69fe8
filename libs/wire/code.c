/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "wire/cluster.h"

/* Crockford's 32: no I, L, O, U. */
static const char symbols[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

enum { SYMBOL_BITS = 5, SYMBOL_MASK = 31 };

/* What a typed character stands for; -1: nothing. */
static int symbol_value(uint8_t typed)
{
    if (typed >= 'a' && typed <= 'z') typed = (uint8_t)(typed - 'a' + 'A');
    if (typed == 'I' || typed == 'L') typed = '1';
    if (typed == 'O') typed = '0';
    const char *at = typed ? strchr(symbols, typed) : NULL;
    return at ? (int)(at - symbols) : -1;
}

bool code_normalise(struct slice typed, char code[WIRE_CODE_LEN + 1])
{
    int len = 0;
    for (size_t i = 0; i < typed.len; i++) {
        uint8_t c = typed.at[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '-') continue;
        int value = symbol_value(c);
        if (value < 0 || len == WIRE_CODE_LEN) return false;
        code[len++] = symbols[value];
    }
    code[len] = '\0';
    return len == WIRE_CODE_LEN;
}

void code_write(uint32_t bits30, char code[WIRE_CODE_LEN + 1])
{
    for (int i = WIRE_CODE_LEN - 1; i >= 0; i--) {
        code[i] = symbols[bits30 & SYMBOL_MASK];
        bits30 >>= SYMBOL_BITS;
    }
    code[WIRE_CODE_LEN] = '\0';
}

uint32_t code_bits(const char *code)
{
    uint32_t bits = 0;
    for (int i = 0; i < WIRE_CODE_LEN; i++) {
        int value = symbol_value((uint8_t)code[i]);
        CHECK(value >= 0);
        bits = bits << SYMBOL_BITS | (uint32_t)value;
    }
    return bits;
}
