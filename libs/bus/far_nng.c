/* SPDX-License-Identifier: Apache-2.0
 *
 * What its pipes tell of the process behind a URL. nng dials again by itself; a closed pipe alone
 * says only that bytes may be lost. Whether the process died shows in a connect of our own: refused
 * means that nobody listens any more. As a dying process closes its descriptors one by one, the
 * connect is tried a few times.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <stdlib.h>

/* After a pipe closed: the first try at once. */
static const uint64_t probe_delays_ms[] = {300, 100, 30, 0};
enum { PROBES_MAX = sizeof probe_delays_ms / sizeof *probe_delays_ms };

static void on_pipe(nng_pipe pipe, nng_pipe_ev what, void *context)
{
    struct far *far = context;
    (void)pipe;
    if (what == NNG_PIPE_EV_ADD_POST) {
        atomic_fetch_add(&far->pipes, 1);
    } else {
        atomic_fetch_sub(&far->pipes, 1);
        atomic_fetch_add(&far->closed, 1);
    }
    mailbox_post(&far->bus->mail, &far->pipe_mail);
}

static bool is_up(struct far *far)
{
    return atomic_load(&far->pipes) > 0;
}

bool far_is_broken(struct far *far)
{
    return atomic_load(&far->closed) != far->closed_seen;
}

static void plan_probe(struct far *far, int left, uint64_t delay_ms)
{
    far->probes_left = left;
    far->probe_at_ms = bus_now(far->bus) + delay_ms;
}

/* ---- probing ------------------------------------------------------------------------------ */

static bool over_ipc(const struct far *far)
{
    return strncmp(far->url, "ipc:", 4) == 0;
}

/* Whoever is connected to by Unix socket must be heard out: a connection that closes before nng has
 * written its eight bytes of greeting makes that listener deaf for good (nng 1.5: EPIPE is taken
 * for its own closing). */
static void hear_greeting(struct far *far)
{
    nng_iov iov = {.iov_buf = far->greeting, .iov_len = sizeof far->greeting};
    nng_aio_set_iov(far->probe_aio, 1, &iov);
    nng_stream_recv(far->connection, far->probe_aio);
}

/* On a busy machine nng takes a connect for done that has only begun: the system calls a socket
 * hung up that is not connected yet, and nng, when it looks late, finds no error. */
static bool is_connected(nng_stream *connection)
{
    nng_sockaddr at;
    return nng_stream_get_addr(connection, NNG_OPT_REMADDR, &at) == 0;
}

/* In nng's thread: first the connect is done, then perhaps the greeting. */
static void on_probed(void *context)
{
    struct far *far = context;
    bool connecting = far->connection == NULL;
    if (connecting) far->probe_error = nng_aio_result(far->probe_aio);
    if (connecting && far->probe_error == 0) {
        far->connection = nng_aio_get_output(far->probe_aio, 0);
        if (!over_ipc(far) && !is_connected(far->connection)) far->probe_error = NNG_ETIMEDOUT;
        if (over_ipc(far)) {
            hear_greeting(far);
            return;
        }
    }
    mailbox_post(&far->bus->mail, &far->probe_mail);
}

/* The operation goes first: nng's clock may be about to tell the dialer of a timeout, see free_call
 * in ask_nng.c. */
static void end_probe(struct far *far)
{
    nng_aio_free(far->probe_aio);
    if (far->connection) nng_stream_free(far->connection);
    if (far->probe) nng_stream_dialer_free(far->probe);
    far->probe_aio = NULL;
    far->connection = NULL;
    far->probe = NULL;
    far->probing = false;
}

/* A TLS handshake is not needed to learn whether somebody listens. */
static const char *plain(const char *url)
{
    static const char tls[] = "tls+";
    return strncmp(url, tls, sizeof tls - 1) == 0 ? url + sizeof tls - 1 : url;
}

static int dial(struct far *far)
{
    far->dialled_ms = bus_now(far->bus);
    return tls_dial(far->bus, far->socket, far->url, &far->dialer);
}

/* nng's dialer gives up for good when a connection breaks during its handshake (it takes that for
 * its own closing), and the system's own tries come ever more rarely. So whenever a round of probes
 * is over, or has found somebody who listens, and no pipe has come for long, it is replaced.
 * Closing it closes its pipe. */
static void dial_anew(struct far *far)
{
    nng_dialer_close(far->dialer);
    dial(far);
    plan_probe(far, PROBES_MAX, BUS_REDIAL_MAX_MS);
}

static void next_probe(struct far *far)
{
    if (far->probes_left == 0)
        dial_anew(far);
    else
        plan_probe(far, far->probes_left, probe_delays_ms[far->probes_left - 1]);
}

static void start_probe(struct far *far)
{
    if (far->probes_left > 0) far->probes_left--;
    CHECK(nng_aio_alloc(&far->probe_aio, on_probed, far) == 0);
    if (nng_stream_dialer_alloc(&far->probe, plain(far->url)) != 0) {
        far->probe = NULL;
        end_probe(far);
        next_probe(far);
        return;
    }
    far->probing = true;
    nng_aio_set_timeout(far->probe_aio, BUS_PROBE_MS);
    nng_stream_dialer_dial(far->probe, far->probe_aio);
}

