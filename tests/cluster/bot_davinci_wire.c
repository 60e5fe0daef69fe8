/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays davinci-code from its views: guesses the leftmost hidden tile of the first opponent alive,
 * the smallest value that was not refuted and fits between the open neighbours; stops after a hit.
 */
#include "cluster/bot.h"

#include "davinci.pb-c.h"

typedef Madang__V1__Davinci__View View;
typedef Madang__V1__Davinci__Mine Mine;
typedef Madang__V1__Davinci__Row Row;
typedef Madang__V1__Davinci__Action Action;

enum { SMALLEST = 1, LARGEST = 12 }; /* Face of 0 and of 11 */

static View *view_of(const struct ws_client *player)
{
    return madang__v1__davinci__view__unpack(NULL, player->game.len, player->game.at);
}

static Mine *mine_of(const struct ws_client *player)
{
    return madang__v1__davinci__mine__unpack(NULL, player->mine.len, player->mine.at);
}

static int hidden_at(const Row *row)
{
    for (size_t i = 0; i < row->n_tiles; i++)
        if (row->tiles[i]->face == 0) return (int)i;
    return -1;
}

static int guess_face(const Row *row, int index)
{
    int low = SMALLEST, high = LARGEST;
    for (int i = 0; i < (int)row->n_tiles; i++) {
        int face = (int)row->tiles[i]->face;
        if (face < SMALLEST || face > LARGEST) continue;
        if (i < index && face > low) low = face;
        if (i > index && face < high) high = face;
    }
    for (int face = low; face <= high; face++)
        if (!(row->tiles[index]->refuted & (1u << face))) return face;
    return low;
}

static size_t pack(Action *action, uint8_t *bytes)
{
    return madang__v1__davinci__action__pack(action, bytes);
}

static size_t choose(const View *view, int seat, uint8_t *bytes)
{
    if (view->rows[seat]->picked) return 0;
    Madang__V1__Davinci__ChooseStart pick = MADANG__V1__DAVINCI__CHOOSE_START__INIT;
    pick.black = (view->start_tiles + 1) / 2;
    pick.white = view->start_tiles - pick.black;
    Action action = MADANG__V1__DAVINCI__ACTION__INIT;
    action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_CHOOSE_START;
    action.choose_start = &pick;
    return pack(&action, bytes);
}

static size_t draw(const View *view, uint8_t *bytes)
{
    Madang__V1__Davinci__Draw what = MADANG__V1__DAVINCI__DRAW__INIT;
    if (view->settings->choose_colors)
        what.color = view->pool_black ? MADANG__V1__DAVINCI__COLOR__COLOR_BLACK
                                      : MADANG__V1__DAVINCI__COLOR__COLOR_WHITE;
    Action action = MADANG__V1__DAVINCI__ACTION__INIT;
    action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_DRAW;
    action.draw = &what;
    return pack(&action, bytes);
}

static size_t guess(const View *view, int seat, uint8_t *bytes)
{
    int players = (int)view->n_rows;
    for (int step = 1; step < players; step++) {
        int target = (seat + step) % players;
        int index = hidden_at(view->rows[target]);
        if (!view->rows[target]->alive || index < 0) continue;
        Madang__V1__Davinci__Guess what = MADANG__V1__DAVINCI__GUESS__INIT;
        what.target = (uint32_t)target;
        what.index = (uint32_t)index;
        what.face = (Madang__V1__Davinci__Face)guess_face(view->rows[target], index);
        Action action = MADANG__V1__DAVINCI__ACTION__INIT;
        action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_GUESS;
        action.guess = &what;
        return pack(&action, bytes);
    }
    return 0;
}

static size_t stop(const Mine *mine, uint8_t *bytes)
{
    Madang__V1__Davinci__JokerPlace place = MADANG__V1__DAVINCI__JOKER_PLACE__INIT;
    Madang__V1__Davinci__Stop what = MADANG__V1__DAVINCI__STOP__INIT;
    if (mine->joker_place_needed) what.joker = &place;
    Action action = MADANG__V1__DAVINCI__ACTION__INIT;
    action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_STOP;
    action.stop = &what;
    return pack(&action, bytes);
}

