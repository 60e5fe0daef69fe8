/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders to workers: which worker, which room, and the proof that they come from an operator.
 */
#include <stdio.h>
#include <time.h>

#include "base/check.h"
#include "ctl/seen.h"
#include "ctl/shell.h"
#include "ops/system.h"

enum { AGAIN_MS = 50 };

const struct member *order_worker(const struct reply *members, const char *id, int *code)
{
    int count;
    const struct member *found =
        seen_named(members->members, members->member_count, SERVICE_WORKER, id, &count);
    *code = CTL_EXIT_UNKNOWN;
    if (count == 0)
        ctl_fail(CTL_EXIT_UNKNOWN,
                 "no worker's id begins with '%.40s'; `madangctl status` lists them", id);
    if (count > 1)
        ctl_fail(CTL_EXIT_UNKNOWN, "%d workers' ids begin with '%.40s': give more of it", count,
                 id);
    if (count != 1) return NULL;
    *code = CTL_EXIT_OK;
    if (found->silent_ms != MEMBER_DEAD) return found;
    *code = ctl_fail(CTL_EXIT_UNREACHABLE, "that worker is dead; others adopt its rooms");
    return NULL;
}

/* ---- rooms ----------------------------------------------------------------------------------- */

/* REQ_LOOK_UP touches nothing; a matchmaker of an older version does not say in it where the room
 * is, and REQ_RESOLVE fetches one that was put away. */
static const struct reply *find_room(struct asking *ask, const char *code, bool wake)
{
    struct request request = {.kind = REQ_LOOK_UP, .code = code};
    const struct reply *reply = asking_one(ask, NULL, &request);
    bool known = reply && reply->status == ST_OK;
    if (known && reply->placed.room != 0 && !(wake && id128_is_zero(reply->placed.owner)))
        return reply;
    if (!known) return reply;
    request.kind = REQ_RESOLVE;
    instant_ms until = clock_boot_ms() + (instant_ms)ask->timeout_ms;
    do {
        request.id = random_id();
        reply = asking_one(ask, NULL, &request);
        if (reply == NULL || !reply->pending) return reply;
        uv_sleep(AGAIN_MS);
    } while (clock_boot_ms() < until);
    return reply;
}

static const struct member *member_of(const struct reply *members, struct id128 instance)
{
    for (int i = 0; i < members->member_count; i++)
        if (id128_equal(members->members[i].instance, instance)) return &members->members[i];
    return NULL;
}

const struct member *order_find_room(struct asking *ask, const char *typed, bool wake,
                                     struct placed *room, int *code)
{
    char normal[WIRE_CODE_LEN + 1];
    if (!code_normalise(slice_text(typed), normal)) {
        *code = ctl_fail(CTL_EXIT_UNKNOWN, "'%.40s' is no room's code", typed);
        return NULL;
    }
    const struct reply *members = asking_members(ask);
    *code = CTL_EXIT_UNREACHABLE;
    if (members == NULL) return NULL;
    const struct reply *found = find_room(ask, normal, wake);
    if (found && found->status == ST_UNKNOWN) {
        *code = ctl_fail(CTL_EXIT_UNKNOWN, "there is no room %s", normal);
        return NULL;
    }
    if (found == NULL || found->status != ST_OK) {
        *code = ctl_fail(CTL_EXIT_UNREACHABLE, "the matchmaker cannot look the room up: %s",
                         found ? "does Redis answer it?" : "no answer");
        return NULL;
    }
    *room = found->placed;
    const struct member *owner = member_of(members, found->placed.owner);
    if (id128_is_zero(found->placed.owner) || owner == NULL)
        *code = ctl_fail(CTL_EXIT_REFUSED,
                         "room %s is put away: no worker has it until somebody "
                         "comes in",
                         normal);
    else if (owner->silent_ms == MEMBER_DEAD)
        *code = ctl_fail(CTL_EXIT_REFUSED,
                         "the worker of room %s is dead; another adopts it, try "
                         "again in a second",
                         normal);
    else
        return owner;
    return NULL;
}

/* ---- an order -------------------------------------------------------------------------------- */

/* Microseconds of the wall clock: they rise from one order to the next, whoever gives it. */
static uint64_t order_number(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static const char *fault_text(enum order_fault fault)
{
    switch (fault) {
    case ORDER_FINE: break;
#define X(name, text) \
    case ORDER_##name: return text;
        ORDER_FAULTS(X)
#undef X
    }
    return "for a reason that this madangctl does not know";
}

static enum ctl_exit exit_of(enum order_fault fault)
{
    if (fault == ORDER_KEYLESS || fault == ORDER_WRONG_KEY) return CTL_EXIT_FORBIDDEN;
    return fault == ORDER_NOT_SEATED ? CTL_EXIT_UNKNOWN : CTL_EXIT_REFUSED;
}

static bool passes(enum order_fault fault)
{
    return fault == ORDER_BUSY || fault == ORDER_UNCONFIRMED;
}

const struct reply *order_give(struct asking *ask, const struct member *worker,
                               const struct order_key *key, struct request *request, int *code)
{
    const struct reply *reply = NULL;
    if (worker->orders < ORDERS_VERSION) {
        *code = ctl_fail(CTL_EXIT_REFUSED,
                         "that worker runs version %s, which does not know this "
                         "command; upgrade it first",
                         worker->build && *worker->build ? worker->build : "?");
        return NULL;
    }
    instant_ms until = clock_boot_ms() + (instant_ms)ask->timeout_ms;
    do {
        request->id = random_id();
        request->from = ask->self;
        request->order.to = worker->instance;
        request->order.number = order_number();
        if (key) order_sign(key, request);
        reply = asking_one(ask, worker->control_url, request);
        if (reply && reply->status == ST_OK) return reply;
        if (reply == NULL || reply->status != ST_REFUSED || !passes(reply->fault)) break;
        uv_sleep(AGAIN_MS);
    } while (clock_boot_ms() < until);
    if (reply == NULL || reply->status != ST_REFUSED)
        *code = ctl_fail(CTL_EXIT_UNREACHABLE,
                         "the worker at %s does not answer; is it reached from "
                         "this machine?",
                         worker->control_url);
    else
        *code = ctl_fail(exit_of(reply->fault), "the worker refuses: %s", fault_text(reply->fault));
    return NULL;
}
