/* SPDX-License-Identifier: Apache-2.0
 *
 * What to tell of a run that failed: the fewest faults with which the same check still fails, and
 * the end of the trace of those concerned. Faults are left out in ever smaller groups (delta
 * debugging), then the calm comes as early as it may. What is left is a run like any other, and can
 * be repeated. It stops when it has handled so many events, so its answer does not depend on the
 * machine.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/check.h"
#include "sim/play.h"

enum { EVENTS_MAX = 40 * 1000 * 1000, LINES_SHOWN = 40, CONCERNED_MAX = 16 };

struct outcome {
    const char *failed_by; /* NULL: it did not fail */
    instant_ms at, last_fault_at;
    struct fault_list happened; /* sorted */
};

struct search {
    struct sim_config config; /* the shortest that fails so far; .only_faults is &best */
    struct fault_list best;
    const char *failed_by;
    uint64_t events; /* handled so far */
    int runs;
};

static struct outcome run(struct search *search, const struct sim_config *config)
{
    struct play play;
    play_run(&play, config);
    struct world *world = play.world;
    struct outcome outcome = {.failed_by = world->failed_by,
                              .at = world->now,
                              .last_fault_at = world->last_fault_at,
                              .happened = world->happened};
    world->happened = (struct fault_list){0};
    fault_list_sort(&outcome.happened);
    search->events += world->counts.events;
    search->runs++;
    play_close(&play);
    return outcome;
}

/* Keeps what is tried when it fails as the first run did; of its faults those that did happen. */
static bool keep_if_it_fails(struct search *search, const struct sim_config *tried)
{
    struct outcome outcome = run(search, tried);
    bool same = outcome.failed_by == search->failed_by;
    if (same) {
        fault_list_fini(&search->best);
        search->best = outcome.happened;
        search->config = *tried;
        search->config.only_faults = &search->best;
    } else {
        fault_list_fini(&outcome.happened);
    }
    return same;
}

static bool spent(const struct search *search)
{
    return search->events >= EVENTS_MAX;
}

/* Tries without the faults first .. first + count - 1. */
static bool leave_out(struct search *search, size_t first, size_t count)
{
    struct fault_list rest = {0};
    for (size_t i = 0; i < search->best.count; i++)
        if (i < first || i >= first + count) fault_list_add(&rest, search->best.list[i]);
    struct sim_config tried = search->config;
    tried.only_faults = &rest;
    bool kept = keep_if_it_fails(search, &tried);
    fault_list_fini(&rest);
    return kept;
}

static void leave_out_kinds(struct search *search)
{
    for (int kind = 0; kind < FAULT_COUNT && !spent(search); kind++) {
        size_t first = 0, count = 0;
        while (first < search->best.count && search->best.list[first].kind != (enum fault)kind)
            first++;
        while (first + count < search->best.count &&
               search->best.list[first + count].kind == (enum fault)kind)
            count++;
        if (count) leave_out(search, first, count);
    }
}

static void leave_out_groups(struct search *search)
{
    for (size_t size = (search->best.count + 1) / 2; size && !spent(search);) {
        bool shorter = false;
        for (size_t first = 0; first < search->best.count && !spent(search);) {
            if (leave_out(search, first, size))
                shorter = true;
            else
                first += size;
        }
        if (size == 1 && !shorter) return;
        if (size > 1) size = (size + 1) / 2;
    }
}

/* When it fails in the calm, that may begin with the last fault. */
static void bring_the_calm_forward(struct search *search)
{
    struct outcome outcome = run(search, &search->config);
    struct sim_config tried = search->config;
    instant_ms after = tried.end_at - tried.calm_at;
    tried.calm_at = outcome.last_fault_at + 1;
    tried.end_at = tried.calm_at + after;
    fault_list_fini(&outcome.happened);
    if (outcome.at > search->config.calm_at) keep_if_it_fails(search, &tried);
}

/* ---- what is told ---------------------------------------------------------------------------- */

struct concerned {
    const char *names[CONCERNED_MAX];
    int count;
};

static void concern(struct concerned *who, const char *name)
{
    for (int i = 0; i < who->count; i++)
        if (!strcmp(who->names[i], name)) return;
    if (who->count < CONCERNED_MAX) who->names[who->count++] = name;
}

