/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/http.h"

#include <stdio.h>
#include <stdlib.h>

static const uint8_t *find(struct slice text, const char *what)
{
    size_t len = strlen(what);
    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.at + i, what, len) == 0) return text.at + i;
    return NULL;
}

int http_status(struct slice answer, struct slice *body)
{
    static const char version[] = "HTTP/1.";
    const uint8_t *end = find(answer, "\r\n\r\n");
    if (end == NULL || answer.len < 12 || memcmp(answer.at, version, sizeof version - 1) != 0)
        return 0;
    char digits[4] = {0};
    memcpy(digits, answer.at + 9, 3);
    *body = slice_of(end + 4, (size_t)(answer.at + answer.len - end - 4));
    return (int)strtol(digits, NULL, 10);
}

bool url_host(const char *url, char *out, size_t size)
{
    const char *at = url ? strchr(url, ':') : NULL;
    if (at == NULL || strncmp(at, "://", 3) != 0) return false;
    at += 3;
    bool brackets = *at == '[';
    size_t len = brackets ? strcspn(++at, "]") : strcspn(at, ":/");
    if (len == 0 || len >= size) return false;
    memcpy(out, at, len);
    out[len] = '\0';
    return true;
}

int url_port(const char *url)
{
    const char *at = strchr(url, ']');
    if (at == NULL && (at = strstr(url, "://"))) at += 3;
    at = at ? strchr(at, ':') : NULL;
    if (at == NULL || at[1] < '0' || at[1] > '9') return -1;
    return (int)strtol(at + 1, NULL, 10);
}

bool metric_value(struct slice text, const char *name, double *out)
{
    size_t len = strlen(name);
    const char *at = (const char *)text.at, *end = at + text.len;
    while (at < end) {
        size_t left = (size_t)(end - at);
        const char *line_end = memchr(at, '\n', left);
        size_t line = line_end ? (size_t)(line_end - at) : left;
        if (line > len + 1 && line < len + 60 && memcmp(at, name, len) == 0 && at[len] == ' ') {
            char number[64];
            memcpy(number, at + len + 1, line - len - 1);
            number[line - len - 1] = '\0';
            *out = strtod(number, NULL);
            return true;
        }
        at += line + 1;
    }
    return false;
}
