/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/health.h"

#include "base/check.h"
#include "ops/process.h"

#include <arpa/inet.h>
#include <nng/nng.h>
#include <nng/supplemental/http/http.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct health {
    struct metrics *metrics;
    nng_http_server *server;
    uv_timer_t beat;
    _Atomic uint64_t beat_at_ns; /* of the last one, uv_hrtime */
    uv_mutex_t lock;
    char why[HEALTH_WHY_BYTES_MAX + 1]; /* under the lock; empty: ready */
    struct buf config;                  /* under the lock */
    bool served;
};

static void on_beat(uv_timer_t *handle)
{
    struct health *health = handle->data;
    atomic_store(&health->beat_at_ns, uv_hrtime());
    uint64_t left = HEALTH_BEAT_MS - uv_now(handle->loop) % HEALTH_BEAT_MS;
    CHECK(uv_timer_start(handle, on_beat, left, 0) == 0); /* with the bus' tick: one wake */
}

/* ---- answers, in nng's threads --------------------------------------------------------------- */

static void respond(nng_aio *aio, uint16_t status, const char *type, struct slice body)
{
    nng_http_res *response;
    int error = nng_http_res_alloc(&response);
    if (error == 0) {
        nng_http_res_set_status(response, status);
        nng_http_res_set_header(response, "Content-Type", type);
        nng_http_res_set_header(response, "Cache-Control", "no-store");
        nng_http_res_copy_data(response, body.at, body.len);
        nng_aio_set_output(aio, 0, response);
    }
    nng_aio_finish(aio, error);
}

static struct health *health_of(nng_aio *aio)
{
    nng_http_handler *handler = nng_aio_get_input(aio, 1);
    return nng_http_handler_get_data(handler);
}

static void say(nng_aio *aio, const char *fault)
{
    bool well = fault[0] == '\0';
    respond(aio, well ? 200 : 503, "text/plain; charset=utf-8", slice_text(well ? "ok\n" : fault));
}

static void on_livez(nng_aio *aio)
{
    uint64_t age_ns = uv_hrtime() - atomic_load(&health_of(aio)->beat_at_ns);
    bool stalled = age_ns / 1000000 > HEALTH_STALL_MS;
    say(aio, stalled ? "the loop stands still\n" : "");
}

static void on_readyz(nng_aio *aio)
{
    struct health *health = health_of(aio);
    char why[HEALTH_WHY_BYTES_MAX + 1];
    uv_mutex_lock(&health->lock);
    memcpy(why, health->why, sizeof why);
    uv_mutex_unlock(&health->lock);
    say(aio, why);
}

static void on_metrics(nng_aio *aio)
{
    struct buf text = {0};
    metrics_render(health_of(aio)->metrics, &text);
    process_render(&text);
    respond(aio, 200, "text/plain; version=0.0.4; charset=utf-8", buf_slice(&text));
    buf_fini(&text);
}

static void on_config(nng_aio *aio)
{
    struct health *health = health_of(aio);
    struct buf text = {0};
    uv_mutex_lock(&health->lock);
    buf_put_slice(&text, buf_slice(&health->config));
    uv_mutex_unlock(&health->lock);
    respond(aio, 200, "text/plain; charset=utf-8", buf_slice(&text));
    buf_fini(&text);
}

/* ---- life ------------------------------------------------------------------------------------ */

static bool add_handler(struct health *health, const char *path, void (*answer)(nng_aio *))
{
    nng_http_handler *handler;
    if (nng_http_handler_alloc(&handler, path, answer) != 0) return false;
    if (nng_http_handler_set_data(handler, health, NULL) == 0 &&
        nng_http_server_add_handler(health->server, handler) == 0)
        return true;
    nng_http_handler_free(handler);
    return false;
}

static bool serve(struct health *health, const char *url)
{
    nng_url *parsed;
    if (nng_url_parse(&parsed, url) != 0) return false;
    int error = nng_http_server_hold(&health->server, parsed);
    nng_url_free(parsed);
    if (error) return false;
    if (add_handler(health, "/livez", on_livez) && add_handler(health, "/readyz", on_readyz) &&
        add_handler(health, "/metrics", on_metrics) && add_handler(health, "/config", on_config) &&
        nng_http_server_start(health->server) == 0)
        health->served = true;
    return health->served;
}

static void on_closed(uv_handle_t *handle)
{
    struct health *health = handle->data;
    uv_mutex_destroy(&health->lock);
    buf_fini(&health->config);
    free(health);
}

void health_close(struct health *health)
{
    if (health == NULL) return;
    if (health->served) nng_http_server_stop(health->server);
    if (health->server) nng_http_server_release(health->server);
    uv_close((uv_handle_t *)&health->beat, on_closed);
}

struct health *health_open(uv_loop_t *loop, const char *url, struct metrics *metrics,
                           const char **why)
{
    struct health *health = calloc(1, sizeof *health);
    CHECK(health != NULL && uv_mutex_init(&health->lock) == 0);
    health->metrics = metrics;
    health->beat.data = health;
    strcpy(health->why, "starting\n");
    CHECK(uv_timer_init(loop, &health->beat) == 0);
    on_beat(&health->beat);
    uv_unref((uv_handle_t *)&health->beat);
    if (serve(health, url)) return health;
    *why = "the operations port cannot be listened on: is it taken?";
    health_close(health);
    return NULL;
}

void health_set_ready(struct health *health, const char *why)
{
    if (health == NULL) return;
    metrics_set(health->metrics, METRIC_ready, why == NULL);
    uv_mutex_lock(&health->lock);
    health->why[0] = '\0';
    if (why) snprintf(health->why, sizeof health->why, "%.*s\n", HEALTH_WHY_BYTES_MAX - 2, why);
    uv_mutex_unlock(&health->lock);
}

void health_set_config(struct health *health, struct slice text)
{
    if (health == NULL) return;
    uv_mutex_lock(&health->lock);
    buf_clear(&health->config);
    buf_put_slice(&health->config, text);
    uv_mutex_unlock(&health->lock);
}

int health_port(const struct health *health)
{
    nng_sockaddr address;
    if (nng_http_server_get_addr(health->server, &address) != 0) return 0;
    if (address.s_family == NNG_AF_INET) return ntohs(address.s_in.sa_port);
    return address.s_family == NNG_AF_INET6 ? ntohs(address.s_in6.sa_port) : 0;
}
