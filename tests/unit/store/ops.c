/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/ops.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdio.h>

room_id test_room(uint32_t n, uint32_t chance)
{
    uint32_t bits = 0;
    for (uint32_t found = 0;; bits++) {
        if (room_shard(room_id_make(bits, 0)) == 0 && found++ == n)
            return room_id_make(bits, chance);
    }
}

struct id128 test_id(uint8_t n)
{
    struct id128 id;
    memset(id.byte, n, sizeof id.byte);
    return id;
}

struct store_entry *test_entries(const char *words, int *count)
{
    static struct store_entry lists[8][ENTRIES_LISTED_MAX];
    static char texts[8][256];
    static int turn;
    turn = (turn + 1) % 8;
    CHECK(strlen(words) < sizeof texts[turn]);
    strcpy(texts[turn], words);
    *count = 0;
    for (char *rest = texts[turn], *word; (word = strsep(&rest, " ")) != NULL;) {
        if (!*word) continue;
        CHECK(*count < ENTRIES_LISTED_MAX);
        struct slice bytes = slice_text(word);
        lists[turn][(*count)++] = (struct store_entry){bytes, hash_128(bytes)};
    }
    return lists[turn];
}

static const char *url_of(struct id128 instance)
{
    static char urls[8][32];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(urls[turn], sizeof urls[turn], "tcp://worker:%d", instance.byte[0]);
    return urls[turn];
}

struct store_op create_op(room_id room, struct id128 instance)
{
    return (struct store_op){.kind = STORE_CREATE,
                             .tag = 7,
                             .room = room,
                             .instance = instance,
                             .owner_url = url_of(instance),
                             .request = test_id(0x77),
                             .record = slice_text("the record"),
                             .summary = slice_text("a lobby")};
}

struct store_op take_op(room_id room, uint64_t expected, struct id128 instance)
{
    return (struct store_op){.kind = STORE_TAKE,
                             .room = room,
                             .epoch = expected,
                             .instance = instance,
                             .owner_url = url_of(instance)};
}

struct store_op append_op(room_id room, uint64_t epoch, struct id128 instance, uint64_t base,
                          const char *words)
{
    struct store_op op = {
        .kind = STORE_APPEND, .room = room, .epoch = epoch, .instance = instance, .position = base};
    op.entries = test_entries(words, &op.entry_count);
    return op;
}

struct store_op restore_op(room_id room, uint64_t epoch, struct id128 instance, uint64_t position,
                           const char *words)
{
    struct store_op op = {.kind = STORE_RESTORE,
                          .room = room,
                          .epoch = epoch,
                          .instance = instance,
                          .owner_url = url_of(instance),
                          .record = slice_text("the record"),
                          .summary = slice_text("a lobby"),
                          .snapshot = slice_text("state at the end"),
                          .position = position,
                          .owned_since = epoch};
    op.entries = test_entries(words, &op.entry_count);
    if (op.entry_count) op.hash = op.entries[op.entry_count - 1].hash;
    return op;
}

struct store_op owner_op(enum store_op_kind kind, room_id room, uint64_t epoch,
                         struct id128 instance)
{
    return (struct store_op){.kind = kind, .room = room, .epoch = epoch, .instance = instance};
}
