/* SPDX-License-Identifier: Apache-2.0
 *
 * Another service, as the others see it: a bus of the test's own that says to a matchmaker, a
 * worker or a timer what no gateway would say so often.
 */
#ifndef CLUSTER_STRANGER_H
#define CLUSTER_STRANGER_H

#include "bus/bus.h"
#include "cluster/rack.h"

enum { STRANGER_STATUSES = 16, STRANGER_KINDS = 64 };

struct stranger {
    uv_loop_t loop;
    struct bus *bus;
    struct id128 instance;
    int deaf; /* a port at which nobody reads, -1: it hears */
    uint64_t asked;
    int replies[STRANGER_STATUSES]; /* by status */
    int busy;                       /* of these, with the reason "busy" */
    int full;                       /* with the reason "no worker has room" */
    struct placed placed;           /* in the last reply; its URL: */
    char owner_url[WIRE_URL_BYTES_MAX + 1];
    int envelopes[STRANGER_KINDS];         /* that came, by kind */
    char peer_url[WIRE_URL_BYTES_MAX + 1]; /* whose came last */
    int resets;                            /* streams that were cut */
};

/* deaf: the others know it by an address at which nobody ever reads, like a process that has
 * stopped. */
void stranger_open(struct stranger *stranger, bool deaf);
void stranger_close(struct stranger *stranger);
/* Carries on for so long. */
void stranger_run(struct stranger *stranger, int ms);
/* Never the same. */
struct id128 stranger_id(struct stranger *stranger);

/* A request to the matchmaker; its reply is counted when it comes. */
void stranger_ask(struct stranger *stranger, const struct request *request, uint32_t timeout_ms);
/* Until every request has its reply. False: not in time. */
bool stranger_hear_out(struct stranger *stranger);
/* Where the room of that code is: in `placed` and owner_url. */
bool stranger_find(struct stranger *stranger, const char *code);

/* Envelopes to an inbox, in one turn of the loop. */
void stranger_send(struct stranger *stranger, const char *url, const struct envelope *list,
                   int count);
/* Until so many of a kind have come. */
bool stranger_hears(struct stranger *stranger, enum envelope_kind kind, int count);

#endif
