/* SPDX-License-Identifier: Apache-2.0
 *
 * One room: who acts next, and what came of it.
 */
#include "bench/load.h"

#include "base/check.h"

enum { BUSY_MS = 250 };

/* RoomCommand { start {} } of client.proto. */
static const uint8_t start_command[] = {0x22, 0x00};

static bool all_seated(const struct load_room *room)
{
    for (int i = 0; i < room->count; i++)
        if (room->clients[i].state != LOAD_SEATED) return false;
    return true;
}

static bool all_see(const struct load_room *room)
{
    for (int i = 0; i < room->count; i++)
        if (version_compare(room->clients[i].version, room->newest) != 0) return false;
    return true;
}

/* ---- sending --------------------------------------------------------------------------------- */

static void put_act(struct load_room *room)
{
    struct load_client *by = room->act.by;
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = by->generation,
        .counter = room->act.counter,
        .made_for = room->made_for,
        .command = room->act.command,
        .bytes = slice_of(room->act.bytes, room->act.len),
    };
    load_client_say(by, &frame);
}

static void send_act(struct load_room *room, struct load_client *by, bool command,
                     struct slice bytes, uint64_t due_us)
{
    struct load *load = room->load;
    CHECK(room->act.by == NULL && bytes.len <= sizeof room->act.bytes);
    room->act.by = by;
    room->act.command = command;
    room->act.answered = room->act.overdue = false;
    room->act.counter = by->counter + 1;
    room->act.len = bytes.len;
    memcpy(room->act.bytes, bytes.at, bytes.len);
    load->now_us = load_clock_us();
    room->act.sent_us = load->now_us;
    room->act.due_us = due_us ? due_us : load->now_us;
    if (!command) load->flights++;
    if (!command && load_measures(load)) load->share->figures.sent++;
    put_act(room);
}

/* ---- whose turn it is ------------------------------------------------------------------------ */

static int game_seat(const struct load_room *room, const struct load_client *client)
{
    for (int g = 0; g < room->view.playing_count; g++)
        if (room->view.playing[g] == client->seat) return g;
    return -1;
}

/* A bot is given what it reads: the views, and who it is. Borrows. */
static size_t bot_move(const struct load_room *room, const struct load_client *client,
                       uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    struct ws_client seen = {
        .seat = client->seat,
        .version = client->version,
        .view = room->view,
        .game = room->game,
        .mine = client->mine,
    };
    return room->load->bot->move(&seen, bytes);
}

static size_t find_move(const struct load_room *room, const struct load_client *client,
                        uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    struct bot_claim claim;
    int seat = game_seat(room, client);
    if (seat < 0) return 0;
    if (!room->load->lean) return bot_move(room, client, bytes);
    return tower_find(&room->tower, seat, &claim) ? bot_dobble_write(&claim, bytes) : 0;
}

static bool is_free(const struct load_room *room)
{
    const struct load *load = room->load;
    if (room->idles || room->act.by || room->view.state != WS_PLAYING) return false;
    if (load->phase < LOAD_WARM || load->phase > LOAD_MEASURE) return false;
    if (load->lean && !room->tower.is_playing) return false;
    return all_seated(room) && all_see(room);
}

static bool move(struct load_room *room, uint64_t due_us)
{
    uint8_t bytes[GAME_ACTION_BYTES_MAX];
    for (int i = 0; i < room->count; i++) {
        struct load_client *client = &room->clients[(room->turn + i) % room->count];
        size_t len = find_move(room, client, bytes);
        if (len == 0) continue;
        room->turn = (room->turn + i + 1) % room->count;
        send_act(room, client, false, slice_of(bytes, len), due_us);
        return true;
    }
    return false;
}

static struct load_room *take_free(struct load *load)
{
    int last = load->free_count - 1, at = last;
    if (load->interval_us > 0) at = (int)load_draw(load, (uint32_t)load->free_count);
    struct load_room *room = load->free[at];
    load->free[at] = load->free[last];
    load->free_count--;
    room->queued = false;
    return room;
}

bool load_room_act(struct load *load, uint64_t due_us)
{
    while (load->free_count > 0) {
        struct load_room *room = take_free(load);
        if (is_free(room) && move(room, due_us)) return true;
    }
    return false;
}

static void queue(struct load_room *room)
{
    struct load *load = room->load;
    if (room->queued) return;
    CHECK(load->free_count < load->room_count);
    load->free[load->free_count++] = room;
    room->queued = true;
}

