/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program counts, in one list, and its text for Prometheus. Values are set by the loop's
 * thread alone while others render them.
 *
 *     METRIC_ id    programs    kind    unit    labels    help
 *
 * A counter `bus_resets` is served as madang_bus_resets_total. What is measured in "s", "ms" or
 * "us" is served in seconds: `worker_action_durable` as madang_worker_action_durable_seconds. Where
 * labels are named, there is a value for each of a few combinations that the program knows
 * beforehand: a game, a reason, never a room or a player.
 *
 * docker/prometheus/README.md lists them all; a test holds it against the running programs.
 */
#ifndef OPS_METRICS_H
#define OPS_METRICS_H

#include "base/buf.h"
#include "base/fullness.h"
#include "base/histogram.h"
#include "ops/program.h"
#include "ops/queues.h"

enum metric_kind { METRIC_COUNTER = 1, METRIC_GAUGE, METRIC_HISTOGRAM };

#define METRICS_WMT (PROGRAM_WORKER | PROGRAM_MATCHMAKER | PROGRAM_TIMER)

/* clang-format off */
#define METRICS(X) \
    X(build_info, PROGRAM_ALL, GAUGE, "", "service,version,compiler", "1, and what is running") \
    X(ready, PROGRAM_ALL, GAUGE, "", "", "1 while this program can do its work") \
    X(certificate_expiry_timestamp, PROGRAM_ALL, GAUGE, "s", "certificate", \
      "when the first certificate ends that was read from that file, since 1970") \
    X(loop_turns, PROGRAM_ALL, COUNTER, "", "", "turns of the event loop") \
    X(loop_late, PROGRAM_ALL, HISTOGRAM, "ms", "", \
      "how late the core was woken: the loop's delay") \
    X(core_steps, PROGRAM_ALL, COUNTER, "", "", "events that the core has handled") \
    X(core_effects, PROGRAM_ALL, COUNTER, "", "", "effects that it asked for") \
    X(bus_messages_out, PROGRAM_ALL, COUNTER, "", "", "batches sent to other services") \
    X(bus_messages_in, PROGRAM_ALL, COUNTER, "", "", "batches received from other services") \
    X(bus_out_bytes, PROGRAM_ALL, COUNTER, "", "", "bytes in the batches sent") \
    X(bus_in_bytes, PROGRAM_ALL, COUNTER, "", "", "bytes in the batches received") \
    X(bus_envelopes_out, PROGRAM_ALL, COUNTER, "", "", "single messages in the batches sent") \
    X(bus_envelopes_in, PROGRAM_ALL, COUNTER, "", "", "single messages in the batches received") \
    X(bus_batch_envelopes, PROGRAM_ALL, HISTOGRAM, "", "", \
      "single messages in each of these batches") \
    X(bus_resets, PROGRAM_ALL, COUNTER, "", "", \
      "streams that started anew: something may be lost") \
    X(bus_overflows, PROGRAM_ALL, COUNTER, "", "", "streams cut because a peer took nothing") \
    X(bus_unreadable, PROGRAM_ALL, COUNTER, "", "", "messages that no service of Madang sends") \
    X(bus_unsendable, PROGRAM_ALL, COUNTER, "", "", "messages of our own beyond a bound: a fault") \
    X(bus_peers_gone, PROGRAM_ALL, COUNTER, "", "", \
      "processes found dead by a refused connection") \
    X(bus_requests_out, PROGRAM_ALL, COUNTER, "", "", "requests to other services") \
    X(bus_requests_failed, PROGRAM_ALL, COUNTER, "", "", "of those, without a reply in time") \
    X(bus_requests_in, PROGRAM_ALL, COUNTER, "", "", "requests of other services") \
    X(bus_requests_dropped, PROGRAM_ALL, COUNTER, "", "", "of those, never answered") \
    X(store_up, METRICS_WMT, GAUGE, "", "", "1 while every Redis shard answers") \
    X(store_ops, METRICS_WMT, COUNTER, "", "", "operations asked of Redis") \
    X(store_calls, METRICS_WMT, COUNTER, "", "", "script calls that carried them") \
    X(store_unavailable, METRICS_WMT, COUNTER, "", "", "operations answered: unknown, or not now") \
    X(store_fenced, METRICS_WMT, COUNTER, "", "", \
      "operations refused because the room is another's") \
    X(store_resets, METRICS_WMT, COUNTER, "", "", "connections to Redis lost") \
    X(store_troubles, METRICS_WMT, COUNTER, "", "", "answers that no script should give") \
    X(store_append, PROGRAM_WORKER, HISTOGRAM, "us", "", "from a call that appends to its answer") \
    X(store_append_rooms, PROGRAM_WORKER, HISTOGRAM, "", "", "rooms whose entries shared a call") \
    X(gateway_connections, PROGRAM_GATEWAY, GAUGE, "", "", "browsers connected") \
    X(gateway_seated, PROGRAM_GATEWAY, GAUGE, "", "", "of those, in a room") \
    X(gateway_rooms, PROGRAM_GATEWAY, GAUGE, "", "", "rooms that somebody here sees") \
    X(gateway_rooms_lost, PROGRAM_GATEWAY, GAUGE, "", "", "of those, without a worker right now") \
    X(gateway_room_away, PROGRAM_GATEWAY, HISTOGRAM, "ms", "", \
      "how long a room here had no worker") \
    X(gateway_frames_in, PROGRAM_GATEWAY, COUNTER, "", "", "frames from browsers") \
    X(gateway_in_bytes, PROGRAM_GATEWAY, COUNTER, "", "", "bytes in the frames from browsers") \
    X(gateway_frames_out, PROGRAM_GATEWAY, COUNTER, "", "", "frames to browsers") \
    X(gateway_out_bytes, PROGRAM_GATEWAY, COUNTER, "", "", "bytes in the frames to browsers") \
    X(gateway_handshakes_refused, PROGRAM_GATEWAY, COUNTER, "", "", \
      "connections refused because their address makes too many a second") \
    X(gateway_closed, PROGRAM_GATEWAY, COUNTER, "", "why", "connections closed by us") \
    X(gateway_action_written, PROGRAM_GATEWAY, HISTOGRAM, "ms", "", \
      "from an action off the socket to its outcome on the socket") \
    X(gateway_actions_resent, PROGRAM_GATEWAY, COUNTER, "", "", "actions sent to a worker again") \
    X(gateway_refusals, PROGRAM_GATEWAY, COUNTER, "", "reason", \
      "what players heard instead of yes") \
    X(gateway_match, PROGRAM_GATEWAY, HISTOGRAM, "ms", "", \
      "from a quick match asked for to its room") \
    X(matchmaker_members, PROGRAM_MATCHMAKER, GAUGE, "", "kind", \
      "services alive, as it sees them") \
    X(matchmaker_members_dead, PROGRAM_MATCHMAKER, COUNTER, "", "", "services declared dead") \
    X(matchmaker_owners_silent, PROGRAM_MATCHMAKER, COUNTER, "", "", \
      "workers that died unseen, found by their lease") \
    X(matchmaker_rooms_created, PROGRAM_MATCHMAKER, COUNTER, "", "", "rooms made") \
    X(matchmaker_rooms_placed, PROGRAM_MATCHMAKER, COUNTER, "", "", "rooms given another worker") \
    X(matchmaker_rooms_awaited, PROGRAM_MATCHMAKER, GAUGE, "", "", \
      "rooms that no worker can play") \
    X(matchmaker_tickets_matched, PROGRAM_MATCHMAKER, COUNTER, "", "", "people brought together") \
    X(worker_rooms, PROGRAM_WORKER, GAUGE, "", "game,phase", "rooms in memory") \
    X(worker_rooms_live, PROGRAM_WORKER, GAUGE, "", "", "rooms owned and in play") \
    X(worker_unconfirmed, PROGRAM_WORKER, GAUGE, "", "", \
      "log entries that Redis has not confirmed") \
    X(worker_oldest_unconfirmed, PROGRAM_WORKER, GAUGE, "ms", "", "how old the oldest of them is") \
    X(worker_held, PROGRAM_WORKER, GAUGE, "", "", "outputs that wait for them") \
    X(worker_draining, PROGRAM_WORKER, GAUGE, "", "", "1 while rooms are handed over") \
    X(worker_actions, PROGRAM_WORKER, COUNTER, "", "game", "actions accepted") \
    X(worker_actions_repeated, PROGRAM_WORKER, COUNTER, "", "", \
      "actions that came again and got their first outcome") \
    X(worker_refusals, PROGRAM_WORKER, COUNTER, "", "reason", "actions and people refused") \
    X(worker_action_durable, PROGRAM_WORKER, HISTOGRAM, "ms", "", \
      "from an action received to Redis having it") \
    X(worker_games_started, PROGRAM_WORKER, COUNTER, "", "game", "games begun") \
    X(worker_games_finished, PROGRAM_WORKER, COUNTER, "", "game", "games played to their end") \
    X(worker_rooms_created, PROGRAM_WORKER, COUNTER, "", "", "rooms made here") \
    X(worker_rooms_adopted, PROGRAM_WORKER, COUNTER, "", "", "rooms taken over from others") \
    X(worker_room_unowned, PROGRAM_WORKER, HISTOGRAM, "ms", "", \
      "how long such a room was nobody's, by Redis' clock") \
    X(worker_room_paused, PROGRAM_WORKER, HISTOGRAM, "ms", "", \
      "how long a room could not be written to") \
    X(worker_rooms_handed, PROGRAM_WORKER, COUNTER, "", "", "rooms handed over by a drain") \
    X(worker_rooms_fenced, PROGRAM_WORKER, COUNTER, "", "", \
      "rooms that another owner took from us") \
    X(worker_replay_mismatches, PROGRAM_WORKER, COUNTER, "", "", \
      "rooms set aside because their log contradicts itself") \
    X(worker_rooms_unreadable, PROGRAM_WORKER, COUNTER, "", "", "rooms that could not be loaded") \
    X(worker_rooms_repaired, PROGRAM_WORKER, COUNTER, "", "", \
      "logs that Redis had lost the end of") \
    X(worker_rooms_restored, PROGRAM_WORKER, COUNTER, "", "", \
      "rooms lost by Redis, written again") \
    X(worker_rooms_lost, PROGRAM_WORKER, COUNTER, "", "", "rooms lost by Redis, for good") \
    X(timer_tracked, PROGRAM_TIMER, GAUGE, "", "", "deadlines that are watched") \
    X(timer_fires, PROGRAM_TIMER, COUNTER, "", "", "deadlines told to a worker, first time") \
    X(timer_repeats, PROGRAM_TIMER, COUNTER, "", "", "deadlines told again") \
    X(timer_covers, PROGRAM_TIMER, COUNTER, "", "", "of the first ones, for another timer") \
    X(timer_places, PROGRAM_TIMER, COUNTER, "", "", "rooms that a matchmaker was asked to place") \
    X(timer_untracked, PROGRAM_TIMER, COUNTER, "", "", "deadlines beyond the table") \
    X(timer_lateness, PROGRAM_TIMER, HISTOGRAM, "ms", "", "how late a deadline was first told") \
    X(log_lines, PROGRAM_ALL, COUNTER, "", "", "log lines written")
