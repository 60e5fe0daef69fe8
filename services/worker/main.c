/* SPDX-License-Identifier: Apache-2.0
 *
 * madang-worker: owns rooms. Ends with 0 when it was told to and had handed over what it could,
 * with 1 when it could not start or was told twice, with 2 when its settings are wrong.
 */
#include "base/check.h"
#include "ops/log.h"
#include "ops/settings.h"
#include "ops/system.h"
#include "worker/shell.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PASSWORD_BYTES_MAX = 128 };

static const char *text_of(const struct settings *settings, enum setting id)
{
    return setting(settings, id)->text;
}

static const char *text_or_null(const struct settings *settings, enum setting id)
{
    const char *text = text_of(settings, id);
    return text[0] ? text : NULL;
}

/* The first line of the file, or nothing when none is set. */
static bool read_password(const char *path, char password[PASSWORD_BYTES_MAX])
{
    struct buf bytes = {0};
    password[0] = 0;
    if (path[0] == 0) return true;
    bool read = file_read(path, PASSWORD_BYTES_MAX - 1, &bytes);
    size_t len = 0;
    while (read && len < bytes.len && bytes.at[len] != '\n' && bytes.at[len] != '\r') len++;
    if (len) memcpy(password, bytes.at, len);
    password[len] = 0;
    if (bytes.at) sodium_memzero(bytes.at, bytes.len);
    buf_fini(&bytes);
    return read && len > 0;
}

static const char *open_store(struct shell *shell, const struct settings *settings, int *shards)
{
    static struct store_config config;
    char password[PASSWORD_BYTES_MAX];
    const char *why = NULL;
    if (!read_password(text_of(settings, SETTING_REDIS_PASSWORD_FILE), password))
        return "the file of redis-password-file cannot be read, or is empty";
    enum status status = store_config_parse(text_of(settings, SETTING_REDIS),
                                            password[0] ? password : NULL, &config, &why);
    sodium_memzero(password, sizeof password);
    if (status != ST_OK) return why;
    config.wait_replicas = (int)setting(settings, SETTING_REDIS_REPLICAS)->number;
    config.wait_ms = (uint32_t)setting(settings, SETTING_REDIS_WAIT)->number;
    *shards = config.shard_count;
    shell->store = store_open(&shell->loop, &config, shell_on_event, shell);
    sodium_memzero(&config, sizeof config);
    return shell->store ? NULL : "no connection to Redis could be set up";
}

static struct bus *open_bus(struct shell *shell, const struct settings *settings,
                            struct id128 instance, const char **why)
{
    const struct config_value *matchmakers = setting(settings, SETTING_MATCHMAKERS);
    struct bus_config config = {
        .instance = instance,
        .inbox_url = text_of(settings, SETTING_INBOX),
        .control_url = text_of(settings, SETTING_WORKER_CONTROL),
        .inbox_public_url = text_or_null(settings, SETTING_INBOX_PUBLIC),
        .control_public_url = text_or_null(settings, SETTING_CONTROL_PUBLIC),
        .matchmakers = matchmakers->list,
        .matchmaker_count = matchmakers->count,
        .tls_ca = text_or_null(settings, SETTING_TLS_CA),
        .tls_identity = text_or_null(settings, SETTING_TLS_IDENTITY),
        .tls_name = text_or_null(settings, SETTING_TLS_NAME),
    };
    return bus_open(&shell->loop, &config, shell_on_event, shell, why);
}

static struct worker_core *open_core(const struct shell *shell, const struct settings *settings,
                                     struct id128 instance, int shards)
{
    const struct config_value *matchmakers = setting(settings, SETTING_MATCHMAKERS);
    struct worker_config config = {
        .instance = instance,
        .inbox_url = bus_inbox_url(shell->bus),
        .control_url = bus_control_url(shell->bus),
        .build = MADANG_VERSION,
        .matchmaker_count = matchmakers->count,
        .shards = shards,
        .rooms_max = (uint32_t)setting(settings, SETTING_ROOMS_MAX)->number,
        .grace_ms = (uint32_t)setting(settings, SETTING_GRACE)->number,
        .archive_s = (uint32_t)(setting(settings, SETTING_ARCHIVE)->number / 1000),
    };
    for (int i = 0; i < matchmakers->count; i++) config.matchmakers[i] = matchmakers->list[i];
    return worker_core_open(&config);
}

/* Everything or nothing; what was opened is closed by close_all. */
static const char *open_all(struct shell *shell, const struct settings *settings)
{
    const char *why = NULL;
    struct id128 instance = random_id();
    int shards = 0;
    if (setting(settings, SETTING_MATCHMAKERS)->count > WORKER_MATCHMAKERS_MAX)
        return "at most eight matchmakers";
    why = open_store(shell, settings, &shards);
    if (why) return why;
    shell->bus = open_bus(shell, settings, instance, &why);
    if (shell->bus == NULL) return why;
    shell->core = open_core(shell, settings, instance, shards);
    const char *ops = text_of(settings, SETTING_OPS);
    if (ops[0] == 0) return NULL;
    shell->health = health_open(&shell->loop, ops, shell->metrics, &why);
    return shell->health ? NULL : why;
}

static void close_all(struct shell *shell)
{
    health_close(shell->health);
    bus_close(shell->bus);
    if (shell->store) store_close(shell->store);
    uv_run(&shell->loop, UV_RUN_DEFAULT);
    worker_core_close(shell->core);
    effects_fini(&shell->out);
    metrics_close(shell->metrics);
    uv_loop_close(&shell->loop);
}

int main(int argc, char **argv)
{
    (void)argc;
    static struct settings settings;
    static struct shell shell;
    settings_read(&settings, PROGRAM_WORKER, argv);
    CHECK(sodium_init() >= 0);
    CHECK(uv_loop_init(&shell.loop) == 0);
    log_open(PROGRAM_WORKER, (enum log_level)setting(&settings, SETTING_LOG_LEVEL)->number);
    shell.metrics = metrics_open(PROGRAM_WORKER);
    files_raise();

    const char *why = open_all(&shell, &settings);
    if (why) {
        log_text("process.wrong", why);
        fprintf(stderr, "madang-worker: %s\n", why);
        shell.exit_code = 1;
    } else {
        shell_start(&shell);
        log_note("process.started", (uint64_t[3]){(uint64_t)getpid()});
        uv_run(&shell.loop, UV_RUN_DEFAULT);
        shell_stop(&shell);
        log_text("process.stopped", NULL);
    }
    close_all(&shell);
    settings_fini(&settings);
    return shell.exit_code;
}
