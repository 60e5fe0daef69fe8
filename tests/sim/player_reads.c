/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated browser makes of the frames that arrive.
 */
#include "sim/checks.h"
#include "sim/player.h"

#include "base/check.h"
#include "room/state.h"
#include "wire/delta.h"
#include "wire/reason.h"

enum { TRIES_BACK = 3 };

/* Which room its code stands for. A store that has lost everything does not know: then it is the
 * one that it was, or the one that is there when it has been written again. */
static void find_room(struct world *world, struct player *player)
{
    const struct shadow *shadow = shadow_by_code(world, player->code);
    if (shadow)
        player->room = shadow->id;
    else if (room_id_bits(player->room) != code_bits(player->code))
        player->room = 0;
}

/* Of an owner that came after the loss. */
static bool hear_of_loss(struct world *world, struct player *player, uint64_t epoch)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (!shadow || epoch <= shadow->lost_epoch) return false;
    player->lossy = false;
    return true;
}

static void on_seat(struct world *world, struct player *player, const struct server_seat *seat)
{
    if (player->stranger && !*player->code) {
        instant_ms waited = world->now - player->quick_since;
        world->counts.matched++;
        if (world->config.quick_limit_ms && waited > world->config.quick_limit_ms)
            world_fail(world, "%s: was matched after %llu ms", player->name,
                       (unsigned long long)waited);
    }
    if (player->generation && seat->generation >= player->generation) world->counts.returns++;
    strcpy(player->code, seat->code);
    find_room(world, player);
    player->seat = seat->seat;
    world_trace(world, "%s: has seat %d of %s", player->name, player->seat, player->code);
    player->attached = true;
    player->attached_at = world->now;
    player->reload = false;
    player->asked_at = 0;
    if (seat->generation < player->generation && !player->lossy_seat)
        world_fail(world, "%s: the seat's generation fell from %u to %u", player->name,
                   player->generation, seat->generation);
    player->generation = seat->generation;
    if (seat->counter < player->acked) {
        world->counts.acts_lost += player->acked - seat->counter;
        world_fail(world, "%s: action %llu was acknowledged and is lost: the seat is at %llu",
                   player->name, (unsigned long long)player->acked,
                   (unsigned long long)seat->counter);
    }
    player->counter = seat->counter;
    if (!player->lossy_seat) check_seat(world, player);
    check_shut_out(world, player);
    if (hear_of_loss(world, player, seat->epoch)) player->lossy_seat = false;
    if (!player->acting) return;
    if (player->act.counter <= seat->counter) {
        player->acting = false; /* it was accepted before the connection went */
        if (!player->lossy) player->acked = player->act.counter;
    } else {
        world->counts.repeats++;
        player->act.counter = seat->counter + 1;
        player_send_act(world, player);
    }
}

static void count_reason(struct world *world, const struct refusal *why)
{
    if (why->domain && *why->domain)
        world->counts.refused_by_game++;
    else if (why->code < SIM_REASONS)
        world->counts.reasons[why->code]++;
}

static void on_answer(struct world *world, struct player *player,
                      const struct server_answer *answer)
{
    check_outcome(world, player, answer);
    if (answer->ok) {
        world->counts.acks++;
        check_ack(world, player, answer);
        if (answer->counter > player->acked && !player->lossy) player->acked = answer->counter;
        if (answer->counter > player->counter) player->counter = answer->counter;
    } else {
        world->counts.refusals++;
        count_reason(world, &answer->why);
    }
    if (player->acting && answer->counter == player->act.counter) player->acting = false;
}

static void fold(struct buf *into, struct slice section, bool whole)
{
    if (section.len || whole) {
        buf_clear(into);
        buf_put_slice(into, section);
    }
}

/* False: it lacks what the frame builds on. A patch fits always: a connection keeps its order, and
 * the gateway knows what it wrote to it. */
static bool resolve(struct world *world, struct player *player, struct server_room *frame)
{
    const struct delta_base base = {
        .version = player->version,
        .room_time = player->room_time,
        .game_version = player->game_version,
        .room = buf_slice(&player->sections[0]),
        .presence = buf_slice(&player->sections[1]),
        .game = buf_slice(&player->sections[2]),
        .mine = buf_slice(&player->sections[3]),
    };
    bool patched = frame->patched != 0;
    enum status status = delta_resolve(frame, &base, &world->scratch);
    if (status == ST_OK) world->counts.patched += patched;
    if (status == ST_OK) return true;
    if (status != ST_STALE)
        world_fail(world, "%s: a patch does not fit what it was sent before", player->name);
    struct client_frame resync = {.kind = CLIENT_RESYNC};
    player_send(world, player, &resync);
    return false;
}

