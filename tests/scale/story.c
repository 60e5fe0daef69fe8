/* SPDX-License-Identifier: Apache-2.0 */
#include "scale/story.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 10, OWNED_WITHIN_MS = 30 * 1000, EVEN_WITHIN_MS = 120 * 1000, BEGIN_MS = 3000 };
static const double EVEN = 1.1; /* the fullest worker against the mean */

struct story {
    const struct story_plan *plan;
    struct story_figures *out;
    struct scale_world *world;
    char wrong[200];
};

__attribute__((format(printf, 2, 3))) static void tell(struct story *story, const char *format, ...)
{
    if (!story->plan->tell) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(story->plan->tell, "> ");
    vfprintf(story->plan->tell, format, arguments);
    fprintf(story->plan->tell, "\n");
    fflush(story->plan->tell);
    va_end(arguments);
}

/* False, for `return fail(...)`. */
__attribute__((format(printf, 2, 3))) static bool fail(struct story *story, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(story->wrong, sizeof story->wrong, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_even(const struct story *story)
{
    return look_balance(story->world).ratio <= EVEN;
}

/* Nothing is on its way any more: who owns what must fit together. The crowd rests meanwhile. */
static bool all_is_well(struct story *story)
{
    story->world->crowd_rests = true;
    size_t kept = story->world->config.rooms_kept;
    story->world->config.rooms_kept = 0;
    scale_run(story->world, 2500);
    const char *fault = look_for_faults(story->world);
    story->world->crowd_rests = false;
    story->world->config.rooms_kept = kept;
    return !fault || fail(story, "%s", fault);
}

/* ---- rooms come ------------------------------------------------------------------------------ */

static bool fill(struct story *story)
{
    struct scale_world *world = story->world;
    for (int i = 0; i < 3; i++) {
        size_t wanted = story->plan->marks[i];
        instant_ms from = scale_now(world);
        size_t had = world->rooms.count;
        while (world->rooms.count < wanted) {
            scale_run(world, 1000);
            if (world->rooms.count <= had) return fail(story, "no more rooms come");
            had = world->rooms.count;
        }
        struct scale_balance balance = look_balance(world);
        story->out->rooms[i] = world->rooms.count;
        story->out->ratio[i] = balance.ratio;
        tell(story, "%zu rooms on %d workers after %.0f s more: max/mean %.3f (%u, %.1f)",
             world->rooms.count, balance.workers, (double)(scale_now(world) - from) / 1000,
             balance.ratio, balance.max, balance.mean);
    }
    double last = story->out->ratio[2];
    return last <= EVEN || fail(story, "rooms do not lie evenly: max/mean %.3f", last);
}

static double us_each(const struct scale_cost *cost, enum scale_work work)
{
    return cost->steps[work] ? (double)cost->ns[work] / 1000 / (double)cost->steps[work] : 0;
}

static uint64_t all_ns(const struct scale_cost *cost)
{
    uint64_t sum = 0;
    for (int i = 0; i < SCALE_WORK_COUNT; i++) sum += cost->ns[i];
    return sum;
}

/* Rooms come and go for ten seconds, and nothing else happens. */
static bool live_on(struct story *story)
{
    struct scale_world *world = story->world;
    struct scale_cost none = {{0}, {0}};
    uint64_t tickets = world->counts.tickets, closed = world->counts.closed;
    world->matchmaker_cost = world->worker_cost = none;
    scale_run(world, 10 * 1000);
    const struct scale_cost *cost = &world->matchmaker_cost;
    struct story_figures *out = story->out;
    uint64_t placing_ns = cost->ns[SCALE_WORK_tickets] + cost->ns[SCALE_WORK_creates];
    out->place_us = us_each(cost, SCALE_WORK_creates);
    out->ticket_us = (double)placing_ns / 1000 / (double)(world->counts.tickets - tickets);
    out->heartbeat_us = us_each(cost, SCALE_WORK_heartbeats);
    out->matchmaker_busy = (double)all_ns(cost) / 1e10 / world->config.matchmakers;
    out->worker_busy = (double)all_ns(&world->worker_cost) / 1e10 / look_balance(world).workers;
    tell(story,
         "a matchmaker's processor: %.1f us to place a room, %.1f us for a ticket in all, "
         "%.1f us for a heartbeat; %.1f %% of one, a worker %.2f %%",
         out->place_us, out->ticket_us, out->heartbeat_us, 100 * out->matchmaker_busy,
         100 * out->worker_busy);
    if (world->counts.closed == closed) return fail(story, "rooms that are over do not go");
    return all_is_well(story);
}

/* ---- workers go ------------------------------------------------------------------------------ */

static struct scale_node *worker_up(struct scale_world *world, int number)
{
    for (int i = 0; i < world->node_count; i++)
        if (world->nodes[i].kind == SERVICE_WORKER && world->nodes[i].up && number-- == 0)
            return &world->nodes[i];
    return NULL;
}

static bool all_owned(struct scale_world *world, const struct id128 *dead, int count)
{
    for (int i = 0; i < count; i++)
        if (look_owned(world, dead[i], 1)) return false;
    return true;
}

static bool until_even(struct story *story, instant_ms *took_ms)
{
    instant_ms from = scale_now(story->world);
    scale_run(story->world, WORKER_HEARTBEAT_MS); /* what they tell is that old */
    while (!is_even(story) && scale_now(story->world) - from < EVEN_WITHIN_MS)
        scale_run(story->world, WORKER_HEARTBEAT_MS);
    *took_ms = scale_now(story->world) - from;
    return is_even(story) || fail(story, "rooms do not lie evenly again");
}

static bool falls(struct story *story, const char *what, int count, bool refuses,
                  struct story_fall *out)
{
    struct scale_world *world = story->world;
    struct id128 dead[SCALE_NODES_MAX];
    struct scale_cost none = {{0}, {0}};
    *out = (struct story_fall){.workers = count};
    for (int i = 0; i < count; i++) {
        struct scale_node *node = worker_up(world, i * 7);
        dead[i] = node->instance;
        out->rooms += look_owned(world, dead[i], 1000000);
        node_kill(world, node, refuses);
    }
    world->matchmaker_cost = world->worker_cost = none;
    instant_ms from = scale_now(world);
    while (!all_owned(world, dead, count) && scale_now(world) - from < OWNED_WITHIN_MS)
        scale_run(world, STEP_MS);
    out->owned_ms = scale_now(world) - from;
    double rooms = (double)out->rooms * 1000;
    out->matchmaker_us = (double)world->matchmaker_cost.ns[SCALE_WORK_adoptions] / rooms;
    out->worker_us = (double)world->worker_cost.ns[SCALE_WORK_adoptions] / rooms;
    if (!all_owned(world, dead, count)) return fail(story, "%s: rooms stay without an owner", what);
    if (!until_even(story, &out->even_ms)) return false;
    out->ratio = look_balance(world).ratio;
    tell(story,
         "%s: %llu rooms of %d workers owned again after %llu ms, even %llu ms later "
         "(max/mean %.3f); %.1f us of matchmakers and %.1f us of workers a room",
         what, (unsigned long long)out->rooms, count, (unsigned long long)out->owned_ms,
         (unsigned long long)out->even_ms, out->ratio, out->matchmaker_us, out->worker_us);
    return all_is_well(story);
}

static bool join(struct story *story)
{
    struct scale_world *world = story->world;
    for (int i = 0; i < story->plan->newcomers; i++) node_open(world, SERVICE_WORKER);
    scale_run(world, 2 * WORKER_HEARTBEAT_MS);
    story->out->join_ratio = look_balance(world).ratio;
    if (!until_even(story, &story->out->join_even_ms)) return false;
    tell(story, "%d new workers: max/mean %.3f, even after %llu ms", story->plan->newcomers,
         story->out->join_ratio, (unsigned long long)story->out->join_even_ms);
    return all_is_well(story);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Nobody new asks: every ticket gets its one answer, and nothing is left of it all but rooms. */
static bool come_to_rest(struct story *story)
{
    struct scale_world *world = story->world;
    world->crowd_rests = true;
    scale_run(world, MATCHMAKER_QUICK_MS + 5000);
    if (world->tickets.count)
        return fail(story, "%zu tickets have no answer", world->tickets.count);
    const struct scale_counts *counts = &world->counts;
    if (counts->placed != counts->tickets || counts->refused || counts->lost)
        return fail(story, "of %llu tickets %llu got a room, %llu were refused, %llu lost",
                    (unsigned long long)counts->tickets, (unsigned long long)counts->placed,
                    (unsigned long long)counts->refused, (unsigned long long)counts->lost);
    for (int i = 0; i < world->config.matchmakers; i++) {
        struct matchmaker_queues queues;
        matchmaker_core_queues(world->nodes[i].matchmaker, &queues);
        if (queues.tickets.depth || queues.placements.depth || queues.sweeps.depth)
            return fail(story, "a matchmaker keeps %llu tickets, %llu placements, %llu sweeps",
                        (unsigned long long)queues.tickets.depth,
                        (unsigned long long)queues.placements.depth,
                        (unsigned long long)queues.sweeps.depth);
    }
    uint64_t refused = look_refused(world, stderr);
    if (refused) return fail(story, "bounds were met %llu times", (unsigned long long)refused);
    return all_is_well(story);
}

static double processor_s(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static double resident_bytes(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu %lu", &pages, &resident) != 2) resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static bool go(struct story *story)
{
    struct scale_world *world = story->world;
    struct story_figures *out = story->out;
    scale_run(world, BEGIN_MS);
    world->crowd_rests = false;
    bool went = fill(story);
    out->resident_bytes_per_room = resident_bytes() / (double)(world->rooms.count + 1);
    world->config.rooms_kept = story->plan->marks[2];
    went = went && live_on(story) &&
           falls(story, "one is killed", 1, true, &out->falls[STORY_KILLED]) &&
           falls(story, "one falls silent", 1, false, &out->falls[STORY_SILENT]) &&
           falls(story, "a tenth fall silent", world->config.workers / 10, false,
                 &out->falls[STORY_TENTH]) &&
           join(story) && come_to_rest(story);
    out->tickets = world->counts.tickets;
    out->wait_p50_ms = look_wait_ms(world, 0.5);
    out->wait_p99_ms = look_wait_ms(world, 0.99);
    out->heartbeat_bytes = (double)world->counts.reply_bytes / (double)(world->counts.replies + 1);
    out->gateway_bytes =
        (double)world->counts.gateway_reply_bytes / (double)(world->counts.gateway_replies + 1);
    tell(story,
         "%llu tickets waited %llu ms (p50), %llu ms (p99); a heartbeat's answer has %.0f "
         "bytes for a worker, %.0f for a gateway",
         (unsigned long long)out->tickets, (unsigned long long)out->wait_p50_ms,
         (unsigned long long)out->wait_p99_ms, out->heartbeat_bytes, out->gateway_bytes);
    return went;
}

const char *story_run(const struct story_plan *plan, struct story_figures *out)
{
    static struct story story;
    story = (struct story){.plan = plan, .out = out, .world = scale_open(&plan->config)};
    double from = processor_s();
    instant_ms begun = scale_now(story.world);
    *out = (struct story_figures){.tickets = 0};
    story.world->crowd_rests = true;
    bool went = go(&story);
    out->simulated_s = (double)(scale_now(story.world) - begun) / 1000;
    out->processor_s = processor_s() - from;
    tell(&story,
         "%.0f s simulated in %.0f s of a processor; %.1f KB a room, the simulated store "
         "and all",
         out->simulated_s, out->processor_s, out->resident_bytes_per_room / 1024);
    scale_close(story.world);
    return went ? NULL : story.wrong;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void write_fall(FILE *json, const char *name, const struct story_fall *fall)
{
    fprintf(json,
            "  \"%s\": {\"workers\": %d, \"rooms\": %llu, \"owned_ms\": %llu, \"even_ms\": %llu, "
            "\"max_over_mean\": %.3f, \"matchmaker_us_per_room\": %.2f, "
            "\"worker_us_per_room\": %.2f},\n",
            name, fall->workers, (unsigned long long)fall->rooms,
            (unsigned long long)fall->owned_ms, (unsigned long long)fall->even_ms, fall->ratio,
            fall->matchmaker_us, fall->worker_us);
}

void story_write(FILE *json, const struct story_plan *plan, const struct story_figures *figures)
{
    const struct scale_config *config = &plan->config;
    fprintf(json, "{\n  \"matchmakers\": %d, \"workers\": %d, \"gateways\": %d, \"shards\": %d,\n",
            config->matchmakers, config->workers, config->gateways, config->shards);
    fprintf(json, "  \"tickets_per_s\": %u, \"tickets\": %llu,\n  \"balance\": [",
            config->tickets_a_s, (unsigned long long)figures->tickets);
    for (int i = 0; i < 3; i++)
        fprintf(json, "%s{\"rooms\": %zu, \"max_over_mean\": %.3f}", i ? ", " : "",
                figures->rooms[i], figures->ratio[i]);
    fprintf(json, "],\n  \"ticket_wait_ms\": {\"p50\": %llu, \"p99\": %llu},\n",
            (unsigned long long)figures->wait_p50_ms, (unsigned long long)figures->wait_p99_ms);
    write_fall(json, "one_killed", &figures->falls[STORY_KILLED]);
    write_fall(json, "one_silent", &figures->falls[STORY_SILENT]);
    write_fall(json, "a_tenth_silent", &figures->falls[STORY_TENTH]);
    fprintf(json, "  \"joined\": {\"workers\": %d, \"max_over_mean\": %.3f, \"even_ms\": %llu},\n",
            plan->newcomers, figures->join_ratio, (unsigned long long)figures->join_even_ms);
    fprintf(json,
            "  \"matchmaker_us\": {\"placement\": %.2f, \"ticket\": %.2f, \"heartbeat\": %.2f},\n",
            figures->place_us, figures->ticket_us, figures->heartbeat_us);
    fprintf(json, "  \"heartbeat_reply_bytes\": {\"worker\": %.0f, \"gateway\": %.0f},\n",
            figures->heartbeat_bytes, figures->gateway_bytes);
    fprintf(json, "  \"busy\": {\"matchmaker\": %.4f, \"worker\": %.5f},\n",
            figures->matchmaker_busy, figures->worker_busy);
    fprintf(
        json,
        "  \"simulated_s\": %.0f, \"processor_s\": %.0f, \"resident_bytes_per_room\": %.0f\n}\n",
        figures->simulated_s, figures->processor_s, figures->resident_bytes_per_room);
}
