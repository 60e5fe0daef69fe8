/* SPDX-License-Identifier: Apache-2.0
 *
 * Finished games and rooms as Redis has them, or files: what `madangctl replay` and `verify` read.
 * For shells.
 */
#ifndef CTL_STORED_H
#define CTL_STORED_H

#include <hiredis/hiredis.h>

#include "ctl/shell.h"
#include "room/archive.h"

enum { STORED_KEY_BYTES_MAX = 64 };

/* What a word names. */
struct stored_name {
    bool file;
    bool whole; /* the id is whole; else its upper half is, from a code */
    room_id room;
    int shard;
};
struct stored_name stored_name_of(const char *word);

struct stored_key { /* of a finished game */
    room_id room;
    uint32_t number;
};
bool stored_key_read(const char *key, struct stored_key *out);
/* What SCAN is to look for: kind is "game" or "room"; named NULL: all. */
void stored_pattern(const struct stored_name *named, const char *kind,
                    char out[STORED_KEY_BYTES_MAX]);

/* The shard of a name, and, of a code, the id of the room that has it. NULL: said on standard
 * error, *code is set. redisFree closes. */
redisContext *stored_open(const struct ctl *ctl, struct stored_name *named, int *code);
/* Each key that fits, page by page, until `each` returns false. False then, and when Redis did not
 * answer, which was said. */
bool stored_scan(redisContext *redis, const char *pattern,
                 bool (*each)(void *with, const char *key), void *with);

struct stored_game {
    struct arena arena;
    redisReply *reply; /* what the slices point into, where it is not the arena */
    struct slice record, *entries;
    int count; /* 0: it is gone */
};
/* Each fills a zeroed struct, and says on standard error when nobody answers, or there is no such
 * file. *fault: what is wrong with the file. */
int stored_load_file(const char *path, struct stored_game *out, enum archive_fault *fault);
bool stored_load_key(redisContext *redis, const struct stored_key *key, struct stored_game *out);
void stored_unload(struct stored_game *game);

/* The bytes of a text, and those of the texts of a list from one on, lent by the reply. */
struct slice stored_bytes(const redisReply *reply);
int stored_list(const redisReply *reply, size_t from, struct arena *arena, struct slice **entries);

#endif
