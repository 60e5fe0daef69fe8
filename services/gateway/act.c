/* SPDX-License-Identifier: Apache-2.0
 *
 * What players do. An act is forwarded under the id that its browser gave it, and kept until it is
 * answered: whenever it may have been lost (no answer, another owner, a broken stream) it is sent
 * again, and the room applies it once.
 *
 * A refused act does not use its counter up, so the next one may bear the same id; and a copy that
 * is still under way is judged anew, and may be accepted. Copies reach an owner in the order in
 * which they were sent, however long that takes. So who sent it hears of a refusal when the last
 * copy is refused: no other is left behind it. Until then the act is a ghost.
 */
#include "gateway/calls.h"

#include "wire/trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { GHOST_MS = 2000 }; /* as long the answer to its last copy may take */

static void trace_note(struct gateway_core *core, const struct client *client,
                       const struct act *act, const char *what, uint64_t number)
{
    if (!core->config.traces) return;
    room_id room = client->mirror->room;
    gw_note(core, what,
            trace_of_act(room, client->seat, act->generation, act->counter, client->socket), room,
            number);
}

static void send_act(struct gateway_core *core, struct client *client, struct act *act)
{
    struct envelope envelope = {.kind = ENV_ACT};
    envelope.u.act = (struct env_act){
        .room = client->mirror->room,
        .client = client->socket,
        .generation = act->generation,
        .counter = act->counter,
        .made_for = act->made_for,
        .command = act->command,
        .bytes = arena_copy(&core->out->arena, slice_of(act->bytes, act->len)),
        .rtt_ms = gw_rtt_ms(client),
        .copy = ++client->copies,
    };
    act->copy = client->copies;
    act->at = core->now + gw_resend_ms(core, client->mirror->owner, act->tries);
    act->epoch = client->mirror->epoch;
    trace_note(core, client, act, "act.sent", act->epoch);
    gw_mirror_send(core, client->mirror, &envelope);
}

