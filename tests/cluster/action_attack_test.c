/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions that no browser sends: with numbers that skip, seats of before, screens of long ago, and
 * two at once of what may happen once.
 */
#include "cluster/attacker.h"

static struct ws_client friends[4];

static int free_friends(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        ws_free(&friends[i]);
        friends[i] = (struct ws_client){0};
    }
    return 0;
}

/* ---- one game, not two ----------------------------------------------------------------------- */

static bool has_game(const struct ws_client *player, const void *number)
{
    return player->view.game_number >= *(const uint32_t *)number;
}

/* The host and the winner may, the others may not; all tap in the same moment, and twice. */
static void a_rematch_that_all_start_at_once_is_one_game(void **state)
{
    (void)state;
    sit_together(friends, 4);
    start_game(friends, 4);
    for (int round = 0; round < 3; round++) {
        assert_null(bots_play(friends, 4, GAME_MS));
        uint32_t next = friends[0].view.game_number + 1;
        for (int twice = 0; twice < 2; twice++)
            for (int i = 0; i < 4; i++) ws_send_act(&friends[i], true, slice_of("\x22", 2));
        for (int i = 0; i < 4; i++) assert_true(ws_wait(&friends[i], has_game, &next, PATIENCE_MS));
        for (int i = 0; i < 4; i++) {
            answer_ms(&friends[i]);
            while (ws_pump(&friends[i], 200) == 1) continue;
            assert_int_equal(friends[i].view.game_number, next);
            assert_int_equal(friends[i].view.state, WS_PLAYING);
        }
    }
}

/* ---- ids ------------------------------------------------------------------------------------- */

static bool is_answered(const struct ws_client *player, const void *counter)
{
    return player->answers > 0 && player->answer.counter == *(const uint64_t *)counter;
}

/* Sends a rename under that id; the reason of its refusal, 0: accepted. */
static uint32_t judged(struct ws_client *player, uint32_t generation, uint64_t counter)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = generation,
                                      .counter = counter,
                                      .made_for = player->game_version,
                                      .command = true,
                                      .bytes = slice_text("\x3a\x03\x0a\x01x")};
    player->answers = 0;
    assert_true(ws_send(player, &frame));
    assert_true(ws_wait(player, is_answered, &counter, PATIENCE_MS));
    return player->answer.ok ? 0 : player->answer.why.code;
}

static void counters_that_skip_change_nothing(void **state)
{
    (void)state;
    struct ws_client *player = &friends[0];
    sit_together(friends, 1);
    uint64_t last = player->counter;
    const uint64_t skips[] = {last + 2, last + 100, 1ull << 32, 1ull << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof skips / sizeof *skips; i++) {
        assert_int_equal(judged(player, player->generation, skips[i]), REASON_OUT_OF_ORDER);
        assert_int_equal(player->answer.why.params[0], last + 1);
    }
    assert_int_not_equal(judged(player, player->generation, 0), 0);
    for (uint64_t next = last + 1; next <= last + 20; next++)
        assert_int_equal(judged(player, player->generation, next), 0);
    /* A repeat has its outcome; one that is long gone was handled. */
    assert_int_equal(judged(player, player->generation, last + 20), 0);
    assert_int_equal(judged(player, player->generation, last + 1), REASON_ALREADY_HANDLED);
    assert_int_equal(judged(player, player->generation, last + 21), 0);
}

static void a_generation_that_is_not_the_seats_acts_for_nobody(void **state)
{
    (void)state;
    struct ws_client *player = &friends[0];
    sit_together(friends, 2);
    uint64_t next = player->counter + 1;
    const uint32_t others[] = {0, player->generation + 1, friends[1].generation, UINT32_MAX};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(judged(player, others[i], next), REASON_OTHER_WINDOW);
    assert_int_equal(judged(player, player->generation, next), 0);
}

/* ---- screens --------------------------------------------------------------------------------- */

/* What a bot would do now, made for another screen; the reason of its refusal. */
static uint32_t judged_for(struct ws_client *player, struct slice action, uint64_t made_for)
{
    uint64_t shown = player->game_version;
    player->game_version = made_for;
    bool accepted = ws_act(player, action, PATIENCE_MS);
    if (player->game_version == made_for) player->game_version = shown;
    return accepted ? 0 : player->answer.why.code;
}

static struct ws_client *whose_turn(uint8_t bytes[GAME_ACTION_BYTES_MAX], size_t *len)
{
    const struct bot *bot = bot_find("davinci-code");
    for (int i = 0; i < 2; i++) {
        while (ws_pump(&friends[i], 50) == 1) continue;
        *len = bot->move(&friends[i], bytes);
        if (*len) return &friends[i];
    }
    return NULL;
}

static void what_was_made_for_another_screen_is_stale_and_costs_nothing(void **state)
{
    (void)state;
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    size_t len;
    sit_together(friends, 2);
    start_game(friends, 2);
    for (int i = 0; i < 3; i++) {
        int accepted;
        assert_null(bots_round(friends, 2, &accepted)); /* both have chosen their tiles */
    }
    struct ws_client *player = whose_turn(bytes, &len);
    assert_non_null(player);
    uint64_t now = player->game_version;
    const uint64_t others[] = {0, 1, now - 1, now + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(judged_for(player, slice_of(bytes, len), others[i]), REASON_STALE);
    assert_int_equal(player->game_version, now);
    assert_int_equal(judged_for(player, slice_of(bytes, len), now), 0);
    assert_null(bots_play(friends, 2, GAME_MS));
}

#define TEST(name) cmocka_unit_test_teardown(name, free_friends)

int main(void)
{
    return RUN_TESTS_BETWEEN(attacked_set_up, attacked_tear_down,
                             TEST(a_rematch_that_all_start_at_once_is_one_game),
                             TEST(counters_that_skip_change_nothing),
                             TEST(a_generation_that_is_not_the_seats_acts_for_nobody),
                             TEST(what_was_made_for_another_screen_is_stale_and_costs_nothing));
}
