/* SPDX-License-Identifier: Apache-2.0
 *
 * What a player of a load test reads of the frames that come by the ten thousand: where the parts
 * lie, without copying or allocating. It reads the two kinds that each action brings, and the table
 * of a tower game of dobble; everything rarer goes through libs/wire. Bytes may be anything: what
 * cannot be read is refused.
 */
#ifndef BENCH_READS_H
#define BENCH_READS_H

#include "cluster/bot_dobble.h"
#include "wire/client_wire.h"

/* One field of a protobuf message. */
struct field {
    uint32_t number;
    bool sized; /* `bytes`, else `value` */
    uint64_t value;
    struct slice bytes; /* borrows */
};
/* Takes the next field off the front. False: there is none; rest->len is 0 at an orderly end. */
bool field_next(struct slice *rest, struct field *out);

/* The kind of a ServerFrame and the bytes of what it holds; 0: not one. */
enum server_kind frame_open(struct slice frame, struct slice *inside);

/* A RoomFrame without its events, as it stands: of a delta epoch and game_version are 0, and its
 * sections are perhaps patches. Those that are absent are empty. Borrows. */
struct room_frame {
    struct version version;
    uint64_t since, game_version;
    int64_t game_ahead;
    uint32_t patched; /* SECTION_ bits */
    struct slice room, game, mine;
};
bool room_frame_read(struct slice inside, struct room_frame *out);

struct answer_frame {
    uint32_t generation;
    uint64_t counter, seq;
    bool ok;
    bool by_game;  /* refused by the game, not by the room or the gateway */
    uint32_t code; /* of the refusal */
    int32_t param;
};
bool answer_frame_read(struct slice inside, struct answer_frame *out);

/* The open cards of dobble, as far as the tower asks. */
enum { TOWER_SEATS_MAX = 8, TOWER_PICTURES = 8, TOWER_CARDS = 57 };
struct tower_card {
    uint32_t id; /* 0: not shown */
    int count;
    uint8_t art[TOWER_PICTURES];
};
struct tower {
    bool is_tower, is_playing, shows_cards;
    struct tower_card centre, top[TOWER_SEATS_MAX];
    int seats;
};
bool tower_read(struct slice view, struct tower *out);
/* The right claim of a game seat; false: it has none now. */
bool tower_find(const struct tower *tower, int seat, struct bot_claim *claim);
/* What a view shows and must not, or what cannot be; NULL: nothing. */
const char *tower_fault(const struct tower *tower);
/* What a seat was told alone and must not know now; NULL: nothing. */
const char *tower_mine_fault(const struct tower *tower, struct slice mine, bool is_host);

#endif
