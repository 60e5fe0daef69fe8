/* SPDX-License-Identifier: Apache-2.0
 *
 * A Redis server of the test's own: on a unix socket in a fresh directory, stopped and removed with
 * it. Everything that goes wrong here ends the test program with a sentence.
 */
#ifndef UNIT_STORE_REDIS_FIXTURE_H
#define UNIT_STORE_REDIS_FIXTURE_H

#include <stdbool.h>
#include <sys/types.h>

struct redis_fixture {
    char dir[64];
    char url[96]; /* unix://dir/redis.sock */
    char socket[96];
    pid_t pid; /* 0: not running */
};

/* Starts one and waits until it answers. `options`: further words of the command line, NULL at the
 * end; or NULL. */
void redis_fixture_start(struct redis_fixture *fixture, const char *const *options);
/* A Sentinel instead, with these lines in its configuration. */
void redis_fixture_start_sentinel(struct redis_fixture *fixture, const char *config);
/* Stops it, as by a power failure: nothing is saved, the directory stays. */
void redis_fixture_kill(struct redis_fixture *fixture);
/* Starts it again in its directory: what was saved there is loaded. */
void redis_fixture_restart(struct redis_fixture *fixture, const char *const *options);
/* Stops the server in its tracks, or lets it go on. */
void redis_fixture_freeze(struct redis_fixture *fixture, bool freeze);
/* Kills and removes everything. A zeroed struct is nothing. */
void redis_fixture_stop(struct redis_fixture *fixture);

/* One command, with printf's formatting as hiredis has it (%s, %d, %b). Its integer, or the number
 * of elements or bytes of its reply; -1 for nil or an error. Opens a connection of its own. */
long long redis_fixture_command(struct redis_fixture *fixture, const char *format, ...);

#endif
