/* SPDX-License-Identifier: Apache-2.0
 *
 * What a shell asks of the operating system: chance, the clock, files.
 */
#ifndef OPS_SYSTEM_H
#define OPS_SYSTEM_H

#include "base/buf.h"

/* From the system's CSPRNG (getrandom). Never fails: a system without one stops the process. */
void random_fill(void *into, size_t len);
/* The same, of which some is asked for in advance: a call of the system costs as much as a whole
 * step of a core. What was given is wiped. For the loop's thread alone. */
void random_draw(void *into, size_t len);
struct id128 random_id(void);

/* CLOCK_BOOTTIME in ms: goes on while the machine sleeps and is never set. */
instant_ms clock_boot_ms(void);
/* The calendar, in seconds since 1970: for how old something is that outlives machines. */
uint64_t clock_wall_s(void);

/* Raises the number of files this process may open to what it is allowed, and returns it. */
uint64_t files_raise(void);

/* Appends a small file; false when it cannot be read or is larger than size_max. */
bool file_read(const char *path, size_t size_max, struct buf *out);

#endif
