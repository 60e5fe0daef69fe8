/* SPDX-License-Identifier: Apache-2.0
 *
 * The room's side of a game: its start from nothing, inputs, missed turns, its end.
 *
 * A game counts its own seats, 0 .. players - 1: the taken room seats in order at the start. It has
 * its own clock too, room time minus the pauses: while nobody is there the game's time stands
 * still, and no deadline of it moves.
 */
#include "base/check.h"
#include "room/state.h"

#include <stdlib.h>

enum { STATE_ALIGN = 16 };

instant_ms room_game_time(const struct room *room, instant_ms at)
{
    return (room->phase == ROOM_PAUSED ? room->phase_since : at) - room->behind;
}

int room_game_seat(const struct room *room, int seat)
{
    const struct room_seat *person = room_seat_at(room, seat);
    for (int g = 0; g < room->player_count && person; g++)
        if (room->players[g].member == person->member) return g;
    return -1;
}

seat_mask room_hurried(const struct room *room)
{
    seat_mask mask = 0;
    for (int s = 0; s < room->seat_count; s++)
        if (room->seats[s].missed >= ROOM_MISSED_TURNS) mask |= room_bit(s);
    return mask;
}

const char *room_options_verdict(const struct room *room, bool *refused)
{
    const struct game *game = room->game;
    const char *text_key = NULL;
    int seats = room_count_taken(room), least = game_seats_least(game, &room->options);
    if (seats < least) seats = least;
    enum game_verdict verdict = game->check(&room->options, seats, &text_key);
    *refused = verdict == GAME_OPTIONS_REFUSED;
    return verdict == GAME_OPTIONS_OK || text_key == NULL ? "" : text_key;
}

bool room_awaits_matched(const struct room *room)
{
    return room->quick && room_count_taken(room) < (int)room->record.expected;
}

enum reason room_start_fault(const struct room *room, int *param)
{
    bool refused;
    int least = game_seats_least(room->game, &room->options);
    *param = least;
    if (room_runs(room)) return REASON_NOT_NOW;
    if (room_count_connected(room) < least) return REASON_TOO_FEW;
    room_options_verdict(room, &refused);
    return refused ? REASON_OPTIONS_CLASH : REASON_NONE;
}

static struct game_context context_of(const struct room *room, instant_ms at)
{
    struct game_context context = {.now = room_game_time(room, at)};
    for (int g = 0; g < room->player_count; g++) {
        const struct room_seat *seat = &room->seats[room->players[g].seat];
        if (seat->missed >= ROOM_MISSED_TURNS) context.hurried |= room_bit(g);
        if (seat->connected) context.connected |= room_bit(g);
        if (seat->left) context.left |= room_bit(g);
    }
    return context;
}

void room_game_forget(struct room *room)
{
    if (room->game_state) memset(room->game_state, 0, room->game->state_size);
    free(room->game_state);
    room->game_state = NULL;
    room->player_count = 0;
    memset(room->players, 0, (size_t)room->seat_count * sizeof *room->players);
}

/* The taken seats in order become the game's. Returns the game seat of the one who may start a
 * rematch, or -1. */
static int choose_players(struct room *room)
{
    int starter = -1;
    for (int s = 0; s < room->seat_count; s++) {
        const struct room_seat *seat = &room->seats[s];
        if (!seat->taken) continue;
        if (seat->member == room->starter) starter = room->player_count;
        struct room_player *player = &room->players[room->player_count++];
        *player =
            (struct room_player){.member = seat->member, .seat = (uint8_t)s, .look = seat->look};
        memcpy(player->name, seat->name, sizeof player->name);
    }
    return starter;
}

/* The game that starts may be one of other rules: options go over by their keys. As many seats, and
 * options that these rules allow, or it stays with those in force. */
