/* SPDX-License-Identifier: Apache-2.0
 *
 * Log entries, records, snapshots, summaries and room commands: bytes <-> structs. Generated types
 * stay in here.
 */
#include "base/check.h"
#include "base/hash.h"
#include "room/state.h"

#include "client.pb-c.h"
#include "room.pb-c.h"

#include <stdio.h>
#include <stdlib.h>

#define ENTRY_KIND(name) MADANG__V1__ROOM__LOG_ENTRY__KIND__KIND_##name
_Static_assert(ROOM_ATTACH == (int)ENTRY_KIND(ATTACH), "kinds are numbered as on the wire");
_Static_assert(ROOM_SHUT == (int)ENTRY_KIND(SHUT), "kinds are numbered as on the wire");

enum { SNAPSHOT_FORMAT = 1, RECORD_OPTIONS_MAX = GAME_OPTIONS_MAX };

static ProtobufCBinaryData bytes_of(struct slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)bytes.at};
}

static ProtobufCBinaryData id_of(const struct id128 *id)
{
    return id128_is_zero(*id) ? (ProtobufCBinaryData){0}
                              : bytes_of(slice_of(id->byte, sizeof id->byte));
}

static bool take_id(ProtobufCBinaryData bytes, struct id128 *id)
{
    *id = (struct id128){0};
    if (bytes.len == 0) return true;
    if (bytes.len != sizeof id->byte) return false;
    memcpy(id->byte, bytes.data, sizeof id->byte);
    return true;
}

/* False when the text does not fit. */
static bool take_text(const char *text, char *into, size_t size)
{
    size_t len = strlen(text);
    if (len >= size) return false;
    memcpy(into, text, len + 1);
    return true;
}

static void append(const ProtobufCMessage *message, struct buf *out)
{
    size_t len = protobuf_c_message_get_packed_size(message);
    protobuf_c_message_pack(message, buf_extend(out, len));
}

/* ---- log entries ----------------------------------------------------------------------------- */

void room_entry_encode(const struct room_entry *entry, struct slice before, struct buf *out)
{
    const struct room_input *input = &entry->input;
    char name[WIRE_NAME_BYTES_MAX + 1] = {0};
    CHECK(input->name.len <= WIRE_NAME_BYTES_MAX);
    if (input->name.len) memcpy(name, input->name.at, input->name.len);

    Madang__V1__Room__LogEntry wire = MADANG__V1__ROOM__LOG_ENTRY__INIT;
    Madang__V1__Room__Start start = MADANG__V1__ROOM__START__INIT;
    wire.position = entry->position;
    wire.at = input->now;
    wire.kind = (Madang__V1__Room__LogEntry__Kind)input->kind;
    wire.seat = input->seat;
    wire.generation = input->generation;
    wire.generation_stands = input->generation_stands;
    wire.counter = input->counter;
    wire.made_for = input->made_for;
    wire.bytes = bytes_of(input->bytes);
    wire.rtt_ms = input->rtt_ms;
    wire.player = id_of(&input->player);
    wire.name = name;
    wire.take_over = input->take_over;
    wire.window = input->window;
    wire.line = input->line;
    wire.state_hash = id_of(&entry->state_hash);
    if (entry->started) {
        start.seed = bytes_of(slice_of(input->seed.byte, sizeof input->seed.byte));
        start.rules_version = entry->rules_version;
        start.game_number = entry->game_number;
        start.before = bytes_of(before);
        wire.start = &start;
    }
    append(&wire.base, out);
}

static bool take_start(const Madang__V1__Room__Start *start, struct room_entry *out)
{
    out->started = start != NULL;
    if (start == NULL) return true;
    if (start->seed.len != sizeof out->input.seed.byte) return false;
    memcpy(out->input.seed.byte, start->seed.data, sizeof out->input.seed.byte);
    out->rules_version = start->rules_version;
    out->game_number = start->game_number;
    return true;
}

static bool take_entry(const Madang__V1__Room__LogEntry *wire, struct room_entry *out)
{
    struct room_input *input = &out->input;
    if (wire->kind < ENTRY_KIND(ATTACH) || wire->kind > ENTRY_KIND(SHUT)) return false;
    if (wire->seat < -1 || wire->seat >= GAME_SEATS_MAX) return false;
    if (wire->bytes.len > sizeof out->bytes) return false;
    out->position = wire->position;
    *input = (struct room_input){
        .kind = (enum room_input_kind)wire->kind,
        .now = wire->at,
        .seat = wire->seat,
        .generation = wire->generation,
        .generation_stands = wire->generation_stands,
        .counter = wire->counter,
        .made_for = wire->made_for,
        .rtt_ms = wire->rtt_ms,
        .take_over = wire->take_over,
        .window = wire->window,
        .line = wire->line,
    };
    if (wire->bytes.len) memcpy(out->bytes, wire->bytes.data, wire->bytes.len);
    input->bytes = slice_of(out->bytes, wire->bytes.len);
    if (!take_text(wire->name, out->name, sizeof out->name)) return false;
    input->name = slice_text(out->name);
    return take_id(wire->player, &input->player) && wire->state_hash.len == 16 &&
           take_id(wire->state_hash, &out->state_hash) && take_start(wire->start, out);
}

