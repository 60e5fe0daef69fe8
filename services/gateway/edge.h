/* SPDX-License-Identifier: Apache-2.0
 *
 * The gateway's own part of its shell (the rest is libs/shell): sockets, HTTP, files. It carries
 * effects out in order and decides nothing.
 *
 *   main.c          settings, opening and closing, what metrics hear
 *   shell_door.c    the port: listening (shared with other gateways of this cluster), accepting
 *   shell_guests.c  connections that are no WebSocket, counted by address; whose each one is
 *   shell_web.c     libwebsockets on our loop; which callback is whose
 *   shell_https.c   TLS, where it ends here: the certificate, and another one after SIGHUP
 *   shell_http.c    GET and HEAD: files, health
 *   shell_socket.c  WebSocket: messages in, messages out, closing
 *   shell_site.c    the files of the browser client
 *   shell_key.c     the key under which session tokens are signed
 */
#ifndef GATEWAY_EDGE_H
#define GATEWAY_EDGE_H

#include "base/map.h"
#include "gateway/gateway_core.h"
#include "gateway/http_text.h"
#include "gateway/visitor.h"
#include "shell/shell.h"

#include <libwebsockets.h>
#include <uv.h>

enum {
    EDGE_CLUSTER_BYTES = 33, /* a hash of the key, in hex: tells gateways of one cluster */
};

/* ---- files ----------------------------------------------------------------------------------- */

enum encoding { ENCODING_NONE, ENCODING_GZIP, ENCODING_BROTLI, ENCODINGS };

struct site_file {
    char *path; /* "/assets/index-abc.js" */
    const char *mime;
    bool hashed; /* its name changes with its content */
    struct {
        uint8_t *bytes;
        size_t len;
        char etag[40];
    } as[ENCODINGS];
};
/* All files are read at the start: nothing is opened on a request, so no path leads out. */
struct site {
    struct site_file *files; /* ascending by path */
    size_t count;
};
/* False: cannot be read; *why is a sentence. An empty folder, or none, is an empty site. */
bool site_open(struct site *site, const char *folder, const char **why);
void site_close(struct site *site);
/* The file for a path of a request, pages of the client included; NULL: there is none. */
const struct site_file *site_find(const struct site *site, const char *path);

/* ---- the key --------------------------------------------------------------------------------- */

/* The key that signs, and the one that is taken as well where there is one: from digits or from
 * files. The first file is made (mode 0600) when there is none; without either a key is drawn
 * that nobody keeps. NULL, or a sentence. */
const char *keys_open(const struct shell *shell, uint8_t keys[GATEWAY_KEYS_MAX][GATEWAY_KEY_BYTES],
                      int *count);

/* ---- the edge -------------------------------------------------------------------------------- */

struct message {
    struct message *next;
    size_t len, room; /* of bytes */
    uint8_t bytes[];  /* a whole frame of WebSocket, its head included */
};

/* One connection, first HTTP and then perhaps a WebSocket. libwebsockets owns the memory. */
struct visit {
    struct lws *wsi;
    /* HTTP: the answer that is being written */
    const uint8_t *body;
    size_t body_len, body_sent;
    bool last; /* the connection ends with it */
    /* WebSocket */
    uint64_t socket; /* the core's name for it, 0: none */
    struct message *first, **end;
    uint32_t waiting, after_close; /* messages to send; what came after our closing frame */
    uint32_t credit;               /* bytes that are written before the kernel is asked again */
    bool queued;                   /* for the end of this turn of the loop */
    bool broken;                   /* a write has failed */
    bool told_writable, closing, said_close;
    uint16_t close_code;
    const char *close_text;
    uint8_t *partial; /* of a message in pieces */
    size_t partial_len;
    uint32_t pieces;
};

struct edge {
    struct shell *shell;
    struct gateway_core *core;

    int listener;
    uv_poll_t door;
    bool door_open, door_waits;

    struct lws_context *lws;
    struct lws_vhost *vhost;
    struct map visits;    /* socket */
    struct map128 guests; /* address: struct guest */
    uint32_t guests_max;  /* connections of one address that are no WebSocket */
    uint64_t guests_refused;
    uint64_t last_socket;
    struct { /* sockets that this turn of the loop has messages for */
        uv_prepare_t turn;
        uv_idle_t due; /* keeps the loop from waiting before they are written */
        uint64_t *sockets;
        size_t count, room;
    } writes;
    struct message *spares; /* small ones that are written, for the next */
    uint32_t spare_count;

    struct site site;
    char clusters[GATEWAY_KEYS_MAX][EDGE_CLUSTER_BYTES]; /* by the first it is known */
    int cluster_count;
    struct networks proxies; /* whose X-Forwarded-For is believed */
    struct knocks *knocks;   /* handshakes of each address */
    struct https *https;     /* NULL: TLS ends in front of us, or nowhere */
    const char *origins;     /* allowed besides the own host, parted by commas or blanks */
};

/* shell_door.c */
/* False: the port cannot be had; *why is a sentence. */
bool door_open(struct edge *edge, const char *bind_to, int port, const char **why);
/* Accepts again after descriptors had run out. */
void door_retry(struct edge *edge);
void door_close(struct edge *edge);

/* shell_web.c */
bool web_open(struct edge *edge, const char **why);
void web_close(struct edge *edge);
struct edge *edge_of(struct lws *wsi);

/* shell_https.c */
/* Both files empty: no TLS. NULL, or a sentence. */
const char *https_open(struct edge *edge, const char *certificate_file, const char *key_file);
void https_close(struct edge *edge);
/* Sets up an SSL_CTX of libwebsockets. */
void https_prepare(struct https *https, void *context);
/* One request on a connection whose waiting the kernel limits; how much of the answer came. */
size_t https_ask(int fd, const char *request, char *into, size_t size);

/* shell_guests.c */
/* An accepted connection; takes fd. Too many from its address, or too fast: it is closed. */
void guest_enter(struct edge *edge, int fd);
/* It has become a WebSocket, or ended. May be called again. */
void guest_leave(struct edge *edge, struct lws *wsi);
/* Whose connection it is: the peer's, or that of whom a trusted proxy speaks for. */
struct ip guest_ip(const struct edge *edge, struct lws *wsi);
/* Counts the handshake of a browser behind a trusted proxy, which has none of its own here. False:
 * too many from there. */
bool guest_knock(const struct edge *edge, struct lws *wsi);
/* Of the address that has the most. */
struct fullness guests_fullness(const struct edge *edge);

/* shell_http.c: as lws callbacks return */
int http_on_request(struct edge *edge, struct visit *visit, const char *path);
int http_on_writable(struct visit *visit);
/* Before an upgrade: 0 lets it pass, 1: answered with a refusal. */
int http_on_upgrade(struct edge *edge, struct lws *wsi);

/* shell_socket.c */
void sockets_open(struct edge *edge);
void sockets_close(struct edge *edge);
int socket_on_open(struct edge *edge, struct visit *visit, struct lws *wsi);
int socket_on_bytes(struct edge *edge, struct visit *visit, const uint8_t *bytes, size_t len);
int socket_on_writable(struct edge *edge, struct visit *visit);
void socket_on_closed(struct edge *edge, struct visit *visit);
void socket_carry(struct edge *edge, const struct effect *effect);

#endif
