/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs of Madang, as bits: settings, metrics and log lines say whose they are.
 */
#ifndef OPS_PROGRAM_H
#define OPS_PROGRAM_H

enum program {
    PROGRAM_GATEWAY = 1,
    PROGRAM_MATCHMAKER = 2,
    PROGRAM_WORKER = 4,
    PROGRAM_TIMER = 8,
    PROGRAM_ALL = 15,
};

/* "worker"; of a single program. */
const char *program_name(enum program program);

#endif
