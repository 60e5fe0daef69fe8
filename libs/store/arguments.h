/* SPDX-License-Identifier: Apache-2.0
 *
 * A store op as the arguments of its script, in Redis' own encoding (RESP bulk strings). What each
 * script expects stands at its top.
 */
#ifndef STORE_ARGUMENTS_H
#define STORE_ARGUMENTS_H

#include "base/buf.h"
#include "wire/storage.h"

enum { STORE_ROOM_HEX = 16, STORE_ID_HEX = 32 };

/* A zeroed struct is empty. */
struct arguments {
    struct buf bytes;
    int count;
};

void arguments_clear(struct arguments *args);
void arguments_fini(struct arguments *args);

/* Appends one argument. */
void arguments_put(struct arguments *args, const void *bytes, size_t len);
void arguments_text(struct arguments *args, const char *text);
void arguments_number(struct arguments *args, uint64_t value);

/* Appends what the script of op->kind expects of one op; appends of many rooms may follow each
 * other. Checks the op against the bounds of wire/storage.h: a core that breaks one is at fault. */
void arguments_op(struct arguments *args, const struct store_op *op);

/* The whole command: EVALSHA with the script's SHA-1 (40 hex digits) and no keys. Overwrites
 * out. */
void arguments_evalsha(const struct arguments *args, const char *sha, struct buf *out);

#endif
