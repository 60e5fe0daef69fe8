/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract that every game fulfils: one `const struct game` of data and pure functions over a
 * flat state that the caller allocates. Clone is a copy of state_size bytes; saving is encode.
 *
 * A game owns its rules and nothing else. Seats, host, joining, spectators, reconnects, repeated
 * and stale actions, rate limits, missed-turn counting, points over several games and rematches
 * belong to libs/room.
 *
 * Everything is a function of its arguments: no clock, no allocation that outlives a call, no
 * global that changes. `state` pointers are aligned to 16 bytes and state_size long.
 */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/buf.h"
#include "base/status.h"
#include "base/types.h"
#include "game/rng.h"

enum {
    GAME_SEATS_MAX = 12,
    GAME_OPTIONS_MAX = 16,
    GAME_CHOICES_MAX = 12,
    GAME_REFUSAL_PARAMS_MAX = 4,
    GAME_EVENTS_MAX = 64, /* per applied input */
    GAME_ACTION_BYTES_MAX = 256,
    GAME_ENCODED_BYTES_MAX = 8192,
    GAME_VIEW_BYTES_MAX = 8192,
};
#define GAME_SPECTATOR (-1)

typedef uint16_t seat_mask; /* bit s: game seat s */

/* ---- options as data ------------------------------------------------------------------------- */

enum game_option_kind { GAME_OPTION_SWITCH = 1, GAME_OPTION_CHOICE, GAME_OPTION_NUMBER };

struct game_choice {
    int32_t value;
    const char *key; /* text: option.<game>.<option>.<key> */
};

struct game_option {
    const char *key; /* text: option.<game>.<key> and option.<game>.<key>.help */
    enum game_option_kind kind;
    struct game_choice choices[GAME_CHOICES_MAX]; /* CHOICE: ends at key NULL */
    int32_t min, max;                             /* NUMBER */
    int32_t default_value;
    /* The default follows another option: NULL, or that option's key with one default per value of
     * it. */
    const char *default_by;
    struct game_choice
        defaults[GAME_CHOICES_MAX]; /* value: default; key: decimal text of the other's value */
    const char *depends_key; /* shown only while that option has depends_value; NULL: always */
    int32_t depends_value;
};

/* Values in the order of game->options. */
struct game_options {
    int32_t value[GAME_OPTIONS_MAX];
};

enum game_verdict { GAME_OPTIONS_OK, GAME_OPTIONS_NOTE, GAME_OPTIONS_REFUSED };

/* ---- inputs and outcomes --------------------------------------------------------------------- */

enum game_input_kind {
    GAME_ACTION = 1, /* a seat did something: bytes are the game's own Action message */
    GAME_CLOCK,      /* the deadline has passed: now is that deadline */
    GAME_PRESENCE,   /* connected has changed */
};

struct game_input {
    enum game_input_kind kind;
    int seat;            /* ACTION, PRESENCE */
    bool connected;      /* PRESENCE: what it is now */
    uint32_t rtt_ms;     /* ACTION: 0 when unknown */
    struct slice action; /* ACTION; borrowed */
};

/* What the room knows and a game may need; all of it is public and part of the log. */
struct game_context {
    instant_ms now;    /* room time; never decreases between calls */
    seat_mask hurried; /* seats whose deadlines are shortened to GAME_HURRY_MS */
    seat_mask connected;
    seat_mask left; /* gave the seat up or was kicked: played by the clock */
};
enum { GAME_HURRY_MS = 5000, GAME_RETURN_MS = 10000 };

struct game_refusal {
    uint32_t code; /* the game's own reason enum; 0: none */
    int32_t params[GAME_REFUSAL_PARAMS_MAX];
    int param_count;
};

/* One thing that happened: a part for everybody, and for at most one seat something beside it. */
struct game_event {
    struct slice shared; /* the game's Event message */
    struct slice mine;   /* the game's MineEvent; empty for none */
    int seat;            /* whom `mine` is for; -1 for none */
};

/* Filled by apply; the slices lie in bytes. The caller clears it before each call
 * (game_events_clear). */
struct game_events {
    struct game_event list[GAME_EVENTS_MAX];
    int count;
    struct {
        size_t shared_from, shared_len, mine_from, mine_len;
    } span[GAME_EVENTS_MAX];
    struct buf bytes;
    /* Set by apply when nobody may notice this input now (a claim inside a compensation window): it
     * tells no events, ends nothing, and nobody's view differs before a later input. The room then
     * leaves the versions alone. */
    bool hidden;
};
void game_events_clear(struct game_events *events);
void game_events_fini(struct game_events *events);
/* Copies. Slices in list are set by game_events_seal, which the caller of apply calls once after
 * it. */
void game_events_add(struct game_events *events, struct slice shared, int seat, struct slice mine);
void game_events_seal(struct game_events *events);

/* ---- what the room may ask ------------------------------------------------------------------- */

struct game_status {
    bool finished;
    seat_mask to_act;    /* seats the game waits for */
    instant_ms deadline; /* next instant that matters, room time; INSTANT_NEVER for none */
    uint32_t turn;       /* rises when a new turn begins; 0 while turns do not apply (no missed-turn
                            counting) */
    int turn_seat;       /* whose turn it is; -1 for none */
};

struct game_setup {
    const struct game_options *options;
    int seats;
    const struct game_seed *seed;
    int starter; /* seat of the previous winner in a rematch; -1 for none */
    instant_ms now;
    seat_mask connected;
};

struct game_viewer {
    int seat; /* or GAME_SPECTATOR */
    bool host;
};

struct game_standing {
    int rank;   /* 1 is best; shared ranks are 1, 1, 3; 0: without a rank */
    int points; /* for the room's board; 0 where the game gives none */
    bool winner;
};

