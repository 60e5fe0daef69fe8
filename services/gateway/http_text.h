/* SPDX-License-Identifier: Apache-2.0
 *
 * What the text of a request means, and what every answer says to protect whoever gets it. Pure:
 * each text may be an attacker's.
 */
#ifndef GATEWAY_HTTP_TEXT_H
#define GATEWAY_HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_POLICY_BYTES = 768 };

/* Headers that every answer has, whatever it is; the last one has no name. */
struct http_header {
    const char *name, *value; /* the name with its colon */
};
extern const struct http_header http_headers_always[];
/* Only where TLS ends here: come back by it. */
extern const struct http_header http_header_strict_transport;
/* For an answer that is no page: nothing may be loaded, run or framed. */
extern const struct http_header http_header_no_page;

/* The Content-Security-Policy of a page: files of our own only. `host` is the request's. Older
 * browsers do not take 'self' for a WebSocket of the same host, so it is named, where it can stand
 * in a policy. secure: by TLS alone. */
void http_page_policy(const char *host, bool secure, char out[HTTP_POLICY_BYTES]);

/* Whether a list such as "gzip, br;q=0.5" names the encoding, and not with q=0. */
bool http_accepts(const char *list, const char *encoding);

/* A page of another site may not open a socket here in its visitor's name: the Origin is of this
 * host, or one of `allowed` (parted by commas or blanks). */
bool http_origin_allowed(const char *origin, const char *host, const char *allowed);

#endif