static void on_room(struct world *world, struct player *player, struct server_room *frame)
{
    bool whole = frame->since == 0;
    if (!resolve(world, player, frame)) return;
    check_floor(world, player, frame);
    if (version_compare(frame->version, player->version) < 0)
        world_fail(world, "%s: version falls", player->name);
    world->counts.frames++;
    if (!whole) world->counts.deltas++;
    bool skips = !whole && frame->version.seq > player->version.seq + 1;
    if (skips && world->now < player->slow_until) world->counts.skipped++;
    fold(&player->sections[0], frame->room, whole);
    fold(&player->sections[1], frame->presence, whole);
    fold(&player->sections[2], frame->game, whole);
    fold(&player->sections[3], frame->mine, whole);
    player->version = frame->version;
    player->game_version = frame->game_version;
    player->room_time = frame->room_time;
    if (!shadow_of(world, player->room)) find_room(world, player);
    hear_of_loss(world, player, frame->version.epoch);
    check_frame(world, player, frame);
}

/* Told so of a room that is over, people make another. A store that forgot may have it again. */
static void on_no_room(struct world *world, struct player *player)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (shadow && (!shadow->room || shadow->room->deleted)) player_leave_room(player);
}

static void on_kicked(struct world *world, struct player *player)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (player->shut_out || !shadow) return;
    world->counts.kicked++;
    player->shut_out = player->room;
    player->shut_out_lost = shadow->lost_epoch;
}

/* Whoever is shut out tries again, and then has a room of its own. */
static void on_refused(struct world *world, struct player *player, uint32_t reason)
{
    bool knocked = player->knocks;
    player->knocks = false;
    if (reason == REASON_KICKED && !knocked) {
        on_kicked(world, player);
        if (++player->turned_away < TRIES_BACK || player->alone) return;
        player->alone = true;
        player_leave_room(player);
    } else if ((reason == REASON_NO_SUCH_ROOM || reason == REASON_ROOM_CLOSED) && !knocked) {
        on_no_room(world, player);
    }
}

/* There is one window a player, the page that was loaded last: nobody may be told that there is
 * another, also while the gateway of one that was left takes it for open. */
static void on_other_window(struct world *world, struct player *player)
{
    world_fail(world, "%s: is told of another window", player->name);
    player->reload = true;
}

void player_on_frame(struct world *world, struct player *player, struct slice bytes)
{
    struct server_frame frame;
    enum status status = server_frame_decode(bytes, &world->scratch, &frame);
    if (status != ST_OK) {
        world_fail(world, "%s cannot read a frame: %s", player->name, status_text(status));
        return;
    }
    switch (frame.kind) {
    case SERVER_WELCOME:
        if (!frame.u.welcome.token.len) break; /* another protocol is spoken there */
        player->welcomed = true;
        player->token_len = frame.u.welcome.token.len;
        CHECK(player->token_len <= sizeof player->token && player->token_len > 17);
        memcpy(player->token, frame.u.welcome.token.at, player->token_len);
        memcpy(player->id.byte, player->token + 1, 16);
        break;
    case SERVER_REFUSED:
        player->asked_at = world->now;
        count_reason(world, &frame.u.refused.why);
        if (frame.u.refused.why.code == REASON_OTHER_WINDOW) on_other_window(world, player);
        player->told_full |= frame.u.refused.why.code == REASON_ROOM_FULL;
        if (player->told_full) player->watches = true;
        if (frame.u.refused.why.code == REASON_GAME_RUNS && !player->stranger)
            player->watches = player->told_full = true;
        world_trace(world, "%s: is refused, reason %u", player->name, frame.u.refused.why.code);
        on_refused(world, player, frame.u.refused.why.code);
        break;
    case SERVER_ROOMS: player_on_list(world, player, &frame.u.rooms); break;
    case SERVER_QUICK: player->asked_at = world->now; break;
    case SERVER_SEAT: on_seat(world, player, &frame.u.seat); break;
    case SERVER_ROOM: on_room(world, player, &frame.u.room); break;
    case SERVER_ANSWER: on_answer(world, player, &frame.u.answer); break;
    case SERVER_DETACHED:
        player->attached = false;
        player->reload = true;
        if (frame.u.detached == DROPPED_KICKED) on_kicked(world, player);
        world_trace(world, "%s: is out of the room, %d", player->name, (int)frame.u.detached);
        break;
    case SERVER_PING: {
        struct client_frame pong = {.kind = CLIENT_PONG};
        pong.u.nonce = frame.u.ping.nonce;
        player_send(world, player, &pong);
        break;
    }
    default: break;
    }
}
