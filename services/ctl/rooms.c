/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/rooms.h"

#include <stdlib.h>

#include "base/arena.h"

static const char *const phases[] = {"leaving", "lobby", "playing", "result", "paused", "aside"};
enum { PHASES = sizeof phases / sizeof *phases };

const char *rooms_phase(uint32_t phase)
{
    return phase < PHASES ? phases[phase] : "unknown";
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_number(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_code(const struct listed_room *a, const struct listed_room *b)
{
    int order = strcmp(a->is.code, b->is.code);
    return order ? order : compare_number(a->is.room, b->is.room);
}
static int by_game(const struct listed_room *a, const struct listed_room *b)
{
    return strcmp(a->is.game, b->is.game);
}
static int by_phase(const struct listed_room *a, const struct listed_room *b)
{
    return compare_number(a->is.phase, b->is.phase);
}
/* Of numbers the greatest come first: whoever sorts by them looks for those. */
static int by_people(const struct listed_room *a, const struct listed_room *b)
{
    return compare_number(b->is.connected, a->is.connected);
}
static int by_watchers(const struct listed_room *a, const struct listed_room *b)
{
    return compare_number(b->is.watchers, a->is.watchers);
}
static int by_age(const struct listed_room *a, const struct listed_room *b)
{
    return compare_number(b->is.age_ms, a->is.age_ms);
}
static int by_waiting(const struct listed_room *a, const struct listed_room *b)
{
    return compare_number(b->is.unconfirmed, a->is.unconfirmed);
}

#define ORDERS(X) X(code) X(game) X(phase) X(people) X(watchers) X(age) X(waiting)

typedef int (*order_fn)(const void *, const void *);
#define X(name)                                                                                    \
    static int order_##name(const void *left, const void *right)                                   \
    {                                                                                              \
        int order =                                                                                \
            by_##name((const struct listed_room *)left, (const struct listed_room *)right);        \
        return order                                                                               \
                   ? order                                                                         \
                   : by_code((const struct listed_room *)left, (const struct listed_room *)right); \
    }
ORDERS(X)
#undef X

static order_fn find_order(const char *name)
{
    static const struct {
        const char *name;
        order_fn order;
    } orders[] = {
#define X(name) {#name, order_##name},
        ORDERS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].name, name) == 0) return orders[i].order;
    return NULL;
}

/* ---- which ----------------------------------------------------------------------------------- */

const char *rooms_fault(const struct rooms_wanted *wanted)
{
    bool known = wanted->phase == NULL;
    for (size_t i = 0; i < PHASES && !known; i++) known = strcmp(phases[i], wanted->phase) == 0;
    if (!known) return "--phase: one of lobby, playing, paused, result, aside, leaving";
    if (wanted->sort && !find_order(wanted->sort))
        return "--sort: one of code, game, phase, people, watchers, age, waiting";
    return NULL;
}

static bool is_wanted(const struct listed_room *room, const struct rooms_wanted *wanted)
{
    if (wanted->game && strcmp(wanted->game, room->is.game) != 0) return false;
    if (wanted->phase && strcmp(wanted->phase, rooms_phase(room->is.phase)) != 0) return false;
    return !wanted->empty || room->is.connected == 0;
}

size_t rooms_choose(struct listed_room *list, size_t count, const struct rooms_wanted *wanted,
                    size_t *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_wanted(&list[i], wanted)) list[kept++] = list[i];
    if (kept > 1) qsort(list, kept, sizeof *list, find_order(wanted->sort ? wanted->sort : "code"));
    *all = kept;
    return (int64_t)kept > wanted->limit ? (size_t)wanted->limit : kept;
}

/* ---- how ------------------------------------------------------------------------------------- */

static const char *lend(struct arena *arena, struct buf *text)
{
    buf_put_u8(text, 0);
    const char *lent = arena_text(arena, (const char *)text->at);
    buf_clear(text);
    return lent;
}

static void put_row(struct text_cell *row, const struct listed_room *room, struct arena *arena)
{
    struct buf text = {0};
    const struct room_line *is = &room->is;
    bool away = is->phase == 2 && is->connected == 0;
    row[0].text = *is->code ? is->code : "-";
    row[1].text = *is->game ? is->game : "-";
    row[2] = (struct text_cell){rooms_phase(is->phase), is->phase == 5   ? MARK_BAD
                                                        : is->phase == 2 ? MARK_GOOD
                                                                         : MARK_NONE};
    text_add(&text, "%u/%u", is->connected, is->seated);
    row[3] = (struct text_cell){lend(arena, &text), away ? MARK_WARN : MARK_NONE};
    text_add(&text, "%u", is->watchers);
    row[4].text = lend(arena, &text);
    text_add(&text, "%u", is->games);
    row[5].text = lend(arena, &text);
    text_add(&text, "%u", is->unconfirmed);
    row[6] = (struct text_cell){lend(arena, &text), is->unconfirmed > 32 ? MARK_WARN : MARK_NONE};
    text_duration(&text, is->age_ms);
    row[7].text = lend(arena, &text);
    text_id(&text, room->worker, TEXT_ID_SHORT);
    row[8].text = lend(arena, &text);
    buf_fini(&text);
}

void rooms_text(const struct listed_room *list, size_t count, size_t all,
                const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"CODE", false, false}, {"GAME", false, true},  {"PHASE", false, false},
        {"HERE", true, false},  {"WATCH", true, false}, {"GAMES", true, false},
        {"WAITS", true, false}, {"AGE", true, false},   {"WORKER", false, false},
    };
    struct text_table table = {.columns = columns, .column_count = 9};
    struct arena arena = {0};
    for (size_t i = 0; i < count; i++) put_row(text_table_row(&table), &list[i], &arena);
    if (count > 0) {
        text_table_write(&table, style, out);
        text_add(out, "\n");
    }
    text_count(out, all, "room", "rooms");
    if (count < all) text_add(out, ", of which %zu are shown", count);
    text_add(out, "\n");
    text_table_fini(&table);
    arena_fini(&arena);
}

void rooms_json(const struct listed_room *list, size_t count, size_t all, struct buf *out)
{
    struct json json = {.out = out};
    json_object(&json, NULL);
    json_unsigned(&json, "count", all);
    json_list(&json, "rooms");
    for (size_t i = 0; i < count; i++) {
        const struct room_line *is = &list[i].is;
        json_object(&json, NULL);
        json_room(&json, "room", is->room);
        json_text(&json, "code", is->code);
        json_text(&json, "game", is->game);
        json_text(&json, "phase", rooms_phase(is->phase));
        json_unsigned(&json, "seats", is->seats);
        json_unsigned(&json, "seated", is->seated);
        json_unsigned(&json, "connected", is->connected);
        json_unsigned(&json, "watchers", is->watchers);
        json_unsigned(&json, "games", is->games);
        json_unsigned(&json, "position", is->position);
        json_unsigned(&json, "unconfirmed", is->unconfirmed);
        json_unsigned(&json, "age_ms", is->age_ms);
        json_unsigned(&json, "epoch", is->epoch);
        json_id(&json, "worker", list[i].worker);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
}
