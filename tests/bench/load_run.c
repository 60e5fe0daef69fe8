/* SPDX-License-Identifier: Apache-2.0
 *
 * One process with its share of the people: the loop, what is due when, and the phases.
 */
#include "bench/load.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 64,       /* few, so that what is due is not late */
    DUE_MAX = 256,         /* in one turn */
    WAIT_US = 5000,        /* at most: the phase may change */
    LOOK_US = 1000 * 1000, /* each room and each person is looked at once in */
    MILLION = 1000000,
};

uint64_t load_clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * MILLION + (uint64_t)now.tv_nsec / 1000;
}

uint32_t load_draw(struct load *load, uint32_t below)
{
    return (
        uint32_t)(hash_mix64(load->plan->seed + ((uint64_t)load->process << 48) + ++load->draws) %
                  below);
}

bool load_measures(const struct load *load)
{
    return load->phase == LOAD_MEASURE;
}

void load_error(struct load *load, enum load_error error)
{
    if (load_measures(load)) load->share->figures.errors[error]++;
}

void load_fault(const struct load_client *client, enum load_fault fault, const char *what)
{
    struct load_share *share = client->load->share;
    uint64_t before = 0;
    for (int i = 0; i < LOAD_FAULT_COUNT; i++) before += share->faults[i];
    if (before < LOAD_FAULTS_KEPT)
        snprintf(share->said[before], sizeof *share->said, "room %s, seat %d, version %llu: %s",
                 client->room->code, client->seat, (unsigned long long)client->version.seq, what);
    share->faults[fault]++;
}

/* ---- who there is ---------------------------------------------------------------------------- */

/* How many of `all` are this process' when they are dealt out one by one. */
static int part_of(int all, const struct load *load)
{
    return all / load->plan->processes + (load->process < all % load->plan->processes);
}

static void arrange(struct load *load)
{
    const struct load_plan *plan = load->plan;
    int playing = part_of(plan->rooms, load), idle = part_of(plan->idle, load);
    load->client_count = playing * plan->players + idle;
    load->room_count = playing + (idle + plan->players - 1) / plan->players;
    load->clients = calloc((size_t)load->client_count + 1, sizeof *load->clients);
    load->rooms = calloc((size_t)load->room_count + 1, sizeof *load->rooms);
    load->free = calloc((size_t)load->room_count + 1, sizeof(struct load_room *));
    CHECK(load->clients && load->rooms && load->free);
    for (int r = 0, next = 0; r < load->room_count; r++) {
        struct load_room *room = &load->rooms[r];
        int left = load->client_count - next;
        room->load = load;
        room->idles = r >= playing;
        room->due.key = (1ULL << 32) + (uint64_t)r;
        room->clients = &load->clients[next];
        room->count = left < plan->players ? left : plan->players;
        room->turn = r % room->count;
        for (int i = 0; i < room->count; i++, next++)
            load_client_open(&load->clients[next], load, room, (uint32_t)next);
    }
}

/* ---- what is due ----------------------------------------------------------------------------- */

static void run_due(struct load *load)
{
    for (int i = 0; i < DUE_MAX; i++) {
        struct heap_node *first = heap_first(&load->due);
        if (!first || first->at > load->now_us / 1000) return;
        heap_remove(&load->due, first);
        if (first->key >> 32)
            load_room_due(&load->rooms[(uint32_t)first->key]);
        else
            load_client_due(&load->clients[first->key]);
    }
}

/* Goes round all of them once a second, a few in each turn. */
static void look_round(struct load *load)
{
    uint64_t passed = load->now_us - load->looked_us;
    uint64_t steps = passed * (uint64_t)load->client_count / LOOK_US;
    if (steps == 0) return;
    load->looked_us = load->now_us;
    if (steps > (uint64_t)load->client_count) steps = (uint64_t)load->client_count;
    while (steps--) {
        struct load_client *client = &load->clients[load->look_at];
        load->look_at = (load->look_at + 1) % load->client_count;
        load_client_look(client);
        if (client == client->room->clients) load_room_look(client->room);
    }
}

/* Sends what may go out now. */
static void act(struct load *load)
{
    if (load->phase < LOAD_WARM || load->phase > LOAD_MEASURE) return;
    if (load->interval_us == 0) {
        while (load->flights < load->flights_max && load_room_act(load, 0)) continue;
        return;
    }
    while (load->next_us <= (double)load->now_us) {
        if (!load_room_act(load, (uint64_t)load->next_us)) {
            /* Most rooms do not wait for the cluster: they are between two games. */
            load->starving = load->flights * 2 < part_of(load->plan->rooms, load);
            return;
        }
        if (load->starving && load_measures(load)) load->share->figures.starved++;
        load->next_us += load->interval_us;
    }
    load->starving = false;
}

/* Some people are cut off, as by a lift, and come back at once. */
static void storm(struct load *load)
{
    const struct load_plan *plan = load->plan;
    if (plan->storm_s == 0 || !load_measures(load) || load->now_us < load->storm_us) return;
    load->storm_us += (uint64_t)(plan->storm_s * MILLION);
    for (int i = 0; i < load->client_count; i++) {
        struct load_client *client = &load->clients[i];
        if (client->state != LOAD_SEATED) continue;
        if (load_draw(load, 100) >= (uint32_t)plan->storm_percent) continue;
        load_client_lose(client, LOAD_ERROR_COUNT, true);
    }
}

