/* SPDX-License-Identifier: Apache-2.0
 *
 * What one address, one session and one connection may do. A school is one address: forty phones
 * behind one join within seconds under the default limits.
 */
#include "gateway/calls.h"

#include <stdlib.h>

enum { SWEEP_MS = 30 * 1000 };

bool gw_bucket_take(struct bucket *bucket, instant_ms now, uint64_t cost_us, uint64_t depth_us)
{
    uint64_t now_us = now * 1000;
    uint64_t empty_us = bucket->empty_us > now_us ? bucket->empty_us : now_us;
    if (empty_us + cost_us > now_us + depth_us) return false;
    bucket->empty_us = empty_us + cost_us;
    return true;
}

void gw_bucket_give_back(struct bucket *bucket, uint64_t cost_us)
{
    bucket->empty_us -= bucket->empty_us < cost_us ? bucket->empty_us : cost_us;
}

/* ---- connections of an address --------------------------------------------------------------- */

struct address *gw_address_enter(struct gateway_core *core, const char *text)
{
    struct id128 key = hash_128_for("address", slice_text(text ? text : ""));
    struct address *address = map128_get(&core->addresses, key);
    if (address == NULL) {
        address = calloc(1, sizeof *address);
        CHECK(address != NULL);
        address->key = key;
        map128_put(&core->addresses, key, address);
    }
    if (address->connections >= core->config.limits.connections_per_address) {
        if (address->connections == 0) free(map128_remove(&core->addresses, key));
        core->refused.address++;
        return NULL;
    }
    address->connections++;
    return address;
}

void gw_address_leave(struct gateway_core *core, struct address *address)
{
    CHECK(address->connections > 0);
    if (--address->connections == 0) free(map128_remove(&core->addresses, address->key));
}

/* ---- wrong codes ----------------------------------------------------------------------------- */

static struct bucket *bucket_of(struct gateway_core *core, struct id128 key)
{
    struct bucket *bucket = map128_get(&core->tries, key);
    if (bucket) return bucket;
    if (core->tries.count >= GATEWAY_TRIES_MAX) {
        core->refused.tries++;
        return NULL;
    }
    bucket = calloc(1, sizeof *bucket);
    CHECK(bucket != NULL);
    map128_put(&core->tries, key, bucket);
    return bucket;
}

static uint32_t seconds_until(const struct bucket *bucket, instant_ms now, uint64_t cost_us,
                              uint64_t depth_us)
{
    if (bucket == NULL) return SWEEP_MS / 1000;
    uint64_t free_us = bucket->empty_us + cost_us - depth_us;
    uint64_t wait_us = free_us > now * 1000 ? free_us - now * 1000 : 0;
    return (uint32_t)((wait_us + 999999) / 1000000) + (wait_us == 0);
}

/* A bucket that is empty again says nothing: those go, so the table holds who was wrong lately. */
void gw_tries_sweep(struct gateway_core *core)
{
    if (core->now - core->tries_swept_at < SWEEP_MS) return;
    core->tries_swept_at = core->now;
    size_t cursor = 0;
    struct id128 key;
    void *value;
    while (map128_next(&core->tries, &cursor, &key, &value)) {
        const struct bucket *bucket = value;
        if (bucket->empty_us <= core->now * 1000) free(map128_remove(&core->tries, key));
    }
}

static struct id128 session_key(const struct client *client)
{
    return hash_128_for("session tries", slice_of(client->player.byte, sizeof client->player.byte));
}

static struct id128 address_key(const struct client *client)
{
    struct id128 key = client->address->key;
    return hash_128_for("address tries", slice_of(key.byte, sizeof key.byte));
}

/* One of the address and one of the session. The address comes first: sessions cost nothing to
 * make, and those of an address that has used its share up must not fill the table. */
static uint32_t take_both(struct gateway_core *core, struct id128 of_address,
                          const struct gateway_rate *each_address, struct id128 of_session,
                          const struct gateway_rate *each_session)
{
    uint64_t address_us = (uint64_t)each_address->each_ms * 1000;
    uint64_t address_depth_us = address_us * each_address->burst;
    struct bucket *address = bucket_of(core, of_address);
    if (address == NULL || !gw_bucket_take(address, core->now, address_us, address_depth_us))
        return seconds_until(address, core->now, address_us, address_depth_us);

    uint64_t session_us = (uint64_t)each_session->each_ms * 1000;
    uint64_t session_depth_us = session_us * each_session->burst;
    struct bucket *session = bucket_of(core, of_session);
    if (session && gw_bucket_take(session, core->now, session_us, session_depth_us)) return 0;
    gw_bucket_give_back(address, address_us);
    return seconds_until(session, core->now, session_us, session_depth_us);
}

uint32_t gw_code_try(struct gateway_core *core, const struct client *client)
{
    const struct gateway_limits *limits = &core->config.limits;
    return take_both(core, address_key(client), &limits->address_codes, session_key(client),
                     &limits->codes);
}

bool gw_room_try(struct gateway_core *core, const struct client *client)
{
    const struct gateway_limits *limits = &core->config.limits;
    struct id128 address = client->address->key, session = client->player;
    address = hash_128_for("address rooms", slice_of(address.byte, sizeof address.byte));
    session = hash_128_for("session rooms", slice_of(session.byte, sizeof session.byte));
    return take_both(core, address, &limits->address_rooms, session, &limits->rooms) == 0;
}

/* Who was never wrong leaves nothing behind. */
static void give_back(struct gateway_core *core, struct id128 key, uint32_t each_ms)
{
    struct bucket *bucket = map128_get(&core->tries, key);
    if (bucket == NULL) return;
    gw_bucket_give_back(bucket, (uint64_t)each_ms * 1000);
    if (bucket->empty_us <= core->now * 1000) free(map128_remove(&core->tries, key));
}

void gw_code_right(struct gateway_core *core, const struct client *client)
{
    const struct gateway_limits *limits = &core->config.limits;
    give_back(core, session_key(client), limits->codes.each_ms);
    give_back(core, address_key(client), limits->address_codes.each_ms);
}

static void free_values(struct map128 *map)
{
    size_t cursor = 0;
    struct id128 key;
    void *value;
    while (map128_next(map, &cursor, &key, &value)) free(value);
    map128_fini(map);
}

void gw_limits_fini(struct gateway_core *core)
{
    free_values(&core->addresses);
    free_values(&core->tries);
}
