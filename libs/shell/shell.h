/* SPDX-License-Identifier: Apache-2.0
 *
 * What the shells of all services have in common: from settings to an open loop with nng, Redis,
 * signals, health and metrics on it, events into the core, effects out of it, and an orderly end. A
 * service describes itself as a `struct shell_service`; its main is one call of shell_main.
 *
 * It decides nothing, and knows no core: what a core is made of, what it tells metrics, and effects
 * that are neither the bus' nor the store's are the service's own.
 */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "bus/bus.h"
#include "ops/health.h"
#include "ops/settings.h"
#include "ops/signals.h"
#include "store/store.h"

enum {
    SHELL_TELL_MS = 250,         /* between two looks at what health and metrics say, */
    SHELL_TELL_QUEUES_MS = 1000, /* and at how full the queues are: some must be gone through */
    SHELL_EXIT_FAILED = 1,
    SHELL_EXIT_WRONG_SETTING = 2,
};

struct shell;

/* A note of the core that is a metric as well. */
struct shell_counted {
    const char *event; /* NULL ends the list */
    enum metric metric;
    bool sum; /* its first number is added, instead of 1 */
};

struct shell_service {
    enum program program;
    bool inbox, control, store; /* what it listens on; whether it uses Redis */
    int matchmakers_max;
    uint32_t last_words_ms;              /* between the core's EXIT and the end of the loop */
    const struct shell_counted *counted; /* NULL: none */

    /* Makes the core; bus and store are open, instance and URLs known. NULL, or why not. */
    const char *(*open)(struct shell *shell);
    /* Frees what open made; also after it failed. */
    void (*close)(struct shell *shell);
    void (*step)(void *core, const struct event *event, instant_ms now, struct effects *out);
    instant_ms (*deadline)(const void *core);
    /* Writes metrics. NULL, or why the service cannot do its work right now. */
    const char *(*tell)(struct shell *shell);
    /* Writes how full its own queues are. */
    void (*tell_queues)(struct shell *shell);
    /* An effect that is neither the bus' nor the store's, EXIT apart; also each NOTE after it was
     * logged. NULL: there are none. */
    void (*carry)(struct shell *shell, const struct effect *effect);
    /* Before the effects of a turn of the timer are made. NULL: nothing. */
    void (*turn)(struct shell *shell);
};

struct shell {
    const struct shell_service *service;
    void *core, *own; /* the service's */
    uv_loop_t loop;
    struct settings settings;
    struct id128 instance;
    int shard_count;
    struct bus *bus;
    struct store *store;     /* NULL where the service uses none */
    struct metrics *metrics; /* never NULL while the loop runs */
    struct health *health;   /* NULL without an ops URL */
    instant_ms now;          /* of the last step */

    uv_timer_t timer;
    uv_prepare_t prepare;
    struct signals signals;
    struct effects out;
    instant_ms armed_at, told_at, queues_told_at;
    struct { /* so far, for metrics */
        uint64_t turns, steps, effects;
        struct histogram late_ms;
    } counts;
    bool started, stepping, ticking, leaving;
    bool traces; /* each action is told of, at level debug */
    int exit_code;
};

/* The process: returns its exit code (2 for a wrong setting, 1 when it could not start or was told
 * twice to stop). */
int shell_main(const struct shell_service *service, char *const *argv);

/* Fills in entropy and time, steps the core, carries its effects out. Never from inside a step. */
void shell_step(struct shell *shell, struct event *event);

/* A setting's text; NULL where it is empty. */
const char *shell_text(const struct shell *shell, enum setting id);
int64_t shell_number(const struct shell *shell, enum setting id);
/* The port of health and metrics, 0: there is none. */
uint32_t shell_ops_port(const struct shell *shell);
/* Copies the matchmakers' control URLs into a core's configuration (borrowed from the settings);
 * returns how many. */
int shell_matchmakers(const struct shell *shell, const char **into);

/* labels.c: values of a metric by game (GAME_REGISTRY_MAX: unknown), or by reason of client.proto
 * (NONE: a game's rules), to be set by metrics_set_labelled(first + place). Returns the first. */
int shell_label_games(struct metrics *metrics, enum metric metric);
int shell_label_reasons(struct metrics *metrics, enum metric metric);
void shell_tell_games(struct metrics *metrics, int first, const uint64_t *by_game);
void shell_tell_reasons(struct metrics *metrics, int first, const uint64_t *by_reason);

/* step_os.c */
void shell_start(struct shell *shell);
void shell_stop(struct shell *shell);
void shell_on_event(void *context, struct event *event);

#endif
