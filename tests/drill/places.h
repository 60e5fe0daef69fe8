/* SPDX-License-Identifier: Apache-2.0
 *
 * Services on machines of their own, as far as one machine can show: each worker, matchmaker and
 * timer, and Redis, in a network namespace with an address on one bridge, and the second worker
 * with other clocks since boot, a day ahead. Gateways stay where the people are. Then the way
 * between any two can be cut: what they send goes to a hardware address that nobody has.
 *
 * The supervisor runs scripts in the place of the services, which enter the namespace and
 * become the service. It takes iproute2, and a kernel with bridges that lets this user have
 * namespaces; the process that opens this moves into a network of its own, so nothing of the
 * machine's is touched.
 */
#ifndef DRILL_PLACES_H
#define DRILL_PLACES_H

#include "cluster/cluster.h"
#include "unit/store/redis_fixture.h"

enum { PLACES_CLOCK_AHEAD_S = 86400, PLACES_REDIS_PORT = 6379 };

struct places {
    char folder[64]; /* of the scripts; empty: not open */
    char prefix[24]; /* of the namespaces' names */
    char url[48];    /* of its Redis */
    struct redis_fixture redis;
};

/* Makes all of it for at most two of each service, and starts Redis there; the cluster is told to
 * use it. False: this machine cannot. */
bool places_open(struct places *places, struct cluster *cluster);
/* After the cluster has stopped. */
void places_close(struct places *places);

/* Cuts or mends the way from one to the other and back: "worker-0", "redis", "gateway" (all). */
bool places_cut(const struct places *places, const char *one, const char *other, bool cut);

#endif
