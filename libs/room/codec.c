/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical bytes of a room, and their hash.
 *
 *   body = core + events       in a snapshot
 *   hash = XXH3-128(core)      in each log entry
 *
 * The core holds the events' chain, which stands for the events themselves: hashing them again
 * after each input would cost more than everything else.
 */
#include "base/check.h"
#include "base/hash.h"
#include "room/state.h"

#include <stdlib.h>

enum { CORE_BYTES_USUAL = 2048, STATE_ALIGN = 16 };

static void put_bool(struct buf *out, bool value)
{
    buf_put_u8(out, value);
}

static void put_id(struct buf *out, struct id128 id)
{
    buf_put(out, id.byte, sizeof id.byte);
}

static bool take_bool(struct reader *in)
{
    uint8_t value = reader_u8(in);
    if (value > 1) in->bad = true;
    return value == 1;
}

static struct id128 take_id(struct reader *in)
{
    struct id128 id;
    reader_bytes(in, id.byte, sizeof id.byte);
    return id;
}

/* A text without NUL, zero-filled to the end of its place. */
static void take_name(struct reader *in, char name[WIRE_NAME_BYTES_MAX + 1], uint64_t *look)
{
    struct slice text = reader_sized(in, WIRE_NAME_BYTES_MAX);
    if (text.len > 0 && memchr(text.at, 0, text.len)) in->bad = true;
    memset(name, 0, WIRE_NAME_BYTES_MAX + 1);
    if (text.len > 0) memcpy(name, text.at, text.len);
    if (!in->bad) *look = name_look(text);
}

static int answers_held(const struct room_seat *seat)
{
    return seat->counter < ROOM_OUTCOMES_MAX ? (int)seat->counter : ROOM_OUTCOMES_MAX;
}

/* Most of what is hashed at every input: in one piece. */
static void put_answers(struct buf *out, const struct room_seat *seat)
{
    int held = answers_held(seat);
    uint8_t *at = buf_extend(out, (size_t)held * 2 * sizeof(uint32_t));
    for (int i = 0; i < held; i++) {
        const struct room_answer *answer =
            &seat->answers[(seat->counter - (uint64_t)i) % ROOM_OUTCOMES_MAX];
        at = buf_write_u32(at, answer->generation);
        at = buf_write_u32(at, answer->seq);
    }
}

static void put_seat(struct buf *out, const struct room_seat *seat)
{
    put_bool(out, seat->taken);
    if (!seat->taken) return;
    put_bool(out, seat->connected);
    put_bool(out, seat->left);
    buf_put_u32(out, seat->member);
    put_id(out, seat->player);
    buf_put_sized(out, slice_text(seat->name));
    buf_put_u32(out, seat->generation);
    buf_put_u64(out, seat->window);
    buf_put_u32(out, seat->line);
    buf_put_u64(out, seat->counter);
    put_answers(out, seat);
    buf_put_u64(out, seat->paid_until);
    buf_put_u64(out, seat->away_since);
    buf_put_u32(out, seat->wins);
    buf_put_u32(out, seat->games);
    buf_put_i32(out, seat->points);
    buf_put_u8(out, (uint8_t)seat->missed);
}

static void take_seat(struct reader *in, struct room_seat *seat)
{
    *seat = (struct room_seat){.taken = take_bool(in)};
    if (!seat->taken) return;
    seat->connected = take_bool(in);
    seat->left = take_bool(in);
    seat->member = reader_u32(in);
    seat->player = take_id(in);
    take_name(in, seat->name, &seat->look);
    seat->generation = reader_u32(in);
    seat->window = reader_u64(in);
    seat->line = reader_u32(in);
    seat->counter = reader_u64(in);
    for (int i = 0; i < answers_held(seat); i++) {
        struct room_answer *answer =
            &seat->answers[(seat->counter - (uint64_t)i) % ROOM_OUTCOMES_MAX];
        answer->generation = reader_u32(in);
        answer->seq = reader_u32(in);
    }
    seat->paid_until = reader_u64(in);
    seat->away_since = reader_u64(in);
    seat->wins = reader_u32(in);
    seat->games = reader_u32(in);
    seat->points = reader_i32(in);
    seat->missed = reader_u8(in);
    if (seat->member == 0 || seat->missed > ROOM_MISSED_TURNS || (seat->left && seat->connected))
        in->bad = true;
}

