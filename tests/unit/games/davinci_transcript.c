/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_transcript.h"

#include "unit/games/davinci_table.h"
#include "unit/games/davinci_text.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

static int face_named(const char *word)
{
    return word_is(word, "J") ? DAVINCI_FACE_JOKER : face(atoi(word));
}

/* ---- setting up ----------------------------------------------------------------------------- */

static enum davinci_phase phase_named(const char *name)
{
    static const char *const names[] = {"draw", "guess", "afterCorrect", "placeJoker", "revealOwn"};
    for (int i = 0; i < 5; i++)
        if (word_is(name, names[i])) return (enum davinci_phase)(DAVINCI_DRAW + i);
    fail_msg("no such phase: %s", name);
    return 0;
}

/* Joins the words from an index on with blanks. */
static const char *rest_of(const struct words *words, int from, char *into)
{
    into[0] = 0;
    for (int i = from; i < words->count; i++) {
        if (i > from) strcat(into, " ");
        strcat(into, words->word[i]);
    }
    return into;
}

struct setting {
    struct davinci_spec spec;
    struct table_options game;
    char rows[DAVINCI_SEATS_MAX + 2][TEXT_LINE_BYTES_MAX];
    char turn_tile[TEXT_LINE_BYTES_MAX];
};

static void set_table(struct setting *setting, const struct words *words)
{
    struct davinci_spec *spec = &setting->spec;
    const char *key = words->word[0];
    if (word_is(key, "row"))
        spec->rows[words_number(words, 1)] =
            rest_of(words, 2, setting->rows[words_number(words, 1)]);
    else if (word_is(key, "black"))
        spec->black = rest_of(words, 1, setting->rows[DAVINCI_SEATS_MAX]);
    else if (word_is(key, "white"))
        spec->white = rest_of(words, 1, setting->rows[DAVINCI_SEATS_MAX + 1]);
    else if (word_is(key, "rest"))
        spec->rest = words_number(words, 1) + 1;
    else if (word_is(key, "turn"))
        spec->turn_tile = rest_of(words, 1, setting->turn_tile);
    else if (word_is(key, "phase"))
        spec->phase = phase_named(words->word[1]);
    else if (word_is(key, "current"))
        spec->current = words_number(words, 1);
    else if (word_is(key, "jokers"))
        spec->jokers = true;
    else if (word_is(key, "white-left"))
        spec->white_left = true;
    else if (word_is(key, "none"))
        spec->none = true;
    else
        fail_msg("no such setting of a table: %s", key);
}

static void set_game(struct setting *setting, const struct words *words)
{
    struct table_options *game = &setting->game;
    const char *key = words->word[0];
    if (word_is(key, "players"))
        game->seats = words_number(words, 1);
    else if (word_is(key, "seed"))
        game->seed = (uint32_t)words_number(words, 1);
    else if (word_is(key, "start"))
        game->start_tiles = words_number(words, 1);
    else if (word_is(key, "starter"))
        game->starter = words_number(words, 1) + 1;
    else if (word_is(key, "jokers"))
        game->jokers = true;
    else if (word_is(key, "no-choice"))
        game->no_choice = true;
    else if (word_is(key, "none"))
        game->none = true;
    else if (word_is(key, "no-history"))
        game->no_history = true;
    else
        fail_msg("no such setting of a game: %s", key);
}

static void set_up(struct table *table, char *line)
{
    struct setting setting = {0};
    bool exact = strncmp(line, "table:", 6) == 0;
    char *at = strchr(line, ':') + 1;
    while (at) {
        char *next = strchr(at, ';');
        struct words words = {0};
        if (next) *next++ = 0;
        words_split(&words, at);
        if (exact)
            set_table(&setting, &words);
        else
            set_game(&setting, &words);
        at = next;
    }
    table_close(table);
    if (exact)
        table_open(table, &setting.spec);
    else
        table_start(table, &setting.game);
}

/* ---- playing -------------------------------------------------------------------------------- */

static int color_named(const char *word)
{
    return word == NULL ? -1 : word_is(word, "black") ? DAVINCI_BLACK : DAVINCI_WHITE;
}

