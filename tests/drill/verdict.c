/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/verdict.h"

#include "base/check.h"
#include "room/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void verdict_open(struct verdict *verdict, struct crowd *crowd)
{
    *verdict = (struct verdict){.crowd = crowd};
    verdict->rooms = calloc((size_t)crowd->plan.rooms, sizeof *verdict->rooms);
    CHECK(verdict->rooms);
}

void verdict_close(struct verdict *verdict)
{
    for (int r = 0; verdict->rooms && r < verdict->crowd->plan.rooms; r++)
        room_close(verdict->rooms[r].room);
    free(verdict->rooms);
    *verdict = (struct verdict){0};
}

bool verdict_is_clean(const struct verdict *verdict)
{
    return verdict->fault_count == 0;
}

struct judging {
    struct verdict *verdict;
    const struct crowd_room *crowd_room;
    struct verdict_room *at;
    const struct verdict_bytes *bytes;
};

__attribute__((format(printf, 3, 4))) static void tell(const struct judging *judging,
                                                       uint64_t *count, const char *format, ...)
{
    struct verdict *verdict = judging->verdict;
    (*count)++;
    if (verdict->fault_count++ >= VERDICT_FAULTS_KEPT) return;
    char *text = verdict->faults[verdict->fault_count - 1];
    int len = snprintf(text, sizeof *verdict->faults, "room %s (%s): ", judging->crowd_room->code,
                       judging->crowd_room->game);
    va_list list;
    va_start(list, format);
    vsnprintf(text + len, sizeof *verdict->faults - (size_t)len, format, list);
    va_end(list);
}

static struct crowd_client *client_of(const struct judging *judging, int seat)
{
    for (int i = 0; i < judging->crowd_room->client_count; i++)
        if (judging->crowd_room->clients[i].ws.seat == seat)
            return &judging->crowd_room->clients[i];
    return NULL;
}

/* ---- actions --------------------------------------------------------------------------------- */

static void judge_action(struct judging *judging, const struct room_entry *entry)
{
    struct verdict_counts *counts = &judging->verdict->counts;
    const struct room_input *input = &entry->input;
    const struct crowd_client *client = client_of(judging, input->seat);
    uint64_t *last = &judging->at->counters[input->seat];
    counts->actions++;
    if (input->counter <= *last) {
        tell(judging, &counts->doubled,
             "action %" PRIu64 " of seat %d is there twice, again at %" PRIu64, input->counter,
             input->seat, entry->position);
        return;
    }
    for (uint64_t c = *last + 1; c < input->counter; c++)
        tell(judging, &counts->lost, "action %" PRIu64 " of seat %d is not there", c, input->seat);
    *last = input->counter;
    bool command = input->kind == ROOM_COMMAND;
    size_t at = client ? (size_t)(input->counter - client->acts_base - 1) : 0;
    if (!client || input->counter <= client->acts_base || at >= client->act_count ||
        client->acts[at].hash != crowd_act_hash(command, input->bytes))
        tell(judging, &counts->strange, "action %" PRIu64 " of seat %d is nobody's", input->counter,
             input->seat);
}

/* ---- replay ---------------------------------------------------------------------------------- */

static void leave_off(struct judging *judging)
{
    room_close(judging->at->room);
    judging->at->room = NULL;
}

static struct room *from_snapshot(const struct judging *judging)
{
    struct room_record record;
    const struct verdict_bytes *bytes = judging->bytes;
    if (bytes->snapshot_position == 0) return NULL;
    if (room_record_decode(bytes->record, &record) != ST_OK) return NULL;
    return room_decode(&record, bytes->snapshot);
}

/* Entries between were trimmed behind a snapshot that is there still, or that was. */
static void bridge(struct judging *judging, uint64_t position)
{
    leave_off(judging);
    if (judging->bytes->snapshot_position == position) judging->at->room = from_snapshot(judging);
}

static void see(struct judging *judging, struct crowd_client *client)
{
    struct verdict_counts *counts = &judging->verdict->counts;
    const struct room *room = judging->at->room;
    uint64_t seq = room_seq(room);
    const struct crowd_shown *shown = client->shown, *end = shown + client->shown_count;
    for (shown += client->shown_judged; shown < end && shown->seq < seq; shown++)
        client->shown_judged++;
    if (shown == end || shown->seq != seq) return;
    struct buf view = {0}, game = {0}, mine = {0};
    room_write_view(room, &view);
    room_write_game(room, &game);
    room_write_mine(room, client->ws.seat, &mine);
    struct id128 hash = crowd_shown_hash(buf_slice(&view), buf_slice(&game), buf_slice(&mine));
    buf_fini(&view);
    buf_fini(&game);
    buf_fini(&mine);
    counts->screens++;
    client->shown_judged++;
    if (!id128_equal(shown->hash, hash))
        tell(judging, &counts->unheld, "seat %d was shown another version %" PRIu64,
             client->ws.seat, seq);
}

/* What people had before them at the version that the replay has come to. */
static void judge_screens(struct judging *judging)
{
    for (int i = 0; i < judging->crowd_room->client_count; i++)
        if (judging->crowd_room->clients[i].ws.seat >= 0)
            see(judging, &judging->crowd_room->clients[i]);
}

