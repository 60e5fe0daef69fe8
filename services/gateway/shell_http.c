/* SPDX-License-Identifier: Apache-2.0
 *
 * HTTP: the files of the browser client, and whether this gateway can do its job. GET and HEAD.
 */
#include "base/check.h"
#include "gateway/edge.h"

#include <stdlib.h>
#include <strings.h>

enum {
    CHUNK_BYTES = 8 << 10,
    HEADERS_BYTES = 2048,
    PROGRESS_S = 20, /* for each chunk to be taken */
};

struct answer {
    unsigned status;
    const char *mime, *etag, *encoding, *caching;
    const uint8_t *body;
    size_t len;
    bool vary, no_body;
};

static const char *const security_headers[][2] = {
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"permissions-policy:", "camera=(), microphone=(), geolocation=()"},
};

/* ---- headers --------------------------------------------------------------------------------- */

struct head {
    struct lws *wsi;
    uint8_t bytes[LWS_PRE + HEADERS_BYTES], *at, *end;
    bool failed;
};

static void put(struct head *head, const char *name, const char *value)
{
    if (value == NULL || head->failed) return;
    head->failed =
        lws_add_http_header_by_name(head->wsi, (const uint8_t *)name, (const uint8_t *)value,
                                    (int)strlen(value), &head->at, head->end) != 0;
}

/* Letters, digits, dots, colons, hyphens and brackets: what may stand in a policy as it came. */
static bool plain_host(const char *host)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-[]";
    return host[0] && host[strspn(host, allowed)] == '\0';
}

/* Files of our own only. Older browsers do not take 'self' for a WebSocket of the same host, so it
 * is named. */
static void put_policy(struct head *head)
{
    char host[128], policy[768], sockets[300] = "";
    if (lws_hdr_copy(head->wsi, host, sizeof host, WSI_TOKEN_HOST) > 0 && plain_host(host))
        snprintf(sockets, sizeof sockets, " ws://%s wss://%s", host, host);
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
             "font-src 'self'; media-src 'self'; connect-src 'self'%s; manifest-src 'self'; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             sockets);
    put(head, "content-security-policy:", policy);
}

static bool write_head(struct edge *edge, struct visit *visit, const struct answer *answer)
{
    struct head head = {.wsi = visit->wsi};
    uint8_t *start = head.at = head.bytes + LWS_PRE;
    head.end = head.bytes + sizeof head.bytes - 1;
    head.failed = lws_add_http_header_status(visit->wsi, answer->status, &head.at, head.end) != 0;
    put(&head, "content-type:", answer->mime);
    put(&head, "content-encoding:", answer->encoding);
    put(&head, "etag:", answer->etag);
    put(&head, "cache-control:", answer->caching);
    if (answer->vary) put(&head, "vary:", "accept-encoding");
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED) put(&head, "allow:", "GET, HEAD");
    for (size_t i = 0; i < sizeof security_headers / sizeof *security_headers; i++)
        put(&head, security_headers[i][0], security_headers[i][1]);
    put(&head, "x-madang-cluster:", edge->cluster);
    if (answer->mime && strncmp(answer->mime, "text/html", 9) == 0) put_policy(&head);
    if (!head.failed && answer->status != HTTP_STATUS_NOT_MODIFIED)
        head.failed =
            lws_add_http_header_content_length(visit->wsi, answer->len, &head.at, head.end) != 0;
    return !head.failed &&
           lws_finalize_write_http_header(visit->wsi, start, &head.at, head.end) == 0;
}

static int finish(struct visit *visit)
{
    bool last = visit->last; /* the visit is libwebsockets' memory and ends with the answer */
    visit->body = NULL;
    return lws_http_transaction_completed(visit->wsi) || last ? -1 : 0;
}

static int respond(struct edge *edge, struct visit *visit, const struct answer *answer)
{
    if (!write_head(edge, visit, answer)) return -1;
    if (answer->no_body || answer->len == 0) return finish(visit);
    visit->body = answer->body;
    visit->body_len = answer->len;
    visit->body_sent = 0;
    lws_set_timeout(visit->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PROGRESS_S);
    lws_callback_on_writable(visit->wsi);
    return 0;
}

int http_on_writable(struct visit *visit)
{
    uint8_t chunk[LWS_PRE + CHUNK_BYTES];
    if (visit->body == NULL) return 0;
    size_t len = visit->body_len - visit->body_sent;
    if (len > CHUNK_BYTES) len = CHUNK_BYTES;
    memcpy(chunk + LWS_PRE, visit->body + visit->body_sent, len);
    visit->body_sent += len;
    bool last = visit->body_sent == visit->body_len;
    if (lws_write(visit->wsi, chunk + LWS_PRE, len, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)len)
        return -1;
    if (last) return finish(visit);
    lws_set_timeout(visit->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PROGRESS_S);
    lws_callback_on_writable(visit->wsi);
    return 0;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int say(struct edge *edge, struct visit *visit, unsigned status, const char *text,
               bool no_body)
{
    struct answer answer = {
        .status = status,
        .mime = "text/plain; charset=utf-8",
        .caching = "no-store",
        .body = (const uint8_t *)text,
        .len = strlen(text),
        .no_body = no_body,
    };
    return respond(edge, visit, &answer);
}

/* Whether a list such as "gzip, br;q=0.5" names the encoding, and not with q=0. */
static bool names(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " \t");
        if (strncasecmp(at, name, len) != 0) continue;
        const char *after = at + len + strspn(at + len, " \t");
        if (*after == '\0' || *after == ',') return true;
        if (*after != ';') continue;
        const char *q = strstr(after, "q=");
        size_t end = strcspn(after, ",");
        if (q == NULL || q >= after + end) return true;
        return strtod(q + 2, NULL) > 0;
    }
    return false;
}