static void go_over(struct room *room, uint32_t rules_version)
{
    const struct game *from = room->game;
    if (rules_version == 0 || rules_version == from->rules_version) return;
    const struct game *to = game_find_version(slice_text(from->id), rules_version);
    if (to == NULL || to->seats_max != from->seats_max) return;

    struct game_options options;
    game_options_default(to, &options);
    for (int i = 0; i < from->option_count; i++)
        game_options_set(to, &options, slice_text(from->options[i].key), room->options.value[i]);
    const char *unused = NULL;
    int seats = room_count_taken(room);
    if (seats < game_seats_least(to, &options)) return;
    if (to->check(&options, seats, &unused) == GAME_OPTIONS_REFUSED) return;
    room->game = to;
    room->options = options;
}

void room_game_start(struct change *change)
{
    struct room *room = change->room;

    /* From nothing: no byte of a former game survives in the state, in what is played or in the
     * events. */
    room_game_forget(room);
    go_over(room, change->input->rules_version);
    const struct game *game = room->game;
    if (!MUTANT(rematch_keeps_secrets)) room_events_clear(&room->events, room->seq);
    size_t size = (game->state_size + STATE_ALIGN - 1) / STATE_ALIGN * STATE_ALIGN;
    room->game_state = aligned_alloc(STATE_ALIGN, size);
    CHECK(room->game_state != NULL);
    memset(room->game_state, 0, size);

    int starter = choose_players(room);
    room->starter = 0;
    room->behind = 0;
    room->turn_acted = false;
    room->abandoned = false;
    room->quick = false;
    room->phase = ROOM_PLAYING;
    room->phase_since = change->at;
    room->game_number++;
    room->game_version++;
    room->first = room->position + 1;

    struct game_setup setup = {
        .options = &room->options,
        .seats = room->player_count,
        .seed = &change->input->seed,
        .starter = starter,
        .now = change->at,
        .connected = context_of(room, change->at).connected,
    };
    game->setup(room->game_state, &setup);

    struct game_status status;
    game->status(room->game_state, &status);
    CHECK(!status.finished);
    change->out->game_started = true;
    change->out->changed |= SECTION_ALL;
    room_tell(change, ROOM_STARTED, room_seat_of_member(room, room->host));
}

/* Seats that were given up are free again; the others begin the next game without missed turns. */
static void end(struct change *change, enum room_happening kind, int winner)
{
    struct room *room = change->room;
    room->phase = ROOM_RESULT;
    room->phase_since = change->at;
    room->abandoned = kind == ROOM_ABANDONED;
    change->out->game_finished = true;
    change->out->game_number = room->game_number;
    change->out->first = room->first;
    change->out->changed |= SECTION_ALL;
    room_tell(change, kind, winner);

    for (int g = 0; g < room->player_count; g++) {
        struct room_seat *seat = &room->seats[room->players[g].seat];
        seat->missed = 0;
        room->players[g].left = seat->left;
        if (seat->left) room_seat_free(room, room->players[g].seat);
    }
}

/* A game of one is practice and counts nothing on the board. */
static void finish(struct change *change)
{
    struct room *room = change->room;
    struct game_result result = {.next_starter = -1};
    room->game->result(room->game_state, &result);

    int winner = -1;
    for (int g = 0; g < room->player_count && room->player_count > 1; g++) {
        struct room_seat *seat = &room->seats[room->players[g].seat];
        seat->games++;
        seat->wins += result.seat[g].winner;
        seat->points += result.seat[g].points;
        if (result.seat[g].winner && winner < 0) winner = room->players[g].seat;
    }
    bool named = result.next_starter >= 0 && result.next_starter < room->player_count;
    room->starter = named ? room->players[result.next_starter].member : 0;
    end(change, ROOM_FINISHED, winner);
}

void room_game_abandon(struct change *change)
{
    change->room->starter = 0;
    end(change, ROOM_ABANDONED, -1);
}

/* A turn in which its player did nothing is missed; anything of one's own makes up for all missed
 * ones. */