static void put_people(const struct room *room, struct buf *out)
{
    buf_put_u8(out, (uint8_t)room->seat_count);
    for (int s = 0; s < room->seat_count; s++) put_seat(out, &room->seats[s]);
    buf_put_u8(out, (uint8_t)room->player_count);
    for (int g = 0; g < room->player_count; g++) {
        const struct room_player *player = &room->players[g];
        buf_put_u32(out, player->member);
        buf_put_u8(out, player->seat);
        put_bool(out, player->left);
        buf_put_sized(out, slice_text(player->name));
    }
    buf_put_u8(out, (uint8_t)room->kicked_count);
    for (int i = 0; i < room->kicked_count; i++) put_id(out, room->kicked[i]);
}

static void take_kicked(struct room *room, struct reader *in)
{
    int count = reader_u8(in);
    if (count > ROOM_KICKED_MAX) in->bad = true;
    if (in->bad || count == 0) return;
    room->kicked = calloc(ROOM_KICKED_MAX, sizeof *room->kicked);
    CHECK(room->kicked != NULL);
    room->kicked_count = count;
    for (int i = 0; i < count; i++) room->kicked[i] = take_id(in);
}

static void take_people(struct room *room, struct reader *in)
{
    if (reader_u8(in) != room->seat_count) in->bad = true;
    for (int s = 0; s < room->seat_count && !in->bad; s++) take_seat(in, &room->seats[s]);
    int players = reader_u8(in);
    if (players > room->seat_count) in->bad = true;
    for (int g = 0; g < players && !in->bad; g++) {
        struct room_player *player = &room->players[g];
        player->member = reader_u32(in);
        player->seat = reader_u8(in);
        player->left = take_bool(in);
        take_name(in, player->name, &player->look);
        if (player->seat >= room->seat_count) in->bad = true;
        /* While the game runs its players are where they sat at the start. */
        if (!in->bad && room_runs(room) && room->seats[player->seat].member != player->member)
            in->bad = true;
    }
    room->player_count = players;
    take_kicked(room, in);
}

static void put_head(const struct room *room, struct buf *out)
{
    buf_put_u64(out, room->position);
    buf_put_u64(out, room->seq);
    buf_put_u64(out, room->game_version);
    buf_put_u64(out, room->now);
    buf_put_u8(out, (uint8_t)room->phase);
    buf_put_u64(out, room->phase_since);
    put_bool(out, room->is_public);
    put_bool(out, room->quick);
    put_bool(out, room->abandoned);
    put_bool(out, room->put_away);
    put_bool(out, room->deleted);
    put_bool(out, room->turn_acted);
    for (int i = 0; i < room->game->option_count; i++) buf_put_i32(out, room->options.value[i]);
    buf_put_u32(out, room->members);
    buf_put_u32(out, room->generations);
    buf_put_u32(out, room->host);
    buf_put_u32(out, room->starter);
    buf_put_u64(out, room->quiet_since);
    buf_put_u64(out, room->quick_since);
    buf_put_u64(out, room->put_away_since);
    buf_put_u32(out, room->game_number);
    buf_put_u64(out, room->first);
    buf_put_u64(out, room->behind);
    buf_put_u64(out, room->deadline_number);
}

static void take_head(struct room *room, struct reader *in)
{
    room->position = reader_u64(in);
    room->seq = reader_u64(in);
    room->game_version = reader_u64(in);
    room->now = reader_u64(in);
    uint8_t phase = reader_u8(in);
    if (phase < ROOM_LOBBY || phase > ROOM_SET_ASIDE) in->bad = true;
    room->phase = (enum room_phase)phase;
    room->phase_since = reader_u64(in);
    room->is_public = take_bool(in);
    room->quick = take_bool(in);
    room->abandoned = take_bool(in);
    room->put_away = take_bool(in);
    room->deleted = take_bool(in);
    room->turn_acted = take_bool(in);
    for (int i = 0; i < room->game->option_count; i++) room->options.value[i] = reader_i32(in);
    room->members = reader_u32(in);
    room->generations = reader_u32(in);
    room->host = reader_u32(in);
    room->starter = reader_u32(in);
    room->quiet_since = reader_u64(in);
    room->quick_since = reader_u64(in);
    room->put_away_since = reader_u64(in);
    room->game_number = reader_u32(in);
    room->first = reader_u64(in);
    room->behind = reader_u64(in);
    room->deadline_number = reader_u64(in);
}

static void put_game(const struct room *room, struct buf *out)
{
    put_bool(out, room->game_state != NULL);
    if (room->game_state == NULL) return;
    struct buf bytes = {0};
    buf_extend(&bytes, CORE_BYTES_USUAL);
    buf_clear(&bytes);
    room->game->encode(room->game_state, &bytes);
    CHECK(bytes.len <= GAME_ENCODED_BYTES_MAX);
    buf_put_sized(out, buf_slice(&bytes));
    buf_fini(&bytes);
}

