/* SPDX-License-Identifier: Apache-2.0
 *
 * What was seen of a cluster, and how it is told: the services and their load. Pure: shells ask,
 * and this says it in a table or in JSON.
 */
#ifndef CTL_SEEN_H
#define CTL_SEEN_H

#include "ctl/text.h"
#include "wire/cluster.h"

enum { SEEN_WHY_BYTES_MAX = 96 };
struct seen_member {
    struct member is;
    int ready;                    /* the status of its /readyz; 0: it did not tell */
    char why[SEEN_WHY_BYTES_MAX]; /* it is not ready, by its own words */
    bool answered;                /* worker: load is there */
    struct worker_load load;
    int64_t cpu_ms, memory_bytes; /* of its metrics; -1: unknown */
    int64_t cpu_percent;          /* since the look before, of one core; -1: unknown */
    int64_t actions;              /* worker: accepted, by its metrics; -1: unknown */
    int64_t actions_per_s;        /* since the look before; -1: unknown */
};
struct seen {
    struct seen_member *list;
    int count;
    int64_t looked_at_ms;
};
struct seen_totals {
    uint32_t services, rooms, rooms_max, people, watchers, connections, unconfirmed;
    uint32_t oldest_ms;
    uint32_t dead, draining, silent;
};

const char *seen_service(enum service_kind kind);
/* Whether it said that it leaves, had no rooms, and is heard no more: nothing is wrong with it. */
bool seen_left(const struct member *member);
/* "ready" (it says so itself, or is a worker that answered), "up" (it is heard, and no more is
 * known), "not ready", "late", "draining", "drained", "left", "dead", "silent" (a worker that did
 * not answer), "no redis". */
const char *seen_state(const struct seen_member *member, enum text_mark *mark);
/* The member of this kind whose id begins so, in hexadecimal; NULL. *fitting: how many there
 * are. */
const struct member *seen_named(const struct member *members, int count, enum service_kind kind,
                                const char *id, int *fitting);
/* By kind, then by id: a cluster looks the same twice. */
void seen_sort(struct seen *seen);
void seen_total(const struct seen *seen, struct seen_totals *out);
/* Takes what /readyz said: a status, and a line of text. */
void seen_ready(struct seen_member *member, int status, struct slice text);
/* Whether nothing needs a look. */
bool seen_well(const struct seen *seen);
/* What needs one, a line each with what to do. */
void seen_troubles(const struct seen *seen, const struct text_style *style, struct buf *out);

void seen_status_text(const struct seen *seen, const struct text_style *style, struct buf *out);
void seen_status_json(const struct seen *seen, bool compact, struct buf *out);
/* With processor, memory and actions, and how busy each was since the look before. */
void seen_top_text(const struct seen *seen, const struct text_style *style, struct buf *out);
/* Fills in cpu_percent and actions_per_s from the look before. */
void seen_compare(struct seen *seen, const struct seen *before);

#endif
