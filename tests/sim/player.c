/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated player does, and when.
 */
#include "sim/player.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "room/state.h"

enum {
    ASK_AGAIN_MS = 4000,
    GREETING_MS = 5000,
    GARBAGE_PPM = 5000,
    AWAY_MIN_MS = 5000,
    AWAY_MAX_MS = 60000,
    START_ODDS = 3, /* one look in so many */
    WAIT_ODDS = 30,
    LATE_RISER_MS = 3000,
    LOOKERS = 2,
};

/* RoomCommand { start {} } of client.proto. */
static const uint8_t start_command[] = {0x22, 0x00};

static void look_again(struct world *world, const struct player *player, instant_ms in_ms)
{
    world_schedule(world, HAPPEN_PLAYER_TURN, world->now + in_ms)->at = player->index;
}

/* ---- what it does ---------------------------------------------------------------------------- */

void player_send_act(struct world *world, struct player *player)
{
    struct client_frame frame = {.kind = CLIENT_ACT};
    frame.u.act = (struct client_act){.generation = player->generation,
                                      .counter = player->act.counter,
                                      .made_for = player->act.made_for,
                                      .command = player->act.command,
                                      .bytes = slice_of(player->act.bytes, player->act.len)};
    player_send(world, player, &frame);
}

static void act(struct world *world, struct player *player, bool command, const uint8_t *bytes,
                size_t len)
{
    player->acting = true;
    player->act.counter = player->counter + 1;
    player->act.made_for = player->game_version;
    player->act.command = command;
    player->act.len = len;
    memcpy(player->act.bytes, bytes, len);
    player_send_act(world, player);
    /* The same action twice, at once: it must be applied once. */
    if (player->kind == PLAYER_HOSTILE && chance_below(world, 4) == 0)
        player_send_act(world, player);
}

void player_act(struct world *world, struct player *player, struct slice action)
{
    chance_begin(world, ACTOR_PLAYER, player->index, ABOUT_ACT);
    act(world, player, false, action.at, action.len);
}

void player_command(struct world *world, struct player *player, struct slice command)
{
    act(world, player, true, command.at, command.len);
}

static void play(struct world *world, struct player *player, const struct room *room)
{
    const struct game *game = room->game;
    int seat = room_game_seat(room, player->seat);
    if (seat < 0) return;
    uint32_t luck = chance_below(world, 100);
    int kind = player->kind == PLAYER_HONEST ? 0 : luck < 80 ? 0 : luck < 95 ? 1 : 2;
    uint8_t bytes[GAME_ACTION_BYTES_MAX]; /* none when that seat can do nothing now */
    size_t len = game->random_action(room->game_state, seat, kind, &player->moves, bytes);
    if (len) act(world, player, false, bytes, len);
}

static void decide(struct world *world, struct player *player)
{
    struct shadow *shadow = shadow_of(world, player->room);
    if (!shadow || !shadow->room || player->seat < 0) return;
    const struct room *room = shadow->room;
    if (player->kind == PLAYER_HOSTILE && chance_ppm(world, GARBAGE_PPM)) {
        player_send_garbage(world, player);
        return;
    }
    if (room->phase == ROOM_PLAYING && player->group == world->puppets) return;
    if (player_hosts(world, player, room)) return;
    if (room->phase == ROOM_PLAYING) {
        play(world, player, room);
    } else if (room->phase != ROOM_PAUSED &&
               (room_count_connected(room) >= 2 || player->kind == PLAYER_HOSTILE)) {
        bool may = room->seats[player->seat].member == room->host || player->kind != PLAYER_HONEST;
        /* Who waits for strangers waits longer. */
        uint32_t odds = room->is_public && world->config.scenes.open ? WAIT_ODDS : START_ODDS;
        if (may && chance_below(world, odds) == 0)
            act(world, player, true, start_command, sizeof start_command);
    }
}

const struct game *player_game(const struct world *world, const struct player *player)
{
    if (world->config.only) return world->config.only;
    return game_at((player->group + world->config.first_game) % game_count());
}

void player_leave_room(struct player *player)
{
    player->code[0] = 0;
    player->room = 0;
    player->seat = -1;
    player->generation = 0;
    player->counter = player->acked = 0;
    player->version = (struct version){0};
    player->game_version = 0;
    player->attached = player->acting = false;
    player->lossy = player->lossy_seat = false;
    player->quick_since = 0;
}

/* Once more to the room that it was shut out of. */
static bool knock(struct world *world, struct player *player)
{
    char code[WIRE_CODE_LEN + 1];
    if (!player->knocks) return false;
    code_write(room_id_bits(player->shut_out), code);
    struct client_frame frame = {.kind = CLIENT_JOIN};
    frame.u.join = (struct client_join){.code = code, .name = player->name};
    frame.u.join.spectate = chance_below(world, 2);
    player->asked_at = world->now;
    player_send(world, player, &frame);
    return true;
}

void players_lost(struct world *world, const struct shadow *shadow)
{
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (player->room != shadow->id) continue;
        player->lossy = player->lossy_seat = true;
        int seat = shadow->room ? room_seat_of(shadow->room, player->id) : -1;
        uint64_t counter = seat >= 0 ? room_counter(shadow->room, seat) : 0;
        if (counter < player->acked) player->acked = counter;
    }
}

