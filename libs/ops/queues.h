/* SPDX-License-Identifier: Apache-2.0
 *
 * Every queue of every program: whatever can grow with what others do. services/README.md has the
 * same list with the bounds and what happens at each; a test holds the two and the running programs
 * against each other. Each is served as
 *
 *     madang_queue_depth{queue="bus_inbox",unit="bytes"}     madang_queue_bound{...}
 *     madang_queue_refused_total{...}
 *
 * so that one rule watches all of them: depth close to bound, or refused rising.
 *
 *     QUEUE_ id    programs    unit
 */
#ifndef OPS_QUEUES_H
#define OPS_QUEUES_H

#include "ops/program.h"

#define QUEUES_WMT (PROGRAM_WORKER | PROGRAM_MATCHMAKER | PROGRAM_TIMER)

/* clang-format off */
#define QUEUES(X) \
    X(bus_inbox, PROGRAM_ALL, "bytes") \
    X(bus_turn, PROGRAM_ALL, "bytes") \
    X(bus_outbox, PROGRAM_ALL, "bytes") \
    X(bus_outboxes, PROGRAM_ALL, "bytes") \
    X(bus_peers, PROGRAM_ALL, "peers") \
    X(bus_remotes, PROGRAM_ALL, "peers") \
    X(bus_requests, PROGRAM_ALL, "requests") \
    X(bus_answers, PROGRAM_ALL, "requests") \
    X(store_ops, QUEUES_WMT, "operations") \
    X(store_bytes, QUEUES_WMT, "bytes") \
    X(worker_rooms, PROGRAM_WORKER, "rooms") \
    X(worker_backlog, PROGRAM_WORKER, "bytes") \
    X(worker_unconfirmed, PROGRAM_WORKER, "entries") \
    X(worker_held, PROGRAM_WORKER, "outputs") \
    X(worker_kept, PROGRAM_WORKER, "entries") \
    X(worker_snapshots, PROGRAM_WORKER, "snapshots") \
    X(worker_watchers, PROGRAM_WORKER, "people") \
    X(worker_peers, PROGRAM_WORKER, "peers") \
    X(worker_timers, PROGRAM_WORKER, "peers") \
    X(worker_workers, PROGRAM_WORKER, "peers") \
    X(worker_adoptions, PROGRAM_WORKER, "requests") \
    X(worker_takes, PROGRAM_WORKER, "rooms") \
    X(worker_tails, PROGRAM_WORKER, "rooms") \
    X(worker_restores, PROGRAM_WORKER, "rooms") \
    X(worker_moved, PROGRAM_WORKER, "rooms") \
    X(worker_orders, PROGRAM_WORKER, "orders") \
    X(gateway_clients, PROGRAM_GATEWAY, "sockets") \
    X(gateway_address, PROGRAM_GATEWAY, "sockets") \
    X(gateway_guests, PROGRAM_GATEWAY, "connections") \
    X(gateway_socket, PROGRAM_GATEWAY, "bytes") \
    X(gateway_sockets, PROGRAM_GATEWAY, "bytes") \
    X(gateway_acts, PROGRAM_GATEWAY, "actions") \
    X(gateway_ghosts, PROGRAM_GATEWAY, "actions") \
    X(gateway_rooms, PROGRAM_GATEWAY, "rooms") \
    X(gateway_tries, PROGRAM_GATEWAY, "people") \
    X(gateway_detached, PROGRAM_GATEWAY, "people") \
    X(gateway_members, PROGRAM_GATEWAY, "peers") \
    X(matchmaker_pending, PROGRAM_MATCHMAKER, "questions") \
    X(matchmaker_placements, PROGRAM_MATCHMAKER, "rooms") \
    X(matchmaker_waiters, PROGRAM_MATCHMAKER, "requests") \
    X(matchmaker_tickets, PROGRAM_MATCHMAKER, "tickets") \
    X(matchmaker_sweeps, PROGRAM_MATCHMAKER, "workers") \
    X(matchmaker_members, PROGRAM_MATCHMAKER, "peers") \
    X(timer_tracked, PROGRAM_TIMER, "rooms") \
    X(timer_wanted, PROGRAM_TIMER, "rooms") \
    X(timer_places, PROGRAM_TIMER, "requests") \
    X(timer_peers, PROGRAM_TIMER, "peers") \
    X(log_lines, PROGRAM_ALL, "lines")
/* clang-format on */

enum queue {
#define X(id, programs, unit) QUEUE_##id,
    QUEUES(X)
#undef X
        QUEUE_COUNT,
};

#endif
