/* SPDX-License-Identifier: Apache-2.0
 *
 * What the shells of madangctl's commands share: where the cluster is, questions to it and their
 * answers, and how a command says what it has to say. Each command is one function, run_<name>,
 * that returns the exit code of the process.
 */
#ifndef CTL_SHELL_H
#define CTL_SHELL_H

#include <uv.h>

#include "base/arena.h"
#include "bus/bus.h"
#include "ctl/commands.h"
#include "ctl/doctor.h"
#include "ctl/text.h"
#include "store/store.h"
#include "wire/order.h"

enum { CTL_TIMEOUT_S = 5, CTL_MATCHMAKERS_MAX = BUS_MATCHMAKERS_MAX };

struct ctl {
    struct ctl_arguments is;
    struct text_style style; /* of standard output */
    struct buf local;        /* what `madangctl up` wrote about the cluster here; or empty */
    struct arena arena;      /* for the life of the process */
    int64_t timeout_ms;
};

/* ---- shell_run.c ----------------------------------------------------------------------------- */

/* Prints "madangctl: ..." on standard error; returns code. */
__attribute__((format(printf, 2, 3))) int ctl_fail(enum ctl_exit code, const char *format, ...);
/* What a flag, the environment or the cluster of this machine says; NULL: nothing does. */
const char *ctl_setting(const struct ctl *ctl, enum ctl_flag_id id);
bool ctl_json(const struct ctl *ctl);
/* Writes out to standard output and empties it. */
void ctl_print(struct buf *out);
/* The operator's key, from a file or from the environment. False: said on standard error. */
bool ctl_key(const struct ctl *ctl, struct order_key *out);

/* ---- shell_ask.c: the control plane ---------------------------------------------------------- */

struct question {
    const char *url; /* NULL: any matchmaker */
    struct request request;
    const struct reply *reply; /* NULL: nobody answered; else lent until asking_forget */
};
struct asking {
    uv_loop_t loop;
    struct bus *bus;
    struct id128 self;
    struct arena arena;
    struct question *asked;
    int asked_count, open;
    int64_t timeout_ms;
};
/* False: said on standard error. */
bool asking_open(struct asking *ask, const struct ctl *ctl);
void asking_close(struct asking *ask);
/* The same, with the operator's key. Whoever has no cluster hears that, and not that a key is
 * missing. On any other code than CTL_EXIT_OK nothing is open, and why was said. */
int asking_open_keyed(struct asking *ask, const struct ctl *ctl, struct order_key *key);
/* Asks all at once and waits for every answer, or for the time limit. */
void asking_all(struct asking *ask, struct question *questions, int count);
const struct reply *asking_one(struct asking *ask, const char *url, const struct request *request);
/* Replies so far may go. */
void asking_forget(struct asking *ask);
/* The members, as a matchmaker sees them. NULL: said on standard error. */
const struct reply *asking_members(struct asking *ask);

/* ---- shell_order.c: orders to workers -------------------------------------------------------- */

/* The worker whose id begins so. NULL: none, or several; said on standard error, *code is set. */
const struct member *order_worker(const struct reply *members, const char *id, int *code);
/* Where a room is: its id, and the member that has it. NULL: said on standard error; *code is
 * set. wake: a room that was put away is fetched. */
const struct member *order_find_room(struct asking *ask, const char *code_typed, bool wake,
                                     struct placed *room, int *code);
/* Signs (key NULL: not) and asks; repeats for a while what is refused for the moment. NULL: said on
 * standard error, *code is set. */
const struct reply *order_give(struct asking *ask, const struct member *worker,
                               const struct order_key *key, struct request *request, int *code);

/* ---- shell_http.c ---------------------------------------------------------------------------- */

/* GET from an address; false: nobody answered within the time. Appends the body; *status is the
 * answer's. */
bool http_get(const char *host, int port, const char *path, int64_t timeout_ms, int *status,
              struct buf *body);

/* GET from the operations port of a service. False: it has none, or nobody answered. */
bool ctl_ops_get(const struct member *member, const char *path, int64_t timeout_ms, int *status,
                 struct buf *body);

/* The same of many at once, each within the time. */
struct ops_answer {
    const struct member *of;
    int status;      /* 0: nobody answered */
    struct buf body; /* the caller frees */
};
void ctl_ops_get_all(struct ops_answer *answers, int count, const char *path, int64_t timeout_ms);

/* Whether a port is listened on and reached from here. */
bool http_reached(const char *host, int port, int64_t timeout_ms);

/* ---- shell_redis.c: Redis itself */

/* The shards that are named. False: said on standard error. */
bool ctl_shards(const struct ctl *ctl, struct store_config *out);
/* The primary of a shard. NULL: said on standard error. redisFree closes. */
struct redisContext *redis_open(const struct store_config *config, int shard, int64_t timeout_ms);
/* Appends where a shard is, without credentials. */
void redis_where(struct buf *out, const struct store_config *config, int shard);

/* ---- the commands ---------------------------------------------------------------------------- */

int run_status(struct ctl *ctl);
int run_top(struct ctl *ctl);
int run_rooms(struct ctl *ctl);
int run_room(struct ctl *ctl);
int run_drain(struct ctl *ctl);
int run_undrain(struct ctl *ctl);
int run_kick(struct ctl *ctl);
int run_close(struct ctl *ctl);
int run_config(struct ctl *ctl);
int run_doctor(struct ctl *ctl);
int run_replay(struct ctl *ctl);
int run_verify(struct ctl *ctl);
int run_probe(struct ctl *ctl);
int run_manual(struct ctl *ctl);
int run_completion(struct ctl *ctl);

#endif
