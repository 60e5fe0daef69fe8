/* SPDX-License-Identifier: Apache-2.0
 *
 * What every store must do, run against each one: the tests know a store only through the struct
 * below.
 */
#ifndef UNIT_STORE_CONFORMANCE_H
#define UNIT_STORE_CONFORMANCE_H

#include "wire/storage.h"

struct store_under_test {
    void *self;
    /* Carries out one op and waits for the answer; what it points to is lent until the fourth run
     * after it. */
    struct store_reply (*run)(void *self, const struct store_op *op);
    /* Lets Redis TIME go on by ms at least. */
    void (*pass)(void *self, instant_ms ms);
    /* Keys that are there, without those of owners, tickets, tombstones, finished games and what
     * was set aside. */
    long long (*keys)(void *self);
    /* Entries of a finished game, its record included; -1: there is none. */
    long long (*game)(void *self, room_id room, uint32_t number);
    /* Items kept of a room that was set aside at that position; -1: nothing. */
    long long (*aside)(void *self, room_id room, uint64_t position);
    /* Remembers everything; brings back what was remembered, as another run of the server. */
    void (*remember)(void *self);
    void (*restore)(void *self);
    /* Makes it empty. */
    void (*clear)(void *self);
};

/* Runs the suite; the value that main returns. */
int store_conformance(const struct store_under_test *store);

#endif
