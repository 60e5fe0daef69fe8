/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this core share: its structs, and which file does what. Nothing here is for the
 * shell or for tests.
 *
 *     worker_core.c   the step: time, dispatch, settling
 *     on_*.c          one handler per event
 *     owned_room.c    one room under this owner: inputs, time, effects of an outcome
 *     viewers.c       who looks through which gateway, and which of them holds a seat
 *     frame.c         views as they are sent: encoded once, folded when several leave together
 *     hold.c          the output commit queue
 *     backlog.c       what waits for Redis in all rooms, and how full every queue is
 *     append.c        entries on their way to Redis, and kept after it
 *     repair.c        what to do when Redis' log and ours differ
 *     restore.c       rooms that Redis has lost are written again
 *     snapshot.c      snapshots, finished games, release and deletion
 *     lease.c         leases, interruptions, revalidation
 *     create.c        making rooms
 *     adopt.c         taking rooms
 *     aside.c         a room that contradicts itself is set aside and starts anew
 *     load.c          a room from its record, snapshot and log
 *     rules.c         which rules versions can be played, and which a game starts by
 *     drain.c         handing rooms over
 *     counts.c        what is counted for metrics
 *     operate.c       what an operator asks: the worker's load, its rooms, one of them
 *     orders.c        what an operator orders: drain, put somebody out, close
 *     members.c       heartbeats; the timers and workers there are
 */
#ifndef WORKER_PARTS_H
#define WORKER_PARTS_H

#include "base/check.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/mutant.h"
#include "room/room.h"
#include "wire/reason.h"
#include "worker/worker_core.h"

_Static_assert(WORKER_UNCONFIRMED_MAX + WORKER_UNCONFIRMED_SPARE <= STORE_ENTRIES_MAX,
               "what is unconfirmed fits into one append");
_Static_assert(WORKER_KEPT_MAX > 2 * (WORKER_UNCONFIRMED_MAX + WORKER_SNAPSHOT_ENTRIES),
               "a snapshot comes long before the kept tail is full");
_Static_assert(WORKER_TAIL_MS > WORKER_LEASE_MS, "a lapse finds the tail still there");

/* ---- one room -------------------------------------------------------------------------------- */

enum owned_phase {
    OWNED_CREATING = 1,
    OWNED_TAKING,    /* loading; also again, when the logs differ */
    OWNED_ASIDE,     /* its log contradicts itself, which is being kept for others to see */
    OWNED_RESTORING, /* Redis has lost it: being written again */
    OWNED_LIVE,      /* the only phase that applies inputs */
    OWNED_STOPPED,   /* drain: appends and a snapshot are being confirmed */
    OWNED_RELEASING,
    OWNED_HANDING, /* drain: the successor was asked */
    OWNED_DELETING,
};

struct viewer {
    struct id128 gateway;
    uint64_t client;
    struct id128 player;
    uint64_t window;
    uint32_t line;
    int seat; /* -1: watches */
    char name[WIRE_NAME_BYTES_MAX + 1];
    bool wants_whole; /* to be sent the whole view with the next settling */
    uint64_t have;    /* events after this seq go with it; UINT64_MAX: none */
};

struct seat_binding {
    struct id128 former_gateway; /* the connection that a newer one displaced */
    uint64_t former_client;
    instant_ms detach_at; /* connected by the log, through nobody: till when; or NEVER */
    instant_ms bound_at;  /* when its window came in, or the room to us */
    struct id128 gateway; /* of who came in last */
    uint32_t rtt_ms;
    struct id128 mine_hash; /* of the private part last framed */
};

struct room_gateway {
    struct id128 instance;
    bool based; /* has the view of seq base */
    uint64_t base;
    bool wants_whole;
    uint64_t have;
    int wholes_held; /* whole views for it that wait */
};

struct kept_entry {
    uint8_t *bytes;
    size_t len;
    struct id128 hash;
    instant_ms made_at;
    instant_ms confirmed_at; /* INSTANT_NEVER: not yet */
    uint64_t trace;          /* of the action that it is; 0: it is none */
};

struct span {
    size_t from, len;
};
struct framed_event {
    uint64_t seq;
    int seat;
    struct span shared, mine, room;
};
struct frame {
    uint64_t seq, game_version;
    uint32_t sections; /* MINE: some mine_there is set */
    struct span room_view, presence, game, mine[WIRE_PRIVATES_MAX];
    bool mine_there[WIRE_PRIVATES_MAX];
    uint32_t held;                       /* bit s: somebody was connected to that seat then */
    uint32_t generation[GAME_SEATS_MAX]; /* of each seat then: a private part is for that holder */
    struct framed_event *events;
    int event_count;
    struct buf bytes;
};

