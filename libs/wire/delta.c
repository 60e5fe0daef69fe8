/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/delta.h"

#include "wire/patch.h"

static enum status unpatch(struct slice *section, struct slice base, struct arena *arena)
{
    struct buf whole = {0};
    enum status status = patch_apply(base, *section, WIRE_SECTION_BYTES_MAX, &whole);
    if (status == ST_OK) *section = arena_copy(arena, buf_slice(&whole));
    buf_fini(&whole);
    return status;
}

enum status delta_resolve(struct server_room *frame, const struct delta_base *base,
                          struct arena *arena)
{
    if (frame->since == 0) return ST_OK;
    if (base->version.seq != frame->since) return ST_STALE;
    const struct {
        uint32_t bit;
        struct slice *section, base;
    } sections[] = {
        {SECTION_ROOM, &frame->room, base->room},
        {SECTION_PRESENCE, &frame->presence, base->presence},
        {SECTION_GAME, &frame->game, base->game},
        {SECTION_MINE, &frame->mine, base->mine},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!(frame->patched & sections[i].bit)) continue;
        enum status status = unpatch(sections[i].section, sections[i].base, arena);
        if (status != ST_OK) return status;
    }
    frame->patched = 0;
    frame->version.epoch = base->version.epoch;
    frame->room_time = base->room_time + (uint64_t)frame->passed;
    frame->game_version =
        base->game_version + (frame->version.seq - frame->since) + (uint64_t)frame->game_ahead;
    return ST_OK;
}
