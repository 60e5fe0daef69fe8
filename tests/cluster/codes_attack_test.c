/* SPDX-License-Identifier: Apache-2.0
 *
 * A hundred thousand wrong codes from one house; and a school class behind one address, which must
 * not be taken for that.
 */
#include "cluster/attacker.h"

#include <stdlib.h>

enum {
    GUESSERS = 320,
    ROUNDS = 313, /* of one code each: above 100,000 in all */
    ROUND_MS = 26,
    ADDRESS_BURST = 60, /* wrong codes of an address, and one more each second */
    GROWTH_KB = 4096,
    PHONES = 40,
    TABLE = 4,
    CLASS_MS = 5000,
};

struct tally {
    int judged, turned_away, too_soon, other;
};

static void count(struct ws_client *guesser, struct tally *tally)
{
    if (!guesser->refused) return;
    switch (guesser->refused) {
    case REASON_NO_SUCH_ROOM: tally->judged++; break;
    case REASON_TOO_MANY_TRIES: tally->turned_away++; break;
    case REASON_OUT_OF_PLACE: /* the one before is being looked for */
    case REASON_TOO_FAST: tally->too_soon++; break;
    default: tally->other++;
    }
    guesser->refused = 0;
}

/* Half of them look codes up, half try to join. */
static void guess(struct ws_client *guesser, int i, int round)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    char code[7];
    uint32_t number = (uint32_t)(i * ROUNDS + round) * 2654435761u;
    for (int k = 0; k < 6; k++) code[k] = digits[number >> (5 * k) & 31];
    code[6] = '\0';
    struct client_frame frame = {.kind = i % 2 ? CLIENT_LOOK_UP : CLIENT_JOIN};
    if (i % 2)
        frame.u.code = code;
    else
        frame.u.join = (struct client_join){.code = code, .name = "도둑"};
    assert_true(ws_send(guesser, &frame));
}

static void a_hundred_thousand_wrong_codes_find_nothing_and_slow_nobody(void **state)
{
    (void)state;
    struct ws_client *guessers = calloc(GUESSERS, sizeof *guessers), friend;
    struct tally tally = {0};
    assert_non_null(guessers);
    greet(&friend, NULL);
    for (int i = 0; i < GUESSERS; i++) greet(&guessers[i], NEXT_DOOR);
    instant_ms from = clock_boot_ms();
    long before = memory_kb("gateway-0"), matchmaker = memory_kb("matchmaker-0");
    for (int round = 0; round < ROUNDS; round++) {
        instant_ms next = clock_boot_ms() + ROUND_MS;
        for (int i = 0; i < GUESSERS; i++) guess(&guessers[i], i, round);
        for (int i = 0; i < GUESSERS; i++)
            while (ws_pump(&guessers[i], 0) == 1) count(&guessers[i], &tally);
        if (round % 40 == 0) {
            assert_answered_soon(&friend);
            assert_others_notice_nothing();
        }
        instant_ms now = clock_boot_ms();
        if (now < next) sleep_ms((int)(next - now));
    }
    for (int i = 0; i < GUESSERS; i++) {
        while (ws_pump(&guessers[i], i ? 0 : 500) == 1) count(&guessers[i], &tally);
        assert_true(guessers[i].socket.fd >= 0);
    }
    int seconds = (int)((clock_boot_ms() - from) / 1000) + 1;
    print_message("%d judged, %d turned away, %d too soon in %d s\n", tally.judged,
                  tally.turned_away, tally.too_soon, seconds);
    assert_int_equal(tally.other, 0);
    assert_true(tally.judged >= ADDRESS_BURST / 2 && tally.judged <= ADDRESS_BURST + seconds);
    assert_true(tally.judged + tally.turned_away + tally.too_soon > 99000);
    assert_true(tally.turned_away > 50000);
    assert_true(memory_kb("gateway-0") < before + GROWTH_KB);
    assert_true(memory_kb("matchmaker-0") < matchmaker + GROWTH_KB);
    for (int i = 0; i < GUESSERS; i++) ws_free(&guessers[i]);
    ws_free(&friend);
    free(guessers);
}

static void send_join(struct ws_client *phone, const char *code)
{
    struct client_frame frame = {.kind = CLIENT_JOIN};
    frame.u.join = (struct client_join){.code = code, .name = "학생"};
    assert_true(ws_send(phone, &frame));
}

/* Ten tables; everybody but the hosts types the code wrong once, as people do. */
static void forty_phones_behind_one_address_join_within_five_seconds(void **state)
{
    (void)state;
    struct ws_client *phones = calloc(PHONES, sizeof *phones);
    assert_non_null(phones);
    instant_ms from = clock_boot_ms();
    for (int i = 0; i < PHONES; i++) greet(&phones[i], NULL);
    for (int i = 0; i < PHONES; i += TABLE)
        assert_true(ws_create(&phones[i], "davinci-code", "선생님", NULL, 0, PATIENCE_MS));
    for (int i = 0; i < PHONES; i++)
        if (i % TABLE) send_join(&phones[i], "ZZZZZZ");
    for (int i = 0; i < PHONES; i++) {
        if (i % TABLE == 0) continue;
        assert_true(ws_wait(&phones[i], ws_is_refused, NULL, PATIENCE_MS));
        assert_int_equal(phones[i].refused, REASON_NO_SUCH_ROOM);
        ws_forget(&phones[i]);
        send_join(&phones[i], phones[i - i % TABLE].code);
    }
    for (int i = 0; i < PHONES; i++) {
        assert_true(ws_wait(&phones[i], ws_has_view, NULL, PATIENCE_MS));
        assert_true(phones[i].seat >= 0);
    }
    int took = (int)(clock_boot_ms() - from);
    print_message("%d ms\n", took);
    assert_true(took <= CLASS_MS);
    for (int i = 0; i < PHONES; i++) ws_free(&phones[i]);
    free(phones);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        attacked_set_up, attacked_tear_down,
        cmocka_unit_test(a_hundred_thousand_wrong_codes_find_nothing_and_slow_nobody),
        cmocka_unit_test(forty_phones_behind_one_address_join_within_five_seconds));
}
