/* SPDX-License-Identifier: Apache-2.0
 *
 * madangctl COMMAND: the operator's and the developer's tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctl/up.h"
#include "ops/config.h"
#include "ops/settings.h"

enum { EXIT_USAGE = 2 };

static const char purpose[] =
    "starts a whole cluster on this machine, with its own Redis, says where to play, starts again\n"
    "what dies, and on Ctrl-C stops what it started. Rooms that are open go on at the next start.";

/* clang-format off */
#define UP_SETTINGS(X) \
    X(PORT, "port", CONFIG_INT, "8080", 1, 65535, NULL, "where browsers connect") \
    X(BIND, "bind", CONFIG_TEXT, "127.0.0.1", 0, 0, NULL, \
      "the address to listen on; 0.0.0.0 lets phones in the same network in") \
    X(GATEWAYS, "gateways", CONFIG_INT, "1", 1, 8, NULL, "gateways; they share the port") \
    X(MATCHMAKERS, "matchmakers", CONFIG_INT, "1", 1, 4, NULL, "matchmakers") \
    X(WORKERS, "workers", CONFIG_INT, "2", 1, 32, NULL, "workers") \
    X(TIMERS, "timers", CONFIG_INT, "1", 1, 4, NULL, "timers") \
    X(DATA, "data", CONFIG_TEXT, "var", 0, 0, NULL, "the folder for Redis' files, keys and logs") \
    X(WEB_DIR, "web-dir", CONFIG_TEXT, "services/web/dist", 0, 0, NULL, \
      "the folder of the built browser client") \
    X(REDIS, "redis", CONFIG_TEXT, "", 0, 0, NULL, \
      "shards to use instead of an own Redis, as the services take them") \
    X(FSYNC, "fsync", CONFIG_CHOICE, "everysec", 0, 0, "everysec|always", \
      "when the own Redis writes its log to disk")
/* clang-format on */

enum up_setting {
#define X(id, flag, kind, fallback, min, max, choices, help) UP_##id,
    UP_SETTINGS(X)
#undef X
        UP_SETTING_COUNT
};

static const struct config_item up_items[] = {
#define X(id, flag, kind, fallback, min, max, choices, help) \
    {flag, kind, fallback, min, max, choices, help},
    UP_SETTINGS(X)
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
        fwrite(text.at, 1, text.len, stdout);
        buf_fini(&text);
        exit(EXIT_SUCCESS);
    }
    case CONFIG_VERSION: printf("madangctl %s\n", MADANG_VERSION); exit(EXIT_SUCCESS);
    case CONFIG_WRONG: fprintf(stderr, "madangctl up: %s\n", config->error); exit(EXIT_USAGE);
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

static void usage(FILE *stream)
{
    fprintf(stream, "usage: madangctl COMMAND [SETTINGS]\n\n"
                    "  up        starts a cluster on this machine (madangctl up --help)\n"
                    "  --help    this text\n"
                    "  --version the version of this build\n");
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (!strcmp(command, "up")) return up(argv + 1);
    if (!strcmp(command, "--help")) {
        usage(stdout);
        return EXIT_SUCCESS;
    }
    if (!strcmp(command, "--version")) {
        printf("madangctl %s\n", MADANG_VERSION);
        return EXIT_SUCCESS;
    }
    if (*command) fprintf(stderr, "madangctl: there is no command \"%s\"\n", command);
    usage(stderr);
    return EXIT_USAGE;
}
