/* SPDX-License-Identifier: Apache-2.0
 *
 * What a client asks the matchmakers: make a room, where is this code, what waits behind it. One
 * question at a time; asked again, under the same id, until it is answered or its time is over.
 */
#include "gateway/calls.h"

#include "game/game.h"
#include "room/name.h"

#include <stdlib.h>

/* ---- tasks ----------------------------------------------------------------------------------- */

struct task *gw_task_begin(struct gateway_core *core, struct client *client, enum task_kind kind)
{
    CHECK(client->task == NULL && client->state == CLIENT_IDLE);
    struct task *task = calloc(1, sizeof *task);
    CHECK(task != NULL);
    task->kind = kind;
    task->id = gw_random_id(core);
    task->at = task->begun_at = core->now;
    task->until = core->now + GATEWAY_ENTER_MS;
    client->task = task;
    client->state = CLIENT_ASKING;
    return task;
}

void gw_task_end(struct gateway_core *core, struct client *client)
{
    if (client->task) free(client->task->options);
    free(client->task);
    client->task = NULL;
    if (client->state == CLIENT_ASKING) client->state = CLIENT_IDLE;
    gw_client_arm(core, client);
}

void gw_task_refuse(struct gateway_core *core, struct client *client, enum reason reason)
{
    gw_task_end(core, client);
    gw_refuse(core, client, reason);
}

/* A room that there is gets a worker sooner or later: who wants in may try again by itself. */
static void refuse_for_now(struct gateway_core *core, struct client *client, enum reason reason)
{
    const struct refusal why = {.code = reason};
    bool is_there = client->task->kind == TASK_JOIN;
    gw_task_end(core, client);
    gw_refuse_why(core, client, &why, is_there);
}

void gw_task_again(struct gateway_core *core, struct client *client)
{
    client->task->at = core->now + gw_back_off(core, client->task->tries++);
    gw_client_arm(core, client);
}

static void ask_create(struct gateway_core *core, struct client *client)
{
    struct task *task = client->task;
    struct request *request =
        gw_ask(core, ASK_CLIENT, client->socket, NULL, REQ_CREATE, task->id, &task->token);
    request->game = task->game;
    request->is_public = task->is_public;
    for (int i = 0; i < task->option_count; i++) request->options[i] = task->options[i];
    request->option_count = task->option_count;
}

static void ask(struct gateway_core *core, struct client *client)
{
    struct task *task = client->task;
    task->at = INSTANT_NEVER;
    if (task->kind == TASK_QUICK) {
        gw_quick_ask(core, client);
    } else if (task->kind == TASK_CREATE) {
        ask_create(core, client);
    } else {
        enum request_kind what = task->kind == TASK_JOIN ? REQ_RESOLVE : REQ_LOOK_UP;
        struct request *request =
            gw_ask(core, ASK_CLIENT, client->socket, NULL, what, gw_random_id(core), &task->token);
        request->code = arena_text(&core->out->arena, task->code);
    }
}

