/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary text as what a request says of itself before it becomes a WebSocket: the Host, the
 * Origin, X-Forwarded-For, Accept-Encoding, parted by line ends; and what an operator allows. No
 * policy that is written can be broken out of, no address is believed that no proxy of ours said.
 */
#include "base/check.h"
#include "gateway/http_text.h"
#include "gateway/visitor.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 6 };

/* Each line as a text of its own, so that a step beyond its end is seen. */
static void part(const uint8_t *data, size_t size, char *lines[LINES])
{
    for (int i = 0; i < LINES; i++) {
        const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
        size_t len = end ? (size_t)(end - data) : size;
        lines[i] = malloc(len + 1);
        CHECK(lines[i] != NULL);
        if (len) memcpy(lines[i], data, len);
        lines[i][len] = '\0';
        size -= end ? len + 1 : len;
        data += end ? len + 1 : len;
    }
}

static void policy(const char *host, bool secure)
{
    static const char begin[] = "default-src 'none'; script-src 'self'; ";
    static const char end[] = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    char text[HTTP_POLICY_BYTES];
    http_page_policy(host, secure, text);
    size_t len = strlen(text), semicolons = 0;
    CHECK(strncmp(text, begin, sizeof begin - 1) == 0);
    CHECK(len > sizeof end && strcmp(text + len - (sizeof end - 1), end) == 0);
    for (size_t i = 0; i < len; i++) {
        semicolons += text[i] == ';';
        CHECK(text[i] >= ' ' && text[i] < 127);
    }
    CHECK(semicolons == 10);
}

static void origin(const char *text, const char *host, const char *allowed)
{
    bool is_allowed = http_origin_allowed(text, host, allowed);
    CHECK(!is_allowed || strstr(text, "://") != NULL || strlen(allowed) >= strlen(text));
    CHECK(!http_origin_allowed(text, "", ""));
}

static void visitor(const char *peer_text, const char *networks_text, const char *forwarded)
{
    struct ip peer, again;
    struct networks proxies, none = {0};
    char text[IP_TEXT_BYTES];
    if (!ip_read(slice_text(peer_text), &peer)) return;
    ip_write(&peer, text);
    CHECK(ip_read(slice_text(text), &again) && memcmp(&peer, &again, sizeof peer) == 0);
    struct ip alone = visitor_behind(peer, &none, forwarded);
    CHECK(memcmp(&alone, &peer, sizeof peer) == 0);
    if (!networks_read(networks_text, &proxies)) return;
    struct ip whose = visitor_behind(peer, &proxies, forwarded);
    bool is_peer = memcmp(&whose, &peer, sizeof peer) == 0;
    CHECK(is_peer || networks_hold(&proxies, peer));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line[LINES];
    part(data, size, line);
    policy(line[0], false);
    policy(line[0], true);
    origin(line[1], line[0], line[2]);
    http_accepts(line[1], "br");
    http_accepts(line[1], "gzip");
    visitor(line[3], line[4], line[5]);
    for (int i = 0; i < LINES; i++) free(line[i]);
    return 0;
}
