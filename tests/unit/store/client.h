/* SPDX-License-Identifier: Apache-2.0
 *
 * A store on Redis driven by a test: effects in, answers collected, the loop turned by hand.
 */
#ifndef UNIT_STORE_CLIENT_H
#define UNIT_STORE_CLIENT_H

#include "store/store.h"
#include "unit/store/redis_fixture.h"

enum { CLIENT_REPLIES_MAX = 70000 };

struct client {
    uv_loop_t loop;
    struct store *store;
    struct store_reply *replies; /* in the order they came; what they point to lies in the arena */
    int reply_count;
    int ups, downs;    /* EVENT_STORE_RESETs */
    int count_at_down; /* replies that came before the last one that told of a loss */
    struct arena arena;
    struct effects effects;
};

/* Opens and waits until the store is up. */
void client_open(struct client *client, const struct redis_fixture *fixture);
/* The same with a config of the test's own (shards are filled in from url unless there are some),
 * not waiting. */
void client_open_with(struct client *client, const char *url, struct store_config config);
void client_close(struct client *client);

/* Forgets the replies so far. */
void client_clear(struct client *client);
/* Gathers an op; client_carry hands all that was gathered to the store as one step's effects. */
void client_add(struct client *client, const struct store_op *op);
void client_carry(struct client *client);
/* Turns the loop until that many replies are there, or the store is up; ends the test when it takes
 * too long. */
void client_wait_replies(struct client *client, int count);
void client_wait_up(struct client *client);
void client_wait_down(struct client *client, int downs);
/* One op and its answer, lent until client_clear. */
struct store_reply client_run(struct client *client, const struct store_op *op);
void client_turn_for(struct client *client, uint64_t ms);

#endif
