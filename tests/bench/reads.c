/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/reads.h"

/* Field numbers of client.proto and dobble.proto. */
enum { VARINT = 0, FIXED64 = 1, SIZED = 2, FIXED32 = 5 };
enum { VERSION_EPOCH = 1, VERSION_SEQ };
enum { ROOM_VERSION = 1, ROOM_SINCE, ROOM_GAME_VERSION = 4, ROOM_VIEW, ROOM_GAME = 7, ROOM_MINE };
enum {
    ROOM_AHEAD = 10,
    ROOM_GAME_AHEAD = 12,
    ROOM_GAME_PATCH,
    ROOM_MINE_PATCH = 15,
    ROOM_VIEW_PATCH
};
enum { ANSWER_GENERATION = 1, ANSWER_COUNTER, ANSWER_WHY = 4, ANSWER_SEQ };
enum { WHY_DOMAIN = 1, WHY_CODE, WHY_PARAMS };
enum { VIEW_MINI_GAME = 1, VIEW_PHASE, VIEW_CENTRE = 7, VIEW_SEATS = 11 };
enum { MINI_GAME_TOWER = 1, PHASE_COUNTDOWN = 1, PHASE_PLAYING = 2, PHASE_PAUSED = 5 };
enum { CARD_ALL = 9, CARD_LOOK_BYTES = 3, SEAT_TOP = 1, MINE_HINTS = 2, MINE_SUSPECTS };

/* ---- protobuf -------------------------------------------------------------------------------- */

static bool take_varint(struct slice *rest, uint64_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < rest->len && i < 10; i++) {
        *out |= (uint64_t)(rest->at[i] & 0x7f) << 7 * i;
        if (rest->at[i] & 0x80) continue;
        *rest = slice_of(rest->at + i + 1, rest->len - i - 1);
        return true;
    }
    return false;
}

static bool take_bytes(struct slice *rest, uint64_t len, struct slice *out)
{
    if (len > rest->len) return false;
    *out = slice_of(rest->at, (size_t)len);
    *rest = slice_of(rest->at + len, rest->len - (size_t)len);
    return true;
}

/* A fixed-width number is given as its bytes: nothing that is read here has one. */
bool field_next(struct slice *rest, struct field *out)
{
    struct slice left = *rest;
    uint64_t tag = 0, len = 0;
    if (left.len == 0 || !take_varint(&left, &tag) || tag >> 32 || tag >> 3 == 0) return false;
    *out = (struct field){.number = (uint32_t)(tag >> 3), .sized = (tag & 7) != VARINT};
    bool taken = false;
    switch (tag & 7) {
    case VARINT: taken = take_varint(&left, &out->value); break;
    case SIZED: taken = take_varint(&left, &len) && take_bytes(&left, len, &out->bytes); break;
    case FIXED64: taken = take_bytes(&left, 8, &out->bytes); break;
    case FIXED32: taken = take_bytes(&left, 4, &out->bytes); break;
    default: break;
    }
    if (taken) *rest = left;
    return taken;
}

/* ---- frames ---------------------------------------------------------------------------------- */

enum server_kind frame_open(struct slice frame, struct slice *inside)
{
    struct field field;
    if (!field_next(&frame, &field) || !field.sized || frame.len) return 0;
    if (field.number > SERVER_FOUND) return 0;
    *inside = field.bytes;
    return (enum server_kind)field.number;
}

