/* SPDX-License-Identifier: Apache-2.0
 *
 * hiredis on libuv. The adapter that hiredis brings leaves an error of the socket (a reset, a
 * refused connection) unread, so that nobody would notice before a time limit; here hiredis is let
 * at the socket and finds the error itself.
 *
 * What is sent on a connection is written as the turn ends, without asking whether the socket takes
 * it: to ask is a turn of its own and four calls of the kernel. Only what it did not take waits.
 */
#include "store/connection.h"

#include "base/check.h"

#include <stdlib.h>

struct poll {
    uv_poll_t handle;
    redisAsyncContext *context; /* NULL once hiredis has let go */
    int events;
    bool unwritten; /* hiredis holds something that no turn's end has tried to write */
};

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct poll *poll = handle->data;
    if (status != 0) events = UV_READABLE | UV_WRITABLE;
    if (poll->context && (events & UV_READABLE)) redisAsyncHandleRead(poll->context);
    if (poll->context && (events & UV_WRITABLE)) redisAsyncHandleWrite(poll->context);
}

static void watch(struct poll *poll, int events)
{
    poll->events = events;
    if (events)
        CHECK(uv_poll_start(&poll->handle, events, on_poll) == 0);
    else
        uv_poll_stop(&poll->handle);
}

static void add_read(void *data)
{
    struct poll *poll = data;
    if (!(poll->events & UV_READABLE)) watch(poll, poll->events | UV_READABLE);
}

static void del_read(void *data)
{
    struct poll *poll = data;
    if (poll->events & UV_READABLE) watch(poll, poll->events & ~UV_READABLE);
}

static void add_write(void *data)
{
    struct poll *poll = data;
    bool connected = poll->context && (poll->context->c.flags & REDIS_CONNECTED);
    if (connected && (poll->events & UV_READABLE))
        poll->unwritten = true;
    else if (!(poll->events & UV_WRITABLE))
        watch(poll, poll->events | UV_WRITABLE);
}

static void del_write(void *data)
{
    struct poll *poll = data;
    poll->unwritten = false;
    if (poll->events & UV_WRITABLE) watch(poll, poll->events & ~UV_WRITABLE);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void clean_up(void *data)
{
    struct poll *poll = data;
    poll->context = NULL;
    uv_close((uv_handle_t *)&poll->handle, on_closed);
}

/* An error stays in the context, where hiredis finds it in the loop's next turn. */
void connection_poll_write(redisAsyncContext *context)
{
    struct poll *poll = context->ev.data;
    int done = 0;
    if (!poll->unwritten || (poll->events & UV_WRITABLE)) return;
    poll->unwritten = false;
    if (redisBufferWrite(&context->c, &done) == REDIS_OK && done) return;
    watch(poll, poll->events | UV_WRITABLE);
}

bool connection_poll(redisAsyncContext *context, uv_loop_t *loop)
{
    struct poll *poll = calloc(1, sizeof *poll);
    CHECK(poll != NULL);
    if (uv_poll_init(loop, &poll->handle, context->c.fd) != 0) {
        free(poll);
        return false;
    }
    poll->handle.data = poll;
    poll->context = context;
    context->ev.data = poll;
    context->ev.addRead = add_read;
    context->ev.delRead = del_read;
    context->ev.addWrite = add_write;
    context->ev.delWrite = del_write;
    context->ev.cleanup = clean_up;
    return true;
}