static size_t place_joker(uint8_t *bytes)
{
    Madang__V1__Davinci__PlaceJoker what = MADANG__V1__DAVINCI__PLACE_JOKER__INIT;
    Action action = MADANG__V1__DAVINCI__ACTION__INIT;
    action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_PLACE_JOKER;
    action.place_joker = &what;
    return pack(&action, bytes);
}

static size_t reveal(const View *view, int seat, uint8_t *bytes)
{
    Madang__V1__Davinci__RevealOwn what = MADANG__V1__DAVINCI__REVEAL_OWN__INIT;
    what.index = (uint32_t)hidden_at(view->rows[seat]);
    Action action = MADANG__V1__DAVINCI__ACTION__INIT;
    action.kind_case = MADANG__V1__DAVINCI__ACTION__KIND_REVEAL_OWN;
    action.reveal_own = &what;
    return pack(&action, bytes);
}

static size_t move_in(const View *view, const Mine *mine, int seat, uint8_t *bytes)
{
    if (view->phase == MADANG__V1__DAVINCI__PHASE__PHASE_CHOOSE_START)
        return choose(view, seat, bytes);
    if ((int)view->current != seat) return 0;
    switch (view->phase) {
    case MADANG__V1__DAVINCI__PHASE__PHASE_DRAW: return draw(view, bytes);
    case MADANG__V1__DAVINCI__PHASE__PHASE_GUESS: return guess(view, seat, bytes);
    case MADANG__V1__DAVINCI__PHASE__PHASE_AFTER_CORRECT: return stop(mine, bytes);
    case MADANG__V1__DAVINCI__PHASE__PHASE_PLACE_JOKER: return place_joker(bytes);
    case MADANG__V1__DAVINCI__PHASE__PHASE_REVEAL_OWN: return reveal(view, seat, bytes);
    default: return 0;
    }
}

static size_t move(const struct ws_client *player, uint8_t bytes[GAME_ACTION_BYTES_MAX])
{
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    size_t len = view && mine ? move_in(view, mine, bot_game_seat(player), bytes) : 0;
    if (view) madang__v1__davinci__view__free_unpacked(view, NULL);
    if (mine) madang__v1__davinci__mine__free_unpacked(mine, NULL);
    return len;
}

static const char *audit_row(const Row *row, const Mine *mine)
{
    if (mine && mine->n_faces != row->n_tiles)
        return "my row and what I know of it differ in length";
    for (size_t i = 0; mine && i < row->n_tiles; i++)
        if (row->tiles[i]->face && row->tiles[i]->face != mine->faces[i])
            return "an open tile of mine is not what I hold";
    return NULL;
}

static const char *audit_view(const View *view, const Mine *mine, int seat)
{
    bool over = view->phase == MADANG__V1__DAVINCI__PHASE__PHASE_FINISHED;
    if (!over && view->result) return "a result before the end";
    if (over && !view->result) return "no result at the end";
    if (seat < 0 && mine->n_faces) return "a spectator was told somebody's tiles";
    if (view->turn_face && view->phase != MADANG__V1__DAVINCI__PHASE__PHASE_PLACE_JOKER)
        return "the turn tile's number is told";
    for (size_t s = 0; s < view->n_rows; s++) {
        const char *fault = audit_row(view->rows[s], (int)s == seat ? mine : NULL);
        if (fault) return fault;
    }
    return NULL;
}

static const char *audit(const struct ws_client *player)
{
    if (player->game.len == 0) return NULL;
    View *view = view_of(player);
    Mine *mine = mine_of(player);
    const char *fault = "a view cannot be read";
    if (view && mine) fault = audit_view(view, mine, bot_game_seat(player));
    if (view) madang__v1__davinci__view__free_unpacked(view, NULL);
    if (mine) madang__v1__davinci__mine__free_unpacked(mine, NULL);
    return fault;
}

const struct bot davinci_bot = {.game = "davinci-code", .move = move, .audit = audit};
