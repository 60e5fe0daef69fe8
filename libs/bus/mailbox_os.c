/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include "bus/mailbox.h"

#include <stddef.h>

void mailbox_init(struct mailbox *box, uv_async_t *wake)
{
    *box = (struct mailbox){.wake = wake};
    CHECK(uv_mutex_init(&box->lock) == 0);
}

void mailbox_fini(struct mailbox *box)
{
    uv_mutex_destroy(&box->lock);
}

void mailbox_shut(struct mailbox *box)
{
    uv_mutex_lock(&box->lock);
    box->wake = NULL;
    uv_mutex_unlock(&box->lock);
}

void mailbox_post(struct mailbox *box, struct mail *mail)
{
    uv_mutex_lock(&box->lock);
    if (!mail->queued) {
        mail->queued = true;
        mail->next = NULL;
        if (box->last)
            box->last->next = mail;
        else
            box->first = mail;
        box->last = mail;
        if (box->wake) uv_async_send(box->wake);
    }
    uv_mutex_unlock(&box->lock);
}

/* The first node; NULL when there is none. */
static struct mail *take(struct mailbox *box)
{
    uv_mutex_lock(&box->lock);
    struct mail *mail = box->first;
    if (mail) {
        box->first = mail->next;
        if (box->first == NULL) box->last = NULL;
        mail->queued = false;
    }
    uv_mutex_unlock(&box->lock);
    return mail;
}

void mailbox_cancel(struct mailbox *box, struct mail *mail)
{
    uv_mutex_lock(&box->lock);
    struct mail *before = NULL;
    for (struct mail *at = box->first; at; before = at, at = at->next) {
        if (at != mail) continue;
        if (before)
            before->next = at->next;
        else
            box->first = at->next;
        if (box->last == at) box->last = before;
        break;
    }
    mail->queued = false;
    uv_mutex_unlock(&box->lock);
}

static int count_waiting(struct mailbox *box)
{
    int count = 0;
    uv_mutex_lock(&box->lock);
    for (const struct mail *at = box->first; at; at = at->next) count++;
    uv_mutex_unlock(&box->lock);
    return count;
}

void mailbox_deliver(struct mailbox *box)
{
    struct mail *mail;
    for (int left = count_waiting(box); left > 0 && (mail = take(box)); left--) mail->arrive(mail);
    uv_mutex_lock(&box->lock);
    if (box->first && box->wake) uv_async_send(box->wake);
    uv_mutex_unlock(&box->lock);
}
