/* SPDX-License-Identifier: Apache-2.0
 *
 * Each fault that happens has a name: its kind and a number, counted within the kind ("crash:3").
 * A run may be told which of them to let happen; all others are drawn and left out, so that the
 * numbers of those that remain stay what they were.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "sim/world.h"

static const char *const names[] = {
#define X(name, word, text) [FAULT_##name] = word,
    SIM_FAULTS(X)
#undef X
};

const char *fault_name(enum fault kind)
{
    return names[kind];
}

static int by_name(const void *a, const void *b)
{
    const struct fault_id *left = a, *right = b;
    if (left->kind != right->kind) return left->kind < right->kind ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static bool allowed(const struct fault_list *only, struct fault_id id)
{
    if (!only) return true;
    return only->count &&
           bsearch(&id, only->list, only->count, sizeof *only->list, by_name) != NULL;
}

bool fault_happens(struct world *world, enum fault kind, bool can, const char *whom)
{
    struct fault_id id = {.kind = kind, .number = ++world->occurred[kind]};
    if (!can || !allowed(world->config.only_faults, id)) return false;
    world_trace(world, "%s: here comes %s:%u", whom, names[kind], id.number);
    world->counts.faults[kind]++;
    fault_list_add(&world->happened, id);
    world->last_fault_at = world->now;
    return true;
}

bool fault_strikes(struct world *world, enum fault kind, uint32_t ppm, const char *whom)
{
    return chance_ppm(world, ppm) && fault_happens(world, kind, true, whom);
}

/* ---- lists ----------------------------------------------------------------------------------- */

void fault_list_add(struct fault_list *list, struct fault_id id)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->list = realloc(list->list, list->room * sizeof *list->list);
        CHECK(list->list);
    }
    list->list[list->count++] = id;
}

void fault_list_sort(struct fault_list *list)
{
    if (list->count) qsort(list->list, list->count, sizeof *list->list, by_name);
}

void fault_list_fini(struct fault_list *list)
{
    free(list->list);
    *list = (struct fault_list){0};
}

static bool read_one(const char *text, size_t len, struct fault_id *id)
{
    for (size_t kind = 0; kind < sizeof names / sizeof *names; kind++) {
        size_t name_len = strlen(names[kind]);
        if (len <= name_len || strncmp(text, names[kind], name_len) != 0) continue;
        if (text[name_len] != ':') continue;
        char *end;
        unsigned long number = strtoul(text + name_len + 1, &end, 10);
        *id = (struct fault_id){(enum fault)kind, (uint32_t)number};
        return end == text + len && number > 0;
    }
    return false;
}

bool fault_list_read(const char *text, struct fault_list *list)
{
    *list = (struct fault_list){0};
    if (!strcmp(text, "none")) return true;
    while (*text) {
        size_t len = strcspn(text, ",");
        struct fault_id id;
        if (!read_one(text, len, &id)) {
            fault_list_fini(list);
            return false;
        }
        fault_list_add(list, id);
        text += len + (text[len] == ',');
    }
    fault_list_sort(list);
    return list->count > 0;
}

void fault_list_write(const struct fault_list *list, FILE *out)
{
    if (!list->count) fputs("none", out);
    for (size_t i = 0; i < list->count; i++)
        fprintf(out, "%s%s:%u", i ? "," : "", names[list->list[i].kind], list->list[i].number);
}