static void count_turns(struct room *room, const struct game_input *input,
                        const struct game_status *before, const struct game_status *after)
{
    if (input->kind == GAME_ACTION) {
        room->seats[room->players[input->seat].seat].missed = 0;
        if (input->seat == before->turn_seat) room->turn_acted = true;
    }
    if (after->turn == before->turn && !after->finished) return;
    if (before->turn != 0 && before->turn_seat >= 0 && !room->turn_acted) {
        struct room_seat *seat = &room->seats[room->players[before->turn_seat].seat];
        if (seat->missed < ROOM_MISSED_TURNS) seat->missed++;
    }
    room->turn_acted = false;
}

static void tell_events(struct room *room, const struct game_events *events)
{
    for (int i = 0; i < events->count; i++) {
        const struct game_event *event = &events->list[i];
        struct update_event told = {.seq = room->seq + 1,
                                    .shared = event->shared,
                                    .mine = event->mine};
        CHECK(event->seat < room->player_count);
        room_events_push(&room->events, &told,
                         event->seat < 0 ? 0 : room->players[event->seat].member);
    }
}

/* What an accepted input leaves behind in the room. */
static void take_in(struct change *change, const struct game_input *input,
                    const struct game_status *before, const struct game_events *events)
{
    struct room *room = change->room;
    struct game_status after;
    room->game->status(room->game_state, &after);
    if (events->hidden) {
        /* Nothing that others see may tell of it, missed turns made good included. */
        CHECK(events->count == 0 && !after.finished && input->kind != GAME_PRESENCE);
        change->hidden = true;
        return;
    }
    tell_events(room, events);
    /* Somebody's coming and going does not make what another is about to do stale, unless it showed
     * something. */
    if (input->kind != GAME_PRESENCE || events->count > 0) room->game_version++;

    seat_mask hurried = room_hurried(room);
    count_turns(room, input, before, &after);
    if (hurried != room_hurried(room)) change->out->changed |= SECTION_ROOM;
    change->out->changed |= SECTION_GAME | SECTION_MINE;
    if (after.finished) finish(change);
}

static void explain(const struct room *room, const struct game_refusal *refusal,
                    struct refusal *why)
{
    if (refusal->code == 0) {
        *why = (struct refusal){.code = REASON_MALFORMED};
        return;
    }
    *why = (struct refusal){.domain = room->game->id, .code = refusal->code};
    for (int i = 0; i < refusal->param_count && i < WIRE_PARAMS_MAX; i++)
        why->params[why->param_count++] = refusal->params[i];
}

enum status room_game_input(struct change *change, const struct game_input *input,
                            struct refusal *why)
{
    struct room *room = change->room;
    const struct game *game = room->game;
    struct game_status before;
    game->status(room->game_state, &before);
    struct game_context context = context_of(room, change->at);
    /* An accepted action ends the hurry already for the deadline that it sets. */
    if (input->kind == GAME_ACTION) context.hurried &= (seat_mask)~room_bit(input->seat);

    struct game_events *events = malloc(sizeof *events);
    CHECK(events != NULL);
    events->bytes = (struct buf){0};
    game_events_clear(events);
    struct game_refusal refusal = {0};
    enum status status = game->apply(room->game_state, input, &context, events, &refusal);
    if (status == ST_OK) {
        game_events_seal(events);
        take_in(change, input, &before, events);
    } else {
        CHECK(input->kind == GAME_ACTION);
        explain(room, &refusal, why);
    }
    game_events_fini(events);
    free(events);
    return status;
}

void room_game_presence(struct change *change, int seat)
{
    int game_seat = room_runs(change->room) ? room_game_seat(change->room, seat) : -1;
    if (game_seat < 0) return;
    struct game_input input = {
        .kind = GAME_PRESENCE,
        .seat = game_seat,
        .connected = change->room->seats[seat].connected,
    };
    struct refusal unused;
    CHECK(room_game_input(change, &input, &unused) == ST_OK);
}
