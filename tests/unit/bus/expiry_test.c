/* SPDX-License-Identifier: Apache-2.0
 *
 * nng's clock is put aside, as on a busy machine, between two steps of a timeout: it has taken up
 * the operation whose time is over, and has not yet stopped it. What the operation belongs to must
 * still be there when it goes on.
 */
#include "unit/bus/place.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { ASIDE_US = 30 * 1000, ASKED_MS = 100, REQUESTS = 10, STEP_MS = 6, FREED = 0x55 };

static atomic_bool busy;
static atomic_int times; /* that it was put aside */

static bool is_clock(void)
{
    char name[32] = "";
    return pthread_getname_np(pthread_self(), name, sizeof name) == 0 &&
           strcmp(name, "nng:aio:expire") == 0;
}

/* Stands before the system's for everybody in this program, nng included. */
int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static int (*_Atomic system_unlock)(pthread_mutex_t *);
    if (system_unlock == NULL) {
        void *found = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
        int (*unlock)(pthread_mutex_t *);
        memcpy(&unlock, &found, sizeof unlock);
        system_unlock = unlock;
    }
    bool aside = atomic_load(&busy) && is_clock();
    if (aside) usleep(ASIDE_US);
    int error = system_unlock(mutex);
    if (aside) usleep(ASIDE_US);
    if (aside) atomic_fetch_add(&times, 1);
    return error;
}

/* What was freed is nothing from then on. */
static int begin(void **state)
{
    mallopt(M_PERTURB, FREED);
    atomic_store(&busy, true);
    return place_open_tcp(state);
}

static int end(void **state)
{
    atomic_store(&busy, false);
    return place_close(state);
}

static void a_reply_that_comes_just_when_time_is_up_ends_a_request_once(void **state)
{
    struct place *place = *state;
    end_open(place->a, &place->loop, 1, NULL, NULL, NULL, 0);
    end_open(place->b, &place->loop, 2, NULL, place_url(place), NULL, 0);
    for (int i = 0; i < REQUESTS; i++) {
        end_request(place->a, bus_control_url(place->b->bus), (uint64_t)i, ASKED_MS);
        assert_true(end_wait(place->b, EVENT_REQUEST, i + 1));
        loop_run_ms(&place->loop, ASKED_MS + (i - REQUESTS / 3) * STEP_MS);
        end_reply(place->b, end_seen(place->b, EVENT_REQUEST, i)->token);
        assert_true(end_wait(place->a, EVENT_REPLY, i + 1));
    }
    loop_run_ms(&place->loop, ASKED_MS);
    assert_int_equal(end_count(place->a, EVENT_REPLY), REQUESTS);
    assert_true(atomic_load(&times) > 0);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test_setup_teardown(
        a_reply_that_comes_just_when_time_is_up_ends_a_request_once, begin, end));
}
