/* SPDX-License-Identifier: Apache-2.0
 *
 * What a host does beside starting games: chooses options (which may not go together), shows the
 * room to strangers or hides it, and shuts people out.
 */
#include "base/check.h"
#include "room/state.h"
#include "sim/player.h"

enum { SHOW_PPM = 20000, LEFT_LEAST = 3 };

static int32_t some_value(struct world *world, const struct game_option *option)
{
    int choices = 0;
    while (choices < GAME_CHOICES_MAX && option->choices[choices].key) choices++;
    if (option->kind == GAME_OPTION_CHOICE)
        return option->choices[chance_below(world, (uint32_t)choices)].value;
    if (option->kind == GAME_OPTION_SWITCH) return (int32_t)chance_below(world, 2);
    return (int32_t)chance_between(world, (instant_ms)option->min, (instant_ms)option->max);
}

/* Some options of the game, at random; none when they do not go together for so many. */
void player_choose_options(struct world *world, struct client_create *create)
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

/* ---- RoomCommands of client.proto ----------------------------------------------------------- */

static void put_varint(struct buf *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7) buf_put_u8(out, (uint8_t)(value | 0x80));
    buf_put_u8(out, (uint8_t)value);
}

static void put_part(struct buf *out, uint8_t tag, struct slice bytes)
{
    buf_put_u8(out, tag);
    put_varint(out, (uint32_t)bytes.len);
    buf_put_slice(out, bytes);
}

static void set_option(struct world *world, struct player *player, const char *key, int32_t value)
{
    struct buf pair = {0}, list = {0}, command = {0};
    put_part(&pair, 0x0a, slice_text(key));
    buf_put_u8(&pair, 0x10);
    put_varint(&pair, (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0));
    put_part(&list, 0x0a, buf_slice(&pair));
    put_part(&command, 0x0a, buf_slice(&list));
    player_command(world, player, buf_slice(&command));
    buf_fini(&pair);
    buf_fini(&list);
    buf_fini(&command);
}

static void show_or_hide(struct world *world, struct player *player, const struct room *room)
{
    const uint8_t show[] = {0x12, 0x02, 0x08, 0x01}, hide[] = {0x12, 0x00};
    player_command(world, player,
                   room->is_public ? slice_of(hide, sizeof hide) : slice_of(show, sizeof show));
}

/* ---- what it does ---------------------------------------------------------------------------- */

/* One of the friends, never the one whom the others follow; and enough remain. */
static bool kick(struct world *world, struct player *player, const struct room *room)
{
    int friends = world->config.players_per_room, first = player->group * friends;
    if (player->stranger || player->alone || room_count_connected(room) < LEFT_LEAST) return false;
    int whom = first + 1 + (int)chance_below(world, (uint32_t)friends - 1);
    const struct player *victim = &world->players[whom];
    if (victim == player || victim->alone || victim->room != player->room) return false;
    int seat = room_seat_of(room, victim->id);
    if (seat < 0) return false;
    const uint8_t command[] = {0x1a, 0x02, 0x08, (uint8_t)seat};
    player_command(world, player, slice_of(command, sizeof command));
    return true;
}

/* What does not go together is set right again, one option after the other. */
static bool settle_options(struct world *world, struct player *player, const struct room *room)
{
    struct game_options usual;
    game_options_default(room->game, &usual);
    for (int i = 0; i < room->game->option_count; i++) {
        if (room->options.value[i] == usual.value[i]) continue;
        set_option(world, player, room->game->options[i].key, usual.value[i]);
        return true;
    }
    return false;
}

static bool choose(struct world *world, struct player *player, const struct room *room)
{
    int unused;
    uint32_t ppm = world->config.scenes.options_ppm;
    if (!ppm) return false;
    if (room_start_fault(room, &unused) == REASON_OPTIONS_CLASH && chance_below(world, 4) == 0)
        return settle_options(world, player, room);
    if (!chance_ppm(world, ppm)) return false;
    int which = (int)chance_below(world, (uint32_t)room->game->option_count);
    const struct game_option *option = &room->game->options[which];
    world->counts.chosen++;
    set_option(world, player, option->key, some_value(world, option));
    return true;
}

bool player_hosts(struct world *world, struct player *player, const struct room *room)
{
    const struct sim_scenes *scenes = &world->config.scenes;
    if (room->seats[player->seat].member != room->host || player->group == world->puppets)
        return false;
    if (chance_ppm(world, scenes->kick_ppm) && kick(world, player, room)) return true;
    if (room->phase == ROOM_PLAYING || room->phase == ROOM_PAUSED) return false;
    if (choose(world, player, room)) return true;
    if (!scenes->open || !chance_ppm(world, SHOW_PPM)) return false;
    show_or_hide(world, player, room);
    return true;
}
