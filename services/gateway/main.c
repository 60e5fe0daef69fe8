/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-gateway: HTTP and WebSockets for browsers, nng for everybody else.
 */
#include "base/check.h"
#include "base/hash.h"
#include "gateway/edge.h"
#include "ops/system.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPARE_FILES = 100,   /* for everything that is no browser */
    LAST_WORDS_MS = 500, /* for closing frames to reach browsers */
};

/* Why a connection was closed, as a label. */
static const struct {
    enum gateway_close code;
    const char *label;
} closes[] = {
    {GATEWAY_CLOSE_LEAVING, "why=\"leaving\""},     {GATEWAY_CLOSE_TEXT, "why=\"text\""},
    {GATEWAY_CLOSE_MALFORMED, "why=\"malformed\""}, {GATEWAY_CLOSE_FLOOD, "why=\"flood\""},
    {GATEWAY_CLOSE_TOO_LARGE, "why=\"too_large\""}, {GATEWAY_CLOSE_FULL, "why=\"full\""},
    {GATEWAY_CLOSE_PROTOCOL, "why=\"protocol\""},   {GATEWAY_CLOSE_NO_HELLO, "why=\"no_hello\""},
    {GATEWAY_CLOSE_SILENT, "why=\"silent\""},       {GATEWAY_CLOSE_ADDRESS, "why=\"address\""},
    {GATEWAY_CLOSE_SLOW, "why=\"slow\""},
};
enum { CLOSES = sizeof closes / sizeof *closes };

static struct {
    int closed, refusals; /* where the values with labels begin in the metrics */
} labels;

static struct {
    uint64_t frames_in, in_bytes, frames_out, out_bytes, closed[CLOSES];
} counts;

static void label(struct metrics *metrics)
{
    for (int i = 0; i < CLOSES; i++) {
        int of = metrics_label(metrics, METRIC_gateway_closed, closes[i].label);
        if (i == 0) labels.closed = of;
    }
    labels.refusals = shell_label_reasons(metrics, METRIC_gateway_refusals);
}

static const char *text_of(const struct shell *shell, enum setting id)
{
    return setting(&shell->settings, id)->text;
}

/* Tells gateways of one cluster from others; nothing of the key can be learnt from it. */
static void name_cluster(const uint8_t key[GATEWAY_KEY_BYTES], char out[EDGE_CLUSTER_BYTES])
{
    struct id128 hash = hash_128_for("cluster", slice_of(key, GATEWAY_KEY_BYTES));
    for (int i = 0; i < 16; i++) snprintf(out + 2 * i, 3, "%02x", hash.byte[i]);
}

static void take_limits(const struct shell *shell, struct gateway_limits *limits)
{
    gateway_limits_default(limits);
    uint64_t wanted = (uint64_t)shell_number(shell, SETTING_CONNECTIONS_MAX);
    uint64_t files = files_raise();
    uint64_t possible = files > SPARE_FILES ? files - SPARE_FILES : 1;
    limits->connections_max = (uint32_t)(wanted < possible ? wanted : possible);
    limits->connections_per_address =
        (uint32_t)shell_number(shell, SETTING_ADDRESS_CONNECTIONS_MAX);
}

/* The keys are there only as long as the core is made. */
static const char *open_core(const struct shell *shell, struct edge *edge)
{
    struct gateway_config config = {
        .instance = shell->instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .build = MADANG_VERSION,
        .traces = shell->traces,
        .ops_port = shell_ops_port(shell),
        .token_lifetime_s = (uint64_t)shell_number(shell, SETTING_SESSION_LIFETIME) / 1000,
    };
    const char *why = keys_open(shell, config.keys, &config.key_count);
    config.matchmaker_count = shell_matchmakers(shell, config.matchmakers);
    take_limits(shell, &config.limits);
    for (int i = 0; i < config.key_count; i++) name_cluster(config.keys[i], edge->clusters[i]);
    edge->cluster_count = config.key_count;
    if (!why) edge->core = gateway_core_open(&config, clock_boot_ms());
    sodium_memzero(config.keys, sizeof config.keys);
    return why;
}

static const char *open_edge(struct shell *shell)
{
    static struct edge edge;
    const char *why = NULL;
    label(shell->metrics);
    edge.shell = shell;
    if (!networks_read(text_of(shell, SETTING_PROXIES), &edge.proxies)) {
        shell->exit_code = SHELL_EXIT_WRONG_SETTING;
        return "proxies: addresses and networks such as 10.0.0.0/8, fd00::/8 are named, 64 at most";
    }
    edge.knocks = knocks_open((uint32_t)shell_number(shell, SETTING_ADDRESS_HANDSHAKES_MAX),
                              random_id().byte);
    edge.guests_max = (uint32_t)shell_number(shell, SETTING_ADDRESS_CONNECTIONS_MAX);
    edge.origins = text_of(shell, SETTING_ORIGINS);
    shell->core = shell->own = &edge;
    why = open_core(shell, &edge);
    if (why) return why;
    if (!site_open(&edge.site, text_of(shell, SETTING_WEB_DIR), &why)) return why;
    why = https_open(&edge, text_of(shell, SETTING_HTTPS_CERTIFICATE),
                     text_of(shell, SETTING_HTTPS_KEY));
    if (why) {
        shell->exit_code = SHELL_EXIT_WRONG_SETTING;
        return why;
    }
    if (!web_open(&edge, &why)) return why;
    int port = (int)shell_number(shell, SETTING_PORT);
    return door_open(&edge, text_of(shell, SETTING_BIND), port, &why) ? NULL : why;
}

