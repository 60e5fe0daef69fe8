/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop, and what is asked of the crowd as a whole.
 */
#include "drill/crowd.h"

#include "base/check.h"
#include "base/hash.h"
#include "ops/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 512,
    DUE_MAX = 4096,        /* in one turn */
    LOOK_MS = 20,          /* between two looks whether a condition holds */
    SLEEPY_MS = 25 * 1000, /* a turn of somebody who sleeps, and more */
    KIND_SHIFT = 32,       /* in the key of what is due */
};

static void arrange(struct crowd *crowd)
{
    struct crowd_client *next = crowd->clients;
    for (int r = 0; r < crowd->plan.rooms; r++) {
        struct crowd_room *room = &crowd->rooms[r];
        room->index = r;
        room->game = r % 20 == 5 ? "dobble" : r % 20 == 15 ? "davinci-code" : "number-baseball";
        room->bot = bot_find(room->game);
        CHECK(room->bot);
        room->clients = next;
        room->client_count = r % 10 == 5 ? CROWD_SEATS_MAX : 1;
        room->keen = r % 20 == 1;
        room->close = r % 5 == 0;
        room->due.key = 1ULL << KIND_SHIFT | (uint64_t)r;
        next += room->client_count;
        for (int i = 0; i < room->client_count; i++) {
            struct crowd_client *client = &room->clients[i];
            client->crowd = crowd;
            client->room = room;
            client->index = (int)(client - crowd->clients);
            client->due.key = (uint64_t)client->index;
            client->sleeps = i == 1 && r % 80 == 15;
            crowd_client_open(client);
        }
    }
}

struct crowd *crowd_open(const struct crowd_plan *plan)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    CHECK(crowd);
    crowd->plan = *plan;
    crowd->now = crowd->marked_at = clock_boot_ms();
    crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
    crowd->client_count = plan->rooms + (plan->rooms + 4) / 10 * (CROWD_SEATS_MAX - 1);
    crowd->rooms = calloc((size_t)plan->rooms, sizeof *crowd->rooms);
    crowd->clients = calloc((size_t)crowd->client_count, sizeof *crowd->clients);
    CHECK(crowd->epoll >= 0 && crowd->rooms && crowd->clients);
    files_raise();
    arrange(crowd);
    return crowd;
}

void crowd_close(struct crowd *crowd)
{
    if (crowd == NULL) return;
    for (int i = 0; i < crowd->client_count; i++) {
        ws_free(&crowd->clients[i].ws);
        free(crowd->clients[i].acts);
        free(crowd->clients[i].shown);
    }
    samples_fini(&crowd->back);
    samples_fini(&crowd->late);
    heap_fini(&crowd->due);
    close(crowd->epoll);
    free(crowd->rooms);
    free(crowd->clients);
    free(crowd);
}

uint32_t crowd_draw(struct crowd *crowd, uint32_t below)
{
    return (uint32_t)(hash_mix64(crowd->plan.seed + ++crowd->draws) % below);
}

void crowd_fault(struct crowd *crowd, const struct crowd_client *client, const char *what)
{
    if (crowd->counts.faults < CROWD_FAULTS_KEPT)
        snprintf(crowd->faults[crowd->counts.faults], sizeof *crowd->faults, "room %s, seat %d: %s",
                 client->room->code, client->ws.seat, what);
    crowd->counts.faults++;
}

uint64_t crowd_act_hash(bool command, struct slice bytes)
{
    uint64_t hash = command ? 2 : 1;
    for (size_t i = 0; i < bytes.len; i++) hash = hash_mix64(hash ^ bytes.at[i]);
    return hash;
}

struct id128 crowd_shown_hash(struct slice room, struct slice game, struct slice mine)
{
    struct buf all = {0};
    buf_put_sized(&all, room);
    buf_put_sized(&all, game);
    buf_put_sized(&all, mine);
    struct id128 hash = hash_128(buf_slice(&all));
    buf_fini(&all);
    return hash;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static int wait_ms(const struct crowd *crowd, instant_ms until)
{
    const struct heap_node *first = heap_first(&crowd->due);
    instant_ms at = first && first->at < until ? first->at : until;
    return at > crowd->now ? (int)(at - crowd->now) : 0;
}

static void run_due(struct crowd *crowd)
{
    for (int i = 0; i < DUE_MAX; i++) {
        struct heap_node *first = heap_first(&crowd->due);
        if (!first || first->at > crowd->now) return;
        uint64_t index = first->key & ((1ULL << KIND_SHIFT) - 1);
        heap_remove(&crowd->due, first);
        if (first->key >> KIND_SHIFT)
            crowd_room_due(crowd, &crowd->rooms[index]);
        else
            crowd_client_due(&crowd->clients[index]);
    }
}

static void turn(struct crowd *crowd, instant_ms until)
{
    struct epoll_event events[EVENTS_MAX];
    int count = epoll_wait(crowd->epoll, events, EVENTS_MAX, wait_ms(crowd, until));
    crowd->now = clock_boot_ms();
    for (int i = 0; i < count; i++) crowd_client_ready(events[i].data.ptr, events[i].events);
    run_due(crowd);
}

void crowd_play(struct crowd *crowd, int ms)
{
    crowd->now = clock_boot_ms();
    instant_ms until = crowd->now + (instant_ms)ms;
    do turn(crowd, until);
    while (crowd->now < until);
}

bool crowd_play_until(struct crowd *crowd, crowd_condition condition, int limit_ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)limit_ms;
    while (!condition(crowd)) {
        crowd_play(crowd, LOOK_MS);
        if (crowd->now >= until) return condition(crowd);
    }
    return true;
}