static int play(struct table *table, const struct words *words)
{
    int seat = words_number(words, 0);
    const char *verb = words->word[1];
    table->now += 1000;
    if (word_is(verb, "choose"))
        return table_choose(table, seat, words_number(words, 2), words_number(words, 3));
    if (word_is(verb, "draw")) return table_draw(table, seat, color_named(words->word[2]));
    if (word_is(verb, "guess"))
        return table_guess(table, seat, words_number(words, 2), words_number(words, 3),
                           face_named(words->word[4]));
    if (word_is(verb, "continue")) return table_continue(table, seat);
    if (word_is(verb, "stop"))
        return words->count > 2 ? table_stop_joker(table, seat, words_number(words, 2))
                                : table_stop(table, seat);
    if (word_is(verb, "place")) return table_place(table, seat, words_number(words, 2));
    if (word_is(verb, "reveal")) return table_reveal(table, seat, words_number(words, 2));
    assert_true(word_is(verb, "returns"));
    table_return(table, seat);
    return 0;
}

static void put_views(const struct table *table, struct buf *out)
{
    struct buf shared = {0};
    davinci_game.view(&table->state, &(struct game_viewer){GAME_SPECTATOR, false}, &shared,
                      &shared);
    davinci_text_view(out, buf_slice(&shared));
    for (int seat = 0; seat < table->state.seats; seat++) {
        struct buf same = {0}, mine = {0};
        davinci_game.view(&table->state, &(struct game_viewer){seat, false}, &same, &mine);
        assert_true(slice_equal(buf_slice(&same), buf_slice(&shared)));
        davinci_text_mine(out, seat, buf_slice(&shared), buf_slice(&mine));
        buf_fini(&same);
        buf_fini(&mine);
    }
    buf_fini(&shared);
}

static const char *reason_name(int reason)
{
    static const char *const names[] = {
        "none",        "malformed",      "wrong phase",  "not your turn", "sum",
        "too many",    "already picked", "color needed", "color empty",   "no color choice",
        "own tile",    "no such player", "eliminated",   "no such tile",  "revealed",
        "value range", "no jokers",      "joker place",  "no joker held", "finished",
    };
    assert_in_range(reason, 1, 19);
    return names[reason];
}

static void put_input(struct table *table, const char *line, struct buf *out)
{
    struct words words = {0};
    words_split(&words, line + 1);
    if (word_is(words.word[0], "clock")) {
        table_clock(table);
        text_put(out, "  at %llu:\n", (unsigned long long)table->now);
    } else {
        int reason = play(table, &words);
        if (reason) {
            text_put(out, "  refused: %s", reason_name(reason));
            for (int i = 0; i < table->refusal.param_count; i++)
                text_put(out, " %d", table->refusal.params[i]);
            text_put(out, "\n");
            return;
        }
    }
    davinci_text_events(out, &table->events);
    put_views(table, out);
}

static void put_candidates(const struct table *table, const char *line, struct buf *out)
{
    struct words words = {0};
    struct davinci_sight sight;
    words_split(&words, line + 1);
    davinci_see(&table->state, words_number(&words, 0), &sight);
    uint16_t faces = davinci_candidates(&sight, words_number(&words, 1), words_number(&words, 2));
    text_put(out, " ");
    for (int n = 0; n < DAVINCI_NUMBERS; n++)
        if (faces >> face(n) & 1) text_put(out, " %d", n);
    text_put(out, "%s\n", faces >> DAVINCI_FACE_JOKER & 1 ? " J" : "");
}

static void play_line(struct table *table, char *line, struct buf *out)
{
    bool told = line[0] == ' ';
    if (!told) text_put(out, "%s", line), text_put(out, "\n");
    if (line[0] == '>')
        put_input(table, line, out);
    else if (line[0] == '?')
        put_candidates(table, line, out);
    else if (strncmp(line, "table:", 6) == 0 || strncmp(line, "game:", 5) == 0) {
        set_up(table, line);
        put_views(table, out);
    } else {
        assert_true(told || line[0] == '#' || line[0] == 0);
    }
}

void transcript_play(struct slice text, struct buf *out)
{
    struct table table = {0};
    size_t at = 0;
    while (at < text.len) {
        char line[TEXT_LINE_BYTES_MAX];
        size_t len = 0;
        while (at + len < text.len && text.at[at + len] != '\n') len++;
        assert_true(len < sizeof line);
        memcpy(line, text.at + at, len);
        line[len] = 0;
        at += len + 1;
        play_line(&table, line, out);
    }
    table_close(&table);
}
