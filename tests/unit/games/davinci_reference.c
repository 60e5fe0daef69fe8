/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_reference.h"

/* ---- tiles where they are -------------------------------------------------------------------- */

static struct ref_tile *in_row(struct reference *ref, int seat, int order)
{
    for (int i = 0; i < 26; i++)
        if (ref->tile[i].where == REF_ROW && ref->tile[i].seat == seat &&
            ref->tile[i].order == order)
            return &ref->tile[i];
    return NULL;
}

static int row_len(struct reference *ref, int seat)
{
    int len = 0;
    while (in_row(ref, seat, len)) len++;
    return len;
}

static int hidden(struct reference *ref, int seat)
{
    int count = 0;
    for (int i = 0; i < 26; i++)
        count += ref->tile[i].where == REF_ROW && ref->tile[i].seat == seat && !ref->tile[i].open;
    return count;
}

static struct ref_tile *front(struct reference *ref, int color)
{
    struct ref_tile *first = NULL;
    for (int i = 0; i < 26; i++) {
        struct ref_tile *tile = &ref->tile[i];
        if (tile->where == REF_POOL && tile->color == color &&
            (!first || tile->order < first->order))
            first = tile;
    }
    return first;
}

static struct ref_tile *in_hand(struct reference *ref)
{
    for (int i = 0; i < 26; i++)
        if (ref->tile[i].where == REF_HAND) return &ref->tile[i];
    return NULL;
}

static int pool(struct reference *ref, int color)
{
    int count = 0;
    for (int i = 0; i < 26; i++)
        count += ref->tile[i].where == REF_POOL && ref->tile[i].color == color;
    return count;
}

/* Which of two number tiles stands left: the smaller number, or by colour as agreed. */
static bool left_of(const struct reference *ref, const struct ref_tile *a, const struct ref_tile *b)
{
    if (a->number != b->number) return a->number < b->number;
    bool black_first = !ref->rules->white_left;
    return black_first ? a->color == DAVINCI_BLACK && b->color == DAVINCI_WHITE
                       : a->color == DAVINCI_WHITE && b->color == DAVINCI_BLACK;
}

/* The leftmost gap in which all numbers of the row are in order. */
static int gap(struct reference *ref, int seat, const struct ref_tile *tile)
{
    int len = row_len(ref, seat);
    for (int at = 0; at <= len; at++) {
        bool sorted = true;
        for (int i = 0; i < len; i++) {
            const struct ref_tile *other = in_row(ref, seat, i);
            if (other->number < 0) continue;
            sorted = sorted && (i < at ? left_of(ref, other, tile) : left_of(ref, tile, other));
        }
        if (sorted) return at;
    }
    return -1;
}

static void put(struct reference *ref, struct ref_tile *tile, int seat, int at, bool open)
{
    int len = row_len(ref, seat);
    for (int i = 0; i < 26; i++)
        if (ref->tile[i].where == REF_ROW && ref->tile[i].seat == seat && ref->tile[i].order >= at)
            ref->tile[i].order++;
    tile->where = REF_ROW;
    tile->seat = seat;
    tile->order = at;
    tile->open = open;
    tile->entry = len + 1;
}

/* ---- the course ------------------------------------------------------------------------------ */

static int playing(const struct reference *ref)
{
    int count = 0;
    for (int seat = 0; seat < ref->seats; seat++) count += !ref->out[seat];
    return count;
}

static void enter(struct reference *ref, int phase, uint64_t now, seat_mask hurried)
{
    uint64_t length = phase == DAVINCI_GUESS ? ref->rules->turn_seconds * 1000u : 10000;
    ref->phase = phase;
    ref->deadline = now + (hurried >> ref->current & 1 ? 5000 : length);
}

static void turn(struct reference *ref, int seat, uint64_t now, seat_mask hurried)
{
    ref->current = seat;
    ref->turn++;
    ref->progress = false;
    enter(ref, pool(ref, 0) + pool(ref, 1) ? DAVINCI_DRAW : DAVINCI_GUESS, now, hurried);
}

static void end_turn(struct reference *ref, const struct ref_tile *newest, uint64_t now,
                     seat_mask hurried)
{
    ref->newest = newest ? (int)(newest - ref->tile) : -1;
    if (!ref->rules->reveal_own && !ref->penalty) {
        ref->idle = ref->progress ? 0 : ref->idle + 1;
        if (ref->idle == 3 * playing(ref)) {
            ref->penalty = true;
            ref->idle = 0;
        }
    }
    int seat = ref->current;
    do {
        seat = seat == ref->seats - 1 ? 0 : seat + 1;
    } while (ref->out[seat]);
    turn(ref, seat, now, hurried);
}

