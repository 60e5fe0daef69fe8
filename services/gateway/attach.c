/* SPDX-License-Identifier: Apache-2.0
 *
 * A client's place in a room: coming in, coming back after the room moved, going out.
 *
 *     ASKING ──placed──▶ ENTERING ──ATTACHED──▶ IN_ROOM ──LeaveRoom──▶ LEAVING
 *        ▲                  │ refused              │ dropped               │ DROPPED, or 3 s
 *      IDLE ◀───────────────┴──────────────────────┴───────────────────────┘
 *
 * waits_attach: an attach is under way (or the owner is being looked for) and nothing else may be
 * sent for this client meanwhile.
 */
#include "gateway/calls.h"

enum { BUSY_MS = 400 }; /* between two attaches to a worker that is busy */

/* ---- in -------------------------------------------------------------------------------------- */

void gw_attach_send(struct gateway_core *core, struct client *client)
{
    bool watch = client->state == CLIENT_ENTERING ? client->spectate : client->seat < 0;
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){
        .room = client->mirror->room,
        .client = client->socket,
        .player = client->player,
        .name = arena_text(&core->out->arena, client->name ? client->name : ""),
        .intent = watch ? ATTACH_WATCH : ATTACH_SEAT,
        .generation = client->generation,
        .take_over = client->take_over,
        .window = client->window,
        .line = client->line,
        .have = client->sent,
        .rtt_ms = gw_rtt_ms(client),
    };
    client->waits_attach = true;
    client->attach_at = core->now + gw_resend_ms(core, client->mirror->owner, client->tries);
    gw_mirror_send(core, client->mirror, &envelope);
    gw_client_arm(core, client);
}

void gw_enter(struct gateway_core *core, struct client *client, const struct placed *placed)
{
    const struct task *task = client->task;
    client->spectate = task->spectate;
    client->take_over = task->take_over;
    if (task->window) client->window = task->window;
    client->generation = task->generation;
    client->sent = task->have;
    client->quick = task->kind == TASK_QUICK ? task->game : NULL;
    gw_task_end(core, client);

    struct mirror *mirror = gw_mirror_of(core, placed);
    client->mirror = mirror;
    client->state = CLIENT_ENTERING;
    client->seat = -1;
    client->sent_serial = 0;
    client->want_whole = true;
    client->tries = 0;
    client->enter_until = core->now + GATEWAY_ENTER_MS;
    client->waits_attach = true;
    gw_mirror_add(mirror, client);
    core->seated++;
    if (!mirror->lost) gw_attach_send(core, client);
    gw_client_arm(core, client);
}

static void release_seat(struct gateway_core *core, struct client *client)
{
    struct mirror *mirror = client->mirror;
    if (client->seat < 0 || mirror->holder[client->seat] != client->generation) return;
    gw_cache_holder(core, mirror, client->seat, 0);
}

static void seat_granted(struct gateway_core *core, struct client *client,
                         const struct env_attached *attached)
{
    struct server_frame frame = {.kind = SERVER_SEAT};
    frame.u.seat = (struct server_seat){
        .code = client->mirror->code,
        .seat = attached->seat,
        .generation = attached->generation,
        .counter = attached->counter,
        .epoch = attached->epoch,
    };
    gw_send(core, client, &frame);
}

static void send_leave(struct gateway_core *core, struct client *client)
{
    struct envelope envelope = {.kind = ENV_LEAVE};
    envelope.u.client = (struct env_client){client->mirror->room, client->socket};
    client->attach_at = core->now + GATEWAY_RESEND_MS;
    gw_mirror_send(core, client->mirror, &envelope);
    gw_client_arm(core, client);
}

void gw_on_attached(struct gateway_core *core, struct client *client,
                    const struct env_attached *attached)
{
    struct mirror *mirror = client->mirror;
    if (attached->seat < -1 || attached->seat >= WIRE_PRIVATES_MAX) return;
    bool same_seat = attached->seat == client->seat;
    bool same_owner = attached->epoch == client->seat_epoch;
    if (same_owner && same_seat && attached->generation < client->generation)
        return; /* an older answer; a new owner may have lost the end of the log */
    client->seat_epoch = attached->epoch;
    bool changed = client->state == CLIENT_ENTERING || !same_seat ||
                   attached->generation != client->generation;
    if (changed) {
        release_seat(core, client);
        client->seat = (int8_t)attached->seat;
        client->generation = attached->generation;
        client->want_whole = true;
        gw_acts_forget_old(client);
        if (client->seat >= 0) gw_cache_holder(core, mirror, client->seat, client->generation);
    }
    client->waits_attach = false;
    client->take_over = false;
    client->attach_at = INSTANT_NEVER;
    client->tries = 0;
    mirror->tries = 0;
    gw_mirror_touch(core, mirror);
    if (client->state == CLIENT_LEAVING) {
        send_leave(core, client);
        return;
    }
    client->state = CLIENT_IN_ROOM;
    client->enter_until = INSTANT_NEVER;
    if (attached->code && attached->code[0]) memcpy(mirror->code, attached->code, WIRE_CODE_LEN);
    if (changed) seat_granted(core, client, attached);
    if (client->told_down && !mirror->paused) {
        client->told_down = false;
        gw_notice(core, client, NOTICE_ROOM_BACK);
    }
    gw_acts_resend(core, client);
    gw_ping_soon(core, client);
    gw_client_arm(core, client);
}

/* ---- out ------------------------------------------------------------------------------------- */

