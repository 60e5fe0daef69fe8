/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a player is refused: the Reason and NameFault of client.proto for code that may not see
 * generated types. The numbers are the wire's; reason.c holds both lists against the generated
 * enums at compile time.
 */
#ifndef WIRE_REASON_H
#define WIRE_REASON_H

#include <stdint.h>

#define REASON_LIST(X)     \
    X(MALFORMED, 1)        \
    X(OUT_OF_PLACE, 2)     \
    X(PROTOCOL, 3)         \
    X(BAD_NAME, 4)         \
    X(UNKNOWN_GAME, 5)     \
    X(BAD_OPTION, 6)       \
    X(NO_SUCH_ROOM, 7)     \
    X(ROOM_FULL, 8)        \
    X(ROOM_CLOSED, 9)      \
    X(KICKED, 10)          \
    X(TOO_MANY_TRIES, 11)  \
    X(TOO_FAST, 12)        \
    X(BUSY, 13)            \
    X(STALE, 14)           \
    X(OUT_OF_ORDER, 15)    \
    X(ALREADY_HANDLED, 16) \
    X(OTHER_WINDOW, 17)    \
    X(NOT_HOST, 18)        \
    X(NOT_SEATED, 19)      \
    X(NOT_NOW, 20)         \
    X(TOO_FEW, 21)         \
    X(SEAT_TAKEN, 22)      \
    X(OPTIONS_CLASH, 23)   \
    X(SET_ASIDE, 24)       \
    X(GAME_RUNS, 25)       \
    X(NO_CAPACITY, 26)     \
    X(NO_RULES, 27)

enum reason {
    REASON_NONE = 0,
#define X(name, number) REASON_##name = number,
    REASON_LIST(X)
#undef X
};

/* All of them, and NONE: they are numbered without a gap. */
enum {
    REASON_COUNT = 1
#define X(name, number) +1
    REASON_LIST(X)
#undef X
};

/* The reason that a refusal of this domain and code gives; NONE: a game's rules gave it. */
enum reason refusal_reason(const char *domain, uint32_t code);

#define NAME_FAULT_LIST(X) \
    X(EMPTY, 1)            \
    X(LONG, 2)             \
    X(CHARACTERS, 3)

enum name_fault {
    NAME_FAULT_NONE = 0,
#define X(name, number) NAME_FAULT_##name = number,
    NAME_FAULT_LIST(X)
#undef X
};

#endif
