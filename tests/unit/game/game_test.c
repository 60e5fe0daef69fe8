/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "game/game.h"
#include "unit/test.h"

/* A game that has options and an encoding and nothing else. */
static const struct game_option options[] = {
    {.key = "speed",
     .kind = GAME_OPTION_CHOICE,
     .default_value = 2,
     .choices = {{1, "slow"}, {2, "normal"}, {4, "fast"}}},
    {.key = "seconds",
     .kind = GAME_OPTION_NUMBER,
     .min = 5,
     .max = 120,
     .default_value = 30,
     .default_by = "speed",
     .defaults = {{60, "1"}, {10, "4"}}},
    {.key = "hints",
     .kind = GAME_OPTION_NUMBER,
     .min = 0,
     .max = 9,
     .default_value = 3,
     .default_by = "seconds",
     .defaults = {{5, "60"}, {1, "10"}}},
    {.key = "jokers", .kind = GAME_OPTION_SWITCH, .default_value = 1},
};

static void encode(const void *state, struct buf *out)
{
    buf_put(out, state, 4);
}

static const struct game game = {
    .id = "test",
    .state_size = 4,
    .options = options,
    .option_count = 4,
    .encode = encode,
};

static struct game_options defaults(void)
{
    struct game_options out;
    game_options_default(&game, &out);
    return out;
}

static enum status set(struct game_options *out, const char *key, int32_t value)
{
    return game_options_set(&game, out, slice_text(key), value);
}

enum { SPEED, SECONDS, HINTS, JOKERS };

static void defaults_come_from_the_table(void **unused)
{
    (void)unused;
    struct game_options out = defaults();
    assert_int_equal(out.value[SPEED], 2);
    assert_int_equal(out.value[SECONDS], 30);
    assert_int_equal(out.value[HINTS], 3);
    assert_int_equal(out.value[JOKERS], 1);
    assert_int_equal(out.value[JOKERS + 1], 0);
}

static void options_are_found_by_their_whole_key(void **unused)
{
    (void)unused;
    assert_int_equal(game_option_find(&game, slice_text("hints")), HINTS);
    assert_int_equal(game_option_find(&game, slice_text("hint")), -1);
    assert_int_equal(game_option_find(&game, (struct slice){0}), -1);
}

static void a_default_follows_another_option_also_over_two_links(void **unused)
{
    (void)unused;
    struct game_options out = defaults();
    assert_int_equal(set(&out, "speed", 4), ST_OK);
    assert_int_equal(out.value[SECONDS], 10);
    assert_int_equal(out.value[HINTS], 1);
    assert_int_equal(set(&out, "speed", 1), ST_OK);
    assert_int_equal(out.value[SECONDS], 60);
    assert_int_equal(out.value[HINTS], 5);
    assert_int_equal(set(&out, "speed", 2), ST_OK); /* not listed: the plain default */
    assert_int_equal(out.value[SECONDS], 30);
}

static void a_value_somebody_chose_stays(void **unused)
{
    (void)unused;
    struct game_options out = defaults();
    assert_int_equal(set(&out, "seconds", 45), ST_OK);
    assert_int_equal(set(&out, "speed", 4), ST_OK);
    assert_int_equal(out.value[SECONDS], 45);
    assert_int_equal(out.value[HINTS], 3);
}

static void values_out_of_bounds_change_nothing(void **unused)
{
    (void)unused;
    static const struct {
        const char *key;
        int32_t value;
        enum status status;
    } cases[] = {
        {"seconds", 4, ST_REFUSED},         {"seconds", 121, ST_REFUSED},
        {"speed", 3, ST_REFUSED},           {"speed", 0, ST_REFUSED},
        {"jokers", 2, ST_REFUSED},          {"jokers", -1, ST_REFUSED},
        {"seconds", INT32_MIN, ST_REFUSED}, {"colour", 1, ST_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct game_options out = defaults(), before = out;
        assert_int_equal(set(&out, cases[i].key, cases[i].value), cases[i].status);
        assert_memory_equal(&out, &before, sizeof out);
    }
    struct game_options out = defaults();
    assert_int_equal(set(&out, "seconds", 5), ST_OK);
    assert_int_equal(set(&out, "seconds", 120), ST_OK);
    assert_int_equal(set(&out, "jokers", 0), ST_OK);
}

static void events_lie_where_they_were_put_also_after_growth(void **unused)
{
    (void)unused;
    static struct game_events events;
    uint8_t bytes[200];
    game_events_clear(&events);
    for (int i = 0; i < GAME_EVENTS_MAX; i++) {
        memset(bytes, i, sizeof bytes);
        game_events_add(&events, slice_of(bytes, sizeof bytes), i % 3,
                        slice_of(bytes, i % 2 ? 7 : 0));
    }
    game_events_seal(&events);
    assert_int_equal(events.count, GAME_EVENTS_MAX);
    for (int i = 0; i < GAME_EVENTS_MAX; i++) {
        const struct game_event *event = &events.list[i];
        memset(bytes, i, sizeof bytes);
        assert_true(slice_equal(event->shared, slice_of(bytes, sizeof bytes)));
        assert_true(slice_equal(event->mine, slice_of(bytes, i % 2 ? 7 : 0)));
        assert_int_equal(event->seat, i % 2 ? i % 3 : -1);
    }
    game_events_clear(&events);
    assert_int_equal(events.count, 0);
    game_events_add(&events, slice_text("again"), -1, (struct slice){0});
    game_events_seal(&events);
    assert_true(slice_equal(events.list[0].shared, slice_text("again")));
    game_events_fini(&events);
}

static void the_hash_is_that_of_the_encoding(void **unused)
{
    (void)unused;
    assert_true(id128_equal(game_hash(&game, "abcd"), hash_128(slice_text("abcd"))));
    assert_false(id128_equal(game_hash(&game, "abcd"), game_hash(&game, "abce")));
}

static void a_game_that_is_practised_needs_one_person(void **unused)
{
    (void)unused;
    struct game solo = game;
    solo.seats_min = 2;
    struct game_options out = defaults();
    assert_int_equal(game_seats_least(&solo, &out), 2);
    solo.solo_key = "jokers";
    assert_int_equal(game_seats_least(&solo, &out), 1);
    assert_int_equal(set(&out, "jokers", 0), ST_OK);
    assert_int_equal(game_seats_least(&solo, &out), 2);
}

static void round_trips_are_shown_where_a_game_says_so_alone(void **unused)
{
    (void)unused;
    struct game with = game;
    struct game_options out = defaults();
    assert_false(game_shows_rtt(&game, &out));
    with.rtt_key = "jokers";
    assert_true(game_shows_rtt(&with, &out));
    assert_int_equal(set(&out, "jokers", 0), ST_OK);
    assert_false(game_shows_rtt(&with, &out));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(defaults_come_from_the_table),
                     cmocka_unit_test(options_are_found_by_their_whole_key),
                     cmocka_unit_test(a_default_follows_another_option_also_over_two_links),
                     cmocka_unit_test(a_value_somebody_chose_stays),
                     cmocka_unit_test(values_out_of_bounds_change_nothing),
                     cmocka_unit_test(events_lie_where_they_were_put_also_after_growth),
                     cmocka_unit_test(a_game_that_is_practised_needs_one_person),
                     cmocka_unit_test(round_trips_are_shown_where_a_game_says_so_alone),
                     cmocka_unit_test(the_hash_is_that_of_the_encoding));
}
