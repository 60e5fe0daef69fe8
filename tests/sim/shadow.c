/* SPDX-License-Identifier: Apache-2.0
 *
 * The truth: each room replayed from what the store accepted, entry by entry, as it is accepted. A
 * replay that disagrees with an entry's hash breaks promise 3 at once. What views look like at each
 * of the newest versions is remembered by hash; players' screens are held against it.
 */
#include <stdlib.h>

#include "base/check.h"
#include "room/state.h"
#include "sim/checks.h"
#include "sim/digest.h"

static struct id128 digest_buf(struct buf *buf)
{
    struct id128 hash = digest(buf_slice(buf));
    buf_fini(buf);
    return hash;
}

static void remember(struct shadow *shadow)
{
    struct shadow_seq *seq = &shadow->seqs[room_seq(shadow->room) % SIM_SEQS];
    bool again = seq->seq == room_seq(shadow->room);
    seq->seq = room_seq(shadow->room);
    if (!again || room_time(shadow->room) < seq->at) seq->at = room_time(shadow->room);
    struct buf view = {0}, game = {0};
    room_write_view(shadow->room, &view);
    room_write_game(shadow->room, &game);
    seq->view = digest_buf(&view);
    seq->game = digest_buf(&game);
    for (int s = 0; s < room_seat_count(shadow->room); s++) {
        struct buf mine = {0};
        room_write_mine(shadow->room, s, &mine);
        struct id128 hash = digest_buf(&mine);
        if (!again || !id128_equal(seq->mine[s], hash)) seq->was[s] = again ? seq->mine[s] : hash;
        seq->mine[s] = hash;
    }
}

static void open_from(struct world *world, struct shadow *shadow, const struct model_view *look)
{
    struct room_record record;
    if (room_record_decode(look->record, &record) != ST_OK) {
        world_fail(world, "a stored record cannot be read");
        return;
    }
    room_close(shadow->room);
    shadow->room =
        look->snapshot_position ? room_decode(&record, look->snapshot) : room_open(&record);
    shadow->position = shadow->followed = look->snapshot_position;
    shadow->deleted = false;
    memset(shadow->entries, 0, sizeof shadow->entries);
    shadow->time.known = shadow->alone = false;
    if (!shadow->room)
        world_fail(world, "a stored snapshot cannot be read");
    else
        remember(shadow);
}

/* The seat whose action that entry is; -1: it is none. */
static int actor_of(struct slice bytes)
{
    struct room_entry entry;
    bool acts = room_entry_decode(bytes, &entry) == ST_OK && entry.input.kind == ROOM_ACT;
    return acts ? entry.input.seat : -1;
}

static void count_game(struct world *world, const struct shadow *shadow)
{
    world->counts.games++;
    for (int i = 0; i < game_count(); i++)
        world->counts.games_of[i] += game_at(i) == room_record_of(shadow->room).game;
}

/* Nobody came for whom it was fetched. */
static void follow_put_back(struct world *world, const struct shadow *shadow,
                            const struct model_view *look)
{
    bool released = !id128_is_zero(shadow->owner) && id128_is_zero(look->owner);
    bool rests = shadow->room && shadow->room->put_away;
    world->counts.put_back += released && rests && shadow->epoch_at > shadow->moved_at;
}

static void follow_rest(struct world *world, const struct shadow *shadow, bool rested)
{
    world->counts.put_away += !rested && shadow->room->put_away;
    world->counts.brought_back += rested && !shadow->room->put_away;
}

static void set_listed(struct world *world, struct shadow *shadow, bool listed)
{
    if (shadow->listed != listed) shadow->listed_at = world->now;
    shadow->listed = listed;
}

static void replay_one(struct world *world, struct shadow *shadow, struct slice entry)
{
    bool played = room_playing(shadow->room), rested = shadow->room->put_away;
    int actor = actor_of(entry);
    uint64_t before = actor < 0 ? 0 : room_counter(shadow->room, actor);
    uint64_t seq = room_seq(shadow->room);
    const struct game *rules = room_game(shadow->room);
    if (!shadow->reopens) check_entry(world, shadow, entry);
    check_clock(world, shadow, entry);
    check_alone(world, shadow, entry);
    enum status status = room_replay(shadow->room, entry);
    if (status != ST_OK) {
        world_fail(world, "room %llx: replay of entry %llu: %s", (unsigned long long)shadow->id,
                   (unsigned long long)shadow->position + 1, status_text(status));
        return;
    }
    struct room_entry_head head;
    CHECK(room_entry_head(entry, &head) == ST_OK);
    if (actor >= 0 && room_counter(shadow->room, actor) != before + 1) {
        world->counts.acts_twice++;
        world_fail(world, "room %llx: entry %llu applies an action twice or without its id",
                   (unsigned long long)shadow->id, (unsigned long long)head.position);
    }
    shadow->position++;
    shadow->entries[shadow->position % SIM_SEQS] =
        (struct shadow_entry){shadow->position, room_seq(shadow->room), digest(entry),
                              head.state_hash};
    shadow->moved_at = world->now;
    follow_rest(world, shadow, rested);
    world->counts.hidden += actor >= 0 && room_seq(shadow->room) == seq;
    world->counts.went_over += room_game(shadow->room) != rules;
    bool plays = room_playing(shadow->room);
    if (played && !plays) count_game(world, shadow);
    if (!plays) shadow->restored = false;
    if (!played && plays && shadow->games++ > 0) world->counts.rematches++;
    check_action_after(world, shadow);
    check_alone_after(shadow);
    check_seats(world, shadow, head.kind);
    if (!shadow->reopens) check_presence(world, shadow);
    remember(shadow);
}

