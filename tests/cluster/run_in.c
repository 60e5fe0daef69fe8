/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/run_in.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

int run_in(const char *folder, const char *format, ...)
{
    char command[1024], whole[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    snprintf(whole, sizeof whole, "cd %s && (%s) >>said 2>&1 </dev/null", folder, command);
    int status = system(whole);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
