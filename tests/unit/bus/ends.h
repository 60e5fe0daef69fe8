/* SPDX-License-Identifier: Apache-2.0
 *
 * Buses on one loop, each with a record of the events that its core would have got.
 */
#ifndef UNIT_BUS_ENDS_H
#define UNIT_BUS_ENDS_H

#include "bus/bus.h"

enum { END_RECORD_MAX = 20000 };

/* What is left of an event after it was delivered. */
struct seen {
    enum event_kind kind;
    struct id128 peer;
    char url[WIRE_URL_BYTES_MAX + 1];
    int count;      /* ENVELOPES */
    uint64_t first; /* ENVELOPES: u.rtt.client of the first and the last */
    uint64_t last;
    uint64_t token;
    enum request_kind asked;
    enum status status; /* REPLY */
    uint32_t rooms;     /* REPLY: of the reply */
};

struct end {
    uv_loop_t *loop;
    struct bus *bus;
    struct id128 instance;
    struct seen seen[END_RECORD_MAX];
    int count;
    /* Replies to each request at once, with its own instance's first byte as `rooms`. */
    bool answers;
};

/* Opens with these URLs (NULL: none) and asserts that it worked. */
void end_open(struct end *end, uv_loop_t *loop, uint8_t instance, const char *inbox,
              const char *control, const char *const *matchmakers, int matchmaker_count);
void end_open_config(struct end *end, uv_loop_t *loop, const struct bus_config *config);
void end_close(struct end *end);

void end_send(struct end *end, const char *url, uint64_t number);
void end_request(struct end *end, const char *url, uint64_t token, uint32_t timeout_ms);
void end_heartbeat(struct end *end, const char *url, uint64_t token);
void end_reply(struct end *end, uint64_t token);
void end_watch(struct end *end, const char *url, bool watch);
void end_watch_inbox(struct end *end, const char *url, struct id128 peer, bool watch);

int end_count(const struct end *end, enum event_kind kind);
/* The n-th event of a kind, from 0; NULL when there are not so many. */
const struct seen *end_seen(const struct end *end, enum event_kind kind, int n);
/* Runs the loop until there are so many events of a kind; false after two seconds. */
bool end_wait(struct end *end, enum event_kind kind, int count);
/* Runs the loop for a while. */
void loop_run_ms(uv_loop_t *loop, int ms);
/* Runs the loop until nothing is left on it, closes it and asserts that. */
void loop_finish(uv_loop_t *loop);

#endif
