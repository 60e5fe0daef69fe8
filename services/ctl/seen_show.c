/* SPDX-License-Identifier: Apache-2.0
 *
 * The services in a table, and in JSON.
 */
#include "ctl/seen.h"

#include "base/arena.h"

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

static const char *load_text(const struct seen_member *member, struct arena *arena)
{
    if (member->is.kind == SERVICE_WORKER)
        return say(arena, "%u/%u", member->answered ? member->load.rooms : member->is.rooms,
                   member->is.rooms_max);
    return none;
}

static const char *people_text(const struct seen_member *member, struct arena *arena)
{
    if (member->is.kind == SERVICE_GATEWAY) return say(arena, "%u", member->is.connections);
    if (member->is.kind != SERVICE_WORKER || !member->answered) return none;
    return say(arena, "%u", member->load.people + member->load.watchers);
}

static const char *seen_ago(const struct seen_member *member, struct arena *arena)
{
    return member->is.silent_ms == MEMBER_DEAD ? none : duration(arena, member->is.silent_ms);
}

static const char *lag_text(const struct seen_member *member, struct arena *arena)
{
    if (member->is.kind != SERVICE_WORKER || !member->answered) return none;
    return duration(arena, member->load.oldest_ms);
}

void seen_status_text(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"SERVICE", false, false}, {"ID", false, false},   {"VERSION", false, true},
        {"STATE", false, false},   {"ROOMS", true, false}, {"PEOPLE", true, false},
        {"WAITS", true, false},    {"LAG", true, false},   {"SEEN", true, false},
    };
    struct text_table table = {.columns = columns, .column_count = 9};
    struct arena arena = {0};
    put_head(seen, style, out);
    for (int i = 0; i < seen->count; i++) {
        const struct seen_member *member = &seen->list[i];
        bool worker = member->is.kind == SERVICE_WORKER && member->answered;
        enum text_mark mark;
        const char *state = seen_state(member, &mark);
        struct text_cell *row = text_table_row(&table);
        row[0].text = seen_service(member->is.kind);
        row[1].text = short_id(&arena, member->is.instance);
        row[2].text = member->is.build && *member->is.build ? member->is.build : none;
        row[3] = (struct text_cell){state, mark};
        row[4].text = load_text(member, &arena);
        row[5].text = people_text(member, &arena);
        row[6].text = worker ? say(&arena, "%u", member->load.unconfirmed) : none;
        row[7].text = lag_text(member, &arena);
        row[8].text = seen_ago(member, &arena);
    }
    text_table_write(&table, style, out);
    struct buf troubles = {0};
    seen_troubles(seen, style, &troubles);
    if (troubles.len) text_add(out, "\n");
    buf_put_slice(out, buf_slice(&troubles));
    buf_fini(&troubles);
    text_table_fini(&table);
    arena_fini(&arena);
}

void seen_top_text(const struct seen *seen, const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"SERVICE", false, false}, {"ID", false, false},    {"STATE", false, false},
        {"CPU", true, false},      {"MEMORY", true, false}, {"ROOMS", true, false},
        {"PEOPLE", true, false},   {"WAITS", true, false},  {"LAG", true, false},
    };
    struct text_table table = {.columns = columns, .column_count = 9};
    struct arena arena = {0};
    put_head(seen, style, out);
    for (int i = 0; i < seen->count; i++) {
        const struct seen_member *member = &seen->list[i];
        bool worker = member->is.kind == SERVICE_WORKER && member->answered;
        enum text_mark mark;
        const char *state = seen_state(member, &mark);
        struct text_cell *row = text_table_row(&table);
        row[0].text = seen_service(member->is.kind);
        row[1].text = short_id(&arena, member->is.instance);
        row[2] = (struct text_cell){state, mark};
        row[3].text =
            member->cpu_percent < 0 ? none : say(&arena, "%lld%%", (long long)member->cpu_percent);
        row[4].text = member->memory_bytes < 0
                          ? none
                          : say(&arena, "%lldM", (long long)(member->memory_bytes >> 20));
        row[5].text = load_text(member, &arena);
        row[6].text = people_text(member, &arena);
        row[7].text = worker ? say(&arena, "%u", member->load.unconfirmed) : none;
        row[8].text = lag_text(member, &arena);
    }
    text_table_write(&table, style, out);
    text_table_fini(&table);
    arena_fini(&arena);
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