enum output_kind {
    OUTPUT_ENVELOPE = 1, /* an answer and the like, to one gateway */
    OUTPUT_FRAME,        /* what changed, for all */
    OUTPUT_WHOLE,        /* everything, for one gateway, or one client of it */
};
struct output {
    struct output *next;
    enum output_kind kind;
    uint64_t position; /* of the state it was computed from */
    bool appended;     /* that position was unconfirmed: its append vouches for it when answered */
    struct id128 gateway;
    uint64_t client;          /* WHOLE: 0 for all of the gateway */
    struct envelope envelope; /* strings in it are static or the room's */
    struct frame *frame;
    size_t cost; /* what it counts in held_bytes */
};

struct snapshot_job {
    struct buf bytes;
    uint64_t position, trim_to;
    bool finish; /* a game has ended: archive it */
    uint32_t game_number;
    uint64_t first;
};

struct asker {
    uint64_t token;
    struct id128 request;
};
enum { ASKERS_MAX = 4 }; /* the same request, resent */

struct owned_room {
    room_id id;
    struct room_record record;
    struct room *room; /* NULL until loaded */
    enum owned_phase phase;
    uint64_t epoch;
    uint64_t owned_since; /* the epoch of our create or take; a room written again keeps it */
    bool dead;            /* to be freed at the end of the step */
    bool touched;

    /* room time: base + (now - since), standing still while frozen */
    instant_ms time_base, time_since;
    bool frozen;
    bool outage; /* long enough to be logged as "resumed" */

    /* the log */
    struct kept_entry *kept;
    uint64_t kept_first; /* position of kept[0] */
    size_t kept_count, kept_room;
    struct id128 before_hash; /* of the entry before kept[0]; zero: unknown */
    uint64_t confirmed, sent;
    uint64_t born;     /* replies with a lower tag are of a former life */
    uint64_t attempt;  /* tag of appends since the last failure */
    uint64_t life_tag; /* of the CREATE, TAKE, RELEASE or DELETE in flight, 0: none */
    uint64_t tail_tag;
    uint64_t snapshot_tag;
    bool queued_for_tail, queued_for_restore;
    bool checking; /* nothing leaves before a TAIL has shown that we own it */
    int tries;
    instant_ms retry_at, backoff_ms;
    instant_ms life_retry_at, snapshot_retry_at, tail_retry_at;
    instant_ms unavailable_since; /* INSTANT_NEVER: all is well */
    bool paused_told;

    /* what the append scripts were told last */
    uint64_t deadline_number;
    instant_ms deadline_at; /* room time */
    bool deadline_told;     /* false: tell it with the next append */
    /* It stands wrong there: tell it though nothing happened; it is told, and not confirmed. */
    bool deadline_astray, deadline_restated;
    bool hint; /* an earlier deadline waits to be confirmed */
    uint64_t hint_position;
    struct buf summary;
    bool summary_told, listed;

    /* output commit */
    struct output *held, **held_end;
    uint32_t held_count, frame_count;
    size_t held_bytes;
    size_t backlog_bytes; /* as the core has counted it */
    uint32_t changed;     /* SECTION_ bits since the last frame */
    uint64_t framed_seq;
    uint64_t framed_position;

    struct viewer *viewers;
    int viewer_count, viewer_room;
    struct room_gateway *gateways;
    int gateway_count, gateway_room;
    struct seat_binding seats[GAME_SEATS_MAX];
    bool presence_dirty;
    instant_ms presence_at; /* when unlogged presence was last sent */
    uint32_t rtt_shown[GAME_SEATS_MAX];

    struct snapshot_job snapshots[WORKER_SNAPSHOTS_MAX];
    int snapshot_count;
    uint64_t snapshotted, snapshot_queued;
    struct snapshot_job archived; /* the last game's, as long as Redis may forget it; or empty */
    instant_ms archived_at;
    bool set_aside;         /* the store is to keep what it was before it goes on */
    bool was_put_away;      /* before our take, in order and without a game */
    bool was_cut_off;       /* before our take, by its owner's end: to be logged as "resumed" */
    bool put_away, deleted; /* to be done when all is confirmed */
    instant_ms visit_by;    /* it was released before: somebody is to come in until then */

    struct asker askers[ASKERS_MAX]; /* of the create */
    int asker_count;
    struct id128 created_by;
    struct adoption *adoption; /* that waits for this take */
    uint64_t take_expected;
    struct id128 successor;
    char successor_url[WIRE_URL_BYTES_MAX];

    struct heap_node wake;
};