void gw_task_due(struct gateway_core *core, struct client *client)
{
    struct task *task = client->task;
    if (core->now >= task->until) {
        if (task->kind == TASK_JOIN || task->kind == TASK_LOOK_UP) gw_code_right(core, client);
        gw_task_refuse(core, client, REASON_BUSY);
    } else if (core->now >= task->at) {
        ask(core, client);
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

static void found(struct gateway_core *core, struct client *client, const struct reply *reply)
{
    struct server_frame frame = {.kind = SERVER_FOUND};
    frame.u.found = (struct server_found){
        .code = arena_text(&core->out->arena, client->task->code),
        .game = reply->found.game ? reply->found.game : "",
        .seated = reply->found.seated,
        .seats = reply->found.seats,
        .playing = reply->found.playing,
    };
    gw_task_end(core, client);
    gw_send(core, client, &frame);
}

/* The browser has seen a newer owner than the directory names (rule 6): one of the two is behind.
 * The directory is asked again; what it keeps to is the truth, and the claim is dropped. */
enum { DOUBTS_MAX = 4 };
static bool is_behind(const struct task *task, const struct placed *placed)
{
    return task->have.epoch > placed->epoch && task->tries < DOUBTS_MAX;
}

static void placed(struct gateway_core *core, struct client *client, const struct placed *where)
{
    struct task *task = client->task;
    if (is_behind(task, where)) {
        gw_task_again(core, client);
        return;
    }
    if (task->have.epoch > where->epoch) task->have = (struct version){0};
    if (task->kind == TASK_JOIN) gw_code_right(core, client);
    gw_enter(core, client, where);
}

void gw_task_reply(struct gateway_core *core, struct client *client, const struct reply *reply)
{
    struct task *task = client->task;
    task->token = 0;
    bool by_code = task->kind == TASK_JOIN || task->kind == TASK_LOOK_UP;
    if (task->kind == TASK_QUICK) {
        gw_quick_reply(core, client, reply);
    } else if (reply->status == ST_UNAVAILABLE || reply->status == ST_FULL ||
               (reply->status == ST_OK && reply->pending)) {
        if (reply->reason == REASON_NO_CAPACITY || reply->reason == REASON_NO_RULES) {
            if (by_code) gw_code_right(core, client);
            refuse_for_now(core, client, (enum reason)reply->reason);
        } else {
            gw_task_again(core, client);
        }
    } else if (reply->status != ST_OK) {
        bool unknown = by_code && reply->status == ST_UNKNOWN;
        if (by_code && !unknown) gw_code_right(core, client);
        enum reason reason = unknown ? REASON_NO_SUCH_ROOM : REASON_BUSY;
        gw_task_refuse(core, client, reply->reason ? (enum reason)reply->reason : reason);
    } else if (task->kind == TASK_LOOK_UP) {
        gw_code_right(core, client);
        found(core, client, reply);
    } else {
        placed(core, client, &reply->placed);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

bool gw_take_name(struct gateway_core *core, struct client *client, const char *typed,
                  bool optional)
{
    char name[WIRE_NAME_BYTES_MAX + 1];
    enum name_fault fault = name_normalise(slice_text(typed), name);
    if (fault == NAME_FAULT_NONE) {
        gw_client_set_name(client, name);
        return true;
    }
    if (optional && typed[0] == '\0') {
        gw_client_set_name(client, "");
        return true;
    }
    struct refusal why = {.code = REASON_BAD_NAME, .params = {(int32_t)fault}, .param_count = 1};
    gw_refuse_why(core, client, &why, false);
    return false;
}

/* Options by the game's own texts, every value judged; false: refused. */
static bool take_options(const struct game *game, const struct client_create *create,
                         struct option_pair *out)
{
    struct game_options options;
    game_options_default(game, &options);
    for (int i = 0; i < create->option_count; i++) {
        struct slice key = slice_text(create->options[i].key);
        if (game_options_set(game, &options, key, create->options[i].value) != ST_OK) return false;
        int index = game_option_find(game, key);
        out[i] = (struct option_pair){game->options[index].key, create->options[i].value};
    }
    return true;
}

void gw_on_create(struct gateway_core *core, struct client *client,
                  const struct client_create *create)
{
    const struct game *game = game_find(slice_text(create->game));
    struct option_pair options[WIRE_OPTIONS_MAX];
    if (game == NULL) {
        gw_refuse(core, client, REASON_UNKNOWN_GAME);
        return;
    }
    if (!take_options(game, create, options)) {
        gw_refuse(core, client, REASON_BAD_OPTION);
        return;
    }
    if (!gw_take_name(core, client, create->name, false)) return;
    if (!gw_room_try(core, client)) {
        gw_refuse(core, client, REASON_TOO_FAST);
        return;
    }
    struct task *task = gw_task_begin(core, client, TASK_CREATE);
    task->game = game->id;
    task->is_public = create->is_public;
    task->option_count = create->option_count;
    if (create->option_count) {
        size_t size = (size_t)create->option_count * sizeof *task->options;
        task->options = malloc(size);
        CHECK(task->options != NULL);
        memcpy(task->options, options, size);
    }
    ask(core, client);
    gw_client_arm(core, client);
}

/* A code that may be tried now; else the frame is refused. */
static bool take_code(struct gateway_core *core, struct client *client, const char *typed,
                      char code[WIRE_CODE_LEN + 1])
{
    if (!code_normalise(slice_text(typed), code)) {
        gw_refuse(core, client, REASON_NO_SUCH_ROOM);
        return false;
    }
    uint32_t wait_s = gw_code_try(core, client);
    if (wait_s == 0) return true;
    struct refusal why = {.code = REASON_TOO_MANY_TRIES,
                          .params = {(int32_t)wait_s},
                          .param_count = 1};
    gw_refuse_why(core, client, &why, false);
    return false;
}

void gw_on_join(struct gateway_core *core, struct client *client, const struct client_join *join)
{
    char code[WIRE_CODE_LEN + 1];
    /* Who watches, or comes back by itself, may have no name to give. */
    bool optional = join->spectate || join->generation != 0;
    if (!gw_take_name(core, client, join->name, optional)) return;
    if (!take_code(core, client, join->code, code)) return;
    struct task *task = gw_task_begin(core, client, TASK_JOIN);
    memcpy(task->code, code, sizeof task->code);
    task->spectate = join->spectate;
    task->take_over = join->take_over;
    task->window = join->window;
    task->generation = join->generation;
    task->have = join->have;
    ask(core, client);
    gw_client_arm(core, client);
}

void gw_on_look_up(struct gateway_core *core, struct client *client, const char *typed)
{
    char code[WIRE_CODE_LEN + 1];
    if (!take_code(core, client, typed, code)) return;
    memcpy(gw_task_begin(core, client, TASK_LOOK_UP)->code, code, sizeof code);
    ask(core, client);
    gw_client_arm(core, client);
}
