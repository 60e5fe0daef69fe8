/* SPDX-License-Identifier: Apache-2.0
 *
 * A room on a stage: tests speak in persons and sentences, and every input is checked for what must
 * hold always:
 *
 *   - what is not accepted changes nothing: hash, position, version, deadline
 *   - a section of the views that is not named as changed is as it was
 *   - what is accepted, replayed by a twin that knows the log alone, gives the same room
 *   - and the twin, saved and loaded after each entry, is still that room
 *   - a game that ends can be replayed from its own entries
 */
#ifndef UNIT_ROOM_STAGE_H
#define UNIT_ROOM_STAGE_H

#include "room/room.h"
#include "unit/room/toy.h"
#include "unit/test.h"
#include "wire/reason.h"
#include "wire/storage.h"

#include "client.pb-c.h"

struct stage {
    struct room_record record;
    struct room *room, *twin;
    instant_ms now;
    struct room_outcome out; /* of the last input */
    struct buf entry;        /* its log entry, a copy */
    struct buf log;          /* all entries, each with its length */
    uint64_t entries;
    uint64_t seeds;         /* given out so far */
    uint32_t rules_version; /* of games that start; 0: as the room has it */
    bool steps_clock;       /* due clocks come by themselves (default) */
};

struct stage *stage_open(const struct game *game);
struct stage *stage_open_quick(const struct game *game, uint32_t expected);
void stage_close(struct stage *stage);

/* One input at stage->now, due clocks first. Returns the verdict; the rest is in stage->out. */
enum room_verdict stage_step(struct stage *stage, struct room_input input);
/* Lets time pass, with each deadline on the way. */
void stage_wait(struct stage *stage, instant_ms ms);
/* The room itself as it comes back from its bytes. */
void stage_save_and_load(struct stage *stage);
/* The entries from position `first` on, lent until the next step; the caller frees the list.
 * Returns how many. */
int stage_archive(const struct stage *stage, uint64_t first, struct slice **entries);
/* To the next deadline and over it, as one clock. */
void stage_next_deadline(struct stage *stage);

struct id128 person(int number);
/* A person comes in by name; the seat, or -1 (stage->out tells why). */
int stage_enter(struct stage *stage, int number, const char *name);
enum room_verdict stage_attach(struct stage *stage, int number, uint32_t generation, bool stands,
                               bool take_over);
enum room_verdict stage_detach(struct stage *stage, int seat);
enum room_verdict stage_leave(struct stage *stage, int seat);
/* The seat's next action, made for the present version. */
enum room_verdict stage_act(struct stage *stage, int seat, uint8_t kind, uint8_t value);
enum room_verdict stage_say(struct stage *stage, int seat, uint8_t value);

enum room_verdict stage_options(struct stage *stage, int seat, const char *key, int32_t value);
enum room_verdict stage_public(struct stage *stage, int seat, bool is_public);
enum room_verdict stage_kick(struct stage *stage, int seat, uint32_t target);
enum room_verdict stage_start(struct stage *stage, int seat);
enum room_verdict stage_take_seat(struct stage *stage, int seat, uint32_t to);
enum room_verdict stage_watcher_sits(struct stage *stage, int number, const char *name,
                                     uint32_t to);
enum room_verdict stage_stand_up(struct stage *stage, int seat);
enum room_verdict stage_rename(struct stage *stage, int seat, const char *name);
enum room_verdict stage_command(struct stage *stage, int seat, struct slice bytes);

/* Two people, a game that runs. */
struct stage *stage_with_game(const struct game *game, int people);
/* Says numbers in turn until the game has ended; `winner` (a room seat) says the most. */
void stage_play_out(struct stage *stage, int winner);

/* The room's view, decoded; the caller frees with stage_view_free. */
Madang__V1__RoomView *stage_view(const struct stage *stage);
void stage_view_free(Madang__V1__RoomView *view);
/* Whether the last input told this kind of RoomHappened. */
bool stage_told(const struct stage *stage, Madang__V1__RoomHappened__Kind kind);
int stage_turn_seat(const struct stage *stage);
instant_ms stage_deadline(const struct stage *stage);

#define assert_accepted(call) assert_int_equal((call), ROOM_ACCEPTED)
#define assert_refused(stage, call, reason)                \
    do {                                                   \
        assert_int_equal((call), ROOM_REFUSED);            \
        assert_int_equal((stage)->out.why.code, (reason)); \
        assert_null((stage)->out.why.domain);              \
    } while (0)

#endif
