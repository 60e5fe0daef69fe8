/* SPDX-License-Identifier: Apache-2.0
 *
 * TLS at the gateway itself, where no proxy ends it. The certificate is asked for at each handshake
 * and is whatever was read last, so SIGHUP changes it for those who come, and those who are here
 * notice nothing. A new one that is no good is told of, and the old one stays.
 */
#include "base/check.h"
#include "gateway/edge.h"
#include "ops/certificate.h"
#include "ops/log.h"
#include "ops/system.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

struct https {
    const char *certificate_file, *key_file; /* borrowed from the settings */
    X509 *certificate;
    STACK_OF(X509) * chain;
    EVP_PKEY *key;
    struct metrics *metrics; /* borrowed */
    int metric;              /* the value that says when what is shown ends */
    uv_signal_t hangup;
    bool listening;
};

/* ---- what the files hold --------------------------------------------------------------------- */

/* Nobody is there to type a pass phrase. */
static int no_phrase(char *into, int size, int writing, void *user)
{
    if (size > 0) into[0] = '\0';
    (void)writing;
    (void)user;
    return -1;
}

static void forget(struct https *https)
{
    X509_free(https->certificate);
    sk_X509_pop_free(https->chain, X509_free);
    EVP_PKEY_free(https->key);
    https->certificate = NULL;
    https->chain = NULL;
    https->key = NULL;
}

static const char *take(struct https *https, SSL_CTX *draft)
{
    STACK_OF(X509) *chain = NULL;
    if (SSL_CTX_use_certificate_chain_file(draft, https->certificate_file) != 1)
        return "https-certificate: it cannot be read, or is no PEM of certificates";
    if (SSL_CTX_use_PrivateKey_file(draft, https->key_file, SSL_FILETYPE_PEM) != 1)
        return "https-key: it cannot be read, or is not the PEM of that certificate's key";
    if (SSL_CTX_check_private_key(draft) != 1) return "https-key: it is another certificate's";
    forget(https);
    https->certificate = SSL_CTX_get0_certificate(draft);
    https->key = SSL_CTX_get0_privatekey(draft);
    CHECK(X509_up_ref(https->certificate) == 1 && EVP_PKEY_up_ref(https->key) == 1);
    if (SSL_CTX_get0_chain_certs(draft, &chain) == 1 && chain)
        https->chain = X509_chain_up_ref(chain);
    return NULL;
}

/* NULL, or a sentence; then what was there before stays. */
static const char *read_files(struct https *https)
{
    struct stat about;
    if (stat(https->key_file, &about) == 0 && (about.st_mode & 037) != 0)
        return "https-key: it must be closed to others (mode 0600, or 0640 for a group)";
    SSL_CTX *draft = SSL_CTX_new(TLS_server_method());
    CHECK(draft != NULL);
    SSL_CTX_set_default_passwd_cb(draft, no_phrase);
    const char *why = take(https, draft);
    SSL_CTX_free(draft);
    ERR_clear_error(); /* libwebsockets asks this queue whether its own calls failed */
    if (why) return why;
    struct certificate is;
    certificate_read(https->certificate_file, false, &is);
    metrics_set_labelled(https->metrics, https->metric, (uint64_t)is.ends_s);
    return NULL;
}

static void on_hangup(uv_signal_t *handle, int number)
{
    struct https *https = handle->data;
    (void)number;
    const char *why = read_files(https);
    if (why)
        log_text("certificate.refused", why);
    else
        log_text("certificate.loaded", NULL);
}

/* ---- handshakes ------------------------------------------------------------------------------ */

static int on_handshake(SSL *ssl, void *user)
{
    const struct https *https = user;
    return SSL_use_cert_and_key(ssl, https->certificate, https->key, https->chain, 1);
}

void https_prepare(struct https *https, void *context)
{
    SSL_CTX *tls = context;
    CHECK(SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1);
    SSL_CTX_set_options(tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    /* Forward secrecy and authenticated encryption alone, also for TLS 1.2. */
    CHECK(SSL_CTX_set_cipher_list(tls, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1);
    SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS); /* an idle phone costs no 34 KB */
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_cert_cb(tls, on_handshake, https);
}

const char *https_open(struct edge *edge, const char *certificate_file, const char *key_file)
{
    if (!certificate_file[0] && !key_file[0]) return NULL;
    if (!certificate_file[0] || !key_file[0])
        return "https-certificate and https-key: one needs the other";
    struct https *https = calloc(1, sizeof *https);
    CHECK(https != NULL);
    edge->https = https;
    https->certificate_file = certificate_file;
    https->key_file = key_file;
    https->metrics = edge->shell->metrics;
    https->metric =
        metrics_label(https->metrics, METRIC_certificate_expiry_timestamp, "certificate=\"https\"");
    const char *why = read_files(https);
    if (why) return why;
    CHECK(uv_signal_init(&edge->shell->loop, &https->hangup) == 0);
    https->hangup.data = https;
    https->listening = true;
    CHECK(uv_signal_start(&https->hangup, on_hangup, SIGHUP) == 0);
    uv_unref((uv_handle_t *)&https->hangup);
    return NULL;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void https_close(struct edge *edge)
{
    struct https *https = edge->https;
    if (https == NULL) return;
    edge->https = NULL;
    forget(https);
    if (https->listening)
        uv_close((uv_handle_t *)&https->hangup, on_closed);
    else
        free(https);
}

/* ---- asking another gateway ------------------------------------------------------------------ */

/* Whoever listens there is only asked for a hash; it need not show who it is. */
size_t https_ask(int fd, const char *request, char *into, size_t size)
{
    size_t got = 0;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = context ? SSL_new(context) : NULL;
    into[0] = '\0';
    if (ssl && SSL_set_fd(ssl, fd) == 1 && SSL_connect(ssl) == 1 &&
        SSL_write(ssl, request, (int)strlen(request)) > 0) {
        while (got < size - 1) {
            int more = SSL_read(ssl, into + got, (int)(size - 1 - got));
            if (more <= 0) break;
            got += (size_t)more;
            into[got] = '\0';
            if (strstr(into, "\r\n\r\n")) break;
        }
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    ERR_clear_error();
    return got;
}
