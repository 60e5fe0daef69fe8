/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of a room: its newest sections, each with the moment it last changed, and its last
 * events. A private part is kept only for a holder of that seat who is connected here.
 *
 * Within a step the bytes that a section had before are kept too, so that who has them is sent a
 * patch (fan_out.c). It is made when the first of them is written to, once for all. Bytes of a
 * former holder of a seat are never what a patch is made from.
 */
#include "gateway/calls.h"

#include "wire/patch.h"

#include <stdlib.h>

/* ---- sections -------------------------------------------------------------------------------- */

static struct section_change *find_change(const struct mirror *mirror,
                                          const struct section *section)
{
    struct section_change *change = mirror->changes;
    while (change && change->section != section) change = change->next;
    return change;
}

/* It is about to change. From the second time in a step on nobody has its present bytes. */
static void note_change(struct gateway_core *core, struct mirror *mirror,
                        const struct section *section)
{
    struct section_change *change = find_change(mirror, section);
    struct slice bytes = slice_of(section->bytes, section->len);
    if (change == NULL) {
        change = arena_alloc(&core->out->arena, sizeof *change);
        change->section = section;
        change->from = section->serial;
        change->until = mirror->serial + 1;
        change->before = arena_copy(&core->out->arena, bytes);
        change->next = mirror->changes;
        mirror->changes = change;
        gw_mirror_touch(core, mirror); /* settled, and forgotten, at the end of the step */
    } else if (MUTANT(patch_without_base)) {
        change->before = arena_copy(&core->out->arena, bytes);
    }
    change->made = false;
}

static void set_section(struct gateway_core *core, struct mirror *mirror, struct section *section,
                        struct slice bytes)
{
    if (slice_equal(slice_of(section->bytes, section->len), bytes)) return;
    note_change(core, mirror, section);
    bool wasteful = bytes.len < section->room / 2;
    if (bytes.len > section->room || wasteful) {
        free(section->bytes); /* note_change has what of it is needed */
        section->bytes = bytes.len ? malloc(bytes.len) : NULL;
        CHECK(section->bytes != NULL || bytes.len == 0);
        section->room = (uint32_t)bytes.len;
    }
    if (bytes.len) memcpy(section->bytes, bytes.at, bytes.len);
    section->len = (uint32_t)bytes.len;
    section->serial = ++mirror->serial;
}

struct slice gw_cache_patch(struct gateway_core *core, const struct mirror *mirror,
                            const struct section *section, uint64_t serial)
{
    struct section_change *change = find_change(mirror, section);
    if (change == NULL) return (struct slice){0};
    if (serial < change->from || serial >= change->until) return (struct slice){0};
    if (!change->made) {
        buf_clear(&core->scratch);
        bool smaller =
            patch_write(change->before, slice_of(section->bytes, section->len), &core->scratch);
        change->patch = (struct slice){0};
        if (smaller) change->patch = arena_copy(&core->out->arena, buf_slice(&core->scratch));
        change->made = true;
    }
    return change->patch;
}

/* Nothing that the next holder of the seat is sent is made from it. */
static void forget_private(struct gateway_core *core, struct mirror *mirror, int seat)
{
    struct section *mine = &mirror->mine[seat];
    mirror->mine_of[seat] = 0;
    set_section(core, mirror, mine, (struct slice){0});
    struct section_change *change = find_change(mirror, mine);
    if (change == NULL) return;
    change->before = (struct slice){0};
    change->from = change->until;
}

void gw_cache_holder(struct gateway_core *core, struct mirror *mirror, int seat,
                     uint32_t generation)
{
    mirror->holder[seat] = generation;
    if (mirror->mine_of[seat] != generation) forget_private(core, mirror, seat);
}

static void free_events(struct mirror *mirror)
{
    for (uint32_t i = 0; i < mirror->event_count; i++) free(mirror->events[i]);
    mirror->event_count = 0;
}

void gw_cache_clear(struct mirror *mirror)
{
    free_events(mirror);
    free(mirror->events);
    free(mirror->room_view.bytes);
    free(mirror->presence.bytes);
    free(mirror->game.bytes);
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++) free(mirror->mine[s].bytes);
}

/* ---- private parts --------------------------------------------------------------------------- */

static void take_private(struct gateway_core *core, struct mirror *mirror, int seat,
                         struct slice bytes)
{
    if (mirror->holder[seat] == 0) return;
    CHECK(mirror->mine_of[seat] == 0 || mirror->mine_of[seat] == mirror->holder[seat]);
    set_section(core, mirror, &mirror->mine[seat], bytes);
    mirror->mine_of[seat] = mirror->holder[seat];
}