enum status room_entry_decode(struct slice bytes, struct room_entry *out)
{
    Madang__V1__Room__LogEntry *wire =
        madang__v1__room__log_entry__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    bool good = take_entry(wire, out);
    madang__v1__room__log_entry__free_unpacked(wire, NULL);
    return good ? ST_OK : ST_INVALID;
}

enum status room_entry_before(struct slice bytes, struct buf *before)
{
    Madang__V1__Room__LogEntry *wire =
        madang__v1__room__log_entry__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    bool there = wire->start && wire->start->before.len > 0;
    if (there) buf_put(before, wire->start->before.data, wire->start->before.len);
    madang__v1__room__log_entry__free_unpacked(wire, NULL);
    return there ? ST_OK : ST_UNKNOWN;
}

enum status room_entry_head(struct slice bytes, struct room_entry_head *out)
{
    struct room_entry entry;
    enum status status = room_entry_decode(bytes, &entry);
    if (status != ST_OK) return status;
    *out = (struct room_entry_head){
        .position = entry.position,
        .at = entry.input.now,
        .kind = entry.input.kind,
        .state_hash = entry.state_hash,
    };
    return ST_OK;
}

/* ---- record ---------------------------------------------------------------------------------- */

void room_record_encode(const struct room_record *record, struct buf *out)
{
    const struct game *game = record->game;
    Madang__V1__Room__Record wire = MADANG__V1__ROOM__RECORD__INIT;
    Madang__V1__Room__Option option[RECORD_OPTIONS_MAX], *options[RECORD_OPTIONS_MAX];
    CHECK(game->option_count <= RECORD_OPTIONS_MAX);
    for (int i = 0; i < game->option_count; i++) {
        madang__v1__room__option__init(&option[i]);
        option[i].key = (char *)game->options[i].key;
        option[i].value = record->options.value[i];
        options[i] = &option[i];
    }
    wire.id = record->id;
    wire.code = (char *)record->code;
    wire.game = (char *)game->id;
    wire.rules_version = record->rules_version ? record->rules_version : game->rules_version;
    wire.is_public = record->is_public;
    wire.quick = record->quick;
    wire.expected = record->expected;
    wire.n_options = (size_t)game->option_count;
    wire.options = options;
    append(&wire.base, out);
}

bool room_record_carried(const struct room_record *record)
{
    return record->rules_version == 0 || record->rules_version == record->game->rules_version;
}

/* Values as they are: defaults that follow each other were settled when the record was made. */
static enum status take_options(const Madang__V1__Room__Record *wire, struct room_record *out)
{
    const struct game *game = out->game;
    game_options_default(game, &out->options);
    if (wire->n_options != (size_t)game->option_count) return ST_UNKNOWN;
    for (size_t i = 0; i < wire->n_options; i++) {
        int at = game_option_find(game, slice_text(wire->options[i]->key));
        struct game_options checked = out->options;
        if (at != (int)i) return ST_UNKNOWN;
        if (game_options_set(game, &checked, slice_text(wire->options[i]->key),
                             wire->options[i]->value) != ST_OK)
            return ST_INVALID;
        out->options.value[at] = wire->options[i]->value;
    }
    return ST_OK;
}

static enum status take_record(const Madang__V1__Room__Record *wire, struct room_record *out)
{
    *out = (struct room_record){
        .id = wire->id,
        .is_public = wire->is_public,
        .quick = wire->quick,
        .expected = wire->expected,
        .game = game_find_version(slice_text(wire->game), wire->rules_version),
        .rules_version = wire->rules_version,
    };
    if (!take_text(wire->code, out->code, sizeof out->code)) return ST_INVALID;
    if (out->game) return take_options(wire, out);
    out->game = game_find(slice_text(wire->game));
    if (out->game == NULL) return ST_UNKNOWN;
    game_options_default(out->game, &out->options); /* those in force are in the snapshot */
    return ST_OK;
}

enum status room_record_decode(struct slice bytes, struct room_record *out)
{
    Madang__V1__Room__Record *wire = madang__v1__room__record__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    enum status status = take_record(wire, out);
    madang__v1__room__record__free_unpacked(wire, NULL);
    return status;
}

/* ---- snapshot -------------------------------------------------------------------------------- */

void room_snapshot_encode(const struct room *room, struct slice body, struct buf *out)
{
    struct id128 check = hash_128(body);
    Madang__V1__Room__Snapshot wire = MADANG__V1__ROOM__SNAPSHOT__INIT;
    wire.format = SNAPSHOT_FORMAT;
    wire.game = (char *)room->game->id;
    wire.rules_version = room->game->rules_version;
    wire.position = room->position;
    wire.body = bytes_of(body);
    wire.check = id_of(&check);
    append(&wire.base, out);
}

