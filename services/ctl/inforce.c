/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/inforce.h"

#include "ctl/seen.h"

#include <stdlib.h>

/* The text up to `end`, which is left behind; NULL: it does not come. */
static const char *take_until(struct slice *text, char end, struct arena *arena)
{
    const uint8_t *at = text->len ? memchr(text->at, end, text->len) : NULL;
    if (at == NULL) return NULL;
    size_t len = (size_t)(at - text->at);
    char *copy = arena_alloc(arena, len + 1);
    memcpy(copy, text->at, len);
    *text = slice_of(at + 1, text->len - len - 1);
    return copy;
}

void inforce_read(struct inforce *out, struct slice text, struct arena *arena)
{
    out->list = arena_alloc(arena, INFORCE_SETTINGS_MAX * sizeof *out->list);
    out->count = 0;
    while (out->count < INFORCE_SETTINGS_MAX) {
        struct inforce_setting setting = {.flag = take_until(&text, '\t', arena)};
        setting.source = take_until(&text, '\t', arena);
        setting.value = take_until(&text, '\n', arena);
        if (!setting.flag || !setting.source || !setting.value) break;
        out->list[out->count++] = setting;
    }
}

static int compare(const void *left, const void *right)
{
    const struct inforce *a = left, *b = right;
    if (a->is.kind != b->is.kind) return a->is.kind < b->is.kind ? -1 : 1;
    return id128_compare(a->is.instance, b->is.instance);
}

void inforce_sort(struct inforce *all, int count)
{
    if (count > 1) qsort(all, (size_t)count, sizeof *all, compare);
}

/* ---- for people ------------------------------------------------------------------------------ */

static const struct inforce_setting *find(const struct inforce *service, const char *flag)
{
    for (int i = 0; i < service->count; i++)
        if (strcmp(service->list[i].flag, flag) == 0) return &service->list[i];
    return NULL;
}

/* Whether all services of this one's kind that have told say the same. */
static bool all_agree(const struct inforce *all, int count, const struct inforce *one,
                      const struct inforce_setting *setting)
{
    for (int i = 0; i < count; i++) {
        if (all[i].is.kind != one->is.kind || all[i].why) continue;
        const struct inforce_setting *other = find(&all[i], setting->flag);
        if (other == NULL || strcmp(other->value, setting->value) != 0 ||
            strcmp(other->source, setting->source) != 0)
            return false;
    }
    return true;
}

static bool first_of_kind(const struct inforce *all, const struct inforce *one)
{
    for (; all < one; all++)
        if (all->is.kind == one->is.kind && all->why == NULL) return false;
    return true;
}

static const char *who(const struct inforce *one, bool all, struct arena *arena)
{
    struct buf text = {0};
    text_add(&text, "%s", seen_service(one->is.kind));
    if (!all) {
        text_add(&text, " ");
        text_id(&text, one->is.instance, TEXT_ID_SHORT);
    }
    buf_put_u8(&text, 0);
    const char *lent = arena_text(arena, (const char *)text.at);
    buf_fini(&text);
    return lent;
}

static void put_service(struct text_table *table, const struct inforce *all, int count,
                        const struct inforce *one, bool defaults, struct arena *arena)
{
    for (int i = 0; i < one->count; i++) {
        const struct inforce_setting *setting = &one->list[i];
        bool agree = all_agree(all, count, one, setting);
        bool changed = strcmp(setting->source, "default") != 0 || !agree;
        if ((agree && !first_of_kind(all, one)) || !(changed || defaults)) continue;
        struct text_cell *row = text_table_row(table);
        row[0].text = who(one, agree, arena);
        row[1].text = setting->flag;
        row[2].text = setting->source;
        row[3].text = *setting->value ? setting->value : "-";
        if (!agree) row[0].mark = row[3].mark = MARK_WARN;
    }
}

void inforce_text(const struct inforce *all, int count, bool defaults,
                  const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"SERVICE", false, false},
        {"SETTING", false, false},
        {"FROM", false, false},
        {"VALUE", false, true},
    };
    struct text_table table = {.columns = columns, .column_count = 4};
    struct arena arena = {0};
    for (int i = 0; i < count; i++)
        if (all[i].why == NULL) put_service(&table, all, count, &all[i], defaults, &arena);
    if (table.row_count) text_table_write(&table, style, out);
    for (int i = 0; i < count; i++) {
        if (all[i].why == NULL) continue;
        text_add(out, "  ");
        text_marked(out, style, MARK_BAD, "!");
        text_add(out, " %s: %s\n", who(&all[i], false, &arena), all[i].why);
    }
    text_table_fini(&table);
    arena_fini(&arena);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

void inforce_json(const struct inforce *all, int count, struct buf *out)
{
    struct json json = {.out = out};
    json_object(&json, NULL);
    json_list(&json, "services");
    for (int i = 0; i < count; i++) {
        json_object(&json, NULL);
        json_text(&json, "service", seen_service(all[i].is.kind));
        json_id(&json, "id", all[i].is.instance);
        if (all[i].why) json_text(&json, "why", all[i].why);
        json_object(&json, "settings");
        for (int s = 0; s < all[i].count; s++) {
            json_object(&json, all[i].list[s].flag);
            json_text(&json, "value", all[i].list[s].value);
            json_text(&json, "from", all[i].list[s].source);
            json_end(&json, '}');
        }
        json_end(&json, '}');
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
}
