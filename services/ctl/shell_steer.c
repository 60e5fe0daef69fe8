/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl drain`, `undrain`, `kick` and `close`: what changes a cluster.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctl/shell.h"
#include "game/game.h"
#include "ops/system.h"

enum { LOOK_MS = 250, DRAIN_MAX_MS = 10 * 60 * 1000 };

/* What was done, in a sentence or as an object. */
static void say(const struct ctl *ctl, struct buf *sentence, const char *what, const char *key,
                const char *value, uint64_t rooms)
{
    struct buf out = {0};
    if (ctl_json(ctl)) {
        struct json json = {.out = &out};
        json_object(&json, NULL);
        json_text(&json, "done", what);
        json_text(&json, key, value);
        if (strcmp(key, "worker") == 0) json_unsigned(&json, "rooms_left", rooms);
        json_end(&json, '}');
    } else {
        buf_put_slice(&out, buf_slice(sentence));
        buf_put_u8(&out, '\n');
    }
    ctl_print(&out);
    buf_fini(&out);
    buf_fini(sentence);
}

static void tell_worker(const struct ctl *ctl, const struct member *worker, bool begin,
                        uint32_t rooms)
{
    struct buf id = {0}, sentence = {0};
    text_id(&id, worker->instance, 32);
    buf_put_u8(&id, 0);
    text_add(&sentence, "worker %.*s ", TEXT_ID_SHORT, (char *)id.at);
    if (!begin) {
        text_add(&sentence, "takes rooms again");
    } else if (rooms == 0) {
        text_add(&sentence, "has no rooms and takes none");
    } else {
        text_add(&sentence, "hands over ");
        text_count(&sentence, rooms, "room", "rooms");
        text_add(&sentence, " and takes none (`madangctl undrain %.*s` takes it back)",
                 TEXT_ID_SHORT, (char *)id.at);
    }
    say(ctl, &sentence, begin ? "drain" : "undrain", "worker", (char *)id.at, rooms);
    buf_fini(&id);
}

/* Until it has no rooms. */
static int wait_until_empty(struct asking *ask, const struct member *worker, uint32_t *rooms)
{
    instant_ms until = clock_boot_ms() + DRAIN_MAX_MS;
    struct request request = {.kind = REQ_WORKER_STATUS};
    while (clock_boot_ms() < until) {
        request.id = random_id();
        const struct reply *reply = asking_one(ask, worker->control_url, &request);
        if (reply == NULL || reply->status != ST_OK)
            return ctl_fail(CTL_EXIT_UNREACHABLE, "the worker does not answer any more");
        *rooms = reply->load.rooms;
        if (*rooms == 0) return CTL_EXIT_OK;
        if (!reply->load.draining)
            return ctl_fail(CTL_EXIT_REFUSED, "somebody took the drain back");
        uv_sleep(LOOK_MS);
    }
    return ctl_fail(CTL_EXIT_FAILED, "%u rooms are still there", *rooms);
}

static int change_drain(struct asking *ask, const struct ctl *ctl, const struct order_key *key,
                        bool begin)
{
    int code = CTL_EXIT_OK;
    const struct reply *members = asking_members(ask);
    if (members == NULL) return CTL_EXIT_UNREACHABLE;
    const struct member *worker = order_worker(members, ctl->is.word[0], &code);
    if (worker == NULL) return code;
    struct request request = {.kind = begin ? REQ_WORKER_DRAIN : REQ_WORKER_UNDRAIN};
    const struct reply *reply = order_give(ask, worker, key, &request, &code);
    if (reply == NULL) return code;
    uint32_t rooms = reply->rooms;
    if (ctl->is.flag[CTL_WAIT]) code = wait_until_empty(ask, worker, &rooms);
    if (code == CTL_EXIT_OK) tell_worker(ctl, worker, begin, rooms);
    return code;
}

static int with_key(struct ctl *ctl,
                    int (*work)(struct asking *, const struct ctl *, const struct order_key *))
{
    struct order_key key;
    struct asking ask;
    int code = asking_open_keyed(&ask, ctl, &key);
    if (code != CTL_EXIT_OK) return code;
    code = work(&ask, ctl, &key);
    asking_close(&ask);
    return code;
}

static int drain(struct asking *ask, const struct ctl *ctl, const struct order_key *key)
{
    return change_drain(ask, ctl, key, true);
}

static int undrain(struct asking *ask, const struct ctl *ctl, const struct order_key *key)
{
    return change_drain(ask, ctl, key, false);
}

int run_drain(struct ctl *ctl)
{
    return with_key(ctl, drain);
}

int run_undrain(struct ctl *ctl)
{
    return with_key(ctl, undrain);
}

/* ---- rooms ----------------------------------------------------------------------------------- */

/* 0: said on standard error. */
static int64_t seat_of(const struct ctl *ctl)
{
    int64_t seat;
    struct ctl_arguments numbers = ctl->is;
    if (numbers.flag[CTL_SEAT] == NULL)
        ctl_fail(CTL_EXIT_USAGE, "--seat=N is missing; `madangctl room %s` lists them",
                 ctl->is.word[0]);
    else if (ctl_arguments_number(&numbers, CTL_SEAT, 1, GAME_SEATS_MAX, 1, &seat))
        return seat;
    else
        ctl_fail(CTL_EXIT_USAGE, "%s", numbers.error);
    return 0;
}

static int kick(struct asking *ask, const struct ctl *ctl, const struct order_key *key)
{
    int64_t seat = seat_of(ctl);
    int code = CTL_EXIT_OK;
    struct placed room;
    const struct member *worker = order_find_room(ask, ctl->is.word[0], true, &room, &code);
    if (worker == NULL) return code;
    struct request request = {.kind = REQ_WORKER_KICK, .room = room.room};
    request.order.seat = (uint32_t)seat - 1;
    if (order_give(ask, worker, key, &request, &code) == NULL) return code;
    struct buf sentence = {0};
    text_add(&sentence, "whoever had seat %d of room %s is out, and was told", (int)seat,
             ctl->is.word[0]);
    say(ctl, &sentence, "kick", "room", ctl->is.word[0], 0);
    return CTL_EXIT_OK;
}

int run_kick(struct ctl *ctl)
{
    return seat_of(ctl) ? with_key(ctl, kick) : CTL_EXIT_USAGE;
}

static bool agrees(const struct ctl *ctl)
{
    char answer[16] = "";
    if (ctl->is.flag[CTL_YES]) return true;
    if (!isatty(STDIN_FILENO)) {
        ctl_fail(CTL_EXIT_USAGE, "--yes is missing: nobody is there to be asked");
        return false;
    }
    printf("Close room %s? Whoever is in it is sent away. [y/N] ", ctl->is.word[0]);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static int close_room(struct asking *ask, const struct ctl *ctl, const struct order_key *key)
{
    int code = CTL_EXIT_OK;
    struct placed room;
    const struct member *worker = order_find_room(ask, ctl->is.word[0], true, &room, &code);
    if (worker == NULL) return code;
    struct request request = {.kind = REQ_WORKER_CLOSE, .room = room.room};
    if (order_give(ask, worker, key, &request, &code) == NULL) return code;
    struct buf sentence = {0};
    text_add(&sentence, "room %s is closed; its games are kept as room %016llx", ctl->is.word[0],
             (unsigned long long)room.room);
    say(ctl, &sentence, "close", "room", ctl->is.word[0], 0);
    return CTL_EXIT_OK;
}

int run_close(struct ctl *ctl)
{
    return agrees(ctl) ? with_key(ctl, close_room) : CTL_EXIT_USAGE;
}
