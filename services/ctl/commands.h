/* SPDX-License-Identifier: Apache-2.0
 *
 * Every command of madangctl and every flag, in lists: from them come parsing, --help with
 * examples, and what a shell completes. Pure: arguments and environment are parameters.
 *
 * A flag `--matchmakers` is also read from the environment as MADANG_MATCHMAKERS, by the name that
 * the services read it by; the flag wins. No secret is ever a flag: the operator's key comes from a
 * file or from the environment.
 */
#ifndef CTL_COMMANDS_H
#define CTL_COMMANDS_H

#include "base/buf.h"

/* What the process ends with. Scripts go by it; `madangctl --help` lists it. */
#define CTL_EXITS(X)                                               \
    X(OK, 0, "done, or all is well")                               \
    X(FAILED, 1, "looked, and found something that is not well")   \
    X(USAGE, 2, "the command line or a setting is wrong")          \
    X(UNREACHABLE, 3, "nobody answered: no matchmaker, no worker") \
    X(FORBIDDEN, 4, "the operator's key is missing or is another") \
    X(UNKNOWN, 5, "there is no such room, worker or person")       \
    X(REFUSED, 6, "it cannot be done now, or a service is too old to know how to")
enum ctl_exit {
#define X(name, number, text) CTL_EXIT_##name = (number),
    CTL_EXITS(X)
#undef X
};

/*    id               flag               value   meaning */
/* clang-format off */
#define CTL_FLAGS(X) \
    X(JSON, "json", NULL, "print JSON, for scripts") \
    X(MATCHMAKERS, "matchmakers", "URL,...", "where matchmakers take requests") \
    X(OPERATOR_KEY_FILE, "operator-key-file", "FILE", \
      "the operator's key (or it is in MADANG_OPERATOR_KEY)") \
    X(DATA, "data", "FOLDER", "of a cluster of `madangctl up`, when nothing else is said (var)") \
    X(TLS_CA, "tls-ca", "FILE", "for tls+tcp://: the authority behind all certificates") \
    X(TLS_IDENTITY, "tls-identity", "FILE", "for tls+tcp://: our certificate and key") \
    X(TLS_NAME, "tls-name", "NAME", "for tls+tcp://: the name that certificates are for") \
    X(REDIS, "redis", "SHARD,...", "the shards, as the services are told them") \
    X(REDIS_USER, "redis-user", "NAME", "the user (ACL) on shards that name none") \
    X(REDIS_PASSWORD_FILE, "redis-password-file", "FILE", "the password of shards that name none") \
    X(REDIS_SENTINEL_PASSWORD_FILE, "redis-sentinel-password-file", "FILE", \
      "the password of their Sentinels") \
    X(TIMEOUT, "timeout", "SECONDS", "how long to wait for an answer (5)") \
    X(EVERY, "every", "SECONDS", "between two looks (2)") \
    X(TIMES, "times", "N", "how many looks, then stop (until Ctrl-C)") \
    X(GAME, "game", "GAME", "rooms of this game alone") \
    X(WORKER, "worker", "WORKER", "rooms of this worker alone") \
    X(PHASE, "phase", "lobby|playing|paused|result|aside|leaving", "rooms in this phase alone") \
    X(EMPTY, "empty", NULL, "rooms in which nobody is connected") \
    X(SORT, "sort", "code|game|phase|people|watchers|age|waiting", \
      "what decides their order; of numbers the greatest comes first (code)") \
    X(LIMIT, "limit", "N", "so many at most") \
    X(REVEAL, "reveal", NULL, "what each seat alone sees too; needs the key, and is logged") \
    X(SEAT, "seat", "N", "the seat, 1 and up as `room` lists them") \
    X(WAIT, "wait", NULL, "until it is done") \
    X(GAME_NUMBER, "game-number", "N", "of the room's games (the last one)") \
    X(STEP, "step", "N", "the state after so many steps") \
    X(SAVE, "save", "FILE", "write the game into a new file") \
    X(SHARD, "shard", "N", "this shard alone, from 0") \
    X(DEFAULTS, "defaults", NULL, "settings too that nobody has changed") \
    X(CERTIFICATE, "certificate", "FILE", "a PEM file to be looked at too") \
    X(PORT, "port", "N", "of the operations port on this machine (9100)") \
    X(PATH, "path", "PATH", "what to ask for (/readyz)") \
    X(YES, "yes", NULL, "do not ask")
