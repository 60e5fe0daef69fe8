/* SPDX-License-Identifier: Apache-2.0
 *
 * Tickets of quick match. The gateway owns a ticket and asks again and again under its id; a ticket
 * nobody asks for is dropped.
 *
 * A ticket that is new here may come from a matchmaker that died, with or after its claim: so the
 * store is asked first where it went, and now and then again, because a matchmaker that was merely
 * slow may still claim it. A claimed one is never matched again; its match is carried on (match.c).
 */
#include <stdlib.h>

#include "base/check.h"
#include "game/game.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

enum { ASK_AGAIN_MS = 2000, WAITING_TOLD = 2 * STORE_TICKETS_MAX /* in a crowd, no more */ };

/* ---- lines ----------------------------------------------------------------------------------- */

static bool settled(enum ticket_state state)
{
    return state == TICKET_MATCHED || state == TICKET_LOST;
}

struct ticket_line *tickets_open(struct matchmaker_core *core, const struct game *game)
{
    return &core->open[game_place(game)];
}

static struct ticket_line *line_of(struct matchmaker_core *core, const struct ticket *ticket)
{
    return settled(ticket->state) ? &core->settled : tickets_open(core, ticket->game);
}

/* Before `next`; NULL: at the end. */
static void put_before(struct ticket_line *line, struct ticket *ticket, struct ticket *next)
{
    ticket->next = next;
    ticket->before = next ? next->before : line->last;
    *(ticket->before ? &ticket->before->next : &line->first) = ticket;
    *(next ? &next->before : &line->last) = ticket;
    line->count++;
}

static void take_out(struct ticket_line *line, struct ticket *ticket)
{
    *(ticket->before ? &ticket->before->next : &line->first) = ticket->next;
    *(ticket->next ? &ticket->next->before : &line->last) = ticket->before;
    line->count--;
}

void ticket_become(struct matchmaker_core *core, struct ticket *ticket, enum ticket_state state)
{
    struct ticket_line *from = line_of(core, ticket), *to;
    ticket->state = state;
    to = line_of(core, ticket);
    if (from == to) return;
    struct ticket *next = NULL;
    if (!settled(state)) /* it has its former place again: such is rare */
        for (next = to->first; next && next->arrived <= ticket->arrived;) next = next->next;
    take_out(from, ticket);
    put_before(to, ticket, next);
}

/* ---- one ticket ------------------------------------------------------------------------------ */

static struct ticket *ticket_add(struct matchmaker_core *core, const struct request *request,
                                 const struct game *game)
{
    if (core->tickets.count == MATCHMAKER_TICKETS_MAX) {
        core->refused.tickets++;
        return NULL;
    }
    struct ticket *ticket = calloc(1, sizeof *ticket);
    CHECK(ticket);
    ticket->id = request->ticket;
    ticket->game = game;
    ticket->arrived = core->now;
    ticket->state = TICKET_ASKED;
    put_before(line_of(core, ticket), ticket, NULL);
    map128_put(&core->tickets, ticket->id, ticket);
    return ticket;
}

static void ticket_drop(struct matchmaker_core *core, struct ticket *ticket)
{
    CHECK(ticket->state != TICKET_MATCHING);
    map128_remove(&core->tickets, ticket->id);
    take_out(line_of(core, ticket), ticket);
    free(ticket);
}

/* waiter NULL: nobody waits for the answer. */
static void ask_where(struct matchmaker_core *core, struct ticket *ticket,
                      const struct waiter *waiter)
{
    ticket->asked = core->now;
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_TICKET, &op, STORE_CLAIMED);
    if (!asked) {
        if (waiter) answer_pending(core, waiter);
        return;
    }
    if (waiter) asked->waiter = *waiter;
    asked->ticket = ticket->id;
    op->shard = 0; /* tickets live on the first shard, wherever the room is */
    op->tickets[0] = ticket->id;
    op->ticket_count = 1;
}

void ticket_doubt(struct matchmaker_core *core, struct ticket *ticket)
{
    ticket_become(core, ticket, TICKET_ASKED);
    ask_where(core, ticket, NULL);
}