static void enter(struct world *world, struct player *player)
{
    struct player *first = player;
    if (knock(world, player)) return;
    if (!player->stranger && !player->alone)
        first = &world->players[player->group * world->config.players_per_room];
    struct client_frame frame;
    memset(&frame, 0, sizeof frame);
    if (player->stranger && !*player->code) {
        frame.kind = CLIENT_QUICK;
        frame.u.quick.game = player_game(world, player)->id;
        frame.u.quick.name = player->name;
        if (!player->quick_since) player->quick_since = world->now;
    } else if (!*first->code) {
        if (player != first) return;
        frame.kind = CLIENT_CREATE;
        frame.u.create.game = player_game(world, player)->id;
        frame.u.create.name = player->name;
        if (world->config.scenes.open)
            frame.u.create.is_public = player->alone || chance_below(world, 2);
        player_choose_options(world, &frame.u.create);
    } else {
        if (strcmp(player->code, first->code) != 0) player_leave_room(player);
        frame.kind = CLIENT_JOIN;
        frame.u.join.code = first->code;
        frame.u.join.name = player->name;
        bool tries = !player->told_full && chance_below(world, 2);
        frame.u.join.spectate = player->watches && !tries;
        frame.u.join.have = player->reload ? (struct version){0} : player->version;
        frame.u.join.generation = player->reload ? 0 : player->generation;
    }
    player->asked_at = world->now;
    player_send(world, player, &frame);
}

static bool goes_to_bed(struct world *world, struct player *player)
{
    instant_ms until = night_asleep_until(world, player);
    if (!until) return false;
    player_drop_socket(world, player, 0);
    player->reload = true;
    player->knocks = player->shut_out != 0;
    look_again(world, player, until - world->now + chance_between(world, 0, LATE_RISER_MS));
    return true;
}

static void on_turn(struct world *world, struct player *player)
{
    if (goes_to_bed(world, player)) return;
    /* Now and then somebody is called to the door: the clock plays on. Whoever waits for strangers
     * does not go. */
    bool stays = world_calm(world) || (player->stranger && !*player->code);
    bool may_leave = !stays && world->config.away_once_in;
    bool away = may_leave && chance_below(world, world->config.away_once_in) == 0;
    look_again(world, player,
               away ? chance_between(world, AWAY_MIN_MS, AWAY_MAX_MS)
                    : chance_between(world, world->config.look_min_ms, world->config.look_max_ms));
    if (player_is_rude(world, player)) return;
    if (player->looks && player->welcomed) {
        player_looks(world, player);
    } else if (!player->socket) {
        player_open_socket(world, player);
    } else if (!player->welcomed && world->now - player->opened_at > GREETING_MS) {
        player_drop_socket(world, player, 0); /* nobody answers there */
    } else if (player->welcomed && !player->attached) {
        if (!player->asked_at || world->now - player->asked_at > ASK_AGAIN_MS) enter(world, player);
    } else if (player->attached && !player->acting) {
        decide(world, player);
    }
}

void player_happening(struct world *world, struct happening *what)
{
    struct player *player = &world->players[what->at];
    if (what->kind == HAPPEN_PLAYER_TURN) {
        on_turn(world, player);
        return;
    }
    world->counts.events++;
    if (!player->socket || player->socket != what->socket) return;
    if (what->kind == HAPPEN_PLAYER_CLOSED) {
        player_forget_socket(player);
        return;
    }
    player_has_read(world, player);
    player->floor = what->token;
    player_on_frame(world, player, slice_of(what->bytes, what->len));
}

static void open_player(struct world *world, int i, int friends, int lookers_from)
{
    struct player *player = &world->players[i];
    player->index = i;
    snprintf(player->name, sizeof player->name, "p%d", i);
    player->looks = i >= lookers_from;
    player->stranger = i >= friends && !player->looks;
    player->group =
        i >= friends ? (int)(world->config.seed % INT32_MAX) : i / world->config.players_per_room;
    player->kind = i % world->config.players_per_room == 0 || player->looks
                       ? PLAYER_HONEST
                       : (enum player_kind)(i % 3);
    player->seat = -1;
    chance_begin(world, ACTOR_PLAYER, i, 0);
    struct game_seed seed = {{0}};
    memcpy(seed.byte, &world->config.seed, sizeof world->config.seed);
    rng_init(&player->moves, &seed, player->name);
    int place = i % world->config.players_per_room;
    player->watches = i < friends && place >= player_game(world, player)->seats_max;
    look_again(world, player, chance_between(world, 1000, 4000));
}

void players_open(struct world *world)
{
    int friends = world->config.rooms * world->config.players_per_room;
    int lookers_from = friends + world->config.strangers;
    world->player_count = lookers_from + (world->config.scenes.open ? LOOKERS : 0);
    CHECK(world->player_count <= SIM_PLAYERS_MAX);
    world->players = calloc((size_t)world->player_count, sizeof *world->players);
    CHECK(world->players);
    for (int i = 0; i < world->player_count; i++) open_player(world, i, friends, lookers_from);
}

const char *player_name(const struct world *world, int index)
{
    return world->players[index].name;
}

void players_close(struct world *world)
{
    for (int i = 0; i < world->player_count; i++)
        for (int s = 0; s < 4; s++) buf_fini(&world->players[i].sections[s]);
    free(world->players);
}
