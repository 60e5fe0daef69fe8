/* SPDX-License-Identifier: Apache-2.0
 *
 * One Sentinel: a connection that asks it for the address of a primary and the epoch of its
 * configuration, then listens for +switch-master, asks again when told to and every second, and is
 * made anew with growing pauses when it is lost or silent.
 */
#ifndef STORE_SENTINEL_H
#define STORE_SENTINEL_H

#include "store/opinion.h"

enum sentinel_state {
    SENTINEL_WAITING, /* for the next attempt */
    SENTINEL_RESOLVING,
    SENTINEL_CONNECTING,
    SENTINEL_TALKING,
};

/* Which reply comes next. */
enum sentinel_step {
    SENTINEL_AUTH = 1,
    SENTINEL_UNSUBSCRIBE,
    SENTINEL_ADDRESS,
    SENTINEL_EPOCH,
    SENTINEL_SUBSCRIBE,
    SENTINEL_LISTEN, /* none: whatever comes is a message */
};

struct sentinel {
    uv_loop_t *loop;
    const struct store_shard *config;
    const struct store_address *at;
    void *owner;
    /* What it says has been told, or is lost. The last thing that a handler does. */
    void (*on_told)(struct sentinel *sentinel);
    void (*on_promotion)(struct sentinel *sentinel); /* it speaks of one */
    void (*on_closed)(struct sentinel *sentinel);

    enum sentinel_state state;
    enum sentinel_step step;
    struct sentinel_wire *wire; /* NULL unless connecting or talking */
    uv_getaddrinfo_t resolving;
    uint32_t pause_ms;
    uint64_t due_ms; /* the next attempt, or the next asking */
    uint64_t heard_ms;
    bool asked; /* and has not answered */
    bool closed;
    struct opinion half; /* while it is being told */
    struct opinion opinion;
    char trouble[64];
};

/* A zeroed struct with the first block filled in; nothing is sent yet. */
void sentinel_open(struct sentinel *sentinel);
/* Asks, connecting first where it must; sets `asked`, which is unset before on_told. */
void sentinel_ask(struct sentinel *sentinel);
/* To be called every few tens of milliseconds. excused: this process did not run meanwhile. */
void sentinel_tick(struct sentinel *sentinel, uint64_t now, bool excused);
/* on_closed follows, perhaps at once, when nothing refers to the struct any more. */
void sentinel_close(struct sentinel *sentinel);

#endif
