/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator: the real cores of all four services and simulated players in one process, over a
 * simulated network, store and clock. Everything that chance decides comes from one seed, so a seed
 * is a run: `make sim SEED=n` repeats it.
 *
 *   world.c      time: what happens, one after the other, and the end of a run (queue.c)
 *   node.c       a service: its core, its streams (wire/link.h), what its shell would do
 *   node_life.c  how a process begins and ends
 *   network.c    batches and requests on their way: delayed, lost, doubled, overtaken
 *   newer_wire.c what is sent by those who speak a later protocol
 *   storage.c    ops on their way to the model of Redis, connections that break
 *   chance.c     each actor's own luck, out of the seed
 *   draw.c       what a seed stands for
 *   faults*.c    what goes wrong and when
 *   occurrence.c each fault by its name, so that a run may leave some out
 *   upgrade.c    old binaries that are replaced by new ones while people play
 *   player*.c    browsers: honest, clumsy and hostile; they fold what they receive
 *   night.c      everybody goes to bed, and a day passes
 *   play.c       a run from its beginning to its end: alone, or with its twin (twins*.c)
 *   shrink.c     the fewest faults with which a run still fails
 *   report.c     what a set of runs reached, and how fast; soak.c: sets on all cores
 *   digest.c     what is remembered of bytes instead of keeping them
 *   shadow.c     each room replayed from what the store accepted: the truth that checkers hold
 *                against; shadow_loss.c: what may be lost with a store that forgets
 *   check_*.c    one invariant a file
 *
 * A run: faults until `calm_at`, then none; at `end_at` everything that was promised must hold.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdio.h>

#include "base/heap.h"
#include "base/map.h"
#include "game/registry.h"
#include "gateway/gateway_core.h"
#include "matchmaker/matchmaker_core.h"
#include "room/room.h"
#include "sim/model_store.h"
#include "timer/timer_core.h"
#include "wire/client_wire.h"
#include "wire/link.h"
#include "worker/worker_core.h"

struct world;

enum {
    SIM_NODES_MAX = 32,
    SIM_OVERDUE_MAX = 500, /* turns of a core in a row that leave something due */
    SIM_PLAYERS_MAX = 256,
    SIM_ROOMS_MAX = 64,
    SIM_ACKS_MAX = 4096, /* of a player */
    SIM_EPOCHS = 64,     /* newest epochs of which a shadow knows to whom they were given */
    SIM_STARTS = 16,     /* newest starts whose seeds a shadow remembers */
    SIM_GRACE_MS = 5000, /* a worker that leaves has so long to hand over */
    SIM_REASONS = 28,    /* above every number of REASON_LIST */
    SIM_SEQS = 512,      /* newest versions whose views a shadow remembers */
};

/* What can go wrong. */
#define SIM_FAULTS(X)                                                               \
    X(CRASH, "crash", "processes killed")                                           \
    X(PAUSE, "pause", "processes frozen")                                           \
    X(SUSPEND, "suspend", "machines suspended")                                     \
    X(REPLACE, "replace", "times all processes were replaced, one after the other") \
    X(CUT, "cut", "networks cut in two")                                            \
    X(LOSS, "loss", "messages lost on their way")                                   \
    X(TWICE, "twice", "messages delivered twice")                                   \
    X(OVERTAKE, "overtake", "batches put behind later ones")                        \
    X(SLOW, "slow", "messages and answers of the store that took long")             \
    X(STRANGE, "strange", "messages of a kind that is not known yet")               \
    X(STORE_CUT, "store-cut", "connections to the store broken")                    \
    X(STORE_PARTITION, "store-partition", "processes cut off from the store")       \
    X(STORE_SLOW, "store-slow", "times the store was slow")                         \
    X(STORE_FREEZE, "store-freeze", "times the store was frozen")                   \
    X(STORE_REFUSE, "store-refuse", "times the store refused")                      \
    X(STORE_CLOCK, "store-clock", "jumps of the store's clock")                     \
    X(STORE_CRASH, "store-crash", "crashes of the store")                           \
    X(STORE_PROMOTE, "store-promote", "replicas promoted that lacked writes")       \
    X(STORE_FORGET, "store-forget", "times the store lost everything, unnoticed")   \
    X(PLAYER_CUT, "player-cut", "players that lost their connection")               \
    X(SLOW_READER, "slow-reader", "times a browser read slowly")                    \
    X(CLAIM, "claim", "matchmakers killed before they heard of their claim")

enum fault {
#define X(name, word, text) FAULT_##name,
    SIM_FAULTS(X)
#undef X
        FAULT_COUNT
};