/* Out when nothing is hidden; true when one is left. */
static bool judge(struct reference *ref, int seat)
{
    if (hidden(ref, seat) > 0) return false;
    ref->out[seat] = true;
    ref->order_out[ref->outs++] = seat;
    if (playing(ref) > 1) return false;
    for (int other = 0; other < ref->seats; other++)
        if (!ref->out[other]) ref->winner = other;
    ref->phase = DAVINCI_FINISHED;
    ref->deadline = INSTANT_NEVER;
    return true;
}

static void deal_one(struct reference *ref, int seat, int color)
{
    struct ref_tile *tile = front(ref, color);
    put(ref, tile, seat, gap(ref, seat, tile), false);
}

static void deal(struct reference *ref)
{
    for (int i = 0; i < ref->seats; i++) {
        int seat = (ref->first + i) % ref->seats;
        for (int k = 0; k < ref->pick[seat][0]; k++) deal_one(ref, seat, DAVINCI_BLACK);
        for (int k = 0; k < ref->pick[seat][1]; k++) deal_one(ref, seat, DAVINCI_WHITE);
    }
    for (int i = 0; i < 26; i++)
        if (ref->tile[i].where == REF_ROW) ref->tile[i].entry = ref->tile[i].order + 1;
}

/* ---- actions --------------------------------------------------------------------------------- */

static int choose(struct reference *ref, int seat, const struct davinci_action *action,
                  uint64_t now, seat_mask hurried)
{
    int black = (int)action->black, white = (int)action->white, each = ref->rules->start_tiles;
    if (ref->phase != DAVINCI_CHOOSE_START) return DAVINCI_WRONG_PHASE;
    if (ref->pick[seat][0] >= 0)
        return ref->pick[seat][0] == black && ref->pick[seat][1] == white ? 0
                                                                          : DAVINCI_ALREADY_PICKED;
    if (black < 0 || white < 0 || black + white != each) return DAVINCI_SUM;
    int taken[2] = {black, white}, missing = 0;
    for (int other = 0; other < ref->seats; other++)
        for (int color = 0; color < 2; color++)
            taken[color] += ref->pick[other][color] > 0 ? ref->pick[other][color] : 0;
    if (taken[0] > ref->rules->numbers || taken[1] > ref->rules->numbers) return DAVINCI_TOO_MANY;
    ref->pick[seat][0] = black;
    ref->pick[seat][1] = white;
    for (int other = 0; other < ref->seats; other++) missing += ref->pick[other][0] < 0;
    if (missing) return 0;
    deal(ref);
    /* Jokers come into the pool with the deal: the first turn always draws then. */
    if (ref->rules->jokers)
        for (int color = 0; color < 2; color++) ref->tile[color * 13 + 12].where = REF_POOL;
    turn(ref, ref->first, now, hurried);
    return 0;
}

static int draw(struct reference *ref, const struct davinci_action *action, uint64_t now,
                seat_mask hurried)
{
    if (ref->phase != DAVINCI_DRAW) return DAVINCI_WRONG_PHASE;
    int color = action->color;
    if (!ref->rules->choose_colors) {
        if (color != -1) return DAVINCI_NO_COLOR_CHOICE;
        color = ref->colors[0];
        ref->colors_left--;
        for (int i = 0; i < ref->colors_left; i++) ref->colors[i] = ref->colors[i + 1];
    }
    if (color == -1) return DAVINCI_COLOR_NEEDED;
    struct ref_tile *tile = front(ref, color);
    if (!tile) return DAVINCI_COLOR_EMPTY;
    tile->where = REF_HAND;
    enter(ref, DAVINCI_GUESS, now, hurried);
    return 0;
}

static int may_guess(struct reference *ref, int seat, const struct davinci_action *action)
{
    if (ref->phase != DAVINCI_GUESS) return DAVINCI_WRONG_PHASE;
    if (action->target >= (uint32_t)ref->seats) return DAVINCI_NO_SUCH_PLAYER;
    int target = (int)action->target;
    if (target == seat) return DAVINCI_OWN_TILE;
    if (ref->out[target]) return DAVINCI_ELIMINATED;
    if (action->index >= (uint32_t)row_len(ref, target)) return DAVINCI_NO_SUCH_TILE;
    if (in_row(ref, target, (int)action->index)->open) return DAVINCI_REVEALED;
    if (action->face == DAVINCI_FACE_JOKER) return ref->rules->jokers ? 0 : DAVINCI_NO_JOKERS;
    int number = action->face - 1;
    return number >= 0 && number < ref->rules->numbers ? 0 : DAVINCI_VALUE_RANGE;
}