static void take_privates(struct gateway_core *core, struct mirror *mirror,
                          const struct env_update *update, int only_seat)
{
    bool told[WIRE_PRIVATES_MAX] = {false};
    if (update->sections & SECTION_MINE) {
        for (int i = 0; i < update->private_count; i++) {
            int seat = update->privates[i].seat;
            if (seat < 0 || seat >= WIRE_PRIVATES_MAX) continue;
            take_private(core, mirror, seat, update->privates[i].mine);
            told[seat] = true;
        }
    }
    if (update->base != 0) return;
    /* A whole view names every seat that the worker knows to be held here, be its part empty. Who
     * is not named has yet to be attached there: nothing that is kept for it is of this view. One
     * for a single client names that one's alone, and leaves the others what they have of it. */
    bool news = version_compare(update->version, mirror->version) != 0;
    bool of_all = update->only_client == 0 || news;
    for (int s = 0; s < WIRE_PRIVATES_MAX; s++)
        if (!told[s] && (of_all || s == only_seat)) forget_private(core, mirror, s);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void push_event(struct mirror *mirror, const struct update_event *in)
{
    if (mirror->events == NULL) {
        mirror->events = calloc(WIRE_EVENTS_MAX, sizeof(struct cached_event *));
        CHECK(mirror->events != NULL);
    }
    struct cached_event *event = NULL; /* in the place of the oldest, and in its memory */
    if (mirror->event_count == WIRE_EVENTS_MAX) {
        event = mirror->events[0];
        CHECK(event != NULL);
        mirror->events_after = event->seq;
        mirror->event_count--;
        memmove(mirror->events, mirror->events + 1, mirror->event_count * sizeof *mirror->events);
    }
    bool private = in->seat >= 0 && in->seat < WIRE_PRIVATES_MAX && mirror->holder[in->seat];
    size_t mine_len = private ? in->mine.len : 0;
    size_t len = in->shared.len + mine_len + in->room.len, room = event ? event->room : 0;
    if (event == NULL || len > room || len < room / 2) {
        free(event);
        event = malloc(sizeof *event + len);
        CHECK(event != NULL);
        room = len;
    }
    *event = (struct cached_event){
        .room = room,
        .seq = in->seq,
        .seat = private ? in->seat : -1,
        .generation = private ? mirror->holder[in->seat] : 0,
        .shared_len = (uint32_t)in->shared.len,
        .mine_len = (uint32_t)mine_len,
        .room_len = (uint32_t)in->room.len,
    };
    uint8_t *at = event->bytes;
    if (in->shared.len) memcpy(at, in->shared.at, in->shared.len);
    if (mine_len) memcpy(at + in->shared.len, in->mine.at, mine_len);
    if (in->room.len) memcpy(at + in->shared.len + mine_len, in->room.at, in->room.len);
    mirror->events[mirror->event_count++] = event;
}

/* Events are for animation. What is held is always a row without gaps, (events_after,
 * events_until]; where an update leaves a gap, the row starts anew. */
static void take_events(struct mirror *mirror, const struct env_update *update)
{
    uint64_t seq = update->version.seq;
    bool has = update->event_count > 0;
    uint64_t from = update->base;
    if (update->base == 0) from = has ? update->events[0].seq - 1 : seq;
    if (from > mirror->events_until || seq < mirror->events_until) {
        free_events(mirror);
        mirror->events_after = mirror->events_until = from;
    }
    for (int i = 0; i < update->event_count; i++) {
        const struct update_event *event = &update->events[i];
        if (event->seq > mirror->events_until && event->seq <= seq) push_event(mirror, event);
    }
    mirror->events_until = seq;
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Before the first game there is none to see. */
static void note_play(struct gateway_core *core, struct mirror *mirror)
{
    bool played = core->now < mirror->plays_until;
    mirror->plays_until = core->now + GATEWAY_PLAYS_MS;
    for (uint32_t i = 0; i < mirror->client_count && !played; i++)
        gw_ping_soon(core, mirror->clients[i]);
}

bool gw_cache_update(struct gateway_core *core, struct mirror *mirror,
                     const struct env_update *update, int only_seat)
{
    bool whole = update->base == 0;
    bool same_epoch = mirror->filled && update->version.epoch == mirror->version.epoch;
    bool based = same_epoch && (update->base <= mirror->version.seq || MUTANT(delta_without_base));
    if (!whole && !based) return false;
    if (same_epoch && update->version.seq < mirror->version.seq) return true; /* an older one */

    uint32_t sections = whole ? SECTION_ALL : update->sections;
    uint64_t serial = mirror->serial;
    if (sections & SECTION_ROOM) set_section(core, mirror, &mirror->room_view, update->room_view);
    if (sections & SECTION_PRESENCE) set_section(core, mirror, &mirror->presence, update->presence);
    if (sections & SECTION_GAME) set_section(core, mirror, &mirror->game, update->game);
    take_privates(core, mirror, update, only_seat);
    if (update->only_client == 0) take_events(mirror, update);
    core->shared.mirror = NULL;
    mirror->version = update->version;
    mirror->game_version = update->game_version;
    mirror->room_time = update->room_time;
    mirror->filled = true;
    if (mirror->game.serial > serial && mirror->game.len > 0) note_play(core, mirror);
    return true;
}
