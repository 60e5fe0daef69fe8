/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/text.h"

#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

enum { LINE_MAX_BYTES = 4096, GAP = 2, SHRUNK_MIN = 6 };

void text_add(struct buf *out, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (len > 0) buf_put(out, line, len < LINE_MAX_BYTES ? (size_t)len : sizeof line - 1);
}

/* The next code point and its length; bytes that are none count as one cell each. */
static int next_point(const char *at, utf8proc_int32_t *point)
{
    utf8proc_ssize_t len =
        utf8proc_iterate((const utf8proc_uint8_t *)at, (utf8proc_ssize_t)strnlen(at, 4), point);
    if (len > 0) return (int)len;
    *point = '?';
    return 1;
}

int text_width(const char *text)
{
    int width = 0;
    utf8proc_int32_t point;
    for (; *text; text += next_point(text, &point)) {
        next_point(text, &point);
        width += utf8proc_charwidth(point);
    }
    return width;
}

void text_duration(struct buf *out, uint64_t ms)
{
    uint64_t s = ms / 1000;
    if (ms < 1000)
        text_add(out, "%llums", (unsigned long long)ms);
    else if (s < 60)
        text_add(out, "%llu.%llus", (unsigned long long)s, (unsigned long long)(ms % 1000 / 100));
    else if (s < 3600)
        text_add(out, "%llum %llus", (unsigned long long)(s / 60), (unsigned long long)(s % 60));
    else if (s < 24 * 3600)
        text_add(out, "%lluh %llum", (unsigned long long)(s / 3600),
                 (unsigned long long)(s / 60 % 60));
    else
        text_add(out, "%llud %lluh", (unsigned long long)(s / 86400),
                 (unsigned long long)(s / 3600 % 24));
}

void text_count(struct buf *out, uint64_t count, const char *one, const char *many)
{
    text_add(out, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

void text_id(struct buf *out, struct id128 id, int digits)
{
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < digits; i++)
        buf_put_u8(out, (uint8_t)hex[i % 2 ? id.byte[i / 2] & 15 : id.byte[i / 2] >> 4]);
}

void text_safe(struct buf *out, const char *text)
{
    utf8proc_int32_t point;
    while (*text) {
        int len = next_point(text, &point);
        bool control =
            point < ' ' || (point >= 0x7f && point < 0xa0) || (point == '?' && *text != '?');
        if (control)
            buf_put_u8(out, '?');
        else
            buf_put(out, text, (size_t)len);
        text += len;
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *const mark_codes[] = {
    [MARK_NONE] = "",        [MARK_GOOD] = "\033[32m", [MARK_WARN] = "\033[33m",
    [MARK_BAD] = "\033[31m", [MARK_DIM] = "\033[2m",
};
static const char bold[] = "\033[1m", plain[] = "\033[0m";

void text_marked(struct buf *out, const struct text_style *style, enum text_mark mark,
                 const char *text)
{
    bool marked = style->color && mark != MARK_NONE;
    text_add(out, "%s%s%s", marked ? mark_codes[mark] : "", text, marked ? plain : "");
}

void text_heading(struct buf *out, const struct text_style *style, const char *text)
{
    text_add(out, "%s%s%s", style->color ? bold : "", text, style->color ? plain : "");
}

struct text_cell *text_table_row(struct text_table *table)
{
    size_t columns = (size_t)table->column_count, used = table->row_count * columns;
    CHECK(table->column_count > 0 && table->column_count <= TEXT_COLUMNS_MAX);
    if (used + columns > table->cell_room) {
        table->cell_room = table->cell_room ? 2 * table->cell_room : 64 * columns;
        table->cells = realloc(table->cells, table->cell_room * sizeof *table->cells);
        CHECK(table->cells != NULL);
    }
    table->row_count++;
    memset(table->cells + used, 0, columns * sizeof *table->cells);
    return table->cells + used;
}

void text_table_fini(struct text_table *table)
{
    free(table->cells);
    *table = (struct text_table){0};
}

static const char *cell_text(const struct text_cell *cell)
{
    return cell->text ? cell->text : "";
}

/* Columns as wide as their widest cell; where the terminal is narrower, those that may be cut give
 * way, the widest first. */
static void find_widths(const struct text_table *table, const struct text_style *style, int *widths)
{
    int total = -GAP;
    for (int c = 0; c < table->column_count; c++) {
        widths[c] = text_width(table->columns[c].name);
        for (size_t r = 0; r < table->row_count; r++) {
            int width =
                text_width(cell_text(&table->cells[r * (size_t)table->column_count + (size_t)c]));
            if (width > widths[c]) widths[c] = width;
        }
        total += widths[c] + GAP;
    }
    while (style->width > 0 && total > style->width) {
        int widest = -1;
        for (int c = 0; c < table->column_count; c++)
            if (table->columns[c].shrink && widths[c] > SHRUNK_MIN &&
                (widest < 0 || widths[c] > widths[widest]))
                widest = c;
        if (widest < 0) return;
        widths[widest]--;
        total--;
    }
}

/* Cut to width cells, the last of which then is an ellipsis; returns how many stay free. */
static int put_cut(struct buf *out, const char *text, int width)
{
    int used = 0;
    utf8proc_int32_t point;
    while (*text) {
        int len = next_point(text, &point), cells = utf8proc_charwidth(point);
        if (used + cells > width - 1) break;
        buf_put(out, text, (size_t)len);
        used += cells;
        text += len;
    }
    text_add(out, "\u2026");
    return width - 1 - used;
}

static void put_cell(struct buf *out, const struct text_style *style,
                     const struct text_column *column, const struct text_cell *cell, int width,
                     bool last)
{
    const char *text = cell_text(cell);
    int spare = width - text_width(text);
    struct buf shown = {0};
    if (spare < 0)
        spare = put_cut(&shown, text, width);
    else
        buf_put_slice(&shown, slice_text(text));
    buf_put_u8(&shown, 0);
    if (column->right && spare > 0) text_add(out, "%*s", spare, "");
    text_marked(out, style, cell->mark, (const char *)shown.at);
    if (!column->right && spare > 0 && !last) text_add(out, "%*s", spare, "");
    if (!last) text_add(out, "%*s", GAP, "");
    buf_fini(&shown);
}

/* Up to the last cell in which something stands: no blanks at the end of a line. */
static void put_row(struct buf *out, const struct text_style *style, const struct text_table *table,
                    const struct text_cell *row, const int *widths)
{
    int count = table->column_count;
    while (count > 0 && *cell_text(&row[count - 1]) == '\0') count--;
    for (int c = 0; c < count; c++)
        put_cell(out, style, &table->columns[c], &row[c], widths[c], c + 1 == count);
}

void text_table_write(const struct text_table *table, const struct text_style *style,
                      struct buf *out)
{
    int widths[TEXT_COLUMNS_MAX];
    struct text_cell names[TEXT_COLUMNS_MAX] = {0};
    struct text_style still = {.width = style->width};
    find_widths(table, style, widths);
    for (int c = 0; c < table->column_count; c++) names[c].text = table->columns[c].name;
    if (style->color) buf_put_slice(out, slice_text(bold));
    put_row(out, &still, table, names, widths);
    text_add(out, "%s\n", style->color ? plain : "");
    for (size_t r = 0; r < table->row_count; r++) {
        put_row(out, style, table, table->cells + r * (size_t)table->column_count, widths);
        buf_put_u8(out, '\n');
    }
}
