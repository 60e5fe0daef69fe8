/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/gateway/yard.h"

#include "base/check.h"
#include "base/hash.h"
#include "game/game.h"

#include <stdlib.h>

const struct id128 YARD_WORKER = {{1, 1}}, YARD_WORKER_2 = {{2, 2}};
static const struct id128 MATCHMAKER = {{9, 9}};

/* ---- opening --------------------------------------------------------------------------------- */

void yard_register_game(void)
{
    static const struct game_option options[] = {
        {.key = "size",
         .kind = GAME_OPTION_CHOICE,
         .choices = {{3, "three"}, {4, "four"}},
         .default_value = 4},
        {.key = "history", .kind = GAME_OPTION_SWITCH, .default_value = 1},
    };
    static const struct game toy = {
        .id = "toy",
        .rules_version = 3,
        .seats_min = 2,
        .seats_max = 4,
        .options = options,
        .option_count = 2,
        .solo_key = "history",
    };
    if (game_find(slice_text("toy")) == NULL) game_register_for_tests(&toy);
}

void yard_open_with(struct yard *yard, const struct gateway_limits *limits)
{
    yard_register_game();
    *yard = (struct yard){.now = 1000 * 1000, .sockets = 1};
    yard->frames = calloc(YARD_FRAMES_MAX, sizeof *yard->frames);
    yard->posts = calloc(YARD_POSTS_MAX, sizeof *yard->posts);
    yard->requests = calloc(YARD_REQUESTS_MAX, sizeof *yard->requests);
    yard->closes = calloc(YARD_CLOSES_MAX, sizeof *yard->closes);
    yard->notes = calloc(YARD_NOTES_MAX, sizeof *yard->notes);
    yard->screens = calloc(YARD_SOCKETS_MAX, sizeof *yard->screens);
    CHECK(yard->screens);
    CHECK(yard->frames && yard->posts && yard->requests && yard->closes && yard->notes);
    yard->config = (struct gateway_config){
        .instance = {{7, 7}},
        .inbox_url = "tcp://10.0.0.9:7000",
        .build = "test",
        .matchmakers = {"tcp://10.0.0.3:7003"},
        .matchmaker_count = 1,
        .keys = {{1, 2, 3}},
        .key_count = 1,
        .token_lifetime_s = YARD_TOKEN_LIFETIME_S,
        .limits = *limits,
    };
    yard->members[yard->member_count++] = (struct member){
        .kind = SERVICE_MATCHMAKER,
        .instance = MATCHMAKER,
        .inbox_url = "",
        .control_url = "tcp://10.0.0.3:7003",
        .build = "test",
    };
    yard->core = gateway_core_open(&yard->config, yard->now);
    yard_pass(yard, 0);
}

void yard_open(struct yard *yard)
{
    struct gateway_limits limits;
    gateway_limits_default(&limits);
    yard_open_with(yard, &limits);
}

void yard_close(struct yard *yard)
{
    gateway_core_close(yard->core);
    effects_fini(&yard->out);
    arena_fini(&yard->arena);
    free(yard->frames);
    free(yard->posts);
    free(yard->requests);
    free(yard->closes);
    free(yard->notes);
    for (int i = 0; i < YARD_SOCKETS_MAX; i++) {
        buf_fini(&yard->screens[i].room);
        buf_fini(&yard->screens[i].presence);
        buf_fini(&yard->screens[i].game);
        buf_fini(&yard->screens[i].mine);
    }
    free(yard->screens);
}

void yard_forget(struct yard *yard)
{
    yard->frame_count = yard->post_count = yard->request_count = yard->close_count = 0;
    yard->note_count = 0;
}

/* ---- recording ------------------------------------------------------------------------------- */

static void hold(struct buf *held, struct slice section, bool whole, struct slice *base)
{
    if (section.len || whole) {
        buf_clear(held);
        buf_put_slice(held, section);
    }
    *base = buf_slice(held);
}

/* Whatever is written builds on what was written to that very socket before. */
static void show(struct yard_screen *screen, struct server_room *room, struct arena *arena)
{
    struct delta_base *base = &screen->base;
    bool whole = room->since == 0;
    assert_int_equal(delta_resolve(room, base, arena), ST_OK);
    hold(&screen->room, room->room, whole, &base->room);
    hold(&screen->presence, room->presence, whole, &base->presence);
    hold(&screen->game, room->game, whole, &base->game);
    hold(&screen->mine, room->mine, whole, &base->mine);
    base->version = room->version;
    base->room_time = room->room_time;
    base->game_version = room->game_version;
}

