/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes from a gateway: kept as far as playing needs it, and held against what must be.
 */
#include "bench/load.h"

#include "wire/patch.h"

#include <stdio.h>

/* ---- rare frames ----------------------------------------------------------------------------- */

static void on_welcome(struct load_client *client, const struct server_welcome *welcome)
{
    if (client->state != LOAD_GREETING || welcome->token.len > sizeof client->token) {
        load_fault(client, LOAD_FAULT_UNREADABLE, "a welcome without a session, or out of place");
        return;
    }
    client->token_len = (uint8_t)welcome->token.len;
    memcpy(client->token, welcome->token.at, welcome->token.len);
    load_client_ask(client);
}

static void on_seat(struct load_client *client, const struct server_seat *seat)
{
    struct load *load = client->load;
    struct load_room *room = client->room;
    if (client->seat >= 0 && seat->seat != client->seat)
        load_fault(client, LOAD_FAULT_TWICE, "another seat than before");
    if (seat->counter < client->counter)
        load_fault(client, LOAD_FAULT_TWICE, "an acknowledged action is not among those of a seat");
    client->seat = seat->seat;
    client->generation = seat->generation;
    client->counter = seat->counter;
    client->tries = 0;
    client->renewed = client->state == LOAD_SEATED || client->hellos > 1;
    load->share->seated += client->state != LOAD_SEATED;
    client->state = LOAD_SEATED;
    heap_remove(&load->due, &client->due);
    if (client->lost_us && load_measures(load))
        latency_add(&load->share->figures.back, load->now_us - client->lost_us);
    client->lost_us = 0;
    if (!room->code[0]) {
        snprintf(room->code, sizeof room->code, "%s", seat->code);
        for (int i = 1; i < room->count; i++)
            if (room->clients[i].state == LOAD_WAITING) load_client_ask(&room->clients[i]);
    }
    load_room_returned(room, client);
}

static void on_ping(struct load_client *client, uint64_t nonce, uint32_t next_ms)
{
    struct client_frame frame = {.kind = CLIENT_PONG, .u.nonce = nonce};
    client->every_ms = next_ms;
    load_client_alive(client);
    load_client_say(client, &frame);
}

static void on_rare(struct load_client *client, const struct server_frame *frame)
{
    struct load *load = client->load;
    switch (frame->kind) {
    case SERVER_WELCOME: on_welcome(client, &frame->u.welcome); return;
    case SERVER_SEAT: on_seat(client, &frame->u.seat); return;
    case SERVER_PING: on_ping(client, frame->u.ping.nonce, frame->u.ping.next_ms); return;
    case SERVER_REFUSED:
        load_error(load, LOAD_ERROR_ENTRY);
        if (client->state == LOAD_ENTERING) load_client_retry(client);
        return;
    case SERVER_DETACHED: load_client_lose(client, LOAD_ERROR_DETACHED, false); return;
    case SERVER_NOTICE:
        if (frame->u.notice == NOTICE_ROOM_UNREACHABLE) load_error(load, LOAD_ERROR_PAUSED);
        if (frame->u.notice == NOTICE_GATEWAY_LEAVING)
            load_client_lose(client, LOAD_ERROR_COUNT, false);
        return;
    default: return;
    }
}

static void read_rare(struct load_client *client, struct slice message)
{
    struct arena arena = {0};
    struct server_frame frame;
    enum status status = server_frame_decode(message, &arena, &frame);
    if (status == ST_OK)
        on_rare(client, &frame);
    else if (status != ST_UNKNOWN) /* of a newer build */
        load_fault(client, LOAD_FAULT_UNREADABLE, "a frame that cannot be read");
    arena_fini(&arena);
}

/* ---- views ----------------------------------------------------------------------------------- */

static bool lacks_base(struct load_client *client, const char *what)
{
    load_fault(client, LOAD_FAULT_BASE, what);
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    load_client_say(client, &resync);
    return false;
}

/* False: the client lacks what the frame builds on. A delta is then of its base's epoch. */
static bool follows(struct load_client *client, struct room_frame *frame)
{
    if (frame->since != 0 && frame->since != client->version.seq)
        return lacks_base(client, "a delta whose base it does not have");
    if (frame->since != 0) {
        frame->version.epoch = client->version.epoch;
        frame->game_version = client->game_version + (frame->version.seq - frame->since) +
                              (uint64_t)frame->game_ahead;
    }
    if (version_compare(frame->version, client->version) >= 0) return true;
    load_fault(client, LOAD_FAULT_VERSION, "the version falls");
    return false;
}

static void keep(struct buf *into, struct slice bytes)
{
    buf_clear(into);
    buf_put_slice(into, bytes);
}

