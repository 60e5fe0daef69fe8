/* SPDX-License-Identifier: Apache-2.0
 *
 * A Sentinel on the test's own loop that says what the test wants.
 */
#ifndef UNIT_STORE_FAKE_SENTINEL_H
#define UNIT_STORE_FAKE_SENTINEL_H

#include <stdbool.h>
#include <uv.h>

enum { FAKE_TALKERS_MAX = 32 };

enum fake_manner {
    FAKE_HONEST = 0, /* names port and epoch below */
    FAKE_SILENT,     /* accepts, reads, never answers */
    FAKE_IGNORANT,   /* knows no such name */
    FAKE_BABBLING,   /* answers what no Sentinel would */
    FAKE_ENDLESS,    /* begins an answer that never ends */
};

struct fake_talker;

struct fake_sentinel {
    int fd, port;
    uv_tcp_t listener;
    struct fake_talker *talkers[FAKE_TALKERS_MAX];
    enum fake_manner manner;
    int names_port; /* the primary's, on 127.0.0.1 */
    int epoch;
    const char *password; /* NULL: none wanted */
    int asked, refused;   /* how often */
};

/* Takes a port; connections wait until it serves. Set what it says after this. */
void fake_sentinel_init(struct fake_sentinel *fake);
void fake_sentinel_serve(struct fake_sentinel *fake, uv_loop_t *loop);
/* Tells every listener of +switch-master this. */
void fake_sentinel_publish(struct fake_sentinel *fake, const char *message);
/* Ends it and its connections; the loop has still to close them. */
void fake_sentinel_stop(struct fake_sentinel *fake);

#endif
