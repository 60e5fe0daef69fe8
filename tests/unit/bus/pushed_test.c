/* SPDX-License-Identifier: Apache-2.0
 *
 * A peer that dies just when it has been sent something, again and again, while nng's threads are
 * put aside as on a busy machine: nng learns of the broken connection before it has noted that the
 * message was sent, and then takes the connection that is gone for one that is ready (nng 1.5).
 * What is sent next must not go there.
 */
#include "unit/bus/nng_leak.h"
#include "unit/bus/place.h"
#include "unit/free_port.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 300, ROUND_MS = 15, GREETING = 8, FREED = 0x55 };

static atomic_bool busy, over;
static atomic_uint turns;
static atomic_int deaths;

static bool is_task(void)
{
    char name[32] = "";
    return pthread_getname_np(pthread_self(), name, sizeof name) == 0 &&
           strcmp(name, "nng:task") == 0;
}

/* Stands before the system's for everybody in this program, nng included. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*_Atomic system_lock)(pthread_mutex_t *);
    if (system_lock == NULL) {
        void *found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        int (*lock)(pthread_mutex_t *);
        memcpy(&lock, &found, sizeof lock);
        system_lock = lock;
    }
    static const int aside_us[] = {0, 8000, 0, 1000, 0, 0, 4000};
    if (atomic_load(&busy) && is_task())
        usleep((useconds_t)aside_us[atomic_fetch_add(&turns, 1) % 7]);
    return system_lock(mutex);
}

/* An inbox of which nothing lives longer than until it has heard something. */
static void *die_often(void *context)
{
    static const uint8_t pull[GREETING] = {0, 'S', 'P', 0, 0, 0x51, 0, 0};
    uint8_t bytes[512];
    const struct timeval patience = {.tv_sec = 1};
    int listener = *(int *)context;
    while (!atomic_load(&over)) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0) break;
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        bool met = write(fd, pull, sizeof pull) == sizeof pull &&
                   recv(fd, bytes, sizeof pull, MSG_WAITALL) == sizeof pull;
        if (met && read(fd, bytes, sizeof bytes) > 0) atomic_fetch_add(&deaths, 1);
        close(fd);
    }
    return NULL;
}

static void who_dies_of_what_it_was_sent_takes_nobody_along(void **state)
{
    struct place *place = *state;
    char url[64];
    int port = free_port(), listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 16), 0);
    pthread_t peer;
    assert_int_equal(pthread_create(&peer, NULL, die_often, &listener), 0);
    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", port);

    mallopt(M_PERTURB, FREED);
    atomic_store(&busy, true);
    end_open(place->a, &place->loop, 1, place_url(place), NULL, NULL, 0);
    for (int i = 0; i < ROUNDS; i++) {
        end_send(place->a, url, (uint64_t)i);
        loop_run_ms(&place->loop, ROUND_MS);
    }
    atomic_store(&busy, false);
    print_message("    %d deaths\n", atomic_load(&deaths));
    assert_true(atomic_load(&deaths) > ROUNDS / 20);
    atomic_store(&over, true);
    shutdown(listener, SHUT_RDWR);
    pthread_join(peer, NULL);
    close(listener);
}

int main(void)
{
    return RUN_TESTS(TCP(who_dies_of_what_it_was_sent_takes_nobody_along));
}
