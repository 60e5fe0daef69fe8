/* SPDX-License-Identifier: Apache-2.0
 *
 * Dialling and listening, with certificates where the URL asks for them. Every service shows a
 * certificate of the operator's authority; whoever cannot is not talked to, in either direction.
 */
#include "bus/inside.h"

#include <stdio.h>
#include <stdlib.h>

static const char tls_scheme[] = "tls+";
static const char tls_name[] = "madang";

static bool wants_tls(const char *url)
{
    return strncmp(url, tls_scheme, sizeof tls_scheme - 1) == 0;
}

static nng_tls_config *make(const struct bus_config *config, nng_tls_mode mode, const char **why)
{
    nng_tls_config *tls;
    *why = "TLS cannot be used: nng was built without it";
    if (nng_tls_config_alloc(&tls, mode) != 0) return NULL;
    const char *name = config->tls_name ? config->tls_name : tls_name;
    bool named = mode == NNG_TLS_MODE_SERVER || nng_tls_config_server_name(tls, name) == 0;
    bool read = nng_tls_config_ca_file(tls, config->tls_ca) == 0 &&
                nng_tls_config_cert_key_file(tls, config->tls_identity, NULL) == 0;
    if (named && read && nng_tls_config_auth_mode(tls, NNG_TLS_AUTH_MODE_REQUIRED) == 0) return tls;
    *why = "a TLS file cannot be read, or is no PEM of a certificate and its key";
    nng_tls_config_free(tls);
    return NULL;
}

bool tls_open(struct bus *bus, const struct bus_config *config, const char **why)
{
    if (config->tls_ca == NULL && config->tls_identity == NULL) return true;
    *why = "TLS needs both the authority's file and the identity's";
    if (config->tls_ca == NULL || config->tls_identity == NULL) return false;
    bus->tls_server = make(config, NNG_TLS_MODE_SERVER, why);
    if (bus->tls_server) bus->tls_client = make(config, NNG_TLS_MODE_CLIENT, why);
    return bus->tls_client != NULL;
}

void tls_close(struct bus *bus)
{
    if (bus->tls_server) nng_tls_config_free(bus->tls_server);
    if (bus->tls_client) nng_tls_config_free(bus->tls_client);
    bus->tls_server = bus->tls_client = NULL;
}

int tls_dialer(struct bus *bus, nng_socket socket, const char *url, nng_dialer *dialer)
{
    if (wants_tls(url) && bus->tls_client == NULL) return NNG_ENOTSUP;
    int error = nng_dialer_create(dialer, socket, url);
    if (error == 0 && wants_tls(url))
        error = nng_dialer_set_ptr(*dialer, NNG_OPT_TLS_CONFIG, bus->tls_client);
    return error;
}

int tls_dial(struct bus *bus, nng_socket socket, const char *url, nng_dialer *dialer)
{
    int error = tls_dialer(bus, socket, url, dialer);
    return error ? error : nng_dialer_start(*dialer, NNG_FLAG_NONBLOCK);
}

/* The URL with the port that the system chose, where 0 was asked for. */
static int write_taken(nng_listener listener, const char *url, char *taken_url)
{
    int port = 0;
    size_t len = strlen(url);
    if (len > WIRE_URL_BYTES_MAX) return NNG_EADDRINVAL;
    memcpy(taken_url, url, len + 1);
    if (len < 2 || strcmp(url + len - 2, ":0") != 0) return 0;
    int error = nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port);
    if (error) return error;
    int written = snprintf(taken_url + len - 1, WIRE_URL_BYTES_MAX - len + 2, "%d", port);
    return len - 1 + (size_t)written > WIRE_URL_BYTES_MAX ? NNG_EADDRINVAL : 0;
}

int tls_listen(struct bus *bus, nng_socket socket, const char *url, char *taken_url)
{
    nng_listener listener;
    if (wants_tls(url) && bus->tls_server == NULL) return NNG_ENOTSUP;
    int error = nng_listener_create(&listener, socket, url);
    if (error == 0 && wants_tls(url))
        error = nng_listener_set_ptr(listener, NNG_OPT_TLS_CONFIG, bus->tls_server);
    if (error == 0) error = nng_listener_start(listener, 0);
    return error ? error : write_taken(listener, url, taken_url);
}