static void take_game(struct room *room, struct reader *in)
{
    bool there = take_bool(in);
    if (there != (room->player_count > 0) || (room_runs(room) && !there)) in->bad = true;
    if (!there || in->bad) return;
    struct slice bytes = reader_sized(in, GAME_ENCODED_BYTES_MAX);
    size_t size = (room->game->state_size + STATE_ALIGN - 1) / STATE_ALIGN * STATE_ALIGN;
    room->game_state = aligned_alloc(STATE_ALIGN, size);
    CHECK(room->game_state != NULL);
    memset(room->game_state, 0, size);
    if (in->bad || room->game->decode(room->game_state, bytes) != ST_OK) in->bad = true;
}

static void put_core(const struct room *room, struct buf *out)
{
    put_head(room, out);
    put_people(room, out);
    put_game(room, out);
    buf_put_u8(out, (uint8_t)room->events.count);
    buf_put_u64(out, room->events.whole_since);
    put_id(out, room->events.chain);
}

struct id128 room_hash(const struct room *room)
{
    struct buf core = {0};
    buf_extend(&core, CORE_BYTES_USUAL);
    buf_clear(&core);
    put_core(room, &core);
    struct id128 hash = hash_128(buf_slice(&core));
    buf_fini(&core);
    return hash;
}

static void put_events(const struct room *room, struct buf *out)
{
    const uint8_t *at = room->events.bytes.at;
    for (int i = 0; i < room->events.count; i++) {
        const struct room_event *event = &room->events.list[i];
        size_t len = (size_t)event->shared_len + event->mine_len + event->room_len;
        buf_put_u64(out, event->seq);
        buf_put_u32(out, event->member);
        buf_put_sized(out, slice_of(at, event->shared_len));
        buf_put_sized(out, slice_of(at + event->shared_len, event->mine_len));
        buf_put_sized(out, slice_of(at + event->shared_len + event->mine_len, event->room_len));
        at += len;
    }
}

static void take_events(struct room *room, struct reader *in)
{
    int count = reader_u8(in);
    uint64_t whole_since = reader_u64(in);
    struct id128 chain = take_id(in);
    if (count > ROOM_EVENTS_MAX) in->bad = true;
    for (int i = 0; i < count && !in->bad; i++) {
        struct update_event event = {.seq = reader_u64(in)};
        uint32_t member = reader_u32(in);
        event.shared = reader_sized(in, ROOM_EVENT_BYTES_MAX);
        event.mine = reader_sized(in, ROOM_EVENT_BYTES_MAX);
        event.room = reader_sized(in, ROOM_EVENT_BYTES_MAX);
        size_t len = event.shared.len + event.mine.len + event.room.len;
        if (room->events.bytes.len + len > ROOM_EVENT_BYTES_MAX) in->bad = true;
        if (!in->bad) room_events_push(&room->events, &event, member);
    }
    room->events.whole_since = whole_since;
    room->events.chain = chain;
}

void room_encode(const struct room *room, struct buf *out)
{
    struct buf body = {0};
    put_core(room, &body);
    put_events(room, &body);
    room_snapshot_encode(room, buf_slice(&body), out);
    buf_fini(&body);
}

void room_encode_before(const struct room *room, struct buf *out)
{
    struct room bare = *room;
    bare.game_state = NULL;
    bare.player_count = 0;
    bare.events.count = 0;
    room_encode(&bare, out);
    CHECK(out->len <= ROOM_BEFORE_BYTES_MAX);
}

struct room *room_decode(const struct room_record *record, struct slice bytes)
{
    struct buf body = {0};
    const struct game *game;
    if (room_snapshot_decode(record, bytes, &body, &game) != ST_OK) return NULL;
    if (game->seats_max != record->game->seats_max) {
        buf_fini(&body);
        return NULL;
    }

    struct room *room = room_open(record);
    room->game = game;
    struct reader in;
    reader_init(&in, buf_slice(&body));
    take_head(room, &in);
    take_people(room, &in);
    take_game(room, &in);
    take_events(room, &in);
    bool good = reader_done(&in);
    buf_fini(&body);
    if (!good) {
        room_close(room);
        return NULL;
    }
    room->due = room_next_due(room, &room->deadline);
    return room;
}

enum status room_decode_fault(const struct room_record *record, struct slice bytes)
{
    struct buf body = {0};
    const struct game *game;
    enum status status = room_snapshot_decode(record, bytes, &body, &game);
    buf_fini(&body);
    return status == ST_UNKNOWN ? ST_UNKNOWN : ST_INVALID;
}
