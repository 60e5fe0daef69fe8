/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway/http_text.h"

#include <stdio.h>
#include <string.h>

enum { HOST_BYTES_MAX = 128 };

const struct http_header http_headers_always[] = {
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"permissions-policy:", "camera=(), microphone=(), geolocation=()"},
    {NULL, NULL},
};
const struct http_header http_header_strict_transport = {"strict-transport-security:",
                                                         "max-age=31536000"};
const struct http_header http_header_no_page = {"content-security-policy:",
                                                "default-src 'none'; frame-ancestors 'none'"};

/* ---- policies -------------------------------------------------------------------------------- */

/* Letters, digits, dots, colons, hyphens and brackets: what may stand in a policy as it came. */
static bool plain_host(const char *host)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-[]";
    size_t len = strspn(host, allowed);
    return len > 0 && len < HOST_BYTES_MAX && host[len] == '\0';
}

void http_page_policy(const char *host, bool secure, char out[HTTP_POLICY_BYTES])
{
    char sockets[2 * HOST_BYTES_MAX + 16] = "";
    if (plain_host(host) && secure) snprintf(sockets, sizeof sockets, " wss://%s", host);
    if (plain_host(host) && !secure)
        snprintf(sockets, sizeof sockets, " ws://%s wss://%s", host, host);
    snprintf(out, HTTP_POLICY_BYTES,
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
             "font-src 'self'; media-src 'self'; connect-src 'self'%s; manifest-src 'self'; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             sockets);
}

/* ---- what a browser takes -------------------------------------------------------------------- */

static bool same_letters(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char x = a[i], y = b[i];
        if (x >= 'A' && x <= 'Z') x = (char)(x - 'A' + 'a');
        if (y >= 'A' && y <= 'Z') y = (char)(y - 'A' + 'a');
        if (x != y || x == '\0') return false;
    }
    return true;
}

/* Whether the parameters of one element, which end at `end`, say q=0, q=0.0, ... */
static bool refused(const char *at, const char *end)
{
    const char *q = at;
    while (q + 2 <= end && !same_letters(q, "q=", 2)) q++;
    if (q + 2 > end) return false;
    for (q += 2; q < end && (*q == '0' || *q == '.'); q++) continue;
    return q == end || *q < '1' || *q > '9';
}

bool http_accepts(const char *list, const char *encoding)
{
    size_t len = strlen(encoding);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " \t");
        if (!same_letters(at, encoding, len)) continue;
        const char *after = at + len + strspn(at + len, " \t");
        if (*after == '\0' || *after == ',') return true;
        if (*after == ';') return !refused(after, after + strcspn(after, ","));
    }
    return false;
}

/* ---- origins --------------------------------------------------------------------------------- */

static bool listed(const char *list, const char *origin)
{
    static const char between[] = ", ";
    size_t len = strlen(origin);
    while (*list) {
        list += strspn(list, between);
        size_t next = strcspn(list, between);
        if (next > 0 && next == len && same_letters(list, origin, len)) return true;
        list += next;
    }
    return false;
}

bool http_origin_allowed(const char *origin, const char *host, const char *allowed)
{
    if (listed(allowed, origin)) return true;
    const char *authority = strstr(origin, "://");
    size_t len = strlen(host);
    return authority && len > 0 && strlen(authority + 3) == len &&
           same_letters(authority + 3, host, len);
}
