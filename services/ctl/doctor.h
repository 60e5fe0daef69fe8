/* SPDX-License-Identifier: Apache-2.0
 *
 * What usually goes wrong, judged: shells bring what they saw, and each look becomes a line with
 * what was found and what to do about it. Pure.
 */
#ifndef CTL_DOCTOR_H
#define CTL_DOCTOR_H

#include "base/arena.h"
#include "ctl/text.h"

enum doctor_state { DOCTOR_GOOD, DOCTOR_WARN, DOCTOR_BAD };
struct doctor_check {
    const char *subject; /* "redis", "clock", ... */
    const char *where;
    enum doctor_state state;
    const char *found;
    const char *todo; /* NULL where all is well */
};

enum { DOCTOR_CHECKS_MAX = 1024 };
struct doctor {
    struct arena arena;
    struct doctor_check checks[DOCTOR_CHECKS_MAX]; /* further ones are left out */
    int count;
};
void doctor_fini(struct doctor *doctor);
/* Whether nothing is bad. */
bool doctor_well(const struct doctor *doctor);
void doctor_text(const struct doctor *doctor, const struct text_style *style, struct buf *out);
void doctor_json(const struct doctor *doctor, struct buf *out);

/* ---- Redis ----------------------------------------------------------------------------------- */

/* What CONFIG GET says; "" where it is not allowed. */
struct doctor_redis {
    const char *maxmemory_policy, *appendfsync, *list_compress_depth;
};
void doctor_redis_missing(struct doctor *doctor, const char *where);
/* info: what INFO says. */
void doctor_redis(struct doctor *doctor, const char *where, struct slice info,
                  const struct doctor_redis *set);
/* The value of a line "name:value" of INFO; false: there is none. */
bool doctor_info(struct slice info, const char *name, char *out, size_t size);

/* ---- clocks ---------------------------------------------------------------------------------- */

/* ahead_ms: of the other's calendar before this machine's; unsure_ms: by how much that may be
 * wrong. */
void doctor_clock(struct doctor *doctor, const char *where, int64_t ahead_ms, int64_t unsure_ms);
/* Whether the kernel says that somebody keeps this machine's clock right. */
void doctor_clock_kept(struct doctor *doctor, bool kept);

/* ---- services -------------------------------------------------------------------------------- */

/* used, most: files; used 0: of no process, most 0: unknown. */
void doctor_files(struct doctor *doctor, const char *where, uint64_t used, uint64_t most);
/* Whether the port of a URL is reached from here. */
void doctor_port(struct doctor *doctor, const char *where, const char *url, bool reached);
/* What /readyz says. status 0: nobody answered; -1: there is no operations port. */
void doctor_ready(struct doctor *doctor, const char *where, int status, struct slice text);
void doctor_dead(struct doctor *doctor, const char *where);
/* Versions of services: one differs from another. */
void doctor_versions(struct doctor *doctor, const char *one, const char *other);
void doctor_missing(struct doctor *doctor, const char *service);

/* ---- certificates ---------------------------------------------------------------------------- */

struct doctor_certificate {
    const char *fault; /* NULL: it could be read */
    int64_t days_left; /* negative: over */
    bool early;        /* not valid yet */
    bool has_key, key_fits;
};
void doctor_certificate(struct doctor *doctor, const char *file,
                        const struct doctor_certificate *seen);
/* What a service has read at its start, or when it was last told to; which: "https", "identity",
 * "authority". */
void doctor_certificate_in_use(struct doctor *doctor, const char *where, const char *which,
                               int64_t days_left);

#endif
