/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/replay.h"

#include "base/check.h"
#include "ctl/message.h"
#include "ctl/show.h"

#include "client.pb-c.h"
#include "room.pb-c.h"

typedef Madang__V1__Room__LogEntry log_entry;

static const char *kind_name(const log_entry *entry)
{
    static const char *const names[] = {
        [ROOM_ATTACH] = "attach",   [ROOM_DETACH] = "detach",   [ROOM_LEAVE] = "leave",
        [ROOM_ACT] = "act",         [ROOM_COMMAND] = "command", [ROOM_CLOCK] = "clock",
        [ROOM_RESUMED] = "resumed", [ROOM_PUT_OUT] = "put out", [ROOM_SHUT] = "shut",
    };
    if (entry->start) return "start";
    size_t kind = (size_t)entry->kind;
    return kind < sizeof names / sizeof *names && names[kind] ? names[kind] : "unknown";
}

static const char *name_in(const struct room *room, int seat, struct arena *arena)
{
    const char *name = "";
    struct buf bytes = {0};
    if (seat < 0) return name;
    room_write_view(room, &bytes);
    Madang__V1__RoomView *view = madang__v1__room_view__unpack(NULL, bytes.len, bytes.at);
    if (view && (size_t)seat < view->n_seats && view->seats[seat]->taken)
        name = arena_text(arena, view->seats[seat]->name);
    if (view) madang__v1__room_view__free_unpacked(view, NULL);
    buf_fini(&bytes);
    return name;
}

static const void *description_of(const struct room *room, const log_entry *entry)
{
    if (entry->kind == MADANG__V1__ROOM__LOG_ENTRY__KIND__KIND_COMMAND)
        return &madang__v1__room_command__descriptor;
    const struct game *game = room_game(room);
    return game->messages ? game->messages->action : NULL;
}

/* The entry that was just taken. */
static void note_step(struct replay *replay, struct slice bytes)
{
    const struct room *room = replay->is.room;
    log_entry *entry = madang__v1__room__log_entry__unpack(NULL, bytes.len, bytes.at);
    CHECK(entry != NULL); /* it was replayed */
    struct replay_step *step = &replay->steps[replay->step_count++];
    *step = (struct replay_step){
        .position = entry->position,
        .at_ms = entry->at,
        .kind = kind_name(entry),
        .seat = entry->kind == MADANG__V1__ROOM__LOG_ENTRY__KIND__KIND_CLOCK ? -1 : entry->seat,
        .said = arena_copy(&replay->arena, slice_of(entry->bytes.data, entry->bytes.len)),
        .described = description_of(room, entry),
        .hash = room_hash(room),
    };
    step->name = name_in(room, step->seat, &replay->arena);
    madang__v1__room__log_entry__free_unpacked(entry, NULL);
}

static struct slice lend(struct arena *arena, struct buf *bytes)
{
    struct slice lent = arena_copy(arena, buf_slice(bytes));
    buf_clear(bytes);
    return lent;
}

/* As a worker would show the room with --reveal: the game is over, nothing of it is hidden. */
static struct room_shown *show_now(const struct replay *replay, struct arena *arena)
{
    const struct room *room = replay->is.room;
    struct buf bytes = {0};
    struct room_summary summary;
    struct room_shown *shown = arena_alloc(arena, sizeof *shown);
    *shown = (struct room_shown){.rules_version = room_game(room)->rules_version};
    room_summary_of(room, &summary);
    shown->line.room = replay->is.record.id;
    shown->line.code = arena_text(arena, summary.code);
    shown->line.game = summary.game;
    room_write_view(room, &bytes);
    shown->room_view = lend(arena, &bytes);
    room_write_presence(room, NULL, 0, NULL, 0, &bytes);
    shown->presence = lend(arena, &bytes);
    room_write_game(room, &bytes);
    shown->game = lend(arena, &bytes);
    for (int s = 0; s < room_seat_count(room) && shown->private_count < WIRE_PRIVATES_MAX; s++) {
        if (!(room_taken(room) >> s & 1)) continue;
        room_write_mine(room, s, &bytes);
        shown->privates[shown->private_count++] =
            (struct update_private){.seat = s, .mine = lend(arena, &bytes)};
    }
    buf_fini(&bytes);
    return shown;
}

