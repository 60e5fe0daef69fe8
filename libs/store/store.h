/* SPDX-License-Identifier: Apache-2.0
 *
 * The store on Redis: carries out the EFFECT_STOREs of a core (wire/storage.h says what each op
 * means) and brings the answers back as EVENT_STORE. It decides nothing about rooms; the scripts
 * under scripts/ do, each in one atomic step.
 *
 * Life of an op:
 *   1. store_carry encodes it; nothing of the effect is needed afterwards.
 *   2. STORE_APPENDs gather per shard until the loop turn ends (or the batch is full, or another op
 *      of a gathered room comes) and travel as one script call. Everything else is sent at once.
 *      All is pipelined on one connection a shard, so ops of one room are carried out in the order
 *      they were given.
 *   3. Exactly one EVENT_STORE answers it, never from inside store_carry. Answers of what was sent
 *      come in the order of sending; an op that could not be sent (no connection, bounds reached)
 *      is answered ST_UNAVAILABLE in the next turn.
 *
 * A shard that is lost (connection closed, no answer within the limit, a server that is no usable
 * primary any more) answers all that was outstanding with ST_UNAVAILABLE, then tells
 * EVENT_STORE_RESET with store_up false, then tries again with growing pauses. store_up true is
 * told when the server has been checked: a primary, done loading, scripts loaded. Every shard
 * starts out lost, without an event.
 *
 * A shard behind Sentinels is whatever server they name, checked to be a primary. They are asked
 * each time a connection is to be made, and listened to meanwhile: one that tells of a promotion
 * makes the shard lost, and what was outstanding is ST_UNAVAILABLE (sentinels.h).
 *
 * Rooms live on the shard room_shard(room). One that is not among those configured holds no rooms:
 * ST_UNKNOWN. Whoever names new rooms draws until the shard is one of them.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/fullness.h"
#include "base/histogram.h"
#include "wire/step.h"

#include <uv.h>

enum {
    STORE_BATCH_OPS_MAX = 128, /* appends in one script call: about a millisecond of Redis */
    STORE_BATCH_BYTES_MAX = 512 << 10,
    STORE_OUTSTANDING_OPS_MAX = 16384, /* per shard; beyond: ST_UNAVAILABLE */
    STORE_OUTSTANDING_BYTES_MAX = 32 << 20,
    STORE_SILENCE_MS = 2000, /* no answer for this long: the server is frozen or unreachable */
    STORE_RETRY_MS = 50,     /* first pause before connecting again; doubles */
    STORE_RETRY_MAX_MS = 250,
    STORE_SENTINELS_MAX = 7, /* of one shard */
    STORE_SENTINEL_NAME_MAX = 63,
    STORE_SENTINEL_ASK_MS = 1000,     /* how often each is asked while all is well */
    STORE_SENTINEL_PATIENCE_MS = 250, /* whoever needs the primary waits so long for slow ones */
    STORE_SENTINEL_SILENCE_MS = 2000, /* no answer for this long: its connection is made anew */
    STORE_SENTINEL_REPLY_BYTES_MAX = 64 << 10,
    STORE_LEASE_KEEP_MS =
        7 * 24 * 3600 * 1000, /* how long a dead instance's last lease is remembered */
    STORE_TICKET_KEEP_S = 600,
    STORE_ASIDE_KEEP_S = 30 * 24 * 3600, /* what contradicted itself, for whoever looks into it */
    STORE_STAMP_BYTES = 6,               /* before each entry of log:{id}: when it was accepted */
    STORE_TOMB_KEEP_S = 24 * 3600, /* a deleted room is not written again by an owner that slept */
};

struct store_address {
    char host[256];
    int port;
};

struct store_shard {
    struct store_address at; /* host empty: path is a unix socket, or Sentinels know the address */
    char path[108];
    char user[64], password[128]; /* empty: none */
    int db;
    struct store_address sentinels[STORE_SENTINELS_MAX];
    int sentinel_count;                             /* 0: the address is fixed */
    char name[STORE_SENTINEL_NAME_MAX + 1];         /* what the Sentinels call the primary */
    char sentinel_user[64], sentinel_password[128]; /* empty: none */
};

struct store_config {
    struct store_shard shards[WIRE_SHARDS_MAX];
    int shard_count;
    uint32_t silence_ms; /* 0: STORE_SILENCE_MS */
    int wait_replicas;   /* a write counts when so many replicas have it; 0: the primary alone */
    uint32_t wait_ms;    /* how long to wait for them; short of it: ST_UNAVAILABLE */
};

/* Reads a list of shards, parted by commas or blanks:
 *     tcp://[[user]:password@]host[:port][/db]     port 6379, db 0 unless given; IPv6 in brackets
 *     unix://[[user]:password@]/path[?db=n]
 *     sentinel://[[user]:password@]host[:port]{,host[:port]}/name[/db][?sentinel=[user]:password]
 * The last names the Sentinels (port 26379 unless given) that know where the primary `name` is. A
 * shard that begins with sentinel:// reaches over commas up to the slash before the name, so those
 * part its Sentinels; behind that slash a comma or a blank ends it like any other. The credentials
 * in front are for Redis, those behind ?sentinel= for the Sentinels. Users and passwords may hold
 * %XX; a name is made of letters, digits and .-_
 * `password` (NULL: none) is for shards that name none. Fills shards and shard_count. ST_INVALID:
 * *why is a sentence, and out undefined. Pure. */
enum status store_config_parse(const char *text, const char *password, struct store_config *out,
                               const char **why);
/* Gives this user to shards that have a password and name no user. ST_INVALID: too long, or a shard
 * has no password. Pure. */
enum status store_config_user(struct store_config *config, const char *user);
/* Gives this password to the Sentinels of shards that name none for them. ST_INVALID: too long.
 * Pure. */
enum status store_config_sentinel_password(struct store_config *config, const char *password);

struct store;

/* Called from the loop, never from inside a store_ function. The event is borrowed; its entropy is
 * zero (the shell fills it). */
typedef void store_event_fn(void *user, struct event *event);

struct store *store_open(uv_loop_t *loop, const struct store_config *config,
                         store_event_fn *on_event, void *user);

/* Carries out the EFFECT_STOREs of the list, in order; others are skipped. */
void store_carry(struct store *store, const struct effects *effects);

/* Whether every shard is usable now. */
bool store_up(const struct store *store);

struct store_counters {
    uint64_t ops, calls;  /* calls: scripts sent; many appends share one */
    uint64_t unavailable; /* ops answered so */
    uint64_t resets;      /* connections lost */
    uint64_t fenced;      /* ops refused because the room is another's by now */
    uint64_t troubles;    /* answers that no script should give */
    /* Calls that append, from sending to the answer that counts (histogram_call_us), and how many
     * rooms shared each (histogram_batch). */
    struct histogram append_us, append_rooms;
};
const struct store_counters *store_counters_of(const struct store *store);
/* How full the pipeline is, of the fullest shard. */
void store_fullness(const struct store *store, struct fullness *ops, struct fullness *bytes);
/* The last thing that went wrong with a shard, for a log line: "refused", "not a primary", ...; ""
 * for nothing. */
const char *store_trouble(const struct store *store, int shard);

/* Forgets all that is outstanding without answering it. The memory goes when the loop has closed
 * the handles. */
void store_close(struct store *store);

#endif
