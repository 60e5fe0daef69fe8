/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl status` and `top`: the members by a matchmaker, the load by each worker, processor and
 * memory by the operations ports where there are any.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "ctl/http.h"
#include "ctl/seen.h"
#include "ctl/shell.h"
#include "ops/system.h"

enum { OPS_TIMEOUT_MS = 1000, EVERY_S = 2 };

static void ask_loads(struct asking *ask, struct seen *seen)
{
    struct question *questions = calloc((size_t)seen->count + 1, sizeof *questions);
    int *whose = calloc((size_t)seen->count + 1, sizeof *whose), count = 0;
    CHECK(questions && whose);
    for (int i = 0; i < seen->count; i++) {
        const struct member *is = &seen->list[i].is;
        if (is->kind != SERVICE_WORKER || is->silent_ms == MEMBER_DEAD) continue;
        whose[count] = i;
        questions[count].url = is->control_url;
        questions[count++].request.kind = REQ_WORKER_STATUS;
    }
    asking_all(ask, questions, count);
    for (int i = 0; i < count; i++) {
        const struct reply *reply = questions[i].reply;
        struct seen_member *member = &seen->list[whose[i]];
        member->answered = reply && reply->status == ST_OK;
        if (!member->answered) continue;
        member->load = reply->load;
        /* One of an older version tells the number of its rooms and nothing else. */
        if (member->is.orders == 0) member->load.rooms = reply->rooms;
    }
    free(questions);
    free(whose);
}

/* One page of the operations port of each service that has one, and what is made of it. */
static void ask_ops(const struct asking *ask, struct seen *seen, const char *path,
                    void (*take)(struct seen_member *member, int status, struct slice text))
{
    struct ops_answer *answers = calloc((size_t)seen->count + 1, sizeof *answers);
    int64_t limit_ms = ask->timeout_ms < OPS_TIMEOUT_MS ? ask->timeout_ms : OPS_TIMEOUT_MS;
    CHECK(answers != NULL);
    for (int i = 0; i < seen->count; i++) answers[i].of = &seen->list[i].is;
    ctl_ops_get_all(answers, seen->count, path, limit_ms);
    for (int i = 0; i < seen->count; i++) {
        if (answers[i].status) take(&seen->list[i], answers[i].status, buf_slice(&answers[i].body));
        buf_fini(&answers[i].body);
    }
    free(answers);
}

/* False: said on standard error. */
static bool look(struct asking *ask, struct seen *seen)
{
    const struct reply *members = asking_members(ask);
    if (members == NULL) return false;
    seen->list = calloc((size_t)members->member_count + 1, sizeof *seen->list);
    CHECK(seen->list != NULL);
    seen->count = members->member_count;
    seen->looked_at_ms = (int64_t)clock_boot_ms();
    for (int i = 0; i < seen->count; i++)
        seen->list[i] = (struct seen_member){.is = members->members[i],
                                             .cpu_ms = -1,
                                             .memory_bytes = -1,
                                             .cpu_percent = -1,
                                             .actions = -1,
                                             .actions_per_s = -1};
    ask_loads(ask, seen);
    ask_ops(ask, seen, "/readyz", seen_ready);
    seen_sort(seen);
    return true;
}

int run_status(struct ctl *ctl)
{
    struct asking ask;
    struct seen seen = {0};
    struct buf out = {0};
    if (!asking_open(&ask, ctl)) return CTL_EXIT_USAGE;
    int code = CTL_EXIT_UNREACHABLE;
    if (look(&ask, &seen)) {
        code = seen_well(&seen) ? CTL_EXIT_OK : CTL_EXIT_FAILED;
        if (ctl_json(ctl))
            seen_status_json(&seen, false, &out);
        else
            seen_status_text(&seen, &ctl->style, &out);
        ctl_print(&out);
    }
    free(seen.list);
    buf_fini(&out);
    asking_close(&ask);
    return code;
}

/* ---- top ------------------------------------------------------------------------------------- */

static void read_process(struct seen_member *member, int status, struct slice metrics)
{
    double value;
    if (status != 200) return;
    if (metric_value(metrics, "process_cpu_seconds_total", &value))
        member->cpu_ms = (int64_t)(value * 1000);
    if (metric_value(metrics, "process_resident_memory_bytes", &value))
        member->memory_bytes = (int64_t)value;
    if (metric_sum(metrics, "madang_worker_actions_total", &value))
        member->actions = (int64_t)value;
}

static void wait_ms(int64_t ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static void show_top(const struct ctl *ctl, const struct seen *seen, struct buf *out)
{
    static const char clear[] = "\033[H\033[2J";
    if (ctl_json(ctl)) {
        seen_status_json(seen, true, out);
    } else {
        if (ctl->style.color) buf_put_slice(out, slice_text(clear));
        seen_top_text(seen, &ctl->style, out);
        seen_troubles(seen, &ctl->style, out);
    }
    ctl_print(out);
}

int run_top(struct ctl *ctl)
{
    int64_t every_s, times;
    struct asking ask;
    struct seen before = {0};
    struct buf out = {0};
    if (!ctl_arguments_number(&ctl->is, CTL_EVERY, 1, 3600, EVERY_S, &every_s) ||
        !ctl_arguments_number(&ctl->is, CTL_TIMES, 1, 1000000, INT64_MAX, &times))
        return ctl_fail(CTL_EXIT_USAGE, "%s", ctl->is.error);
    if (!asking_open(&ask, ctl)) return CTL_EXIT_USAGE;
    int code = CTL_EXIT_OK;
    for (int64_t i = 0; i < times; i++) {
        struct seen now = {0};
        if (i > 0) wait_ms(every_s * 1000);
        asking_forget(&ask);
        if (!look(&ask, &now)) {
            code = CTL_EXIT_UNREACHABLE;
            if (times == INT64_MAX) continue; /* it may come back while we look */
            break;
        }
        code = CTL_EXIT_OK;
        ask_ops(&ask, &now, "/metrics", read_process);
        seen_compare(&now, before.list ? &before : NULL);
        show_top(ctl, &now, &out);
        free(before.list);
        before = now;
    }
    free(before.list);
    buf_fini(&out);
    asking_close(&ask);
    return code;
}
