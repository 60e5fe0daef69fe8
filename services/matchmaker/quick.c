/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match. The gateway owns a ticket and asks again and again under its id; a ticket nobody
 * asks for is dropped. A full table starts at once; after 20 s the game's minimum is enough; fewer
 * than that go on as an open public room, and a public room that waits already takes newcomers
 * first.
 *
 * A match is claimed in the store, all its tickets or none, before its room is made: two
 * matchmakers that hold the same ticket for a moment never seat one person twice.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "game/game.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

enum { MATCH_TRIES = 6, TICKET_KEEP_MS = 30 * 1000 };

static struct ticket *ticket_add(struct matchmaker_core *core, const struct request *request,
                                 const struct game *game)
{
    if (core->waiting_count == MATCHMAKER_TICKETS_MAX) return NULL;
    if (core->waiting_count == core->waiting_room) {
        core->waiting_room = core->waiting_room ? 2 * core->waiting_room : 64;
        core->waiting = realloc(core->waiting, (size_t)core->waiting_room * sizeof *core->waiting);
        CHECK(core->waiting);
    }
    struct ticket *ticket = calloc(1, sizeof *ticket);
    CHECK(ticket);
    ticket->id = request->ticket;
    ticket->game = game;
    ticket->arrived = core->now;
    core->waiting[core->waiting_count++] = ticket;
    map128_put(&core->tickets, ticket->id, ticket);
    return ticket;
}

static void ticket_drop(struct matchmaker_core *core, int index)
{
    struct ticket *ticket = core->waiting[index];
    CHECK(!ticket->match);
    map128_remove(&core->tickets, ticket->id);
    free(ticket);
    core->waiting_count--;
    memmove(core->waiting + index, core->waiting + index + 1,
            (size_t)(core->waiting_count - index) * sizeof *core->waiting);
}

static bool still_waits(const struct ticket *ticket)
{
    return !ticket->room && !ticket->lost;
}

static void tell_waiting(struct matchmaker_core *core, const struct ticket *ticket,
                         const struct waiter *waiter)
{
    instant_ms first = ticket->arrived;
    uint32_t waiting = 0;
    for (int i = 0; i < core->waiting_count; i++) {
        const struct ticket *other = core->waiting[i];
        if (other->game != ticket->game || !still_waits(other)) continue;
        waiting++;
        if (other->arrived < first) first = other->arrived;
    }
    struct reply *reply = answer(core, waiter);
    reply->pending = true;
    reply->waiting = waiting;
    reply->needed = (uint32_t)ticket->game->seats_min;
    instant_ms waited = core->now - first;
    reply->left_ms = waited < MATCHMAKER_QUICK_MS ? (uint32_t)(MATCHMAKER_QUICK_MS - waited) : 0;
}

void quick_ticket(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    struct ticket *ticket = map128_get(&core->tickets, request->ticket);
    if (!ticket) {
        const struct game *game = game_find(slice_text(request->game));
        if (!game || id128_is_zero(request->ticket)) {
            answer_refused(core, &waiter, ST_REFUSED, REASON_UNKNOWN_GAME);
            return;
        }
        ticket = ticket_add(core, request, game);
        if (!ticket) {
            answer_refused(core, &waiter, ST_FULL, REASON_BUSY);
            return;
        }
    }
    ticket->polled = core->now;
    if (ticket->lost)
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_BUSY);
    else if (ticket->room)
        place_resolve(core, NULL, ticket->room, 0, &waiter);
    else
        tell_waiting(core, ticket, &waiter);
}

/* Takes a ticket back: because the person does not want it any more, or because it goes to another
 * matchmaker. The latter must hear of a match that was made here in the meantime. */
void quick_cancel(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    const struct ticket *ticket = map128_get(&core->tickets, request->ticket);
    if (ticket && ticket->match) {
        answer_pending(core, &waiter);
        return;
    }
    if (ticket && ticket->room) {
        place_resolve(core, NULL, ticket->room, 0, &waiter);
        return;
    }
    bool lost = ticket && ticket->lost;
    for (int i = 0; ticket && i < core->waiting_count; i++)
        if (core->waiting[i] == ticket) {
            ticket_drop(core, i);
            break;
        }
    if (lost)
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_BUSY);
    else
        answer(core, &waiter);
}

static void match_end(struct match *match, bool lost)
{
    for (int i = 0; i < match->ticket_count; i++) {
        match->tickets[i]->match = NULL;
        if (lost) match->tickets[i]->lost = true;
    }
    free(match);
}

static void matched(struct matchmaker_core *core, struct match *match)
{
    for (int i = 0; i < match->ticket_count; i++) match->tickets[i]->room = match->room;
    note(core, "quick.matched", (uint64_t)match->ticket_count, match->existing);
    match_end(match, false);
}

static void ask_free(struct matchmaker_core *core, struct match *match)
{
    struct store_op *op;
    struct pending *asked =
        match->tries++ < MATCH_TRIES ? ask_store(core, PENDING_MATCH_FIND, &op, STORE_FIND) : NULL;
    if (!asked) {
        match_end(match, false);
        return;
    }
    asked->match = match;
    op->code = arena_text(&core->out->arena, match->code);
    op->room = match->room;
}

static void ask_claim(struct matchmaker_core *core, struct match *match)
{
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_MATCH_CLAIM, &op, STORE_CLAIM);
    if (!asked) {
        match_end(match, false);
        return;
    }
    asked->match = match;
    op->room = match->room;
    op->shard = 0; /* tickets live on the first shard, wherever the room is */
    op->ticket_count = match->ticket_count;
    for (int i = 0; i < match->ticket_count; i++) op->tickets[i] = match->tickets[i]->id;
}

