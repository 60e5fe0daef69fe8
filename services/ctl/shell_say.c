/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/say.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 }; /* as much as a pipe takes that is ready */

static bool takes_more(int to)
{
    struct pollfd one = {.fd = to, .events = POLLOUT};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLOUT);
}

bool say(int to, const char *format, ...)
{
    char text[PAGE_BYTES];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (len >= (int)sizeof text) len = sizeof text - 1;
    return len > 0 && takes_more(to) && write(to, text, (size_t)len) == len;
}
