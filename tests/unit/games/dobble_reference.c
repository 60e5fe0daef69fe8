/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/dobble_reference.h"

/* ---- cards ----------------------------------------------------------------------------------- */

int dref_count(const struct dref *ref, enum dref_where where, int seat)
{
    int count = 0;
    for (int c = 1; c <= ref->cards; c++)
        count += ref->card[c].where == where && (where != DREF_PILE || ref->card[c].seat == seat);
    return count;
}

int dref_top(const struct dref *ref, enum dref_where where, int seat)
{
    int top = 0;
    for (int c = 1; c <= ref->cards; c++) {
        const struct dref_card *card = &ref->card[c];
        if (card->where != where || (where == DREF_PILE && card->seat != seat)) continue;
        if (top == 0 || card->order > ref->card[top].order) top = c;
    }
    return top;
}

/* On top of what is there. */
static void put(struct dref *ref, int c, enum dref_where where, int seat)
{
    int order = dref_count(ref, where, seat);
    ref->card[c].where = where;
    ref->card[c].seat = seat;
    ref->card[c].order = order;
}

static bool has_targets(const struct dref *ref)
{
    return ref->rules.mini_game == DOBBLE_HOT_POTATO ||
           ref->rules.mini_game == DOBBLE_POISONED_GIFT;
}

static bool three_left(const struct dref *ref)
{
    for (int art = 0; art < 57; art++) {
        int count = 0;
        for (int c = 1; c <= ref->cards; c++)
            count += ref->card[c].where == DREF_PLACE && ref->card[c].has[art];
        if (count >= 3) return true;
    }
    return false;
}

static int in_part(const struct dref *ref, int part)
{
    int count = 0;
    for (int s = 0; s < ref->seats; s++) count += ref->seat[s].part == part;
    return count;
}

bool dref_wanted(const struct dref *ref, int s)
{
    return ref->seat[s].part == DOBBLE_IN || ref->seat[s].part == DOBBLE_ESCAPED;
}

/* ---- phases ---------------------------------------------------------------------------------- */

void dref_begin(struct dref *ref, int phase, uint64_t now)
{
    ref->phase = phase;
    ref->began = now;
    ref->silence = phase == DOBBLE_PLAYING ? now : DREF_NEVER;
    if (phase == DOBBLE_COUNTDOWN || phase == DOBBLE_PAUSED) ref->shown = false;
    for (int s = 0; s < ref->seats; s++)
        if (phase == DOBBLE_ROUND_END || phase == DOBBLE_FINISHED) ref->seat[s].lock = 0;
}

static void note_round(struct dref *ref, bool is_void)
{
    ref->last[0] = ref->round;
    ref->last[1] = is_void;
    ref->last[2] = ref->last[3] = 0;
    for (int s = 0; s < ref->seats && !is_void; s++)
        if (ref->seat[s].part == DOBBLE_IN) {
            ref->last[2] = s;
            ref->last[3] = dref_count(ref, DREF_PILE, s);
            ref->seat[s].penalty += ref->last[3];
        }
}

void dref_finish(struct dref *ref, int ending, uint64_t now)
{
    if (ref->rules.mini_game == DOBBLE_HOT_POTATO && ref->phase != DOBBLE_ROUND_END)
        note_round(ref, true);
    ref->ending = ending;
    ref->few = DREF_NEVER;
    dref_begin(ref, DOBBLE_FINISHED, now);
}

void dref_count_present(struct dref *ref, uint64_t now)
{
    int present = 0;
    for (int s = 0; s < ref->seats; s++)
        present += dref_wanted(ref, s) && ref->seat[s].away == DREF_NEVER;
    bool few = present < (ref->seats == 1 ? 1 : 2);
    if (!few) ref->few = DREF_NEVER;
    if (few && ref->few == DREF_NEVER) ref->few = now;
}

/* After a change: is the round or the game over? */
void dref_judge_end(struct dref *ref, bool by_forfeit, uint64_t now)
{
    int ending = by_forfeit ? DOBBLE_TOO_FEW : DOBBLE_PLAYED, in = in_part(ref, DOBBLE_IN);
    int left = in + in_part(ref, DOBBLE_ESCAPED);
    switch (ref->rules.mini_game) {
    case DOBBLE_WELL:
        if (ref->rules.end_at_first && in_part(ref, DOBBLE_EMPTIED)) ending = DOBBLE_PLAYED;
        if (in < 2 || (ref->rules.end_at_first && in_part(ref, DOBBLE_EMPTIED)))
            dref_finish(ref, ending, now);
        break;
    case DOBBLE_HOT_POTATO:
        if (left < 2) {
            dref_finish(ref, DOBBLE_TOO_FEW, now);
        } else if (in < 2 && ref->phase != DOBBLE_ROUND_END) {
            note_round(ref, by_forfeit);
            dref_begin(ref, DOBBLE_ROUND_END, now);
        }
        break;
    case DOBBLE_TRIPLET:
        if (dref_count(ref, DREF_DRAW, 0) == 0 && !three_left(ref)) dref_finish(ref, ending, now);
        break;
    default:
        if (dref_count(ref, DREF_CENTRE, 0) == 0) dref_finish(ref, ending, now);
    }
    if (ref->phase != DOBBLE_FINISHED) dref_count_present(ref, now);
}

