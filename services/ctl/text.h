/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people and for scripts: printf into a buffer, tables that fit a terminal, JSON. Pure.
 */
#ifndef CTL_TEXT_H
#define CTL_TEXT_H

#include "base/buf.h"

enum { TEXT_COLUMNS_MAX = 12, TEXT_WIDTH_USUAL = 80 };

__attribute__((format(printf, 2, 3))) void text_add(struct buf *out, const char *format, ...);

/* How many cells of a terminal a text takes: two for a Hangul syllable, none for what combines. */
int text_width(const char *text);
/* Milliseconds as people say them: 250ms, 4.2s, 3m 20s, 5h 12m, 3d 4h. */
void text_duration(struct buf *out, uint64_t ms);
/* "1 room", "3 rooms". */
void text_count(struct buf *out, uint64_t count, const char *one, const char *many);
/* The first 8 hex digits of an id: how people tell instances apart, and name workers. */
enum { TEXT_ID_SHORT = 8 };
void text_id(struct buf *out, struct id128 id, int digits);
/* Bytes of others as they may go to a terminal: control characters become '?'. */
void text_safe(struct buf *out, const char *text);

/* ---- tables ---------------------------------------------------------------------------------- */

enum text_mark { MARK_NONE, MARK_GOOD, MARK_WARN, MARK_BAD, MARK_DIM };
struct text_style {
    int width;  /* of the terminal; 0: no limit */
    bool color; /* it understands colours */
};
/* Writes in bold, or dim, ..., where the terminal does. */
void text_marked(struct buf *out, const struct text_style *style, enum text_mark mark,
                 const char *text);
void text_heading(struct buf *out, const struct text_style *style, const char *text);

struct text_column {
    const char *name;
    bool right;  /* numbers: aligned at their end */
    bool shrink; /* may be cut ("...") when the terminal is narrow */
};
struct text_cell {
    const char *text; /* borrowed until the table is written */
    enum text_mark mark;
};
struct text_table {
    const struct text_column *columns;
    int column_count;
    struct text_cell *cells; /* row by row */
    size_t row_count, cell_room;
};
/* A row to be filled in; lent until the next one is added. */
struct text_cell *text_table_row(struct text_table *table);
void text_table_write(const struct text_table *table, const struct text_style *style,
                      struct buf *out);
void text_table_fini(struct text_table *table);

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Commas and indentation are the writer's. A key is NULL inside a list. */
enum { JSON_DEPTH_MAX = 64 };
struct json {
    struct buf *out;
    int depth;
    bool filled[JSON_DEPTH_MAX];
    bool compact; /* all on one line */
};
void json_object(struct json *json, const char *key);
void json_list(struct json *json, const char *key);
void json_end(struct json *json, char bracket); /* '}' or ']' */
void json_text(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, int64_t value);
void json_unsigned(struct json *json, const char *key, uint64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
void json_id(struct json *json, const char *key, struct id128 id);
/* JavaScript would round the number: a room's id goes as text, in hexadecimal as Redis has it. */
void json_room(struct json *json, const char *key, uint64_t room);

#endif