enum archive_fault replay_run(struct replay *out, struct slice record, const struct slice *entries,
                              int count, int64_t show)
{
    *out = (struct replay){0};
    archive_begin(&out->is, record);
    out->steps = arena_alloc(&out->arena, ((size_t)count + 1) * sizeof *out->steps);
    for (int i = 0; i < count; i++) {
        if (archive_step(&out->is, entries[i]) != ARCHIVE_GOOD) break;
        note_step(out, entries[i]);
        if (show == i + 1) out->shown = show_now(out, &out->arena);
    }
    enum archive_fault fault = archive_end(&out->is);
    for (int i = out->step_count - 1; i >= 0; i--) out->steps[i].at_ms -= out->steps[0].at_ms;
    return fault;
}

void replay_free(struct replay *replay)
{
    archive_close(&replay->is);
    arena_fini(&replay->arena);
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *say(struct arena *arena, struct buf *text)
{
    buf_put_u8(text, 0);
    const char *lent = arena_text(arena, (const char *)text->at);
    buf_clear(text);
    return lent;
}

static void put_step(struct text_cell *row, int number, const struct replay_step *step,
                     struct arena *arena)
{
    struct buf text = {0};
    text_add(&text, "%d", number);
    row[0].text = say(arena, &text);
    text_add(&text, "%llu", (unsigned long long)step->position);
    row[1].text = say(arena, &text);
    text_add(&text, "%llu.%03llu", (unsigned long long)step->at_ms / 1000,
             (unsigned long long)step->at_ms % 1000);
    row[2].text = say(arena, &text);
    row[3].text = step->kind;
    if (step->seat >= 0) text_add(&text, "%d ", step->seat + 1);
    text_safe(&text, step->name);
    row[4].text = say(arena, &text);
    if (step->said.len) message_line(&text, step->described, step->said);
    row[5].text = say(arena, &text);
    text_id(&text, step->hash, TEXT_ID_SHORT);
    row[6].text = say(arena, &text);
    buf_fini(&text);
}

static void put_verdict(const struct replay *replay, const struct text_style *style,
                        struct buf *out)
{
    const struct archive_replay *is = &replay->is;
    text_add(out, "\n");
    if (is->fault == ARCHIVE_GOOD) {
        text_marked(out, style, MARK_GOOD, "good");
        text_add(out, ": ");
        text_count(out, is->entries, "entry", "entries");
        text_add(out, ", each gives the state that the game had\n");
        return;
    }
    text_marked(out, style, MARK_BAD, archive_fault_name(is->fault));
    text_add(out, ": this archive %s", archive_fault_text(is->fault));
    if (is->position) text_add(out, " (entry %llu)", (unsigned long long)is->position);
    text_add(out, "\n");
}

void replay_text(const struct replay *replay, const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"STEP", true, false},   {"ENTRY", true, false}, {"SECONDS", true, false},
        {"WHAT", false, false},  {"WHO", false, true},   {"SAID", false, true},
        {"STATE", false, false},
    };
    const struct archive_replay *is = &replay->is;
    struct text_table table = {.columns = columns, .column_count = 7};
    struct arena arena = {0};
    if (is->room) {
        text_heading(out, style, "Room ");
        text_heading(out, style, is->record.code);
        text_add(out, "  game %u: %s (rules %u), id %016llx\n\n", is->game_number,
                 is->record.game->id, is->rules_version, (unsigned long long)is->record.id);
    }
    for (int i = 0; i < replay->step_count && replay->shown == NULL; i++)
        put_step(text_table_row(&table), i + 1, &replay->steps[i], &arena);
    if (table.row_count) text_table_write(&table, style, out);
    if (replay->shown) show_parts_text(replay->shown, style, out);
    put_verdict(replay, style, out);
    text_table_fini(&table);
    arena_fini(&arena);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

