/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program counts, in one list, and its text for Prometheus. Values may be set by the loop's
 * thread while another renders them.
 *
 *     METRIC_ id    programs    kind    unit    help
 *
 * A counter `bus_bytes_out` of unit `bytes` is served as madang_bus_bytes_out_bytes_total.
 */
#ifndef OPS_METRICS_H
#define OPS_METRICS_H

#include "base/buf.h"
#include "base/fullness.h"
#include "ops/program.h"
#include "ops/queues.h"

enum metric_kind { METRIC_COUNTER = 1, METRIC_GAUGE, METRIC_HISTOGRAM };

#define METRICS_WMT (PROGRAM_WORKER | PROGRAM_MATCHMAKER | PROGRAM_TIMER)

/* clang-format off */
#define METRICS(X) \
    X(ready, PROGRAM_ALL, GAUGE, "", "1 while this program can do its work") \
    X(loop_turns, PROGRAM_ALL, COUNTER, "", "turns of the event loop") \
    X(loop_late, PROGRAM_ALL, GAUGE, "ms", "how late the last timer was: the loop's delay") \
    X(core_steps, PROGRAM_ALL, COUNTER, "", "events that the core has handled") \
    X(core_effects, PROGRAM_ALL, COUNTER, "", "effects that it asked for") \
    X(bus_messages_out, PROGRAM_ALL, COUNTER, "", "batches sent to other services") \
    X(bus_messages_in, PROGRAM_ALL, COUNTER, "", "batches received from other services") \
    X(bus_bytes_out, PROGRAM_ALL, COUNTER, "bytes", "in those batches") \
    X(bus_bytes_in, PROGRAM_ALL, COUNTER, "bytes", "in those batches") \
    X(bus_envelopes_out, PROGRAM_ALL, COUNTER, "", "single messages in those batches") \
    X(bus_envelopes_in, PROGRAM_ALL, COUNTER, "", "single messages in those batches") \
    X(bus_resets, PROGRAM_ALL, COUNTER, "", "streams that started anew: something may be lost") \
    X(bus_overflows, PROGRAM_ALL, COUNTER, "", "streams cut because a peer took nothing") \
    X(bus_unreadable, PROGRAM_ALL, COUNTER, "", "messages that no service of Madang sends") \
    X(bus_unsendable, PROGRAM_ALL, COUNTER, "", "messages of our own beyond a bound: a fault") \
    X(bus_peers_gone, PROGRAM_ALL, COUNTER, "", "processes found dead by a refused connection") \
    X(bus_requests_out, PROGRAM_ALL, COUNTER, "", "requests to other services") \
    X(bus_requests_failed, PROGRAM_ALL, COUNTER, "", "of those, without a reply in time") \
    X(bus_requests_in, PROGRAM_ALL, COUNTER, "", "requests of other services") \
    X(bus_requests_dropped, PROGRAM_ALL, COUNTER, "", "of those, never answered") \
    X(store_up, METRICS_WMT, GAUGE, "", "1 while every Redis shard answers") \
    X(store_ops, METRICS_WMT, COUNTER, "", "operations asked of Redis") \
    X(store_calls, METRICS_WMT, COUNTER, "", "script calls that carried them") \
    X(store_unavailable, METRICS_WMT, COUNTER, "", "operations answered: unknown, or not now") \
    X(store_resets, METRICS_WMT, COUNTER, "", "connections to Redis lost") \
    X(store_troubles, METRICS_WMT, COUNTER, "", "answers that no script should give") \
    X(gateway_connections, PROGRAM_GATEWAY, GAUGE, "", "browsers connected") \
    X(gateway_seated, PROGRAM_GATEWAY, GAUGE, "", "of those, in a room") \
    X(gateway_rooms, PROGRAM_GATEWAY, GAUGE, "", "rooms that somebody here sees") \
    X(gateway_rooms_lost, PROGRAM_GATEWAY, GAUGE, "", "of those, without a worker right now") \
    X(gateway_frames_in, PROGRAM_GATEWAY, COUNTER, "", "frames from browsers") \
    X(gateway_frames_out, PROGRAM_GATEWAY, COUNTER, "", "frames to browsers") \
    X(gateway_bytes_out, PROGRAM_GATEWAY, COUNTER, "bytes", "in those frames") \
    X(gateway_closed, PROGRAM_GATEWAY, COUNTER, "", "connections closed by us") \
    X(matchmaker_rooms_awaited, PROGRAM_MATCHMAKER, GAUGE, "", "rooms that no worker can play") \
    X(worker_rooms, PROGRAM_WORKER, GAUGE, "", "rooms in memory") \
    X(worker_rooms_live, PROGRAM_WORKER, GAUGE, "", "of those, owned and in play") \
    X(worker_unconfirmed, PROGRAM_WORKER, GAUGE, "", "log entries that Redis has not confirmed") \
    X(worker_held, PROGRAM_WORKER, GAUGE, "", "outputs that wait for them") \
    X(worker_draining, PROGRAM_WORKER, GAUGE, "", "1 while rooms are handed over") \
    X(worker_games_finished, PROGRAM_WORKER, COUNTER, "", "games played to their end") \
    X(worker_rooms_adopted, PROGRAM_WORKER, COUNTER, "", "rooms taken over from others") \
    X(worker_rooms_fenced, PROGRAM_WORKER, COUNTER, "", "rooms that another owner took from us") \
    X(worker_rooms_set_aside, PROGRAM_WORKER, COUNTER, "", "rooms whose log contradicts itself") \
    X(worker_rooms_repaired, PROGRAM_WORKER, COUNTER, "", "logs that Redis had lost the end of") \
    X(worker_rooms_restored, PROGRAM_WORKER, COUNTER, "", "rooms lost by Redis, written again") \
    X(worker_rooms_lost, PROGRAM_WORKER, COUNTER, "", "rooms lost by Redis, for good") \
    X(timer_tracked, PROGRAM_TIMER, GAUGE, "", "deadlines that are watched") \
    X(timer_fires, PROGRAM_TIMER, COUNTER, "", "deadlines told to a worker, first time") \
    X(timer_repeats, PROGRAM_TIMER, COUNTER, "", "deadlines told again") \
    X(timer_covers, PROGRAM_TIMER, COUNTER, "", "of the first ones, for another timer") \
    X(timer_places, PROGRAM_TIMER, COUNTER, "", "rooms that a matchmaker was asked to place") \
    X(timer_untracked, PROGRAM_TIMER, COUNTER, "", "deadlines beyond the table") \
    X(timer_lateness, PROGRAM_TIMER, HISTOGRAM, "ms", "how late a deadline was first told") \
    X(log_lines, PROGRAM_ALL, COUNTER, "", "log lines written")
/* clang-format on */

enum metric {
#define X(id, programs, kind, unit, help) METRIC_##id,
    METRICS(X)
#undef X
        METRIC_COUNT,
};

enum { METRIC_BUCKETS_MAX = 16 };

struct metrics;

/* Zeroes; malloc'd. */
struct metrics *metrics_open(enum program program);
void metrics_close(struct metrics *metrics);
void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value);
void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value);
/* counts[i]: how many were at most bounds[i], and not in an earlier bucket; counts[count - 1]:
 * above all bounds. */
void metrics_set_histogram(struct metrics *metrics, enum metric metric, const uint32_t *bounds,
                           const uint64_t *counts, int count, uint64_t sum);
/* How full one of the queues that this program has is (queues.h). */
void metrics_set_queue(struct metrics *metrics, enum queue queue, const struct fullness *now);
/* Appends the text of /metrics: what this program has. From any thread. */
void metrics_render(const struct metrics *metrics, struct buf *out);

#endif
