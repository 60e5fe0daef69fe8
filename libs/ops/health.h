/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations port of a service, over HTTP:
 *     /livez    200 while the loop turns; 503 when it has stood still for HEALTH_STALL_MS
 *     /readyz   200 while it can do its work; else 503 and why
 *     /metrics  for Prometheus
 *     /config   what is in force and where it came from, without secrets (config_report)
 * It answers from threads of nng, so that it also answers when the loop hangs.
 */
#ifndef OPS_HEALTH_H
#define OPS_HEALTH_H

#include "ops/metrics.h"

#include <uv.h>

enum { HEALTH_BEAT_MS = 250, HEALTH_STALL_MS = 5000, HEALTH_WHY_BYTES_MAX = 200 };

struct health;

/* url: http://host:port; port 0 takes a free one. Borrows the metrics until health_close. NULL, and
 * *why: it cannot listen there. Not ready until told so. */
struct health *health_open(uv_loop_t *loop, const char *url, struct metrics *metrics,
                           const char **why);
/* The memory is freed when the loop has run its close callbacks. NULL is allowed. */
void health_close(struct health *health);
/* why: NULL when ready, else a sentence. Copied. NULL health is allowed. */
void health_set_ready(struct health *health, const char *why);
/* What /config says. Copied. NULL health is allowed. */
void health_set_config(struct health *health, struct slice text);
/* The port that is listened on. */
int health_port(const struct health *health);

#endif
