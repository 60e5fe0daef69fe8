/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls_preload.c counts: calls of the kernel by kind, in this order, as uint64_t.
 */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#define CALLS(X)      \
    X(READ, "read")   \
    X(WRITE, "write") \
    X(WAIT, "wait")   \
    X(SYNC, "sync")   \
    X(THREAD, "thread")

#define X(kind, key) CALL_##kind,
enum call { CALLS(X) CALL_KINDS };
#undef X

#endif
