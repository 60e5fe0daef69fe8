/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens to the large cluster: it fills with rooms, a worker is killed, one falls silent, a
 * tenth of all fall silent at once, new ones come; and rooms come and go all the time.
 */
#ifndef SCALE_STORY_H
#define SCALE_STORY_H

#include "scale/scale.h"

struct story_plan {
    struct scale_config config;
    size_t marks[3]; /* rooms at which the balance is looked at, rising; the last ones are kept */
    int newcomers;
    FILE *tell; /* lines as it goes on; NULL: none */
};

/* From a failure until all its rooms have owners again, and until they lie evenly again. */
struct story_fall {
    int workers; /* that fell */
    uint64_t rooms;
    instant_ms owned_ms, even_ms;
    double ratio;                    /* of the fullest worker to the mean, when all are owned */
    double matchmaker_us, worker_us; /* of a processor, for each room */
};
enum { STORY_KILLED, STORY_SILENT, STORY_TENTH, STORY_FALLS };

struct story_figures {
    size_t rooms[3];
    double ratio[3];
    uint64_t tickets;
    instant_ms wait_p50_ms, wait_p99_ms;
    double place_us, ticket_us; /* of a matchmaker's processor; place: the step that chooses */
    double heartbeat_us, heartbeat_bytes, gateway_bytes;
    double matchmaker_busy, worker_busy; /* parts of a processor of one of them, when it is full */
    struct story_fall falls[STORY_FALLS];
    instant_ms join_even_ms;
    double join_ratio; /* when they had just come */
    double simulated_s, processor_s;
    double resident_bytes_per_room; /* of this whole program, model and all */
};

/* NULL, or what was wrong: lent until the next call. */
const char *story_run(const struct story_plan *plan, struct story_figures *out);
void story_write(FILE *json, const struct story_plan *plan, const struct story_figures *figures);

#endif