static void remember_detached(struct gateway_core *core, const struct client *client)
{
    struct detached *kept = &core->detached[core->detached_next++ % GATEWAY_DETACHED_MAX];
    if (kept->room && core->now - kept->at <= DETACHED_KEPT_MS) core->refused.detached++;
    *kept = (struct detached){
        .room = client->mirror->room,
        .client = client->socket,
        .owner = client->mirror->owner,
        .at = core->now,
    };
}

static void send_detach(struct gateway_core *core, const struct mirror *mirror, uint64_t socket)
{
    struct envelope envelope = {.kind = ENV_DETACH};
    envelope.u.client = (struct env_client){mirror->room, socket};
    gw_mirror_send(core, mirror, &envelope);
}

void gw_leave_mirror(struct gateway_core *core, struct client *client, bool tell)
{
    struct mirror *mirror = client->mirror;
    if (mirror == NULL) return;
    if (tell && !mirror->lost) {
        send_detach(core, mirror, client->socket);
        remember_detached(core, client);
    }
    release_seat(core, client);
    gw_mirror_remove(core, mirror, client);
    gw_acts_forget(client);
    CHECK(core->seated > 0);
    core->seated--;
    client->mirror = NULL;
    client->state = CLIENT_IDLE;
    client->seat = -1;
    client->generation = 0;
    client->seat_epoch = 0;
    client->sent = (struct version){0};
    client->told_down = client->waits_attach = client->take_over = client->want_whole = false;
    client->attach_at = INSTANT_NEVER;
    client->enter_until = INSTANT_NEVER;
}

/* Detaches that a broken stream may have lost, to the same owner once more. */
void gw_detached_again(struct gateway_core *core, const struct mirror *mirror)
{
    for (int i = 0; i < GATEWAY_DETACHED_MAX; i++) {
        const struct detached *kept = &core->detached[i];
        if (kept->room != mirror->room || !id128_equal(kept->owner, mirror->owner)) continue;
        if (core->now - kept->at <= DETACHED_KEPT_MS) send_detach(core, mirror, kept->client);
    }
}

void gw_drop(struct gateway_core *core, struct client *client, enum dropped_why why)
{
    gw_leave_mirror(core, client, false);
    struct server_frame frame = {.kind = SERVER_DETACHED};
    frame.u.detached = why;
    gw_send(core, client, &frame);
    gw_client_arm(core, client);
}

/* Of those who meet by quick match some come too late, or where they are not wanted: they are
 * matched again, with others. */
static bool may_go_elsewhere(const struct client *client, uint32_t reason)
{
    bool door = reason == REASON_ROOM_FULL || reason == REASON_ROOM_CLOSED ||
                reason == REASON_KICKED || reason == REASON_GAME_RUNS;
    return client->quick && door && client->turned_away < GATEWAY_TURNED_AWAY_MAX;
}

void gw_on_attach_refused(struct gateway_core *core, struct client *client,
                          const struct refusal *why)
{
    bool ours = why->domain == NULL || why->domain[0] == '\0';
    uint32_t reason = ours ? why->code : 0;
    if (!client->waits_attach) return;
    if (reason == REASON_BUSY) {
        /* It is there and behind: asking others for the room would make it no better. */
        client->tries = 0;
        client->attach_at = core->now + gw_jitter(core, BUSY_MS);
        gw_client_arm(core, client);
    } else if (client->state == CLIENT_ENTERING && may_go_elsewhere(client, reason)) {
        room_id here = client->mirror->room;
        gw_leave_mirror(core, client, false);
        gw_quick_elsewhere(core, client, here);
    } else if (client->state == CLIENT_ENTERING) {
        gw_leave_mirror(core, client, false);
        gw_refuse_why(core, client, why, false);
        gw_client_arm(core, client);
    } else if (client->state == CLIENT_LEAVING) {
        gw_drop(core, client, DROPPED_LEFT);
    } else if (reason == REASON_OTHER_WINDOW) {
        gw_drop(core, client, DROPPED_OTHER_WINDOW);
    } else {
        gw_drop(core, client, reason == REASON_KICKED ? DROPPED_KICKED : DROPPED_CLOSED);
    }
}

void gw_on_leave(struct gateway_core *core, struct client *client)
{
    bool known = !client->waits_attach || client->state == CLIENT_ENTERING;
    client->state = CLIENT_LEAVING;
    client->enter_until = core->now + GATEWAY_LEAVE_MS;
    client->tries = 0;
    gw_acts_forget(client);
    /* Where the room does not know this client yet, its ATTACHED lets the leave follow. */
    if (known && !client->mirror->lost) send_leave(core, client);
    gw_client_arm(core, client);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void give_up(struct gateway_core *core, struct client *client)
{
    bool leaving = client->state == CLIENT_LEAVING;
    gw_leave_mirror(core, client, true);
    if (leaving) {
        struct server_frame frame = {.kind = SERVER_DETACHED};
        frame.u.detached = DROPPED_LEFT;
        gw_send(core, client, &frame);
    } else {
        gw_refuse(core, client, REASON_BUSY);
    }
}

void gw_attach_due(struct gateway_core *core, struct client *client)
{
    if (client->gone || client->mirror == NULL) return;
    if (core->now >= client->enter_until) {
        give_up(core, client);
    } else if (core->now >= client->attach_at) {
        client->attach_at = INSTANT_NEVER;
        if (client->mirror->lost) return;
        if (client->tries < UINT8_MAX) client->tries++;
        bool enough = gw_tried_enough(core, client->mirror->owner, client->tries);
        if (enough && !client->mirror->paused)
            gw_mirror_lose(core, client->mirror);
        else if (client->state == CLIENT_LEAVING && !client->waits_attach)
            send_leave(core, client);
        else
            gw_attach_send(core, client);
    }
}
