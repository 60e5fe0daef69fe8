/* SPDX-License-Identifier: Apache-2.0
 *
 * What people and matchmakers say to a worker on the rig.
 */
#include "unit/worker/rig.h"

static enum status create(struct rig *rig, room_id room, bool is_public)
{
    char code[WIRE_CODE_LEN + 1];
    code_write(room_id_bits(room), code);
    struct request request = {.kind = REQ_WORKER_CREATE,
                              .id = {{1, (uint8_t)room, (uint8_t)(room >> 32),
                                      (uint8_t)(room >> 40)}},
                              .game = rig->game,
                              .code = code,
                              .is_public = is_public,
                              .room = room};
    const struct reply *reply = rig_reply(rig, rig_request(rig, &request));
    return reply ? reply->status : ST_UNAVAILABLE;
}

enum status rig_create(struct rig *rig, room_id room)
{
    return create(rig, room, false);
}

enum status rig_create_public(struct rig *rig, room_id room)
{
    return create(rig, room, true);
}

enum status rig_adopt(struct rig *rig, room_id room, uint64_t epoch)
{
    struct request request = {.kind = REQ_WORKER_ADOPT, .id = {{2, (uint8_t)rig->events}}};
    request.rooms = arena_alloc(&rig->arena, sizeof *request.rooms);
    request.rooms[0].room = room;
    request.rooms[0].epoch = epoch;
    request.room_count = 1;
    const struct reply *reply = rig_reply(rig, rig_request(rig, &request));
    return reply && reply->adopted_count == 1 ? reply->adopted[0].status : ST_UNAVAILABLE;
}

static void come_in(struct rig *rig, struct id128 gate, uint64_t client, int number,
                    uint32_t generation, enum attach_intent intent)
{
    struct envelope envelope = {.kind = ENV_ATTACH};
    envelope.u.attach = (struct env_attach){.room = ROOM,
                                            .client = client,
                                            .player = person(number),
                                            .name = "Minsu",
                                            .intent = intent,
                                            .generation = generation};
    rig_envelope(rig, gate, &envelope);
}

void rig_attach(struct rig *rig, struct id128 gate, uint64_t client, int number,
                uint32_t generation)
{
    come_in(rig, gate, client, number, generation, ATTACH_SEAT);
}

void rig_watch(struct rig *rig, struct id128 gate, uint64_t client, int number)
{
    come_in(rig, gate, client, number, 0, ATTACH_WATCH);
}

void rig_detach(struct rig *rig, struct id128 gate, uint64_t client)
{
    struct envelope envelope = {.kind = ENV_DETACH};
    envelope.u.client = (struct env_client){ROOM, client};
    rig_envelope(rig, gate, &envelope);
}

static void act(struct rig *rig, struct id128 gate, const struct env_act *what)
{
    struct envelope envelope = {.kind = ENV_ACT};
    envelope.u.act = *what;
    envelope.u.act.room = ROOM;
    rig_envelope(rig, gate, &envelope);
}

void rig_act(struct rig *rig, struct id128 gate, uint64_t client, uint32_t generation,
             uint64_t counter, uint8_t kind, uint8_t value)
{
    uint8_t bytes[] = {kind, value};
    struct env_act what = {.client = client,
                           .generation = generation,
                           .counter = counter,
                           .bytes = slice_of(bytes, sizeof bytes)};
    act(rig, gate, &what);
}

void rig_command(struct rig *rig, struct id128 gate, uint64_t client, uint32_t generation,
                 uint64_t counter, const char *bytes, size_t len)
{
    struct env_act what = {.client = client,
                           .generation = generation,
                           .counter = counter,
                           .command = true,
                           .bytes = slice_of(bytes, len)};
    act(rig, gate, &what);
}

void rig_play(struct rig *rig)
{
    assert_int_equal(rig_create(rig, ROOM), ST_OK);
    rig_attach(rig, GATE1, 11, 1, 0);
    rig_attach(rig, GATE1, 12, 2, 0);
    rig_command(rig, GATE1, 11, 1, 1, RIG_START);
    assert_true(rig_last(rig, ENV_ANSWER)->u.answer.ok);
    assert_true(rig_noted(rig, "game.started"));
    rig_forget(rig);
}