/* The first game, and each further one. */
static void start(struct load_room *room)
{
    struct load *load = room->load;
    bool ended = room->view.state == WS_RESULT;
    bool wanted = ended || (room->view.state == WS_LOBBY && room->view.can_start);
    if (!wanted || room->idles || room->act.by || load->phase > LOAD_MEASURE) return;
    if (!all_seated(room) || !all_see(room)) return;
    for (int i = 0; i < room->count; i++) {
        if (room->clients[i].seat != room->view.host) continue;
        if (ended && load_measures(load)) load->share->figures.games++;
        send_act(room, &room->clients[i], true, slice_of(start_command, sizeof start_command), 0);
        return;
    }
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static void end_act(struct load_room *room)
{
    if (!room->act.command) room->load->flights--;
    room->act.by = NULL;
    heap_remove(&room->load->due, &room->due);
}

static void count_accepted(struct load_room *room)
{
    struct load *load = room->load;
    const struct load_client *by = room->act.by;
    uint64_t own_us = room->act.answered_us, last_us = own_us, due_us = room->act.due_us;
    if (by->state == LOAD_SEATED && by->shown_us > own_us) own_us = by->shown_us;
    for (int i = 0; i < room->count; i++)
        if (room->clients[i].state == LOAD_SEATED && room->clients[i].shown_us > last_us)
            last_us = room->clients[i].shown_us;
    load->share->done++;
    if (!load_measures(load)) return;
    load->share->figures.accepted++;
    latency_add(&load->share->figures.own, own_us - due_us);
    latency_add(&load->share->figures.last, last_us - due_us);
}

/* Answered, and shown to all who are there. */
static bool is_over(const struct load_room *room)
{
    if (!room->act.by || !room->act.answered) return false;
    for (int i = 0; i < room->count; i++) {
        const struct load_client *client = &room->clients[i];
        if (client->state == LOAD_SEATED && client->version.seq < room->act.seq) return false;
    }
    return true;
}

void load_room_changed(struct load_room *room)
{
    if (is_over(room)) {
        if (!room->act.command) count_accepted(room);
        end_act(room);
    }
    start(room);
    if (is_free(room)) queue(room);
}

static void accept(struct load_room *room, uint64_t seq)
{
    room->act.answered = true;
    room->act.answered_us = room->load->now_us;
    room->act.seq = seq;
    if (room->act.by->counter < room->act.counter) room->act.by->counter = room->act.counter;
    load_room_changed(room);
}

/* Whoever is refused tries something else once more is shown, or at the next look: never at once,
 * so that a cluster that refuses is not flooded. */
static void refuse(struct load_room *room, const struct answer_frame *answer)
{
    struct load *load = room->load;
    uint32_t why = answer->by_game ? 0 : answer->code;
    if (why == REASON_BUSY || why == REASON_TOO_FAST) {
        load_error(load, LOAD_ERROR_BUSY);
        heap_set(&load->due, &room->due, load->now_us / 1000 + BUSY_MS);
        return;
    }
    if (why == REASON_ALREADY_HANDLED) {
        accept(room, 0);
        return;
    }
    load_error(load, LOAD_ERROR_REFUSED);
    if (why == REASON_OUT_OF_ORDER && answer->param > 0)
        room->act.by->counter = (uint64_t)answer->param - 1;
    end_act(room);
}

void load_room_answered(struct load_room *room, const struct answer_frame *answer)
{
    if (answer->ok)
        accept(room, answer->seq);
    else
        refuse(room, answer);
}

/* Sits by a new generation: what it had sent is accepted by now, or sent again. */
void load_room_returned(struct load_room *room, struct load_client *client)
{
    if (room->act.by != client || room->act.answered) return;
    if (client->counter >= room->act.counter)
        accept(room, 0);
    else
        put_act(room);
}

void load_room_due(struct load_room *room)
{
    if (room->act.by && !room->act.answered && room->act.by->state == LOAD_SEATED) put_act(room);
}

void load_room_look(struct load_room *room)
{
    struct load *load = room->load;
    bool late = room->act.by && load->now_us - room->act.sent_us > LOAD_UNANSWERED_MS * 1000ULL;
    if (late && !room->act.overdue) load_error(load, LOAD_ERROR_UNANSWERED);
    if (late) room->act.overdue = true;
    load_room_changed(room);
}
