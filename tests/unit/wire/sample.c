/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/wire/sample.h"

#include "base/hash.h"

uint64_t sample_u64(struct sample *sample)
{
    return hash_mix64(++sample->state);
}

int sample_below(struct sample *sample, int bound)
{
    return (int)(sample_u64(sample) % (uint64_t)bound);
}

/* All magnitudes alike, the ends too. */
static uint64_t wide(struct sample *sample)
{
    switch (sample_below(sample, 8)) {
    case 0: return 0;
    case 1: return UINT64_MAX;
    default: return sample_u64(sample) >> sample_below(sample, 64);
    }
}

static uint32_t narrow(struct sample *sample)
{
    return (uint32_t)wide(sample);
}

static bool coin(struct sample *sample)
{
    return sample_below(sample, 2);
}

struct slice sample_bytes(struct sample *sample, size_t len_max)
{
    size_t len =
        coin(sample) ? (size_t)sample_below(sample, 40) : sample_u64(sample) % (len_max + 1);
    if (sample_below(sample, 16) == 0) len = len_max;
    if (len > len_max) len = len_max;
    if (len == 0) return (struct slice){0};
    uint8_t *at = arena_alloc(&sample->arena, len);
    for (size_t i = 0; i < len; i++) at[i] = (uint8_t)sample_u64(sample);
    return slice_of(at, len);
}

static const char *text(struct sample *sample, int len_max)
{
    int len = coin(sample) ? sample_below(sample, len_max + 1) : coin(sample) ? 0 : len_max;
    char *at = arena_alloc(&sample->arena, (size_t)len + 1);
    for (int i = 0; i < len; i++) at[i] = (char)(1 + sample_below(sample, 255));
    return at;
}

static const char *code(struct sample *sample)
{
    char *at = arena_alloc(&sample->arena, WIRE_CODE_LEN + 1);
    if (coin(sample)) code_write((uint32_t)sample_u64(sample) >> 2, at);
    return at;
}

struct id128 sample_id(struct sample *sample)
{
    struct id128 id = {0};
    if (sample_below(sample, 4) == 0) return id;
    for (int i = 0; i < 16; i++) id.byte[i] = (uint8_t)sample_u64(sample);
    return id;
}

static struct refusal refusal(struct sample *sample)
{
    struct refusal why = {
        .domain = text(sample, WIRE_NAME_BYTES_MAX),
        .code = narrow(sample),
        .param_count = sample_below(sample, WIRE_PARAMS_MAX + 1),
    };
    for (int i = 0; i < why.param_count; i++) why.params[i] = (int32_t)narrow(sample);
    return why;
}

static struct version version(struct sample *sample)
{
    return (struct version){wide(sample), wide(sample)};
}

static void update(struct sample *sample, struct env_update *out)
{
    out->version = version(sample);
    out->base = wide(sample);
    out->game_version = wide(sample);
    out->room_time = wide(sample);
    out->sections = (uint32_t)sample_below(sample, SECTION_ALL + 1);
    out->room_view = sample_bytes(sample, WIRE_SECTION_BYTES_MAX);
    out->presence = sample_bytes(sample, 300);
    out->game = sample_bytes(sample, 300);
    out->only_client = wide(sample);
    out->private_count = sample_below(sample, WIRE_PRIVATES_MAX + 1);
    for (int i = 0; i < out->private_count; i++)
        out->privates[i] =
            (struct update_private){(int32_t)narrow(sample), sample_bytes(sample, 300)};
    out->event_count = coin(sample) ? 0 : sample_below(sample, WIRE_EVENTS_MAX + 1);
    if (out->event_count == 0) return;
    out->events = arena_alloc(&sample->arena, (size_t)out->event_count * sizeof *out->events);
    for (int i = 0; i < out->event_count; i++)
        out->events[i] = (struct update_event){
            .seq = (i ? out->events[i - 1].seq : 0) + 1 + (uint64_t)sample_below(sample, 1 << 20),
            .shared = sample_bytes(sample, 100),
            .seat = (int32_t)narrow(sample),
            .mine = sample_bytes(sample, 100),
            .room = sample_bytes(sample, 100),
        };
}