/* ---- phases ---------------------------------------------------------------------------------- */

static uint64_t own_cpu_us(uint64_t *memory_kb)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *memory_kb = (uint64_t)usage.ru_maxrss;
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * MILLION +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void end_measuring(struct load *load)
{
    struct load_figures *figures = &load->share->figures;
    figures->cpu_us = own_cpu_us(&figures->memory_kb) - load->cpu_us;
    figures->measured_us = load->now_us - load->measure_us;
    if (load->interval_us == 0) return;
    /* What was due and could not go out has waited at least until now. */
    for (; load->next_us < (double)load->now_us; load->next_us += load->interval_us) {
        uint64_t waited = load->now_us - (uint64_t)load->next_us;
        figures->unsent++;
        figures->starved += load->starving;
        latency_add(&figures->own, waited);
        latency_add(&figures->last, waited);
    }
}

static void follow_phase(struct load *load)
{
    enum load_phase phase = __atomic_load_n(&load->shared->phase, __ATOMIC_ACQUIRE);
    if (phase == load->phase) return;
    if (load->phase == LOAD_MEASURE) end_measuring(load);
    if (phase == LOAD_MEASURE) {
        load->measure_us = load->storm_us = load->now_us;
        load->storm_us += (uint64_t)(load->plan->storm_s * MILLION);
        load->cpu_us = own_cpu_us(&load->share->figures.memory_kb);
    }
    if (phase == LOAD_SETTLE) load->settling = true;
    if (phase == LOAD_WARM)
        load->next_us = (double)load->now_us +
                        load->interval_us * load->process / (double)load->plan->processes;
    load->phase = phase;
    for (int r = 0; r < load->room_count; r++) load_room_changed(&load->rooms[r]);
}

static int missing(struct load *load, bool tell)
{
    int count = 0;
    for (int i = 0; i < load->client_count; i++) {
        const struct load_client *client = &load->clients[i];
        bool newest = version_compare(client->version, client->room->newest) == 0;
        if (client->state == LOAD_SEATED && newest) continue;
        count++;
        if (tell && client->state == LOAD_SEATED)
            load_fault(client, LOAD_FAULT_MISSING, "the last version did not arrive");
    }
    return count;
}

static void tell_state(struct load *load)
{
    uint64_t playing = 0;
    for (int r = 0; r < load->room_count; r++) {
        const struct load_room *room = &load->rooms[r];
        playing += !room->idles && room->view.state == WS_PLAYING;
    }
    load->share->playing = playing;
    if (load->phase == LOAD_SETTLE && load->flights == 0 && missing(load, false) == 0)
        load->share->settled = true;
}

/* To the microsecond: an action that goes out late counts as one that took longer. */
static struct timespec pause_of(const struct load *load)
{
    uint64_t now = load_clock_us(), until = now + WAIT_US;
    const struct heap_node *first = heap_first(&load->due);
    bool acts = load->interval_us > 0 && load->free_count > 0 && load->phase >= LOAD_WARM;
    if (first && first->at * 1000 < until) until = first->at * 1000;
    if (acts && load->next_us < (double)until) until = (uint64_t)load->next_us;
    return (struct timespec){.tv_nsec = until > now ? (long)(until - now) * 1000 : 0};
}

static void turn(struct load *load)
{
    struct epoll_event events[EVENTS_MAX];
    struct timespec pause = pause_of(load);
    int count = epoll_pwait2(load->epoll, events, EVENTS_MAX, &pause, NULL);
    uint64_t woke_us = load->now_us = load_clock_us();
    for (int i = 0; i < count; i++) {
        load_client_ready(events[i].data.ptr);
        act(load);
    }
    load->now_us = load_clock_us();
    follow_phase(load);
    run_due(load);
    look_round(load);
    storm(load);
    act(load);
    if (load_measures(load)) latency_add(&load->share->figures.turn, load_clock_us() - woke_us);
}

/* ---- from begin to end ----------------------------------------------------------------------- */

static void close_all(struct load *load)
{
    for (int i = 0; i < load->client_count; i++) {
        line_cut(&load->clients[i].line);
        buf_fini(&load->clients[i].view);
        buf_fini(&load->clients[i].game);
        buf_fini(&load->clients[i].mine);
    }
    for (int r = 0; r < load->room_count; r++) buf_fini(&load->rooms[r].game);
    heap_fini(&load->due);
    close(load->epoll);
    free(load->free);
    free(load->rooms);
    free(load->clients);
}

void load_run(const struct load_plan *plan, struct load_shared *shared, int process)
{
    struct load load = {.plan = plan, .shared = shared, .process = process};
    load.share = &shared->share[process];
    load.now_us = load.looked_us = load_clock_us();
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    prctl(PR_SET_TIMERSLACK, 1UL);
    CHECK(load.epoll >= 0);
    load.bot = bot_find(plan->game);
    load.lean = !strcmp(plan->game, "dobble");
    load.flights_max = part_of(plan->in_flight ? plan->in_flight : plan->rooms, &load);
    if (plan->rate > 0) load.interval_us = MILLION * plan->processes / plan->rate;
    arrange(&load);
    uint64_t told_us = 0;
    while (load.phase != LOAD_END) {
        turn(&load);
        if (load.now_us - told_us < 100 * 1000) continue;
        tell_state(&load);
        told_us = load.now_us;
    }
    if (load.settling && !load.share->settled) missing(&load, true);
    close_all(&load);
}
