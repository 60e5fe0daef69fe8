/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking workers to adopt rooms. A worker that dies leaves thousands of rooms at once. What another
 * one is to take of them stands in its line and leaves it in requests of bounded size, a few of
 * them open at a time: it is asked for no more than it loads meanwhile, and never answers "full".
 */
#include <stdlib.h>

#include "base/check.h"
#include "matchmaker/matchmaker_state.h"

void adopt_queue(struct matchmaker_core *core, struct known_member *worker, room_id room)
{
    struct adopt_line *line = &worker->adopts;
    if (line->first > 0 && line->first + line->count == line->room) {
        memmove(line->list, line->list + line->first, line->count * sizeof *line->list);
        line->first = 0;
    }
    if (line->count == line->room) {
        line->room = line->room ? 2 * line->room : 64;
        line->list = realloc(line->list, line->room * sizeof *line->list);
        CHECK(line->list);
    }
    line->list[line->first + line->count++] = room;
    worker->given++;
    core->adopts_wait = true;
}

static void take_off(struct adopt_line *line, size_t count)
{
    line->first += count;
    line->count -= count;
    if (line->count == 0) line->first = 0;
}

/* The next rooms of its line, in one request. */
static void ask(struct matchmaker_core *core, struct known_member *worker)
{
    struct adopt_line *line = &worker->adopts;
    size_t count = line->count < MATCHMAKER_ADOPT_MAX ? line->count : MATCHMAKER_ADOPT_MAX;
    const room_id *rooms = line->list + line->first;
    struct request *request = NULL;
    struct pending *asked =
        ask_peer(core, PENDING_ADOPT, worker->is.control_url, &request, REQ_WORKER_ADOPT);
    if (!asked) {
        for (size_t i = 0; i < count; i++) place_failed(core, rooms[i]);
        take_off(line, count);
        return;
    }
    worker->adopts.open++;
    core->adopts_open++;
    asked->worker = worker->is.instance;
    asked->rooms = malloc(count * sizeof *asked->rooms);
    CHECK(asked->rooms);
    memcpy(asked->rooms, rooms, count * sizeof *rooms);
    asked->room_count = request->room_count = (int)count;
    request->rooms = arena_alloc(&core->out->arena, count * sizeof *request->rooms);
    for (size_t i = 0; i < count; i++) request->rooms[i] = place_asked(core, rooms[i]);
    take_off(line, count);
}

void adopt_flush(struct matchmaker_core *core)
{
    if (!core->adopts_wait)
        return; /* a thousand workers, and an event for each many times a second */
    core->adopts_wait = false;
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    for (int i = 0; i < workers->count; i++) {
        struct known_member *worker = workers->list[i];
        while (worker->adopts.count > 0 && worker->adopts.open < MATCHMAKER_ADOPTS_OPEN_MAX)
            ask(core, worker);
    }
}

bool adopt_open(const struct matchmaker_core *core)
{
    return core->adopts_open > 0;
}

void adopt_give_up(struct matchmaker_core *core, struct known_member *worker)
{
    struct adopt_line *line = &worker->adopts;
    for (size_t i = 0; i < line->count; i++) place_failed(core, line->list[line->first + i]);
    take_off(line, line->count);
}

void adopt_on_reply(struct matchmaker_core *core, struct pending *asked, const struct reply *reply)
{
    struct known_member *worker = member_find(core, asked->worker);
    uint64_t adopted = 0;
    if (worker) worker->adopts.open--;
    core->adopts_open--;
    core->adopts_wait = true;
    for (int i = 0; i < asked->room_count; i++) {
        enum status status = ST_UNAVAILABLE;
        uint64_t epoch = 0;
        for (int k = 0; reply->status == ST_OK && k < reply->adopted_count; k++) {
            /* Answers come in the order of the question; looking at the same index first keeps this
             * linear. */
            int at = (i + k) % reply->adopted_count;
            if (reply->adopted[at].room != asked->rooms[i]) continue;
            status = reply->adopted[at].status;
            epoch = reply->adopted[at].epoch;
            break;
        }
        if (status == ST_OK) {
            adopted++;
            place_done(core, asked->rooms[i], epoch);
        } else {
            place_failed(core, asked->rooms[i]);
        }
    }
    if (adopted) note(core, "rooms.placed", adopted, (uint64_t)asked->room_count);
}
