/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches. A full table starts at once; after 20 s the game's minimum is enough; fewer than that go
 * on as an open public room, and a public room that waits already takes newcomers first.
 *
 *     a room that waits:  look at it -> claim the tickets
 *     a new room:         is its code free? -> claim the tickets -> make it
 *
 * The claim in the store takes all tickets of a match or none, so two matchmakers that hold the
 * same ticket for a moment never seat one person twice. From then on the match is the store's:
 * whoever has one of its tickets carries it on under the same room, and the same request makes a
 * room once.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "game/game.h"
#include "matchmaker/matchmaker_state.h"
#include "room/room.h"

enum { MATCH_TRIES = 6, MATCHES_AT_ONCE = 256 };

static struct match *match_new(const struct game *game, room_id room, uint32_t expected)
{
    struct match *match = calloc(1, sizeof *match);
    CHECK(match);
    match->game = game;
    match->room = room;
    match->expected = expected;
    code_write(room_id_bits(room), match->code);
    return match;
}

static void match_add(struct matchmaker_core *core, struct match *match, struct ticket *ticket)
{
    CHECK(match->ticket_count < STORE_TICKETS_MAX);
    match->tickets[match->ticket_count++] = ticket;
    ticket_become(core, ticket, TICKET_MATCHING);
    ticket->match = match;
}

void match_free(struct match *match)
{
    for (int i = 0; i < match->ticket_count; i++) {
        match->tickets[i]->match = NULL;
        match->tickets[i]->state = TICKET_ASKED;
    }
    free(match);
}

static void match_end(struct matchmaker_core *core, struct match *match, enum ticket_state state)
{
    for (int i = 0; i < match->ticket_count; i++) {
        struct ticket *ticket = match->tickets[i];
        ticket_become(core, ticket, state);
        if (state == TICKET_MATCHED) ticket->room = match->room;
        ticket->match = NULL;
    }
    free(match);
}

static void matched(struct matchmaker_core *core, struct match *match)
{
    note(core, "quick.matched", (uint64_t)match->ticket_count, match->expected == 0);
    match_end(core, match, TICKET_MATCHED);
}

/* A question about the room to the store; without one the tickets end in `state`. */
static void ask_find(struct matchmaker_core *core, struct match *match, enum pending_kind kind,
                     enum ticket_state state)
{
    struct store_op *op;
    struct pending *asked = ask_store(core, kind, &op, STORE_FIND);
    if (!asked) {
        match_end(core, match, state);
        return;
    }
    asked->match = match;
    op->room = match->room;
    if (kind == PENDING_MATCH_FREE) op->code = arena_text(&core->out->arena, match->code);
}

static void ask_claim(struct matchmaker_core *core, struct match *match)
{
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_MATCH_CLAIM, &op, STORE_CLAIM);
    if (!asked) {
        match_end(core, match, TICKET_WAITS);
        return;
    }
    asked->match = match;
    op->room = match->room;
    op->shard = 0; /* tickets live on the first shard, wherever the room is */
    op->expected = match->expected;
    op->ticket_count = match->ticket_count;
    for (int i = 0; i < match->ticket_count; i++) op->tickets[i] = match->tickets[i]->id;
}

/* ---- a room that waits already --------------------------------------------------------------- */

static struct public_entry *entry_of(struct matchmaker_core *core, room_id room)
{
    for (int s = 0; s < core->config.shard_count; s++)
        for (int i = 0; i < core->shards[s].count; i++)
            if (core->shards[s].list[i].room == room) return &core->shards[s].list[i];
    return NULL;
}

static struct public_entry *open_room(struct matchmaker_core *core, const struct game *game,
                                      room_id avoid)
{
    for (int s = 0; s < core->config.shard_count; s++)
        for (int i = 0; i < core->shards[s].count; i++) {
            struct public_entry *entry = &core->shards[s].list[i];
            if (entry->game == game && entry->room != avoid && entry->seated > 0 &&
                entry->seated + entry->promised < entry->seats)
                return entry;
        }
    return NULL;
}

/* The list is up to a second old: nobody is sent where nobody is any more. */
void match_on_look(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found)
{
    struct match *match = asked->match;
    struct room_summary now = {0};
    bool read = found->status == ST_OK &&
                room_summary_decode(found->summary, &core->out->arena, &now) == ST_OK;
    bool waits = read && now.listed && member_state(core, found->owner) == OWNER_ALIVE;
    struct public_entry *entry = entry_of(core, match->room);
    uint32_t count = (uint32_t)match->ticket_count; /* promised, unless the list was read anew */
    uint32_t promised = entry && entry->promised > count ? entry->promised : count;
    if (waits && now.seated + promised <= now.seats) {
        ask_claim(core, match);
        return;
    }
    if (entry) {
        entry->promised = promised - count;
        entry->seated = waits ? now.seated : entry->seats; /* chosen no more until the next list */
    }
    match_end(core, match, TICKET_WAITS);
}

/* ---- a new room ------------------------------------------------------------------------------ */

