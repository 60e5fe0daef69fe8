/* SPDX-License-Identifier: Apache-2.0
 *
 * What may be exchanged without a viewer noticing: secrets that answer alike, randomness that is
 * still to come, seats.
 */
#include "unit/games/baseball_field.h"
#include "unit/test.h"

#include <stdio.h>

/* Plays a viewer's guesses and hints, and others' that solve nothing, against one secret, and
 * writes all that the viewer gets. False when somebody would solve it. */
struct script {
    int count;
    struct {
        int seat;
        bool hint;
        char text[BASEBALL_DIGITS_MAX + 1];
    } step[40];
};

static bool perform(const struct script *script, const struct field_spec *spec, int viewer,
                    struct buf *frames)
{
    struct field field = {0};
    bool good = true;
    buf_clear(frames);
    field_play(&field, spec);
    for (int i = 0; i < script->count && good; i++) {
        int seat = script->step[i].seat;
        field.now += 1700;
        if (script->step[i].hint)
            field_hint(&field, seat);
        else
            field_guess(&field, seat, script->step[i].text);
        struct buf view = field_view(&field.state, viewer);
        buf_put_sized(frames, buf_slice(&view));
        buf_put_u32(frames, seat == viewer ? field.refusal.code : 0);
        for (int e = 0; e < field.events.count; e++) {
            buf_put_sized(frames, field.events.list[e].shared);
            if (field.events.list[e].seat == viewer)
                buf_put_sized(frames, field.events.list[e].mine);
        }
        buf_fini(&view);
        for (int s = 0; s < spec->seats; s++)
            good = good && field.state.player[s].standing != BASEBALL_SOLVED;
    }
    field_close(&field);
    return good;
}

static void write_script(struct script *script, struct rng *rng)
{
    struct baseball_rules rules = {.digits = 3, .symbols = BASEBALL_SYMBOLS};
    memset(script, 0, sizeof *script);
    script->count = 3 + (int)rng_below(rng, 6);
    for (int i = 0; i < script->count; i++) {
        script->step[i].seat = (int)rng_below(rng, 2);
        script->step[i].hint = rng_below(rng, 8) == 0;
        baseball_write_code(&rules, baseball_draw_code(&rules, rng), script->step[i].text);
    }
}

/* Whether two secrets answer the viewer's guesses and hints alike. */
static bool answers_alike(const struct script *script, const char *a, const char *b, int hint_at)
{
    struct baseball_rules rules = {.digits = 3, .symbols = BASEBALL_SYMBOLS};
    uint32_t x, y, guess;
    int32_t param;
    baseball_read_code(&rules, slice_text(a), &x, &param);
    baseball_read_code(&rules, slice_text(b), &y, &param);
    for (int i = 0; i < script->count; i++) {
        if (script->step[i].seat != 0) continue;
        if (script->step[i].hint && a[hint_at] != b[hint_at]) return false;
        if (script->step[i].hint) continue;
        baseball_read_code(&rules, slice_text(script->step[i].text), &guess, &param);
        struct baseball_judged one = baseball_judge(&rules, x, guess);
        struct baseball_judged two = baseball_judge(&rules, y, guess);
        if (one.strikes != two.strikes || one.balls != two.balls) return false;
    }
    return true;
}

static void secrets_that_answer_a_viewer_alike_give_it_identical_frames(void **unused)
{
    (void)unused;
    int compared = 0, told_apart = 0;
    for (uint32_t number = 0; number < 40; number++) {
        struct game_seed seed = {{(uint8_t)number, 4}};
        struct script script;
        struct rng rng;
        struct buf frames = {0}, other = {0};
        char text[40];
        rng_init(&rng, &seed, "script");
        write_script(&script, &rng);
        struct field_spec spec = {.seats = 2, .secret = "370", .hints = "1"}, another = spec;
        another.secret = text;
        if (!perform(&script, &spec, 0, &frames)) continue;
        for (uint32_t code = 0; code < 1000; code++) {
            struct baseball_rules rules = {.digits = 3, .symbols = BASEBALL_SYMBOLS};
            if (!baseball_is_code(&rules, code)) continue;
            snprintf(text, sizeof text, "%03u", code);
            bool alike = answers_alike(&script, spec.secret, text, 1);
            if (!perform(&script, &another, 0, &other)) continue;
            assert_int_equal(slice_equal(buf_slice(&frames), buf_slice(&other)), alike);
            compared += alike;
            told_apart += !alike;
        }
        buf_fini(&frames);
        buf_fini(&other);
    }
    assert_true(compared > 300 && told_apart > 300);
}

static void randomness_that_was_not_revealed_yet_changes_no_frame(void **unused)
{
    (void)unused;
    struct script script = {.count = 2};
    struct buf frames = {0}, other = {0};
    script.step[0].seat = 0;
    snprintf(script.step[0].text, sizeof script.step[0].text, "0123");
    script.step[1].seat = 0;
    script.step[1].hint = true;
    static const char *const orders[] = {"2013", "2031", "2103", "2301", "2130", "2310"};
    struct field_spec spec = {.seats = 2, .secret = "3702", .hints = orders[0]};
    assert_true(perform(&script, &spec, 0, &frames));
    for (int i = 1; i < 6; i++) {
        spec.hints = orders[i];
        assert_true(perform(&script, &spec, 0, &other));
        assert_true(slice_equal(buf_slice(&frames), buf_slice(&other)));
    }
    buf_fini(&frames);
    buf_fini(&other);
}

/* The same script with every seat one further: everything else is the same. */
static void rotating_seats_rotates_the_run(void **unused)
{
    (void)unused;
    for (uint32_t number = 0; number < 50; number++) {
        struct game_seed seed = {{(uint8_t)number, 5}};
        struct field a = {0}, b = {0};
        struct script script;
        struct rng rng;
        rng_init(&rng, &seed, "script");
        write_script(&script, &rng);
        field_play(&a, &(struct field_spec){.seats = 3, .digits = 3, .seed = number});
        field_play(&b, &(struct field_spec){.seats = 3, .digits = 3, .seed = number});
        for (int i = 0; i < script.count; i++) {
            int seat = (int)rng_below(&rng, 3), next = (seat + 1) % 3;
            a.now = b.now += 250;
            if (script.step[i].hint)
                assert_int_equal(field_hint(&a, seat), field_hint(&b, next));
            else
                assert_int_equal(field_guess(&a, seat, script.step[i].text),
                                 field_guess(&b, next, script.step[i].text));
        }
        for (int seat = 0; seat < 3; seat++)
            assert_memory_equal(&a.state.player[seat], &b.state.player[(seat + 1) % 3],
                                sizeof a.state.player[0]);
        field_close(&a);
        field_close(&b);
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(secrets_that_answer_a_viewer_alike_give_it_identical_frames),
                     cmocka_unit_test(randomness_that_was_not_revealed_yet_changes_no_frame),
                     cmocka_unit_test(rotating_seats_rotates_the_run));
}
