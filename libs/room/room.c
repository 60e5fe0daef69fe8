/* SPDX-License-Identifier: Apache-2.0
 *
 * A room from outside: opening, and the one road that every input takes.
 *
 *     input -> settle its time -> judge and change (on_*.c) -> settle the room -> log entry
 *
 * An entry carries the hash of the state after it. A replay takes the same road with the input read
 * from the log and holds the hash against the entry's.
 */
#include "room/room.h"

#include "base/check.h"
#include "base/hash.h"
#include "room/state.h"

#include <stdio.h>
#include <stdlib.h>

struct room *room_open(const struct room_record *record)
{
    const struct game *game = record->game;
    CHECK(game->seats_max >= 1 && game->seats_max <= GAME_SEATS_MAX);
    struct room *room = calloc(1, sizeof *room);
    CHECK(room != NULL);
    room->record = *record;
    room->game = game;
    room->phase = ROOM_LOBBY;
    room->is_public = record->is_public;
    room->quick = record->quick;
    room->options = record->options;
    room->quick_since = INSTANT_NEVER;
    room->seat_count = game->seats_max;
    room->seats = calloc((size_t)room->seat_count, sizeof *room->seats);
    room->players = calloc((size_t)room->seat_count, sizeof *room->players);
    CHECK(room->seats != NULL && room->players != NULL);
    room_events_init(&room->events);
    room->due = room_next_due(room, &room->deadline);
    room->deadline_number = 1;
    return room;
}

void room_close(struct room *room)
{
    if (room == NULL) return;
    room_game_forget(room);
    room_events_fini(&room->events);
    buf_fini(&room->entry);
    buf_fini(&room->before);
    free(room->kicked);
    free(room->seats);
    free(room->players);
    free(room);
}

size_t room_size(const struct game *game)
{
    size_t seats = (size_t)game->seats_max;
    return sizeof(struct room) + seats * (sizeof(struct room_seat) + sizeof(struct room_player)) +
           ROOM_EVENTS_MAX * sizeof(struct room_event) + ROOM_EVENT_BYTES_USUAL + game->state_size;
}

/* ---- one input ------------------------------------------------------------------------------- */

enum room_verdict room_refuse(struct change *change, enum reason reason)
{
    change->out->why = (struct refusal){.code = reason};
    return ROOM_REFUSED;
}

enum room_verdict room_refuse_with(struct change *change, enum reason reason, uint64_t param)
{
    room_refuse(change, reason);
    change->out->why.params[0] = param < INT32_MAX ? (int32_t)param : INT32_MAX;
    change->out->why.param_count = 1;
    return ROOM_REFUSED;
}

enum name_fault room_take_name(struct change *change, struct slice typed)
{
    if (!change->replayed) return name_normalise(typed, change->name);
    if (typed.len == 0 || typed.len > WIRE_NAME_BYTES_MAX) return NAME_FAULT_CHARACTERS;
    memcpy(change->name, typed.at, typed.len);
    change->name[typed.len] = '\0';
    return NAME_FAULT_NONE;
}

static enum room_verdict on_resumed(struct change *change)
{
    room_tell(change, ROOM_RESUMED_NOW, -1);
    return ROOM_ACCEPTED;
}

static enum room_verdict judge(struct change *change)
{
    bool waits = change->input->kind == ROOM_ATTACH || change->input->kind == ROOM_ACT ||
                 change->input->kind == ROOM_COMMAND || change->input->kind == ROOM_LEAVE ||
                 change->input->kind == ROOM_PUT_OUT || change->input->kind == ROOM_SHUT;
    if (change->room->deleted) return waits ? room_refuse(change, REASON_ROOM_CLOSED) : ROOM_SAME;
    switch (change->input->kind) {
    case ROOM_ATTACH: return room_on_attach(change);
    case ROOM_DETACH: return room_on_detach(change);
    case ROOM_LEAVE: return room_on_leave(change);
    case ROOM_ACT: return room_on_act(change);
    case ROOM_COMMAND: return room_on_command(change);
    case ROOM_CLOCK: return room_on_clock(change);
    case ROOM_RESUMED: return on_resumed(change);
    case ROOM_PUT_OUT: return room_on_put_out(change);
    case ROOM_SHUT: return room_on_shut(change);
    }
    CHECK(!"an input has a kind");
    return ROOM_REFUSED;
}

/* Room time never runs backwards. The clock comes at its deadline however late it is sent. */
static instant_ms settle_time(const struct room *room, const struct room_input *input)
{
    instant_ms now = input->now > room->now || MUTANT(time_backwards) ? input->now : room->now;
    if (input->kind != ROOM_CLOCK || now < room->deadline) return now;
    if (MUTANT(clock_of_the_timer)) return now;
    return room->deadline > room->now ? room->deadline : room->now;
}

/* A quick match starts when everybody matched is there. */
static void start_when_complete(struct change *change)
{
    struct room *room = change->room;
    int taken = room_count_taken(room), unused;
    if (!room->quick || room->deleted || room->phase != ROOM_LOBBY ||
        taken < (int)room->record.expected)
        return;
    if (room->record.expected == 0 || room_count_connected(room) < taken) return;
    if (room_start_fault(room, &unused) == REASON_NONE) room_game_start(change);
}

/* Host and starter are people who sit here and have not left. */
static void settle_people(struct change *change)
{
    struct room *room = change->room;
    const struct room_seat *host = room_seat_at(room, room_seat_of_member(room, room->host));
    if (host == NULL || host->left) {
        room->host = 0;
        room_pass_host(change);
    }
    if (room_seat_of_member(room, room->starter) < 0) room->starter = 0;

    if (room_count_connected(room) > 0) {
        room->quiet_since = INSTANT_NEVER;
        room->put_away = false;
    } else if (room->quiet_since == INSTANT_NEVER) {
        room->quiet_since = change->at;
    }
}

