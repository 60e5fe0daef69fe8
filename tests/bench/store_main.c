/* SPDX-License-Identifier: Apache-2.0
 *
 * What an append costs Redis: turns in which ROOMS rooms append one entry of 120 bytes each, with
 * and without a new deadline; and a page of due deadlines. Redis' CPU in microseconds, and ours.
 */
#include "unit/store/client.h"
#include "unit/store/ops.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROOMS = 50, TURNS = 2000 };

static struct redis_fixture server;
static struct client client;
static uint64_t epochs[ROOMS];

static double field(const char *info, const char *name)
{
    const char *at = strstr(info, name);
    if (!at) exit(1);
    return strtod(at + strlen(name), NULL);
}

/* CPU microseconds that Redis has spent since the last call, other than on disk writes. */
static double redis_us(void)
{
    static double before;
    redisContext *context = redisConnectUnix(server.socket);
    redisReply *reply = redisCommand(context, "INFO cpu");
    double now = 1e6 * (field(reply->str, "used_cpu_sys_main_thread:") +
                        field(reply->str, "used_cpu_user_main_thread:"));
    double spent = now - before;
    before = now;
    freeReplyObject(reply);
    redisFree(context);
    return spent;
}

static double own_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static void append_turns(const char *name, bool deadlines, uint64_t *position)
{
    static uint8_t bytes[120];
    struct store_entry entry = {slice_of(bytes, sizeof bytes), test_id(3)};
    redis_us();
    double began = own_ms();
    for (int turn = 0; turn < TURNS; turn++, ++*position) {
        client_clear(&client);
        for (uint32_t i = 0; i < ROOMS; i++) {
            struct store_op op = owner_op(STORE_APPEND, test_room(i, 1), epochs[i], test_id(1));
            op.position = *position;
            op.entries = &entry;
            op.entry_count = 1;
            op.deadline_changed = deadlines;
            op.deadline = (struct store_deadline){true, *position + 1, 60000 + i};
            client_add(&client, &op);
        }
        client_carry(&client);
        client_wait_replies(&client, ROOMS);
        if (client.replies[ROOMS - 1].status != ST_OK) exit(1);
    }
    double ours = own_ms() - began, us = redis_us();
    printf("%-28s %6.2f us of Redis per append, %5.2f us of ours\n", name, us / (ROOMS * TURNS),
           1e3 * ours / (ROOMS * TURNS));
}

int main(void)
{
    redis_fixture_start(&server, NULL);
    client_open(&client, &server);
    for (uint32_t i = 0; i < ROOMS; i++) {
        struct store_op op = create_op(test_room(i, 1), test_id(1));
        epochs[i] = client_run(&client, &op).epoch;
    }
    uint64_t position = 0;
    append_turns("append", false, &position);
    append_turns("append and deadline", true, &position);

    redis_us();
    for (int turn = 0; turn < TURNS; turn++) {
        client_clear(&client);
        struct store_op op = {.kind = STORE_DUE, .ahead_ms = 100000, .limit = ROOMS};
        if (client_run(&client, &op).due_count != ROOMS) exit(1);
    }
    printf("%-28s %6.2f us of Redis per room\n", "due", redis_us() / (ROOMS * TURNS));
    client_close(&client);
    redis_fixture_stop(&server);
    return 0;
}
