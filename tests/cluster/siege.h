/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything a hostile client can think of, at once and for ever, from some addresses: a process of
 * its own that ends when it is told to, or with its test.
 */
#ifndef CLUSTER_SIEGE_H
#define CLUSTER_SIEGE_H

#include "cluster/ws_client.h"

#include <sys/types.h>

/* `victim`: somebody whose room and token are known well enough to be tried. */
pid_t siege_begin(int port, const struct ws_client *victim);
/* False: it had ended before, so there was none. */
bool siege_end(pid_t siege);

#endif