void dref_next_round(struct dref *ref, uint64_t now)
{
    if (ref->round == ref->rules.rounds) {
        dref_finish(ref, DOBBLE_PLAYED, now);
        return;
    }
    ref->round++;
    ref->hints = 0;
    for (int c = 1; c <= ref->cards; c++)
        if (ref->card[c].where == DREF_PILE) ref->card[c].where = DREF_AWAY;
    for (int s = 0; s < ref->seats; s++) {
        struct dref_seat *seat = &ref->seat[s];
        seat->place = 0;
        memset(seat->won, 0, sizeof seat->won);
        if (seat->part == DOBBLE_ESCAPED) seat->part = DOBBLE_IN;
        if (seat->part == DOBBLE_IN) put(ref, dref_top(ref, DREF_DRAW, 0), DREF_PILE, s);
    }
    dref_begin(ref, DOBBLE_COUNTDOWN, now);
}

/* ---- winning --------------------------------------------------------------------------------- */

static int top_place(const struct dref *ref)
{
    int top = 0;
    for (int s = 0; s < ref->seats; s++)
        if (ref->seat[s].place > top) top = ref->seat[s].place;
    return top;
}

static void turn_up_centre(struct dref *ref, uint64_t now)
{
    int next = dref_top(ref, DREF_DRAW, 0);
    if (next == 0) return;
    put(ref, next, DREF_CENTRE, 0);
    ref->card[next].open_since = now;
}

static void pass_all(struct dref *ref, int from, int to)
{
    int count = dref_count(ref, DREF_PILE, from), under = dref_count(ref, DREF_PILE, to);
    for (int c = 1; c <= ref->cards && count > 0; c++)
        if (ref->card[c].where == DREF_PILE && ref->card[c].seat == from) {
            ref->card[c].seat = to;
            ref->card[c].order += under;
        }
}

static void take_three(struct dref *ref, int s, const int *claim, uint64_t now)
{
    for (int i = 0; i < 3; i++) put(ref, claim[i], DREF_PILE, s);
    for (int place = 0; place < 9; place++) {
        bool there = false;
        for (int c = 1; c <= ref->cards; c++)
            there = there || (ref->card[c].where == DREF_PLACE && ref->card[c].order == place);
        int next = dref_top(ref, DREF_DRAW, 0);
        if (there || next == 0) continue;
        ref->card[next].where = DREF_PLACE;
        ref->card[next].order = place;
        ref->card[next].open_since = now;
    }
}

/* The two or three cards that a claim compares. */
static int compared(const struct dref *ref, const int *claim, int card[3])
{
    bool gift = ref->rules.mini_game == DOBBLE_POISONED_GIFT;
    card[0] = gift ? dref_top(ref, DREF_PILE, claim[3] - 1) : claim[0];
    card[1] = claim[1];
    card[2] = claim[2];
    return ref->rules.mini_game == DOBBLE_TRIPLET ? 3 : 2;
}

