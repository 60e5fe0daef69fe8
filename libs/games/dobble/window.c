/* SPDX-License-Identifier: Apache-2.0
 *
 * latencyComp = light: the first right claim opens a window of 60 ms in receive time. Right claims
 * within it wait; nobody sees anything of it. At its end they are taken in the order of their
 * adjusted times (then receive time, then arrival), each judged again as the cards lie by then.
 * Those who come too late are told by seat: the order among them is of round trips, which are
 * nobody's business.
 */
#include "games/dobble/dobble.h"

#include "base/check.h"

void dobble_window_enter(struct dobble_step *step, int seat, uint32_t rtt_ms,
                         const struct dobble_claim *claim)
{
    struct dobble_state *state = step->state;
    step->events->hidden = true;
    for (int i = 0; i < state->window_len; i++)
        if (state->window[i].seat == seat) return;
    CHECK(state->window_len < DOBBLE_SEATS_MAX);
    instant_ms at = step->context->now;
    instant_ms by = rtt_ms / 2 < DOBBLE_ADJUST_MAX_MS ? rtt_ms / 2 : DOBBLE_ADJUST_MAX_MS;
    state->window[state->window_len++] = (struct dobble_waiting){
        .seat = (uint8_t)seat,
        .at = at,
        .adjusted = at > by ? at - by : 0,
        .claim = *claim,
    };
}

/* Receive times never fall, so arrival is their order and the order of equal ones. */
static void sort_by_adjusted(struct dobble_waiting *list, int len)
{
    for (int i = 1; i < len; i++) {
        struct dobble_waiting moving = list[i];
        int to = i;
        for (; to > 0 && list[to - 1].adjusted > moving.adjusted; to--) list[to] = list[to - 1];
        list[to] = moving;
    }
}

void dobble_window_resolve(struct dobble_step *step)
{
    struct dobble_state *state = step->state;
    struct dobble_waiting list[DOBBLE_SEATS_MAX];
    int len = state->window_len;
    uint32_t beaten = 0;
    memcpy(list, state->window, sizeof list);
    memset(state->window, 0, sizeof state->window);
    state->window_len = 0;
    sort_by_adjusted(list, len);
    for (int i = 0; i < len; i++) {
        const struct dobble_waiting *next = &list[i];
        if (state->seat[next->seat].part == DOBBLE_IN &&
            dobble_claim_fault(state, next->seat, &next->claim) == 0)
            dobble_win(step, next->seat, &next->claim, next->at);
        else
            beaten |= 1u << next->seat;
    }
    for (int seat = 0; seat < state->seats; seat++)
        if (beaten >> seat & 1) dobble_tell_beaten(step->events, seat);
}
