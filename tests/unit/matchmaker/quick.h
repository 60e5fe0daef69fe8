/* SPDX-License-Identifier: Apache-2.0
 *
 * Quick match on the bench: what gateways ask about tickets, and what store and workers say to it.
 */
#ifndef MATCHMAKER_QUICK_H
#define MATCHMAKER_QUICK_H

#include "unit/matchmaker/bench.h"

/* Asks how the ticket stands; the token. */
uint64_t quick_ask(uint8_t ticket);
/* The same, for any room but that one. */
uint64_t quick_ask_but(uint8_t ticket, room_id avoid);
/* The store says where a ticket went (room 0: nowhere). */
void quick_say_claimed(room_id room, uint32_t expected);
/* quick_ask for a ticket that nobody has claimed. */
uint64_t quick_poll(uint8_t ticket);
/* The store looks for a room: there is none, or w1 has it. */
void quick_say_none(void);
void quick_say_there(room_id room);
/* The claim of the last step, and what the store says to it. */
const struct effect *quick_claim(void);
void quick_say_claim(enum status status);
/* Whoever asks for the ticket is told the room. */
void quick_assert_told(uint8_t ticket, room_id room);

#endif