void dref_win(struct dref *ref, int s, const int *claim, uint64_t at, uint64_t now)
{
    struct dref_seat *seat = &ref->seat[s];
    int card[3], count = compared(ref, claim, card), to = claim[3] ? claim[3] - 1 : s;
    uint64_t since = 0;
    for (int i = 0; i < count; i++)
        if (ref->card[card[i]].open_since > since) since = ref->card[card[i]].open_since;
    seat->streak = at - since >= 200 ? 0 : seat->streak < 5 ? seat->streak + 1 : 5;
    seat->suspected = seat->suspected || seat->streak == 5;
    seat->right++;
    memcpy(seat->won, claim, sizeof seat->won);
    if (seat->lock <= now) seat->lock = 0;
    ref->hints = 0;
    ref->silence = now;
    switch (ref->rules.mini_game) {
    case DOBBLE_TRIPLET: take_three(ref, s, claim, now); break;
    case DOBBLE_WELL:
        put(ref, card[0], DREF_CENTRE, 0);
        if (dref_top(ref, DREF_PILE, s)) {
            ref->card[dref_top(ref, DREF_PILE, s)].open_since = now;
            break;
        }
        seat->place = top_place(ref) + 1;
        seat->part = DOBBLE_EMPTIED;
        seat->lock = 0;
        break;
    case DOBBLE_HOT_POTATO:
        pass_all(ref, s, to);
        seat->place = top_place(ref) + 1;
        seat->part = DOBBLE_ESCAPED;
        seat->lock = 0;
        break;
    default: put(ref, card[1], DREF_PILE, to); turn_up_centre(ref, now);
    }
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool cards_lie_open(const struct dref *ref, int s, const int *claim)
{
    int mine = dref_top(ref, DREF_PILE, s), centre = dref_top(ref, DREF_CENTRE, 0);
    switch (ref->rules.mini_game) {
    case DOBBLE_TRIPLET:
        for (int i = 0; i < 3; i++)
            if (claim[i] < 1 || claim[i] > ref->cards || ref->card[claim[i]].where != DREF_PLACE)
                return false;
        return true;
    case DOBBLE_HOT_POTATO: {
        bool named = claim[3] >= 1 && claim[3] <= ref->seats;
        return claim[0] == mine && (!named || claim[1] == dref_top(ref, DREF_PILE, claim[3] - 1));
    }
    case DOBBLE_POISONED_GIFT: return claim[1] == centre;
    default: return claim[0] == mine && claim[1] == centre;
    }
}

int dref_fault(const struct dref *ref, int s, const int *claim)
{
    if (!cards_lie_open(ref, s, claim)) return DOBBLE_LATE;
    if (!has_targets(ref)) return claim[3] ? DOBBLE_NO_TARGET_HERE : 0;
    if (claim[3] == 0) return DOBBLE_TARGET_NEEDED;
    if (claim[3] - 1 == s) return DOBBLE_OWN_TARGET;
    if (claim[3] > ref->seats || ref->seat[claim[3] - 1].part != DOBBLE_IN)
        return DOBBLE_TARGET_OUT;
    return 0;
}

static int why_not_now(const struct dref *ref)
{
    static const int reasons[] = {
        0,          DOBBLE_IN_COUNTDOWN, 0, DOBBLE_IN_ROUND_END, DOBBLE_IN_HINT, DOBBLE_IN_PAUSE,
        DOBBLE_OVER};
    return reasons[ref->phase];
}

static void wrong(struct dref *ref, int s, uint64_t now)
{
    struct dref_seat *seat = &ref->seat[s];
    seat->wrong++;
    seat->streak = 0;
    if (ref->rules.lockout_ms) seat->lock = now + ref->rules.lockout_ms;
    if (!ref->rules.gives_card || seat->given == 5 || dref_count(ref, DREF_PILE, s) < 2) return;
    int lost = dref_top(ref, DREF_PILE, s);
    for (int c = 1; c <= ref->cards; c++)
        if (ref->card[c].where == DREF_DRAW) ref->card[c].order++;
    ref->card[lost].where = DREF_DRAW;
    ref->card[lost].order = 0;
    seat->given++;
    ref->card[dref_top(ref, DREF_PILE, s)].open_since = now;
}

static void wait_in_window(struct dref *ref, int s, const int *claim, uint32_t rtt_ms, uint64_t now)
{
    for (int i = 0; i < ref->waiting; i++)
        if (ref->wait[i].seat == s) return;
    struct dref_wait *wait = &ref->wait[ref->waiting++];
    memset(wait, 0, sizeof *wait);
    wait->seat = s;
    wait->at = now;
    wait->adjusted = now - (rtt_ms / 2 > 80 ? 80 : rtt_ms / 2);
    memcpy(wait->claim, claim, sizeof wait->claim);
}

int dref_act(struct dref *ref, int s, const struct dobble_action *action, uint32_t rtt_ms,
             uint64_t now)
{
    bool three = ref->rules.mini_game == DOBBLE_TRIPLET;
    int claim[5] = {action->claim.card[0], action->claim.card[1], action->claim.card[2],
                    action->claim.target, action->claim.art};
    if (action->triplet != three) return DOBBLE_OTHER_MINI_GAME;
    if (three && (claim[0] == claim[1] || claim[1] == claim[2] || claim[0] == claim[2]))
        return DOBBLE_NOT_THREE;
    if (ref->rules.mini_game == DOBBLE_POISONED_GIFT) claim[0] = 0;
    struct dref_seat *seat = &ref->seat[s];
    bool again = seat->won[1] && memcmp(seat->won, claim, sizeof claim) == 0;
    bool open = ref->phase == DOBBLE_PLAYING && cards_lie_open(ref, s, claim);
    if (again && !open && ref->phase != DOBBLE_FINISHED) return 0;
    if (why_not_now(ref)) return why_not_now(ref);
    if (seat->part != DOBBLE_IN) return DOBBLE_NOT_IN_PLAY;
    if (now < seat->lock) return DOBBLE_LOCKED;
    if (dref_fault(ref, s, claim)) return dref_fault(ref, s, claim);
    int card[3], count = compared(ref, claim, card);
    for (int i = 0; i < count; i++)
        if (!ref->card[card[i]].has[claim[4]]) {
            wrong(ref, s, now);
            return 0;
        }
    if (ref->rules.light) {
        wait_in_window(ref, s, claim, rtt_ms, now);
        return 0;
    }
    dref_win(ref, s, claim, now, now);
    dref_judge_end(ref, false, now);
    return 0;
}
