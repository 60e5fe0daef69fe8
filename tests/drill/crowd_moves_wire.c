/* SPDX-License-Identifier: Apache-2.0
 *
 * number-baseball for thousands: a guess that costs nothing to find, and when the countdown ends.
 */
#include "drill/crowd.h"

#include "baseball.pb-c.h"

#include <stdio.h>

typedef Madang__V1__Baseball__View View;
typedef Madang__V1__Baseball__Mine Mine;

enum { FOUR = 4, CODES = 5040, APART = 1237 };

/* The nth of the codes of four distinct digits. */
static void write_code(uint32_t n, char text[FOUR + 1])
{
    char left[] = "0123456789";
    for (int i = 0; i < FOUR; i++) {
        uint32_t digits = 10 - (uint32_t)i, at = n % digits;
        n /= digits;
        text[i] = left[at];
        memmove(left + at, left + at + 1, digits - at);
    }
    text[FOUR] = '\0';
}

/* Every guess of a game differs; where it begins differs from game to game. */
size_t crowd_baseball_move(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    bool counting;
    uint64_t starts;
    if (!crowd_baseball_starts(player, &counting, &starts) || counting) return 0;
    Mine *mine = madang__v1__baseball__mine__unpack(NULL, player->mine.len, player->mine.at);
    if (mine == NULL) return 0;
    uint32_t made = mine->log ? (uint32_t)mine->log->n_codes : 0;
    bool left = mine->guesses_left > 0;
    madang__v1__baseball__mine__free_unpacked(mine, NULL);
    char text[FOUR + 1];
    write_code((uint32_t)((starts + (uint64_t)made * APART) % CODES), text);
    Madang__V1__Baseball__Guess guess = MADANG__V1__BASEBALL__GUESS__INIT;
    guess.code = (ProtobufCBinaryData){FOUR, (uint8_t *)text};
    Madang__V1__Baseball__Action action = MADANG__V1__BASEBALL__ACTION__INIT;
    action.kind_case = MADANG__V1__BASEBALL__ACTION__KIND_GUESS;
    action.guess = &guess;
    return left ? madang__v1__baseball__action__pack(&action, bytes) : 0;
}

bool crowd_baseball_starts(const struct ws_client *player, bool *counting, uint64_t *starts)
{
    View *view = madang__v1__baseball__view__unpack(NULL, player->game.len, player->game.at);
    if (view == NULL) return false;
    *counting = view->phase == MADANG__V1__BASEBALL__PHASE__PHASE_COUNTDOWN;
    *starts = view->starts;
    madang__v1__baseball__view__free_unpacked(view, NULL);
    return true;
}
