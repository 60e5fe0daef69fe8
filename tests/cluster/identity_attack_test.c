/* SPDX-License-Identifier: Apache-2.0
 *
 * Being somebody else, somebody twice, or somebody who was shown the door.
 */
#include "cluster/attacker.h"

#include <sodium.h>

enum { TABS = 30, TOKEN_SIGNED_BYTES = 25 };

static struct ws_client friends[3];

static int free_friends(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        ws_free(&friends[i]);
        friends[i] = (struct ws_client){0};
    }
    return 0;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Whether a gateway takes this for the token of `whose`. */
static bool is_taken_for(const struct ws_client *whose, struct slice token)
{
    struct ws_client other;
    assert_true(ws_connect(&other, HOME, attacked.port, PATIENCE_MS));
    assert_true(token.len <= sizeof other.token);
    memcpy(other.token, token.at, token.len);
    other.token_len = token.len;
    assert_true(ws_hello(&other, PATIENCE_MS));
    bool same = !memcmp(other.token + 1, whose->token + 1, 16);
    ws_free(&other);
    return same;
}

static void a_token_that_is_not_whole_is_nobodys(void **state)
{
    (void)state;
    struct ws_client *victim = &friends[0];
    uint8_t token[WS_TOKEN_BYTES_MAX] = {0};
    greet(victim, NULL);
    size_t len = victim->token_len;
    assert_true(is_taken_for(victim, slice_of(victim->token, len)));
    for (size_t i = 0; i < len; i++) {
        memcpy(token, victim->token, len);
        token[i] ^= (uint8_t)(1 << i % 8);
        assert_false(is_taken_for(victim, slice_of(token, len)));
    }
    memcpy(token, victim->token, len);
    assert_false(is_taken_for(victim, slice_of(token, len - 1)));
    assert_false(is_taken_for(victim, slice_of(token, len + 1)));
    assert_false(is_taken_for(victim, slice_of(token, TOKEN_SIGNED_BYTES)));
}

static void a_token_of_another_server_opens_no_seat(void **state)
{
    (void)state;
    struct ws_client *victim = &friends[0], *thief = &friends[1];
    uint8_t key[crypto_auth_KEYBYTES] = {7};
    assert_true(ws_connect(thief, HOME, attacked.port, PATIENCE_MS));
    greet(victim, NULL);
    assert_true(ws_create(victim, "davinci-code", "민수", NULL, 0, PATIENCE_MS));
    memcpy(thief->token, victim->token, TOKEN_SIGNED_BYTES); /* public ids open nothing (P3) */
    crypto_auth(thief->token + TOKEN_SIGNED_BYTES, thief->token, TOKEN_SIGNED_BYTES, key);
    thief->token_len = victim->token_len;
    assert_true(ws_hello(thief, PATIENCE_MS));
    thief->generation = victim->generation + 1;
    thief->version = victim->version;
    assert_true(ws_join(thief, victim->code, "도둑", PATIENCE_MS));
    assert_int_not_equal(thief->seat, victim->seat);
    answer_ms(victim);
    assert_int_equal(victim->detached, 0);
    assert_true(victim->in_room);
}

/* ---- tabs ------------------------------------------------------------------------------------ */

static bool rename_to(struct ws_client *player, char letter)
{
    uint8_t rename[] = {0x3a, 0x03, 0x0a, 0x01, (uint8_t)letter};
    return ws_command(player, slice_of(rename, sizeof rename), PATIENCE_MS);
}

static bool calls_somebody(const struct ws_client *player, const void *name)
{
    for (int s = 0; s < player->view.seat_count; s++)
        if (!strcmp(player->view.seats[s].name, name)) return true;
    return false;
}

static void of_many_tabs_the_newest_alone_can_act(void **state)
{
    (void)state;
    static struct ws_client tabs[TABS];
    struct ws_client *host = &friends[0];
    greet(host, NULL);
    assert_true(ws_create(host, "davinci-code", "민수", NULL, 0, PATIENCE_MS));
    for (int i = 0; i < TABS; i++) {
        assert_true(ws_connect(&tabs[i], HOME, attacked.port, PATIENCE_MS));
        memcpy(tabs[i].token, tabs[0].token, sizeof tabs[i].token);
        tabs[i].token_len = tabs[0].token_len;
        assert_true(ws_hello(&tabs[i], PATIENCE_MS));
        assert_true(ws_join(&tabs[i], host->code, "영희", PATIENCE_MS));
        assert_int_equal(tabs[i].seat, tabs[0].seat);
    }
    for (int i = 0; i < TABS - 1; i++) {
        assert_true(ws_wait(&tabs[i], ws_is_detached, NULL, PATIENCE_MS));
        assert_int_equal(tabs[i].detached, DROPPED_OTHER_WINDOW);
        ws_send_act(&tabs[i], true, slice_text("\x3a\x03\x0a\x01x"));
    }
    assert_true(rename_to(&tabs[TABS - 1], 'y'));
    assert_true(ws_wait(host, calls_somebody, "y", PATIENCE_MS));
    int taken = 0;
    for (int s = 0; s < host->view.seat_count; s++) taken += host->view.seats[s].taken;
    assert_int_equal(taken, 2);
    for (int i = 0; i < TABS; i++) ws_free(&tabs[i]);
}

