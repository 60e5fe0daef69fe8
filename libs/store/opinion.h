/* SPDX-License-Identifier: Apache-2.0
 *
 * What a Sentinel says of a shard's primary, and which of several to believe. Pure.
 *
 * Every promotion raises the epoch of the Sentinels' configuration, and a Sentinel that heard of it
 * late, or not at all, names the old primary with the old epoch: the highest one is right. A
 * configuration below the one that was in use is believed only when more than half of the listed
 * Sentinels have it (a group that was set up anew begins at 0), so that one which was cut off
 * together with the old primary leads nobody back to it.
 */
#ifndef STORE_OPINION_H
#define STORE_OPINION_H

#include "store/store.h"

#include <hiredis/hiredis.h>

struct opinion {
    struct store_address at; /* host empty: it has none */
    uint64_t epoch;          /* of its configuration */
};

/* Reads the answers to SENTINEL GET-MASTER-ADDR-BY-NAME and SENTINEL MASTER. False: it knows no
 * such primary, or talks nonsense; *out then has none. */
bool opinion_read_address(const redisReply *reply, struct opinion *out);
bool opinion_read_epoch(const redisReply *reply, struct opinion *out);

bool opinion_same_address(const struct store_address *a, const struct store_address *b);

/* Whether more than half of the `count` listed ones name this address. */
bool opinion_of_most(const struct opinion *list, int count, const struct store_address *at);

/* The one to follow: of the highest epoch, and if these differ the one that most name, and the
 * first of those. -1: none, *why says so in a sentence. `doubted`: those not to be believed.
 * `known`: the epoch in use so far. */
int opinion_choose(const struct opinion *list, const bool *doubted, int count, uint64_t known,
                   const char **why);

#endif