/* clang-format on */

enum ctl_flag_id {
#define X(id, name, value, help) CTL_##id,
    CTL_FLAGS(X)
#undef X
        CTL_FLAG_COUNT
};
_Static_assert(CTL_FLAG_COUNT <= 64, "a command's flags are bits of a word");

/* clang-format off */
/* What `up` takes, as ops/config.h takes settings.
 *  id, flag, kind, fallback, min, max, choices, help */
#define CTL_UP_SETTINGS(X) \
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
    X(REDIS, "redis", CONFIG_STORES, "", 0, 0, NULL, \
      "shards to use instead of an own Redis, as the services take them") \
    X(FSYNC, "fsync", CONFIG_CHOICE, "everysec", 0, 0, "everysec|always", \
      "when the own Redis writes its log to disk")
/* clang-format on */

struct ctl_flag {
    const char *name;
    const char *value; /* what stands for it in --help, "a|b": one of these; NULL: a switch */
    const char *help;
    const char *fallback; /* what holds without it; NULL: help says so, where anything does */
};
extern const struct ctl_flag ctl_flags[CTL_FLAG_COUNT];

enum { CTL_EXAMPLES_MAX = 4, CTL_WORDS_MAX = 256 };
struct ctl_example {
    const char *line, *what;
};
struct ctl_command {
    const char *name;
    const char *words; /* what follows it: "ROOM"; "" for nothing */
    int words_min, words_max;
    const char *help;     /* one line */
    const char *more;     /* sentences for its --help; "" for none */
    uint64_t flags;       /* bit i: ctl_flags[i] */
    bool own;             /* reads its settings itself (`up`) */
    const char *proposed; /* what may stand for its first word: "bash|zsh"; "" for anything */
    struct ctl_example examples[CTL_EXAMPLES_MAX];
};

int ctl_command_count(void);
const struct ctl_command *ctl_command_at(int index);
const struct ctl_command *ctl_command_find(const char *name); /* NULL: there is none */
/* Its flags, one after the other; NULL beyond the last. */
const struct ctl_flag *ctl_command_flag(const struct ctl_command *command, int index);

struct ctl_arguments {
    const struct ctl_command *command;
    const char *word[CTL_WORDS_MAX]; /* NULL beyond word_count */
    int word_count;
    const char *flag[CTL_FLAG_COUNT]; /* as given; a switch "" ; NULL: not given */
    bool from_flag[CTL_FLAG_COUNT];   /* on the command line, not in the environment */
    bool help;
    char error[200]; /* what is wrong with them */
};

/* argv: what follows the command's name; both lists end with NULL and are borrowed. False: error
 * says what is wrong. */
bool ctl_arguments_parse(struct ctl_arguments *out, const struct ctl_command *command,
                         char *const *argv, char *const *environment);
/* A whole number from min to max that a flag gives, or fallback. False: error says so. */
bool ctl_arguments_number(struct ctl_arguments *arguments, enum ctl_flag_id id, int64_t min,
                          int64_t max, int64_t fallback, int64_t *out);
/* MADANG_MATCHMAKERS for a flag that is read from the environment too; else false. */
bool ctl_flag_variable(enum ctl_flag_id id, char *out, size_t size);
/* The value of a variable of an environment, NULL: none. */
const char *ctl_variable(char *const *environment, const char *name);

void ctl_help(struct buf *out);
void ctl_command_help(const struct ctl_command *command, struct buf *out);
/* Its examples and exit codes alone, for a command that says itself what it takes. */
void ctl_command_help_end(const struct ctl_command *command, struct buf *out);
/* All of it as one page of Markdown: MANUAL.md. */
void ctl_manual(struct buf *out);
/* "bash" or "zsh". False: another. */
bool ctl_completion(const char *shell, struct buf *out);

#endif
