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

enum { TICKET_KEEP_MS = 30 * 1000, ASK_AGAIN_MS = 2000 };

static struct ticket *ticket_add(struct matchmaker_core *core, const struct request *request,
                                 const struct game *game)
{
    if (core->ticket_count == MATCHMAKER_TICKETS_MAX) {
        core->refused.tickets++;
        return NULL;
    }
    if (core->ticket_count == core->ticket_room) {
        core->ticket_room = core->ticket_room ? 2 * core->ticket_room : 64;
        core->by_arrival =
            realloc(core->by_arrival, (size_t)core->ticket_room * sizeof(struct ticket *));
        CHECK(core->by_arrival);
    }
    struct ticket *ticket = calloc(1, sizeof *ticket);
    CHECK(ticket);
    ticket->id = request->ticket;
    ticket->game = game;
    ticket->arrived = core->now;
    ticket->state = TICKET_ASKED;
    core->by_arrival[core->ticket_count++] = ticket;
    map128_put(&core->tickets, ticket->id, ticket);
    return ticket;
}

static void ticket_drop(struct matchmaker_core *core, int index)
{
    struct ticket *ticket = core->by_arrival[index];
    CHECK(ticket->state != TICKET_MATCHING);
    map128_remove(&core->tickets, ticket->id);
    free(ticket);
    core->ticket_count--;
    memmove(core->by_arrival + index, core->by_arrival + index + 1,
            (size_t)(core->ticket_count - index) * sizeof(struct ticket *));
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
    ticket->state = TICKET_ASKED;
    ask_where(core, ticket, NULL);
}

static void tell_waiting(struct matchmaker_core *core, const struct ticket *ticket,
                         const struct waiter *waiter)
{
    instant_ms first = ticket->arrived;
    uint32_t waiting = 0;
    for (int i = 0; i < core->ticket_count; i++) {
        const struct ticket *other = core->by_arrival[i];
        if (other->game != ticket->game) continue;
        if (other->state != TICKET_WAITS && other->state != TICKET_MATCHING) continue;
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
            ticket->state = TICKET_WAITS;
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
    const struct ticket *ticket = map128_get(&core->tickets, request->ticket);
    if (ticket && ticket->state == TICKET_MATCHING) {
        answer_pending(core, &waiter);
        return;
    }
    if (ticket && ticket->state == TICKET_MATCHED) {
        place_resolve(core, NULL, ticket->room, 0, &waiter);
        return;
    }
    bool lost = ticket && ticket->state == TICKET_LOST;
    for (int i = 0; ticket && i < core->ticket_count; i++)
        if (core->by_arrival[i] == ticket) {
            ticket_drop(core, i);
            break;
        }
    if (lost)
        answer_refused(core, &waiter, ST_UNKNOWN, REASON_BUSY);
    else
        answer(core, &waiter);
}

void tickets_tidy(struct matchmaker_core *core)
{
    for (int i = core->ticket_count - 1; i >= 0; i--) {
        const struct ticket *ticket = core->by_arrival[i];
        bool settled = ticket->state == TICKET_MATCHED || ticket->state == TICKET_LOST;
        instant_ms limit = settled ? TICKET_KEEP_MS : MATCHMAKER_TICKET_SILENT_MS;
        bool silent = core->now - ticket->polled > limit;
        if (silent && ticket->state != TICKET_MATCHING) ticket_drop(core, i);
    }
}

void tickets_fini(struct matchmaker_core *core)
{
    for (int i = 0; i < core->ticket_count; i++)
        if (core->by_arrival[i]->state == TICKET_MATCHING) match_forget(core->by_arrival[i]->match);
    while (core->ticket_count) ticket_drop(core, core->ticket_count - 1);
    free(core->by_arrival);
    map128_fini(&core->tickets);
}
