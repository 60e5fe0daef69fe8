/* SPDX-License-Identifier: Apache-2.0
 *
 * The Sentinels of one shard, and what they say of its primary. There is one connection to each: it
 * asks for the primary's address and the epoch of the Sentinel's configuration, then listens for
 * +switch-master; every second, on that message and whenever a primary is needed it asks again.
 * What a Sentinel says is never more than a hint: whoever connects to the address checks that a
 * primary answers there, and tells the outcome here (sentinels_tried).
 *
 *   sentinels_ask ──▶ all that can be reached are asked ──▶ on_found: the best address, or why not
 *        ▲                                                       │
 *        └── on_moved: another is to be used ◀── listening ◀─────┘ sentinels_tried
 *
 * An address that was tried in vain is passed over for the next best one until its Sentinels say
 * something else, or there is no other.
 */
#ifndef STORE_SENTINELS_H
#define STORE_SENTINELS_H

#include "store/store.h"

struct sentinels;

struct sentinels_events {
    /* Answers sentinels_ask, once, from the loop. at: lent; NULL: none, and why says so. */
    void (*on_found)(void *user, const struct store_address *at, const char *why);
    /* Another address than the last one told is to be used; called again while that is so. */
    void (*on_moved)(void *user);
    /* After sentinels_close: nothing refers to `user` any more. */
    void (*on_closed)(void *user);
};

/* For a shard with Sentinels. Borrows the config and the events until on_closed. */
struct sentinels *sentinels_open(uv_loop_t *loop, const struct store_shard *config,
                                 const struct sentinels_events *events, void *user);
void sentinels_ask(struct sentinels *sentinels);
/* Whether a usable primary answered at the address told last. */
void sentinels_tried(struct sentinels *sentinels, bool usable);
void sentinels_close(struct sentinels *sentinels);

#endif
