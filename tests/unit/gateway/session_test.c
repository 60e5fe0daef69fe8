/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/gateway/yard.h"

#include <sodium.h>

static struct slice token_of(struct yard *yard, uint64_t socket)
{
    return yard_last(yard, socket, SERVER_WELCOME)->u.welcome.token;
}

static struct id128 player_of(struct yard *yard, uint64_t socket)
{
    yard_join(yard, socket, (struct client_join){0});
    struct reply reply = {.kind = REQ_RESOLVE, .placed = yard_placed(100, YARD_WORKER, YARD_URL)};
    yard_reply(yard, yard_last_request(yard, REQ_RESOLVE), reply);
    return yard_last_post(yard, ENV_ATTACH)->u.attach.player;
}

static void a_new_guest_is_welcomed_with_a_token_and_every_game(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_guest(&yard);
    const struct server_welcome *welcome = &yard_last(&yard, socket, SERVER_WELCOME)->u.welcome;
    assert_int_equal(welcome->protocol, CLIENT_PROTOCOL);
    assert_int_equal(welcome->token.len, GATEWAY_TOKEN_BYTES);
    assert_string_equal(welcome->build, "test");
    assert_int_equal(welcome->game_count, 1);
    const struct client_game *game = &welcome->games[0];
    assert_string_equal(game->id, "toy");
    assert_int_equal(game->rules_version, 3);
    assert_int_equal(game->seats_max, 4);
    assert_int_equal(game->option_count, 2);
    assert_string_equal(game->solo_key, "history");
    assert_string_equal(game->options[0].key, "size");
    assert_int_equal(game->options[0].choice_count, 2);
    assert_string_equal(game->options[0].choices[1].key, "four");
    assert_int_equal(game->options[0].default_value, 4);
    yard_close(&yard);
}

static void a_token_brings_the_same_player_back_and_at_another_gateway_too(void **unused)
{
    (void)unused;
    struct yard one, two;
    yard_open(&one);
    yard_open(&two);
    two.chance = 5000; /* other draws */
    uint64_t first = yard_guest(&one);
    uint64_t again = yard_connect(&two, "192.0.2.7");
    yard_hello(&two, again, token_of(&one, first));
    assert_true(slice_equal(token_of(&one, first), token_of(&two, again)));
    assert_true(id128_equal(player_of(&one, first), player_of(&two, again)));
    yard_close(&one);
    yard_close(&two);
}

static void a_forged_or_damaged_token_makes_a_fresh_guest(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t first = yard_guest(&yard);
    uint8_t token[GATEWAY_TOKEN_BYTES + 1] = {0};
    memcpy(token, token_of(&yard, first).at, GATEWAY_TOKEN_BYTES);
    for (size_t at = 0; at < GATEWAY_TOKEN_BYTES; at++) {
        token[at] ^= 0x10;
        uint64_t socket = yard_connect(&yard, "192.0.2.1");
        yard_hello(&yard, socket, slice_of(token, GATEWAY_TOKEN_BYTES));
        struct slice given = token_of(&yard, socket);
        token[at] ^= 0x10;
        assert_int_equal(given.len, GATEWAY_TOKEN_BYTES);
        assert_memory_not_equal(given.at + 1, token + 1, 16);
    }
    static const size_t lengths[] = {0, 1, GATEWAY_TOKEN_BYTES - 1, GATEWAY_TOKEN_BYTES + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint64_t socket = yard_connect(&yard, "192.0.2.1");
        yard_hello(&yard, socket, slice_of(token, lengths[i]));
        assert_memory_not_equal(token_of(&yard, socket).at + 1, token + 1, 16);
    }
    yard_close(&yard);
}

static void a_token_under_another_key_is_forged(void **unused)
{
    (void)unused;
    struct yard one, two;
    yard_open(&one);
    yard_open(&two);
    gateway_core_close(two.core);
    two.config.keys[0][0] ^= 1;
    two.core = gateway_core_open(&two.config, two.now);
    uint64_t first = yard_guest(&one);
    uint64_t again = yard_connect(&two, "192.0.2.7");
    yard_hello(&two, again, token_of(&one, first));
    assert_false(slice_equal(token_of(&one, first), token_of(&two, again)));
    yard_close(&one);
    yard_close(&two);
}

