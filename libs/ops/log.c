/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/log.h"

#include "ops/log_events.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES_MAX = 300, EVENT_BYTES_MAX = 60 };

struct allowed {
    unsigned programs;
    const char *event;
    enum log_level level;
    const char *names[3];
};
static const struct allowed allowed[] = {
#define X(programs, event, level, a, b, c) {programs, event, LOG_##level, {a, b, c}},
    LOG_EVENTS(X)
#undef X
};

static const struct allowed *find(enum program program, const char *event)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if ((allowed[i].programs & (unsigned)program) && strcmp(allowed[i].event, event) == 0)
            return &allowed[i];
    return NULL;
}

__attribute__((format(printf, 2, 3))) static void print(struct buf *out, const char *format, ...)
{
    char part[128];
    va_list args;
    va_start(args, format);
    vsnprintf(part, sizeof part, format, args);
    va_end(args);
    buf_put_slice(out, slice_text(part));
}

/* Proleptic Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, civil_from_days). */
static void print_time(int64_t wall_ms, struct buf *out)
{
    int64_t days = wall_ms / 86400000, ms = wall_ms % 86400000;
    int64_t shifted = days + 719468, era = shifted / 146097, day_of_era = shifted % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_of_year = (5 * day_of_year + 2) / 153; /* from March */
    int day = (int)(day_of_year - (153 * month_of_year + 2) / 5 + 1);
    int month = (int)(month_of_year < 10 ? month_of_year + 3 : month_of_year - 9);
    int64_t year = year_of_era + era * 400 + (month <= 2);
    print(out, "{\"ts\":\"%04" PRId64 "-%02d-%02dT%02d:%02d:%02d.%03dZ\"", year, month, day,
          (int)(ms / 3600000), (int)(ms / 60000 % 60), (int)(ms / 1000 % 60), (int)(ms % 1000));
}

/* The inside of a JSON string; what is neither printable ASCII nor UTF-8's becomes a question mark.
 * */
static void print_escaped(const char *text, size_t bytes_max, struct buf *out)
{
    for (size_t i = 0; text[i] && i < bytes_max; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c == '"' || c == '\\') buf_put_u8(out, '\\');
        buf_put_u8(out, c < 0x20 || c == 0x7f ? '?' : c);
    }
}

static bool is_text(const char *name)
{
    return strcmp(name, "text") == 0;
}

static bool may_have_text(const struct allowed *of)
{
    return of && (is_text(of->names[0]) || is_text(of->names[1]) || is_text(of->names[2]));
}

static void print_values(const struct allowed *of, const uint64_t values[3], struct buf *out)
{
    for (int i = 0; i < 3; i++) {
        if (of->names[i][0] == '\0' || is_text(of->names[i])) continue;
        bool name = strcmp(of->names[i], "room") == 0 || strcmp(of->names[i], "trace") == 0;
        print(out, name ? ",\"%s\":\"%016" PRIx64 "\"" : ",\"%s\":%" PRIu64, of->names[i],
              values[i]);
    }
}

bool log_format(enum program program, enum log_level least, int64_t wall_ms, const char *event,
                const uint64_t values[3], const char *text, struct buf *out)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    const struct allowed *of = find(program, event);
    enum log_level level = of ? of->level : LOG_INFO;
    if (level < least) return false;
    print_time(wall_ms, out);
    print(out, ",\"level\":\"%s\",\"service\":\"%s\",\"event\":\"", names[level],
          program_name(program));
    print_escaped(event, EVENT_BYTES_MAX, out);
    buf_put_u8(out, '"');
    if (of && values) print_values(of, values, out);
    if (text && may_have_text(of)) {
        print(out, ",\"text\":\"");
        print_escaped(text, TEXT_BYTES_MAX, out);
        buf_put_u8(out, '"');
    }
    print(out, "}\n");
    return true;
}

bool log_flow_take(struct log_flow *flow, int64_t now_ms)
{
    int64_t passed_ms = now_ms - flow->at_ms;
    uint64_t fallen_1000 = passed_ms > 0 ? (uint64_t)passed_ms * LOG_LINES_PER_S : 0;
    flow->lines_1000 -= fallen_1000 < flow->lines_1000 ? fallen_1000 : flow->lines_1000;
    flow->at_ms = now_ms; /* a wall clock may be set back: that moment alone gains nothing */
    if (flow->lines_1000 + 1000 > LOG_LINES_BURST * UINT64_C(1000)) {
        flow->dropped++;
        return false;
    }
    flow->lines_1000 += 1000;
    return true;
}

uint64_t log_flow_news(struct log_flow *flow)
{
    const uint64_t some = LOG_LINES_BURST - LOG_LINES_PER_S;
    uint64_t news = flow->dropped - flow->dropped_told;
    if (flow->lines_1000 > some * 1000) return 0;
    flow->dropped_told = flow->dropped;
    return news;
}
