/* SPDX-License-Identifier: Apache-2.0
 *
 * From settings to a running loop: everything is opened or nothing, and closed in reverse.
 */
#include <malloc.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mutant.h"
#include "ops/certificate.h"
#include "ops/log.h"
#include "ops/probe.h"
#include "ops/system.h"
#include "shell/shell.h"

enum {
    PASSWORD_FILE_BYTES_MAX = 256,
    ARENAS_MAX = 2,
    LARGE_BYTES = 256 << 10,
    SPARE_BYTES = 512 << 10,
};

/* Memory after a burst is to be what it was before. By default each of nng's threads has a heap of
 * its own, which in the end holds the largest burst that it ever received; and a large buffer, once
 * one was freed, is cut out of the heap, where small ones that live longer settle behind it. */
static void set_up_heap(void)
{
    mallopt(M_ARENA_MAX, ARENAS_MAX);
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, SPARE_BYTES);
}

const char *shell_text(const struct shell *shell, enum setting id)
{
    const char *text = setting(&shell->settings, id)->text;
    return text[0] ? text : NULL;
}

int64_t shell_number(const struct shell *shell, enum setting id)
{
    return setting(&shell->settings, id)->number;
}

int shell_matchmakers(const struct shell *shell, const char **into)
{
    const struct config_value *list = setting(&shell->settings, SETTING_MATCHMAKERS);
    for (int i = 0; i < list->count; i++) into[i] = list->list[i];
    return list->count;
}

uint32_t shell_ops_port(const struct shell *shell)
{
    return shell->health ? (uint32_t)health_port(shell->health) : 0;
}

/* A secret as text in bytes, nothing when it is not given: from the environment, or the first line
 * of the file that another setting names. NULL, or a sentence. */
static const char *read_password(const struct shell *shell, enum setting own, enum setting in_file,
                                 struct buf *bytes)
{
    const char *given = shell_text(shell, own), *file = shell_text(shell, in_file);
    if (given && file) return "it is given twice";
    if (given) buf_put_slice(bytes, slice_text(given));
    if (file && !file_read(file, PASSWORD_FILE_BYTES_MAX, bytes)) return "it cannot be read";
    if (!given && !file) return NULL;
    buf_put_u8(bytes, 0);
    char *text = (char *)bytes->at;
    text[strcspn(text, "\r\n")] = 0;
    return text[0] ? NULL : "it is empty";
}

static void wipe(struct buf *password)
{
    if (password->at) sodium_memzero(password->at, password->len);
    buf_fini(password);
}

/* Users and passwords that the shards do not name themselves. */
static const char *add_credentials(const struct shell *shell, const struct buf *sentinels,
                                   struct store_config *out)
{
    const char *user = shell_text(shell, SETTING_REDIS_USER);
    if (sentinels->at && store_config_sentinel_password(out, (const char *)sentinels->at) != ST_OK)
        return "redis-sentinel-password: a password has 127 bytes at most";
    if (user && store_config_user(out, user) != ST_OK)
        return "redis-user: a name has 63 bytes at most, and a password beside it";
    return NULL;
}

static const char *read_store(const struct shell *shell, struct store_config *out)
{
    static char sentence[128];
    const char *why = NULL, *shards = setting(&shell->settings, SETTING_REDIS)->text;
    struct buf redis = {0}, sentinels = {0};
    const char *one =
        read_password(shell, SETTING_REDIS_PASSWORD, SETTING_REDIS_PASSWORD_FILE, &redis);
    const char *other = read_password(shell, SETTING_REDIS_SENTINEL_PASSWORD,
                                      SETTING_REDIS_SENTINEL_PASSWORD_FILE, &sentinels);
    if (one || other) {
        snprintf(sentence, sizeof sentence, "%s: %s",
                 one ? "redis-password-file" : "redis-sentinel-password-file", one ? one : other);
        why = sentence;
    } else if (store_config_parse(shards, (const char *)redis.at, out, &why) == ST_OK) {
        why = add_credentials(shell, &sentinels, out);
    }
    wipe(&redis);
    wipe(&sentinels);
    out->wait_replicas = (int)shell_number(shell, SETTING_REDIS_REPLICAS);
    out->wait_ms = (uint32_t)shell_number(shell, SETTING_REDIS_WAIT);
    return why;
}

static const char *open_store(struct shell *shell)
{
    static struct store_config config;
    if (!shell->service->store) return NULL;
    const char *why = read_store(shell, &config);
    if (why) shell->exit_code = SHELL_EXIT_WRONG_SETTING;
    if (why == NULL) {
        shell->shard_count = config.shard_count;
        shell->store = store_open(&shell->loop, &config, shell_on_event, shell);
        if (shell->store == NULL) why = "no connection to Redis can be set up";
    }
    sodium_memzero(&config, sizeof config);
    return why;
}

