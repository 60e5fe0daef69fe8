/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-gateway: HTTP and WebSockets for browsers, nng for everybody else.
 */
#include "base/check.h"
#include "base/hash.h"
#include "gateway/shell.h"
#include "ops/log.h"
#include "ops/settings.h"
#include "ops/system.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPARE_FILES = 100 }; /* for everything that is no browser */

static const char *text_of(const struct settings *settings, enum setting id)
{
    return setting(settings, id)->text;
}

static const char *text_or_null(const struct settings *settings, enum setting id)
{
    const char *text = text_of(settings, id);
    return text[0] ? text : NULL;
}

/* Tells gateways of one cluster from others; nothing of the key can be learnt from it. */
static void name_cluster(const uint8_t key[GATEWAY_KEY_BYTES], char out[SHELL_CLUSTER_BYTES])
{
    struct id128 hash = hash_128_for("cluster", slice_of(key, GATEWAY_KEY_BYTES));
    for (int i = 0; i < 16; i++) snprintf(out + 2 * i, 3, "%02x", hash.byte[i]);
}

static struct bus *open_bus(struct shell *shell, const struct settings *settings,
                            struct id128 instance, const char **why)
{
    const struct config_value *matchmakers = setting(settings, SETTING_MATCHMAKERS);
    struct bus_config config = {
        .instance = instance,
        .inbox_url = text_of(settings, SETTING_INBOX),
        .inbox_public_url = text_or_null(settings, SETTING_INBOX_PUBLIC),
        .matchmakers = matchmakers->list,
        .matchmaker_count = matchmakers->count,
        .tls_ca = text_or_null(settings, SETTING_TLS_CA),
        .tls_identity = text_or_null(settings, SETTING_TLS_IDENTITY),
        .tls_name = text_or_null(settings, SETTING_TLS_NAME),
    };
    return bus_open(&shell->loop, &config, shell_on_bus, shell, why);
}

static struct gateway_core *open_core(const struct shell *shell, const struct settings *settings,
                                      struct id128 instance, const uint8_t key[GATEWAY_KEY_BYTES])
{
    const struct config_value *matchmakers = setting(settings, SETTING_MATCHMAKERS);
    struct gateway_config config = {
        .instance = instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .build = MADANG_VERSION,
        .matchmaker_count = matchmakers->count,
    };
    for (int i = 0; i < matchmakers->count; i++) config.matchmakers[i] = matchmakers->list[i];
    memcpy(config.key, key, GATEWAY_KEY_BYTES);
    gateway_limits_default(&config.limits);
    config.limits.connections_per_address =
        (uint32_t)setting(settings, SETTING_ADDRESS_CONNECTIONS_MAX)->number;
    uint64_t wanted = (uint64_t)setting(settings, SETTING_CONNECTIONS_MAX)->number;
    uint64_t files = files_raise();
    uint64_t possible = files > SPARE_FILES ? files - SPARE_FILES : 1;
    config.limits.connections_max = (uint32_t)(wanted < possible ? wanted : possible);
    struct gateway_core *core = gateway_core_open(&config, clock_boot_ms());
    sodium_memzero(config.key, sizeof config.key);
    return core;
}

/* Everything or nothing; what was opened is closed by close_all. */
static const char *open_all(struct shell *shell, const struct settings *settings)
{
    const char *why = NULL;
    uint8_t key[GATEWAY_KEY_BYTES];
    struct id128 instance = random_id();
    if (setting(settings, SETTING_MATCHMAKERS)->count > GATEWAY_MATCHMAKERS_MAX)
        return "at most eight matchmakers";
    if (!key_open(text_of(settings, SETTING_KEY_FILE), key, &why)) return why;
    name_cluster(key, shell->cluster);
    if (!site_open(&shell->site, text_of(settings, SETTING_WEB_DIR), &why)) return why;
    shell->bus = open_bus(shell, settings, instance, &why);
    if (shell->bus == NULL) return why;
    shell->core = open_core(shell, settings, instance, key);
    sodium_memzero(key, sizeof key);
    const char *ops = text_of(settings, SETTING_OPS);
    if (ops[0]) {
        shell->health = health_open(&shell->loop, ops, shell->metrics, &why);
        if (shell->health == NULL) return why;
    }
    if (!web_open(shell, &why)) return why;
    int port = (int)setting(settings, SETTING_PORT)->number;
    if (!door_open(shell, text_of(settings, SETTING_BIND), port, &why)) return why;
    return NULL;
}

static void close_all(struct shell *shell)
{
    door_close(shell);
    web_close(shell);
    health_close(shell->health);
    bus_close(shell->bus);
    uv_run(&shell->loop, UV_RUN_DEFAULT);
    gateway_core_close(shell->core);
    effects_fini(&shell->out);
    map_fini(&shell->visits);
    site_close(&shell->site);
    metrics_close(shell->metrics);
    uv_loop_close(&shell->loop);
}

int main(int argc, char **argv)
{
    (void)argc;
    static struct settings settings;
    static struct shell shell;
    settings_read(&settings, PROGRAM_GATEWAY, argv);
    CHECK(sodium_init() >= 0);
    CHECK(uv_loop_init(&shell.loop) == 0);
    log_open(PROGRAM_GATEWAY, (enum log_level)setting(&settings, SETTING_LOG_LEVEL)->number);
    shell.metrics = metrics_open(PROGRAM_GATEWAY);
    shell.trust_forwarded = setting(&settings, SETTING_TRUST_FORWARDED)->number;
    shell.origins = text_of(&settings, SETTING_ORIGINS);

    const char *why = open_all(&shell, &settings);
    if (why) {
        log_text("process.wrong", why);
        fprintf(stderr, "madang-gateway: %s\n", why);
    } else {
        shell_start(&shell);
        log_note("process.started", (uint64_t[3]){(uint64_t)getpid()});
        uv_run(&shell.loop, UV_RUN_DEFAULT);
        shell_stop(&shell);
        log_text("process.stopped", NULL);
    }
    close_all(&shell);
    settings_fini(&settings);
    return why ? 1 : 0;
}