static void judge_entry(struct judging *judging, uint64_t position, struct slice bytes)
{
    struct verdict_counts *counts = &judging->verdict->counts;
    struct verdict_room *at = judging->at;
    struct room_entry entry;
    if (position > at->position + 1) bridge(judging, position - 1);
    at->position = position;
    counts->entries++;
    if (room_entry_decode(bytes, &entry) != ST_OK) {
        tell(judging, &counts->differing, "entry %" PRIu64 " cannot be read", position);
        leave_off(judging);
        return;
    }
    bool action = entry.input.kind == ROOM_ACT || entry.input.kind == ROOM_COMMAND;
    if (action && entry.input.seat >= 0) judge_action(judging, &entry);
    if (entry.position != position)
        tell(judging, &counts->differing, "entry %" PRIu64 " lies at %" PRIu64, entry.position,
             position);
    if (at->room == NULL) {
        counts->skipped++;
        return;
    }
    enum status status = room_replay(at->room, bytes);
    if (status == ST_OK) {
        if (judging->crowd_room->close) judge_screens(judging);
        return;
    }
    tell(judging, &counts->differing, "entry %" PRIu64 " is not replayed: %s", position,
         status_text(status));
    leave_off(judging);
}

/* A list that begins at position `first`; of what was judged before, nothing is looked at again. */
static void judge_list(struct judging *judging, uint64_t first, struct slice *list, size_t count)
{
    uint64_t known = judging->at->position;
    size_t skip = known >= first ? (size_t)(known - first + 1) : 0;
    for (size_t i = skip; i < count; i++) judge_entry(judging, first + i, list[i]);
}

static void judge_games(struct judging *judging)
{
    const struct verdict_bytes *bytes = judging->bytes;
    for (size_t g = 0; g < bytes->game_count; g++) {
        struct room_entry_head head;
        judging->at->games++;
        if (bytes->games[g].count == 0) continue;
        if (room_entry_head(bytes->games[g].list[0], &head) != ST_OK)
            tell(judging, &judging->verdict->counts.differing, "a finished game cannot be read");
        else
            judge_list(judging, head.position, bytes->games[g].list, bytes->games[g].count);
    }
}

/* ---- what people heard and saw --------------------------------------------------------------- */

static void judge_client(struct judging *judging, struct crowd_client *client)
{
    struct verdict_counts *counts = &judging->verdict->counts;
    const struct verdict_room *at = judging->at;
    if (client->ws.seat < 0) return;
    uint64_t last = at->counters[client->ws.seat];
    for (uint64_t c = last + 1; c <= client->acked; c++)
        tell(judging, &counts->lost, "action %" PRIu64 " of seat %d was acknowledged", c,
             client->ws.seat);
    if (client->newest.epoch > judging->bytes->epoch)
        tell(judging, &counts->unheld, "seat %d saw an epoch that was never given",
             client->ws.seat);
    if (at->room && client->newest.seq > room_seq(at->room))
        tell(judging, &counts->unheld, "seat %d saw version %" PRIu64 ", the log ends at %" PRIu64,
             client->ws.seat, client->newest.seq, room_seq(at->room));
    /* What was judged is forgotten. */
    client->shown_count = client->shown_judged = 0;
    uint64_t known = last < client->acked ? last : client->acked;
    if (known <= client->acts_base) return;
    size_t gone = (size_t)(known - client->acts_base);
    CHECK(gone <= client->act_count);
    client->act_count -= gone;
    memmove(client->acts, client->acts + gone, client->act_count * sizeof *client->acts);
    client->acts_base = known;
}

/* So that the next verdict can replay again from where this one lost the thread. */
static void pick_up(struct judging *judging)
{
    const struct verdict_bytes *bytes = judging->bytes;
    struct verdict_room *at = judging->at;
    uint64_t first = bytes->position - bytes->log_count + 1;
    if (at->room || bytes->snapshot_position + 1 < first) return;
    at->room = from_snapshot(judging);
    for (uint64_t p = bytes->snapshot_position + 1; at->room && p <= bytes->position; p++)
        if (room_replay(at->room, bytes->log[p - first]) != ST_OK) leave_off(judging);
}

void verdict_judge(struct verdict *verdict, int room, const struct verdict_bytes *bytes)
{
    struct judging judging = {.verdict = verdict,
                              .crowd_room = &verdict->crowd->rooms[room],
                              .at = &verdict->rooms[room],
                              .bytes = bytes};
    struct room_record record;
    verdict->counts.rooms++;
    if (bytes->record.len == 0) {
        tell(&judging, &verdict->counts.missing, "not in Redis");
        return;
    }
    if (judging.at->position == 0 && room_record_decode(bytes->record, &record) == ST_OK)
        judging.at->room = room_open(&record);
    judge_games(&judging);
    judge_list(&judging, bytes->position - bytes->log_count + 1, bytes->log, bytes->log_count);
    for (int i = 0; i < judging.crowd_room->client_count; i++)
        judge_client(&judging, &judging.crowd_room->clients[i]);
    pick_up(&judging);
    judging.at->seq = judging.at->room ? room_seq(judging.at->room) : 0;
}

int verdict_behind(const struct verdict *verdict)
{
    int behind = 0;
    for (int r = 0; r < verdict->crowd->plan.rooms; r++) {
        const struct crowd_room *room = &verdict->crowd->rooms[r];
        for (int i = 0; i < room->client_count; i++)
            behind += room->clients[i].phase == CROWD_SEATED &&
                      room->clients[i].newest.seq < verdict->rooms[r].seq;
    }
    return behind;
}
