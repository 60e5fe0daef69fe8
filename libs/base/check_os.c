/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void check_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "invariant broken: %s (%s:%d)\n", condition, file, line);
    fflush(stderr);
    abort();
}
