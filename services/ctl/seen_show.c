/* SPDX-License-Identifier: Apache-2.0
 *
 * The services in a table, and in JSON.
 */
#include "ctl/seen.h"

#include "base/arena.h"
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static const char *say(struct arena *arena,
                                                             const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return arena_text(arena, text);
}

static const char *short_id(struct arena *arena, struct id128 id)
{
    struct buf text = {0};
    text_id(&text, id, TEXT_ID_SHORT);
    buf_put_u8(&text, 0);
    const char *lent = arena_text(arena, (const char *)text.at);
    buf_fini(&text);
    return lent;
}

static const char *duration(struct arena *arena, uint64_t ms)
{
    struct buf text = {0};
    text_duration(&text, ms);
    buf_put_u8(&text, 0);
    const char *lent = arena_text(arena, (const char *)text.at);
    buf_fini(&text);
    return lent;
}

static const char none[] = "-";

static void put_head(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    struct seen_totals totals;
    seen_total(seen, &totals);
    text_heading(out, style, "Madang");
    text_add(out, "  ");
    text_count(out, totals.services, "service", "services");
    text_add(out, ", ");
    text_count(out, totals.rooms, "room", "rooms");
    text_add(out, ", ");
    text_count(out, totals.people, "person playing", "people playing");
    if (totals.watchers) text_add(out, ", %u watching", totals.watchers);
    text_add(out, ", ");
    text_count(out, totals.connections, "connection", "connections");
    text_add(out, "\n\n");
}

/* ---- columns --------------------------------------------------------------------------------- */

/* What a column says of a service; `none` where it has nothing to say. */
typedef const char *cell_of(const struct seen_member *member, struct arena *arena);
struct shown_column {
    struct text_column head;
    cell_of *cell; /* NULL: its state, in the colour of that */
};

static bool is_heard_worker(const struct seen_member *member)
{
    return member->is.kind == SERVICE_WORKER && member->answered;
}

static const char *service_text(const struct seen_member *member, struct arena *arena)
{
    (void)arena;
    return seen_service(member->is.kind);
}

static const char *id_text(const struct seen_member *member, struct arena *arena)
{
    return short_id(arena, member->is.instance);
}

static const char *version_text(const struct seen_member *member, struct arena *arena)
{
    (void)arena;
    return member->is.build && *member->is.build ? member->is.build : none;
}

static const char *cpu_text(const struct seen_member *member, struct arena *arena)
{
    if (member->cpu_percent < 0) return none;
    return say(arena, "%lld%%", (long long)member->cpu_percent);
}

static const char *memory_text(const struct seen_member *member, struct arena *arena)
{
    if (member->memory_bytes < 0) return none;
    return say(arena, "%lldM", (long long)(member->memory_bytes >> 20));
}

static const char *actions_text(const struct seen_member *member, struct arena *arena)
{
    if (member->actions_per_s < 0) return none;
    return say(arena, "%lld", (long long)member->actions_per_s);
}

static const char *rooms_text(const struct seen_member *member, struct arena *arena)
{
    if (member->is.kind != SERVICE_WORKER) return none;
    return say(arena, "%u/%u", member->answered ? member->load.rooms : member->is.rooms,
               member->is.rooms_max);
}

static const char *people_text(const struct seen_member *member, struct arena *arena)
{
    if (member->is.kind == SERVICE_GATEWAY) return say(arena, "%u", member->is.connections);
    if (!is_heard_worker(member)) return none;
    return say(arena, "%u", member->load.people + member->load.watchers);
}

static const char *waits_text(const struct seen_member *member, struct arena *arena)
{
    return is_heard_worker(member) ? say(arena, "%u", member->load.unconfirmed) : none;
}

static const char *lag_text(const struct seen_member *member, struct arena *arena)
{
    return is_heard_worker(member) ? duration(arena, member->load.oldest_ms) : none;
}

static const char *seen_ago(const struct seen_member *member, struct arena *arena)
{
    return member->is.silent_ms == MEMBER_DEAD ? none : duration(arena, member->is.silent_ms);
}

static void put_table(const struct seen *seen, const struct shown_column *shown, int count,
                      const struct text_style *style, struct buf *out)
{
    struct text_column columns[TEXT_COLUMNS_MAX];
    struct text_table table = {.columns = columns, .column_count = count};
    struct arena arena = {0};
    CHECK(count <= TEXT_COLUMNS_MAX);
    for (int c = 0; c < count; c++) columns[c] = shown[c].head;
    for (int i = 0; i < seen->count; i++) {
        const struct seen_member *member = &seen->list[i];
        struct text_cell *row = text_table_row(&table);
        for (int c = 0; c < count; c++) {
            if (shown[c].cell)
                row[c].text = shown[c].cell(member, &arena);
            else
                row[c].text = seen_state(member, &row[c].mark);
        }
    }
    text_table_write(&table, style, out);
    text_table_fini(&table);
    arena_fini(&arena);
}

