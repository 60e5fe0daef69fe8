/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions: what each must fulfil before anybody looks into it, and the game's.
 *
 * An action is judged in this order:
 *   1. the seat exists                   else NOT_SEATED
 *   2. the counter is one                else MALFORMED
 *   3. it was accepted before            REPEATED with its first outcome, while that is among the
 *                                        last sixteen; else ALREADY_HANDLED
 *   4. its generation holds the seat     else OTHER_WINDOW (for 3 too, unless it sent that action)
 *   5. its counter is the next           else OUT_OF_ORDER
 *   6. the seat is connected             else OUT_OF_PLACE
 *   7. the rate                          else TOO_FAST
 *   8. what it asks for: the game runs, the version it was made for, the rules
 *
 * The rate counts accepted actions alone, by the stamps of their entries: each costs 50 ms, and a
 * seat may be 39 times that ahead of the room's clock. So a refusal changes nothing and a replay
 * judges alike; floods of what is refused are the gateway's to stop.
 */
#include "base/check.h"
#include "room/state.h"

_Static_assert(ROOM_PAY_MS *ROOM_ACTIONS_PER_S == 1000, "the price of an action is whole");

/* The version that an answer is part of: its low half is kept, the rest follows from the room's. */
static uint64_t answer_seq(const struct room *room, const struct room_answer *answer)
{
    return room->seq - (uint32_t)((uint32_t)room->seq - answer->seq);
}

static enum room_verdict repeat(struct change *change, const struct room_seat *seat)
{
    const struct room_input *input = change->input;
    bool holds = input->generation == seat->generation;
    if (seat->counter - input->counter >= ROOM_OUTCOMES_MAX)
        return room_refuse(change, holds ? REASON_ALREADY_HANDLED : REASON_OTHER_WINDOW);
    const struct room_answer *answer = &seat->answers[input->counter % ROOM_OUTCOMES_MAX];
    if (!holds && answer->generation != input->generation)
        return room_refuse(change, REASON_OTHER_WINDOW);
    change->out->seq = answer_seq(change->room, answer);
    if (MUTANT(repeat_answered_anew)) change->out->seq = change->room->seq;
    return ROOM_REPEATED;
}

enum room_verdict room_admit(struct change *change)
{
    const struct room_input *input = change->input;
    const struct room_seat *seat = room_seat_at(change->room, input->seat);
    if (seat == NULL) return room_refuse(change, REASON_NOT_SEATED);
    if (input->counter == 0) return room_refuse(change, REASON_MALFORMED);
    if (input->counter <= seat->counter && !MUTANT(action_applied_twice))
        return repeat(change, seat);
    if (input->generation != seat->generation && !MUTANT(former_window_acts))
        return room_refuse(change, REASON_OTHER_WINDOW);
    if (input->counter > seat->counter + 1 && !MUTANT(counter_skips_ahead))
        return room_refuse_with(change, REASON_OUT_OF_ORDER, seat->counter + 1);
    if (!seat->connected) return room_refuse(change, REASON_OUT_OF_PLACE);
    if (seat->paid_until > change->at + (ROOM_ACTIONS_BURST - 1) * ROOM_PAY_MS)
        return room_refuse(change, REASON_TOO_FAST);
    return ROOM_ACCEPTED;
}

void room_record_action(struct change *change, int s)
{
    struct room_seat *seat = &change->room->seats[s];
    uint64_t counter = change->input->counter;
    bool next = counter == seat->counter + 1;
    if (MUTANT(action_applied_twice) || MUTANT(counter_skips_ahead)) next = true;
    CHECK(seat->taken && next);
    if (counter > seat->counter) seat->counter = counter;
    seat->answers[counter % ROOM_OUTCOMES_MAX] = (struct room_answer){
        .generation = change->input->generation,
        .seq = (uint32_t)(change->room->seq + (change->hidden ? 0 : 1)),
    };
    if (seat->paid_until < change->at) seat->paid_until = change->at;
    seat->paid_until += ROOM_PAY_MS;
}

enum room_verdict room_on_act(struct change *change)
{
    const struct room_input *input = change->input;
    struct room *room = change->room;
    enum room_verdict verdict = room_admit(change);
    if (verdict != ROOM_ACCEPTED) return verdict;
    if (room->phase == ROOM_SET_ASIDE) return room_refuse(change, REASON_SET_ASIDE);
    if (room->phase != ROOM_PLAYING) return room_refuse(change, REASON_NOT_NOW);
    if (input->bytes.len > GAME_ACTION_BYTES_MAX) return room_refuse(change, REASON_MALFORMED);
    bool stale = input->made_for != room->game_version && room->game->bound(input->bytes);
    if (stale && !MUTANT(stale_action_taken)) return room_refuse(change, REASON_STALE);

    struct game_input asked = {
        .kind = GAME_ACTION,
        .seat = room_game_seat(room, input->seat),
        .rtt_ms = input->rtt_ms,
        .action = input->bytes,
    };
    CHECK(asked.seat >= 0); /* nobody sits down while a game runs */
    if (room_game_input(change, &asked, &change->out->why) != ST_OK) return ROOM_REFUSED;
    room_record_action(change, input->seat);
    return ROOM_ACCEPTED;
}
