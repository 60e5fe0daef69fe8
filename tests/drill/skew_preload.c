/* SPDX-License-Identifier: Apache-2.0
 *
 * Another machine's clock for one process (LD_PRELOAD): the wall and the time since boot are
 * SKEW_S seconds ahead. The monotonic clock stays, since the kernel waits by it.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *out)
{
    static long skew_s = -1;
    if (skew_s < 0) {
        const char *text = getenv("SKEW_S");
        skew_s = text ? strtol(text, NULL, 10) : 0;
    }
    int failed = (int)syscall(SYS_clock_gettime, id, out);
    if (!failed && (id == CLOCK_BOOTTIME || id == CLOCK_REALTIME)) out->tv_sec += skew_s;
    return failed;
}