static enum encoding encoding_for(struct lws *wsi, const struct site_file *file)
{
    char accepted[256];
    if (lws_hdr_copy(wsi, accepted, sizeof accepted, WSI_TOKEN_HTTP_ACCEPT_ENCODING) <= 0)
        return ENCODING_NONE;
    if (file->as[ENCODING_BROTLI].bytes && names(accepted, "br")) return ENCODING_BROTLI;
    if (file->as[ENCODING_GZIP].bytes && names(accepted, "gzip")) return ENCODING_GZIP;
    return ENCODING_NONE;
}

static bool has_it(struct lws *wsi, const char *etag)
{
    char known[512];
    return lws_hdr_copy(wsi, known, sizeof known, WSI_TOKEN_HTTP_IF_NONE_MATCH) > 0 &&
           strstr(known, etag) != NULL;
}

static int serve(struct edge *edge, struct visit *visit, const struct site_file *file, bool head)
{
    static const char *const encodings[ENCODINGS] = {NULL, "gzip", "br"};
    enum encoding encoding = encoding_for(visit->wsi, file);
    struct answer answer = {
        .status = HTTP_STATUS_OK,
        .mime = file->mime,
        .etag = file->as[encoding].etag,
        .encoding = encodings[encoding],
        .caching = file->hashed ? "public, max-age=31536000, immutable" : "no-cache",
        .body = file->as[encoding].bytes,
        .len = file->as[encoding].len,
        .vary = file->as[ENCODING_BROTLI].bytes || file->as[ENCODING_GZIP].bytes,
        .no_body = head,
    };
    if (has_it(visit->wsi, answer.etag)) {
        answer.status = HTTP_STATUS_NOT_MODIFIED;
        answer.no_body = true;
    }
    return respond(edge, visit, &answer);
}

int http_on_request(struct edge *edge, struct visit *visit, const char *path)
{
    char *uri;
    int uri_len, method = lws_http_get_uri_and_method(visit->wsi, &uri, &uri_len);
    bool head = method == LWSHUMETH_HEAD;
    /* Nobody has anything to send here: what follows such a request is not waited for. */
    visit->last = lws_hdr_total_length(visit->wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 ||
                  lws_hdr_total_length(visit->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0;
    if (method != LWSHUMETH_GET && !head)
        return say(edge, visit, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD\n", false);
    if (strcmp(path, "/healthz") == 0) {
        const char *why = gateway_core_unready(edge->core);
        return why ? say(edge, visit, HTTP_STATUS_SERVICE_UNAVAILABLE, why, head)
                   : say(edge, visit, HTTP_STATUS_OK, "ok\n", head);
    }
    if (strcmp(path, "/ws") == 0)
        return say(edge, visit, HTTP_STATUS_BAD_REQUEST, "a WebSocket is spoken here\n", head);
    const struct site_file *file = site_find(&edge->site, path);
    if (file == NULL) return say(edge, visit, HTTP_STATUS_NOT_FOUND, "not found\n", head);
    return serve(edge, visit, file, head);
}

/* ---- upgrades -------------------------------------------------------------------------------- */

static bool listed(const char *list, const char *origin)
{
    static const char between[] = ", ";
    size_t len = strlen(origin);
    while (*list) {
        list += strspn(list, between);
        size_t next = strcspn(list, between);
        if (next == len && strncasecmp(list, origin, len) == 0) return true;
        list += next;
    }
    return false;
}

/* A page of another site may not open a socket here in its visitor's name. Who sends no Origin is
 * no browser. */
static bool origin_allowed(const struct edge *edge, struct lws *wsi)
{
    char origin[256], host[256];
    int len = lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0) return true;
    if (len <= 0) return false;
    if (listed(edge->origins, origin)) return true;
    const char *authority = strstr(origin, "://");
    return authority && lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) > 0 &&
           strcasecmp(authority + 3, host) == 0;
}

int http_on_upgrade(struct edge *edge, struct lws *wsi)
{
    char path[8];
    bool here =
        lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0 && strcmp(path, "/ws") == 0;
    if (here && origin_allowed(edge, wsi)) return 0;
    unsigned status = here ? HTTP_STATUS_FORBIDDEN : HTTP_STATUS_NOT_FOUND;
    return lws_return_http_status(wsi, status, NULL) ? -1 : 1;
}
