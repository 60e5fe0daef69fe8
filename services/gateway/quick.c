/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match. The ticket is the gateway's: one matchmaker, named by rendezvous hashing for the
 * game, is asked how it stands, and asked again under the same id; when the list of matchmakers
 * changes, the next question goes to the one that is named then, and hands the ticket over.
 */
#include "gateway/calls.h"

#include "game/game.h"

void gw_on_quick(struct gateway_core *core, struct client *client, const struct client_quick *quick)
{
    const struct game *game = game_find(slice_text(quick->game));
    if (game == NULL) {
        gw_refuse(core, client, REASON_UNKNOWN_GAME);
        return;
    }
    if (!gw_take_name(core, client, quick->name, false)) return;
    gw_task_begin(core, client, TASK_QUICK)->game = game->id;
    gw_quick_ask(core, client);
}

static void ask_about(struct gateway_core *core, struct client *client, enum request_kind what,
                      enum ask_kind kind)
{
    struct task *task = client->task;
    const char *url = gw_members_for_tickets(core, task->game);
    if (url == NULL) return;
    struct request *request =
        gw_ask(core, kind, client->socket, url, what, gw_random_id(core), &task->token);
    request->ticket = task->id;
    request->game = task->game;
}

/* The next question goes out on time whether or not this one was answered. */
void gw_quick_ask(struct gateway_core *core, struct client *client)
{
    client->task->at = core->now + GATEWAY_TICKET_MS;
    ask_about(core, client, REQ_TICKET, ASK_CLIENT);
    gw_client_arm(core, client);
}

void gw_quick_reply(struct gateway_core *core, struct client *client, const struct reply *reply)
{
    struct task *task = client->task;
    if (reply->status == ST_UNAVAILABLE) return; /* asked again by the timer */
    task->until = core->now + GATEWAY_ENTER_MS;
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
        gw_notice(core, client, NOTICE_MATCHED);
        gw_enter(core, client, &reply->placed);
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
    ask_about(core, client, REQ_TICKET_CANCEL, ASK_NOBODY);
}

/* Without a ticket it crossed the match that was found: nothing to say. */
void gw_on_cancel_quick(struct gateway_core *core, struct client *client)
{
    if (client->task == NULL || client->task->kind != TASK_QUICK) return;
    gw_quick_cancel(core, client);
    gw_task_end(core, client);
}
