/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match. The ticket is the gateway's: one matchmaker, named by rendezvous hashing for the
 * game, is asked how it stands, and asked again under the same id. When the list of matchmakers
 * changes and another is named, the ticket is taken back from the first (which may have matched it
 * in the meantime) and handed to that one; from one that is silent nothing can be taken back, and
 * the other finds in the store what became of the ticket.
 */
#include "gateway/calls.h"

#include "game/game.h"

enum { TAKE_BACK_TRIES = 4 }; /* then the former holder is taken for gone */

void gw_on_quick(struct gateway_core *core, struct client *client, const struct client_quick *quick)
{
    const struct game *game = game_find(slice_text(quick->game));
    if (game == NULL) {
        gw_refuse(core, client, REASON_UNKNOWN_GAME);
        return;
    }
    if (!gw_take_name(core, client, quick->name, false)) return;
    if (!gw_room_try(core, client)) {
        gw_refuse(core, client, REASON_TOO_FAST);
        return;
    }
    client->turned_away = 0;
    gw_task_begin(core, client, TASK_QUICK)->game = game->id;
    gw_quick_ask(core, client);
}

void gw_quick_elsewhere(struct gateway_core *core, struct client *client, room_id avoid)
{
    client->turned_away++;
    struct task *task = gw_task_begin(core, client, TASK_QUICK);
    task->game = client->quick;
    task->avoid = avoid;
    gw_quick_ask(core, client);
}

static void ask_about(struct gateway_core *core, struct client *client, enum request_kind what,
                      const char *url, enum ask_kind kind)
{
    struct task *task = client->task;
    struct request *request =
        gw_ask(core, kind, client->socket, url, what, gw_random_id(core), &task->token);
    request->ticket = task->id;
    request->game = task->game;
    request->room = task->avoid;
}

/* The next question goes out on time whether or not this one was answered. */
void gw_quick_ask(struct gateway_core *core, struct client *client)
{
    struct task *task = client->task;
    task->at = core->now + GATEWAY_TICKET_MS;
    gw_client_arm(core, client);
    const struct member_known *named = gw_members_for_tickets(core, task->game);
    const struct member_known *holder = map128_get(&core->members, task->holder);
    if (named == NULL) return;
    if (MUTANT(ticket_lost_with_matchmaker) && !id128_is_zero(task->holder) && holder != named)
        return;
    task->taking_back = holder && holder != named && !gw_member_silent(core, holder) &&
                        task->tries < TAKE_BACK_TRIES;
    if (task->taking_back) {
        task->tries++;
        ask_about(core, client, REQ_TICKET_CANCEL, holder->url, ASK_CLIENT);
        return;
    }
    task->tries = 0;
    task->holder = named->instance;
    ask_about(core, client, REQ_TICKET, named->url, ASK_CLIENT);
}

static void matched(struct gateway_core *core, struct client *client, const struct reply *reply)
{
    instant_ms took_ms = core->now - client->task->begun_at;
    histogram_add(&core->counts.match_ms, &histogram_match_ms, took_ms);
    gw_notice(core, client, NOTICE_MATCHED);
    gw_enter(core, client, &reply->placed);
}

/* What the former holder says to giving the ticket back. */
static void on_taken_back(struct gateway_core *core, struct client *client,
                          const struct reply *reply)
{
    struct task *task = client->task;
    bool has_room = reply->placed.owner_url && reply->placed.owner_url[0];
    if (reply->pending) return; /* it is being matched right now: asked again by the timer */
    if (reply->status == ST_OK && has_room) {
        matched(core, client, reply);
        return;
    }
    if (reply->status == ST_UNKNOWN) task->id = gw_random_id(core);
    task->holder = (struct id128){0};
    gw_quick_ask(core, client);
}

void gw_quick_reply(struct gateway_core *core, struct client *client, const struct reply *reply)
{
    struct task *task = client->task;
    if (reply->status == ST_UNAVAILABLE) return; /* asked again by the timer */
    task->until = core->now + GATEWAY_ENTER_MS;
    if (task->taking_back) {
        on_taken_back(core, client, reply);
        return;
    }
    if (reply->status == ST_UNKNOWN) {
        /* That ticket was claimed for a match that came to nothing: a new one. */
        task->id = gw_random_id(core);
        return;
    }
    if (reply->status != ST_OK) {
        gw_task_refuse(core, client, reply->reason ? (enum reason)reply->reason : REASON_BUSY);
        return;
    }
    if (!reply->pending) {
        matched(core, client, reply);
        return;
    }
    struct server_frame frame = {.kind = SERVER_QUICK};
    frame.u.quick = (struct server_quick){
        .game = task->game,
        .waiting = reply->waiting,
        .needed = reply->needed,
        .left_ms = reply->left_ms,
    };
    /* Zero people wait while a matched room is being looked for: nothing new to say. */
    if (reply->waiting) gw_send(core, client, &frame);
}

void gw_quick_cancel(struct gateway_core *core, struct client *client)
{
    const struct member_known *holder = map128_get(&core->members, client->task->holder);
    if (holder) ask_about(core, client, REQ_TICKET_CANCEL, holder->url, ASK_NOBODY);
}

/* Without a ticket it crossed the match that was found: nothing to say. */
void gw_on_cancel_quick(struct gateway_core *core, struct client *client)
{
    if (client->task == NULL || client->task->kind != TASK_QUICK) return;
    gw_quick_cancel(core, client);
    gw_task_end(core, client);
}
