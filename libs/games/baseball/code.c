/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes: reading, writing, drawing and judging them.
 */
#include "games/baseball/baseball.h"

#include "base/check.h"

static uint32_t weight(const struct baseball_rules *rules, int place)
{
    uint32_t value = 1;
    for (int i = place + 1; i < rules->digits; i++) value *= 10;
    return value;
}

int baseball_digit(const struct baseball_rules *rules, uint32_t code, int place)
{
    return (int)(code / weight(rules, place) % 10);
}

/* Bit d: digit d is in the code. */
static uint32_t digits_of(const struct baseball_rules *rules, uint32_t code)
{
    uint32_t set = 0;
    for (int place = 0; place < rules->digits; place++)
        set |= 1u << baseball_digit(rules, code, place);
    return set;
}

static int count_of(uint32_t set)
{
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

bool baseball_is_code(const struct baseball_rules *rules, uint32_t code)
{
    if (code / 10 >= weight(rules, 0)) return false;
    uint32_t set = digits_of(rules, code);
    return set >> rules->symbols == 0 && count_of(set) == rules->digits;
}

/* Neither has a digit twice, so a digit that both have is a strike or a ball and nothing else. Both
 * are read once, from the last digit on. */
struct baseball_judged baseball_judge(const struct baseball_rules *rules, uint32_t secret,
                                      uint32_t guess)
{
    uint32_t in_secret = 0, in_guess = 0;
    int strikes = 0;
    for (int place = 0; place < rules->digits; place++) {
        uint32_t digit = secret % 10, guessed = guess % 10;
        strikes += digit == guessed;
        in_secret |= 1u << digit;
        in_guess |= 1u << guessed;
        secret /= 10;
        guess /= 10;
    }
    return (struct baseball_judged){strikes, count_of(in_secret & in_guess) - strikes};
}

/* Characters, not bytes: a full-width digit is the wrong character, not three. */
static size_t characters(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) count += (text.at[i] & 0xc0) != 0x80;
    return count;
}

enum baseball_reason baseball_read_code(const struct baseball_rules *rules, struct slice text,
                                        uint32_t *code, int32_t *param)
{
    uint32_t seen = 0, value = 0;
    *param = rules->digits;
    if (characters(text) != rules->digits) return BASEBALL_LENGTH;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] >= '0' + rules->symbols) return BASEBALL_CHAR;
    for (size_t i = 0; i < text.len; i++) {
        uint32_t digit = text.at[i] - '0';
        *param = (int32_t)digit;
        if (seen >> digit & 1) return BASEBALL_DUPLICATE;
        seen |= 1u << digit;
        value = value * 10 + digit;
    }
    *code = value;
    return 0;
}

void baseball_write_code(const struct baseball_rules *rules, uint32_t code,
                         char text[BASEBALL_DIGITS_MAX + 1])
{
    for (int place = 0; place < rules->digits; place++)
        text[place] = (char)('0' + baseball_digit(rules, code, place));
    text[rules->digits] = 0;
}

/* The front of a shuffled pool: no digit can come twice, and 0 may come first. */
uint32_t baseball_draw_code(const struct baseball_rules *rules, struct rng *rng)
{
    uint8_t pool[BASEBALL_SYMBOLS];
    uint32_t code = 0;
    CHECK(rules->symbols <= BASEBALL_SYMBOLS && rules->digits <= rules->symbols);
    for (int i = 0; i < rules->symbols; i++) pool[i] = (uint8_t)i;
    rng_shuffle(rng, pool, rules->symbols);
    for (int place = 0; place < rules->digits; place++) code = code * 10 + pool[place];
    return code;
}