/* What a gateway with other settings makes of the token of `from`: the same player? */
static bool takes(struct yard *yard, struct slice token)
{
    uint64_t socket = yard_connect(yard, "192.0.2.7");
    yard_hello(yard, socket, token);
    return memcmp(token_of(yard, socket).at + 1, token.at + 1, 16) == 0;
}

static void open_anew(struct yard *yard)
{
    gateway_core_close(yard->core);
    yard->core = gateway_core_open(&yard->config, yard->now);
}

static void keys_are_changed_in_steps_and_nobody_loses_a_seat(void **unused)
{
    (void)unused;
    enum { OLD = 1, NEW = 2 };
    /* The key that signs and the one that is taken as well; 0: none. At each step gateways of the
     * step before run beside. */
    static const uint8_t steps[][2] = {{OLD, 0}, {OLD, NEW}, {NEW, OLD}, {NEW, 0}};
    enum { STEPS = sizeof steps / sizeof *steps };
    struct yard yards[STEPS];
    struct slice tokens[STEPS];
    for (int i = 0; i < STEPS; i++) {
        yard_open(&yards[i]);
        yards[i].chance = 1000 * (uint64_t)i;
        for (int k = 0; k < GATEWAY_KEYS_MAX; k++)
            memset(yards[i].config.keys[k], steps[i][k], GATEWAY_KEY_BYTES);
        yards[i].config.key_count = steps[i][1] ? 2 : 1;
        open_anew(&yards[i]);
        tokens[i] = token_of(&yards[i], yard_guest(&yards[i]));
    }
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < STEPS; k++) {
            bool beside = i - k <= 1 && k - i <= 1;
            if (beside) assert_true(takes(&yards[i], tokens[k]));
        }
    assert_false(takes(&yards[3], tokens[0])); /* whoever was away all that time is a new guest */
    assert_false(takes(&yards[3], tokens[1]));
    for (int i = 0; i < STEPS; i++) yard_close(&yards[i]);
}

static void a_token_lasts_thirty_days_and_each_visit_renews_it(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    yard.wall_s = 1800000000;
    struct slice first = token_of(&yard, yard_guest(&yard)), last = first;
    for (int visit = 0; visit < 5; visit++) {
        yard.wall_s += YARD_TOKEN_LIFETIME_S;
        uint64_t socket = yard_connect(&yard, "192.0.2.7");
        yard_hello(&yard, socket, last);
        assert_memory_equal(token_of(&yard, socket).at + 1, first.at + 1, 16);
        last = token_of(&yard, socket);
    }
    assert_false(takes(&yard, first));
    yard.wall_s += YARD_TOKEN_LIFETIME_S + 1;
    assert_false(takes(&yard, last));
    /* One whose clock was far ahead made tokens that end, too. */
    struct slice ahead = token_of(&yard, yard_guest(&yard));
    yard.wall_s -= YARD_TOKEN_LIFETIME_S;
    assert_true(takes(&yard, ahead));
    yard.wall_s -= 1;
    assert_false(takes(&yard, ahead));
    yard_close(&yard);
}

static void what_the_key_signs_for_another_purpose_is_no_token(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    struct slice given = token_of(&yard, yard_guest(&yard));
    uint8_t token[GATEWAY_TOKEN_BYTES];
    size_t signed_len = sizeof token - crypto_auth_BYTES;
    memcpy(token, given.at, sizeof token);
    crypto_auth(token + signed_len, token, signed_len, yard.config.keys[0]);
    assert_false(takes(&yard, slice_of(token, sizeof token)));
    assert_true(takes(&yard, given));
    yard_close(&yard);
}

static void another_protocol_hears_so_and_cannot_act(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_connect(&yard, "192.0.2.1");
    struct client_frame hello = {.kind = CLIENT_HELLO};
    hello.u.hello.protocol = CLIENT_PROTOCOL + 1;
    yard_say(&yard, socket, &hello);
    const struct server_frame *welcome = yard_last(&yard, socket, SERVER_WELCOME);
    assert_int_equal(welcome->u.welcome.protocol, CLIENT_PROTOCOL);
    assert_int_equal(welcome->u.welcome.token.len, 0);
    assert_int_equal(welcome->u.welcome.game_count, 0);
    assert_int_equal(yard_refused(&yard, socket), REASON_PROTOCOL);
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_PROTOCOL);
    yard_forget(&yard);
    yard_hello(&yard, socket, (struct slice){0});
    assert_int_equal(yard.frame_count, 0);
    yard_close(&yard);
}