struct shadow *shadow_of(struct world *world, room_id room)
{
    return map_get(&world->shadows, room);
}

struct shadow *shadow_by_code(struct world *world, const char *code)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value))
        if (room_id_bits(room) == code_bits(code)) return value;
    return NULL;
}

static struct shadow *shadow_new(struct world *world, room_id room)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    CHECK(shadow);
    shadow->id = room;
    shadow->moved_at = world->now; /* it has been made */
    map_put(&world->shadows, room, shadow);
    return shadow;
}

static void follow_owner(struct world *world, struct shadow *shadow, const struct model_view *look)
{
    if (look->epoch < shadow->epoch && !shadow->forgotten)
        world_fail(world, "room %llx: epoch falls from %llu to %llu",
                   (unsigned long long)shadow->id, (unsigned long long)shadow->epoch,
                   (unsigned long long)look->epoch);
    shadow->epoch = look->epoch;
    shadow->owner = look->owner;
    if (look->epoch > shadow->highest) shadow->highest = look->epoch;
}

/* An entry that was there before: as it was. Zero: nobody remembers. */
static bool as_before(const struct shadow *shadow, uint64_t position, struct slice entry)
{
    const struct shadow_entry *had = &shadow->entries[position % SIM_SEQS];
    return had->position != position || id128_equal(had->hash, digest(entry));
}

static void follow_log(struct world *world, struct shadow *shadow, const struct model_view *look)
{
    if (shadow->followed < look->trimmed && look->trimmed <= shadow->position)
        shadow->followed = look->trimmed; /* written again from a snapshot */
    while (!world->failure && shadow->followed < look->position) {
        uint64_t position = shadow->followed + 1;
        if (position <= look->trimmed) {
            world_fail(world, "room %llx: trimmed before it was replayed",
                       (unsigned long long)shadow->id);
            return;
        }
        struct slice entry = look->entries[position - look->trimmed - 1];
        if (position > shadow->position) {
            replay_one(world, shadow, entry);
        } else if (!as_before(shadow, position, entry)) {
            if (loss_allowed(world, shadow)) return;
            world_fail(world, "room %llx: entry %llu is not the one that was accepted before",
                       (unsigned long long)shadow->id, (unsigned long long)position);
        }
        shadow->followed = position;
    }
}

void shadow_reopen(struct world *world, struct shadow *shadow)
{
    struct model_view look;
    shadow->forgotten = false;
    if (!model_store_look(world->store, shadow->id, &look)) {
        room_close(shadow->room);
        shadow->room = NULL;
        shadow->position = shadow->followed = 0;
        return;
    }
    shadow->epoch = look.epoch;
    shadow->owner = look.owner;
    open_from(world, shadow, &look);
    shadow->reopens = true;
    if (!world->failure) follow_log(world, shadow, &look);
    shadow->reopens = false;
    uint64_t first; /* of a copy that had been written again, perhaps */
    if (shadow->room) room_last_game(shadow->room, &first);
    shadow->restored = shadow->room && room_playing(shadow->room) && look.trimmed >= first;
}

static void look_listed(struct world *world, struct shadow *shadow)
{
    struct room_summary summary;
    room_summary_of(shadow->room, &summary);
    set_listed(world, shadow, summary.listed);
}

static void on_deleted(struct world *world, struct shadow *shadow)
{
    world->counts.deleted++;
    set_listed(world, shadow, false);
    room_close(shadow->room);
    shadow->room = NULL;
    shadow->deleted = true;
}

void shadow_follow(struct world *world, const struct store_op *op)
{
    struct model_view look;
    struct shadow *shadow = shadow_of(world, op->room);
    if (!op->room || !model_store_look(world->store, op->room, &look)) {
        if (shadow && op->kind == STORE_DELETE && !shadow->forgotten) on_deleted(world, shadow);
        return;
    }
    if (!shadow) shadow = shadow_new(world, op->room);
    if (shadow->deleted)
        world_fail(world, "room %llx: was deleted, and is there again",
                   (unsigned long long)shadow->id);
    check_adoption(world, shadow, op, &look);
    check_epoch(world, shadow, op, &look);
    loss_look(world, shadow, op, &look);
    shadow->restored |= op->kind == STORE_RESTORE;
    follow_put_back(world, shadow, &look);
    follow_owner(world, shadow, &look);
    if (!shadow->room) open_from(world, shadow, &look);
    if (look.position < shadow->followed)
        world_fail(world, "room %llx: its log falls from %llu to %llu",
                   (unsigned long long)shadow->id, (unsigned long long)shadow->followed,
                   (unsigned long long)look.position);
    if (!world->failure) follow_log(world, shadow, &look);
    if (!world->failure) look_listed(world, shadow);
}

void shadows_close(struct world *world)
{
    size_t cursor = 0;
    uint64_t room;
    void *value;
    while (map_next(&world->shadows, &cursor, &room, &value)) {
        struct shadow *shadow = value;
        room_close(shadow->room);
        free(shadow);
    }
    map_fini(&world->shadows);
}
