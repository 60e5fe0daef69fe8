/* SPDX-License-Identifier: Apache-2.0
 *
 * What was seen of a cluster, and how it is told: the services and their load. Pure: shells ask,
 * and this says it in a table or in JSON.
 */
#ifndef CTL_SEEN_H
#define CTL_SEEN_H

#include "ctl/text.h"
#include "wire/cluster.h"

struct seen_member {
    struct member is;
    bool answered; /* worker: load is there */
    struct worker_load load;
    int64_t cpu_ms, memory_bytes; /* of its metrics; -1: unknown */
    int64_t cpu_percent;          /* since the look before, of one core; -1: unknown */
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
/* "ready", "draining", "dead", "silent" (a worker that did not answer), "no redis". */
const char *seen_state(const struct seen_member *member, enum text_mark *mark);
/* The member of this kind whose id begins so, in hexadecimal; NULL. *fitting: how many there
 * are. */
const struct member *seen_named(const struct member *members, int count, enum service_kind kind,
                                const char *id, int *fitting);
/* By kind, then by id: a cluster looks the same twice. */
void seen_sort(struct seen *seen);
void seen_total(const struct seen *seen, struct seen_totals *out);
/* Whether nothing needs a look. */
bool seen_well(const struct seen *seen);
/* What needs one, a line each with what to do. */
void seen_troubles(const struct seen *seen, const struct text_style *style, struct buf *out);

void seen_status_text(const struct seen *seen, const struct text_style *style, struct buf *out);
void seen_status_json(const struct seen *seen, bool compact, struct buf *out);
/* With processor and memory, and how busy each was since the look before. */
void seen_top_text(const struct seen *seen, const struct text_style *style, struct buf *out);
/* Fills in cpu_percent from the look before. */
void seen_compare(struct seen *seen, const struct seen *before);

#endif
