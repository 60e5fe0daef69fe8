/* SPDX-License-Identifier: Apache-2.0
 *
 * From nng's threads to the loop's: what has happened to an object, as a node inside that object.
 * Posting takes no memory and a node that waits already is not queued again, so the queue is
 * bounded by the number of objects.
 */
#ifndef BUS_MAILBOX_H
#define BUS_MAILBOX_H

#include <stdbool.h>
#include <uv.h>

struct mail {
    struct mail *next;
    bool queued;
    void (*arrive)(struct mail *mail); /* in the loop's thread; may free the object */
};

struct mailbox {
    uv_mutex_t lock;
    struct mail *first, *last;
    uv_async_t *wake; /* NULL when shut */
};

void mailbox_init(struct mailbox *box, uv_async_t *wake);
void mailbox_fini(struct mailbox *box);
/* Before the handle that wakes the loop is closed: mails may still be posted, nothing arrives. */
void mailbox_shut(struct mailbox *box);
/* From any thread. */
void mailbox_post(struct mailbox *box, struct mail *mail);
/* The node will not arrive any more. Nobody may post it from now on. */
void mailbox_cancel(struct mailbox *box, struct mail *mail);
/* Lets everything arrive that waits now. What is posted meanwhile is for the next time. */
void mailbox_deliver(struct mailbox *box);

#endif