/* ---- the door -------------------------------------------------------------------------------- */

static void assert_kicked(bool came_in, struct ws_client *kicked)
{
    assert_false(came_in);
    assert_int_equal(kicked->refused, REASON_KICKED);
}

static void who_was_kicked_finds_no_way_back(void **state)
{
    (void)state;
    struct ws_client *kicked = &friends[2], tab;
    sit_together(friends, 3);
    struct version had = kicked->version;
    char code[8];
    memcpy(code, kicked->code, sizeof code);
    uint8_t kick[] = {0x1a, 0x02, 0x08, (uint8_t)kicked->seat};
    assert_true(ws_command(&friends[0], slice_of(kick, sizeof kick), PATIENCE_MS));
    assert_true(ws_wait(kicked, ws_is_detached, NULL, PATIENCE_MS));
    assert_int_equal(kicked->detached, DROPPED_KICKED);
    /* By the code, under another name, as a watcher, */
    assert_kicked(ws_join(kicked, code, "다시", PATIENCE_MS), kicked);
    assert_kicked(ws_watch(kicked, code, "구경", PATIENCE_MS), kicked);
    /* with all that it knew of its seat, */
    kicked->version = had;
    assert_kicked(ws_come_back(kicked, attacked.port, PATIENCE_MS), kicked);
    /* by an action in the seat that it had, */
    ws_send_act(kicked, true, slice_of("\x22", 2)); /* start */
    /* in another tab. */
    assert_true(ws_connect(&tab, HOME, attacked.port, PATIENCE_MS));
    memcpy(tab.token, kicked->token, sizeof tab.token);
    tab.token_len = kicked->token_len;
    assert_true(ws_hello(&tab, PATIENCE_MS));
    assert_kicked(ws_join(&tab, code, "다시", PATIENCE_MS), &tab);
    ws_free(&tab);
    /* Or by chance: quick match knows of the open table, and takes others there. */
    assert_true(ws_command(&friends[0], slice_of("\x12\x02\x08\x01", 4), PATIENCE_MS));
    struct client_frame quick = {.kind = CLIENT_QUICK};
    quick.u.quick = (struct client_quick){"davinci-code", "다시"};
    ws_forget(kicked);
    assert_true(ws_send(kicked, &quick));
    assert_false(ws_wait(kicked, ws_is_refused, NULL, 4000));
    assert_true(kicked->quick.count > 0);
    assert_false(kicked->in_room);
    quick.kind = CLIENT_CANCEL_QUICK;
    assert_true(ws_send(kicked, &quick));
    /* And not when a game runs. */
    start_game(friends, 2);
    assert_kicked(ws_join(kicked, code, "다시", PATIENCE_MS), kicked);
    assert_kicked(ws_watch(kicked, code, "다시", PATIENCE_MS), kicked);
    assert_int_equal(friends[0].view.state, WS_PLAYING);
}

/* ---- watching -------------------------------------------------------------------------------- */

static void a_watcher_can_do_nothing_to_a_game(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "\x0a\x00",         /* set_options */
        "\x12\x02\x08\x01", /* set_public */
        "\x1a\x02\x08\x01", /* kick */
        "\x22\x00",         /* start */
        "\x2a\x02\x08\x01", /* take_seat, while a game runs */
        "\x32\x00",         /* stand_up */
    };
    struct ws_client *watcher = &friends[2];
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    sit_together(friends, 2);
    start_game(friends, 2);
    greet(watcher, NEXT_DOOR);
    assert_true(ws_watch(watcher, friends[0].code, "구경꾼", PATIENCE_MS));
    assert_int_equal(watcher->seat, -1);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t len = commands[i][1] ? 4 : 2;
        assert_false(ws_command(watcher, slice_of(commands[i], len), PATIENCE_MS));
        assert_int_not_equal(watcher->answer.why.code, 0);
    }
    /* What a player may do now. */
    const struct bot *bot = bot_find("davinci-code");
    for (int i = 0; i < 2; i++) {
        size_t len = bot->move(&friends[i], bytes);
        assert_true(len > 0);
        assert_false(ws_act(watcher, slice_of(bytes, len), PATIENCE_MS));
        assert_int_equal(watcher->answer.why.code, REASON_NOT_SEATED);
    }
    assert_null(bots_play(friends, 2, GAME_MS));
}

#define TEST(name) cmocka_unit_test_teardown(name, free_friends)

int main(void)
{
    return RUN_TESTS_BETWEEN(
        attacked_set_up, attacked_tear_down, TEST(a_token_that_is_not_whole_is_nobodys),
        TEST(a_token_of_another_server_opens_no_seat), TEST(of_many_tabs_the_newest_alone_can_act),
        TEST(who_was_kicked_finds_no_way_back), TEST(a_watcher_can_do_nothing_to_a_game));
}
