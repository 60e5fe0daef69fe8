/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl rooms` and `room`.
 */
#include <stdlib.h>

#include "base/check.h"
#include "ctl/rooms.h"
#include "ctl/shell.h"
#include "ctl/show.h"
#include "game/game.h"

enum { LIMIT_MAX = 10 * 1000 * 1000 };

struct gathered {
    struct listed_room *list;
    size_t count, room;
};

static void add(struct gathered *all, const struct reply *page, struct id128 worker)
{
    for (int i = 0; i < page->line_count; i++) {
        if (all->count == all->room) {
            all->room = all->room ? 2 * all->room : 1024;
            all->list = realloc(all->list, all->room * sizeof *all->list);
            CHECK(all->list != NULL);
        }
        all->list[all->count++] = (struct listed_room){page->lines[i], worker};
    }
}

/* Page by page; rooms that come or go meanwhile may be missed, or stand in two workers' lists. */
static int gather(struct asking *ask, const struct member *worker, const struct order_key *key,
                  struct gathered *all)
{
    int code = CTL_EXIT_OK;
    room_id after = 0;
    for (;;) {
        struct request request = {.kind = REQ_WORKER_ROOMS, .order.after = after};
        const struct reply *page = order_give(ask, worker, key, &request, &code);
        if (page == NULL) return code;
        add(all, page, worker->instance);
        if (!page->more || page->line_count == 0) return CTL_EXIT_OK;
        after = page->lines[page->line_count - 1].room;
    }
}

static int gather_all(struct asking *ask, const struct ctl *ctl, const struct order_key *key,
                      struct gathered *all)
{
    int code = CTL_EXIT_OK;
    const struct reply *members = asking_members(ask);
    if (members == NULL) return CTL_EXIT_UNREACHABLE;
    if (ctl->is.flag[CTL_WORKER]) {
        const struct member *worker = order_worker(members, ctl->is.flag[CTL_WORKER], &code);
        return worker ? gather(ask, worker, key, all) : code;
    }
    for (int i = 0; i < members->member_count; i++) {
        const struct member *worker = &members->members[i];
        if (worker->kind != SERVICE_WORKER || worker->silent_ms == MEMBER_DEAD) continue;
        int one = gather(ask, worker, key, all);
        if (one != CTL_EXIT_OK) code = one; /* the others' rooms are shown all the same */
        if (code == CTL_EXIT_FORBIDDEN) return code;
    }
    return code;
}

/* A list of none is no answer to a name that is written wrong. A game that only a newer service
 * knows is found by its rooms. */
static int unknown_game(const char *game)
{
    struct buf known = {0};
    for (int i = 0; i < game_count(); i++) text_add(&known, "%s%s", i ? ", " : "", game_at(i)->id);
    buf_put_u8(&known, 0);
    int code = ctl_fail(CTL_EXIT_USAGE, "--game: no room plays %.40s; there are %s", game,
                        (char *)known.at);
    buf_fini(&known);
    return code;
}

int run_rooms(struct ctl *ctl)
{
    struct rooms_wanted wanted = {.game = ctl->is.flag[CTL_GAME],
                                  .phase = ctl->is.flag[CTL_PHASE],
                                  .empty = ctl->is.flag[CTL_EMPTY] != NULL,
                                  .sort = ctl->is.flag[CTL_SORT]};
    struct order_key key;
    struct asking ask;
    if (!ctl_arguments_number(&ctl->is, CTL_LIMIT, 1, LIMIT_MAX, LIMIT_MAX, &wanted.limit))
        return ctl_fail(CTL_EXIT_USAGE, "%s", ctl->is.error);
    if (rooms_fault(&wanted)) return ctl_fail(CTL_EXIT_USAGE, "%s", rooms_fault(&wanted));
    int code = asking_open_keyed(&ask, ctl, &key);
    if (code != CTL_EXIT_OK) return code;
    struct gathered all = {0};
    code = gather_all(&ask, ctl, &key, &all);
    if (code == CTL_EXIT_OK || all.count > 0) {
        struct buf out = {0};
        size_t matching, shown = rooms_choose(all.list, all.count, &wanted, &matching);
        if (matching == 0 && wanted.game && !game_find(slice_text(wanted.game)))
            code = unknown_game(wanted.game);
        else if (ctl_json(ctl))
            rooms_json(all.list, shown, matching, &out);
        else
            rooms_text(all.list, shown, matching, &ctl->style, &out);
        ctl_print(&out);
        buf_fini(&out);
    }
    free(all.list);
    asking_close(&ask);
    return code;
}

static int show_room(struct asking *ask, const struct ctl *ctl, const struct order_key *key)
{
    int code = CTL_EXIT_OK;
    struct placed room;
    const struct member *worker = order_find_room(ask, ctl->is.word[0], false, &room, &code);
    if (worker == NULL) return code;
    struct request request = {.kind = REQ_WORKER_ROOM, .room = room.room};
    request.order.reveal = key != NULL;
    const struct reply *reply = order_give(ask, worker, key, &request, &code);
    if (reply == NULL) return code;
    if (reply->shown == NULL) return ctl_fail(CTL_EXIT_REFUSED, "the worker shows nothing");
    struct buf out = {0};
    if (ctl_json(ctl))
        show_room_json(reply->shown, worker->instance, &out);
    else
        show_room_text(reply->shown, worker->instance, &ctl->style, &out);
    ctl_print(&out);
    buf_fini(&out);
    return CTL_EXIT_OK;
}

int run_room(struct ctl *ctl)
{
    struct order_key key;
    struct asking ask;
    bool reveal = ctl->is.flag[CTL_REVEAL] != NULL;
    int code = CTL_EXIT_OK;
    if (reveal)
        code = asking_open_keyed(&ask, ctl, &key);
    else if (!asking_open(&ask, ctl))
        code = CTL_EXIT_USAGE;
    if (code != CTL_EXIT_OK) return code;
    code = show_room(&ask, ctl, reveal ? &key : NULL);
    asking_close(&ask);
    return code;
}