static void put_fault(struct json *json, enum archive_fault fault, uint64_t position)
{
    json_bool(json, "good", fault == ARCHIVE_GOOD);
    if (fault == ARCHIVE_GOOD) return;
    json_text(json, "fault", archive_fault_name(fault));
    json_text(json, "why", archive_fault_text(fault));
    if (position) json_unsigned(json, "entry", position);
}

void replay_json(const struct replay *replay, struct buf *out)
{
    struct json json = {.out = out};
    const struct archive_replay *is = &replay->is;
    json_object(&json, NULL);
    put_fault(&json, is->fault, is->position);
    if (is->room) {
        json_room(&json, "room", is->record.id);
        json_text(&json, "code", is->record.code);
        json_text(&json, "game", is->record.game->id);
        json_unsigned(&json, "rules_version", is->rules_version);
        json_unsigned(&json, "game_number", is->game_number);
    }
    json_list(&json, "steps");
    for (int i = 0; i < replay->step_count; i++) {
        const struct replay_step *step = &replay->steps[i];
        json_object(&json, NULL);
        json_unsigned(&json, "entry", step->position);
        json_unsigned(&json, "at_ms", step->at_ms);
        json_text(&json, "kind", step->kind);
        if (step->seat >= 0) json_number(&json, "seat", step->seat + 1);
        if (*step->name) json_text(&json, "name", step->name);
        if (step->said.len) message_json(&json, "said", step->described, step->said);
        json_id(&json, "state", step->hash);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    if (replay->shown) {
        json_object(&json, "shown");
        show_parts_json(replay->shown, &json);
        json_end(&json, '}');
    }
    json_end(&json, '}');
}

/* ---- many of them ---------------------------------------------------------------------------- */

void verified_add(struct verified *verified, const char *what, enum archive_fault fault,
                  uint64_t position)
{
    if (fault == ARCHIVE_GOOD) return;
    if (verified->bad < VERIFIED_BAD_MAX) {
        struct verified_bad *bad = &verified->list[verified->bad];
        *bad = (struct verified_bad){.fault = fault, .position = position};
        memcpy(bad->what, what, strnlen(what, sizeof bad->what - 1));
    }
    verified->bad++;
}

static uint64_t listed(const struct verified *verified)
{
    return verified->bad < VERIFIED_BAD_MAX ? verified->bad : VERIFIED_BAD_MAX;
}

void verified_text(const struct verified *verified, const struct text_style *style, struct buf *out)
{
    for (uint64_t i = 0; i < listed(verified); i++) {
        const struct verified_bad *bad = &verified->list[i];
        text_marked(out, style, MARK_BAD, archive_fault_name(bad->fault));
        text_add(out, "  ");
        text_safe(out, bad->what);
        text_add(out, " %s", archive_fault_text(bad->fault));
        if (bad->position) text_add(out, " (entry %llu)", (unsigned long long)bad->position);
        text_add(out, "\n");
    }
    if (listed(verified) < verified->bad) text_add(out, "... and more\n");
    text_count(out, verified->games, "finished game", "finished games");
    text_add(out, " and ");
    text_count(out, verified->rooms, "room", "rooms");
    text_add(out, " with ");
    text_count(out, verified->entries, "entry", "entries");
    if (verified->bad)
        text_add(out, " replayed; %llu not good", (unsigned long long)verified->bad);
    else
        text_add(out, verified->whole ? " replayed; all good" : " replayed, and those are good");
    text_add(out, verified->whole ? "\n" : "; the rest could not be read\n");
}

void verified_json(const struct verified *verified, struct buf *out)
{
    struct json json = {.out = out};
    json_object(&json, NULL);
    json_bool(&json, "good", verified->bad == 0 && verified->whole);
    json_bool(&json, "whole", verified->whole);
    json_unsigned(&json, "games", verified->games);
    json_unsigned(&json, "rooms", verified->rooms);
    json_unsigned(&json, "entries", verified->entries);
    json_unsigned(&json, "bad", verified->bad);
    json_list(&json, "faults");
    for (uint64_t i = 0; i < listed(verified); i++) {
        const struct verified_bad *bad = &verified->list[i];
        json_object(&json, NULL);
        json_text(&json, "what", bad->what);
        put_fault(&json, bad->fault, bad->position);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
}
