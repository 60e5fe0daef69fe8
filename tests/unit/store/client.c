/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/store/client.h"

#include "base/check.h"
#include "unit/test.h"

#include <stdlib.h>

enum { PATIENCE_MS = 45000 };

static void *copy(struct arena *arena, const void *bytes, size_t size)
{
    void *at = arena_alloc(arena, size);
    if (size) memcpy(at, bytes, size);
    return at;
}

static struct slice *copy_slices(struct arena *arena, const struct slice *list, int count)
{
    struct slice *at = arena_alloc(arena, (size_t)count * sizeof *at);
    for (int i = 0; i < count; i++) at[i] = arena_copy(arena, list[i]);
    return at;
}

static struct store_reply keep(struct arena *arena, const struct store_reply *reply)
{
    struct store_reply kept = *reply;
    kept.owner_url = arena_text(arena, reply->owner_url);
    kept.record = arena_copy(arena, reply->record);
    kept.snapshot = arena_copy(arena, reply->snapshot);
    kept.summary = arena_copy(arena, reply->summary);
    kept.entries = copy_slices(arena, reply->entries, reply->entry_count);
    kept.rooms = copy(arena, reply->rooms, (size_t)reply->room_count * sizeof *kept.rooms);
    kept.epochs = copy(arena, reply->epochs, (size_t)reply->room_count * sizeof *kept.epochs);
    kept.public_rooms =
        copy(arena, reply->public_rooms, (size_t)reply->public_count * sizeof *kept.public_rooms);
    kept.public_owners =
        copy(arena, reply->public_owners, (size_t)reply->public_count * sizeof *kept.public_owners);
    kept.owners = copy(arena, reply->owners, (size_t)reply->owner_count * sizeof *kept.owners);
    kept.summaries = copy_slices(arena, reply->summaries, reply->public_count + reply->room_count);
    kept.due = copy(arena, reply->due, (size_t)reply->due_count * sizeof *kept.due);
    for (int i = 0; i < kept.due_count; i++)
        kept.due[i].owner_url = arena_text(arena, kept.due[i].owner_url);
    return kept;
}

static void on_event(void *user, struct event *event)
{
    struct client *client = user;
    if (event->kind == EVENT_STORE_RESET) {
        if (event->store_up)
            client->ups++;
        else
            client->downs++;
        if (!event->store_up) client->count_at_down = client->reply_count;
        return;
    }
    CHECK(event->kind == EVENT_STORE && client->reply_count < CLIENT_REPLIES_MAX);
    client->replies[client->reply_count++] = keep(&client->arena, event->store);
}

void client_open_with(struct client *client, const char *url, struct store_config config)
{
    const char *why;
    *client = (struct client){0};
    if (config.shard_count == 0) CHECK(store_config_parse(url, NULL, &config, &why) == ST_OK);
    client->replies = calloc(CLIENT_REPLIES_MAX, sizeof *client->replies);
    CHECK(client->replies && uv_loop_init(&client->loop) == 0);
    client->store = store_open(&client->loop, &config, on_event, client);
}

void client_open(struct client *client, const struct redis_fixture *fixture)
{
    client_open_with(client, fixture->url, (struct store_config){0});
    client_wait_up(client);
}

void client_close(struct client *client)
{
    store_close(client->store);
    uv_run(&client->loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&client->loop) == 0);
    effects_fini(&client->effects);
    arena_fini(&client->arena);
    free(client->replies);
}

void client_clear(struct client *client)
{
    client->reply_count = 0;
    arena_reset(&client->arena);
}

void client_add(struct client *client, const struct store_op *op)
{
    effects_add(&client->effects, EFFECT_STORE)->op = *op;
}

void client_carry(struct client *client)
{
    store_carry(client->store, &client->effects);
    effects_reset(&client->effects);
}

static void on_patience(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
}

static void do_nothing(uv_handle_t *handle)
{
    (void)handle;
}

/* Turns the loop until done says so; false: ms passed first. */
static bool turn(struct client *client, bool (*is_done)(struct client *client, int count),
                 int count, uint64_t ms)
{
    bool over = false;
    uv_timer_t timer;
    uv_timer_init(&client->loop, &timer);
    uv_update_time(&client->loop);
    timer.data = &over;
    uv_timer_start(&timer, on_patience, ms, 0);
    while (!over && !is_done(client, count)) uv_run(&client->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, do_nothing);
    bool is_so = is_done(client, count);
    uv_run(&client->loop, UV_RUN_NOWAIT);
    return is_so;
}

static bool replied(struct client *client, int count)
{
    return client->reply_count >= count;
}

static bool is_up(struct client *client, int count)
{
    (void)count;
    return store_up(client->store);
}

static bool is_down(struct client *client, int count)
{
    return client->downs >= count;
}

static bool never(struct client *client, int count)
{
    (void)client, (void)count;
    return false;
}

void client_wait_replies(struct client *client, int count)
{
    if (!turn(client, replied, count, PATIENCE_MS))
        fail_msg("%d of %d replies", client->reply_count, count);
}

void client_wait_up(struct client *client)
{
    if (!turn(client, is_up, 0, PATIENCE_MS))
        fail_msg("the store is not up: %s", store_trouble(client->store, 0));
}

void client_wait_down(struct client *client, int downs)
{
    if (!turn(client, is_down, downs, PATIENCE_MS)) fail_msg("%d losses told", client->downs);
}

void client_turn_for(struct client *client, uint64_t ms)
{
    turn(client, never, 0, ms);
}

struct store_reply client_run(struct client *client, const struct store_op *op)
{
    int before = client->reply_count;
    client_add(client, op);
    client_carry(client);
    client_wait_replies(client, before + 1);
    return client->replies[client->reply_count - 1];
}
