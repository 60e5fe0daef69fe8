/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/gateway/room_model.h"

#include "base/hash.h"

#include <stdio.h>

static uint64_t draw(struct room_model *model, uint64_t bound)
{
    return hash_mix64(++model->chance) % bound;
}

static void new_text(struct room_model *model, char text[MODEL_TEXT], const char *what)
{
    snprintf(text, MODEL_TEXT, "%s %llu", what, (unsigned long long)draw(model, 1000000));
}

static void new_mine(struct room_model *model, int seat)
{
    char what[16];
    snprintf(what, sizeof what, "secret%d", seat);
    new_text(model, model->mine[seat], what);
    model->mine_changed[seat] = true;
}

void model_open(struct room_model *model, uint64_t epoch, uint64_t seed)
{
    *model = (struct room_model){.version = {epoch, 1}, .chance = seed * 1000003};
    new_text(model, model->room, "room");
    new_text(model, model->presence, "presence");
    new_text(model, model->game, "game");
    for (int s = 0; s < MODEL_SEATS; s++) new_mine(model, s);
}

void model_change(struct room_model *model)
{
    if (draw(model, 5) == 0) {
        new_text(model, model->presence, "presence");
        model->changed |= SECTION_PRESENCE;
        return;
    }
    model->version.seq++;
    if (draw(model, 3) == 0) {
        new_text(model, model->room, "room");
        model->changed |= SECTION_ROOM;
    }
    if (draw(model, 2) == 0) {
        new_text(model, model->game, "game");
        model->changed |= SECTION_GAME;
    }
    for (int s = 0; s < MODEL_SEATS; s++) {
        if (draw(model, 3)) continue;
        new_mine(model, s);
        model->changed |= SECTION_MINE;
    }
}

void model_event_text(uint64_t seq, char text[MODEL_TEXT])
{
    snprintf(text, MODEL_TEXT, "event %llu", (unsigned long long)seq);
}

void model_event_mine(uint64_t seq, char text[MODEL_TEXT])
{
    snprintf(text, MODEL_TEXT, "whisper%llu %llu", (unsigned long long)(seq % MODEL_SEATS),
             (unsigned long long)seq);
}

static void add_events(const struct room_model *model, uint64_t since, struct env_update *update)
{
    static struct update_event events[WIRE_EVENTS_MAX];
    static char shared[WIRE_EVENTS_MAX][MODEL_TEXT], mine[WIRE_EVENTS_MAX][MODEL_TEXT];
    update->events = events;
    if (model->version.seq - since > WIRE_EVENTS_MAX) since = model->version.seq - WIRE_EVENTS_MAX;
    for (uint64_t seq = since + 1; seq <= model->version.seq; seq++) {
        int at = update->event_count++;
        int seat = (int)(seq % MODEL_SEATS);
        model_event_text(seq, shared[at]);
        model_event_mine(seq, mine[at]);
        events[at] =
            (struct update_event){.seq = seq, .shared = slice_text(shared[at]), .seat = -1};
        if (!model->here[seat]) continue;
        events[at].seat = seat;
        events[at].mine = slice_text(mine[at]);
    }
}

static struct env_update *begin(struct room_model *model, struct envelope *envelope,
                                uint32_t sections)
{
    *envelope = (struct envelope){.kind = ENV_UPDATE};
    envelope->u.update = (struct env_update){
        .room = yard_room(),
        .version = model->version,
        .game_version = model->version.seq,
        .room_time = 1000 + model->version.seq,
        .sections = sections,
    };
    struct env_update *update = &envelope->u.update;
    if (sections & SECTION_ROOM) update->room_view = slice_text(model->room);
    if (sections & SECTION_PRESENCE) update->presence = slice_text(model->presence);
    if (sections & SECTION_GAME) update->game = slice_text(model->game);
    return update;
}

const struct envelope *model_update(struct room_model *model, bool whole)
{
    static struct envelope envelope;
    whole = whole || model->sent == 0;
    struct env_update *update = begin(model, &envelope, whole ? SECTION_ALL : model->changed);
    update->base = whole ? 0 : model->sent;
    for (int s = 0; s < MODEL_SEATS; s++)
        if (model->here[s] && (whole || model->mine_changed[s]))
            update->privates[update->private_count++] =
                (struct update_private){s, slice_text(model->mine[s])};
    add_events(model, model->sent, update);
    model->sent = model->version.seq;
    model->changed = 0;
    memset(model->mine_changed, 0, sizeof model->mine_changed);
    return &envelope;
}

const struct envelope *model_whole_for(struct room_model *model, uint64_t client, int seat)
{
    static struct envelope envelope;
    struct env_update *update = begin(model, &envelope, SECTION_ALL);
    update->only_client = client;
    if (seat >= 0)
        update->privates[update->private_count++] =
            (struct update_private){seat, slice_text(model->mine[seat])};
    return &envelope;
}

/* ---- a browser ------------------------------------------------------------------------------- */

static void take(char into[MODEL_TEXT], struct slice bytes, bool whole)
{
    if (bytes.len == 0 && !whole) return;
    assert_true(bytes.len < MODEL_TEXT);
    memset(into, 0, MODEL_TEXT);
    if (bytes.len) memcpy(into, bytes.at, bytes.len);
}

static void take_event(struct folded *folded, int seat, const struct server_event *event)
{
    char text[MODEL_TEXT];
    model_event_text(event->seq, text);
    assert_true(slice_equal(event->shared, slice_text(text)));
    if (event->seq <= folded->last_event) folded->repeats++;
    folded->last_event = event->seq;
    folded->events++;
    if (event->mine.len == 0) return;
    model_event_mine(event->seq, text);
    assert_true(slice_equal(event->mine, slice_text(text)));
    if ((int)(event->seq % MODEL_SEATS) != seat) folded->foreign++;
}

void fold_frame(struct folded *folded, int seat, const struct server_room *frame)
{
    bool whole = frame->since == 0;
    if (!whole && frame->since != folded->version.seq) {
        folded->lacks++;
        return;
    }
    assert_true(version_compare(frame->version, folded->version) >= 0);
    take(folded->room, frame->room, whole);
    take(folded->presence, frame->presence, whole);
    take(folded->game, frame->game, whole);
    take(folded->mine, frame->mine, whole);
    for (int i = 0; i < frame->event_count; i++) take_event(folded, seat, &frame->events[i]);
    folded->version = frame->version;
}

void fold_recorded(struct folded *folded, struct yard *yard, uint64_t socket, int seat, int *from)
{
    for (; *from < yard->frame_count; (*from)++) {
        const struct yard_frame *frame = &yard->frames[*from];
        if (frame->socket == socket && frame->frame.kind == SERVER_ROOM)
            fold_frame(folded, seat, &frame->frame.u.room);
    }
}

void assert_folded_equals(const struct folded *folded, const struct room_model *model, int seat)
{
    assert_int_equal(version_compare(folded->version, model->version), 0);
    assert_string_equal(folded->room, model->room);
    assert_string_equal(folded->presence, model->presence);
    assert_string_equal(folded->game, model->game);
    assert_string_equal(folded->mine, seat < 0 ? "" : model->mine[seat]);
    assert_int_equal(folded->lacks, 0);
    assert_int_equal(folded->repeats, 0);
    assert_int_equal(folded->foreign, 0);
}