static void missed(struct reference *ref, uint64_t now, seat_mask hurried)
{
    struct ref_tile *hand = in_hand(ref);
    if (!hand) {
        if (ref->rules->reveal_own || ref->penalty)
            enter(ref, DAVINCI_REVEAL_OWN, now, hurried);
        else
            end_turn(ref, NULL, now, hurried);
    } else if (hand->number < 0) {
        ref->progress = true;
        enter(ref, DAVINCI_PLACE_JOKER, now, hurried);
    } else {
        ref->progress = true;
        put(ref, hand, ref->current, gap(ref, ref->current, hand), true);
        end_turn(ref, hand, now, hurried);
    }
}

static int guess(struct reference *ref, int seat, const struct davinci_action *action,
                 bool automatic, uint64_t now, seat_mask hurried)
{
    int reason = may_guess(ref, seat, action);
    if (reason) return reason;
    struct ref_tile *tile = in_row(ref, (int)action->target, (int)action->index);
    int said = action->face == DAVINCI_FACE_JOKER ? -1 : action->face - 1;
    bool right = said == tile->number;
    if (!automatic) {
        ref->said[seat]++;
        ref->right[seat] += right;
    }
    if (!right) {
        bool *refuted = &tile->refuted[said < 0 ? 12 : said];
        ref->progress = ref->progress || !*refuted;
        *refuted = true;
        missed(ref, now, hurried);
        return 0;
    }
    tile->open = true;
    ref->progress = true;
    if (!judge(ref, (int)action->target)) enter(ref, DAVINCI_AFTER_CORRECT, now, hurried);
    return 0;
}

static int stop(struct reference *ref, int seat, const struct davinci_action *action, uint64_t now,
                seat_mask hurried)
{
    struct ref_tile *hand = in_hand(ref);
    bool joker = hand && hand->number < 0;
    if (ref->phase != DAVINCI_AFTER_CORRECT) return DAVINCI_WRONG_PHASE;
    if (!joker && action->joker) return DAVINCI_NO_JOKER_HELD;
    if (joker && (!action->joker || action->index > (uint32_t)row_len(ref, seat)))
        return DAVINCI_JOKER_PLACE;
    if (hand) put(ref, hand, seat, joker ? (int)action->index : gap(ref, seat, hand), false);
    end_turn(ref, hand, now, hurried);
    return 0;
}

static int place(struct reference *ref, int seat, const struct davinci_action *action, uint64_t now,
                 seat_mask hurried)
{
    if (ref->phase != DAVINCI_PLACE_JOKER) return DAVINCI_WRONG_PHASE;
    if (action->index > (uint32_t)row_len(ref, seat)) return DAVINCI_JOKER_PLACE;
    struct ref_tile *hand = in_hand(ref);
    put(ref, hand, seat, (int)action->index, true);
    end_turn(ref, hand, now, hurried);
    return 0;
}

static int reveal(struct reference *ref, int seat, const struct davinci_action *action,
                  uint64_t now, seat_mask hurried)
{
    if (ref->phase != DAVINCI_REVEAL_OWN) return DAVINCI_WRONG_PHASE;
    if (action->index >= (uint32_t)row_len(ref, seat)) return DAVINCI_NO_SUCH_TILE;
    struct ref_tile *tile = in_row(ref, seat, (int)action->index);
    if (tile->open) return DAVINCI_REVEALED;
    tile->open = true;
    ref->progress = true;
    if (!judge(ref, seat)) end_turn(ref, NULL, now, hurried);
    return 0;
}

int reference_act(struct reference *ref, int seat, const struct davinci_action *action,
                  bool automatic, uint64_t now, seat_mask hurried)
{
    bool choosing = ref->phase == DAVINCI_CHOOSE_START || action->kind == DAVINCI_ACT_CHOOSE_START;
    if (ref->phase == DAVINCI_FINISHED) return DAVINCI_OVER;
    if (!choosing && seat != ref->current) return DAVINCI_NOT_YOUR_TURN;
    switch (action->kind) {
    case DAVINCI_ACT_CHOOSE_START: return choose(ref, seat, action, now, hurried);
    case DAVINCI_ACT_DRAW: return draw(ref, action, now, hurried);
    case DAVINCI_ACT_GUESS: return guess(ref, seat, action, automatic, now, hurried);
    case DAVINCI_ACT_STOP: return stop(ref, seat, action, now, hurried);
    case DAVINCI_ACT_PLACE_JOKER: return place(ref, seat, action, now, hurried);
    case DAVINCI_ACT_REVEAL_OWN: return reveal(ref, seat, action, now, hurried);
    case DAVINCI_ACT_CONTINUE: break;
    }
    if (ref->phase != DAVINCI_AFTER_CORRECT) return DAVINCI_WRONG_PHASE;
    enter(ref, DAVINCI_GUESS, now, hurried);
    return 0;
}