static void close_edge(struct shell *shell)
{
    struct edge *edge = shell->own;
    if (edge == NULL) return;
    door_close(edge);
    web_close(edge);
    https_close(edge);
    gateway_core_close(edge->core);
    map_fini(&edge->visits);
    map128_fini(&edge->guests);
    knocks_close(edge->knocks);
    site_close(&edge->site);
}

/* What the shell takes for the core is the edge: a drain closes the door first. */
static void step(void *core, const struct event *event, instant_ms now, struct effects *out)
{
    struct edge *edge = core;
    if (event->kind == EVENT_DRAIN) door_close(edge);
    if (event->kind == EVENT_SOCKET_FRAME) {
        counts.frames_in++;
        counts.in_bytes += event->frame.len;
    }
    gateway_core_step(edge->core, event, now, out);
}

static instant_ms deadline(const void *core)
{
    const struct edge *edge = core;
    return gateway_core_deadline(edge->core);
}

static void carry(struct shell *shell, const struct effect *effect)
{
    if (effect->kind == EFFECT_SOCKET_SEND) {
        counts.frames_out++;
        counts.out_bytes += effect->frame.len;
    } else if (effect->kind == EFFECT_SOCKET_CLOSE) {
        for (int i = 0; i < CLOSES; i++) counts.closed[i] += effect->close_code == closes[i].code;
    } else {
        return;
    }
    socket_carry(shell->own, effect);
}

static void tell_counts(struct metrics *metrics, const struct gateway_counts *core)
{
    metrics_set(metrics, METRIC_gateway_frames_in, counts.frames_in);
    metrics_set(metrics, METRIC_gateway_in_bytes, counts.in_bytes);
    metrics_set(metrics, METRIC_gateway_frames_out, counts.frames_out);
    metrics_set(metrics, METRIC_gateway_out_bytes, counts.out_bytes);
    for (int i = 0; i < CLOSES; i++)
        metrics_set_labelled(metrics, labels.closed + i, counts.closed[i]);
    shell_tell_reasons(metrics, labels.refusals, core->refusals);
    metrics_set(metrics, METRIC_gateway_actions_resent, core->resent);
    metrics_set_histogram(metrics, METRIC_gateway_action_written, &histogram_action_ms,
                          &core->written_ms);
    metrics_set_histogram(metrics, METRIC_gateway_room_away, &histogram_outage_ms, &core->away_ms);
    metrics_set_histogram(metrics, METRIC_gateway_match, &histogram_match_ms, &core->match_ms);
}

static const char *tell(struct shell *shell)
{
    const struct edge *edge = shell->own;
    struct gateway_stats stats;
    gateway_core_stats(edge->core, &stats);
    metrics_set(shell->metrics, METRIC_gateway_connections, stats.clients);
    metrics_set(shell->metrics, METRIC_gateway_seated, stats.seated);
    metrics_set(shell->metrics, METRIC_gateway_rooms, stats.rooms);
    metrics_set(shell->metrics, METRIC_gateway_rooms_lost, stats.lost_rooms);
    metrics_set(shell->metrics, METRIC_gateway_handshakes_refused, knocks_refused(edge->knocks));
    tell_counts(shell->metrics, gateway_core_counts(edge->core));
    return gateway_core_unready(edge->core);
}

static void tell_queues(struct shell *shell)
{
    const struct edge *edge = shell->own;
    struct gateway_queues queues;
    gateway_core_queues(edge->core, &queues);
#define X(name) metrics_set_queue(shell->metrics, QUEUE_gateway_##name, &queues.name);
    GATEWAY_QUEUES(X)
#undef X
    struct fullness guests = guests_fullness(edge);
    metrics_set_queue(shell->metrics, QUEUE_gateway_guests, &guests);
}

static void turn(struct shell *shell)
{
    door_retry(shell->own);
}

int main(int argc, char **argv)
{
    static const struct shell_service gateway = {
        .program = PROGRAM_GATEWAY,
        .inbox = true,
        .matchmakers_max = GATEWAY_MATCHMAKERS_MAX,
        .last_words_ms = LAST_WORDS_MS,
        .open = open_edge,
        .close = close_edge,
        .step = step,
        .deadline = deadline,
        .tell = tell,
        .tell_queues = tell_queues,
        .carry = carry,
        .turn = turn,
    };
    (void)argc;
    return shell_main(&gateway, argv);
}
