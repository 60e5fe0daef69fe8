/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes from a gateway: kept, measured, and held against what must be.
 */
#include "drill/crowd.h"

#include "base/check.h"

#include <stdlib.h>

enum { AGAIN_MS = 300, BUSY_MS = 250, AGAIN_MOST_MS = 2000, MOVE_MS = 2500 };

static uint32_t pause_ms(int tries, uint32_t each)
{
    uint32_t pause = each * (uint32_t)(tries + 1);
    return pause < AGAIN_MOST_MS ? pause : AGAIN_MOST_MS;
}

/* ---- in and out ------------------------------------------------------------------------------ */

static void on_refused(struct crowd_client *client, const struct server_refused *refused)
{
    struct crowd *crowd = client->crowd;
    if (client->phase != CROWD_ENTERING) return;
    client->phase = CROWD_IDLE;
    if (client->ws.code[0] && !refused->retry && !refused->why.domain[0])
        crowd_fault(crowd, client,
                    refused->why.code == REASON_NO_SUCH_ROOM ? "the room is gone"
                                                             : "nobody may come back");
    uint32_t pause = pause_ms(client->tries++, AGAIN_MS);
    crowd_client_again(client, crowd->now + pause + crowd_draw(crowd, AGAIN_MS));
}

static void settle(struct crowd_client *client);

static void on_seat(struct crowd_client *client, const struct server_seat *seat)
{
    struct crowd *crowd = client->crowd;
    struct crowd_room *room = client->room;
    client->phase = CROWD_SEATED;
    client->tries = 0;
    if (client->lost_at) {
        instant_ms from = client->lost_at > crowd->marked_at ? client->lost_at : crowd->marked_at;
        samples_add(&crowd->back, crowd->now - from);
        client->lost_at = 0;
    }
    if (seat->counter < client->acked)
        crowd_fault(crowd, client, "an acknowledged action is not among those of the seat");
    if (client->waits && client->ws.counter >= client->ws.act.counter)
        settle(client);
    else if (client->waits && !client->ws.act.is_open) /* it was told to try again */
        ws_repeat_act(&client->ws);
    if (room->code[0]) return;
    strcpy(room->code, seat->code);
    room->moved_at = crowd->now;
    heap_set(&crowd->due, &room->due, crowd->now + crowd_draw(crowd, crowd->plan.pace_ms));
    for (int i = 1; i < room->client_count; i++)
        if (room->clients[i].phase == CROWD_IDLE) crowd_client_ask(&room->clients[i]);
}

