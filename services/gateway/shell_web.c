/* SPDX-License-Identifier: Apache-2.0
 *
 * libwebsockets on our loop. It is given accepted sockets, speaks HTTP and WebSocket on them, and
 * calls back here; nothing is compressed, and its own pings and idle timers are off (the core has a
 * heap for them).
 */
#include "base/check.h"
#include "gateway/edge.h"
#include "wire/client_wire.h"

#include <unistd.h>

enum {
    REQUEST_S = 10, /* for the headers of a request */
    KEEP_ALIVE_S = 20,
    HEADERS_AT_A_TIME = 4096, /* 6 KB each while a request is read: of many addresses at once */
};

struct edge *edge_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static int on_lws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct visit *visit = user;
    struct edge *edge = edge_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        https_prepare(edge->https, user);
        return 0;
    case LWS_CALLBACK_HTTP: visit->wsi = wsi; return http_on_request(edge, visit, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return http_on_writable(visit);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return http_on_upgrade(edge, wsi);
    case LWS_CALLBACK_WSI_DESTROY: guest_leave(edge, wsi); return 0;
    case LWS_CALLBACK_ESTABLISHED: guest_leave(edge, wsi); return socket_on_open(edge, visit, wsi);
    case LWS_CALLBACK_RECEIVE: return socket_on_bytes(edge, visit, in, len);
    case LWS_CALLBACK_SERVER_WRITEABLE: return socket_on_writable(edge, visit);
    case LWS_CALLBACK_CLOSED: socket_on_closed(edge, visit); return 0;
    default: return 0;
    }
}

/* For what libwebsockets answers itself, such as requests that are none. */
static const struct lws_protocol_vhost_options *own_headers(bool strict)
{
    enum { HEADERS_MAX = 16 };
    static struct lws_protocol_vhost_options list[HEADERS_MAX];
    int count = 0;
    list[count].name = http_header_no_page.name;
    list[count++].value = http_header_no_page.value;
    if (strict) {
        list[count].name = http_header_strict_transport.name;
        list[count++].value = http_header_strict_transport.value;
    }
    for (const struct http_header *each = http_headers_always; each->name; each++) {
        CHECK(count < HEADERS_MAX);
        list[count].name = each->name;
        list[count++].value = each->value;
    }
    for (int i = 0; i + 1 < count; i++) list[i].next = &list[i + 1];
    return list;
}

bool web_open(struct edge *edge, const char **why)
{
    static const struct lws_protocols protocols[] = {
        {.name = "madang",
         .callback = on_lws,
         .per_session_data_size = sizeof(struct visit),
         .rx_buffer_size = 512,
         .tx_packet_size = SERVER_FRAME_BYTES_MAX}, /* else a frame goes out in pieces of 512 */
        {0},
    };
    static const lws_retry_bo_t no_pings; /* zero: never */
    static void *loops[1];
    loops[0] = &edge->shell->loop;
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_NO_LWS_SYSTEM_STATES |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .foreign_loops = loops,
        .user = edge,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .server_string = "madang",
        .headers = own_headers(edge->https != NULL),
        .timeout_secs = REQUEST_S,
        .keepalive_timeout = KEEP_ALIVE_S,
        .alpn = "http/1.1",
        .max_http_header_pool = HEADERS_AT_A_TIME,
        .retry_and_idle_policy = &no_pings,
    };
    if (edge->https)
        info.options |=
            LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
    sockets_open(edge);
    lws_set_log_level(0, NULL); /* it writes a line for every request that is none */
    edge->lws = lws_create_context(&info);
    if (edge->lws) edge->vhost = lws_create_vhost(edge->lws, &info);
    if (edge->vhost == NULL) {
        *why = "libwebsockets cannot be started on libuv";
        return false;
    }
    return true;
}

void web_close(struct edge *edge)
{
    if (edge->lws) lws_context_destroy(edge->lws);
    edge->lws = NULL;
    sockets_close(edge);
}
