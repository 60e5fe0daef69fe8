/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings in force in the services of a cluster, as their operations ports tell them
 * (config_report): where all of a kind agree one line stands for them, so that one that differs is
 * seen. Pure.
 */
#ifndef CTL_INFORCE_H
#define CTL_INFORCE_H

#include "base/arena.h"
#include "ctl/text.h"
#include "wire/cluster.h"

enum { INFORCE_SETTINGS_MAX = 128 };
struct inforce_setting {
    const char *flag, *source, *value;
};
struct inforce {
    struct member is;
    const char *why; /* NULL: it has told; else why not */
    struct inforce_setting *list;
    int count;
};

/* Of one service: the text of its /config. Lends from the arena. */
void inforce_read(struct inforce *out, struct slice text, struct arena *arena);
/* By kind and id, as `status` lists them. */
void inforce_sort(struct inforce *all, int count);
/* defaults: those too that nobody has changed. */
void inforce_text(const struct inforce *all, int count, bool defaults,
                  const struct text_style *style, struct buf *out);
void inforce_json(const struct inforce *all, int count, struct buf *out);

#endif