static bool can_send(const struct client *client)
{
    return client->state == CLIENT_IN_ROOM && !client->waits_attach && !client->mirror->lost;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static struct act **find(struct client *client, uint32_t generation, uint64_t counter)
{
    struct act **link = &client->acts;
    while (*link && ((*link)->generation != generation || (*link)->counter != counter))
        link = &(*link)->next;
    return link;
}

static void forget(struct client *client, struct act **link)
{
    struct act *act = *link;
    *link = act->next;
    if (act->ghost)
        client->ghost_count--;
    else
        client->act_count--;
    free(act);
}

void gw_acts_forget(struct client *client)
{
    while (client->acts) forget(client, &client->acts);
}

void gw_acts_forget_old(struct client *client)
{
    struct act **link = &client->acts;
    while (*link) {
        if ((*link)->generation != client->generation)
            forget(client, link);
        else
            link = &(*link)->next;
    }
}

static struct act *keep(const struct gateway_core *core, struct client *client,
                        const struct client_act *in)
{
    struct act *act = malloc(sizeof *act + in->bytes.len);
    CHECK(act != NULL);
    *act = (struct act){
        .generation = in->generation,
        .counter = in->counter,
        .made_for = in->made_for,
        .received_at = core->now,
        .at = INSTANT_NEVER,
        .len = (uint16_t)in->bytes.len,
        .command = in->command,
    };
    if (in->bytes.len) memcpy(act->bytes, in->bytes.at, in->bytes.len);
    struct act **end = &client->acts;
    while (*end) end = &(*end)->next;
    *end = act;
    client->act_count++;
    return act;
}

/* ---- frames and answers ---------------------------------------------------------------------- */

void gw_answer_here(struct gateway_core *core, struct client *client, const struct client_act *act,
                    enum reason reason)
{
    struct server_frame frame = {.kind = SERVER_ANSWER};
    frame.u.answer = (struct server_answer){
        .generation = act->generation,
        .counter = act->counter,
        .why = {.code = reason},
    };
    gw_send(core, client, &frame);
}

void gw_on_act(struct gateway_core *core, struct client *client, const struct client_act *in)
{
    if (client->state != CLIENT_IN_ROOM) {
        gw_answer_here(core, client, in, REASON_NOT_SEATED);
        return;
    }
    struct act *act = *find(client, in->generation, in->counter);
    if (act && act->ghost) return; /* its outcome comes */
    if (act == NULL) {
        bool full = client->act_count >= GATEWAY_ACTS_MAX;
        bool haunted = client->ghost_count >= GATEWAY_GHOSTS_MAX;
        if (full || haunted) {
            core->refused.acts += full;
            core->refused.ghosts += !full;
            gw_answer_here(core, client, in, REASON_BUSY);
            return;
        }
        act = keep(core, client, in);
        trace_note(core, client, act, "act.received", act->counter);
    }
    if (can_send(client)) send_act(core, client, act);
    gw_client_arm(core, client);
}

static void tell(struct gateway_core *core, struct client *client, const struct act *act, bool ok,
                 uint64_t seq)
{
    struct server_frame frame = {.kind = SERVER_ANSWER};
    frame.u.answer = (struct server_answer){
        .generation = act->generation,
        .counter = act->counter,
        .ok = ok,
        .seq = seq,
    };
    if (!ok) frame.u.answer.why = act->why;
    instant_ms took_ms = core->now - act->received_at;
    histogram_add(&core->counts.written_ms, &histogram_action_ms, took_ms);
    trace_note(core, client, act, "act.answered", took_ms);
    gw_send(core, client, &frame);
}

/* The first refusal is the one that is told. */
static bool haunts(struct gateway_core *core, struct client *client, struct act *act,
                   const struct env_answer *answer)
{
    if (!act->ghost) {
        client->act_count--;
        client->ghost_count++;
        act->ghost = true;
        act->seq = answer->seq;
        act->why = answer->why;
        snprintf(act->domain, sizeof act->domain, "%s", answer->why.domain);
        act->why.domain = act->domain;
    }
    act->at = core->now + GHOST_MS;
    bool is_last = answer->copy == act->copy || answer->copy == 0; /* 0: it does not count them */
    return !is_last && !MUTANT(refused_at_first_copy);
}

void gw_on_answer(struct gateway_core *core, struct client *client, const struct env_answer *answer)
{
    struct act **link = find(client, answer->generation, answer->counter);
    if (*link == NULL) return; /* answered before */
    if (!answer->ok && haunts(core, client, *link, answer)) {
        gw_client_arm(core, client);
        return;
    }
    tell(core, client, *link, answer->ok, answer->ok ? answer->seq : (*link)->seq);
    forget(client, link);
    gw_client_arm(core, client);
}

/* Whatever is sent once more is to be answered once more: a ghost has time. */
static bool waits_for_answer(const struct client *client, const struct act *act)
{
    return act->ghost && act->epoch == client->mirror->epoch && act->at != INSTANT_NEVER;
}

void gw_acts_resend(struct gateway_core *core, struct client *client)
{
    if (!can_send(client)) return;
    for (struct act *act = client->acts; act; act = act->next) {
        if (waits_for_answer(client, act)) continue;
        core->counts.resent += act->epoch != 0; /* 0: it has waited for a worker until now */
        send_act(core, client, act);
    }
    gw_client_arm(core, client);
}

/* ---- time ------------------------------------------------------------------------------------ */

instant_ms gw_acts_next(const struct client *client)
{
    instant_ms at = INSTANT_NEVER;
    for (const struct act *act = client->acts; act; act = act->next)
        if (act->at < at) at = act->at;
    return at;
}

void gw_acts_due(struct gateway_core *core, struct client *client)
{
    bool unanswered = false, in_doubt = false;
    struct act **link = &client->acts;
    while (*link) {
        struct act *act = *link;
        if (act->at > core->now) {
            link = &act->next;
        } else {
            act->at = INSTANT_NEVER; /* until it is sent again */
            unanswered = true;
            if (act->tries < UINT8_MAX) act->tries++;
            in_doubt = in_doubt || gw_tried_enough(core, client->mirror->owner, act->tries);
            link = &act->next;
        }
    }
    if (!unanswered) return;
    /* A room that cannot confirm writes answers nobody, and has said so. */
    if (in_doubt && can_send(client) && !client->mirror->paused)
        gw_mirror_lose(core, client->mirror);
    gw_acts_resend(core, client);
}