static bool version_read(struct slice bytes, struct version *out)
{
    struct field field;
    while (field_next(&bytes, &field)) {
        if (field.number == VERSION_EPOCH) out->epoch = field.value;
        if (field.number == VERSION_SEQ) out->seq = field.value;
    }
    return bytes.len == 0;
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void take_patch(const struct field *field, uint32_t bit, struct slice *section,
                       struct room_frame *out)
{
    *section = field->bytes;
    out->patched |= bit;
}

bool room_frame_read(struct slice inside, struct room_frame *out)
{
    struct field field;
    bool well = true;
    int64_t ahead = 0;
    *out = (struct room_frame){0};
    while (field_next(&inside, &field)) {
        switch (field.number) {
        case ROOM_VERSION: well &= version_read(field.bytes, &out->version); break;
        case ROOM_SINCE: out->since = field.value; break;
        case ROOM_GAME_VERSION: out->game_version = field.value; break;
        case ROOM_VIEW: out->room = field.bytes; break;
        case ROOM_GAME: out->game = field.bytes; break;
        case ROOM_MINE: out->mine = field.bytes; break;
        case ROOM_AHEAD: ahead = unzigzag(field.value); break;
        case ROOM_GAME_AHEAD: out->game_ahead = unzigzag(field.value); break;
        case ROOM_GAME_PATCH: take_patch(&field, SECTION_GAME, &out->game, out); break;
        case ROOM_MINE_PATCH: take_patch(&field, SECTION_MINE, &out->mine, out); break;
        case ROOM_VIEW_PATCH: take_patch(&field, SECTION_ROOM, &out->room, out); break;
        default: break;
        }
    }
    if (out->since) out->version.seq = out->since + (uint64_t)(ahead + 1);
    return well && inside.len == 0 && out->version.seq > 0;
}

static bool why_read(struct slice bytes, struct answer_frame *out)
{
    struct field field;
    while (field_next(&bytes, &field)) {
        uint64_t zigzag = field.value;
        struct slice packed = field.bytes;
        if (field.number == WHY_DOMAIN) out->by_game = field.bytes.len > 0;
        if (field.number == WHY_CODE) out->code = (uint32_t)field.value;
        if (field.number != WHY_PARAMS) continue;
        if (field.sized && !take_varint(&packed, &zigzag)) return false;
        out->param = (int32_t)unzigzag(zigzag);
    }
    return bytes.len == 0;
}

bool answer_frame_read(struct slice inside, struct answer_frame *out)
{
    struct field field;
    bool well = true;
    *out = (struct answer_frame){.ok = true};
    while (field_next(&inside, &field)) {
        switch (field.number) {
        case ANSWER_GENERATION: out->generation = (uint32_t)field.value; break;
        case ANSWER_COUNTER: out->counter = field.value; break;
        case ANSWER_WHY:
            out->ok = false;
            well &= why_read(field.bytes, out);
            break;
        case ANSWER_SEQ: out->seq = field.value; break;
        default: break;
        }
    }
    return well && inside.len == 0;
}

/* ---- the tower ------------------------------------------------------------------------------- */

/* Its number, its pictures, and a look, which is nothing to a program. */
static bool card_read(struct slice bytes, struct tower_card *out)
{
    struct field field;
    *out = (struct tower_card){0};
    while (field_next(&bytes, &field)) {
        if (field.number != CARD_ALL || field.bytes.len == 0) continue;
        size_t least = 1 + CARD_LOOK_BYTES;
        if (field.bytes.len < least || field.bytes.len > least + TOWER_PICTURES) return false;
        out->id = field.bytes.at[0];
        out->count = (int)(field.bytes.len - least);
        memcpy(out->art, field.bytes.at + 1, (size_t)out->count);
    }
    return bytes.len == 0;
}

/* Of a seat its open card alone, which comes first. */
static bool seat_read(struct slice bytes, struct tower_card *top)
{
    struct field field;
    *top = (struct tower_card){0};
    if (field_next(&bytes, &field) && field.number == SEAT_TOP) return card_read(field.bytes, top);
    return true;
}

bool tower_read(struct slice view, struct tower *out)
{
    struct field field;
    bool well = true;
    *out = (struct tower){0};
    while (well && field_next(&view, &field)) {
        switch (field.number) {
        case VIEW_MINI_GAME: out->is_tower = field.value == MINI_GAME_TOWER; break;
        case VIEW_PHASE:
            out->is_playing = field.value == PHASE_PLAYING;
            out->shows_cards = field.value != PHASE_COUNTDOWN && field.value != PHASE_PAUSED;
            break;
        case VIEW_CENTRE: well = card_read(field.bytes, &out->centre); break;
        case VIEW_SEATS:
            well = out->seats < TOWER_SEATS_MAX && seat_read(field.bytes, &out->top[out->seats++]);
            break;
        default: break;
        }
    }
    return well && view.len == 0;
}

static int shared(const struct tower_card *a, const struct tower_card *b, uint32_t *art)
{
    uint64_t bears = 0;
    int count = 0;
    for (int i = 0; i < a->count; i++) bears |= 1ULL << (a->art[i] & 63);
    for (int i = 0; i < b->count; i++) {
        if (!(bears >> (b->art[i] & 63) & 1)) continue;
        *art = b->art[i];
        count++;
    }
    return count;
}

bool tower_find(const struct tower *tower, int seat, struct bot_claim *claim)
{
    if (!tower->is_tower || !tower->is_playing || seat < 0 || seat >= tower->seats) return false;
    const struct tower_card *own = &tower->top[seat];
    *claim = (struct bot_claim){.cards = {own->id, tower->centre.id}};
    return own->id && tower->centre.id && shared(own, &tower->centre, &claim->art) == 1;
}

static const char *card_fault(const struct tower *tower, const struct tower_card *card)
{
    uint32_t art;
    if (card->id == 0) return NULL;
    if (!tower->shows_cards) return "a card is shown before its time";
    if (card->id > TOWER_CARDS || card->count != TOWER_PICTURES) return "a card that cannot be";
    bool same = card == &tower->centre || tower->centre.id == 0;
    if (!same && shared(card, &tower->centre, &art) != 1) return "two cards do not share a picture";
    return NULL;
}

const char *tower_fault(const struct tower *tower)
{
    const char *fault = card_fault(tower, &tower->centre);
    for (int i = 0; i < tower->seats && !fault; i++) fault = card_fault(tower, &tower->top[i]);
    return fault;
}

/* Hints, which are the answer, come when nobody has played for long; until then nobody has one. */
const char *tower_mine_fault(const struct tower *tower, struct slice mine, bool is_host)
{
    struct field field;
    while (field_next(&mine, &field)) {
        if (field.number == MINE_HINTS && tower->is_playing) return "an answer outside of the hint";
        if (field.number == MINE_SUSPECTS && !is_host) return "what is the host's alone";
    }
    return mine.len ? "what a seat is told cannot be read" : NULL;
}
