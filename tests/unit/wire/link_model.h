/* SPDX-License-Identifier: Apache-2.0
 *
 * Some nodes with links over a network that loses, repeats, reorders and breaks, and a record of
 * what was sent, what was delivered and where a RESET stood between them. Every envelope is an RTT:
 * `room` names the sending process, `client` counts from 1 for each process and receiving node.
 */
#ifndef UNIT_WIRE_LINK_MODEL_H
#define UNIT_WIRE_LINK_MODEL_H

#include "wire/link.h"

enum { MODEL_NODES = 3, MODEL_PROCESSES_MAX = 64, MODEL_FLIGHT_MAX = 4096, MODEL_LOG_MAX = 8192 };

/* One line of the record, as the core of `process` saw it. */
enum model_what { MODEL_SENT = 1, MODEL_DELIVERED, MODEL_RESET };
struct model_entry {
    enum model_what what;
    int process; /* whose core */
    int node;    /* the peer */
    int from;    /* DELIVERED: the sending process */
    uint64_t counter;
};

struct model_message {
    int from_node, to_node;
    struct buf bytes;
};

struct model {
    uint64_t chance;
    instant_ms now;
    bool confused; /* cores sometimes name an instance that is long dead, or never was there */
    struct link links[MODEL_NODES];
    int process_of[MODEL_NODES]; /* the one alive on each node */
    int node_of[MODEL_PROCESSES_MAX];
    int processes;
    uint64_t sent[MODEL_PROCESSES_MAX][MODEL_NODES];
    struct model_message flight[MODEL_FLIGHT_MAX];
    int flying;
    struct model_entry log[MODEL_LOG_MAX];
    int logged;
};

void model_init(struct model *model, uint64_t seed);
void model_fini(struct model *model);
int model_below(struct model *model, int bound);
const char *model_url(int node);

void model_send(struct model *model, int from, int to);
void model_flush(struct model *model, int node);
/* Hands message `at` of those in flight to its node (keep: also leaves it there, to come again) */
void model_deliver(struct model *model, int at, bool keep);
void model_drop(struct model *model, int at);
/* The pipe from one node to another breaks: what it held is gone and the sender knows. */
void model_break(struct model *model, int from, int to);
/* A node's process dies and another starts behind the same URL. What it had sent may still arrive.
 * */
void model_restart(struct model *model, int node);
/* Everything in flight arrives in order, all flush, time passes: ms in steps of 50. */
void model_settle(struct model *model, int ms);

#endif
