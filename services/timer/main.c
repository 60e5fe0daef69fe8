/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-timer: reads the deadlines of rooms and wakes their owners.
 */
#include "base/check.h"
#include "ops/log.h"
#include "ops/settings.h"
#include "ops/system.h"
#include "timer/shell.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PASSWORD_FILE_SIZE_MAX = 256, STATUS_FAILED = 1, STATUS_WRONG_SETTING = 2 };

static const char *text_of(const struct settings *settings, enum setting id)
{
    return setting(settings, id)->text;
}

static const char *text_or_null(const struct settings *settings, enum setting id)
{
    const char *text = text_of(settings, id);
    return text[0] ? text : NULL;
}

/* What a password file holds, up to the end of its first line; NULL and *why: it cannot be read. */
static const char *read_password(const char *file, struct buf *bytes, const char **why)
{
    if (!file_read(file, PASSWORD_FILE_SIZE_MAX, bytes)) {
        *why = "the password file cannot be read";
        return NULL;
    }
    buf_put_u8(bytes, 0);
    char *text = (char *)bytes->at;
    text[strcspn(text, "\r\n")] = 0;
    return text;
}

/* False: a setting is wrong; *why is a sentence. */
static bool read_store(const struct settings *settings, struct store_config *out, const char **why)
{
    const char *file = text_of(settings, SETTING_REDIS_PASSWORD_FILE), *password = NULL;
    struct buf bytes = {0};
    *why = NULL;
    if (file[0]) password = read_password(file, &bytes, why);
    if (*why == NULL) store_config_parse(text_of(settings, SETTING_REDIS), password, out, why);
    out->wait_replicas = (int)setting(settings, SETTING_REDIS_REPLICAS)->number;
    out->wait_ms = (uint32_t)setting(settings, SETTING_REDIS_WAIT)->number;
    sodium_memzero(bytes.at, bytes.len);
    buf_fini(&bytes);
    return *why == NULL;
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

static struct timer_core *open_core(const struct shell *shell, const struct settings *settings,
                                    struct id128 instance, int shard_count)
{
    const struct config_value *matchmakers = setting(settings, SETTING_MATCHMAKERS);
    struct timer_config config = {
        .instance = instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .build = MADANG_VERSION,
        .matchmaker_count = matchmakers->count,
        .shard_count = shard_count,
    };
    for (int i = 0; i < matchmakers->count; i++) config.matchmakers[i] = matchmakers->list[i];
    return timer_core_open(&config, clock_boot_ms());
}

/* Everything or nothing; what was opened is closed by close_all. */
static const char *open_all(struct shell *shell, const struct settings *settings,
                            const struct store_config *store)
{
    const char *why = NULL;
    struct id128 instance = random_id();
    shell->bus = open_bus(shell, settings, instance, &why);
    if (shell->bus == NULL) return why;
    shell->core = open_core(shell, settings, instance, store->shard_count);
    const char *ops = text_of(settings, SETTING_OPS);
    if (ops[0]) {
        shell->health = health_open(&shell->loop, ops, shell->metrics, &why);
        if (shell->health == NULL) return why;
    }
    shell->store = store_open(&shell->loop, store, shell_on_store, shell);
    return NULL;
}

static void close_all(struct shell *shell)
{
    if (shell->store) store_close(shell->store);
    health_close(shell->health);
    bus_close(shell->bus);
    uv_run(&shell->loop, UV_RUN_DEFAULT);
    if (shell->core) timer_core_close(shell->core);
    effects_fini(&shell->out);
    metrics_close(shell->metrics);
    uv_loop_close(&shell->loop);
}

/* The status that the process ends with. */
static int run(struct shell *shell, const struct settings *settings,
               const struct store_config *store)
{
    CHECK(uv_loop_init(&shell->loop) == 0);
    shell->metrics = metrics_open(PROGRAM_TIMER);
    const char *why = open_all(shell, settings, store);
    if (why) {
        log_text("process.wrong", why);
        fprintf(stderr, "madang-timer: %s\n", why);
    } else {
        shell_start(shell);
        log_note("process.started", (uint64_t[3]){(uint64_t)getpid()});
        uv_run(&shell->loop, UV_RUN_DEFAULT);
        shell_stop(shell);
        log_text("process.stopped", NULL);
    }
    close_all(shell);
    return why ? STATUS_FAILED : 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    static struct settings settings;
    static struct shell shell;
    static struct store_config store;
    const char *why = NULL;
    settings_read(&settings, PROGRAM_TIMER, argv);
    CHECK(sodium_init() >= 0);
    log_open(PROGRAM_TIMER, (enum log_level)setting(&settings, SETTING_LOG_LEVEL)->number);
    if (!read_store(&settings, &store, &why)) {
        fprintf(stderr, "madang-timer: redis: %s\n", why);
        return STATUS_WRONG_SETTING;
    }
    if (setting(&settings, SETTING_MATCHMAKERS)->count > TIMER_MATCHMAKERS_MAX) {
        fprintf(stderr, "madang-timer: matchmakers: there are eight at most\n");
        return STATUS_WRONG_SETTING;
    }
    int status = run(&shell, &settings, &store);
    sodium_memzero(&store, sizeof store);
    settings_fini(&settings);
    return status;
}
