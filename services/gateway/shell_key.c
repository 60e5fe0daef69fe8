/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway/edge.h"
#include "ops/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_key(int fd, uint8_t key[GATEWAY_KEY_BYTES])
{
    uint8_t one_more[GATEWAY_KEY_BYTES + 1];
    size_t len = 0;
    while (len < sizeof one_more) {
        ssize_t got = read(fd, one_more + len, sizeof one_more - len);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        len += (size_t)got;
    }
    memcpy(key, one_more, GATEWAY_KEY_BYTES);
    sodium_memzero(one_more, sizeof one_more);
    return len == GATEWAY_KEY_BYTES;
}

/* Under a name of its own first, then linked: two gateways that start together agree on one key,
 * and nobody reads half of one. */
static bool make_key(const char *file)
{
    char draft[4096];
    int len = snprintf(draft, sizeof draft, "%s.%ld", file, (long)getpid());
    if (len < 0 || (size_t)len >= sizeof draft) return false;
    int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    uint8_t key[GATEWAY_KEY_BYTES];
    random_fill(key, sizeof key);
    bool written = write(fd, key, sizeof key) == (ssize_t)sizeof key && fsync(fd) == 0;
    sodium_memzero(key, sizeof key);
    close(fd);
    if (written && link(draft, file) != 0 && errno != EEXIST) written = false;
    unlink(draft);
    return written;
}

static const char *from_file(const char *file, bool may_make, uint8_t key[GATEWAY_KEY_BYTES])
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && may_make && make_key(file))
        fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return may_make ? "the key file can neither be read nor made"
                        : "the second key's file cannot be read";
    struct stat about;
    /* A group may read it: that is how Kubernetes hands a secret to a process that is not root. */
    bool open_to_others = fstat(fd, &about) != 0 || (about.st_mode & 037) != 0;
    bool whole = read_key(fd, key);
    close(fd);
    if (open_to_others)
        return "the key file must be closed to others (mode 0600, or 0640 for a group)";
    return whole ? NULL : "the key file does not hold exactly 32 bytes";
}

static const char *from_digits(const char *digits, uint8_t key[GATEWAY_KEY_BYTES])
{
    size_t len;
    if (sodium_hex2bin(key, GATEWAY_KEY_BYTES, digits, strlen(digits), NULL, &len, NULL) == 0 &&
        len == GATEWAY_KEY_BYTES)
        return NULL;
    return "a key is 64 hexadecimal digits";
}

const char *keys_open(const struct shell *shell, uint8_t keys[GATEWAY_KEYS_MAX][GATEWAY_KEY_BYTES],
                      int *count)
{
    static const enum setting settings[GATEWAY_KEYS_MAX][2] = {
        {SETTING_KEY, SETTING_KEY_FILE}, {SETTING_KEY_ALSO, SETTING_KEY_ALSO_FILE}};
    const char *why = NULL;
    *count = 0;
    for (int i = 0; i < GATEWAY_KEYS_MAX && !why; i++) {
        const char *digits = shell_text(shell, settings[i][0]);
        const char *file = shell_text(shell, settings[i][1]);
        if (digits && file)
            why = "a key is given twice, as digits and as a file";
        else if (digits)
            why = from_digits(digits, keys[(*count)++]);
        else if (file)
            why = from_file(file, i == 0, keys[(*count)++]);
        else if (i == 0)
            random_fill(keys[(*count)++], GATEWAY_KEY_BYTES);
    }
    return why;
}
