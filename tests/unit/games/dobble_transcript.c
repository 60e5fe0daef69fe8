/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/dobble_transcript.h"

#include "unit/games/dobble_match.h"
#include "unit/games/dobble_text.h"
#include "unit/games/text.h"
#include "unit/test.h"

/* ---- setting up ------------------------------------------------------------------------------ */

static int mini_game_named(const char *name)
{
    static const char *const names[] = {"tower", "well", "hotPotato", "poisonedGift", "triplet"};
    for (int i = 0; i < 5; i++)
        if (word_is(name, names[i])) return i + 1;
    return 0;
}

static void set(struct match_options *options, const struct words *words)
{
    const char *key = words->word[0];
    if (mini_game_named(key))
        options->mini_game = mini_game_named(key);
    else if (word_is(key, "seats"))
        options->seats = words_number(words, 1);
    else if (word_is(key, "order"))
        options->order = words_number(words, 1);
    else if (word_is(key, "seed"))
        options->seed = (uint32_t)words_number(words, 1);
    else if (word_is(key, "rounds"))
        options->rounds = words_number(words, 1);
    else if (word_is(key, "light"))
        options->light = true;
    else if (word_is(key, "gives-card"))
        options->gives_card = true;
    else if (word_is(key, "end-at-first"))
        options->end_at_first = true;
    else if (word_is(key, "practice"))
        options->practice = true;
    else
        fail_msg("no such setting of a game: %s", key);
}

struct stage {
    struct match match;
    struct dobble_action last[DOBBLE_SEATS_MAX];   /* each one's last claim */
    struct dobble_action before[DOBBLE_SEATS_MAX]; /* each one's answer before the last input */
};

static void set_up(struct stage *stage, char *line)
{
    struct match_options options = {0};
    char *at = strchr(line, ':') + 1;
    while (at) {
        char *next = strchr(at, ';');
        struct words words = {0};
        if (next) *next++ = 0;
        words_split(&words, at);
        set(&options, &words);
        at = next;
    }
    match_set_up(&stage->match, &options);
}

/* ---- playing --------------------------------------------------------------------------------- */

static void put_views(const struct match *match, struct buf *out)
{
    struct buf shared = {0};
    dobble_game.view(&match->state, &(struct game_viewer){GAME_SPECTATOR, false}, &shared, NULL);
    dobble_text_view(out, buf_slice(&shared));
    buf_fini(&shared);
    for (int seat = 0; seat < match->state.seats; seat++) {
        struct buf mine = {0};
        dobble_game.view(&match->state, &(struct game_viewer){seat, seat == 0}, NULL, &mine);
        dobble_text_mine(out, seat, buf_slice(&mine));
        buf_fini(&mine);
    }
}

/* Time passes, and each deadline on the way is told. Nothing is seen of time alone. */
static void wait_until(struct match *match, instant_ms until, struct buf *out)
{
    bool any = false;
    for (; dobble_deadline(&match->state) <= until; any = true) {
        match_clock(match);
        text_put(out, "  at %llu:\n", (unsigned long long)match->now);
        dobble_text_events(out, &match->events);
    }
    match->now = until;
    if (any) put_views(match, out);
}

static const char *reason_name(int reason)
{
    static const char *const names[] = {
        "none",       "malformed",      "countdown",       "round end", "hint",      "paused",
        "finished",   "not in play",    "locked",          "late",      "no target", "own target",
        "target out", "no target here", "other mini-game", "not three",
    };
    assert_in_range(reason, 1, 15);
    return names[reason];
}

static void put_claim(struct stage *stage, int seat, const struct dobble_action *action,
                      struct buf *out)
{
    struct match *match = &stage->match;
    int reason = match_act(match, seat, action);
    if (reason == 0) {
        dobble_text_events(out, &match->events);
        if (!match->events.hidden) put_views(match, out);
        return;
    }
    text_put(out, "  refused: %s", reason_name(reason));
    for (int i = 0; i < match->refusal.param_count; i++)
        text_put(out, " %d", match->refusal.params[i]);
    text_put(out, "\n");
}

static void play(struct stage *stage, const struct words *words, struct buf *out)
{
    struct match *match = &stage->match;
    int seat = words_number(words, 0);
    const char *verb = words->word[1];
    struct dobble_action action = words->count > 2
                                      ? match_answer_to(match, seat, words_number(words, 2))
                                      : match_answer(match, seat);
    if (word_is(verb, "again")) action = stage->last[seat];
    if (word_is(verb, "late")) action = stage->before[seat];
    if (word_is(verb, "misses"))
        action.claim.art = (uint8_t)((action.claim.art + 1) % dobble_cards(&match->state.rules));
    if (word_is(verb, "goes") || word_is(verb, "comes")) {
        match_presence(match, seat, word_is(verb, "comes"));
        dobble_text_events(out, &match->events);
        put_views(match, out);
        return;
    }
    if (word_is(verb, "finds") || word_is(verb, "misses")) {
        for (int s = 0; s < match->state.seats; s++) stage->before[s] = match_answer(match, s);
        stage->last[seat] = action;
    }
    assert_true(word_is(verb, "finds") || word_is(verb, "misses") || word_is(verb, "again") ||
                word_is(verb, "late"));
    put_claim(stage, seat, &action, out);
}

static void play_line(struct stage *stage, char *line, struct buf *out)
{
    struct words words = {0};
    if (line[0] == ' ') return;
    text_put(out, "%s\n", line);
    if (strncmp(line, "game:", 5) == 0) {
        set_up(stage, line);
        put_views(&stage->match, out);
        return;
    }
    assert_true(line[0] == '>' || line[0] == '#' || line[0] == 0);
    if (line[0] != '>') return;
    words_split(&words, line + 1);
    if (word_is(words.word[0], "wait"))
        wait_until(&stage->match, stage->match.now + (instant_ms)words_number(&words, 1), out);
    else if (word_is(words.word[0], "clock"))
        wait_until(&stage->match, dobble_deadline(&stage->match.state), out);
    else if (word_is(words.word[0], "rtt"))
        stage->match.rtt_ms = (uint32_t)words_number(&words, 1);
    else
        play(stage, &words, out);
}

void dobble_transcript_play(struct slice text, struct buf *out)
{
    struct stage stage;
    memset(&stage, 0, sizeof stage);
    size_t at = 0;
    while (at < text.len) {
        char line[TEXT_LINE_BYTES_MAX];
        size_t len = 0;
        while (at + len < text.len && text.at[at + len] != '\n') len++;
        assert_true(len < sizeof line);
        memcpy(line, text.at + at, len);
        line[len] = 0;
        at += len + 1;
        play_line(&stage, line, out);
    }
    match_close(&stage.match);
}
