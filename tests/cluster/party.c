/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/party.h"

#include "ops/system.h"
#include "unit/test.h"

#include <stdio.h>

enum { LOOK_MS = 2 };

struct cluster party_cluster;
struct ws_client party[GAME_SEATS_MAX];

int party_open(void **state)
{
    (void)state;
    party_cluster = (struct cluster){.gateways = 2, .matchmakers = 2, .workers = 2, .timers = 2};
    return cluster_start(&party_cluster) ? 0 : -1;
}

int party_close(void **state)
{
    (void)state;
    bool in_order = cluster_stop(&party_cluster);
    cluster_remove(&party_cluster);
    return in_order ? 0 : -1;
}

int party_leave(void **state)
{
    (void)state;
    for (int i = 0; i < GAME_SEATS_MAX; i++) {
        ws_free(&party[i]);
        party[i] = (struct ws_client){0};
    }
    return 0;
}

static void come_in(int number, const char *game, const struct party_option *options)
{
    struct ws_client *player = &party[number];
    struct option_pair pairs[PARTY_OPTIONS_MAX];
    int count = 0;
    char name[32];
    snprintf(name, sizeof name, "사람%d", number + 1);
    for (; options && options[count].key; count++) {
        assert_true(count < PARTY_OPTIONS_MAX);
        pairs[count] = (struct option_pair){options[count].key, options[count].value};
    }
    assert_true(ws_connect(player, "127.0.0.1", party_cluster.port, PARTY_PATIENCE_MS));
    assert_true(ws_hello(player, PARTY_PATIENCE_MS));
    if (number == 0)
        assert_true(ws_create(player, game, name, pairs, count, PARTY_PATIENCE_MS));
    else
        assert_true(ws_join(player, party[0].code, name, PARTY_PATIENCE_MS));
}

void party_start(const char *game, int count, const struct party_option *options)
{
    for (int i = 0; i < count; i++) come_in(i, game, options);
    assert_true(ws_wait(&party[0], ws_has_seated, &count, PARTY_PATIENCE_MS));
    assert_true(ws_start(&party[0], PARTY_PATIENCE_MS));
    for (int i = 0; i < count; i++)
        assert_true(ws_wait(&party[i], ws_is_playing, NULL, PARTY_PATIENCE_MS));
}

void party_play(int count, int limit_ms)
{
    const char *fault = bots_play(party, count, limit_ms);
    if (fault) fail_msg("%s", fault);
}

void party_pump(int count, int ms)
{
    instant_ms until = clock_boot_ms() + (instant_ms)ms;
    while (clock_boot_ms() < until) {
        ws_pump_all(party, count);
        sleep_ms(LOOK_MS);
    }
}