/* ENOENT: a Unix socket whose file was removed in good order. */
static bool refused(int error)
{
    return error == NNG_ECONNREFUSED || error == NNG_ENOENT;
}

static void on_knocked(struct far *far, int error)
{
    bool walled = far->walled;
    far->walled = error == NNG_ETIMEDOUT;
    far->doubted = far->walled;
    if (far->walled)
        start_probe(far);
    else if (walled)
        dial_anew(far);
}

static void on_probe_mail(struct mail *mail)
{
    struct far *far = (struct far *)((char *)mail - offsetof(struct far, probe_mail));
    int error = far->probe_error;
    end_probe(far);
    bool waited = bus_now(far->bus) - far->dialled_ms >= BUS_REDIAL_MAX_MS;
    if (is_up(far)) {
        far->probes_left = 0;
        if (far->doubted) on_knocked(far, error);
    } else if (refused(error)) {
        far->probes_left = 0;
        far->calls->gone(far);
    } else if (error == 0 && waited) {
        dial_anew(far);
    } else {
        next_probe(far);
    }
}

static void on_pipe_mail(struct mail *mail)
{
    struct far *far = (struct far *)((char *)mail - offsetof(struct far, pipe_mail));
    if (far_is_broken(far)) {
        far->closed_seen = atomic_load(&far->closed);
        plan_probe(far, PROBES_MAX, 0);
        if (far->calls->lost) far->calls->lost(far);
    }
    if (is_up(far)) {
        far->probes_left = 0;
        if (far->calls->up) far->calls->up(far);
    }
    far_tick(far);
}

void far_tick(struct far *far)
{
    if (far->probing || far->probes_left == 0 || bus_now(far->bus) < far->probe_at_ms) return;
    if (is_up(far))
        far->probes_left = 0;
    else
        start_probe(far);
}

void far_doubt(struct far *far)
{
    uint64_t now = bus_now(far->bus);
    if (far->doubted || far->probing || !is_up(far)) return;
    if (now - far->doubted_ms < BUS_DOUBT_MS) return;
    far->doubted = true;
    far->doubted_ms = now;
    start_probe(far);
}

void far_trust(struct far *far)
{
    far->doubted = far->walled = false;
}

/* ---- life --------------------------------------------------------------------------------- */

static int configure(struct far *far)
{
    nng_pipe_notify(far->socket, NNG_PIPE_EV_ADD_POST, on_pipe, far);
    nng_pipe_notify(far->socket, NNG_PIPE_EV_REM_POST, on_pipe, far);
    nng_socket_set_ms(far->socket, NNG_OPT_RECONNMINT, BUS_REDIAL_MIN_MS);
    nng_socket_set_ms(far->socket, NNG_OPT_RECONNMAXT, BUS_REDIAL_MAX_MS);
    return dial(far);
}

int far_open(struct far *far, struct bus *bus, const char *url, nng_socket socket,
             const struct far_calls *calls)
{
    size_t len = strlen(url);
    CHECK(len <= WIRE_URL_BYTES_MAX);
    *far = (struct far){.bus = bus, .calls = calls, .socket = socket};
    far->pipe_mail.arrive = on_pipe_mail;
    far->probe_mail.arrive = on_probe_mail;
    memcpy(far->url, url, len + 1);
    plan_probe(far, PROBES_MAX, BUS_FIRST_PROBE_MS);
    int error = configure(far);
    if (error) far_close(far);
    return error;
}

void far_renew(struct far *far, nng_socket socket)
{
    close_socket(far->bus, far->socket);
    far->closed_seen = atomic_load(&far->closed); /* what closing it closed, too */
    far->socket = socket;
    configure(far);
}

void far_close(struct far *far)
{
    close_socket(far->bus, far->socket);
    if (far->probing) {
        nng_aio_stop(far->probe_aio);
        end_probe(far);
    }
    mailbox_cancel(&far->bus->mail, &far->pipe_mail);
    mailbox_cancel(&far->bus->mail, &far->probe_mail);
}

/* ---- lists -------------------------------------------------------------------------------- */

static size_t place_of(const struct far_list *list, const char *url, bool *found)
{
    size_t low = 0, high = list->count;
    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(list->list[middle]->url, url);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct far *far_find(const struct far_list *list, const char *url)
{
    bool found;
    size_t place = place_of(list, url, &found);
    return found ? list->list[place] : NULL;
}

void far_insert(struct far_list *list, struct far *far)
{
    bool found;
    size_t place = place_of(list, far->url, &found);
    CHECK(!found);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->list = realloc(list->list, list->room * sizeof(struct far *));
        CHECK(list->list != NULL);
    }
    memmove(&list->list[place + 1], &list->list[place],
            (list->count - place) * sizeof(struct far *));
    list->list[place] = far;
    list->count++;
}

void far_remove(struct far_list *list, const struct far *far)
{
    bool found;
    size_t place = place_of(list, far->url, &found);
    CHECK(found);
    list->count--;
    memmove(&list->list[place], &list->list[place + 1],
            (list->count - place) * sizeof(struct far *));
}
