/* SPDX-License-Identifier: Apache-2.0
 *
 * HTTP: the files of the browser client, and whether this gateway can do its job. GET and HEAD.
 */
#include "base/check.h"
#include "gateway/edge.h"

#include <stdio.h>

enum {
    CHUNK_BYTES = 8 << 10,
    HEADERS_BYTES = 2048,
    PROGRESS_S = 20, /* for each chunk to be taken */
    TOO_MANY_REQUESTS = 429,
};

struct answer {
    unsigned status;
    const char *mime, *etag, *encoding, *caching;
    const uint8_t *body;
    size_t len;
    bool vary, no_body;
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

static void put_each(struct head *head, const struct http_header *each)
{
    for (; each->name; each++) put(head, each->name, each->value);
}

static void put_policy(const struct edge *edge, struct head *head, const char *mime)
{
    char host[256] = "", policy[HTTP_POLICY_BYTES];
    if (mime == NULL || strncmp(mime, "text/html", 9) != 0) {
        put(head, http_header_no_page.name, http_header_no_page.value);
        return;
    }
    if (lws_hdr_copy(head->wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0) host[0] = '\0';
    http_page_policy(host, edge->https != NULL, policy);
    put(head, http_header_no_page.name, policy);
}

/* The status line is written here: libwebsockets would put what it has for answers of its own
 * (web_open) beside it. */
static void put_status(struct head *head, unsigned status)
{
    static const struct {
        unsigned status;
        const char *phrase;
    } known[] = {
        {HTTP_STATUS_OK, "OK"},
        {HTTP_STATUS_NOT_MODIFIED, "Not Modified"},
        {HTTP_STATUS_BAD_REQUEST, "Bad Request"},
        {HTTP_STATUS_FORBIDDEN, "Forbidden"},
        {HTTP_STATUS_NOT_FOUND, "Not Found"},
        {HTTP_STATUS_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {TOO_MANY_REQUESTS, "Too Many Requests"},
        {HTTP_STATUS_SERVICE_UNAVAILABLE, "Service Unavailable"},
    };
    const char *phrase = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status) phrase = known[i].phrase;
    size_t room = (size_t)(head->end - head->at);
    head->at += snprintf((char *)head->at, room, "HTTP/1.1 %u %s\r\n", status, phrase);
}

static bool write_head(struct edge *edge, struct lws *wsi, const struct answer *answer)
{
    struct head head = {.wsi = wsi};
    uint8_t *start = head.at = head.bytes + LWS_PRE;
    head.end = head.bytes + sizeof head.bytes - 1;
    put_status(&head, answer->status);
    put(&head, "content-type:", answer->mime);
    put(&head, "content-encoding:", answer->encoding);
    put(&head, "etag:", answer->etag);
    put(&head, "cache-control:", answer->caching);
    if (answer->vary) put(&head, "vary:", "accept-encoding");
    if (answer->status == HTTP_STATUS_METHOD_NOT_ALLOWED) put(&head, "allow:", "GET, HEAD");
    put_each(&head, http_headers_always);
    const struct http_header *strict = &http_header_strict_transport;
    if (edge->https) put(&head, strict->name, strict->value);
    put_policy(edge, &head, answer->mime);
    put(&head, "x-madang-cluster:", edge->clusters[0]);
    if (!head.failed && answer->status != HTTP_STATUS_NOT_MODIFIED)
        head.failed = lws_add_http_header_content_length(wsi, answer->len, &head.at, head.end) != 0;
    return !head.failed && lws_finalize_write_http_header(wsi, start, &head.at, head.end) == 0;
}

static int finish(struct visit *visit)
{
    bool last = visit->last; /* the visit is libwebsockets' memory and ends with the answer */
    visit->body = NULL;
    return lws_http_transaction_completed(visit->wsi) || last ? -1 : 0;
}

static int respond(struct edge *edge, struct visit *visit, const struct answer *answer)
{
    if (!write_head(edge, visit->wsi, answer)) return -1;
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

static enum encoding encoding_for(struct lws *wsi, const struct site_file *file)
{
    char accepted[256];
    if (lws_hdr_copy(wsi, accepted, sizeof accepted, WSI_TOKEN_HTTP_ACCEPT_ENCODING) <= 0)
        return ENCODING_NONE;
    if (file->as[ENCODING_BROTLI].bytes && http_accepts(accepted, "br")) return ENCODING_BROTLI;
    if (file->as[ENCODING_GZIP].bytes && http_accepts(accepted, "gzip")) return ENCODING_GZIP;
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

/* Who sends no Origin is no browser. */
static bool origin_allowed(const struct edge *edge, struct lws *wsi)
{
    char origin[256], host[256];
    int len = lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0) return true;
    if (len <= 0) return false;
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0) host[0] = '\0';
    return http_origin_allowed(origin, host, edge->origins);
}

int http_on_upgrade(struct edge *edge, struct lws *wsi)
{
    char path[8];
    bool here =
        lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0 && strcmp(path, "/ws") == 0;
    struct answer no = {.status = HTTP_STATUS_NOT_FOUND, .caching = "no-store"};
    if (here && !origin_allowed(edge, wsi))
        no.status = HTTP_STATUS_FORBIDDEN;
    else if (here && !guest_knock(edge, wsi))
        no.status = TOO_MANY_REQUESTS;
    else if (here)
        return 0;
    if (write_head(edge, wsi, &no) && lws_http_transaction_completed(wsi) == 0) return 1;
    return -1;
}