static void to_worker(struct sample *sample, struct envelope *out)
{
    room_id room = sample_u64(sample);
    uint64_t client = wide(sample);
    switch (out->kind) {
    case ENV_ATTACH:
        out->u.attach = (struct env_attach){
            .room = room,
            .client = client,
            .player = sample_id(sample),
            .name = text(sample, WIRE_NAME_BYTES_MAX),
            .intent = coin(sample) ? ATTACH_SEAT : ATTACH_WATCH,
            .generation = narrow(sample),
            .take_over = coin(sample),
            .have = version(sample),
            .rtt_ms = narrow(sample),
        };
        break;
    case ENV_DETACH:
    case ENV_LEAVE: out->u.client = (struct env_client){room, client}; break;
    case ENV_ACT:
        out->u.act = (struct env_act){
            .room = room,
            .client = client,
            .generation = narrow(sample),
            .counter = wide(sample),
            .made_for = wide(sample),
            .command = coin(sample),
            .bytes = sample_bytes(sample, WIRE_ACTION_BYTES_MAX),
            .rtt_ms = narrow(sample),
            .copy = narrow(sample),
        };
        break;
    case ENV_RESYNC: out->u.resync = (struct env_resync){room, version(sample)}; break;
    default: out->u.rtt = (struct env_rtt){room, client, narrow(sample)}; break;
    }
}

static void to_gateway(struct sample *sample, struct envelope *out)
{
    room_id room = sample_u64(sample);
    uint64_t client = wide(sample), epoch = wide(sample);
    switch (out->kind) {
    case ENV_ATTACHED:
        out->u.attached = (struct env_attached){
            .room = room,
            .client = client,
            .epoch = epoch,
            .seat = (int32_t)narrow(sample),
            .generation = narrow(sample),
            .counter = wide(sample),
            .code = code(sample),
        };
        break;
    case ENV_ATTACH_REFUSED:
        out->u.attach_refused = (struct env_attach_refused){room, client, refusal(sample)};
        break;
    case ENV_UPDATE:
        out->u.update.room = room;
        update(sample, &out->u.update);
        break;
    case ENV_ANSWER:
        out->u.answer = (struct env_answer){
            .room = room,
            .client = client,
            .epoch = epoch,
            .generation = narrow(sample),
            .counter = wide(sample),
            .ok = coin(sample),
            .seq = wide(sample),
            .copy = narrow(sample),
        };
        if (!out->u.answer.ok) out->u.answer.why = refusal(sample);
        break;
    case ENV_DROPPED:
        out->u.dropped =
            (struct env_dropped){room, client, epoch,
                                 (enum dropped_why)(1 + sample_below(sample, DROPPED_LEFT))};
        break;
    case ENV_MOVED:
        out->u.moved = (struct env_moved){room, epoch, sample_id(sample),
                                          text(sample, WIRE_URL_BYTES_MAX), coin(sample)};
        break;
    default: out->u.paused = (struct env_paused){room, epoch, coin(sample)}; break;
    }
}

void sample_envelope(struct sample *sample, enum envelope_kind kind, struct envelope *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    if (kind <= ENV_RTT) {
        to_worker(sample, out);
    } else if (kind <= ENV_PAUSED) {
        to_gateway(sample, out);
    } else if (kind == ENV_FIRE_ANSWER) {
        out->u.fire_answer = (struct env_fire_answer){sample_u64(sample), wide(sample),
                                                      coin(sample), coin(sample), wide(sample)};
    } else {
        out->u.deadline = (struct env_deadline){sample_u64(sample), wide(sample), wide(sample)};
    }
}

