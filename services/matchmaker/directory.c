/* SPDX-License-Identifier: Apache-2.0
 *
 * What people see before they are in a room: what waits behind a code, and the list of public
 * rooms. The list is read from each shard at most once a second, and only while somebody looks or
 * waits for a match.
 */
#include "base/check.h"
#include "matchmaker/matchmaker_state.h"
#include "room/room.h"
#include "wire/reason.h"

enum { PUBLIC_EVERY_MS = 1000, PUBLIC_WANTED_MS = 5000, PUBLIC_OLD_MS = 2500 };

void directory_look_up(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    char code[WIRE_CODE_LEN + 1];
    if (!code_normalise(slice_text(request->code), code) ||
        room_shard(room_id_make(code_bits(code), 0)) >= core->config.shard_count) {
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_NO_SUCH_ROOM);
        return;
    }
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_LOOK_UP, &op, STORE_FIND);
    if (!asked) {
        answer_refused(core, &waiter, ST_UNAVAILABLE, REASON_BUSY);
        return;
    }
    asked->waiter = waiter;
    op->code = arena_text(&core->out->arena, code);
    op->room = room_id_make(code_bits(code), 0);
}

void directory_on_find(struct matchmaker_core *core, struct pending *asked,
                       const struct store_reply *found)
{
    if (found->status != ST_OK) {
        bool unknown = found->status == ST_UNKNOWN && !store_forgot(core, found);
        answer_refused(core, &asked->waiter, unknown ? ST_UNKNOWN : ST_UNAVAILABLE,
                       unknown ? REASON_NO_SUCH_ROOM : REASON_BUSY);
        return;
    }
    struct room_summary summary;
    if (room_summary_decode(found->summary, &core->out->arena, &summary) != ST_OK) {
        answer_refused(core, &asked->waiter, ST_UNKNOWN, REASON_NO_SUCH_ROOM);
        return;
    }
    struct reply *reply = answer(core, &asked->waiter);
    reply->found.game = summary.game;
    reply->found.seated = summary.seated;
    reply->found.seats = summary.seats;
    reply->found.playing = summary.playing;
    reply->placed.code = arena_text(&core->out->arena, summary.code);
    reply->placed.room = found->room;
    reply->placed.owner = found->owner;
    reply->placed.epoch = found->epoch;
}

/* Nobody has looked for a while, or the shard does not answer: what was read then shows rooms that
 * are full or gone by now. */
static bool is_old(const struct matchmaker_core *core, const struct shard_view *shard)
{
    return !shard->list_known || core->now - shard->list_known > PUBLIC_OLD_MS;
}

void directory_public(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    core->public_wanted = core->now;
    directory_tick(core);
    struct reply *reply = answer(core, &waiter);
    int known = 0;
    for (int s = 0; s < core->config.shard_count; s++) known += !is_old(core, &core->shards[s]);
    if (known == 0) {
        reply->status = ST_UNAVAILABLE; /* whoever asks again hears it */
        return;
    }
    reply->publics = arena_alloc(&core->out->arena, WIRE_PUBLIC_MAX * sizeof *reply->publics);
    /* A row of each shard in turn: every shard's newest rooms are on the page. */
    for (int row = 0; row < WIRE_PUBLIC_MAX; row++)
        for (int s = 0; s < core->config.shard_count && reply->public_count < WIRE_PUBLIC_MAX;
             s++) {
            if (row >= core->shards[s].count || is_old(core, &core->shards[s])) continue;
            const struct public_entry *entry = &core->shards[s].list[row];
            reply->publics[reply->public_count++] =
                (struct public_room){.code = arena_text(&core->out->arena, entry->code),
                                     .game = entry->game->id,
                                     .host = arena_text(&core->out->arena, entry->host),
                                     .seated = entry->seated,
                                     .seats = entry->seats};
        }
}

void directory_on_public(struct matchmaker_core *core, struct pending *asked,
                         const struct store_reply *list)
{
    struct shard_view *shard = &core->shards[asked->shard];
    shard->listing = false;
    if (list->status != ST_OK) return;
    shard->list_known = core->now;
    shard->count = 0;
    for (int i = 0; i < list->public_count && shard->count < WIRE_PUBLIC_MAX; i++) {
        struct room_summary summary;
        if (room_summary_decode(list->summaries[i], &core->out->arena, &summary) != ST_OK) continue;
        /* After a fall of everything nobody else asks for it; who seems to wait there is gone. */
        if (member_state(core, list->public_owners[i]) == OWNER_DEAD) {
            place_resolve(core, NULL, list->public_rooms[i], 0, NULL);
            continue;
        }
        const struct known_member *owner = member_find(core, list->public_owners[i]);
        bool late = owner && core->now - owner->heard > MATCHMAKER_HEARTBEAT_MS;
        if (MUTANT(unlisted_after_one_miss) && late) continue;
        const struct game *game = game_find(slice_text(summary.game));
        if (!game || !summary.listed || strlen(summary.host) > WIRE_NAME_BYTES_MAX) continue;
        struct public_entry *entry = &shard->list[shard->count++];
        *entry = (struct public_entry){.room = list->public_rooms[i],
                                       .game = game,
                                       .seated = summary.seated,
                                       .seats = summary.seats};
        memcpy(entry->code, summary.code, sizeof entry->code);
        memcpy(entry->host, summary.host, strlen(summary.host) + 1);
    }
}

void directory_tick(struct matchmaker_core *core)
{
    bool wanted = core->tickets.count > 0 ||
                  (core->public_wanted && core->now - core->public_wanted < PUBLIC_WANTED_MS);
    for (int s = 0; wanted && s < core->config.shard_count; s++) {
        struct shard_view *shard = &core->shards[s];
        if (shard->down || shard->listing) continue;
        if (shard->listed && core->now - shard->listed < PUBLIC_EVERY_MS) continue;
        struct store_op *op;
        struct pending *asked = ask_store(core, PENDING_PUBLIC, &op, STORE_PUBLIC);
        if (!asked) return;
        asked->shard = s;
        op->shard = s;
        op->limit = WIRE_PUBLIC_MAX;
        shard->listing = true;
        shard->listed = core->now;
    }
}