static bool names(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool starts = at == text || !isalnum((unsigned char)at[-1]);
        if (starts && !isalnum((unsigned char)at[len])) return true;
    }
    return false;
}

static const struct sim_node *owner_of(const struct world *world, room_id room)
{
    struct model_view look;
    if (!room || !model_store_look(world->store, room, &look)) return NULL;
    for (int i = 0; i < world->node_count; i++)
        if (id128_equal(world->nodes[i].instance, look.owner)) return &world->nodes[i];
    return NULL;
}

/* Whoever the failure names; a player's gateway and its room's owner; a room's players. */
static void find_concerned(const struct world *world, struct concerned *who)
{
    for (int i = 0; i < world->node_count; i++)
        if (names(world->failure, node_name(&world->nodes[i])))
            concern(who, node_name(&world->nodes[i]));
    for (int i = 0; i < world->player_count; i++) {
        const struct player *player = &world->players[i];
        char room[32];
        snprintf(room, sizeof room, "%llx", (unsigned long long)player->room);
        bool of_room = player->room && names(world->failure, room);
        if (!of_room && !names(world->failure, player->name)) continue;
        concern(who, player->name);
        if (player->socket) concern(who, node_name(&world->nodes[player->gateway]));
        const struct sim_node *owner = owner_of(world, player->room);
        if (owner) concern(who, node_name(owner));
    }
}

/* A line is an instant, whom it is about, a colon and what. */
static bool shown(const struct concerned *who, const char *line)
{
    const char *subject = line + strspn(line, " 0123456789.");
    size_t len = strcspn(subject, ":");
    if (strstr(subject, "here comes")) return true;
    if (!who->count || !strncmp(subject, "store", len)) return true;
    for (int i = 0; i < who->count; i++)
        if (strlen(who->names[i]) == len && !strncmp(subject, who->names[i], len)) return true;
    return false;
}

static void tell_trace(const struct world *world, char *trace, FILE *out)
{
    struct concerned who = {.count = 0};
    find_concerned(world, &who);
    const char *last[LINES_SHOWN] = {0};
    size_t count = 0;
    char *rest = trace;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line && shown(&who, line)) last[count++ % LINES_SHOWN] = line;
    fprintf(out, "the end of its trace, of");
    for (int i = 0; i < who.count; i++) fprintf(out, " %s", who.names[i]);
    fprintf(out, "%s\n", who.count ? " and of faults:" : " all:");
    for (size_t i = count > LINES_SHOWN ? count - LINES_SHOWN : 0; i < count; i++)
        fprintf(out, "  %s\n", last[i % LINES_SHOWN]);
}

/* Runs the shortest again, with its trace. */
static void tell_shortest(const struct search *search, instant_ms calm_at, FILE *out)
{
    char *trace = NULL;
    size_t size;
    struct sim_config config = search->config;
    config.trace = open_memstream(&trace, &size);
    CHECK(config.trace);
    struct play play;
    play_run(&play, &config);
    const struct world *world = play.world;
    CHECK(fclose(config.trace) == 0 && world->failure);
    fprintf(out, "shortened in %d runs to %zu fault(s), at %.3f s: %s\n", search->runs,
            search->best.count, (double)world->now / 1000, world->failure);
    fprintf(out, "repeat that: make sim SEED=%llu FAULTS=", (unsigned long long)config.seed);
    fault_list_write(&search->best, out);
    fputs(config.drawn, out);
    if (config.calm_at != calm_at) fprintf(out, " CALM=%llu", (unsigned long long)config.calm_at);
    fputc('\n', out);
    tell_trace(world, trace, out);
    play_close(&play);
    free(trace);
}

void sim_explain(const struct sim_config *config, FILE *out)
{
    struct search search = {.config = *config};
    search.config.trace = NULL;
    struct outcome first = run(&search, &search.config);
    search.failed_by = first.failed_by;
    search.best = first.happened;
    if (!first.failed_by) {
        fprintf(out, "it does not fail again: something in it does not come from the seed\n");
        fault_list_fini(&search.best);
        return;
    }
    search.config.only_faults = &search.best;
    leave_out_kinds(&search);
    leave_out_groups(&search);
    if (search.best.count && !spent(&search)) bring_the_calm_forward(&search);
    tell_shortest(&search, config->calm_at, out);
    fault_list_fini(&search.best);
}
