/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts what a process asks of the kernel (LD_PRELOAD): reads, writes, waits for either, syncs,
 * and waits for other threads and their wakes. The sums lie in the file CALLS_DIR/<pid> (calls.h),
 * where they can be read while it runs. A wake is a call of the kernel only when somebody waits,
 * and a lock only when it is held: of futexes, these are an estimate.
 */
#include "bench/calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t unseen[CALL_KINDS]; /* where nobody asked for the sums */
static uint64_t *counted = unseen;

__attribute__((constructor)) static void open_sums(void)
{
    char path[4096];
    const char *folder = getenv("CALLS_DIR");
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof unseen)) abort();
    void *sums = mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (sums == MAP_FAILED) abort();
    close(fd);
    counted = sums;
}

static void *count(enum call kind, void **real, const char *name)
{
    __atomic_add_fetch(&counted[kind], 1, __ATOMIC_RELAXED);
    void *found = __atomic_load_n(real, __ATOMIC_RELAXED);
    if (found) return found;
    found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    __atomic_store_n(real, found, __ATOMIC_RELAXED);
    return found;
}

/* A function that counts itself and is the system's. */
#define COUNTED(kind, result, name, types, names)                        \
    result name types                                                    \
    {                                                                    \
        static void *real;                                               \
        return ((result(*) types)count(CALL_##kind, &real, #name))names; \
    }

COUNTED(READ, ssize_t, read, (int fd, void *at, size_t len), (fd, at, len))
COUNTED(READ, ssize_t, readv, (int fd, const struct iovec *parts, int count_), (fd, parts, count_))
COUNTED(READ, ssize_t, recv, (int fd, void *at, size_t len, int flags), (fd, at, len, flags))
COUNTED(READ, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
COUNTED(WRITE, ssize_t, write, (int fd, const void *at, size_t len), (fd, at, len))
COUNTED(WRITE, ssize_t, writev, (int fd, const struct iovec *parts, int count_),
        (fd, parts, count_))
COUNTED(WRITE, ssize_t, send, (int fd, const void *at, size_t len, int flags), (fd, at, len, flags))
COUNTED(WRITE, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
        (fd, message, flags))
COUNTED(WAIT, int, poll, (struct pollfd * list, nfds_t len, int ms), (list, len, ms))
COUNTED(WAIT, int, epoll_wait, (int fd, struct epoll_event *list, int len, int ms),
        (fd, list, len, ms))
COUNTED(WAIT, int, epoll_pwait,
        (int fd, struct epoll_event *list, int len, int ms, const sigset_t *mask),
        (fd, list, len, ms, mask))
COUNTED(WAIT, int, epoll_ctl, (int fd, int operation, int of, struct epoll_event *event),
        (fd, operation, of, event))
COUNTED(SYNC, int, fdatasync, (int fd), (fd))
COUNTED(THREAD, int, pthread_cond_wait, (pthread_cond_t * cond, pthread_mutex_t *mutex),
        (cond, mutex))
COUNTED(THREAD, int, pthread_cond_timedwait,
        (pthread_cond_t * cond, pthread_mutex_t *mutex, const struct timespec *until),
        (cond, mutex, until))
COUNTED(THREAD, int, pthread_cond_signal, (pthread_cond_t * cond), (cond))
COUNTED(THREAD, int, pthread_cond_broadcast, (pthread_cond_t * cond), (cond))
