/* SPDX-License-Identifier: Apache-2.0
 *
 * madangctl COMMAND: the operator's and the developer's tool.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/check.h"
#include "ctl/local.h"
#include "ctl/shell.h"
#include "ctl/up.h"
#include "ops/config.h"
#include "ops/settings.h"
#include "ops/system.h"

enum { NARROWEST = 40 };

static const char purpose[] =
    "starts a whole cluster on this machine, with its own Redis, says where to play, starts again\n"
    "what dies, and on Ctrl-C stops what it started. Rooms that are open go on at the next start.";

enum up_setting {
#define X(id, flag, kind, fallback, min, max, choices, help) UP_##id,
    CTL_UP_SETTINGS(X)
#undef X
        UP_SETTING_COUNT
};

static const struct config_item up_items[] = {
#define X(id, flag, kind, fallback, min, max, choices, help) \
    {flag, kind, fallback, min, max, choices, help},
    CTL_UP_SETTINGS(X)
#undef X
};

/* Whatever else is in the environment is the services'. */
static bool any_variable(const char *variable)
{
    (void)variable;
    return true;
}

/* Prints help or what is wrong and ends the process, unless the settings are ready. */
static void read_up(struct config *config, char *const *argv)
{
    switch (config_parse(config, up_items, UP_SETTING_COUNT, argv, environ, any_variable)) {
    case CONFIG_READY: return;
    case CONFIG_HELP: {
        struct buf text = {0};
        config_help(up_items, UP_SETTING_COUNT, "madangctl up", purpose, &text);
        ctl_command_help_end(ctl_command_find("up"), &text);
        fwrite(text.at, 1, text.len, stdout);
        buf_fini(&text);
        exit(EXIT_SUCCESS);
    }
    case CONFIG_VERSION: printf("madangctl %s\n", MADANG_VERSION); exit(EXIT_SUCCESS);
    case CONFIG_WRONG: fprintf(stderr, "madangctl up: %s\n", config->error); exit(CTL_EXIT_USAGE);
    }
}

static int up(char *const *argv)
{
    struct config config;
    read_up(&config, argv);
    const struct config_value *values = config.values;
    struct up_config is = {
        .port = (int)values[UP_PORT].number,
        .bind = values[UP_BIND].text,
        .gateways = (int)values[UP_GATEWAYS].number,
        .matchmakers = (int)values[UP_MATCHMAKERS].number,
        .workers = (int)values[UP_WORKERS].number,
        .timers = (int)values[UP_TIMERS].number,
        .data_dir = values[UP_DATA].text,
        .web_dir = values[UP_WEB_DIR].text,
        .redis = values[UP_REDIS].text,
        .fsync = values[UP_FSYNC].text,
    };
    int code = up_run(&is);
    config_fini(&config);
    return code;
}

/* ---- the other commands ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(struct ctl *ctl);
} runs[] = {
    {"status", run_status}, {"top", run_top},       {"rooms", run_rooms},
    {"room", run_room},     {"drain", run_drain},   {"undrain", run_undrain},
    {"kick", run_kick},     {"close", run_close},   {"replay", run_replay},
    {"verify", run_verify}, {"config", run_config}, {"doctor", run_doctor},
    {"probe", run_probe},   {"manual", run_manual}, {"completion", run_completion},
};

int run_manual(struct ctl *ctl)
{
    (void)ctl;
    struct buf out = {0};
    ctl_manual(&out);
    ctl_print(&out);
    buf_fini(&out);
    return CTL_EXIT_OK;
}

int run_completion(struct ctl *ctl)
{
    struct buf out = {0};
    if (!ctl_completion(ctl->is.word[0], &out))
        return ctl_fail(CTL_EXIT_USAGE, "it is bash or zsh");
    ctl_print(&out);
    buf_fini(&out);
    return CTL_EXIT_OK;
}

static struct text_style find_style(void)
{
    struct text_style style = {0};
    struct winsize size;
    const char *no_color = getenv("NO_COLOR");
    if (!isatty(STDOUT_FILENO)) return style;
    style.color = no_color == NULL || *no_color == '\0';
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
    if (style.width < NARROWEST) style.width = TEXT_WIDTH_USUAL;
    return style;
}

/* False, and said: there is none where a flag says. Another cluster must not stand in for it. */
static bool read_local(struct ctl *ctl)
{
    char path[4096];
    const char *data = ctl->is.flag[CTL_DATA];
    snprintf(path, sizeof path, "%s/" LOCAL_FILE, data ? data : "var");
    if (file_read(path, LOCAL_BYTES_MAX, &ctl->local)) {
        local_end(&ctl->local);
        return true;
    }
    if (data) ctl_fail(CTL_EXIT_USAGE, "%s: no cluster of `madangctl up` is noted there", path);
    return data == NULL;
}

static int run(const struct ctl_command *command, char *const *argv)
{
    struct ctl ctl = {.style = find_style()};
    int64_t timeout_s;
    if (!ctl_arguments_parse(&ctl.is, command, argv, environ) ||
        !ctl_arguments_number(&ctl.is, CTL_TIMEOUT, 1, 600, CTL_TIMEOUT_S, &timeout_s)) {
        ctl_fail(CTL_EXIT_USAGE, "%s: %s", command->name, ctl.is.error);
        fprintf(stderr, "madangctl %s --help has examples.\n", command->name);
        return CTL_EXIT_USAGE;
    }
    if (ctl.is.help) {
        struct buf text = {0};
        ctl_command_help(command, &text);
        ctl_print(&text);
        buf_fini(&text);
        return CTL_EXIT_OK;
    }
    ctl.timeout_ms = timeout_s * 1000;
    int code = CTL_EXIT_USAGE;
    bool known = read_local(&ctl);
    for (size_t i = 0; known && i < sizeof runs / sizeof *runs; i++)
        if (strcmp(runs[i].name, command->name) == 0) code = runs[i].run(&ctl);
    buf_fini(&ctl.local);
    arena_fini(&ctl.arena);
    return code;
}

static void usage(FILE *stream)
{
    struct buf text = {0};
    ctl_help(&text);
    fwrite(text.at, 1, text.len, stream);
    buf_fini(&text);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const struct ctl_command *command = ctl_command_find(name);
    CHECK(sodium_init() >= 0);
    if (!strcmp(name, "up")) return up(argv + 1);
    if (command) return run(command, argv + 2);
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        usage(stdout);
        return CTL_EXIT_OK;
    }
    if (!strcmp(name, "--version")) {
        printf("madangctl %s\n", MADANG_VERSION);
        return CTL_EXIT_OK;
    }
    if (*name) fprintf(stderr, "madangctl: there is no command \"%s\"\n", name);
    usage(stderr);
    return CTL_EXIT_USAGE;
}
