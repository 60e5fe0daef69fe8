/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl config`: what is in force in each service.
 */
#include <stdlib.h>

#include "base/check.h"
#include "ctl/http.h"
#include "ctl/inforce.h"
#include "ctl/seen.h"
#include "ctl/shell.h"

static void ask_one(struct inforce *one, int64_t timeout_ms, struct arena *arena)
{
    struct buf text = {0};
    int status;
    if (one->is.silent_ms == MEMBER_DEAD)
        one->why = "is dead";
    else if (one->is.ops_port == 0)
        one->why = "has no operations port (--ops)";
    else if (!ctl_ops_get(&one->is, "/config", timeout_ms, &status, &text))
        one->why = "its operations port is not reached from this machine";
    else if (status != 200)
        one->why = "is of a version that does not tell its settings";
    else
        inforce_read(one, buf_slice(&text), arena);
    buf_fini(&text);
}

/* A word names a kind of service, or begins an id. */
static bool wanted(const struct member *member, const char *word)
{
    struct buf hex = {0};
    if (word == NULL || strcmp(word, seen_service(member->kind)) == 0) return true;
    text_id(&hex, member->instance, 32);
    bool is = strlen(word) <= hex.len && memcmp(hex.at, word, strlen(word)) == 0;
    buf_fini(&hex);
    return is;
}

static int show(struct ctl *ctl, const struct reply *members)
{
    struct inforce *all = calloc((size_t)members->member_count + 1, sizeof *all);
    struct buf out = {0};
    int count = 0, code = CTL_EXIT_OK;
    CHECK(all != NULL);
    for (int i = 0; i < members->member_count; i++)
        if (wanted(&members->members[i], ctl->is.word[0]) && !seen_left(&members->members[i]))
            all[count++] = (struct inforce){.is = members->members[i]};
    inforce_sort(all, count);
    for (int i = 0; i < count; i++) {
        ask_one(&all[i], ctl->timeout_ms, &ctl->arena);
        if (all[i].why) code = CTL_EXIT_FAILED;
    }
    if (count == 0)
        code = ctl_fail(CTL_EXIT_UNKNOWN, "no service is of that kind, and no id begins so");
    else if (ctl_json(ctl))
        inforce_json(all, count, &out);
    else
        inforce_text(all, count, ctl->is.flag[CTL_DEFAULTS] != NULL, &ctl->style, &out);
    ctl_print(&out);
    buf_fini(&out);
    free(all);
    return code;
}

int run_config(struct ctl *ctl)
{
    struct asking ask;
    if (!asking_open(&ask, ctl)) return CTL_EXIT_USAGE;
    const struct reply *members = asking_members(&ask);
    int code = members ? show(ctl, members) : CTL_EXIT_UNREACHABLE;
    asking_close(&ask);
    return code;
}
