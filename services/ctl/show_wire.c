/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/show.h"

#include "base/arena.h"
#include "ctl/message.h"
#include "ctl/rooms.h"
#include "game/game.h"

#include "client.pb-c.h"

typedef Madang__V1__RoomView room_view;
typedef Madang__V1__Presence room_presence;

static const struct game_messages *messages_of(const char *id)
{
    static const struct game_messages unknown;
    const struct game *game = game_find(slice_text(id));
    return game && game->messages ? game->messages : &unknown;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *lend(struct arena *arena, struct buf *text)
{
    buf_put_u8(text, 0);
    const char *lent = arena_text(arena, (const char *)text->at);
    buf_clear(text);
    return lent;
}

static void put_head(const struct room_shown *shown, struct id128 worker,
                     const struct text_style *style, struct buf *out)
{
    const struct room_line *line = &shown->line;
    struct buf title = {0};
    text_add(&title, "Room %s", line->code);
    buf_put_u8(&title, 0);
    text_heading(out, style, (const char *)title.at);
    buf_fini(&title);
    text_add(out, "  %s (rules %u), %s", line->game, shown->rules_version,
             rooms_phase(line->phase));
    if (line->games) text_add(out, ", game %u", line->games);
    text_add(out, "\n  id %016llx, worker ", (unsigned long long)line->room);
    text_id(out, worker, TEXT_ID_SHORT);
    text_add(out, ", epoch %llu\n  entry %llu, all confirmed; ", (unsigned long long)line->epoch,
             (unsigned long long)shown->confirmed);
    text_add(out, "age ");
    text_duration(out, line->age_ms);
    text_add(out, shown->due ? "; the clock is due in " : "; no clock runs");
    if (shown->due) text_duration(out, shown->due_in_ms);
    text_add(out, "\n\n");
}

static const char *person_state(const Madang__V1__SeatView *seat,
                                const Madang__V1__SeatPresence *presence, enum text_mark *mark)
{
    *mark = MARK_WARN;
    if (seat->automatic) return "gone, clock plays";
    if (!presence || !presence->connected) return "away";
    if (seat->hurried) return "here, hurried";
    *mark = MARK_GOOD;
    return "here";
}

static void put_person(struct text_cell *row, const room_view *view, size_t s,
                       const Madang__V1__SeatPresence *presence, struct arena *arena)
{
    const Madang__V1__SeatView *seat = view->seats[s];
    struct buf text = {0};
    text_add(&text, "%zu", s + 1);
    row[0].text = lend(arena, &text);
    text_safe(&text, seat->name);
    if (seat->name_number) text_add(&text, " (%u)", seat->name_number);
    row[1].text = lend(arena, &text);
    row[2].text = (size_t)view->host == s && view->host >= 0 ? "host" : "";
    row[3].text = person_state(seat, presence, &row[3].mark);
    text_add(&text, "%d", seat->points);
    row[4].text = lend(arena, &text);
    text_add(&text, "%u/%u", seat->wins, seat->games);
    row[5].text = lend(arena, &text);
    if (presence && presence->rtt_ms) text_add(&text, "%ums", presence->rtt_ms);
    row[6].text = lend(arena, &text);
    buf_fini(&text);
}

static void put_people(const room_view *view, const room_presence *presence,
                       const struct text_style *style, struct buf *out)
{
    static const struct text_column columns[] = {
        {"SEAT", true, false},   {"NAME", false, true},   {"", false, false},
        {"STATE", false, false}, {"POINTS", true, false}, {"WON", true, false},
        {"RTT", true, false},
    };
    struct text_table table = {.columns = columns, .column_count = 7};
    struct arena arena = {0};
    for (size_t s = 0; s < view->n_seats; s++)
        if (view->seats[s]->taken)
            put_person(text_table_row(&table), view, s,
                       presence && s < presence->n_seats ? presence->seats[s] : NULL, &arena);
    if (table.row_count > 0)
        text_table_write(&table, style, out);
    else
        text_add(out, "Nobody has a seat.\n");
    if (presence && presence->spectators) {
        text_count(out, presence->spectators, "person watches", "people watch");
        text_add(out, "\n");
    }
    text_table_fini(&table);
    arena_fini(&arena);
}

static void put_options(const room_view *view, struct buf *out)
{
    text_add(out, "\n%s, options:", view->is_public ? "Public" : "Private");
    int column = 0;
    for (size_t i = 0; i < view->n_options; i++) {
        struct buf text = {0};
        text_add(&text, " %s=%d", view->options[i]->key, view->options[i]->value);
        column += (int)text.len;
        if (column > TEXT_WIDTH_USUAL - 4 || i == 0) {
            text_add(out, "\n ");
            column = 1 + (int)text.len;
        }
        buf_put_slice(out, buf_slice(&text));
        buf_fini(&text);
    }
    text_add(out, "\n");
}

static void put_game(const struct room_shown *shown, const struct text_style *style,
                     struct buf *out)
{
    const struct game_messages *messages = messages_of(shown->line.game);
    if (shown->game.len == 0) {
        text_add(out, "\nNo game has begun.\n");
        return;
    }
    text_add(out, "\n");
    text_heading(out, style, "What a spectator sees");
    text_add(out, "\n");
    message_text(out, 2, messages->view, shown->game);
    for (int i = 0; i < shown->private_count; i++) {
        struct buf title = {0};
        text_add(&title, "What seat %d alone sees", shown->privates[i].seat + 1);
        buf_put_u8(&title, 0);
        text_add(out, "\n");
        text_heading(out, style, (const char *)title.at);
        text_add(out, "\n");
        if (shown->privates[i].mine.len)
            message_text(out, 2, messages->mine, shown->privates[i].mine);
        else
            text_add(out, "  nothing\n");
        buf_fini(&title);
    }
}

void show_parts_text(const struct room_shown *shown, const struct text_style *style,
                     struct buf *out)
{
    room_view *view =
        madang__v1__room_view__unpack(NULL, shown->room_view.len, shown->room_view.at);
    room_presence *presence =
        madang__v1__presence__unpack(NULL, shown->presence.len, shown->presence.at);
    if (view) {
        put_people(view, presence, style, out);
        put_options(view, out);
    }
    put_game(shown, style, out);
    if (view) madang__v1__room_view__free_unpacked(view, NULL);
    if (presence) madang__v1__presence__free_unpacked(presence, NULL);
}

void show_room_text(const struct room_shown *shown, struct id128 worker,
                    const struct text_style *style, struct buf *out)
{
    put_head(shown, worker, style, out);
    show_parts_text(shown, style, out);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

void show_parts_json(const struct room_shown *shown, struct json *json)
{
    const struct game_messages *messages = messages_of(shown->line.game);
    message_json(json, "view", &madang__v1__room_view__descriptor, shown->room_view);
    message_json(json, "presence", &madang__v1__presence__descriptor, shown->presence);
    if (shown->game.len) message_json(json, "spectator", messages->view, shown->game);
    if (shown->private_count) json_list(json, "revealed");
    for (int i = 0; i < shown->private_count; i++) {
        json_object(json, NULL);
        json_number(json, "seat", shown->privates[i].seat + 1);
        message_json(json, "mine", messages->mine, shown->privates[i].mine);
        json_end(json, '}');
    }
    if (shown->private_count) json_end(json, ']');
}

void show_room_json(const struct room_shown *shown, struct id128 worker, struct buf *out)
{
    struct json json = {.out = out};
    const struct room_line *line = &shown->line;
    json_object(&json, NULL);
    json_room(&json, "room", line->room);
    json_text(&json, "code", line->code);
    json_text(&json, "game", line->game);
    json_unsigned(&json, "rules_version", shown->rules_version);
    json_text(&json, "phase", rooms_phase(line->phase));
    json_unsigned(&json, "games", line->games);
    json_id(&json, "worker", worker);
    json_unsigned(&json, "epoch", line->epoch);
    json_unsigned(&json, "position", line->position);
    json_unsigned(&json, "connected", line->connected);
    json_unsigned(&json, "watchers", line->watchers);
    json_unsigned(&json, "age_ms", line->age_ms);
    if (shown->due)
        json_unsigned(&json, "due_in_ms", shown->due_in_ms);
    else
        json_null(&json, "due_in_ms");
    show_parts_json(shown, &json);
    json_end(&json, '}');
}