static void record_frame(struct yard *yard, const struct effect *effect)
{
    assert_true(yard->frame_count < YARD_FRAMES_MAX);
    struct yard_frame *frame = &yard->frames[yard->frame_count++];
    frame->socket = effect->socket;
    frame->bytes = arena_copy(&yard->arena, effect->frame);
    assert_int_equal(server_frame_decode(frame->bytes, &yard->arena, &frame->frame), ST_OK);
    if (frame->frame.kind != SERVER_ROOM) return;
    frame->patched = frame->frame.u.room.patched;
    show(&yard->screens[frame->socket % YARD_SOCKETS_MAX], &frame->frame.u.room, &yard->arena);
}

/* Through the wire, so that what could not be sent is noticed. */
static void record_post(struct yard *yard, const struct effect *effect)
{
    assert_true(yard->post_count < YARD_POSTS_MAX);
    struct envelope envelope = effect->envelope;
    struct batch batch = {
        .from = {{7}}, .from_url = "tcp://x", .number = 1, .list = &envelope, .count = 1};
    struct buf bytes = {0};
    assert_int_equal(batch_encode(&batch, &bytes), ST_OK);
    struct batch decoded;
    assert_int_equal(batch_decode(buf_slice(&bytes), &yard->arena, &decoded), ST_OK);
    buf_fini(&bytes);
    yard->posts[yard->post_count++] =
        (struct yard_post){effect->peer, arena_text(&yard->arena, effect->url), decoded.list[0]};
}

static void record_request(struct yard *yard, const struct effect *effect)
{
    assert_true(yard->request_count < YARD_REQUESTS_MAX);
    struct buf bytes = {0};
    assert_int_equal(request_encode(&effect->request, &bytes), ST_OK);
    struct yard_request *request = &yard->requests[yard->request_count++];
    request->token = effect->token;
    request->url = effect->url ? arena_text(&yard->arena, effect->url) : NULL;
    assert_int_equal(request_decode(buf_slice(&bytes), &yard->arena, &request->request), ST_OK);
    buf_fini(&bytes);
}

static void record(struct yard *yard, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_SOCKET_SEND: record_frame(yard, effect); return;
    case EFFECT_SOCKET_CLOSE:
        assert_true(yard->close_count < YARD_CLOSES_MAX);
        yard->closes[yard->close_count++] = (struct yard_close){effect->socket, effect->close_code};
        return;
    case EFFECT_SEND: record_post(yard, effect); return;
    case EFFECT_REQUEST: record_request(yard, effect); return;
    case EFFECT_EXIT: yard->exited = true; return;
    case EFFECT_NOTE:
        assert_true(yard->note_count < YARD_NOTES_MAX);
        yard->notes[yard->note_count].text = effect->text;
        memcpy(yard->notes[yard->note_count++].value, effect->value, sizeof effect->value);
        return;
    default: fail_msg("an effect that no gateway has");
    }
}

static void step_once(struct yard *yard, const struct event *given)
{
    struct event event = *given;
    uint64_t chance = hash_mix64(++yard->chance);
    for (size_t i = 0; i < sizeof event.entropy; i++)
        event.entropy[i] = (uint8_t)(hash_mix64(chance + i) >> 8);
    assert_int_equal(gateway_core_step(yard->core, &event, yard->now, &yard->out), ST_OK);
    for (size_t i = 0; i < yard->out.count; i++) record(yard, &yard->out.list[i]);
}

void yard_step(struct yard *yard, const struct event *event)
{
    int frames = yard->frame_count, requests = yard->request_count;
    step_once(yard, event);
    /* What was written was taken, and heartbeats are answered; both may bring more. */
    while (frames < yard->frame_count || requests < yard->request_count) {
        int frames_now = yard->frame_count, requests_now = yard->request_count;
        for (; frames < frames_now; frames++) {
            uint64_t socket = yard->frames[frames].socket;
            if (yard->slow[socket % YARD_SOCKETS_MAX]) continue;
            struct event writable = {.kind = EVENT_SOCKET_WRITABLE, .sockets = &socket, .count = 1};
            step_once(yard, &writable);
        }
        for (; requests < requests_now; requests++) {
            const struct yard_request *request = &yard->requests[requests];
            if (request->request.kind != REQ_HEARTBEAT || yard->silent_matchmakers) continue;
            struct reply reply = {.kind = REQ_HEARTBEAT,
                                  .members = yard->members,
                                  .member_count = yard->member_count};
            struct event answer = {.kind = EVENT_REPLY, .token = request->token, .reply = &reply};
            step_once(yard, &answer);
        }
    }
}