static void ask_create(struct matchmaker_core *core, struct match *match)
{
    const struct rules any = {.game = match->game->id};
    struct known_member *worker = member_pick(core, match->room, any, match->target);
    struct request *request;
    struct pending *asked = worker ? ask_peer(core, PENDING_MATCH_CREATE, worker->is.control_url,
                                              &request, REQ_WORKER_CREATE)
                                   : NULL;
    if (!asked) {
        match_end(core, match, TICKET_ASKED);
        return;
    }
    match->tries++;
    match->target = worker->is.instance;
    worker->given++;
    asked->match = match;
    struct buf bytes = {0};
    buf_put_u64(&bytes, match->room);
    request->id =
        hash_128_for("quick room", buf_slice(&bytes)); /* every repeat is the same request */
    buf_fini(&bytes);
    bool open = match->expected < (uint32_t)match->game->seats_min;
    request->room = match->room;
    request->code = arena_text(&core->out->arena, match->code);
    request->game = match->game->id;
    request->quick = !open;
    request->is_public = open;
    request->expected = match->expected;
}

void match_on_free(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found)
{
    struct match *match = asked->match;
    if (found->status == ST_UNKNOWN) {
        ask_claim(core, match);
    } else if (found->status == ST_OK && match->tries++ < MATCH_TRIES) {
        match->room = draw_room(core, draw_id(core), match->code);
        ask_find(core, match, PENDING_MATCH_FREE, TICKET_WAITS);
    } else {
        match_end(core, match, TICKET_WAITS);
    }
}

/* One of its tickets went elsewhere, or the answer is lost: each is asked for by itself. */
static void doubt(struct matchmaker_core *core, struct match *match)
{
    struct ticket *tickets[STORE_TICKETS_MAX];
    int count = match->ticket_count;
    memcpy(tickets, match->tickets, sizeof tickets);
    match_end(core, match, TICKET_ASKED);
    for (int i = 0; i < count; i++) ticket_doubt(core, tickets[i]);
}

void match_on_claim(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *claimed)
{
    struct match *match = asked->match;
    match->tries = 0;
    if (claimed->status != ST_OK)
        doubt(core, match);
    else if (match->expected == 0)
        matched(core, match);
    else
        ask_create(core, match);
}

/* A worker that does not answer, or says that the room is there, may have made it, or another. */
void match_on_worker(struct matchmaker_core *core, struct pending *asked, const struct reply *reply)
{
    if (reply->status == ST_OK)
        matched(core, asked->match);
    else
        ask_find(core, asked->match, PENDING_MATCH_MADE, TICKET_ASKED);
}

void match_on_made(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found)
{
    struct match *match = asked->match;
    if (found->status == ST_OK)
        matched(core, match);
    else if (found->status != ST_UNKNOWN)
        match_end(core, match, TICKET_ASKED);
    else if (match->tries < MATCH_TRIES)
        ask_create(core, match);
    else
        match_end(core, match, TICKET_LOST);
}

/* ---- beginnings ------------------------------------------------------------------------------ */

void match_carry_on(struct matchmaker_core *core, struct ticket *ticket, room_id room,
                    uint32_t expected)
{
    ticket->room = room;
    if (expected == 0) {
        ticket_become(core, ticket, TICKET_MATCHED);
        return;
    }
    for (struct ticket *other = tickets_open(core, ticket->game)->first; other;
         other = other->next) {
        struct match *match = other->match;
        if (!match || match->room != room || match->expected == 0) continue;
        if (match->ticket_count == STORE_TICKETS_MAX) continue;
        match_add(core, match, ticket);
        return;
    }
    struct match *match = match_new(ticket->game, room, expected);
    match_add(core, match, ticket);
    ask_find(core, match, PENDING_MATCH_MADE, TICKET_ASKED);
}

/* Starts at most one match for the game; true when there may be another. */
static bool match_one(struct matchmaker_core *core, const struct game *game)
{
    struct ticket *ready[GAME_SEATS_MAX];
    int count = 0;
    int seats = game->seats_max < STORE_TICKETS_MAX ? game->seats_max : STORE_TICKETS_MAX;
    struct ticket *ticket = tickets_open(core, game)->first;
    for (; ticket && count < seats; ticket = ticket->next)
        if (ticket->state == TICKET_WAITS) ready[count++] = ticket;
    if (count == 0) return false;
    struct public_entry *waiting = NULL;
    for (int i = 0; i < count && !waiting; i++) waiting = open_room(core, game, ready[i]->avoid);
    bool patience_over = core->now - ready[0]->arrived >= MATCHMAKER_QUICK_MS;
    if (!waiting && count < seats && !patience_over) return false;
    char code[WIRE_CODE_LEN + 1];
    room_id room = waiting ? waiting->room : draw_room(core, draw_id(core), code);
    int most = waiting ? (int)(waiting->seats - waiting->seated - waiting->promised) : count;
    struct match *match = match_new(game, room, waiting ? 0 : (uint32_t)count);
    for (int i = 0; i < count && match->ticket_count < most; i++)
        if (ready[i]->avoid != room) match_add(core, match, ready[i]);
    if (waiting) waiting->promised += (uint32_t)match->ticket_count;
    ask_find(core, match, waiting ? PENDING_MATCH_LOOK : PENDING_MATCH_FREE, TICKET_WAITS);
    return true;
}

void match_tick(struct matchmaker_core *core)
{
    for (int g = 0; g < game_count(); g++)
        for (int rounds = 0; rounds < MATCHES_AT_ONCE && match_one(core, game_at(g)); rounds++) {
        }
}
