/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/system.h"

#include "base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { RANDOM_AHEAD = 4096 };

void random_fill(void *into, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t got = getrandom((uint8_t *)into + done, len - done, 0);
        if (got < 0 && errno == EINTR) continue;
        CHECK(got > 0);
        done += (size_t)got;
    }
}

void random_draw(void *into, size_t len)
{
    static struct {
        uint8_t bytes[RANDOM_AHEAD];
        size_t used;
    } ahead = {.used = RANDOM_AHEAD};
    CHECK(len <= sizeof ahead.bytes);
    if (len > sizeof ahead.bytes - ahead.used) {
        random_fill(ahead.bytes, sizeof ahead.bytes);
        ahead.used = 0;
    }
    memcpy(into, ahead.bytes + ahead.used, len);
    explicit_bzero(ahead.bytes + ahead.used, len);
    ahead.used += len;
}

struct id128 random_id(void)
{
    struct id128 id;
    do {
        random_fill(id.byte, sizeof id.byte);
    } while (id128_is_zero(id));
    return id;
}

instant_ms clock_boot_ms(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_BOOTTIME, &now) == 0);
    return (instant_ms)now.tv_sec * 1000 + (instant_ms)now.tv_nsec / 1000000;
}

uint64_t clock_wall_s(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
    return now.tv_sec > 0 ? (uint64_t)now.tv_sec : 0;
}

uint64_t files_raise(void)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur;
}

bool file_read(const char *path, size_t size_max, struct buf *out)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    size_t start = out->len;
    uint8_t part[4096];
    ssize_t got;
    while ((got = read(file, part, sizeof part)) > 0 && out->len - start <= size_max)
        buf_put(out, part, (size_t)got);
    close(file);
    if (got == 0 && out->len - start <= size_max) return true;
    out->len = start;
    return false;
}
