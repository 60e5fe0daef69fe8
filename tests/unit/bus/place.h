/* SPDX-License-Identifier: Apache-2.0
 *
 * Where buses meet in a test: one loop, and URLs of one transport. Most tests come twice, once with
 * tcp:// and once with ipc://.
 */
#ifndef UNIT_BUS_PLACE_H
#define UNIT_BUS_PLACE_H

#include "unit/bus/ends.h"
#include "unit/test.h"

struct place {
    const char *transport;
    uv_loop_t loop;
    char folder[32];
    char urls[8][64];
    int used;
    struct end *a, *b, *c;
};

/* The state of a test is its place. */
int place_open_tcp(void **state);
int place_open_ipc(void **state);
int place_close(void **state);
#define TCP(test)  cmocka_unit_test_setup_teardown(test, place_open_tcp, place_close)
#define IPC(test)  cmocka_unit_test_setup_teardown(test, place_open_ipc, place_close)
#define BOTH(test) TCP(test), IPC(test)

/* One to listen on; each call gives another. */
const char *place_url(struct place *place);
/* The ends a and b, instances 1 and 2, with an inbox and a control listener each. */
void place_open_both(struct place *place);

#endif