/* ---- the core -------------------------------------------------------------------------------- */

struct peer {
    struct id128 instance;
    char url[WIRE_URL_BYTES_MAX];
};

struct shard {
    bool up;
    uint64_t lease_tag;       /* 0: none in flight */
    instant_ms lease_sent_at; /* of the one in flight */
    instant_ms lease_from;    /* send time of the last that was granted */
    bool leased;              /* fresh when last looked at */
    bool unsure;              /* some were sent since of which we do not know what became */
    instant_ms renew_at;
    struct id128 run_id;
    instant_ms renewed;    /* Redis TIME of the last that was granted: it is to remember it */
    instant_ms renewed_at; /* on our own clock */
    uint64_t taken;        /* rooms that others have taken from us, as that said */
};

struct adoption {
    struct asker askers[ASKERS_MAX];
    int asker_count;
    struct adopted {
        room_id room;
        enum status status;
        uint64_t epoch;
        bool done, unfit; /* unfit: of rules that are not played here */
    } * rooms;
    uint64_t *expected;
    int room_count, next, open; /* next to be taken; in flight */
};

struct known_member {
    struct id128 instance;
    char inbox_url[WIRE_URL_BYTES_MAX], control_url[WIRE_URL_BYTES_MAX];
    uint32_t rooms, rooms_max;
    uint32_t able;        /* bit i: can play core->plays[i] */
    uint32_t shards_away; /* bit s: does not reach shard s */
    bool draining;
    bool replays_orders;
    instant_ms heard;
};
struct member_list {
    struct known_member *list; /* ascending by instance */
    int count, max;
};

struct moved_room {
    room_id room;
    uint64_t epoch;
    struct id128 to;
    char url[WIRE_URL_BYTES_MAX];
};

struct order_kept {
    struct id128 request;
    enum request_kind kind;
    uint64_t token;
    bool waits; /* to be answered when position is confirmed */
    room_id room;
    uint64_t epoch, position;
    enum order_fault fault;
};

struct room_queue {
    room_id *list;
    size_t first, count, room;
};

struct worker_core {
    struct worker_config config;
    instant_ms now;
    bool started;
    uint8_t entropy[32]; /* of the event; secret */
    uint64_t drawn;
    uint64_t tags;
    struct effects *out; /* of the step */
    struct buf summary;  /* scratch */

    struct map rooms;
    struct worker_counts counts;
    size_t backlog_bytes;
    struct { /* how often each bound was met */
#define X(name) uint64_t name;
        WORKER_QUEUES(X)
#undef X
    } refused;
    struct map128 peers;
    struct heap wakes;
    struct owned_room **touched;
    size_t touched_count, touched_room;

    struct shard shards[WIRE_SHARDS_MAX];
    struct room_queue tails; /* rooms to be compared */
    int tails_open;
    struct room_queue restores; /* rooms to be written again */
    int restores_open;
    uint64_t restored, lost, restored_told, lost_told; /* so far; as last noted */
    room_id restored_last, lost_last;                  /* one of them, to look for */
    instant_ms tally_at;
    struct adoption *adoptions[WORKER_ADOPTIONS_MAX];
    int adoption_count;
    int takes_open;

    instant_ms heartbeat_at;
    uint64_t heartbeats;
    struct rules plays[WIRE_PLAYS_MAX];
    int play_count;
    uint32_t common; /* bit i: every other worker can play plays[i] too */
    struct member_list timers, workers, gateways;
    instant_ms heard_from, heard_at; /* matchmakers have answered without a gap, from .. at */

    bool draining, exited;
    bool leaving; /* the process ends after it; else it stays, empty, until it is to go on */
    bool drained; /* told so */
    instant_ms drain_until, drain_at;
    instant_ms drain_paced_until, credit_at; /* till then rooms stop as credit allows */
    uint64_t credit;                         /* rooms that may stop, in millionths */
    struct room_queue to_stop;               /* rooms whose turn is yet to come */
    instant_ms look_at;                      /* when all rooms are looked through again for such */
    room_id stopped[WORKER_STOPS_MAX];       /* being handed over */
    int stopped_count;
    struct moved_room *moved; /* ring: where handed rooms went */
    size_t moved_count, moved_next;
    struct {
        uint64_t token;
        struct id128 successor;
    } handings[WORKER_STOPS_MAX];
    int handing_count;

    struct order_kept orders[WORKER_ORDERS_MAX]; /* ring: the last ones, answered or not */
    int order_next;
    uint64_t order_number; /* the highest that was proven, */
    struct id128 order_id; /* and its request, which may come again */
};

#include "worker/calls.h"

#endif
