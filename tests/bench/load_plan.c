/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of madang-load.
 */
#include "bench/load.h"

#include "ops/system.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { USAGE = 2, SPARE_FILES = 32, CONNECTIONS_A_S = 1000, HOUSES = 250 * 250, HOUSE = 64 };

static const char help[] =
    "usage: madang-load [FLAGS] HOST:PORT[,HOST:PORT...]\n"
    "\n"
    "Plays real games against the gateways of a running cluster, as real clients, holds what "
    "comes\n"
    "against what must be, and reports how many actions were accepted and how long they took.\n"
    "A HOST is an IPv4 address.\n"
    "\n"
    "Who plays:\n"
    "  --game=ID          dobble (the default: its tower), davinci-code or number-baseball\n"
    "  --rooms=N          rooms that play (100)\n"
    "  --players=N        people in each (4)\n"
    "  --idle=N           connections more that sit in rooms whose game never starts (0)\n"
    "  --processes=N      that share all of it (1); each may have as many connections as files\n"
    "How:\n"
    "  --in-flight=N      closed loop: so many actions on their way at once, at most one in a\n"
    "                     room (as many as rooms). Fewer than rooms: others count down meanwhile\n"
    "  --rate=N           open loop instead: actions a second over all rooms, each timed from\n"
    "                     the moment at which it was due\n"
    "  --storm=S          every S seconds some people are cut off, and come back at once\n"
    "  --storm-percent=N  of everybody who sits (10)\n"
    "When, in seconds:\n"
    "  --ramp=S           over which people come (1,000 connections a second)\n"
    "  --warm-up=S        played before anything is counted (5)\n"
    "  --duration=S       that is measured (10)\n"
    "What is reported:\n"
    "  --cluster=DIR      what each process takes of the cluster that `madangctl up` runs in that\n"
    "                     folder\n"
    "  --watch=PID,...    or these processes\n"
    "  --json=FILE        the figures as JSON; - for standard output, in place of the table\n"
    "  --quiet            no progress on standard error\n"
    "  --seed=N           of the pauses and storms that are drawn (drawn anew each time)\n"
    "\n"
    "Examples:\n"
    "  # 100 rooms, one claim on its way in each, and what the cluster of `make run` takes for it\n"
    "  madang-load --rooms=100 --cluster=var 127.0.0.1:8080\n"
    "  # 100 claims on their way at any time: 900 rooms more are between two games\n"
    "  madang-load --rooms=1000 --in-flight=100 --duration=30 127.0.0.1:8080\n"
    "  # latency at 2,000 actions a second, from one core\n"
    "  taskset -c 1 madang-load --rooms=500 --rate=2000 --json=half.json 127.0.0.1:8080\n"
    "  # 40,000 people who only sit there, a tenth of whom loses the connection each 10 s\n"
    "  madang-load --rooms=0 --idle=40000 --processes=3 --storm=10 10.0.0.2:80,10.0.0.3:80\n"
    "\n"
    "Exit codes:\n"
    "  0  sound figures\n"
    "  1  something came that must never come (it is told)\n"
    "  2  wrong flags\n"
    "  3  no cluster there, or not everybody came to play\n"
    "  4  the generator, the plan or the machine was the limit: the figures say little\n"
    "  5  actions were refused or not answered, or connections broke (without a storm)\n";

enum flag {
    FLAG_HELP = 1,
    FLAG_GAME,
    FLAG_ROOMS,
    FLAG_PLAYERS,
    FLAG_IDLE,
    FLAG_PROCESSES,
    FLAG_IN_FLIGHT,
    FLAG_RATE,
    FLAG_STORM,
    FLAG_STORM_PERCENT,
    FLAG_RAMP,
    FLAG_WARM_UP,
    FLAG_DURATION,
    FLAG_CLUSTER,
    FLAG_WATCH,
    FLAG_JSON,
    FLAG_QUIET,
    FLAG_SEED,
};

static const struct option flags[] = {
    {"help", no_argument, NULL, FLAG_HELP},
    {"game", required_argument, NULL, FLAG_GAME},
    {"rooms", required_argument, NULL, FLAG_ROOMS},
    {"players", required_argument, NULL, FLAG_PLAYERS},
    {"idle", required_argument, NULL, FLAG_IDLE},
    {"processes", required_argument, NULL, FLAG_PROCESSES},
    {"in-flight", required_argument, NULL, FLAG_IN_FLIGHT},
    {"rate", required_argument, NULL, FLAG_RATE},
    {"storm", required_argument, NULL, FLAG_STORM},
    {"storm-percent", required_argument, NULL, FLAG_STORM_PERCENT},
    {"ramp", required_argument, NULL, FLAG_RAMP},
    {"warm-up", required_argument, NULL, FLAG_WARM_UP},
    {"duration", required_argument, NULL, FLAG_DURATION},
    {"cluster", required_argument, NULL, FLAG_CLUSTER},
    {"watch", required_argument, NULL, FLAG_WATCH},
    {"json", required_argument, NULL, FLAG_JSON},
    {"quiet", no_argument, NULL, FLAG_QUIET},
    {"seed", required_argument, NULL, FLAG_SEED},
    {0},
};