/* ---- conditions ------------------------------------------------------------------------------ */

bool crowd_all_seated(const struct crowd *crowd)
{
    for (int i = 0; i < crowd->client_count; i++)
        if (crowd->clients[i].phase != CROWD_SEATED) return false;
    return true;
}

bool crowd_all_play(const struct crowd *crowd)
{
    if (!crowd_all_seated(crowd)) return false;
    for (int i = 0; i < crowd->client_count; i++)
        if (crowd->clients[i].ws.view.game_number == 0) return false;
    return true;
}

static bool waits_long(const struct crowd *crowd, const struct crowd_client *client)
{
    return client->waits && crowd->now - client->sent_at > CROWD_CALM_MS;
}

bool crowd_is_calm(const struct crowd *crowd)
{
    if (crowd->now - crowd->marked_at < crowd->plan.pace_ms * 5 / 4) return false;
    for (int i = 0; i < crowd->client_count; i++)
        if (crowd->clients[i].phase != CROWD_SEATED || waits_long(crowd, &crowd->clients[i]))
            return false;
    return true;
}

bool crowd_games_ended(const struct crowd *crowd)
{
    for (int r = 0; r < crowd->plan.rooms; r++) {
        const struct crowd_room *room = &crowd->rooms[r];
        const struct ws_view *view = &room->clients[0].ws.view;
        bool sleepy = room->clients[room->client_count - 1].sleeps;
        bool on = view->state == WS_PLAYING || view->state == WS_PAUSED;
        if (!sleepy && on && view->game_number == room->marked_game) return false;
    }
    return true;
}

int crowd_stalled(const struct crowd *crowd, instant_ms since)
{
    int stalled = 0;
    for (int r = 0; r < crowd->plan.rooms; r++) {
        const struct crowd_room *room = &crowd->rooms[r];
        bool sleepy = room->clients[room->client_count - 1].sleeps;
        bool stands = sleepy ? crowd->now - room->moved_at > SLEEPY_MS : room->moved_at <= since;
        for (int i = 0; i < room->client_count; i++)
            stands |= waits_long(crowd, &room->clients[i]) || room->clients[i].phase < CROWD_SEATED;
        stalled += stands;
    }
    return stalled;
}

/* ---- times ----------------------------------------------------------------------------------- */

void crowd_mark(struct crowd *crowd)
{
    crowd->now = crowd->marked_at = clock_boot_ms();
    crowd->back.count = crowd->late.count = 0;
    for (int r = 0; r < crowd->plan.rooms; r++) {
        crowd->rooms[r].worst_wait = crowd->rooms[r].worst_gap = 0;
        crowd->rooms[r].marked_epoch = crowd->rooms[r].epoch;
        crowd->rooms[r].marked_game = crowd->rooms[r].clients[0].ws.view.game_number;
        crowd->rooms[r].answered_at = crowd->now;
        crowd->rooms[r].deaf = false;
    }
}

static void add_all(struct samples *to, const struct samples *from)
{
    for (size_t i = 0; i < from->count; i++) samples_add(to, from->ms[i]);
}

void crowd_gather(struct crowd *crowd, struct crowd_times *times)
{
    for (int r = 0; r < crowd->plan.rooms; r++) {
        const struct crowd_room *room = &crowd->rooms[r];
        if (room->deaf) continue;
        bool moved = room->epoch > room->marked_epoch;
        instant_ms gap = moved ? room->epoch_at - crowd->marked_at : 0;
        if (room->worst_gap > gap) gap = room->worst_gap;
        if (room->worst_wait) samples_add(&times->wait, room->worst_wait);
        if (gap) samples_add(&times->gap, gap);
        times->moved += moved;
    }
    add_all(&times->back, &crowd->back);
    add_all(&times->late, &crowd->late);
}

void crowd_times_fini(struct crowd_times *times)
{
    samples_fini(&times->wait);
    samples_fini(&times->gap);
    samples_fini(&times->back);
    samples_fini(&times->late);
}

void crowd_floor(struct crowd *crowd)
{
    for (int r = 0; r < crowd->plan.rooms; r++) crowd->rooms[r].floor = crowd->rooms[r].epoch;
}

/* ---- moods ----------------------------------------------------------------------------------- */

void crowd_keen(struct crowd *crowd, bool keen)
{
    crowd->keen = keen;
    for (int r = 0; keen && r < crowd->plan.rooms; r++)
        if (crowd->rooms[r].keen) heap_set(&crowd->due, &crowd->rooms[r].due, crowd->now);
}

void crowd_deaf(struct crowd *crowd, bool deaf)
{
    for (int i = 0; i < crowd->client_count; i += 10) {
        crowd->clients[i].room->deaf |= deaf;
        crowd_client_deaf(&crowd->clients[i], deaf && crowd->clients[i].phase == CROWD_SEATED);
    }
}
