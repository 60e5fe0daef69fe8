/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/baseball_transcript.h"

#include "unit/games/baseball_field.h"
#include "unit/games/baseball_text.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEP_MS = 1000 };

struct setting {
    struct field_spec spec;
    char secret[8], hints[8];
};

static void set_word(char into[8], const char *word)
{
    assert_true(word && strlen(word) < 8);
    snprintf(into, 8, "%s", word);
}

static void set(struct setting *setting, const struct words *words)
{
    struct field_spec *spec = &setting->spec;
    const char *key = words->word[0];
    if (word_is(key, "players"))
        spec->seats = words_number(words, 1);
    else if (word_is(key, "secret"))
        set_word(setting->secret, words->word[1]);
    else if (word_is(key, "hints"))
        set_word(setting->hints, words->word[1]);
    else if (word_is(key, "guesses"))
        spec->guesses = words_number(words, 1);
    else if (word_is(key, "minutes"))
        spec->minutes = words_number(words, 1);
    else if (word_is(key, "no-guess-limit"))
        spec->guesses = FIELD_NONE;
    else if (word_is(key, "no-time-limit"))
        spec->minutes = FIELD_NONE;
    else if (word_is(key, "no-hints"))
        spec->no_hints = true;
    else if (word_is(key, "absent"))
        spec->absent |= (seat_mask)(1u << words_number(words, 1));
    else
        fail_msg("no such setting of a game: %s", key);
}

static void set_up(struct field *field, char *line)
{
    struct setting setting = {0};
    for (char *at = strchr(line, ':') + 1; at;) {
        char *next = strchr(at, ';');
        struct words words = {0};
        if (next) *next++ = 0;
        words_split(&words, at);
        set(&setting, &words);
        at = next;
    }
    setting.spec.secret = setting.secret;
    setting.spec.hints = *setting.hints ? setting.hints : NULL;
    field_open(field, &setting.spec);
}

static void leave(struct field *field, int seat)
{
    field->left |= (seat_mask)(1u << seat);
    field_goes(field, seat);
}

/* The reason of a refusal, 0: done. */
static int perform(struct field *field, const struct words *words)
{
    int seat = words_number(words, 0);
    const char *verb = words->word[1];
    if (word_is(verb, "guess")) return field_guess(field, seat, words->word[2]);
    if (word_is(verb, "hint")) return field_hint(field, seat);
    if (word_is(verb, "give-up")) return field_give_up(field, seat);
    if (word_is(verb, "goes"))
        field_goes(field, seat);
    else if (word_is(verb, "returns"))
        field_returns(field, seat);
    else if (word_is(verb, "leaves"))
        leave(field, seat);
    else
        fail_msg("no such input: %s", verb);
    return 0;
}

static const char *reason_name(int reason)
{
    static const char *const names[] = {
        "none",        "malformed",    "length",   "char",      "duplicate",
        "repeat",      "countdown",    "ended",    "hints off", "no hint left",
        "hint number", "guesses made", "finished",
    };
    assert_in_range(reason, 1, 12);
    return names[reason];
}

static void put_views(const struct field *field, struct buf *out)
{
    struct buf shared = {0};
    baseball_game.view(&field->state, &(struct game_viewer){GAME_SPECTATOR, false}, &shared,
                       &shared);
    baseball_text_view(out, buf_slice(&shared));
    for (int seat = 0; seat < field->state.seats; seat++) {
        struct buf same = {0}, mine = {0};
        baseball_game.view(&field->state, &(struct game_viewer){seat, false}, &same, &mine);
        assert_true(slice_equal(buf_slice(&same), buf_slice(&shared)));
        text_put(out, "  %d alone: ", seat);
        baseball_text_mine(out, buf_slice(&shared), buf_slice(&mine));
        text_put(out, "\n");
        buf_fini(&same);
        buf_fini(&mine);
    }
    buf_fini(&shared);
}

static void put_input(struct field *field, const char *line, struct buf *out)
{
    struct words words = {0};
    words_split(&words, line + 1);
    if (word_is(words.word[0], "wait")) {
        assert_non_null(words.word[1]);
        field->now += (instant_ms)(strtod(words.word[1], NULL) * 1000 + 0.5);
        assert_true(field->now < baseball_deadline(&field->state));
        return;
    }
    if (word_is(words.word[0], "clock")) {
        field_clock(field);
        text_put(out, "  at %llu:\n", (unsigned long long)field->now);
    } else {
        if (line[0] == '>') field->now += STEP_MS;
        int reason = perform(field, &words);
        if (reason) {
            text_put(out, "  refused: %s", reason_name(reason));
            for (int i = 0; i < field->refusal.param_count; i++)
                text_put(out, " %d", field->refusal.params[i]);
            text_put(out, "\n");
            return;
        }
    }
    baseball_text_events(out, &field->events);
    put_views(field, out);
}

static void play_line(struct field *field, char *line, struct buf *out)
{
    if (line[0] == ' ') return; /* told: is written anew */
    text_put(out, "%s\n", line);
    if (line[0] == '>' || line[0] == '&') {
        put_input(field, line, out);
    } else if (strncmp(line, "game:", 5) == 0) {
        set_up(field, line);
        put_views(field, out);
    } else {
        assert_true(line[0] == '#' || line[0] == 0);
    }
}

void baseball_transcript_play(struct slice text, struct buf *out)
{
    struct field field = {0};
    size_t at = 0;
    while (at < text.len) {
        char line[TEXT_LINE_BYTES_MAX];
        size_t len = 0;
        while (at + len < text.len && text.at[at + len] != '\n') len++;
        assert_true(len < sizeof line);
        memcpy(line, text.at + at, len);
        line[len] = 0;
        at += len + 1;
        play_line(&field, line, out);
    }
    field_close(&field);
}
