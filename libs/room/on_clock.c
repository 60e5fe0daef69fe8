/* SPDX-License-Identifier: Apache-2.0
 *
 * What waits, and what the clock does about it. Deadlines are not stored but follow from the state;
 * equal ones fire in the order of next_due.
 */
#include "base/check.h"
#include "room/state.h"

static instant_ms after(instant_ms since, instant_ms ms)
{
    return since == INSTANT_NEVER ? INSTANT_NEVER : since + ms;
}

struct candidate {
    enum room_due due;
    instant_ms at;
};

static void offer(struct candidate *best, enum room_due due, instant_ms at)
{
    if (at < best->at) *best = (struct candidate){due, at};
}

static void due_in_game(const struct room *room, struct candidate *best)
{
    struct game_status status;
    if (!room->game->minds_absence && !MUTANT(game_goes_on_alone))
        offer(best, ROOM_DUE_PAUSE, after(room->quiet_since, ROOM_GRACE_MS));
    room->game->status(room->game_state, &status);
    offer(best, ROOM_DUE_GAME, after(status.deadline, room->behind));
}

/* When the host of a room without a game has been away too long for the others; never when there
 * are none. */
static instant_ms host_due(const struct room *room)
{
    const struct room_seat *host = room_seat_at(room, room_seat_of_member(room, room->host));
    if (host == NULL || host->connected || room_longest_seated(room, room->host) == 0)
        return INSTANT_NEVER;
    instant_ms since = host->away_since > room->phase_since ? host->away_since : room->phase_since;
    return after(since, ROOM_HOST_AWAY_MS);
}

static void due_outside_game(const struct room *room, struct candidate *best)
{
    if (room->put_away) {
        offer(best, ROOM_DUE_DELETE, after(room->put_away_since, ROOM_KEEP_MS));
        return;
    }
    if (room->quick) offer(best, ROOM_DUE_QUICK, after(room->quick_since, ROOM_QUICK_MS));
    offer(best, ROOM_DUE_HOST, host_due(room));
    offer(best, ROOM_DUE_PUT_AWAY, after(room->quiet_since, ROOM_IDLE_MS));
}

enum room_due room_next_due(const struct room *room, instant_ms *at)
{
    struct candidate best = {ROOM_DUE_NOTHING, INSTANT_NEVER};
    if (room->phase == ROOM_PLAYING)
        due_in_game(room, &best);
    else if (room->phase == ROOM_PAUSED)
        offer(&best, ROOM_DUE_ABANDON, after(room->phase_since, ROOM_ABANDON_MS));
    else if (!room->deleted)
        due_outside_game(room, &best);
    *at = best.at;
    return best.due;
}

static void pause_game(struct change *change)
{
    change->room->phase = ROOM_PAUSED;
    change->room->phase_since = change->at;
    change->out->changed |= SECTION_ROOM;
    room_tell(change, ROOM_PAUSED_NOW, -1);
}

static void game_clock(struct change *change)
{
    struct game_input input = {.kind = GAME_CLOCK, .seat = -1};
    struct refusal unused;
    CHECK(room_game_input(change, &input, &unused) == ST_OK);
}

/* With whoever is there, else as an ordinary room that strangers find. */
static void quick_start(struct change *change)
{
    struct room *room = change->room;
    int unused;
    if (room_start_fault(room, &unused) == REASON_NONE) {
        room_game_start(change);
        return;
    }
    room->quick = false;
    room->is_public = true;
    change->out->changed |= SECTION_ROOM;
    room_tell(change, ROOM_OPTIONS, -1);
}

static void put_away(struct change *change)
{
    change->room->put_away = true;
    change->room->put_away_since = change->at;
    change->out->put_away = true;
}

enum room_verdict room_on_clock(struct change *change)
{
    struct room *room = change->room;
    if (change->at < room->deadline) return ROOM_SAME;
    switch (room->due) {
    case ROOM_DUE_NOTHING: return ROOM_SAME;
    case ROOM_DUE_PAUSE: pause_game(change); break;
    case ROOM_DUE_GAME: game_clock(change); break;
    case ROOM_DUE_ABANDON: room_game_abandon(change); break;
    case ROOM_DUE_QUICK: quick_start(change); break;
    case ROOM_DUE_HOST: room_pass_host(change); break;
    case ROOM_DUE_PUT_AWAY: put_away(change); break;
    case ROOM_DUE_DELETE:
        room->deleted = true;
        change->out->deleted = true;
        break;
    }
    return ROOM_ACCEPTED;
}
