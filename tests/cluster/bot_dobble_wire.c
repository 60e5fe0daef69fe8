/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays dobble from its views: taps the one picture that the cards it may compare share, as soon as
 * it sees them. Holds every card that lies open against what is true of the deck.
 */
#include "cluster/bot_dobble.h"

#include "dobble.pb-c.h"

typedef Madang__V1__Dobble__View View;
typedef Madang__V1__Dobble__Mine Mine;
typedef Madang__V1__Dobble__Card Card;
typedef Madang__V1__Dobble__Seat Seat;
typedef Madang__V1__Dobble__Action Action;

#define GAME(name)  MADANG__V1__DOBBLE__MINI_GAME__MINI_GAME_##name
#define PHASE(name) MADANG__V1__DOBBLE__PHASE__PHASE_##name
#define PART(name)  MADANG__V1__DOBBLE__PART__PART_##name
enum {
    PICTURES = 8,
    CARD_BYTES = 1 + PICTURES + 3,
    CARDS = 57,
    PLACES = 9,
    SEATS_MAX = 8,
    OPEN_MAX = 1 + SEATS_MAX + PLACES
};

static View *view_of(const struct ws_client *player)
{
    return madang__v1__dobble__view__unpack(NULL, player->game.len, player->game.at);
}

static Mine *mine_of(const struct ws_client *player)
{
    return madang__v1__dobble__mine__unpack(NULL, player->mine.len, player->mine.at);
}

/* ---- what it sees ---------------------------------------------------------------------------- */

/* Of a card: its number, 0 for none. */
static uint32_t number_of(const Card *card)
{
    return card->all.len ? card->all.data[0] : 0;
}

/* Picture i of a card; past the last of a card that is too short there is none. */
static uint32_t picture_of(const Card *card, size_t i)
{
    return i + 1 < card->all.len ? card->all.data[i + 1] : UINT32_MAX;
}

static bool bears(const Card *card, uint32_t art)
{
    for (size_t i = 0; i < PICTURES; i++)
        if (picture_of(card, i) == art) return true;
    return false;
}

/* How many pictures two cards share, and one of them. */
static int shared(const Card *a, const Card *b, uint32_t *art)
{
    int count = 0;
    for (size_t i = 0; i < PICTURES; i++) {
        if (!bears(b, picture_of(a, i))) continue;
        *art = picture_of(a, i);
        count++;
    }
    return count;
}

/* Three of the nine that bear one picture. */
static bool find_triple(const View *view, struct bot_claim *claim)
{
    for (uint32_t art = 0; art < CARDS; art++) {
        int found = 0;
        for (size_t i = 0; i < view->n_places && found < 3; i++)
            if (number_of(view->places[i]) && bears(view->places[i], art))
                claim->cards[found++] = number_of(view->places[i]);
        if (found < 3) continue;
        claim->art = art;
        return true;
    }
    return false;
}

/* The two cards that this seat compares, with one of its targets where there are any. */
static bool pick_cards(const View *view, const Mine *mine, int seat, struct bot_claim *claim,
                       const Card *compared[2])
{
    const Card *own = view->seats[seat]->top, *other = NULL;
    if (view->mini_game == GAME(HOT_POTATO) || view->mini_game == GAME(POISONED_GIFT)) {
        if (mine->n_targets == 0) return false;
        uint32_t target = mine->targets[(size_t)seat % mine->n_targets];
        claim->target = target + 1;
        other = view->seats[target]->top;
    }
    bool gift = view->mini_game == GAME(POISONED_GIFT);
    compared[0] = gift ? other : own;
    compared[1] = view->mini_game == GAME(HOT_POTATO) ? other : view->centre;
    if (!compared[0] || !compared[1]) return false;
    claim->cards[0] = gift ? 0 : number_of(own);
    claim->cards[1] = number_of(compared[1]);
    return true;
}

static bool find(const View *view, const Mine *mine, int seat, struct bot_claim *claim)
{
    const Card *compared[2];
    *claim = (struct bot_claim){.triplet = view->mini_game == GAME(TRIPLET)};
    if (view->phase != PHASE(PLAYING) || view->seats[seat]->role != PART(IN)) return false;
    if (claim->triplet) return find_triple(view, claim);
    return pick_cards(view, mine, seat, claim, compared) &&
           shared(compared[0], compared[1], &claim->art) == 1;
}

bool bot_dobble_find(const struct ws_client *player, struct bot_claim *claim)
{
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    int seat = bot_game_seat(player);
    bool found =
        view && mine && seat >= 0 && seat < (int)view->n_seats && find(view, mine, seat, claim);
    if (view) madang__v1__dobble__view__free_unpacked(view, NULL);
    if (mine) madang__v1__dobble__mine__free_unpacked(mine, NULL);
    return found;
}

