/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings of a program: a table says what there is, and from it come parsing, bounds, defaults and
 * --help. A setting `rooms-max` is given as `--rooms-max=N` (or `--rooms-max N`) or in the
 * environment as MADANG_ROOMS_MAX; the flag wins. What is unknown, malformed or out of bounds is a
 * sentence, never a guess. Pure: arguments and environment are parameters (config_os.c hands in the
 * real ones).
 */
#ifndef OPS_CONFIG_H
#define OPS_CONFIG_H

#include "base/arena.h"
#include "base/buf.h"

enum {
    CONFIG_ITEMS_MAX = 64,
    CONFIG_LIST_MAX = 64,
    CONFIG_TEXT_BYTES_MAX = 4096,
    CONFIG_URL_BYTES_MAX = 128,
};

enum config_kind {
    CONFIG_INT = 1,  /* whole number, min to max */
    CONFIG_TEXT,     /* anything; a path */
    CONFIG_URL,      /* with a scheme, or empty where the default is */
    CONFIG_URLS,     /* several, parted by commas or blanks */
    CONFIG_DURATION, /* 250ms, 10s, 5m, 24h, 0; min to max in ms */
    CONFIG_SWITCH,   /* on or off */
    CONFIG_CHOICE,   /* one of `choices`, "a|b|c" */
    CONFIG_SECRET,   /* anything, and never a flag: everybody reads a command line */
    CONFIG_STORES,   /* anything; as a flag, no URL in it may hold user:password@ */
};

struct config_item {
    const char *flag; /* small letters and hyphens */
    enum config_kind kind;
    const char *fallback; /* the default, as it would be typed */
    int64_t min, max;     /* INT, DURATION */
    const char *choices;  /* CHOICE */
    const char *help;
};

/* Where a value came from; each wins over those before it. */
enum config_source { CONFIG_DEFAULT, CONFIG_FILE, CONFIG_ENVIRONMENT, CONFIG_FLAG };
const char *config_source_name(enum config_source source);

struct config_value {
    enum config_source source; /* never FILE: what is read from files is read by others */
    const char *text;          /* as given */
    int64_t number;            /* INT; DURATION in ms; SWITCH 0 or 1; CHOICE its index */
    const char **list;         /* URLS */
    int count;
};

enum config_result {
    CONFIG_READY = 1,
    CONFIG_HELP,    /* --help was given */
    CONFIG_VERSION, /* --version */
    CONFIG_WRONG,   /* config->error says what and how it is right */
};

struct config {
    const struct config_item *items; /* borrowed */
    int count;
    struct config_value values[CONFIG_ITEMS_MAX]; /* by index of items */
    char error[400];
    struct arena arena; /* lists */
};

/* argv[0] is skipped; both lists end with NULL and are borrowed for the config's life. A variable
 * MADANG_* that is neither in the table nor accepted by `known` (NULL: none is) is wrong. */
enum config_result config_parse(struct config *config, const struct config_item *items, int count,
                                char *const *argv, char *const *environment,
                                bool (*known)(const char *variable));
void config_fini(struct config *config);

/* Writes MADANG_ROOMS_MAX for rooms-max, with a NUL; false when it does not fit. */
bool config_variable(const char *flag, char *out, size_t size);

/* Appends what is in force: a line "flag TAB where it came from TAB value" for each setting. No
 * secret: of one that is set "(set)", of a URL nothing of user and password. A secret that another
 * setting, its name and "-file", names a file for, came from a file. */
void config_report(const struct config *config, struct buf *out);

/* Appends the text of --help: each setting with its variable, its default and its bounds. */
void config_help(const struct config_item *items, int count, const char *program,
                 const char *purpose, struct buf *out);

#endif