void sample_batch(struct sample *sample, struct batch *out)
{
    *out = (struct batch){
        .from = sample_id(sample),
        .to = sample_id(sample),
        .from_url = text(sample, WIRE_URL_BYTES_MAX),
        .stream = wide(sample),
        .number = wide(sample),
        .count = sample_below(sample, 20),
    };
    out->list = arena_alloc(&sample->arena, 20 * sizeof *out->list);
    for (int i = 0; i < out->count; i++)
        sample_envelope(sample, (enum envelope_kind)(1 + sample_below(sample, ENV_FIRE_ANSWER)),
                        &out->list[i]);
}

static struct member member(struct sample *sample)
{
    int count = coin(sample) ? 0 : sample_below(sample, WIRE_PLAYS_MAX + 1);
    struct rules *plays = arena_alloc(&sample->arena, WIRE_PLAYS_MAX * sizeof *plays);
    for (int i = 0; i < count; i++)
        plays[i] = (struct rules){text(sample, WIRE_GAME_BYTES_MAX), narrow(sample)};
    return (struct member){
        .plays = plays,
        .play_count = count,
        .kind = (enum service_kind)(1 + sample_below(sample, SERVICE_TIMER)),
        .instance = sample_id(sample),
        .inbox_url = text(sample, WIRE_URL_BYTES_MAX),
        .control_url = text(sample, WIRE_URL_BYTES_MAX),
        .build = text(sample, WIRE_NAME_BYTES_MAX),
        .rooms = narrow(sample),
        .rooms_max = narrow(sample),
        .connections = narrow(sample),
        .draining = coin(sample),
        .silent_ms = narrow(sample),
        .ops_port = narrow(sample),
        .orders = narrow(sample),
        .shards_away = narrow(sample),
    };
}

static struct order order(struct sample *sample)
{
    struct order it = {.to = sample_id(sample),
                       .number = wide(sample),
                       .after = sample_u64(sample),
                       .seat = narrow(sample),
                       .reveal = coin(sample)};
    for (int i = 0; i < ORDER_PROOF_BYTES; i++) it.proof[i] = (uint8_t)(sample_u64(sample) | 1);
    return it;
}

void sample_request(struct sample *sample, enum request_kind kind, struct request *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->id = sample_id(sample);
    out->from = sample_id(sample);
    if (kind == REQ_HEARTBEAT) out->self = member(sample);
    out->game = text(sample, WIRE_NAME_BYTES_MAX);
    out->is_public = coin(sample);
    out->quick = coin(sample);
    out->expected = narrow(sample);
    out->option_count = sample_below(sample, WIRE_OPTIONS_MAX + 1);
    for (int i = 0; i < out->option_count; i++)
        out->options[i] =
            (struct option_pair){text(sample, WIRE_NAME_BYTES_MAX), (int32_t)narrow(sample)};
    out->code = code(sample);
    out->room = sample_u64(sample);
    out->stale_epoch = wide(sample);
    out->ticket = sample_id(sample);
    if (request_is_order(kind)) out->order = order(sample);
    out->room_count = coin(sample) ? sample_below(sample, 9) : WIRE_ROOMS_MAX;
    out->rooms = arena_alloc(&sample->arena, (size_t)out->room_count * sizeof *out->rooms);
    for (int i = 0; i < out->room_count; i++) {
        out->rooms[i].room = sample_u64(sample);
        out->rooms[i].epoch = wide(sample);
        out->rooms[i].rules.game = "";
        if (coin(sample))
            out->rooms[i].rules = (struct rules){text(sample, WIRE_GAME_BYTES_MAX), narrow(sample)};
    }
}

static void reply_lists(struct sample *sample, struct reply *out)
{
    out->member_count = sample_below(sample, 5);
    out->members = arena_alloc(&sample->arena, 5 * sizeof *out->members);
    for (int i = 0; i < out->member_count; i++) out->members[i] = member(sample);
    out->public_count = sample_below(sample, WIRE_PUBLIC_MAX + 1);
    out->publics = arena_alloc(&sample->arena, WIRE_PUBLIC_MAX * sizeof *out->publics);
    for (int i = 0; i < out->public_count; i++)
        out->publics[i] =
            (struct public_room){code(sample), text(sample, WIRE_NAME_BYTES_MAX),
                                 text(sample, WIRE_NAME_BYTES_MAX), narrow(sample), narrow(sample)};
    out->adopted_count = sample_below(sample, 9);
    out->adopted = arena_alloc(&sample->arena, 9 * sizeof *out->adopted);
    for (int i = 0; i < out->adopted_count; i++) {
        out->adopted[i].room = sample_u64(sample);
        out->adopted[i].status = (enum status)sample_below(sample, ST_MISMATCH + 1);
        out->adopted[i].epoch = wide(sample);
    }
}

