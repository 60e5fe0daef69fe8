/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile browser sends beside its game: frames out of place, acts under ids that it does
 * not have, commands that it may not give, names and codes that are none, floods. All of it is to
 * be refused, and how often each reason was given is counted (report.c). Nothing of it may work:
 * what would change the room if it were accepted is not sent.
 */
#include "base/check.h"
#include "room/state.h"
#include "sim/player.h"

enum { RUDE_PPM = 40000, FLOOD_PPM = 20000, FLOOD_FRAMES = 100, TRIES = 20 };

/* RoomCommands of client.proto. */
static const uint8_t no_name[] = {0x3a, 0x00};
static const uint8_t no_option[] = {0x0a, 0x05, 0x0a, 0x03, 0x0a, 0x01, 'x'};

static void send_frame(struct world *world, struct player *player, enum client_kind kind)
{
    struct client_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.kind = kind;
    switch (kind) {
    case CLIENT_CREATE:
        frame.u.create.game = chance_below(world, 2) ? "chess" : game_at(0)->id;
        frame.u.create.name = "";
        if (chance_below(world, 2)) {
            frame.u.create.name = player->name;
            frame.u.create.options[0] = (struct option_pair){"no such thing", 1};
            frame.u.create.option_count = 1;
        }
        break;
    case CLIENT_QUICK:
        frame.u.quick.game = "chess";
        frame.u.quick.name = player->name;
        break;
    case CLIENT_JOIN:
        frame.u.join.code = "ZZZZZZ";
        frame.u.join.name = player->name;
        break;
    case CLIENT_LOOK_UP: frame.u.code = "ZZZZZZ"; break;
    default: CHECK(!"a frame that is not sent here");
    }
    player_send(world, player, &frame);
}

/* Under the door: no seat yet. */
static void knock(struct world *world, struct player *player)
{
    static const enum client_kind kinds[] = {CLIENT_CREATE, CLIENT_QUICK, CLIENT_JOIN};
    if (!player->tries && chance_below(world, 4) == 0) player->tries = TRIES;
    if (player->tries) player->tries--;
    send_frame(world, player, player->tries ? CLIENT_LOOK_UP : kinds[chance_below(world, 3)]);
}

static void send_act(struct world *world, struct player *player, uint32_t generation,
                     uint64_t counter, struct slice bytes)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){
        .generation = generation, .counter = counter, .command = true, .bytes = bytes};
    player_send(world, player, &frame);
}

/* A seat that somebody sits in. */
static void take_a_taken_seat(struct world *world, struct player *player)
{
    const struct shadow *shadow = shadow_of(world, player->room);
    if (!shadow || !shadow->room) return;
    const struct room *room = shadow->room;
    for (int s = 1; s < room->seat_count; s++) {
        if (s == player->seat || !room->seats[s].taken || !room->seats[s].connected) continue;
        uint8_t take[] = {0x2a, 0x02, 0x08, (uint8_t)s};
        send_act(world, player, player->generation, player->counter + 1,
                 slice_of(take, sizeof take));
        return;
    }
}

static void act_as_nobody_may(struct world *world, struct player *player)
{
    uint64_t next = player->counter + 1;
    uint32_t generation = player->generation;
    struct slice name = slice_of(no_name, sizeof no_name);
    uint8_t kick_oneself[] = {0x1a, 0x02, 0x08, (uint8_t)player->seat};
    switch (chance_below(world, 10)) {
    case 0: send_act(world, player, generation, next + 5, name); return;
    case 1: send_act(world, player, generation + 7, next, name); return;
    case 2: send_act(world, player, generation, next > 20 ? next - 20 : next, name); return;
    case 3: send_act(world, player, generation, next, name); return;
    case 4:
        send_act(world, player, generation, next, slice_of(no_option, sizeof no_option));
        return;
    case 5: send_act(world, player, generation, next, (struct slice){0}); return;
    case 6:
    case 7:
    case 8: take_a_taken_seat(world, player); return;
    default:
        if (player->seat > 0)
            send_act(world, player, generation, next, slice_of(kick_oneself, sizeof kick_oneself));
    }
}

bool player_is_rude(struct world *world, struct player *player)
{
    if (player->kind != PLAYER_HOSTILE || player->group == world->puppets) return false;
    bool goes_on = !player->attached && player->tries && !world_calm(world);
    if (!player->welcomed || player->acting) return false;
    if (!goes_on && !chance_ppm(world, RUDE_PPM)) return false;
    if (!player->attached) {
        knock(world, player);
    } else if (chance_ppm(world, FLOOD_PPM)) {
        for (int i = 0; i < FLOOD_FRAMES; i++) send_frame(world, player, CLIENT_LOOK_UP);
    } else if (chance_below(world, 4) == 0) {
        send_frame(world, player, CLIENT_CREATE);
    } else {
        act_as_nobody_may(world, player);
    }
    return true;
}
