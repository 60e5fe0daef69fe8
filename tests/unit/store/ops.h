/* SPDX-License-Identifier: Apache-2.0
 *
 * Ops as the tests of stores write them.
 */
#ifndef UNIT_STORE_OPS_H
#define UNIT_STORE_OPS_H

#include "wire/storage.h"

enum { ENTRIES_LISTED_MAX = 16 };

/* A room of shard 0, told apart by n; the same n with another `chance` has the same code. */
room_id test_room(uint32_t n, uint32_t chance);
struct id128 test_id(uint8_t n);

/* Entries from words, parted by blanks; lent until the eighth call after it. */
struct store_entry *test_entries(const char *words, int *count);

struct store_op create_op(room_id room, struct id128 instance);
struct store_op take_op(room_id room, uint64_t expected, struct id128 instance);
struct store_op append_op(room_id room, uint64_t epoch, struct id128 instance, uint64_t base,
                          const char *words);
/* Of a room at `position`, whose last entries are those words. */
struct store_op restore_op(room_id room, uint64_t epoch, struct id128 instance, uint64_t position,
                           const char *words);
struct store_op owner_op(enum store_op_kind kind, room_id room, uint64_t epoch,
                         struct id128 instance);

#endif