static void tell_waiting(struct matchmaker_core *core, const struct ticket *ticket,
                         const struct waiter *waiter)
{
    const struct ticket *other = tickets_open(core, ticket->game)->first;
    instant_ms since = ticket->arrived;
    uint32_t waiting = 0;
    for (; other && waiting < WAITING_TOLD; other = other->next) {
        if (other->state != TICKET_WAITS && other->state != TICKET_MATCHING) continue;
        if (waiting++ == 0) since = other->arrived;
    }
    struct reply *reply = answer(core, waiter);
    reply->pending = true;
    reply->waiting = waiting;
    reply->needed = (uint32_t)ticket->game->seats_min;
    instant_ms waited = core->now - since;
    reply->left_ms = waited < MATCHMAKER_QUICK_MS ? (uint32_t)(MATCHMAKER_QUICK_MS - waited) : 0;
}

static void tell(struct matchmaker_core *core, const struct ticket *ticket,
                 const struct waiter *waiter)
{
    switch (ticket->state) {
    case TICKET_ASKED: answer_pending(core, waiter); return;
    case TICKET_WAITS:
    case TICKET_MATCHING: tell_waiting(core, ticket, waiter); return;
    case TICKET_MATCHED: place_resolve(core, NULL, ticket->room, 0, waiter); return;
    case TICKET_LOST: answer_refused(core, waiter, ST_UNKNOWN, REASON_BUSY); return;
    }
}

void ticket_poll(struct matchmaker_core *core, const struct request *request, uint64_t token)
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
    if (settled(ticket->state)) {
        take_out(&core->settled, ticket);
        put_before(&core->settled, ticket, NULL);
    }
    ticket->avoid = request->room;
    bool again = ticket->state == TICKET_WAITS && core->now - ticket->asked >= ASK_AGAIN_MS;
    if (ticket->state == TICKET_ASKED || again)
        ask_where(core, ticket, &waiter);
    else
        tell(core, ticket, &waiter);
}

void ticket_on_claimed(struct matchmaker_core *core, struct pending *asked,
                       const struct store_reply *claimed)
{
    const struct waiter *waiter = asked->waiter.token ? &asked->waiter : NULL;
    struct ticket *ticket = map128_get(&core->tickets, asked->ticket);
    if (ticket && (ticket->state == TICKET_ASKED || ticket->state == TICKET_WAITS)) {
        if (claimed->status == ST_UNKNOWN)
            ticket_become(core, ticket, TICKET_WAITS);
        else if (claimed->status == ST_OK)
            match_carry_on(core, ticket, claimed->room, claimed->expected);
    }
    if (!waiter) return;
    if (ticket)
        tell(core, ticket, waiter);
    else
        answer_pending(core, waiter);
}

/* Takes a ticket back: because the person does not want it any more, or because it goes to another
 * matchmaker. The latter must hear of a match that was made here in the meantime. */
void ticket_cancel(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    struct ticket *ticket = map128_get(&core->tickets, request->ticket);
    if (ticket && ticket->state == TICKET_MATCHING) {
        answer_pending(core, &waiter);
        return;
    }
    if (ticket && ticket->state == TICKET_MATCHED) {
        place_resolve(core, NULL, ticket->room, 0, &waiter);
        return;
    }
    bool lost = ticket && ticket->state == TICKET_LOST;
    if (ticket) ticket_drop(core, ticket);
    if (lost)
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_BUSY);
    else
        answer(core, &waiter);
}

static bool is_silent(const struct matchmaker_core *core, const struct ticket *ticket)
{
    return core->now - ticket->polled > MATCHMAKER_TICKET_SILENT_MS;
}

/* Who has heard where to go asks no more; who asks all the same is told what the store knows. */
void tickets_tidy(struct matchmaker_core *core)
{
    struct ticket *next;
    while (core->settled.first && is_silent(core, core->settled.first))
        ticket_drop(core, core->settled.first);
    for (int g = 0; g < game_count(); g++)
        for (struct ticket *ticket = core->open[g].first; ticket; ticket = next) {
            next = ticket->next;
            if (ticket->state != TICKET_MATCHING && is_silent(core, ticket))
                ticket_drop(core, ticket);
        }
}

static void free_line(struct ticket_line *line)
{
    struct ticket *next;
    for (struct ticket *ticket = line->first; ticket; ticket = next) {
        next = ticket->next;
        if (ticket->state == TICKET_MATCHING) match_free(ticket->match);
        free(ticket);
    }
}

void tickets_fini(struct matchmaker_core *core)
{
    for (int g = 0; g < GAME_REGISTRY_MAX; g++) free_line(&core->open[g]);
    free_line(&core->settled);
    map128_fini(&core->tickets);
}
