/* SPDX-License-Identifier: Apache-2.0
 *
 * What may stand in a log line: the events, their level and the names of their numbers. Numbers of
 * an event that is not listed are not written, so nothing gets into the logs that nobody thought
 * about; .ci/notes.mjs refuses a call that gives a number no name. "" is a number that there is
 * not; "text" stands where the event may have a sentence. A `room` is written in hexadecimal, as
 * Redis and madangctl name it, and so is the `trace` of an action (wire/trace.h).
 *
 *     programs    event    level    names of the three numbers
 */
#ifndef OPS_LOG_EVENTS_H
#define OPS_LOG_EVENTS_H

/* clang-format off */
#define LOG_EVENTS(X) \
    X(PROGRAM_ALL, "process.started", INFO, "pid", "", "") \
    X(PROGRAM_ALL, "process.stopping", INFO, "", "", "") \
    X(PROGRAM_ALL, "process.stopped", INFO, "", "", "") \
    X(PROGRAM_ALL, "process.wrong", ERROR, "text", "", "") \
    X(PROGRAM_ALL, "log.dropped", WARN, "lines", "", "") \
    X(PROGRAM_ALL, "store.away", WARN, "text", "shard", "") \
    X(PROGRAM_ALL, "store.back", INFO, "", "shard", "") \
    X(PROGRAM_ALL, "append.sent", DEBUG, "trace", "room", "position") \
    X(PROGRAM_WORKER, "act.accepted", DEBUG, "trace", "room", "position") \
    X(PROGRAM_WORKER, "act.durable", DEBUG, "trace", "room", "took_ms") \
    X(PROGRAM_WORKER, "act.refused", DEBUG, "trace", "room", "position") \
    X(PROGRAM_WORKER, "act.repeated", DEBUG, "trace", "room", "position") \
    X(PROGRAM_WORKER, "process.paused", WARN, "", "paused_ms", "") \
    X(PROGRAM_WORKER, "drain.begun", INFO, "", "rooms", "") \
    X(PROGRAM_WORKER, "drain.done", INFO, "", "rooms", "") \
    X(PROGRAM_WORKER, "drain.ended", INFO, "", "rooms", "") \
    X(PROGRAM_WORKER, "drain.left", WARN, "", "rooms", "") \
    X(PROGRAM_WORKER, "envelope.refused", WARN, "", "kind", "") \
    X(PROGRAM_WORKER, "game.started", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "game.finished", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "lease.lapsed", WARN, "", "shard", "age_ms") \
    X(PROGRAM_WORKER, "operator.closed", WARN, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "operator.kicked", WARN, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "operator.refused", WARN, "", "kind", "fault") \
    X(PROGRAM_WORKER, "operator.revealed", WARN, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "peer.refused", WARN, "", "peers", "") \
    X(PROGRAM_WORKER, "room.adopted", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.created", INFO, "room", "epoch", "") \
    X(PROGRAM_WORKER, "room.deleted", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.differs", ERROR, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.fenced", WARN, "room", "epoch", "new_epoch") \
    X(PROGRAM_WORKER, "room.forgotten", WARN, "room", "epoch", "new_epoch") \
    X(PROGRAM_WORKER, "room.handed", INFO, "room", "epoch", "named") \
    X(PROGRAM_WORKER, "room.put_away", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.repaired", WARN, "room", "epoch", "entries") \
    X(PROGRAM_WORKER, "room.resumed", INFO, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.set_aside", ERROR, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "room.unreadable", ERROR, "room", "epoch", "status") \
    X(PROGRAM_WORKER, "rooms.lost", ERROR, "room", "rooms", "") \
    X(PROGRAM_WORKER, "rooms.restored", WARN, "room", "rooms", "") \
    X(PROGRAM_WORKER, "snapshot.stale", WARN, "room", "epoch", "position") \
    X(PROGRAM_WORKER, "store.another", WARN, "", "shard", "") \
    X(PROGRAM_WORKER, "store.clock", WARN, "", "shard", "") \
    X(PROGRAM_GATEWAY, "act.answered", DEBUG, "trace", "room", "took_ms") \
    X(PROGRAM_GATEWAY, "act.received", DEBUG, "trace", "room", "counter") \
    X(PROGRAM_GATEWAY, "act.sent", DEBUG, "trace", "room", "epoch") \
    X(PROGRAM_GATEWAY, "certificate.loaded", INFO, "", "", "") \
    X(PROGRAM_GATEWAY, "certificate.refused", ERROR, "text", "", "") \
    X(PROGRAM_GATEWAY, "client.turned_away", DEBUG, "code", "clients", "") \
    X(PROGRAM_GATEWAY, "envelope.refused", WARN, "kind", "", "") \
    X(PROGRAM_GATEWAY, "frames.stale", WARN, "frames", "", "") \
    X(PROGRAM_GATEWAY, "gateway.leaving", INFO, "clients", "", "") \
    X(PROGRAM_GATEWAY, "rooms.found", INFO, "rooms", "away_ms", "tries") \
    X(PROGRAM_GATEWAY, "rooms.lost", WARN, "rooms", "clients", "") \
    X(PROGRAM_MATCHMAKER, "member.dead", WARN, "kind", "silent_ms", "") \
    X(PROGRAM_MATCHMAKER, "member.joined", INFO, "kind", "members", "") \
    X(PROGRAM_MATCHMAKER, "owner.silent", WARN, "shard", "", "") \
    X(PROGRAM_MATCHMAKER, "quick.matched", INFO, "tickets", "existing", "") \
    X(PROGRAM_MATCHMAKER, "room.created", INFO, "tries", "", "") \
    X(PROGRAM_MATCHMAKER, "rooms.awaited", WARN, "rooms", "", "") \
    X(PROGRAM_MATCHMAKER, "rooms.placed", INFO, "adopted", "asked", "") \
    X(PROGRAM_MATCHMAKER, "store.forgot", WARN, "shard", "", "") \
    X(PROGRAM_MATCHMAKER, "worker.swept", INFO, "pass", "", "")
/* clang-format on */

#endif
