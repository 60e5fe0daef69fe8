/* SPDX-License-Identifier: Apache-2.0
 *
 * What `madangctl up` says. Whoever reads it may have stopped: a terminal that is held, a pipe that
 * nobody empties. The supervisor would stop with it, and start nothing again that dies.
 */
#ifndef CTL_SAY_H
#define CTL_SAY_H

#include <stdbool.h>

/* To STDOUT_FILENO or STDERR_FILENO, at once. False: it was not taken, and is not said. */
bool say(int to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