/* After an accepted input, whatever it was. */
static void settle(struct change *change)
{
    struct room *room = change->room;
    settle_people(change);
    start_when_complete(change);
    room->now = change->at;
    room->position++;
    if (!change->hidden || MUTANT(hidden_entry_shows)) room->seq++;

    instant_ms deadline;
    room->due = room_next_due(room, &deadline);
    if (deadline != room->deadline) room->deadline_number++;
    room->deadline = deadline;
}

static void answer(struct change *change, enum room_verdict verdict)
{
    const struct room *room = change->room;
    struct room_outcome *out = change->out;
    out->verdict = verdict;
    out->position = room->position;
    if (verdict != ROOM_REPEATED) out->seq = room->seq;
    const struct room_seat *seat = room_seat_at(room, out->seat);
    out->generation = seat ? seat->generation : 0;
    out->counter = seat ? seat->counter : 0;
}

static enum room_verdict take(struct change *change)
{
    *change->out = (struct room_outcome){.seat = change->input->seat};
    if (change->input->kind == ROOM_ATTACH) change->out->seat = -1;
    enum room_verdict verdict = judge(change);
    if (verdict == ROOM_ACCEPTED) settle(change);
    answer(change, verdict);
    return verdict;
}

/* Whether a game could start with this: then the log is to say what it started from. */
static bool may_start(const struct room *room, const struct room_input *input)
{
    struct room_command command;
    if (room_runs(room) || room->deleted) return false;
    if (room->quick) return true;
    return input->kind == ROOM_COMMAND && room_command_decode(input->bytes, &command) == ST_OK &&
           command.kind == ROOM_START;
}

static void write_entry(const struct change *change)
{
    struct room *room = change->room;
    struct room_entry entry = {
        .position = room->position,
        .input = *change->input,
        .started = change->out->game_started,
        .rules_version = room->game->rules_version,
        .game_number = room->game_number,
        .state_hash = room_hash(room),
    };
    entry.input.name = slice_text(change->name);
    buf_clear(&room->entry);
    room_entry_encode(&entry, buf_slice(&room->before), &room->entry);
    change->out->entry = buf_slice(&room->entry);
}

void room_step(struct room *room, const struct room_input *input, struct room_outcome *out)
{
    /* The clock comes first: the caller has stepped it. */
    CHECK(input->kind == ROOM_CLOCK || input->now < room->deadline);
    struct room_input settled = *input;
    settled.now = settle_time(room, input);
    if (room->entry.room > ROOM_ENTRY_BYTES_USUAL) buf_fini(&room->entry);
    struct change change = {.room = room, .input = &settled, .at = settled.now, .out = out};
    if (may_start(room, &settled)) room_encode_before(room, &room->before);
    if (take(&change) == ROOM_ACCEPTED) write_entry(&change);
    buf_fini(&room->before);
}

/* Whether an entry can stand at this place in the log. */
static enum status check_entry(const struct room *room, const struct room_entry *entry)
{
    if (entry->position != room->position + 1) return ST_STALE;
    if (entry->input.now != settle_time(room, &entry->input)) return ST_MISMATCH;
    bool clock_first = entry->input.kind == ROOM_CLOCK || entry->input.now < room->deadline ||
                       entry->input.now == room->now;
    if (!clock_first) return ST_MISMATCH;
    bool known = !entry->started || entry->rules_version == room->game->rules_version ||
                 game_find_version(slice_text(room->game->id), entry->rules_version);
    return known ? ST_OK : ST_UNKNOWN;
}

enum status room_replay(struct room *room, struct slice bytes)
{
    struct room_entry entry;
    enum status status = room_entry_decode(bytes, &entry);
    if (status != ST_OK) return status;
    status = check_entry(room, &entry);
    if (status != ST_OK) return status;

    entry.input.rules_version = entry.started ? entry.rules_version : 0;
    struct room_outcome out;
    struct change change = {
        .room = room,
        .input = &entry.input,
        .at = entry.input.now,
        .replayed = true,
        .out = &out,
    };
    if (take(&change) != ROOM_ACCEPTED || out.game_started != entry.started) return ST_MISMATCH;
    if (entry.started && room->game->rules_version != entry.rules_version) return ST_MISMATCH;
    if (MUTANT(hashes_ignored)) return ST_OK;
    return id128_equal(room_hash(room), entry.state_hash) ? ST_OK : ST_MISMATCH;
}

void room_set_aside(struct room *room, uint64_t next_position)
{
    CHECK(next_position > 0);
    room_game_forget(room);
    for (int s = 0; s < room->seat_count; s++) {
        if (room->seats[s].left) room_seat_free(room, s);
        room->seats[s].missed = 0;
    }
    room->position = next_position - 1;
    if (room->seq < room->position) room->seq = room->position;
    room_events_clear(&room->events, room->seq);
    room->game_version++;
    room->phase = ROOM_SET_ASIDE;
    room->phase_since = room->now;
    room->quick = false;
    room->abandoned = false;
    room->starter = 0;
    if (room_seat_of_member(room, room->host) < 0) room->host = room_longest_seated(room, 0);
    if (room_count_connected(room) == 0 && room->quiet_since == INSTANT_NEVER)
        room->quiet_since = room->now;
    room->deadline_number++;
    room->due = room_next_due(room, &room->deadline);
}

/* ---- what a room tells ----------------------------------------------------------------------- */
