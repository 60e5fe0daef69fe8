/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a room. Its id follows from the request's id, so the same request makes one room however
 * often and through whichever matchmaker it comes. A worker that does not answer may have made it:
 * the store is asked before another worker is.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/hash.h"
#include "game/game.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

enum { ROOM_CODE_MASK = (1 << 30) - 1 };

/* A code names its shard, so names are drawn until one falls on a shard where rooms are made. */
room_id draw_room(const struct matchmaker_core *core, struct id128 from, char *code)
{
    struct buf bytes = {0};
    room_id room = 0;
    const struct matchmaker_config *config = &core->config;
    int open = config->shards_open ? config->shards_open : config->shard_count;
    for (uint32_t draw = 0; draw == 0 || room_shard(room) >= open; draw++) {
        buf_clear(&bytes);
        buf_put(&bytes, from.byte, sizeof from.byte);
        buf_put_u32(&bytes, draw);
        struct id128 drawn = hash_128_for("room id", buf_slice(&bytes));
        struct reader reader;
        reader_init(&reader, slice_of(drawn.byte, sizeof drawn.byte));
        uint32_t bits = reader_u32(&reader) & ROOM_CODE_MASK;
        room = room_id_make(bits, reader_u32(&reader));
    }
    buf_fini(&bytes);
    code_write(room_id_bits(room), code);
    return room;
}

static void name_room(const struct matchmaker_core *core, struct creation *creation)
{
    struct id128 from = creation->request.id;
    for (int i = 0; i < creation->code_tries; i++)
        from = hash_128_for("next room", slice_of(from.byte, sizeof from.byte));
    creation->room = draw_room(core, from, creation->code);
}

void creation_free(struct creation *creation)
{
    if (!creation) return;
    free((char *)creation->request.game);
    for (int i = 0; i < creation->request.option_count; i++)
        free((char *)creation->request.options[i].key);
    free(creation);
}

static void give_up(struct matchmaker_core *core, struct creation *creation, uint32_t reason)
{
    answer_refused(core, &creation->waiter,
                   reason == REASON_BAD_OPTION ? ST_REFUSED : ST_UNAVAILABLE, reason);
    creation_free(creation);
}

static void ask_worker(struct matchmaker_core *core, struct creation *creation)
{
    const struct rules any = {.game = creation->request.game};
    struct known_member *worker = member_pick(core, creation->room, any, creation->target);
    if (!worker || creation->worker_tries++ == MATCHMAKER_WORKER_TRIES) {
        give_up(core, creation, worker ? REASON_BUSY : member_none(core, any));
        return;
    }
    struct request *request;
    struct pending *asked =
        ask_peer(core, PENDING_CREATE, worker->is.control_url, &request, REQ_WORKER_CREATE);
    if (!asked) {
        give_up(core, creation, REASON_BUSY);
        return;
    }
    creation->target = worker->is.instance;
    worker->given++;
    asked->creation = creation;
    struct id128 from = request->from;
    *request = creation->request;
    request->kind = REQ_WORKER_CREATE;
    request->from = from;
    request->room = creation->room;
    request->code = arena_text(&core->out->arena, creation->code);
    request->game = arena_text(&core->out->arena, creation->request.game);
    for (int i = 0; i < request->option_count; i++)
        request->options[i].key = arena_text(&core->out->arena, creation->request.options[i].key);
}

static char *own(const char *text)
{
    char *copy = strdup(text);
    CHECK(copy);
    return copy;
}

void create_start(struct matchmaker_core *core, const struct request *request, uint64_t token)
{
    struct waiter waiter = {.token = token, .kind = request->kind, .id = request->id};
    const struct game *game = game_find(slice_text(request->game));
    if (!game) {
        answer_refused(core, &waiter, ST_REFUSED, REASON_UNKNOWN_GAME);
        return;
    }
    struct game_options options;
    game_options_default(game, &options);
    for (int i = 0; i < request->option_count; i++) {
        struct slice key = slice_text(request->options[i].key);
        if (game_options_set(game, &options, key, request->options[i].value) != ST_OK) {
            answer_refused(core, &waiter, ST_REFUSED, REASON_BAD_OPTION);
            return;
        }
    }
    struct creation *creation = calloc(1, sizeof *creation);
    CHECK(creation);
    creation->waiter = waiter;
    creation->request = *request;
    creation->request.game = own(request->game);
    for (int i = 0; i < request->option_count; i++)
        creation->request.options[i].key = own(request->options[i].key);
    creation->request.quick = false;
    name_room(core, creation);
    ask_worker(core, creation);
}

static void ask_whether_made(struct matchmaker_core *core, struct creation *creation)
{
    struct store_op *op;
    struct pending *asked = ask_store(core, PENDING_CREATE_FIND, &op, STORE_FIND);
    if (!asked) {
        give_up(core, creation, REASON_BUSY);
        return;
    }
    asked->creation = creation;
    op->room = creation->room;
}

void create_on_worker(struct matchmaker_core *core, struct pending *asked,
                      const struct reply *reply)
{
    struct creation *creation = asked->creation;
    const struct known_member *worker = member_find(core, creation->target);
    if (reply->status == ST_OK && worker) {
        struct placed placed = {.room = creation->room,
                                .code = creation->code,
                                .owner = creation->target,
                                .owner_url = worker->is.inbox_url,
                                .epoch = reply->placed.epoch};
        answer_placed(core, &creation->waiter, &placed);
        note(core, "room.created", creation->worker_tries, 0);
        creation_free(creation);
        return;
    }
    if (reply->status == ST_REFUSED || reply->status == ST_INVALID) {
        give_up(core, creation, reply->reason ? reply->reason : REASON_BAD_OPTION);
        return;
    }
    creation->code_taken = reply->status == ST_EXISTS;
    ask_whether_made(core, creation);
}

void create_on_find(struct matchmaker_core *core, struct pending *asked,
                    const struct store_reply *found)
{
    struct creation *creation = asked->creation;
    if (found->status == ST_OK) {
        asked->waiter = creation->waiter;
        creation_free(creation);
        asked->creation = NULL;
        place_on_find(core, asked, found);
        return;
    }
    if (found->status != ST_UNKNOWN) {
        give_up(core, creation, REASON_BUSY);
        return;
    }
    /* That code is another room's: draw the next. A worker that merely did not answer may still
     * make it, so another one is asked for the same room: the store makes it once. */
    if (creation->code_taken || MUTANT(second_room_after_timeout)) {
        if (++creation->code_tries == MATCHMAKER_CODE_TRIES) {
            give_up(core, creation, REASON_BUSY);
            return;
        }
        creation->worker_tries = 0;
        name_room(core, creation);
    }
    ask_worker(core, creation);
}