struct game_result {
    struct game_standing seat[GAME_SEATS_MAX];
    int next_starter; /* seat that starts a rematch; -1 for none */
};

/* The messages of the game's own .proto, for tools that print what they meet. Each is a
 * ProtobufCMessageDescriptor, which only the code that prints needs to know. */
struct game_messages {
    const void *action, *view, *mine, *event, *mine_event;
};

struct game {
    const char *id;         /* "davinci-code" */
    uint16_t rules_version; /* raised by every change of rules or encoding; from 1 */
    /* The version before this one, whole and unchanged, for rooms that play it still while old and
     * new binaries run side by side; NULL: none. It has the same id and names none before it. */
    const struct game *previous;
    int seats_min, seats_max;
    size_t state_size;
    const struct game_option *options;
    int option_count;
    /* The game itself ends, or goes on, when nobody is connected (it hears of it by GAME_PRESENCE):
     * the room then does not pause it. */
    bool minds_absence;
    /* Key of the switch that makes it practice for one seat: with it on, one person is enough, and
     * check refuses more. NULL: there is none. */
    const char *solo_key;
    /* Key of the switch that shows everybody's round trip to all. NULL: nobody's is ever sent. */
    const char *rtt_key;
    const struct game_messages *messages; /* NULL: its bytes are printed as such */

    /* Judges options for a number of seats. *text_key is set for a note or a refusal
     * ("note.davinci-code.short"). */
    enum game_verdict (*check)(const struct game_options *options, int seats,
                               const char **text_key);

    /* Fills the state, first deadline included. Arguments were checked. */
    void (*setup)(void *state, const struct game_setup *setup);

    /* Applies one input. ST_OK; ST_REFUSED or ST_INVALID (cannot be read) with *refusal set, no
     * events and the state untouched. GAME_CLOCK and GAME_PRESENCE are never refused. One clock
     * input does what one deadline asks; the room calls again while the next deadline has passed
     * too. */
    enum status (*apply)(void *state, const struct game_input *input,
                         const struct game_context *context, struct game_events *events,
                         struct game_refusal *refusal);

    /* True when actions of this kind must name the version they were made for; false when they name
     * their own bases. Called with any bytes; unreadable ones are bound. */
    bool (*bound)(struct slice action);

    void (*status)(const void *state, struct game_status *out);

    /* The automatic action for a seat that is to act, as Action bytes (at most
     * GAME_ACTION_BYTES_MAX): computed from what that seat may know and nothing else. Returns its
     * length. The game's own clock handling does the same. */
    size_t (*timeout_action)(const void *state, int seat, uint8_t *bytes);

    /* The only way out. Appends the shared part and the part of that viewer alone (nothing for a
     * spectator). Either buffer may be NULL: that part is not wanted and costs nothing. */
    void (*view)(const void *state, const struct game_viewer *viewer, struct buf *shared,
                 struct buf *mine);

    /* Only when finished. Also called after an abandoned game ended it: see end. */
    void (*result)(const void *state, struct game_result *out);

    /* Canonical bytes: equal states give equal bytes, and decode(encode(s)) behaves as s. decode
     * refuses damaged bytes (ST_INVALID) and never leaves an impossible state behind. */
    void (*encode)(const void *state, struct buf *out);
    enum status (*decode)(void *state, struct slice bytes);

    /* ---- for the conformance suite; not called by servers ---- */

    /* Writes a random action for a seat as bytes: mostly legal (kind 0), a near miss (1: wrong
     * seat's, boundary index, revealed target...) or garbage (2). Returns its length; 0 when that
     * seat can do nothing. */
    size_t (*random_action)(const void *state, int seat, int kind, struct rng *rng, uint8_t *bytes);
    /* Rewrites the state into another that differs only in what viewer may not know (others' hidden
     * things permuted consistently with all that viewer has seen, unseen order, unused randomness).
     * False when there is no other. */
    bool (*permute_hidden)(void *state, int viewer_seat, struct rng *rng);
    /* What this input, if it is applied, may tell a viewer (or GAME_SPECTATOR) about hidden things,
     * in any fixed form: two states that permute_hidden makes of one another, and in which an
     * input releases the same, must give that viewer equal views and events. NULL: no input tells
     * anything. Written from the rules, not from the views, which it is there to check. */
    void (*releases)(const void *state, const struct game_input *input,
                     const struct game_context *context, int viewer_seat, struct buf *out);
    /* Conservation and the like: NULL when the state is sound, else a sentence. */
    const char *(*audit)(const void *state);
};

/* hash_128 over encode. */
struct id128 game_hash(const struct game *game, const void *state);

/* ---- options, once for all games ------------------------------------------------------------- */

void game_options_default(const struct game *game, struct game_options *out);
/* Index of an option by key, or -1. */
int game_option_find(const struct game *game, struct slice key);
/* Sets one value and moves defaults that follow it (only where the follower still had its default).
 * ST_UNKNOWN for a key the game lacks, ST_REFUSED for a value out of bounds; nothing is changed
 * then. */
enum status game_options_set(const struct game *game, struct game_options *options,
                             struct slice key, int32_t value);
/* Persons that a start needs with these options: seats_min, or one where the game is practised
 * alone. */
int game_seats_least(const struct game *game, const struct game_options *options);
bool game_shows_rtt(const struct game *game, const struct game_options *options);

/* ---- registry -------------------------------------------------------------------------------- */

/* Every game of this build, in display order. Tests may add one (at most 16 in all). */
int game_count(void);
const struct game *game_at(int index);
const struct game *game_find(struct slice id); /* its newest version */
/* That version of it, if this build carries it. */
const struct game *game_find_version(struct slice id, uint32_t rules_version);
void game_register_for_tests(const struct game *game);

#endif