void seen_status_text(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    static const struct shown_column shown[] = {
        {{"SERVICE", false, false}, service_text}, {{"ID", false, false}, id_text},
        {{"VERSION", false, true}, version_text},  {{"STATE", false, false}, NULL},
        {{"ROOMS", true, false}, rooms_text},      {{"PEOPLE", true, false}, people_text},
        {{"WAITS", true, false}, waits_text},      {{"LAG", true, false}, lag_text},
        {{"SEEN", true, false}, seen_ago},
    };
    struct buf troubles = {0};
    put_head(seen, style, out);
    put_table(seen, shown, sizeof shown / sizeof *shown, style, out);
    seen_troubles(seen, style, &troubles);
    if (troubles.len) text_add(out, "\n");
    buf_put_slice(out, buf_slice(&troubles));
    buf_fini(&troubles);
}

void seen_top_text(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    static const struct shown_column shown[] = {
        {{"SERVICE", false, false}, service_text}, {{"ID", false, false}, id_text},
        {{"STATE", false, false}, NULL},           {{"CPU", true, false}, cpu_text},
        {{"MEMORY", true, false}, memory_text},    {{"ROOMS", true, false}, rooms_text},
        {{"PEOPLE", true, false}, people_text},    {{"ACTS/S", true, false}, actions_text},
        {{"WAITS", true, false}, waits_text},      {{"LAG", true, false}, lag_text},
    };
    put_head(seen, style, out);
    put_table(seen, shown, sizeof shown / sizeof *shown, style, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_load(struct json *json, const struct seen_member *member)
{
    const struct worker_load *load = &member->load;
    json_unsigned(json, "rooms", member->answered ? load->rooms : member->is.rooms);
    json_unsigned(json, "rooms_max", member->is.rooms_max);
    if (!member->answered) return;
    json_unsigned(json, "people", load->people);
    json_unsigned(json, "watchers", load->watchers);
    json_unsigned(json, "unconfirmed", load->unconfirmed);
    json_unsigned(json, "held", load->held);
    json_unsigned(json, "backlog_bytes", load->backlog_bytes);
    json_unsigned(json, "redis_lag_ms", load->oldest_ms);
    json_unsigned(json, "shards", load->shards);
    json_unsigned(json, "shards_up", load->shards_up);
}

static void put_member(struct json *json, const struct seen_member *member)
{
    json_object(json, NULL);
    json_text(json, "service", seen_service(member->is.kind));
    json_id(json, "id", member->is.instance);
    json_text(json, "version", member->is.build);
    json_text(json, "state", seen_state(member, NULL));
    if (*member->why) json_text(json, "why", member->why);
    if (member->is.control_url && *member->is.control_url)
        json_text(json, "control", member->is.control_url);
    if (member->is.inbox_url && *member->is.inbox_url)
        json_text(json, "inbox", member->is.inbox_url);
    if (member->is.ops_port) json_unsigned(json, "ops_port", member->is.ops_port);
    if (member->is.silent_ms != MEMBER_DEAD) json_unsigned(json, "heard_ms", member->is.silent_ms);
    if (member->is.kind == SERVICE_GATEWAY)
        json_unsigned(json, "connections", member->is.connections);
    if (member->is.kind == SERVICE_WORKER) put_load(json, member);
    if (member->cpu_percent >= 0) json_number(json, "cpu_percent", member->cpu_percent);
    if (member->actions >= 0) json_number(json, "actions", member->actions);
    if (member->actions_per_s >= 0) json_number(json, "actions_per_s", member->actions_per_s);
    if (member->memory_bytes >= 0) json_number(json, "memory_bytes", member->memory_bytes);
    json_end(json, '}');
}

void seen_status_json(const struct seen *seen, bool compact, struct buf *out)
{
    struct json json = {.out = out, .compact = compact};
    struct seen_totals totals;
    seen_total(seen, &totals);
    json_object(&json, NULL);
    json_bool(&json, "well", seen_well(seen));
    json_object(&json, "totals");
    json_unsigned(&json, "services", totals.services);
    json_unsigned(&json, "dead", totals.dead);
    json_unsigned(&json, "draining", totals.draining);
    json_unsigned(&json, "rooms", totals.rooms);
    json_unsigned(&json, "rooms_max", totals.rooms_max);
    json_unsigned(&json, "people", totals.people);
    json_unsigned(&json, "watchers", totals.watchers);
    json_unsigned(&json, "connections", totals.connections);
    json_unsigned(&json, "unconfirmed", totals.unconfirmed);
    json_unsigned(&json, "redis_lag_ms", totals.oldest_ms);
    json_end(&json, '}');
    json_list(&json, "services");
    for (int i = 0; i < seen->count; i++) put_member(&json, &seen->list[i]);
    json_end(&json, ']');
    json_end(&json, '}');
}