/* clang-format on */

enum metric {
#define X(id, programs, kind, unit, labels, help) METRIC_##id,
    METRICS(X)
#undef X
        METRIC_COUNT,
};

enum {
    METRICS_LABELLED_MAX = 256, /* values with labels, of all metrics of a program */
    METRICS_LABELS_BYTES_MAX = 96,
};

struct metrics;

/* Zeroes; malloc'd. */
struct metrics *metrics_open(enum program program);
void metrics_close(struct metrics *metrics);
void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value);
void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value);
/* Another value of a metric with labels, such as `game="dobble"`; returns what
 * metrics_set_labelled calls it. Those added one after the other are numbered so. */
int metrics_label(struct metrics *metrics, enum metric metric, const char *labels);
void metrics_set_labelled(struct metrics *metrics, int labelled, uint64_t value);
/* In the metric's unit. The bounds are borrowed until metrics_close, and are always the same. */
void metrics_set_histogram(struct metrics *metrics, enum metric metric,
                           const struct histogram_bounds *bounds, const struct histogram *now);
/* How full one of the queues that this program has is (queues.h). */
void metrics_set_queue(struct metrics *metrics, enum queue queue, const struct fullness *now);
/* Appends the text of /metrics: what this program has. From any thread. */
void metrics_render(const struct metrics *metrics, struct buf *out);

#endif