static void nothing_but_hello_comes_first_and_hello_comes_once(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_connect(&yard, "192.0.2.1");
    for (int kind = CLIENT_CREATE; kind <= CLIENT_LOOK_UP; kind++) {
        struct client_frame frame = {.kind = (enum client_kind)kind};
        if (kind == CLIENT_ACT) frame.u.act.bytes = slice_text("x");
        yard_forget(&yard);
        yard_say(&yard, socket, &frame);
        assert_int_equal(yard_refused(&yard, socket), REASON_OUT_OF_PLACE);
        assert_int_equal(yard.post_count, 0);
        assert_int_equal(yard.request_count, 0);
    }
    yard_hello(&yard, socket, (struct slice){0});
    assert_non_null(yard_last(&yard, socket, SERVER_WELCOME));
    yard_forget(&yard);
    yard_hello(&yard, socket, (struct slice){0});
    assert_int_equal(yard_refused(&yard, socket), REASON_OUT_OF_PLACE);
    assert_null(yard_last(&yard, socket, SERVER_WELCOME));
    yard_close(&yard);
}

static void a_connection_that_says_nothing_is_closed_after_ten_seconds(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t socket = yard_connect(&yard, "192.0.2.1");
    yard_pass(&yard, GATEWAY_HELLO_MS - 1);
    assert_int_equal(yard_closed(&yard, socket), 0);
    yard_pass(&yard, 1);
    assert_int_equal(yard_closed(&yard, socket), GATEWAY_CLOSE_NO_HELLO);
    yard_close(&yard);
}

static void a_leaving_gateway_says_so_closes_all_and_exits(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t sockets[20];
    for (int i = 0; i < 20; i++) sockets[i] = yard_guest(&yard);
    struct event drain = {.kind = EVENT_DRAIN};
    yard_step(&yard, &drain);
    for (int i = 0; i < 20; i++) {
        const struct server_frame *notice = yard_last(&yard, sockets[i], SERVER_NOTICE);
        assert_int_equal(notice->u.notice, NOTICE_GATEWAY_LEAVING);
        assert_int_equal(yard_closed(&yard, sockets[i]), 0);
    }
    uint64_t late = yard_connect(&yard, "192.0.2.2");
    assert_int_equal(yard_closed(&yard, late), GATEWAY_CLOSE_LEAVING);
    yard_pass(&yard, (GATEWAY_DRAIN_FIRST_MS + GATEWAY_DRAIN_LAST_MS) / 2);
    int closed = yard.close_count - 1;
    assert_true(closed > 0 && closed < 20); /* spread, not at once */
    assert_false(yard.exited);
    yard_pass(&yard, GATEWAY_DRAIN_LAST_MS);
    for (int i = 0; i < 20; i++)
        assert_int_equal(yard_closed(&yard, sockets[i]), GATEWAY_CLOSE_LEAVING);
    assert_true(yard.exited);
    assert_string_equal(gateway_core_unready(yard.core), "leaving");
    yard_close(&yard);
}

static void it_is_ready_while_a_matchmaker_answers(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    assert_null(gateway_core_unready(yard.core));
    yard.silent_matchmakers = true;
    yard_pass(&yard, 10 * 1000);
    assert_non_null(gateway_core_unready(yard.core));
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(a_new_guest_is_welcomed_with_a_token_and_every_game),
                     cmocka_unit_test(
                         a_token_brings_the_same_player_back_and_at_another_gateway_too),
                     cmocka_unit_test(a_forged_or_damaged_token_makes_a_fresh_guest),
                     cmocka_unit_test(a_token_under_another_key_is_forged),
                     cmocka_unit_test(keys_are_changed_in_steps_and_nobody_loses_a_seat),
                     cmocka_unit_test(a_token_lasts_thirty_days_and_each_visit_renews_it),
                     cmocka_unit_test(what_the_key_signs_for_another_purpose_is_no_token),
                     cmocka_unit_test(another_protocol_hears_so_and_cannot_act),
                     cmocka_unit_test(nothing_but_hello_comes_first_and_hello_comes_once),
                     cmocka_unit_test(a_connection_that_says_nothing_is_closed_after_ten_seconds),
                     cmocka_unit_test(a_leaving_gateway_says_so_closes_all_and_exits),
                     cmocka_unit_test(it_is_ready_while_a_matchmaker_answers));
}