static int wrong(const char *what, const char *value)
{
    fprintf(stderr, "madang-load: %s%s%s (--help tells more)\n", what, value ? ": " : "",
            value ? value : "");
    return USAGE;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool take_seconds(const char *text, double most, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0 && *out <= most;
}

static bool take_count(const char *text, int least, int most, int *out)
{
    char *end;
    long value = strtol(text, &end, 10);
    *out = (int)value;
    return end != text && !*end && value >= least && value <= most;
}

static bool take_target(const char *text, size_t len, struct load_target *out)
{
    const char *colon = memchr(text, ':', len);
    char port[8];
    int number;
    if (!colon || (size_t)(colon - text) >= sizeof out->host) return false;
    snprintf(out->host, sizeof out->host, "%.*s", (int)(colon - text), text);
    snprintf(port, sizeof port, "%.*s", (int)(text + len - colon - 1), colon + 1);
    if (!take_count(port, 1, 65535, &number)) return false;
    out->port = (uint16_t)number;
    return inet_pton(AF_INET, out->host, &out->address) == 1;
}

static bool take_targets(const char *text, struct load_plan *plan)
{
    for (plan->target_count = 0; plan->target_count < LOAD_TARGETS_MAX;) {
        size_t len = strcspn(text, ",");
        if (!take_target(text, len, &plan->targets[plan->target_count++])) return false;
        if (!text[len]) return true;
        text += len + 1;
    }
    return false;
}

static bool take_game(const char *text, struct load_plan *plan)
{
    if (!bot_find(text) || strlen(text) >= sizeof plan->game) return false;
    strcpy(plan->game, text);
    return true;
}

static bool take(struct load_plan *plan, enum flag flag, const char *value)
{
    enum { PEOPLE_MAX = 10 * 1000 * 1000, DAY_S = 24 * 3600 };
    int number;
    switch (flag) {
    case FLAG_GAME: return take_game(value, plan);
    case FLAG_ROOMS: return take_count(value, 0, PEOPLE_MAX, &plan->rooms);
    case FLAG_PLAYERS: return take_count(value, 1, LOAD_SEATS_MAX, &plan->players);
    case FLAG_IDLE: return take_count(value, 0, PEOPLE_MAX, &plan->idle);
    case FLAG_PROCESSES: return take_count(value, 1, LOAD_PROCESSES_MAX, &plan->processes);
    case FLAG_IN_FLIGHT: return take_count(value, 1, PEOPLE_MAX, &plan->in_flight);
    case FLAG_RATE: return take_seconds(value, 1e7, &plan->rate);
    case FLAG_STORM: return take_seconds(value, DAY_S, &plan->storm_s);
    case FLAG_STORM_PERCENT: return take_count(value, 1, 100, &plan->storm_percent);
    case FLAG_RAMP: return take_seconds(value, DAY_S, &plan->ramp_s);
    case FLAG_WARM_UP: return take_seconds(value, DAY_S, &plan->warmup_s);
    case FLAG_DURATION: return take_seconds(value, DAY_S, &plan->duration_s);
    case FLAG_CLUSTER: plan->cluster = value; return true;
    case FLAG_WATCH: plan->watch = value; return true;
    case FLAG_JSON: plan->json = value; return true;
    case FLAG_QUIET: plan->quiet = true; return true;
    case FLAG_SEED:
        if (!take_count(value, 0, INT32_MAX, &number)) return false;
        plan->seed = (uint64_t)number;
        return true;
    case FLAG_HELP: break;
    }
    return false;
}

/* ---- what fits together ---------------------------------------------------------------------- */

static int check(struct load_plan *plan)
{
    int people = plan->rooms * plan->players + plan->idle;
    int each = (people + plan->processes - 1) / plan->processes + plan->players;
    if (people == 0) return wrong("nobody would come: neither --rooms nor --idle", NULL);
    if (plan->duration_s == 0) return wrong("--duration must be above 0", NULL);
    if (plan->rate > 0 && plan->in_flight) return wrong("--rate and --in-flight exclude", NULL);
    if (plan->in_flight > plan->rooms) return wrong("--in-flight is above --rooms", NULL);
    if (plan->in_flight && plan->in_flight < plan->processes)
        return wrong("--in-flight is below --processes", NULL);
    if (plan->watch && plan->cluster) return wrong("--watch and --cluster exclude", NULL);
    uint64_t files = files_raise();
    if ((uint64_t)each + SPARE_FILES > files || each > HOUSES * HOUSE) {
        char text[100];
        snprintf(text, sizeof text, "%d connections a process, and %llu files are allowed", each,
                 (unsigned long long)files);
        return wrong(text, "more --processes");
    }
    if (plan->ramp_s < 0) plan->ramp_s = (double)people / CONNECTIONS_A_S;
    return -1;
}

int load_plan_read(struct load_plan *plan, int argc, char **argv)
{
    *plan = (struct load_plan){
        .game = "dobble",
        .rooms = 100,
        .players = 4,
        .warmup_s = 5,
        .duration_s = 10,
        .ramp_s = -1,
        .storm_percent = 10,
        .processes = 1,
    };
    random_fill(&plan->seed, sizeof plan->seed);
    for (int flag; (flag = getopt_long(argc, argv, "", flags, NULL)) != -1;) {
        if (flag == FLAG_HELP) {
            fputs(help, stdout);
            return 0;
        }
        if (flag == '?') return USAGE; /* getopt has said it */
        if (!take(plan, (enum flag)flag, optarg)) return wrong("cannot be", optarg);
    }
    if (optind + 1 != argc) return wrong("one argument is needed: where the gateways are", NULL);
    if (!take_targets(argv[optind], plan)) return wrong("not HOST:PORT[,...]", argv[optind]);
    return check(plan);
}
