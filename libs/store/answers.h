/* SPDX-License-Identifier: Apache-2.0
 *
 * What a script answered, as a store_reply.
 */
#ifndef STORE_ANSWERS_H
#define STORE_ANSWERS_H

#include "base/arena.h"
#include "wire/storage.h"

#include <hiredis/hiredis.h>

/* What must be remembered of an op until its answer is there. */
struct asked {
    enum store_op_kind kind;
    uint64_t tag;
    int shard;
    room_id room;
    struct id128 hash; /* APPEND: of its last entry */
};

/* A reply that says no more than a status. */
struct store_reply answer_bare(const struct asked *asked, enum status status);

/* Reads the answer to one op; what the reply points to is copied into the arena or lies in
 * `answer`. False: not what the script would answer; *out then says ST_UNAVAILABLE. run_id: of the
 * server, for LEASE. */
bool answer_read(const struct asked *asked, const redisReply *answer, const char *run_id,
                 struct arena *arena, struct store_reply *out);

/* The answer to one of the appends of a call; redis_ms stands once before them. */
bool answer_read_append(const struct asked *asked, const redisReply *answer, instant_ms redis_ms,
                        struct store_reply *out);

#endif
