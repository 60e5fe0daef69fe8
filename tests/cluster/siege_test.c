/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster under siege: half handshakes, floods, lies about lengths, tokens of somebody else,
 * guessed codes, people who never read, all at once from eight addresses. Friends play game after
 * game meanwhile; what they wait for an answer is what it was, memory stays where it was, and when
 * the siege is over nothing of it is left.
 */
#include "cluster/attacker.h"
#include "cluster/siege.h"

#include <stdlib.h>

enum {
    FRIENDS = 3,
    SAMPLES = 60,
    SAMPLE_PAUSE_MS = 50,
    SIEGE_MS = 15 * 1000,
    WARM_MS = 8 * 1000, /* by then its connections are as many as they get */
    SLOWER_MS = 100,    /* an attacker of the same machine takes some of its processors */
    GROWTH_KB = 4096,
    GAMES = 2,
};

static struct ws_client friends[FRIENDS], asker;

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Half of the answers came within this. */
static int usual_answer_ms(void)
{
    int samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = answer_ms(&asker);
        sleep_ms(SAMPLE_PAUSE_MS);
        ws_pump_all(friends, FRIENDS);
    }
    qsort(samples, SAMPLES, sizeof *samples, by_size);
    return samples[SAMPLES / 2];
}

static void play_a_game(void)
{
    start_game(friends, FRIENDS);
    assert_null(bots_play(friends, FRIENDS, GAME_MS));
}

static void friends_play_on_while_a_siege_lasts_and_nothing_of_it_is_left(void **state)
{
    (void)state;
    static const char *const programs[] = {"gateway-0", "matchmaker-0", "worker-0"};
    enum { PROGRAMS = sizeof programs / sizeof *programs };
    long warm_kb[PROGRAMS];
    sit_together(friends, FRIENDS);
    greet(&asker, NULL);
    int peace_ms = usual_answer_ms();

    pid_t siege = siege_begin(attacked.port, &friends[0]);
    assert_true(siege > 0);
    instant_ms from = clock_boot_ms();
    for (int i = 0; i < GAMES; i++) play_a_game();
    while (clock_boot_ms() - from < WARM_MS) usual_answer_ms();
    for (int i = 0; i < PROGRAMS; i++) warm_kb[i] = memory_kb(programs[i]);
    int war_ms = 0, rounds = 0;
    do {
        int now_ms = usual_answer_ms();
        if (now_ms > war_ms) war_ms = now_ms;
        assert_others_notice_nothing();
        rounds++;
    } while (clock_boot_ms() - from < SIEGE_MS);
    play_a_game();
    for (int i = 0; i < PROGRAMS; i++) {
        long now_kb = memory_kb(programs[i]);
        print_message("%s: %ld KB, then %ld KB\n", programs[i], warm_kb[i], now_kb);
        assert_true(now_kb < warm_kb[i] + GROWTH_KB);
    }
    assert_true(siege_end(siege));

    print_message("an answer took %d ms in peace, %d ms in the siege (%d rounds)\n", peace_ms,
                  war_ms, rounds);
    assert_true(war_ms <= peace_ms + SLOWER_MS);
    for (int i = 0; i < FRIENDS; i++) assert_true(friends[i].in_room && friends[i].detached == 0);
    play_a_game();
    for (int i = 0; i < FRIENDS; i++) ws_free(&friends[i]);
    ws_free(&asker);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(attacked_set_up, attacked_tear_down,
                             cmocka_unit_test(
                                 friends_play_on_while_a_siege_lasts_and_nothing_of_it_is_left));
}
