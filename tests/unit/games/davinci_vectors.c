/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/davinci_vectors.h"

#include "unit/games/davinci_table.h"

#include <stdarg.h>
#include <stdio.h>

enum { GAMES = 44, PER_GAME = 5 };

static void put(struct buf *out, const char *format, ...)
{
    char text[128];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    buf_put(out, text, (size_t)len);
}

static const char *color_name(int color)
{
    return color == DAVINCI_BLACK ? "\"black\"" : color == DAVINCI_WHITE ? "\"white\"" : "null";
}

static void put_rows(const struct davinci_sight *all, struct buf *out)
{
    put(out, " \"rows\": [");
    for (int seat = 0; seat < all->seats; seat++) {
        put(out, "%s[", seat ? ",\n  " : "");
        for (int i = 0; i < all->row[seat].len; i++) {
            const struct davinci_seen_tile *tile = &all->row[seat].at[i];
            put(out, "%s{\"color\": %s, \"face\": %d, \"refuted\": %d}", i ? ", " : "",
                color_name(tile->color), tile->face, tile->refuted);
        }
        put(out, "]");
    }
    put(out, "],\n");
}

static void put_faces(uint16_t faces, struct buf *out)
{
    bool first = true;
    put(out, "[");
    for (int f = 1; f <= DAVINCI_FACE_JOKER; f++) {
        if (!(faces >> f & 1)) continue;
        put(out, "%s%d", first ? "" : ", ", f);
        first = false;
    }
    put(out, "]");
}

static void put_candidates(const struct davinci_sight *sight, struct buf *out)
{
    put(out, " \"candidates\": [");
    for (int seat = 0; seat < sight->seats; seat++) {
        put(out, "%s[", seat ? ",\n  " : "");
        for (int i = 0; i < sight->row[seat].len; i++) {
            bool known = sight->row[seat].at[i].face != DAVINCI_FACE_HIDDEN;
            put(out, "%s", i ? ", " : "");
            put_faces(known ? 0 : davinci_candidates(sight, seat, i), out);
        }
        put(out, "]");
    }
    put(out, "]}");
}

static void put_vector(const struct davinci_state *state, int viewer, struct buf *out)
{
    struct davinci_sight all, sight;
    davinci_see(state, GAME_SPECTATOR, &all);
    davinci_see(state, viewer, &sight);
    put(out, "%s{\"settings\": {\"jokers\": %s, \"whiteLeft\": %s}, \"viewer\": %d,\n",
        out->len > 2 ? ",\n" : "", state->rules.jokers ? "true" : "false",
        state->rules.white_left ? "true" : "false", viewer);
    put_rows(&all, out);
    put(out, " \"mine\": [");
    for (int i = 0; i < sight.row[viewer].len; i++)
        put(out, "%s%d", i ? ", " : "", sight.row[viewer].at[i].face);
    put(out, "], \"turnColor\": %s, \"turnFace\": %d,\n", color_name(sight.turn_color),
        sight.turn_face);
    put_candidates(&sight, out);
}

/* The cases of D17, D14 and the guide, seen by seat 1. */
static void put_chosen(struct buf *out)
{
    static const struct davinci_spec specs[] = {
        {.rows = {"b4! b5 w6!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1},
        {.rows = {"b4! b5 w6!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .white_left = true},
        {.rows = {"b4! b6 w6!", "b5 w9"}, .phase = DAVINCI_DRAW, .current = 1},
        {.rows = {"b4! b5 w6!", "b1 w9"}, .phase = DAVINCI_GUESS, .current = 1, .turn_tile = "b6"},
        {.rows = {"b4! b5 w6!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .jokers = true},
        {.rows = {"b4! wJ! b5 w6!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .jokers = true},
        {.rows = {"b4! bJ! b5 wJ w6!", "b1 w9"},
         .phase = DAVINCI_DRAW,
         .current = 1,
         .jokers = true},
        {.rows = {"b5! bJ w5! w7", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .jokers = true},
        {.rows = {"bJ b0! w0! wJ", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .jokers = true},
        {.rows = {"b3 w8", "b1 w9 bJ"}, .phase = DAVINCI_DRAW, .current = 1, .jokers = true},
        {.rows = {"b3 w8", "b1 w9"},
         .phase = DAVINCI_GUESS,
         .current = 1,
         .turn_tile = "wJ",
         .jokers = true},
        {.rows = {"b3 w8", "b1 w9"}, .phase = DAVINCI_GUESS, .turn_tile = "wJ", .jokers = true},
        {.rows = {"b3 w8", "b1 w9"},
         .phase = DAVINCI_PLACE_JOKER,
         .turn_tile = "wJ",
         .jokers = true},
        {.rows = {"b0! b1 w1 b2!", "b11 w11", "w4! w5 b6!"}, .phase = DAVINCI_DRAW, .current = 1},
        {.rows = {"w4! w5 b5!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1, .white_left = true},
        {.rows = {"w4! b5 w5!", "b1 w9"}, .phase = DAVINCI_DRAW, .current = 1},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct davinci_state state;
        table_set(&state, &specs[i]);
        put_vector(&state, 1, out);
        /* The same with two values refuted, where they are not the truth. */
        struct davinci_tile *tile = &state.row[0].at[1];
        if (tile->open) continue;
        tile->refuted =
            (uint16_t)((1u << face(6) | 1u << face(7)) & ~(1u << davinci_face_of(tile->tile)));
        put_vector(&state, 1, out);
    }
}

/* Moments of seeded random games. */
static void put_random(struct buf *out)
{
    for (uint32_t i = 0; i < GAMES; i++) {
        struct table table = {0};
        struct rng rng;
        struct game_seed seed = {{(uint8_t)i}};
        rng_init(&rng, &seed, "davinci vectors");
        table_start(&table, &(struct table_options){.seats = 2 + (int)i % 3,
                                                    .jokers = i / 2 % 2,
                                                    .seed = i,
                                                    .white_left = i / 4 % 2,
                                                    .no_choice = true});
        for (int vector = 0; vector < PER_GAME && table.state.phase != DAVINCI_FINISHED;) {
            uint8_t bytes[GAME_ACTION_BYTES_MAX];
            struct davinci_action action;
            size_t len = davinci_random_action(&table.state, table.state.current, 0, &rng, bytes);
            if (davinci_read_action(slice_of(bytes, len), &action))
                table_act(&table, table.state.current, action);
            if (table.state.phase == DAVINCI_FINISHED || rng_below(&rng, 6) != 0) continue;
            put_vector(&table.state, (int)rng_below(&rng, table.state.seats), out);
            vector++;
        }
        table_close(&table);
    }
}

void davinci_vectors_write(struct buf *out)
{
    put(out, "[\n");
    put_chosen(out);
    put_random(out);
    put(out, "\n]\n");
}