size_t bot_dobble_write(const struct bot_claim *claim, uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    uint32_t cards[3] = {claim->cards[0], claim->cards[1], claim->cards[2]};
    Madang__V1__Dobble__Claim two = MADANG__V1__DOBBLE__CLAIM__INIT;
    Madang__V1__Dobble__ClaimTriplet three = MADANG__V1__DOBBLE__CLAIM_TRIPLET__INIT;
    Action action = MADANG__V1__DOBBLE__ACTION__INIT;
    if (claim->triplet) {
        three.cards = cards;
        three.n_cards = 3;
        three.art = claim->art;
        action.kind_case = MADANG__V1__DOBBLE__ACTION__KIND_TRIPLET;
        action.triplet = &three;
    } else {
        two.mine = cards[0];
        two.against = cards[1];
        two.target = claim->target;
        two.art = claim->art;
        action.kind_case = MADANG__V1__DOBBLE__ACTION__KIND_CLAIM;
        action.claim = &two;
    }
    return madang__v1__dobble__action__pack(&action, bytes);
}

static size_t move(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    struct bot_claim claim;
    return bot_dobble_find(player, &claim) ? bot_dobble_write(&claim, bytes) : 0;
}

bool bot_dobble_look(const struct ws_client *player, struct bot_dobble_table *out)
{
    View *view = view_of(player);
    *out = (struct bot_dobble_table){0};
    if (view == NULL) return false;
    out->phase = (int)view->phase;
    out->ending = view->result ? (int)view->result->ending : 0;
    for (size_t i = 0; i < view->n_seats && i < SEATS_MAX; i++) {
        const Seat *seat = view->seats[i];
        out->seat[i].cards = (int)seat->cards;
        out->seat[i].correct = (int)seat->correct;
        out->seat[i].wrong = (int)seat->wrong;
        out->seat[i].locked_until = seat->locked_until;
        out->seat[i].forfeited = seat->role == PART(FORFEITED);
        out->seats = (int)i + 1;
    }
    for (size_t i = 0; view->result && i < view->result->n_ranking; i++) {
        const Madang__V1__Dobble__Ranked *ranked = view->result->ranking[i];
        if (ranked->seat < SEATS_MAX) out->seat[ranked->seat].rank = (int)ranked->rank;
    }
    madang__v1__dobble__view__free_unpacked(view, NULL);
    return true;
}

/* ---- what must be true of it ----------------------------------------------------------------- */

static int open_cards(const View *view, const Card **list)
{
    int count = 0;
    if (view->centre) list[count++] = view->centre;
    for (size_t i = 0; i < view->n_seats && i < SEATS_MAX; i++)
        if (view->seats[i]->top) list[count++] = view->seats[i]->top;
    for (size_t i = 0; i < view->n_places && i < PLACES; i++)
        if (number_of(view->places[i])) list[count++] = view->places[i];
    return count;
}

static const char *audit_cards(const View *view)
{
    const Card *list[OPEN_MAX];
    uint32_t art;
    int count = open_cards(view, list);
    bool hidden = view->phase == PHASE(COUNTDOWN) || view->phase == PHASE(PAUSED);
    if (hidden && count) return "a card is shown before its time";
    for (int i = 0; i < count; i++) {
        if (number_of(list[i]) < 1 || number_of(list[i]) > CARDS)
            return "a card that does not exist";
        if (list[i]->all.len != CARD_BYTES) return "a card without eight pictures and a look";
        for (int k = 0; k < i; k++) {
            if (number_of(list[k]) == number_of(list[i])) return "a card lies in two places";
            if (shared(list[k], list[i], &art) != 1) return "two cards do not share one picture";
        }
    }
    return NULL;
}

static const char *audit_counts(const View *view)
{
    uint32_t cards = view->in_centre + view->draw_count;
    for (size_t i = 0; i < view->n_seats; i++) cards += view->seats[i]->cards;
    if (view->mini_game == GAME(TRIPLET))
        for (size_t i = 0; i < view->n_places; i++) cards += number_of(view->places[i]) != 0;
    return cards > view->settings->deck_size ? "there are more cards than in the deck" : NULL;
}

static const char *audit_view(const View *view, const Mine *mine, int seat)
{
    bool over = view->phase == PHASE(FINISHED);
    if (!view->settings || seat >= (int)view->n_seats) return "a view without its seats";
    if (over != (view->result != NULL)) return "a result before the end, or none at it";
    if (seat < 0 && (mine->n_targets || mine->n_hints || mine->n_suspects))
        return "a spectator was told what is a player's";
    if (mine->n_hints && view->phase != PHASE(HINT)) return "an answer outside of the hint";
    const char *fault = audit_cards(view);
    return fault ? fault : audit_counts(view);
}

static const char *audit(const struct ws_client *player)
{
    if (player->game.len == 0) return NULL;
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    const char *fault = "a view cannot be read";
    if (view && mine) fault = audit_view(view, mine, bot_game_seat(player));
    if (view) madang__v1__dobble__view__free_unpacked(view, NULL);
    if (mine) madang__v1__dobble__mine__free_unpacked(mine, NULL);
    return fault;
}

const struct bot dobble_bot = {.game = "dobble", .move = move, .audit = audit};
