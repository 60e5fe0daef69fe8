/* SPDX-License-Identifier: Apache-2.0
 *
 * A gateway core on a table: events in, effects recorded and decoded. Sockets take what they are
 * given at once unless a test makes one slow. Heartbeats are answered by one matchmaker unless a
 * test wants otherwise.
 */
#ifndef UNIT_GATEWAY_YARD_H
#define UNIT_GATEWAY_YARD_H

#include "gateway/gateway_core.h"
#include "unit/test.h"
#include "wire/delta.h"
#include "wire/reason.h"

enum {
    YARD_FRAMES_MAX = 1 << 14,
    YARD_POSTS_MAX = 8192,
    YARD_REQUESTS_MAX = 8192,
    YARD_CLOSES_MAX = 1024,
    YARD_SOCKETS_MAX = 1024,
    YARD_NOTES_MAX = 1024,
    YARD_TOKEN_LIFETIME_S = 30 * 24 * 3600,
};

struct yard_frame {
    uint64_t socket;
    struct server_frame frame; /* of a room's delta: as its browser makes it out */
    struct slice bytes;        /* as they were written */
    uint32_t patched;          /* SECTION_ bits */
};
/* What a browser holds: the sections that were written to it last, and their numbers. */
struct yard_screen {
    struct delta_base base;
    struct buf room, presence, game, mine;
};
struct yard_post {
    struct id128 peer;
    const char *url;
    struct envelope envelope;
};
struct yard_request {
    uint64_t token;
    const char *url;
    struct request request;
};
struct yard_close {
    uint64_t socket;
    uint16_t code;
};

struct yard_note {
    const char *text;
    uint64_t value[3];
};

struct yard {
    struct gateway_config config;
    struct gateway_core *core;
    struct effects out;
    instant_ms now;
    uint64_t wall_s;    /* the calendar, which only tokens look at */
    struct arena arena; /* of everything recorded */
    struct yard_frame *frames;
    struct yard_post *posts;
    struct yard_request *requests;
    struct yard_close *closes;
    struct yard_note *notes;
    int frame_count, post_count, request_count, close_count, note_count;
    struct yard_screen *screens; /* by socket */
    uint64_t sockets;
    bool slow[YARD_SOCKETS_MAX];
    bool exited, silent_matchmakers;
    uint64_t chance;
    struct member members[8]; /* what heartbeats are answered with */
    int member_count;
};

/* The worker and the room of most tests. */
extern const struct id128 YARD_WORKER, YARD_WORKER_2;
#define YARD_URL   "tcp://10.0.0.1:7001"
#define YARD_URL_2 "tcp://10.0.0.2:7001"
#define YARD_CODE  "0ABCDE"
room_id yard_room(void);

void yard_open(struct yard *yard); /* the default limits */
void yard_open_with(struct yard *yard, const struct gateway_limits *limits);
void yard_close(struct yard *yard);
void yard_forget(struct yard *yard); /* what was recorded */

void yard_step(struct yard *yard, const struct event *event);
void yard_pass(struct yard *yard, instant_ms ms); /* time, with every tick that is due */

uint64_t yard_connect(struct yard *yard, const char *address);
void yard_hang_up(struct yard *yard, uint64_t socket);
void yard_writable(struct yard *yard, uint64_t socket);
void yard_say(struct yard *yard, uint64_t socket, const struct client_frame *frame);
void yard_say_bytes(struct yard *yard, uint64_t socket, const void *bytes, size_t len);

/* Short forms. */
uint64_t yard_guest(struct yard *yard); /* connected and welcomed */
void yard_hello(struct yard *yard, uint64_t socket, struct slice token);
void yard_look_up(struct yard *yard, uint64_t socket, const char *code);
void yard_join(struct yard *yard, uint64_t socket, struct client_join join);
void yard_act(struct yard *yard, uint64_t socket, uint32_t generation, uint64_t counter);
/* Joins the room on the worker of epoch 100 and is let in: seat, generation. No view yet. */
uint64_t yard_seated(struct yard *yard, int seat, uint32_t generation);
uint64_t yard_watching(struct yard *yard);

/* What was recorded; NULL: none. */
const struct server_frame *yard_last(struct yard *yard, uint64_t socket, enum server_kind kind);
int yard_count(struct yard *yard, uint64_t socket, enum server_kind kind);
const struct envelope *yard_last_post(struct yard *yard, enum envelope_kind kind);
int yard_count_posts(struct yard *yard, enum envelope_kind kind);
const struct yard_request *yard_last_request(struct yard *yard, enum request_kind kind);
int yard_count_requests(struct yard *yard, enum request_kind kind);
int yard_closed(struct yard *yard, uint64_t socket);       /* close code, 0: open */
uint32_t yard_refused(struct yard *yard, uint64_t socket); /* code of the last Refused, 0: none */

/* What others say. */
void yard_reply(struct yard *yard, const struct yard_request *to, struct reply reply);
/* To the last question where a room is. */
void yard_resolve(struct yard *yard, struct reply reply);
struct placed yard_placed(uint64_t epoch, struct id128 owner, const char *url);
/* The matchmaker's answer to where the room is: above epoch 100 with the second worker. */
void yard_resolve_at(struct yard *yard, uint64_t epoch);
void yard_envelope(struct yard *yard, struct id128 from, const char *url,
                   const struct envelope *envelope);
void yard_worker_says(struct yard *yard, const struct envelope *envelope); /* YARD_WORKER */
void yard_attached(struct yard *yard, uint64_t socket, uint64_t epoch, int seat,
                   uint32_t generation, uint64_t counter);
/* The last copy of an act is answered, or the nth, of generation 3. */
void yard_answer(struct yard *yard, uint64_t socket, uint32_t generation, uint64_t counter,
                 bool ok);
void yard_answer_copy(struct yard *yard, uint64_t socket, uint64_t counter, int nth, bool ok);
void yard_peer(struct yard *yard, enum event_kind kind, struct id128 peer, const char *url);

/* A game with two options, registered once. */
void yard_register_game(void);

#endif
