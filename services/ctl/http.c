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

enum { METRIC_LINE_BYTES_MAX = 1024 };

/* The next line of *text; false: there is none. */
static bool next_line(struct slice *text, char line[METRIC_LINE_BYTES_MAX])
{
    if (text->len == 0) return false;
    const uint8_t *end = memchr(text->at, '\n', text->len);
    size_t len = end ? (size_t)(end - text->at) : text->len;
    size_t kept = len < METRIC_LINE_BYTES_MAX ? len : 0; /* none of ours is as long */
    memcpy(line, text->at, kept);
    line[kept] = '\0';
    *text = end ? slice_of(end + 1, text->len - len - 1) : (struct slice){0};
    return true;
}

bool metric_value(struct slice text, const char *name, double *out)
{
    size_t len = strlen(name);
    char line[METRIC_LINE_BYTES_MAX];
    while (next_line(&text, line)) {
        if (strncmp(line, name, len) != 0 || line[len] != ' ') continue;
        *out = strtod(line + len + 1, NULL);
        return true;
    }
    return false;
}

/* What stands behind a name: a value, or labels before it, whose texts may have brackets too. */
static const char *behind_labels(const char *at)
{
    if (*at == '{')
        for (const char *end = at; (end = strchr(end, '}'));) at = ++end;
    return *at == ' ' ? at : NULL;
}

bool metric_sum(struct slice text, const char *name, double *out)
{
    size_t len = strlen(name);
    char line[METRIC_LINE_BYTES_MAX];
    bool found = false;
    *out = 0;
    while (next_line(&text, line)) {
        if (strncmp(line, name, len) != 0) continue;
        const char *value = behind_labels(line + len);
        if (value == NULL) continue;
        *out += strtod(value, NULL);
        found = true;
    }
    return found;
}
