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
    if (room->phase == ROOM_PLAYING) {
        play(world, player, room);
    } else if (room->phase != ROOM_PAUSED &&
               (room_count_connected(room) >= 2 || player->kind == PLAYER_HOSTILE)) {
        bool may = room->seats[player->seat].member == room->host || player->kind != PLAYER_HONEST;
        if (may && chance_below(world, 3) == 0)
            act(world, player, true, start_command, sizeof start_command);
    }
}

static int32_t some_value(struct world *world, const struct game_option *option)
{
    int choices = 0;
    while (choices < GAME_CHOICES_MAX && option->choices[choices].key) choices++;
    if (option->kind == GAME_OPTION_CHOICE)
        return option->choices[chance_below(world, (uint32_t)choices)].value;
    if (option->kind == GAME_OPTION_SWITCH) return (int32_t)chance_below(world, 2);
    return (int32_t)chance_between(world, (instant_ms)option->min, (instant_ms)option->max);
}

static const struct game *game_of(const struct world *world, const struct player *player)
{
    if (world->config.only) return world->config.only;
    return game_at((player->group + world->config.first_game) % game_count());
}

/* Some options of the game, at random; none when they do not go together for so many. */
static void choose_options(struct world *world, struct client_create *create)
{
    const struct game *game = game_find(slice_text(create->game));
    struct game_options values;
    const char *text = NULL;
    game_options_default(game, &values);
    for (int i = 0; i < game->option_count; i++) {
        if (chance_below(world, 2)) continue;
        struct option_pair *pair = &create->options[create->option_count++];
        *pair = (struct option_pair){game->options[i].key, some_value(world, &game->options[i])};
        CHECK(game_options_set(game, &values, slice_text(pair->key), pair->value) == ST_OK);
    }
    for (int seats = 2; seats <= world->config.players_per_room && seats <= game->seats_max;
         seats++)
        if (game->check(&values, seats, &text) == GAME_OPTIONS_REFUSED) create->option_count = 0;
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
    if (!player->stranger) first = &world->players[player->group * world->config.players_per_room];
    struct client_frame frame;
    memset(&frame, 0, sizeof frame);
    if (player->stranger && !*player->code) {
        frame.kind = CLIENT_QUICK;
        frame.u.quick.game = game_of(world, player)->id;
        frame.u.quick.name = player->name;
        if (!player->quick_since) player->quick_since = world->now;
    } else if (!*first->code) {
        if (player != first) return;
        frame.kind = CLIENT_CREATE;
        frame.u.create.game = game_of(world, player)->id;
        frame.u.create.name = player->name;
        choose_options(world, &frame.u.create);
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

static void on_turn(struct world *world, struct player *player)
{
    /* Now and then somebody is called to the door: the clock plays on. Whoever waits for strangers
     * does not go. */
    bool stays = world_calm(world) || (player->stranger && !*player->code);
    bool may_leave = !stays && world->config.away_once_in;
    bool away = may_leave && chance_below(world, world->config.away_once_in) == 0;
    look_again(world, player,
               away ? chance_between(world, AWAY_MIN_MS, AWAY_MAX_MS)
                    : chance_between(world, world->config.look_min_ms, world->config.look_max_ms));
    if (player_is_rude(world, player)) return;
    if (!player->socket) {
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
    player_on_frame(world, player, slice_of(what->bytes, what->len));
}

void players_open(struct world *world)
{
    int friends = world->config.rooms * world->config.players_per_room;
    world->player_count = friends + world->config.strangers;
    CHECK(world->player_count <= SIM_PLAYERS_MAX);
    world->players = calloc((size_t)world->player_count, sizeof *world->players);
    CHECK(world->players);
    for (int i = 0; i < world->player_count; i++) {
        struct player *player = &world->players[i];
        player->index = i;
        snprintf(player->name, sizeof player->name, "p%d", i);
        player->stranger = i >= friends;
        player->group = player->stranger ? (int)(world->config.seed % INT32_MAX)
                                         : i / world->config.players_per_room;
        player->kind =
            i % world->config.players_per_room == 0 ? PLAYER_HONEST : (enum player_kind)(i % 3);
        player->seat = -1;
        chance_begin(world, ACTOR_PLAYER, i, 0);
        struct game_seed seed = {{0}};
        memcpy(seed.byte, &world->config.seed, sizeof world->config.seed);
        rng_init(&player->moves, &seed, player->name);
        int place = i % world->config.players_per_room;
        player->watches = !player->stranger && place >= game_of(world, player)->seats_max;
        look_again(world, player, chance_between(world, 1000, 4000));
    }
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
