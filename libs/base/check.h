/* SPDX-License-Identifier: Apache-2.0
 *
 * Invariants, kept on in production. A failed one stops the process with what it saw; the rooms
 * resume elsewhere from their logs. Input from a peer is never asserted, only refused.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (__builtin_expect(!(condition), 0)) check_failed(#condition, __FILE__, __LINE__); \
    } while (0)

_Noreturn void check_failed(const char *condition, const char *file, int line);

#endif