/* Keeps what the section is now, and gives it in the place of what was sent. */
static bool hold(struct load_client *client, struct buf *held, struct slice *section, bool patched)
{
    static struct buf made; /* a process has one thread */
    buf_clear(&made);
    struct slice from = buf_slice(held);
    if (patched && patch_apply(from, *section, WIRE_SECTION_BYTES_MAX, &made) != ST_OK)
        return lacks_base(client, "a patch that does not fit what it has");
    if (section->len) keep(held, patched ? buf_slice(&made) : *section);
    if (section->len) *section = buf_slice(held);
    return true;
}

static bool hold_all(struct load_client *client, struct room_frame *frame)
{
    uint32_t patched = frame->patched;
    if (frame->since == 0) buf_clear(&client->mine); /* of a whole frame it may be empty */
    return hold(client, &client->view, &frame->room, patched & SECTION_ROOM) &&
           hold(client, &client->game, &frame->game, patched & SECTION_GAME) &&
           hold(client, &client->mine, &frame->mine, patched & SECTION_MINE);
}

/* What all viewers share is kept once for the room: the first who gets a version brings it, and the
 * others must have been sent the same. */
static void take_game(struct load_client *client, const struct room_frame *frame)
{
    struct load_room *room = client->room;
    int order = version_compare(frame->version, room->game_version);
    if (order == 0 && !slice_equal(frame->game, buf_slice(&room->game)))
        load_fault(client, LOAD_FAULT_DIFFERS, "two were shown different things of one version");
    if (order <= 0) return;
    keep(&room->game, frame->game);
    room->game_version = frame->version;
    room->made_for = frame->game_version;
    if (!room->load->lean) return;
    if (!tower_read(frame->game, &room->tower)) {
        load_fault(client, LOAD_FAULT_UNREADABLE, "a view that cannot be read");
        return;
    }
    const char *told = tower_fault(&room->tower);
    if (told) load_fault(client, LOAD_FAULT_TOLD, told);
}

static void take_room(struct load_client *client, const struct room_frame *frame)
{
    struct load_room *room = client->room;
    if (version_compare(frame->version, room->view_version) <= 0) return;
    if (!ws_view_decode(frame->room, &room->view))
        load_fault(client, LOAD_FAULT_UNREADABLE, "a room that cannot be read");
    room->view_version = frame->version;
}

static void take_mine(struct load_client *client, const struct room_frame *frame)
{
    struct load_room *room = client->room;
    if (!room->load->lean) return;
    if (version_compare(frame->version, room->game_version) != 0) return;
    const char *told = tower_mine_fault(&room->tower, frame->mine, room->view.host == client->seat);
    if (told) load_fault(client, LOAD_FAULT_TOLD, told);
}

static void on_room(struct load_client *client, struct slice inside)
{
    struct load_room *room = client->room;
    struct room_frame frame;
    if (!room_frame_read(inside, &frame)) {
        load_fault(client, LOAD_FAULT_UNREADABLE, "a frame of a room that cannot be read");
        return;
    }
    if (!follows(client, &frame) || !hold_all(client, &frame)) return;
    if (frame.room.len) take_room(client, &frame);
    if (frame.game.len) take_game(client, &frame);
    if (frame.mine.len || frame.since == 0) take_mine(client, &frame);
    if (version_compare(frame.version, client->version) > 0) {
        client->version = frame.version;
        client->game_version = frame.game_version;
        client->shown_us = client->load->now_us;
    }
    if (version_compare(frame.version, room->newest) > 0) room->newest = frame.version;
    load_room_changed(room);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void on_answer(struct load_client *client, struct slice inside)
{
    struct load_room *room = client->room;
    struct answer_frame answer;
    if (!answer_frame_read(inside, &answer)) {
        load_fault(client, LOAD_FAULT_UNREADABLE, "an answer that cannot be read");
        return;
    }
    if (answer.generation != client->generation) return; /* from before it came back */
    bool awaited =
        room->act.by == client && !room->act.answered && answer.counter == room->act.counter;
    /* Whoever came back, or was attached anew, has sent it twice, and may hear of it twice. */
    if (!awaited && !client->renewed)
        load_fault(client, LOAD_FAULT_TWICE, "an answer to what was answered, or never asked");
    if (awaited) load_room_answered(room, &answer);
}

bool load_heard(void *context, struct slice message, size_t wire_len)
{
    struct load_client *client = context;
    struct load *load = client->load;
    struct slice inside;
    load->now_us = load_clock_us();
    load_client_alive(client);
    enum server_kind kind = frame_open(message, &inside);
    int traffic = kind == SERVER_ROOM     ? LOAD_VIEWS
                  : kind == SERVER_ANSWER ? LOAD_ANSWERS
                                          : LOAD_REST_DOWN;
    if (load_measures(load)) load->share->figures.traffic[traffic].frames++;
    if (load_measures(load)) load->share->figures.traffic[traffic].bytes += wire_len;
    if (kind == SERVER_ROOM)
        on_room(client, inside);
    else if (kind == SERVER_ANSWER)
        on_answer(client, inside);
    else
        read_rare(client, message);
    return client->line.fd >= 0;
}