void yard_pass(struct yard *yard, instant_ms ms)
{
    instant_ms until = yard->now + ms;
    struct event tick = {.kind = EVENT_TICK};
    for (;;) {
        instant_ms due = gateway_core_deadline(yard->core);
        if (due > until) break;
        if (due > yard->now) yard->now = due;
        yard_step(yard, &tick);
    }
    yard->now = until;
    yard_step(yard, &tick);
}

/* ---- sockets --------------------------------------------------------------------------------- */

uint64_t yard_connect(struct yard *yard, const char *address)
{
    uint64_t socket = yard->sockets++;
    struct event event = {.kind = EVENT_SOCKET_OPEN, .socket = socket, .address = address};
    yard_step(yard, &event);
    return socket;
}

void yard_hang_up(struct yard *yard, uint64_t socket)
{
    struct event event = {.kind = EVENT_SOCKET_CLOSED, .socket = socket};
    yard_step(yard, &event);
}

void yard_writable(struct yard *yard, uint64_t socket)
{
    struct event event = {.kind = EVENT_SOCKET_WRITABLE, .sockets = &socket, .count = 1};
    yard_step(yard, &event);
}

void yard_say_bytes(struct yard *yard, uint64_t socket, const void *bytes, size_t len)
{
    struct event event = {.kind = EVENT_SOCKET_FRAME,
                          .wall_s = yard->wall_s,
                          .socket = socket,
                          .frame = slice_of(bytes, len)};
    yard_step(yard, &event);
}

void yard_say(struct yard *yard, uint64_t socket, const struct client_frame *frame)
{
    struct buf bytes = {0};
    client_frame_encode(frame, &bytes);
    yard_say_bytes(yard, socket, bytes.at, bytes.len);
    buf_fini(&bytes);
}

/* ---- what was recorded ----------------------------------------------------------------------- */

const struct server_frame *yard_last(struct yard *yard, uint64_t socket, enum server_kind kind)
{
    for (int i = yard->frame_count; i-- > 0;)
        if (yard->frames[i].socket == socket && yard->frames[i].frame.kind == kind)
            return &yard->frames[i].frame;
    return NULL;
}

int yard_count(struct yard *yard, uint64_t socket, enum server_kind kind)
{
    int count = 0;
    for (int i = 0; i < yard->frame_count; i++)
        count += yard->frames[i].socket == socket && yard->frames[i].frame.kind == kind;
    return count;
}

const struct envelope *yard_last_post(struct yard *yard, enum envelope_kind kind)
{
    for (int i = yard->post_count; i-- > 0;)
        if (yard->posts[i].envelope.kind == kind) return &yard->posts[i].envelope;
    return NULL;
}

int yard_count_posts(struct yard *yard, enum envelope_kind kind)
{
    int count = 0;
    for (int i = 0; i < yard->post_count; i++) count += yard->posts[i].envelope.kind == kind;
    return count;
}

const struct yard_request *yard_last_request(struct yard *yard, enum request_kind kind)
{
    for (int i = yard->request_count; i-- > 0;)
        if (yard->requests[i].request.kind == kind) return &yard->requests[i];
    return NULL;
}

int yard_count_requests(struct yard *yard, enum request_kind kind)
{
    int count = 0;
    for (int i = 0; i < yard->request_count; i++) count += yard->requests[i].request.kind == kind;
    return count;
}

int yard_closed(struct yard *yard, uint64_t socket)
{
    for (int i = 0; i < yard->close_count; i++)
        if (yard->closes[i].socket == socket) return yard->closes[i].code;
    return 0;
}

uint32_t yard_refused(struct yard *yard, uint64_t socket)
{
    const struct server_frame *frame = yard_last(yard, socket, SERVER_REFUSED);
    return frame ? frame->u.refused.why.code : 0;
}
