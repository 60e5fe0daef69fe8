/* SPDX-License-Identifier: Apache-2.0
 *
 * What a local cluster leaves in its data folder for whoever steers it: where it is, and the key.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ctl/local.h"
#include "ctl/up_state.h"
#include "ops/system.h"

enum { KEY_BYTES = 24 };

bool up_make_key(struct up *up)
{
    uint8_t bytes[KEY_BYTES];
    char text[2 * KEY_BYTES + 2];
    snprintf(up->operator_key, sizeof up->operator_key, "%s/operator.key", up->data);
    int fd = open(up->operator_key, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return errno == EEXIST || up_fail(up->operator_key, strerror(errno));
    random_fill(bytes, sizeof bytes);
    for (int i = 0; i < KEY_BYTES; i++) snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    text[2 * (size_t)KEY_BYTES] = '\n';
    bool written = write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    close(fd);
    if (written) return true;
    unlink(up->operator_key);
    return up_fail(up->operator_key, "cannot be written");
}

/* Written aside and renamed: never half. */
void up_leave_note(const struct up *up)
{
    char path[PATH_MAX + 16], aside[PATH_MAX + 24];
    struct buf note = {0};
    snprintf(path, sizeof path, "%s/" LOCAL_FILE, up->data);
    snprintf(aside, sizeof aside, "%s.new", path);
    local_add(&note, "matchmakers", up->matchmakers);
    local_add(&note, "operator-key-file", up->operator_key);
    local_add(&note, "redis", up->redis);
    unlink(aside);
    int fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* shards name passwords */
    bool written = fd >= 0 && write(fd, note.at, note.len) == (ssize_t)note.len;
    if (fd >= 0 && close(fd) == 0 && written) rename(aside, path);
    buf_fini(&note);
}