/* A fault that happened: the number counts within its kind. Written "crash:3". */
struct fault_id {
    enum fault kind;
    uint32_t number;
};
struct fault_list {
    struct fault_id *list; /* by kind and number once it is sorted */
    size_t count, room;
};

/* What Redis still has when its process was killed. */
enum sim_aof {
    SIM_AOF_NONE, /* nothing */
    SIM_AOF_EVERYSEC,
    SIM_AOF_ALWAYS, /* everything */
};

/* How often things go wrong, in parts of a million or in milliseconds; 0: never. Drawn per run.
 *
 * A Redis whose clock jumps does not forget in the same run: an epoch is its time (rule 3), and one
 * that went back behind an epoch that it has forgotten as well would have to give that twice. */
struct sim_faults {
    uint32_t loss_ppm, twice_ppm, slow_ppm; /* of batches and requests */
    uint32_t overtake_ppm;                  /* of batches: later ones come before */
    uint32_t strange_ppm;                   /* of those of a later protocol: of a later kind */
    uint32_t delay_min_ms, delay_max_ms, slow_ms;
    uint32_t cut_every_ms;     /* partitions, faults_cut.c */
    uint32_t crash_every_ms;   /* a process is killed and starts again */
    uint32_t pause_every_ms;   /* a process is frozen */
    uint32_t suspend_every_ms; /* a machine is: several processes, perhaps the store too */
    uint32_t replace_every_ms; /* all of them in turn, in order: SIGTERM */
    uint32_t drift_ppm;        /* clocks run up to so much too fast or too slow */
    uint32_t claim_crash_ppm;  /* a matchmaker dies before it hears of its claim */

    uint32_t store_cut_every_ms;       /* one connection breaks */
    uint32_t store_partition_every_ms; /* or gets nothing through for a while */
    uint32_t store_slow_every_ms;      /* everything takes long for a while */
    uint32_t store_freeze_every_ms;
    uint32_t store_refuse_every_ms; /* MISCONF, READONLY, a WAIT that falls short */
    uint32_t store_clock_every_ms;  /* its TIME jumps */
    uint32_t store_crash_every_ms, store_promote_every_ms;
    uint32_t store_forget_every_ms; /* FLUSHALL */
    enum sim_aof aof;

    uint32_t player_cut_every_ms; /* each player's connection */
    uint32_t slow_reader_every_ms;
};

/* What people and operators do besides playing. Drawn per run. */
struct sim_scenes {
    bool open;            /* rooms are public and wait longer; somebody looks at the list of them */
    uint32_t kick_ppm;    /* a host's looks: somebody is told to leave */
    uint32_t options_ppm; /* a host's looks between games: other options, which may clash */
    uint32_t rooms_max;   /* of a worker, until another one is put beside them; 0: many */
    instant_ms night_at;  /* everybody goes to bed, see night.c; 0: nobody does */
};

struct sim_config {
    uint64_t seed;
    int gateways, matchmakers, workers, timers;
    int rooms, players_per_room;
    int first_game;                      /* of the first room; the others follow */
    instant_ms look_min_ms, look_max_ms; /* from one look at the screen to the next */
    uint32_t away_once_in;               /* looks; 0: nobody leaves the screen for long */
    int strangers;                       /* who come in by quick match, all for one game */
    instant_ms quick_limit_ms;           /* so long at most until one has a seat; 0: no limit */
    const struct game *only;             /* every room plays it; NULL: each in turn */
    instant_ms upgrade_at;      /* workers are old binaries until then, see upgrade.c; 0: none is */
    instant_ms calm_at, end_at; /* simulated ms from the start */
    struct sim_faults faults;
    struct sim_scenes scenes;
    /* How it was drawn: what repeats it besides its seed. "", " KILLS=1" or " NIGHT=1". */
    const char *drawn;
    bool newer; /* half of the nodes are of a later protocol, see newer_wire.c */
    int viewer; /* a player: the run is paired with a twin for it, see twins.h; -1: alone */
    /* A checker of the test's own, after every step: what is broken, static, or NULL. */
    const char *(*also_check)(const struct world *world);
    /* A fault of the test's own: what else the gateway writes to that viewer's socket. */
    void (*also_write)(const struct world *world, int player, struct buf *written);
    /* And what else is logged with each line, in a run that has a twin. */
    uint64_t (*also_note)(const struct world *world);
    FILE *trace;                          /* gets a line for every step; NULL: none is kept */
    const struct fault_list *only_faults; /* these happen, sorted; NULL: all that are drawn */
};
/* What a seed stands for. */
void sim_config_draw(struct sim_config *config, uint64_t seed);
/* The same with a night, and with all that people do. */
void sim_config_draw_night(struct sim_config *config, uint64_t seed);
/* The same with a process killed every second or so, and a store that loses nothing. */
void sim_config_draw_deadly(struct sim_config *config, uint64_t seed);

