/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test starts does not outlive it, however the test ends.
 */
#ifndef UNIT_END_WITH_H
#define UNIT_END_WITH_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Between fork and exec, in the child: it gets this signal when `parent` ends. One that has ended
 * already sends none. */
static inline void end_with(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent) _exit(127);
}

#endif
