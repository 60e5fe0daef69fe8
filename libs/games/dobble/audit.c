/* SPDX-License-Identifier: Apache-2.0
 *
 * What is true of every state: cards are conserved, any two share one picture, and each phase has
 * what it needs to go on. decode accepts nothing else, so a damaged save cannot reach an assertion
 * of the engine later.
 */
#include "games/dobble/dobble.h"

#define SOUND(condition, sentence)         \
    do {                                   \
        if (!(condition)) return sentence; \
    } while (0)

/* Far beyond any game and far from overflow. */
#define INSTANT_MAX (UINT64_C(1) << 53)
enum { COUNT_MAX = 1 << 30, LOCKOUT_MAX = 2000, ROUNDS_MAX = 57 };

static int bits_of(uint64_t set)
{
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

static bool is_flag(uint8_t value)
{
    return value <= 1;
}

static bool is_game(const struct dobble_state *state, enum dobble_mini_game game)
{
    return state->rules.mini_game == game;
}

static const char *audit_rules(const struct dobble_state *state)
{
    const struct dobble_rules *rules = &state->rules;
    SOUND(rules->mini_game >= DOBBLE_TOWER && rules->mini_game <= DOBBLE_TRIPLET,
          "no such mini-game");
    SOUND(rules->order == 2 || rules->order == 3 || rules->order == 5 || rules->order == 7,
          "no plane of that order here");
    SOUND(rules->deck_size <= dobble_cards(rules) && rules->deck_size > state->seats,
          "a deck of the wrong size");
    SOUND(rules->rounds >= 1 && rules->rounds <= ROUNDS_MAX, "a wrong number of rounds");
    SOUND(is_game(state, DOBBLE_HOT_POTATO) ? rules->rounds * state->seats <= rules->deck_size
                                            : rules->rounds == 1,
          "rounds that cannot be dealt");
    SOUND(is_flag(rules->light) && is_flag(rules->easy) && is_flag(rules->show_rtt) &&
              is_flag(rules->end_at_first) && is_flag(rules->gives_card) &&
              is_flag(rules->practice),
          "a switch is neither on nor off");
    SOUND(!rules->end_at_first || is_game(state, DOBBLE_WELL), "an option of another mini-game");
    SOUND(!rules->gives_card || is_game(state, DOBBLE_TOWER), "an option of another mini-game");
    SOUND(!rules->practice || (is_game(state, DOBBLE_TOWER) && !rules->light),
          "practice is a tower without compensation");
    SOUND(rules->lockout_ms <= LOCKOUT_MAX, "a lock is too long");
    SOUND(state->seats >= (rules->practice ? 1 : 2) &&
              state->seats <= (rules->practice ? 1 : DOBBLE_SEATS_MAX),
          "a wrong number of seats");
    return NULL;
}

static uint64_t pictures(const struct dobble_state *state, int card)
{
    uint64_t mask = 0;
    for (int i = 0; i < dobble_items(&state->rules); i++)
        if (state->card[card].art[i] < DOBBLE_CARDS_MAX)
            mask |= UINT64_C(1) << state->card[card].art[i];
    return mask;
}

static const char *audit_deck(const struct dobble_state *state)
{
    uint64_t mask[DOBBLE_CARDS_MAX], all = 0;
    int cards = dobble_cards(&state->rules), items = dobble_items(&state->rules);
    for (int c = 0; c < cards; c++) {
        mask[c] = pictures(state, c);
        all |= mask[c];
        SOUND(bits_of(mask[c]) == items, "a card lacks a picture");
        for (int other = 0; other < c; other++)
            SOUND(bits_of(mask[c] & mask[other]) == 1,
                  "two cards do not share exactly one picture");
    }
    SOUND(all == (UINT64_C(1) << cards) - 1, "a picture that is not of this deck");
    return NULL;
}

static const char *audit_layouts(const struct dobble_state *state)
{
    int cards = dobble_cards(&state->rules), items = dobble_items(&state->rules);
    for (int c = 0; c < cards; c++) {
        const struct dobble_card *card = &state->card[c];
        for (int i = items; i < DOBBLE_ITEMS_MAX; i++)
            SOUND(card->art[i] == 0, "a picture too many");
    }
    return NULL;
}

static bool note(uint64_t *seen, const struct dobble_state *state, int card)
{
    bool fits = card >= 1 && card <= dobble_cards(&state->rules) && !(*seen >> card & 1);
    if (fits) *seen |= UINT64_C(1) << card;
    return fits;
}

/* Every card once, wherever cards can be. */
static const char *audit_cards(const struct dobble_state *state)
{
    uint64_t seen = 0;
    const struct dobble_pile *piles[3 + DOBBLE_SEATS_MAX] = {&state->draw, &state->centre,
                                                             &state->unused};
    for (int s = 0; s < state->seats; s++) piles[3 + s] = &state->seat[s].pile;
    for (int p = 0; p < 3 + state->seats; p++)
        for (int i = 0; i < piles[p]->len; i++)
            SOUND(note(&seen, state, piles[p]->card[i]), "a card is there twice, or is none");
    for (int p = 0; p < DOBBLE_PLACES; p++)
        SOUND(state->open[p] == DOBBLE_NO_CARD || note(&seen, state, state->open[p]),
              "a card is there twice, or is none");
    SOUND(bits_of(seen) == dobble_cards(&state->rules), "a card is missing");
    SOUND(state->unused.len >= dobble_cards(&state->rules) - state->rules.deck_size,
          "a card that was left out is played with");
    return NULL;
}

static instant_ms length_of(enum dobble_phase phase)
{
    switch (phase) {
    case DOBBLE_COUNTDOWN: return DOBBLE_COUNTDOWN_MS;
    case DOBBLE_ROUND_END: return DOBBLE_ROUND_END_MS;
    case DOBBLE_HINT: return DOBBLE_HINT_MS;
    case DOBBLE_PAUSED: return DOBBLE_PAUSE_MS;
    case DOBBLE_PLAYING:
    case DOBBLE_FINISHED: break;
    }
    return 0;
}

static const char *audit_time(const struct dobble_state *state)
{
    SOUND(state->phase >= DOBBLE_COUNTDOWN && state->phase <= DOBBLE_FINISHED, "no such phase");
    SOUND(state->phase_started <= INSTANT_MAX, "a phase began in no possible time");
    instant_ms length = length_of((enum dobble_phase)state->phase);
    SOUND(state->phase_ends == (length ? state->phase_started + length : INSTANT_NEVER),
          "a phase ends at the wrong time");
    if (state->phase == DOBBLE_PLAYING)
        SOUND(state->hint_at >= state->phase_started + DOBBLE_HINT_AFTER_MS &&
                  state->hint_at <= INSTANT_MAX,
              "a hint at the wrong time");
    else
        SOUND(state->hint_at == INSTANT_NEVER, "a hint in no phase for it");
    return NULL;
}

static const char *audit_presence(const struct dobble_state *state)
{
    struct dobble_state counted = *state;
    for (int s = 0; s < state->seats; s++)
        SOUND(state->seat[s].away_since == INSTANT_NEVER ||
                  state->seat[s].away_since <= INSTANT_MAX,
              "away since no possible time");
    if (state->phase == DOBBLE_FINISHED) {
        SOUND(state->few_since == INSTANT_NEVER, "a finished game waits for nobody");
        return NULL;
    }
    dobble_count_present(&counted, 0);
    SOUND((counted.few_since == INSTANT_NEVER) == (state->few_since == INSTANT_NEVER),
          "it is not noted who is there");
    SOUND(state->few_since == INSTANT_NEVER || state->few_since <= INSTANT_MAX,
          "few since no possible time");
    SOUND(state->phase != DOBBLE_PAUSED || state->few_since != INSTANT_NEVER,
          "a pause though enough are there");
    return NULL;
}

/* A place on the table is open since some time, or not shown yet, or empty. */
static bool since_fits(const struct dobble_state *state, instant_ms since, int card)
{
    if (card == DOBBLE_NO_CARD) return since == 0;
    return since <= INSTANT_MAX && (since > 0 || !state->face_up);
}

static const char *audit_open(const struct dobble_state *state)
{
    bool triplet = is_game(state, DOBBLE_TRIPLET);
    SOUND(is_flag(state->face_up), "cards are neither shown nor not");
    if (state->phase == DOBBLE_PLAYING || state->phase == DOBBLE_HINT)
        SOUND(state->face_up, "cards are played with that are not shown");
    if (state->phase == DOBBLE_COUNTDOWN || state->phase == DOBBLE_PAUSED)
        SOUND(!state->face_up, "cards are shown too early");
    SOUND(since_fits(state, state->centre_since, dobble_top(&state->centre)),
          "the centre is open since no possible time");
    for (int p = 0; p < DOBBLE_PLACES; p++)
        SOUND(since_fits(state, state->open_since[p], state->open[p]),
              "a place is open since no possible time");
    for (int s = 0; s < state->seats; s++) {
        const struct dobble_seat *seat = &state->seat[s];
        int top = triplet ? DOBBLE_NO_CARD : dobble_top(&seat->pile);
        SOUND(since_fits(state, seat->top_since, top), "a top card is open since no possible time");
    }
    return NULL;
}

/* Where cards may be in each mini-game. */
static const char *audit_table(const struct dobble_state *state)
{
    bool on = state->phase != DOBBLE_FINISHED;
    int open = 0;
    for (int p = 0; p < DOBBLE_PLACES; p++) open += state->open[p] != DOBBLE_NO_CARD;
    SOUND(open == 0 || is_game(state, DOBBLE_TRIPLET), "open places in another mini-game");
    switch ((enum dobble_mini_game)state->rules.mini_game) {
    case DOBBLE_TOWER:
    case DOBBLE_POISONED_GIFT:
        SOUND(state->centre.len == (on ? 1 : state->centre.len) && state->centre.len <= 1,
              "one card is in the centre");
        SOUND(state->centre.len == 1 || state->draw.len == 0, "cards left without a centre");
        break;
    case DOBBLE_WELL:
        SOUND(state->centre.len >= 1 && state->draw.len == 0, "a well has a centre and no rest");
        break;
    case DOBBLE_HOT_POTATO:
        SOUND(state->centre.len == 0, "a centre in hotPotato");
        SOUND(state->draw.len >= (state->rules.rounds - state->round) * state->seats,
              "cards are missing for the rounds to come");
        break;
    case DOBBLE_TRIPLET:
        SOUND(state->centre.len == 0, "a centre in triplet");
        SOUND(open == DOBBLE_PLACES || state->draw.len == 0, "a place is not filled");
        SOUND(!on || state->draw.len > 0 || dobble_triple(state) >= 0, "nothing to find");
        break;
    }
    return NULL;
}

static const char *audit_seat(const struct dobble_state *state, const struct dobble_seat *seat)
{
    bool potato = is_game(state, DOBBLE_HOT_POTATO), well = is_game(state, DOBBLE_WELL);
    SOUND(seat->part >= DOBBLE_IN && seat->part <= DOBBLE_FORFEITED, "no such part");
    SOUND(seat->part != DOBBLE_ESCAPED || potato, "an escape in another mini-game");
    SOUND(seat->part != DOBBLE_EMPTIED || well, "an emptied pile in another mini-game");
    SOUND(seat->part != DOBBLE_FORFEITED || potato || well, "a forfeit in another mini-game");
    bool triplet = is_game(state, DOBBLE_TRIPLET);
    SOUND(triplet || (seat->part == DOBBLE_IN) == (seat->pile.len > 0), "cards of the wrong seat");
    SOUND((seat->place > 0) == (seat->part == DOBBLE_ESCAPED || seat->part == DOBBLE_EMPTIED),
          "a place without an end");
    SOUND(seat->penalty == 0 || potato, "a penalty in another mini-game");
    SOUND(seat->given_back <= (state->rules.gives_card ? DOBBLE_GIVEN_BACK_MAX : 0),
          "too many cards given back");
    SOUND(seat->fast <= DOBBLE_FAST_HITS && is_flag(seat->suspected) &&
              (seat->fast < DOBBLE_FAST_HITS || seat->suspected),
          "a suspicion that is not noted");
    SOUND(seat->correct <= COUNT_MAX && seat->wrong <= COUNT_MAX, "impossible statistics");
    SOUND(seat->locked_until <= INSTANT_MAX + LOCKOUT_MAX, "a lock without an end");
    SOUND(seat->locked_until == 0 ||
              (seat->part == DOBBLE_IN && state->rules.lockout_ms > 0 &&
               state->phase != DOBBLE_ROUND_END && state->phase != DOBBLE_FINISHED),
          "a lock that outlives its round");
    return NULL;
}

/* Penalties are cards that were held: now among the unused ones, or still in the loser's hand. */
static const char *audit_penalties(const struct dobble_state *state)
{
    bool held = state->phase == DOBBLE_ROUND_END || state->phase == DOBBLE_FINISHED;
    int cards = state->unused.len, penalties = 0;
    for (int s = 0; s < state->seats; s++) {
        penalties += state->seat[s].penalty;
        cards += held ? state->seat[s].pile.len : 0;
    }
    SOUND(penalties <= cards, "a penalty without cards");
    return NULL;
}

static const char *audit_seats(const struct dobble_state *state)
{
    uint32_t places = 0;
    int placed = 0;
    for (int s = 0; s < state->seats; s++) {
        const char *fault = audit_seat(state, &state->seat[s]);
        if (fault) return fault;
        if (state->seat[s].place == 0) continue;
        SOUND(state->seat[s].place <= state->seats, "no such place");
        places |= 1u << state->seat[s].place;
        placed++;
    }
    SOUND(bits_of(places) == placed, "a place is there twice");
    return NULL;
}

/* A game goes on only while the rules leave something to do. */
static const char *audit_going(const struct dobble_state *state)
{
    int in = dobble_count_part(state, DOBBLE_IN);
    SOUND(state->round >= 1 && state->round <= state->rules.rounds, "no such round");
    SOUND((state->phase == DOBBLE_FINISHED) ==
                  (state->ending >= DOBBLE_PLAYED && state->ending <= DOBBLE_TOO_FEW) &&
              state->ending <= DOBBLE_TOO_FEW,
          "an end without an ending");
    bool over = state->phase == DOBBLE_ROUND_END || state->phase == DOBBLE_FINISHED;
    SOUND(state->hints < DOBBLE_HINTS_MAX + (over || state->phase == DOBBLE_HINT),
          "too many hints");
    SOUND(state->phase != DOBBLE_HINT || state->hints > 0, "a hint that is not counted");
    SOUND(state->phase != DOBBLE_ROUND_END || is_game(state, DOBBLE_HOT_POTATO),
          "a round in another mini-game");
    if (state->phase == DOBBLE_FINISHED) return NULL;
    if (is_game(state, DOBBLE_HOT_POTATO)) {
        SOUND(in + dobble_count_part(state, DOBBLE_ESCAPED) >= 2, "nobody to go on with");
        SOUND(state->phase == DOBBLE_ROUND_END || in >= 2, "a round that is over goes on");
    }
    if (is_game(state, DOBBLE_WELL)) {
        SOUND(in >= 2, "nobody to go on with");
        SOUND(!state->rules.end_at_first || dobble_count_part(state, DOBBLE_EMPTIED) == 0,
              "a game that is over goes on");
    }
    return NULL;
}

static bool claim_fits(const struct dobble_state *state, const struct dobble_claim *claim)
{
    for (int i = 0; i < DOBBLE_TRIPLE; i++)
        if (claim->card[i] > dobble_cards(&state->rules)) return false;
    return claim->target <= state->seats && claim->art < DOBBLE_CARDS_MAX;
}

static const char *audit_window(const struct dobble_state *state)
{
    uint32_t seats = 0;
    SOUND(state->window_len == 0 || (state->phase == DOBBLE_PLAYING && state->rules.light),
          "a window in no phase for it");
    SOUND(state->window_len <= state->seats, "more claims than seats");
    for (int i = 0; i < state->window_len; i++) {
        const struct dobble_waiting *waiting = &state->window[i];
        SOUND(waiting->seat < state->seats && !(seats >> waiting->seat & 1),
              "a seat waits twice, or is none");
        seats |= 1u << waiting->seat;
        SOUND(waiting->at <= INSTANT_MAX && waiting->adjusted <= waiting->at &&
                  waiting->at - waiting->adjusted <= DOBBLE_ADJUST_MAX_MS,
              "a claim of no possible time");
        SOUND(i == 0 || waiting->at >= state->window[i - 1].at, "claims out of order");
        SOUND(waiting->at < dobble_window_end(state), "a claim after the window");
        SOUND(claim_fits(state, &waiting->claim), "a claim that cannot be");
    }
    return NULL;
}

static const char *audit_past(const struct dobble_state *state)
{
    for (int s = 0; s < state->seats; s++)
        SOUND(claim_fits(state, &state->seat[s].won), "a claim that cannot have won");
    SOUND(state->last_round.round <= state->round && is_flag(state->last_round.is_void) &&
              state->last_round.loser < state->seats && state->last_round.cards <= DOBBLE_CARDS_MAX,
          "a last round that cannot be");
    SOUND(!state->last_round.is_void ||
              (state->last_round.loser == 0 && state->last_round.cards == 0),
          "somebody lost a void round");
    SOUND(state->last_round.round > 0 ||
              (!state->last_round.is_void && !state->last_round.loser && !state->last_round.cards),
          "figures of no round");
    SOUND(state->last_round.round == 0 || is_game(state, DOBBLE_HOT_POTATO),
          "a round in another mini-game");
    return NULL;
}

const char *dobble_audit(const void *data)
{
    static const char *(*const audits[])(const struct dobble_state *) = {
        audit_rules, audit_deck,      audit_layouts,  audit_cards, audit_time,
        audit_seats, audit_penalties, audit_presence, audit_open,  audit_table,
        audit_going, audit_window,    audit_past,
    };
    const struct dobble_state *state = data;
    for (size_t i = 0; i < sizeof audits / sizeof audits[0]; i++) {
        const char *fault = audits[i](state);
        if (fault) return fault;
    }
    return NULL;
}