static struct room_line line(struct sample *sample)
{
    return (struct room_line){.room = sample_u64(sample),
                              .code = code(sample),
                              .game = text(sample, WIRE_NAME_BYTES_MAX),
                              .phase = narrow(sample),
                              .seated = narrow(sample),
                              .seats = narrow(sample),
                              .connected = narrow(sample),
                              .watchers = narrow(sample),
                              .epoch = wide(sample),
                              .position = wide(sample),
                              .unconfirmed = narrow(sample),
                              .age_ms = wide(sample),
                              .games = narrow(sample)};
}

static struct room_shown *shown(struct sample *sample)
{
    struct room_shown *it = arena_alloc(&sample->arena, sizeof *it);
    *it = (struct room_shown){.line = line(sample),
                              .rules_version = narrow(sample),
                              .confirmed = wide(sample),
                              .due = coin(sample),
                              .due_in_ms = wide(sample),
                              .room_view = sample_bytes(sample, WIRE_SECTION_BYTES_MAX),
                              .presence = sample_bytes(sample, WIRE_SECTION_BYTES_MAX),
                              .game = sample_bytes(sample, WIRE_SECTION_BYTES_MAX),
                              .private_count = sample_below(sample, WIRE_PRIVATES_MAX + 1)};
    for (int i = 0; i < it->private_count; i++)
        it->privates[i] = (struct update_private){i, sample_bytes(sample, 200)};
    return it;
}

static void reply_to_operator(struct sample *sample, struct reply *out)
{
    out->fault = (enum order_fault)sample_below(sample, ORDER_ALONE + 1);
    out->more = coin(sample);
    if (out->kind == REQ_WORKER_STATUS)
        out->load = (struct worker_load){.rooms = narrow(sample),
                                         .live = narrow(sample),
                                         .unconfirmed = narrow(sample),
                                         .held = narrow(sample),
                                         .people = narrow(sample),
                                         .watchers = narrow(sample),
                                         .oldest_ms = narrow(sample),
                                         .shards = narrow(sample),
                                         .shards_up = narrow(sample),
                                         .backlog_bytes = wide(sample),
                                         .draining = coin(sample)};
    if (out->kind == REQ_WORKER_ROOM && coin(sample)) out->shown = shown(sample);
    out->line_count = coin(sample) ? sample_below(sample, 5) : WIRE_LINES_MAX;
    out->lines = arena_alloc(&sample->arena, (size_t)WIRE_LINES_MAX * sizeof *out->lines);
    for (int i = 0; i < out->line_count; i++) out->lines[i] = line(sample);
}

void sample_reply(struct sample *sample, enum request_kind kind, struct reply *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->id = sample_id(sample);
    out->status = (enum status)sample_below(sample, ST_MISMATCH + 1);
    out->reason = narrow(sample);
    out->pending = coin(sample);
    out->placed = (struct placed){sample_u64(sample), code(sample), sample_id(sample),
                                  text(sample, WIRE_URL_BYTES_MAX), wide(sample)};
    out->found.game = text(sample, WIRE_NAME_BYTES_MAX);
    out->found.seated = narrow(sample);
    out->found.seats = narrow(sample);
    out->found.playing = coin(sample);
    out->waiting = narrow(sample);
    out->needed = narrow(sample);
    out->left_ms = narrow(sample);
    out->rooms = narrow(sample);
    reply_lists(sample, out);
    reply_to_operator(sample, out);
}