static enum status take_snapshot(const struct room_record *record,
                                 const Madang__V1__Room__Snapshot *wire, struct buf *body,
                                 const struct game **game)
{
    struct id128 check;
    const struct game *own = record->game;
    *game = own->rules_version == wire->rules_version
                ? own
                : game_find_version(slice_text(own->id), wire->rules_version);
    if (wire->format != SNAPSHOT_FORMAT || strcmp(wire->game, own->id) != 0 || *game == NULL)
        return ST_UNKNOWN;
    if (!take_id(wire->check, &check)) return ST_INVALID;
    if (!id128_equal(check, hash_128(slice_of(wire->body.data, wire->body.len)))) return ST_INVALID;
    buf_put(body, wire->body.data, wire->body.len);
    return ST_OK;
}

enum status room_snapshot_decode(const struct room_record *record, struct slice bytes,
                                 struct buf *body, const struct game **game)
{
    Madang__V1__Room__Snapshot *wire =
        madang__v1__room__snapshot__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    enum status status = take_snapshot(record, wire, body, game);
    madang__v1__room__snapshot__free_unpacked(wire, NULL);
    return status;
}

/* ---- summary --------------------------------------------------------------------------------- */

void room_summary_encode(const struct room_summary *summary, struct buf *out)
{
    Madang__V1__Room__Summary wire = MADANG__V1__ROOM__SUMMARY__INIT;
    wire.code = (char *)summary->code;
    wire.game = (char *)summary->game;
    wire.host = (char *)summary->host;
    wire.seated = summary->seated;
    wire.seats = summary->seats;
    wire.playing = summary->playing;
    wire.listed = summary->listed;
    wire.rules_version = summary->rules_version;
    append(&wire.base, out);
}

enum status room_summary_decode(struct slice bytes, struct arena *arena, struct room_summary *out)
{
    Madang__V1__Room__Summary *wire = madang__v1__room__summary__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    *out = (struct room_summary){
        .game = arena_text(arena, wire->game),
        .host = arena_text(arena, wire->host),
        .seated = wire->seated,
        .seats = wire->seats,
        .rules_version = wire->rules_version,
        .playing = wire->playing,
        .listed = wire->listed,
    };
    bool good = take_text(wire->code, out->code, sizeof out->code);
    madang__v1__room__summary__free_unpacked(wire, NULL);
    return good ? ST_OK : ST_INVALID;
}

/* ---- commands -------------------------------------------------------------------------------- */

#define COMMAND(name) MADANG__V1__ROOM_COMMAND__KIND_##name

static bool take_set_options(const Madang__V1__SetOptions *wire, struct room_command *out)
{
    out->kind = ROOM_SET_OPTIONS;
    if (wire->n_options > WIRE_OPTIONS_MAX) return false;
    for (size_t i = 0; i < wire->n_options; i++) {
        if (!take_text(wire->options[i]->key, out->options[i].key, sizeof out->options[i].key))
            return false;
        out->options[i].value = wire->options[i]->value;
    }
    out->option_count = (int)wire->n_options;
    return true;
}

static bool take_rename(const Madang__V1__Rename *wire, struct room_command *out)
{
    out->kind = ROOM_RENAME;
    out->name_len = strlen(wire->name);
    if (out->name_len > sizeof out->name) return false;
    memcpy(out->name, wire->name, out->name_len);
    return true;
}

static bool take_command(const Madang__V1__RoomCommand *wire, struct room_command *out)
{
    switch (wire->kind_case) {
    case COMMAND(SET_OPTIONS): return take_set_options(wire->set_options, out);
    case COMMAND(SET_PUBLIC):
        out->kind = ROOM_SET_PUBLIC;
        out->is_public = wire->set_public->is_public;
        return true;
    case COMMAND(KICK):
        out->kind = ROOM_KICK;
        out->seat = wire->kick->seat;
        return true;
    case COMMAND(START): out->kind = ROOM_START; return true;
    case COMMAND(TAKE_SEAT):
        out->kind = ROOM_TAKE_SEAT;
        out->seat = wire->take_seat->seat;
        return true;
    case COMMAND(STAND_UP): out->kind = ROOM_STAND_UP; return true;
    case COMMAND(RENAME): return take_rename(wire->rename, out);
    default: return false;
    }
}

enum status room_command_decode(struct slice bytes, struct room_command *out)
{
    Madang__V1__RoomCommand *wire = madang__v1__room_command__unpack(NULL, bytes.len, bytes.at);
    if (wire == NULL) return ST_INVALID;
    *out = (struct room_command){0};
    bool good = take_command(wire, out);
    madang__v1__room_command__free_unpacked(wire, NULL);
    return good ? ST_OK : ST_INVALID;
}
