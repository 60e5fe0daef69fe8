/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_expect.h"

#include "unit/games/davinci_text.h"
#include "unit/test.h"

void expect_row(const struct table *table, int seat, const char *row)
{
    assert_string_equal(table_row(table, seat), row);
}

void expect_phase(const struct table *table, enum davinci_phase phase, int current)
{
    assert_int_equal(table->state.phase, phase);
    assert_int_equal(table->state.current, current);
}

static struct buf seen(const struct table *table)
{
    struct buf bytes = table_view(&table->state, GAME_SPECTATOR), text = {0};
    davinci_text_view(&text, buf_slice(&bytes));
    buf_put_u8(&text, 0);
    buf_fini(&bytes);
    return text;
}

void expect_seen(const struct table *table, const char *part)
{
    struct buf text = seen(table);
    bool there = strstr((const char *)text.at, part) != NULL;
    if (!there) fail_msg("\"%s\" is not in what everybody sees:\n%s", part, text.at);
    buf_fini(&text);
}

void expect_unseen(const struct table *table, const char *part)
{
    struct buf text = seen(table);
    bool there = strstr((const char *)text.at, part) != NULL;
    if (there) fail_msg("\"%s\" is in what everybody sees:\n%s", part, text.at);
    buf_fini(&text);
}

void expect_mine(const struct table *table, int seat, const char *line)
{
    struct buf shared = {0}, mine = {0}, text = {0};
    davinci_game.view(&table->state, &(struct game_viewer){seat, false}, &shared, &mine);
    davinci_text_mine(&text, seat, buf_slice(&shared), buf_slice(&mine));
    buf_put_u8(&text, 0);
    assert_string_equal((const char *)text.at, line);
    buf_fini(&shared);
    buf_fini(&mine);
    buf_fini(&text);
}

void expect_events(const struct table *table, const char *lines)
{
    struct buf text = {0};
    davinci_text_events(&text, &table->events);
    buf_put_u8(&text, 0);
    assert_string_equal((const char *)text.at, lines);
    buf_fini(&text);
}

void expect_left(const struct table *table, uint64_t ms)
{
    assert_int_equal(table->state.deadline - table->now, ms);
}

void expect_same_view(const struct davinci_state *a, const struct davinci_state *b, int viewer)
{
    struct buf x = table_view(a, viewer), y = table_view(b, viewer);
    assert_true(slice_equal(buf_slice(&x), buf_slice(&y)));
    buf_fini(&x);
    buf_fini(&y);
}

void expect_same_events(const struct game_events *a, const struct game_events *b, int viewer)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        assert_true(slice_equal(a->list[i].shared, b->list[i].shared));
        if (a->list[i].seat == viewer || b->list[i].seat == viewer)
            assert_true(slice_equal(a->list[i].mine, b->list[i].mine));
    }
}

bool same_state(const struct davinci_state *a, const struct davinci_state *b)
{
    struct buf x = {0}, y = {0};
    davinci_encode(a, &x);
    davinci_encode(b, &y);
    bool same = slice_equal(buf_slice(&x), buf_slice(&y));
    buf_fini(&x);
    buf_fini(&y);
    return same;
}