static void ask_create(struct matchmaker_core *core, struct match *match)
{
    struct known_member *worker = member_pick(core, match->room, match->target);
    if (!worker) worker = member_pick(core, match->room, (struct id128){{0}});
    struct request *request;
    struct pending *asked = worker && match->tries++ < MATCH_TRIES
                                ? ask_peer(core, PENDING_MATCH_CREATE, worker->is.control_url,
                                           &request, REQ_WORKER_CREATE)
                                : NULL;
    if (!asked) {
        match_end(match, true);
        return;
    }
    match->target = worker->is.instance;
    asked->match = match;
    struct buf bytes = {0};
    buf_put_u64(&bytes, match->room);
    request->id =
        hash_128_for("quick room", buf_slice(&bytes)); /* every repeat is the same request */
    buf_fini(&bytes);
    request->room = match->room;
    request->code = arena_text(&core->out->arena, match->code);
    request->game = match->game->id;
    request->quick = !match->open;
    request->is_public = match->open;
    request->expected = (uint32_t)match->ticket_count;
}

void quick_on_find(struct matchmaker_core *core, struct pending *asked,
                   const struct store_reply *found)
{
    struct match *match = asked->match;
    if (found->status == ST_UNKNOWN) {
        ask_claim(core, match);
    } else if (found->status == ST_OK) {
        match->room = draw_room(core, draw_id(core), match->code);
        ask_free(core, match);
    } else {
        match_end(match, false);
    }
}

/* The store names the first ticket that was claimed before, by where it went: that one is told, the
 * rest wait on. */
void quick_on_claim(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *claimed)
{
    struct match *match = asked->match;
    if (claimed->status == ST_OK) {
        match->tries = 0;
        if (match->existing)
            matched(core, match);
        else
            ask_create(core, match);
        return;
    }
    if (claimed->status == ST_EXISTS && claimed->position < (uint64_t)match->ticket_count)
        match->tickets[claimed->position]->room = claimed->room;
    match_end(match, false);
}

void quick_on_worker(struct matchmaker_core *core, struct pending *asked, const struct reply *reply)
{
    if (reply->status == ST_OK)
        matched(core, asked->match);
    else
        ask_create(core, asked->match);
}

static struct match *match_new(const struct game *game)
{
    struct match *match = calloc(1, sizeof *match);
    CHECK(match);
    match->game = game;
    return match;
}

static struct public_entry *open_room(struct matchmaker_core *core, const struct game *game)
{
    for (int s = 0; s < core->config.shard_count; s++)
        for (int i = 0; i < core->shards[s].count; i++) {
            struct public_entry *entry = &core->shards[s].list[i];
            if (entry->game == game && entry->seated > 0 &&
                entry->seated + entry->promised < entry->seats)
                return entry;
        }
    return NULL;
}

/* Starts at most one match for the game; true when there may be another. */
static bool match_one(struct matchmaker_core *core, const struct game *game)
{
    struct ticket *ready[GAME_SEATS_MAX];
    int count = 0;
    int seats = game->seats_max < STORE_TICKETS_MAX ? game->seats_max : STORE_TICKETS_MAX;
    for (int i = 0; i < core->waiting_count && count < seats; i++) {
        struct ticket *ticket = core->waiting[i];
        if (ticket->game == game && still_waits(ticket) && !ticket->match) ready[count++] = ticket;
    }
    if (count == 0) return false;
    struct public_entry *waiting = open_room(core, game);
    bool patience_over = core->now - ready[0]->arrived >= MATCHMAKER_QUICK_MS;
    if (!waiting && count < seats && !patience_over) return false;
    struct match *match = match_new(game);
    if (waiting) {
        uint32_t free_seats = waiting->seats - waiting->seated - waiting->promised;
        if ((uint32_t)count > free_seats) count = (int)free_seats;
        waiting->promised += (uint32_t)count;
        match->existing = true;
        match->room = waiting->room;
        memcpy(match->code, waiting->code, sizeof match->code);
    } else {
        match->open = count < game->seats_min;
        match->room = draw_room(core, draw_id(core), match->code);
    }
    match->ticket_count = count;
    for (int i = 0; i < count; i++) {
        match->tickets[i] = ready[i];
        ready[i]->match = match;
    }
    if (match->existing)
        ask_claim(core, match);
    else
        ask_free(core, match);
    return true;
}

void quick_tick(struct matchmaker_core *core)
{
    for (int i = core->waiting_count - 1; i >= 0; i--) {
        const struct ticket *ticket = core->waiting[i];
        instant_ms silent = core->now - ticket->polled;
        instant_ms limit = still_waits(ticket) ? MATCHMAKER_TICKET_SILENT_MS : TICKET_KEEP_MS;
        if (!ticket->match && silent > limit) ticket_drop(core, i);
    }
    for (int g = 0; g < game_count(); g++)
        for (int rounds = 0; rounds < 64 && match_one(core, game_at(g)); rounds++) {
        }
}

void quick_fini(struct matchmaker_core *core)
{
    for (int i = 0; i < core->waiting_count; i++) {
        struct match *match = core->waiting[i]->match;
        if (match) match_end(match, false);
    }
    while (core->waiting_count) ticket_drop(core, core->waiting_count - 1);
    free(core->waiting);
    map128_fini(&core->tickets);
}