static const char *open_bus(struct shell *shell)
{
    const struct shell_service *service = shell->service;
    const struct config_value *matchmakers = setting(&shell->settings, SETTING_MATCHMAKERS);
    if (matchmakers->count > service->matchmakers_max) return "matchmakers: too many";
    enum setting control =
        service->program == PROGRAM_WORKER ? SETTING_WORKER_CONTROL : SETTING_CONTROL;
    struct bus_config config = {
        .instance = shell->instance,
        .inbox_url = service->inbox ? shell_text(shell, SETTING_INBOX) : NULL,
        .inbox_public_url = service->inbox ? shell_text(shell, SETTING_INBOX_PUBLIC) : NULL,
        .control_url = service->control ? shell_text(shell, control) : NULL,
        .control_public_url = service->control ? shell_text(shell, SETTING_CONTROL_PUBLIC) : NULL,
        .matchmakers = matchmakers->list,
        .matchmaker_count = matchmakers->count,
        .tls_ca = shell_text(shell, SETTING_TLS_CA),
        .tls_identity = shell_text(shell, SETTING_TLS_IDENTITY),
        .tls_name = shell_text(shell, SETTING_TLS_NAME),
    };
    const char *why = NULL;
    shell->bus = bus_open(&shell->loop, &config, shell_on_event, shell, &why);
    return shell->bus ? NULL : why;
}

/* Those that this process goes on using: a file that is renewed later counts for the next one. */
static void tell_certificate(struct shell *shell, enum setting id, const char *label)
{
    struct certificate is;
    if (shell_text(shell, id) == NULL) return;
    certificate_read(shell_text(shell, id), false, &is);
    metrics_set_labelled(shell->metrics,
                         metrics_label(shell->metrics, METRIC_certificate_expiry_timestamp, label),
                         (uint64_t)is.ends_s);
}

static const char *open_health(struct shell *shell)
{
    const char *why = NULL, *url = shell_text(shell, SETTING_OPS);
    if (url == NULL) return NULL;
    shell->health = health_open(&shell->loop, url, shell->metrics, &why);
    if (shell->health == NULL) return why;
    struct buf report = {0};
    config_report(&shell->settings.config, &report);
    health_set_config(shell->health, buf_slice(&report));
    buf_fini(&report);
    return NULL;
}

static const char *open_all(struct shell *shell)
{
    const char *why = open_store(shell);
    if (why == NULL) why = open_bus(shell);
    if (why == NULL) {
        tell_certificate(shell, SETTING_TLS_IDENTITY, "certificate=\"identity\"");
        tell_certificate(shell, SETTING_TLS_CA, "certificate=\"authority\"");
        why = open_health(shell);
    }
    if (why == NULL) why = shell->service->open(shell);
    return why;
}

static void close_all(struct shell *shell)
{
    health_close(shell->health);
    bus_close(shell->bus);
    if (shell->store) store_close(shell->store);
    shell->service->close(shell);
    uv_run(&shell->loop, UV_RUN_DEFAULT);
    effects_fini(&shell->out);
    metrics_close(shell->metrics);
    uv_loop_close(&shell->loop);
    settings_fini(&shell->settings);
}

/* The one setting that only a build for planted faults knows. */
static void plant(void)
{
#ifdef MADANG_MUTANTS
    CHECK(mutant_plant(getenv("MADANG_MUTANT")));
    unsetenv("MADANG_MUTANT");
#endif
}

/* `--probe` in front of the settings: this process only asks the one that was started with them. */
static int probe(const struct shell *shell)
{
    char why[PROBE_WHY_BYTES_MAX];
    bool ready = probe_ready(shell_text(shell, SETTING_OPS), why);
    printf("%s\n", why);
    return ready ? 0 : SHELL_EXIT_FAILED;
}

static void tell_build(struct shell *shell)
{
    char labels[METRICS_LABELS_BYTES_MAX + 1];
    snprintf(labels, sizeof labels, "service=\"%s\",version=\"%s\",compiler=\"gcc %d.%d\"",
             program_name(shell->service->program), MADANG_VERSION, __GNUC__, __GNUC_MINOR__);
    metrics_set_labelled(shell->metrics, metrics_label(shell->metrics, METRIC_build_info, labels),
                         1);
}

int shell_main(const struct shell_service *service, char *const *argv)
{
    static struct shell shell;
    set_up_heap();
    signals_ignore();
    plant();
    shell.service = service;
    bool probes = argv[0] && argv[1] && strcmp(argv[1], "--probe") == 0;
    settings_read(&shell.settings, service->program, argv + probes);
    if (probes) return probe(&shell);
    CHECK(sodium_init() >= 0);
    CHECK(uv_loop_init(&shell.loop) == 0);
    log_open(service->program, (enum log_level)shell_number(&shell, SETTING_LOG_LEVEL));
    shell.traces = shell_number(&shell, SETTING_LOG_LEVEL) == LOG_DEBUG;
    shell.metrics = metrics_open(service->program);
    tell_build(&shell);
    files_raise();
    shell.instance = random_id();
    shell.exit_code = SHELL_EXIT_FAILED;
    const char *why = open_all(&shell);
    if (why) {
        log_text("process.wrong", why);
        fprintf(stderr, "madang-%s: %s\n", program_name(service->program), why);
    } else {
        shell.exit_code = 0;
        shell_start(&shell);
        log_note("process.started", (uint64_t[3]){(uint64_t)getpid()});
        uv_run(&shell.loop, UV_RUN_DEFAULT);
        shell_stop(&shell);
        log_text("process.stopped", NULL);
    }
    close_all(&shell);
    return shell.exit_code;
}