/* What a run reached; a set of runs in which one of these stays zero has not tested it. */
#define SIM_COUNTS(X)                                                       \
    X(events, "events handled by cores and players")                        \
    X(acks, "actions acknowledged")                                         \
    X(refusals, "actions refused")                                          \
    X(refused_by_game, "of them by a game")                                 \
    X(repeats, "actions sent again after a reconnect")                      \
    X(games, "games finished")                                              \
    X(hidden, "actions logged that nobody may notice yet")                  \
    X(rematches, "games started again in the same room")                    \
    X(frames, "frames folded and compared")                                 \
    X(deltas, "of them deltas")                                             \
    X(patched, "of them with patches")                                      \
    X(skipped, "of them over several versions, for a slow reader")          \
    X(closed_slow, "connections closed because nobody read")                \
    X(crashes, "processes killed")                                          \
    X(worker_crashes, "of them workers")                                    \
    X(replaced, "processes replaced in order")                              \
    X(handed, "rooms handed over")                                          \
    X(one_way_cuts, "networks cut in one direction alone")                  \
    X(lost, "messages lost, those of a cut included")                       \
    X(kept_back, "messages that came when a cut was over")                  \
    X(overtaken, "batches that a later one overtook")                       \
    X(unknown_fields, "messages of a later protocol")                       \
    X(unknown_kinds, "messages refused for their kind")                     \
    X(resets, "streams resynchronised")                                     \
    X(late_ops, "ops carried out after their sender gave them up")          \
    X(misconf, "times the store refused writes")                            \
    X(readonly, "times the store was no primary")                           \
    X(wait_short, "times the store could not vouch for its writes")         \
    X(clocks_on, "times the store's clock jumped on")                       \
    X(clocks_back, "times the store's clock jumped back")                   \
    X(crashes_bare, "crashes of a store without an AOF")                    \
    X(crashes_everysec, "crashes of a store that syncs every second")       \
    X(crashes_always, "crashes of a store that syncs always")               \
    X(returned, "rooms of which the store forgot a part that came back")    \
    X(losses, "rooms of which a part was lost, as the table allows")        \
    X(restored, "rooms written again by their owners")                      \
    X(fenced, "times an owner was told that another is it")                 \
    X(matched, "strangers seated by quick match")                           \
    X(adoptions, "rooms given a new owner")                                 \
    X(unseen, "owners that died unseen, found by their lease")              \
    X(fires, "deadlines sent by a timer")                                   \
    X(kicked, "players shut out of their room")                             \
    X(chosen, "times a host chose other options")                           \
    X(listed, "rooms that appeared on the list of public rooms")            \
    X(unlisted, "rooms that were gone from it")                             \
    X(put_away, "rooms put away because nobody was there")                  \
    X(brought_back, "of them brought back")                                 \
    X(put_back, "of them fetched in vain and put back")                     \
    X(deleted, "of them deleted after a day")                               \
    X(workers_added, "workers put beside full ones")                        \
    X(returns, "players back in their seat")                                \
    X(windows, "seats taken over by a second window")                       \
    X(twins, "runs paired with a twin")                                     \
    X(permuted, "times what a viewer may not know was changed in the twin") \
    X(unlike, "moves that were others in the twin and looked the same")     \
    X(told_alike, "bytes written to such a viewer, equal in both")

struct sim_counts {
#define X(name, text) uint64_t name;
    SIM_COUNTS(X)
#undef X
    uint64_t faults[FAULT_COUNT];
    uint64_t reasons[SIM_REASONS];        /* refusals by Reason of client.proto */
    uint64_t games_of[GAME_REGISTRY_MAX]; /* finished, by game_at */
    uint64_t twins_apart; /* in which the rules told the viewer different things in the end */
    uint64_t acts_lost, acts_twice; /* acknowledged and not in the log, or in it twice */
    uint64_t went_over;             /* rooms, to another version of their game's rules */
};

/* Runs to the end, or to the first invariant that breaks. Returns NULL, or what broke and the end
 * of the trace (lent until the world is closed). */
struct world *sim_open(const struct sim_config *config);
const char *sim_run(struct world *world);
/* Runs to that instant, or to the first invariant that breaks: the same return. */
const char *sim_run_until(struct world *world, instant_ms at);
const struct sim_counts *sim_counts(const struct world *world);
void sim_close(struct world *world);
/* A run of that config failed: tells the fewest faults with which it still does (shrink.c). */
void sim_explain(const struct sim_config *config, FILE *out);

#endif
