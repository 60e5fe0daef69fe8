/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker's core on a rig: envelopes go in, envelopes come out, and Redis is the simulated store,
 * which answers at once, later, or not at all. Several workers may stand before one store. A step
 * of the rig goes on until the store has nothing more to say.
 */
#ifndef WORKER_RIG_H
#define WORKER_RIG_H

#include "room/room.h"
#include "sim/model_store.h"
#include "unit/room/toy.h"
#include "unit/test.h"
#include "wire/reason.h"
#include "worker/worker_core.h"

#define RIG_KEY "the key of the operator"
enum { RIG_OPS_MAX = 512, RIG_SENT_MAX = 2048, RIG_REPLIES_MAX = 128 };

struct world { /* what all workers share */
    struct model_store *store;
    instant_ms redis; /* Redis TIME */
};

enum rig_answers {
    RIG_ANSWERS = 0, /* ops are carried out and answered at once */
    RIG_HOLDS,       /* ops wait in rig->ops */
    RIG_REFUSES,     /* not carried out, "unavailable" */
    RIG_LOSES,       /* carried out, "unavailable" all the same */
};

struct rig {
    struct world *world;
    struct worker_core *core;
    struct id128 instance;
    instant_ms now;
    const char *game; /* of rooms that are created; "toy" */
    enum rig_answers answers;
    enum store_op_kind swallows; /* ops of this kind are neither carried out nor answered */
    struct effects out;
    struct arena arena; /* all that is remembered below */
    struct store_op ops[RIG_OPS_MAX];
    int op_count;
    struct {
        struct id128 to;
        struct envelope envelope;
    } sent[RIG_SENT_MAX];
    int sent_count;
    struct {
        uint64_t token;
        struct reply reply;
    } replies[RIG_REPLIES_MAX];
    int reply_count;
    struct request asked; /* the last request that was not a heartbeat */
    const char *asked_url;
    uint64_t asked_token;
    struct member said_of_itself; /* in its last heartbeat; lent by the core */
    struct reply heartbeat;       /* what every heartbeat is answered */
    int notes;
    const char *note[RIG_SENT_MAX];
    bool exited;
    uint64_t events;
    uint8_t said; /* the entropy of the next event is this, repeated; 0: counted */
};

/* Of the workers opened from now on. */
extern struct rig_limits {
    uint64_t backlog_bytes_max; /* 0: the usual */
    uint32_t rooms_max;
} rig_limits;
extern const struct id128 GATE1, GATE2, TIMER, NOBODY;
extern const room_id ROOM;

void world_open(struct world *world);
void world_close(struct world *world);
/* number names the worker: its instance and URLs. */
void rig_open(struct rig *rig, struct world *world, int number);
/* One that can play these alone, as an older or newer binary; plays lives as long as it does. */
void rig_open_playing(struct rig *rig, struct world *world, int number, const struct rules *plays,
                      int play_count);
void rig_close(struct rig *rig);

void rig_event(struct rig *rig, struct event *event);
/* Time passes here and at Redis, with every tick that the core asks for. */
void rig_wait(struct rig *rig, instant_ms ms);
/* This process did not run; Redis did. */
void rig_sleep(struct rig *rig, instant_ms ms);
/* Answers the waiting ops, the first `count` of them, with the rig's present way of answering. */
void rig_release(struct rig *rig, int count);
/* Answers the first waiting op of a kind by hand. */
void rig_answer(struct rig *rig, enum store_op_kind kind, const struct store_reply *reply);
int rig_waiting(const struct rig *rig, enum store_op_kind kind);
void rig_store_reset(struct rig *rig, bool up);

struct id128 person(int number);
/* Rooms 1, 2, ... with codes of their own, on shard 0. */
room_id rig_room(int number);
void rig_envelope(struct rig *rig, struct id128 from, const struct envelope *envelope);
uint64_t rig_request(struct rig *rig, const struct request *request);
const struct reply *rig_reply(const struct rig *rig, uint64_t token);

enum status rig_create(struct rig *rig, room_id room);
enum status rig_create_public(struct rig *rig, room_id room);
enum status rig_adopt(struct rig *rig, room_id room, uint64_t epoch);
void rig_attach(struct rig *rig, struct id128 gate, uint64_t client, int number,
                uint32_t generation);
void rig_watch(struct rig *rig, struct id128 gate, uint64_t client, int number);
void rig_detach(struct rig *rig, struct id128 gate, uint64_t client);
void rig_act(struct rig *rig, struct id128 gate, uint64_t client, uint32_t generation,
             uint64_t counter, uint8_t kind, uint8_t value);
void rig_command(struct rig *rig, struct id128 gate, uint64_t client, uint32_t generation,
                 uint64_t counter, const char *bytes, size_t len);
#define RIG_START    "\x22\x00", 2
#define RIG_STAND_UP "\x32\x00", 2
#define RIG_SIT_ON_2 "\x2a\x02\x08\x02", 4
#define RIG_KICK_1   "\x1a\x02\x08\x01", 4
/* Room ROOM with persons 1 and 2 on seats 0 and 1 (clients 11 and 12 of GATE1), a game running. */
void rig_play(struct rig *rig);

/* What was sent since the last forget. */
void rig_forget(struct rig *rig);
int rig_count(const struct rig *rig, enum envelope_kind kind);
/* The last one of a kind, or NULL. */
const struct envelope *rig_last(const struct rig *rig, enum envelope_kind kind);
const struct envelope *rig_last_to(const struct rig *rig, struct id128 to, enum envelope_kind kind);
bool rig_noted(const struct rig *rig, const char *text);
/* How many rooms the public list shows. */
int rig_listed(const struct rig *rig);
struct model_view rig_stored(const struct rig *rig, room_id room);

#endif