static void on_detached(struct crowd_client *client)
{
    crowd_fault(client->crowd, client, "put out of the room");
    client->phase = CROWD_IDLE;
    crowd_client_again(client, client->crowd->now + AGAIN_MOST_MS);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The action that waited has an outcome. */
static void settle(struct crowd_client *client)
{
    struct crowd *crowd = client->crowd;
    struct crowd_room *room = client->room;
    instant_ms now = crowd->now, mark = crowd->marked_at;
    instant_ms wait = now - (client->sent_at > mark ? client->sent_at : mark);
    if (wait > CROWD_USUAL_MS) {
        instant_ms gap = now - room->answered_at;
        if (wait > room->worst_wait) room->worst_wait = wait;
        if (gap > room->worst_gap) room->worst_gap = gap;
    }
    client->waits = false;
    room->answered_at = room->moved_at = now;
    if (client->ws.counter > client->acked) {
        crowd->counts.acknowledged += client->ws.counter - client->acked;
        client->acked = client->ws.counter;
    }
}

static void try_again(struct crowd_client *client, uint32_t pause)
{
    client->tries++;
    crowd_client_again(client, client->crowd->now + pause);
}

static void on_refusal(struct crowd_client *client, const struct server_answer *answer)
{
    struct crowd *crowd = client->crowd;
    int why = answer->why.domain[0] ? REASON_NONE : (int)answer->why.code;
    if (why == REASON_BUSY || why == REASON_TOO_FAST) {
        crowd->counts.busy++;
        try_again(client, pause_ms(client->tries, BUSY_MS));
    } else if (why == REASON_OUT_OF_ORDER && answer->why.params[0] > 0) {
        crowd->counts.disordered++;
        uint64_t expected = (uint64_t)answer->why.params[0];
        if (expected <= client->acked || !crowd_client_recount(client, expected))
            crowd_fault(crowd, client, "the room expects a counter that cannot be");
        try_again(client, 1);
    } else if (why == REASON_ALREADY_HANDLED) {
        client->ws.counter++;
        settle(client);
    } else {
        crowd->counts.refused++;
        settle(client);
    }
}

static void on_answer(struct crowd_client *client, const struct server_answer *answer)
{
    if (answer->generation != client->ws.generation) return;
    if (!client->waits || answer->counter != client->ws.act.counter) {
        if (!answer->ok && answer->counter <= client->acked &&
            answer->why.code != REASON_ALREADY_HANDLED)
            crowd_fault(client->crowd, client, "an accepted action is refused as well");
        return;
    }
    if (answer->ok)
        settle(client);
    else
        on_refusal(client, answer);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Its deadline in room time is in the view, and room time passes as ours does: so the moment at
 * which its end is seen tells how late it came. The offset is the best of its own frames. */
static void watch_countdown(struct crowd_client *client, const struct server_room *frame)
{
    struct crowd *crowd = client->crowd;
    int64_t offset = (int64_t)crowd->now - (int64_t)frame->room_time;
    bool counting;
    uint64_t starts;
    if (client->countdown_epoch != frame->version.epoch) client->starts = 0; /* time stood still */
    if (offset < client->offset) client->offset = offset;
    if (frame->game.len == 0 || client->room->client_count > 1) return;
    if (!crowd_baseball_starts(&client->ws, &counting, &starts)) return;
    if (!counting && client->starts == starts) {
        int64_t late = (int64_t)crowd->now - (int64_t)starts - client->offset;
        samples_add(&crowd->late, late > 0 ? (instant_ms)late : 0);
    }
    if (counting && client->starts != starts) client->offset = offset;
    client->starts = counting ? starts : 0;
    client->countdown_epoch = frame->version.epoch;
}

static void remember_screen(struct crowd_client *client)
{
    const struct ws_client *ws = &client->ws;
    if (client->shown_count == client->shown_room) {
        client->shown_room = client->shown_room ? 2 * client->shown_room : 64;
        client->shown = realloc(client->shown, client->shown_room * sizeof *client->shown);
        CHECK(client->shown);
    }
    client->shown[client->shown_count++] = (struct crowd_shown){
        .seq = ws->version.seq,
        .hash = crowd_shown_hash(buf_slice(&ws->room), buf_slice(&ws->game), buf_slice(&ws->mine)),
    };
}

static void on_room(struct crowd_client *client, const struct server_room *frame)
{
    struct crowd *crowd = client->crowd;
    struct crowd_room *room = client->room;
    if (frame->version.epoch == 0) return; /* its base was missing: the whole is asked for */
    if (frame->version.epoch < room->floor) crowd->counts.late_frames++;
    int order = version_compare(frame->version, client->newest);
    if (frame->version.epoch < client->newest.epoch)
        crowd_fault(crowd, client, "a frame of an older epoch after one of a newer");
    else if (order < 0)
        crowd_fault(crowd, client, "the version falls");
    if (order <= 0) return;
    client->newest = frame->version;
    if (frame->version.epoch > room->epoch) room->epoch_at = crowd->now;
    if (frame->version.epoch > room->epoch) room->epoch = frame->version.epoch;
    room->moved_at = crowd->now;
    watch_countdown(client, frame);
    bool taken = version_compare(client->ws.version, frame->version) == 0; /* no resync */
    if (room->close && taken) remember_screen(client);
}

void crowd_heard(struct ws_client *ws, const struct server_frame *frame)
{
    struct crowd_client *client = (struct crowd_client *)ws;
    client->heard_at = client->crowd->now;
    switch (frame->kind) {
    case SERVER_WELCOME: crowd_client_welcome(client); return;
    case SERVER_REFUSED: on_refused(client, &frame->u.refused); return;
    case SERVER_SEAT: on_seat(client, &frame->u.seat); return;
    case SERVER_ROOM: on_room(client, &frame->u.room); return;
    case SERVER_ANSWER: on_answer(client, &frame->u.answer); return;
    case SERVER_DETACHED: on_detached(client); return;
    case SERVER_NOTICE:
        client->crowd->counts.paused += frame->u.notice == NOTICE_ROOM_UNREACHABLE;
        if (frame->u.notice == NOTICE_GATEWAY_LEAVING)
            crowd_client_move(client, client->crowd->now + 1 + crowd_draw(client->crowd, MOVE_MS));
        return;
    default: return;
    }
}
