/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference's time: deadlines, windows, absence.
 */
#include "unit/games/dobble_reference.h"

static uint64_t plus(uint64_t since, uint64_t ms)
{
    return since == DREF_NEVER ? DREF_NEVER : since + ms;
}

static uint64_t forfeit_at(const struct dref *ref, int s)
{
    bool may = ref->rules.mini_game == DOBBLE_WELL || ref->rules.mini_game == DOBBLE_HOT_POTATO;
    return may && dref_wanted(ref, s) ? plus(ref->seat[s].away, 30000) : DREF_NEVER;
}

static uint64_t phase_end(const struct dref *ref)
{
    static const uint64_t length[] = {0, 3000, 0, 3000, 2000, 60000, 0};
    return length[ref->phase] ? ref->began + length[ref->phase] : DREF_NEVER;
}

static uint64_t pause_at(const struct dref *ref)
{
    bool may = ref->phase == DOBBLE_COUNTDOWN || ref->phase == DOBBLE_PLAYING;
    return may ? plus(ref->few, 10000) : DREF_NEVER;
}

uint64_t dref_deadline(const struct dref *ref)
{
    if (ref->phase == DOBBLE_FINISHED) return DREF_NEVER;
    if (ref->waiting) return ref->wait[0].at + 60;
    uint64_t all[3 + 8] = {phase_end(ref), pause_at(ref), plus(ref->silence, 45000)};
    uint64_t first = DREF_NEVER;
    for (int s = 0; s < ref->seats; s++) all[3 + s] = forfeit_at(ref, s);
    for (int i = 0; i < 3 + ref->seats; i++)
        if (all[i] < first) first = all[i];
    return first;
}

/* The least (adjusted, received, arrived) first, until none waits. */
static void take_waiting(struct dref *ref, uint64_t now)
{
    bool taken[8] = {false};
    for (int n = 0; n < ref->waiting; n++) {
        int best = -1;
        for (int i = 0; i < ref->waiting; i++) {
            if (taken[i]) continue;
            if (best < 0 || ref->wait[i].adjusted < ref->wait[best].adjusted ||
                (ref->wait[i].adjusted == ref->wait[best].adjusted &&
                 ref->wait[i].at < ref->wait[best].at))
                best = i;
        }
        if (best < 0) break;
        taken[best] = true;
        const struct dref_wait *wait = &ref->wait[best];
        if (ref->seat[wait->seat].part == DOBBLE_IN && !dref_fault(ref, wait->seat, wait->claim))
            dref_win(ref, wait->seat, wait->claim, wait->at, now);
    }
    ref->waiting = 0;
    dref_judge_end(ref, false, now);
}

static void show(struct dref *ref, uint64_t now)
{
    dref_begin(ref, DOBBLE_PLAYING, now);
    ref->shown = true;
    for (int c = 1; c <= ref->cards; c++) {
        const struct dref_card *card = &ref->card[c];
        bool top = card->where == DREF_PLACE || c == dref_top(ref, DREF_CENTRE, 0) ||
                   (card->where == DREF_PILE && c == dref_top(ref, DREF_PILE, card->seat));
        if (top) ref->card[c].open_since = now;
    }
}

static void forfeits(struct dref *ref, uint64_t now)
{
    bool any = false;
    for (int s = 0; s < ref->seats && ref->phase != DOBBLE_FINISHED; s++) {
        if (forfeit_at(ref, s) > now) continue;
        any = true;
        ref->seat[s].part = DOBBLE_FORFEITED;
        ref->seat[s].place = 0;
        ref->seat[s].lock = 0;
        for (int c = 1; c <= ref->cards; c++)
            if (ref->card[c].where == DREF_PILE && ref->card[c].seat == s)
                ref->card[c].where = DREF_AWAY;
    }
    if (any) dref_judge_end(ref, true, now);
}

void dref_clock(struct dref *ref, uint64_t now)
{
    if (now < dref_deadline(ref)) return;
    if (ref->waiting) take_waiting(ref, now);
    forfeits(ref, now);
    if (ref->phase == DOBBLE_ROUND_END && phase_end(ref) <= now) dref_next_round(ref, now);
    if (ref->phase == DOBBLE_HINT && phase_end(ref) <= now) {
        if (ref->hints == 4)
            dref_finish(ref, DOBBLE_UNFOUND, now);
        else
            dref_begin(ref, DOBBLE_PLAYING, now);
    }
    if (pause_at(ref) <= now) dref_begin(ref, DOBBLE_PAUSED, now);
    if (ref->phase == DOBBLE_COUNTDOWN && phase_end(ref) <= now) show(ref, now);
    if (ref->phase == DOBBLE_PAUSED && phase_end(ref) <= now) dref_finish(ref, DOBBLE_ABSENT, now);
    if (plus(ref->silence, 45000) <= now) {
        ref->hints++;
        dref_begin(ref, DOBBLE_HINT, now);
    }
}

void dref_presence(struct dref *ref, int s, bool connected, uint64_t now)
{
    struct dref_seat *seat = &ref->seat[s];
    if (ref->phase == DOBBLE_FINISHED) return;
    if (!connected && seat->away == DREF_NEVER) seat->away = now;
    if (connected) seat->away = DREF_NEVER;
    dref_count_present(ref, now);
    if (ref->phase == DOBBLE_PAUSED && ref->few == DREF_NEVER)
        dref_begin(ref, DOBBLE_COUNTDOWN, now);
}
