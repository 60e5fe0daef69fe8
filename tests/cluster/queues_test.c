/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of queues in services/README.md against reality: what it names is in the sources and
 * has that value, is served by the running programs with that bound, and nothing is served that it
 * does not name.
 */
#include "cluster/rack.h"

#include "ops/system.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS_MAX = 96, CELL_BYTES = 256 };

static const char *const programs[] = {"gateway", "matchmaker", "worker", "timer"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static struct row {
    char queue[64], of[64], bound[CELL_BYTES], deed[CELL_BYTES];
    int64_t value;
} rows[ROWS_MAX];
static int row_count;
static struct buf sources; /* all headers and the settings, one after the other */

/* ---- reading --------------------------------------------------------------------------------- */

static void cell(const char **at, char *out, size_t size)
{
    while (**at == '|' || **at == ' ') (*at)++;
    size_t len = strcspn(*at, "|\n");
    size_t kept = len;
    while (kept > 0 && (*at)[kept - 1] == ' ') kept--;
    if (kept >= size) kept = size - 1;
    memcpy(out, *at, kept);
    out[kept] = 0;
    *at += len;
}

/* The last number of the cell. */
static int64_t number_of(const char *bound)
{
    const char *last = strrchr(bound, ' ');
    return last ? strtoll(last, NULL, 10) : -1;
}

static void read_rows(const char *text)
{
    for (const char *line = text; line; line = strchr(line + 1, '\n')) {
        if (strncmp(line, "\n| `", 4) != 0) continue;
        const char *at = line + 1;
        struct row *row = &rows[row_count++];
        assert_true(row_count <= ROWS_MAX);
        cell(&at, row->queue, sizeof row->queue);
        size_t len = strlen(row->queue);
        memmove(row->queue, row->queue + 1, len - 2);
        row->queue[len - 2] = 0;
        cell(&at, row->of, sizeof row->of);
        cell(&at, row->bound, sizeof row->bound);
        cell(&at, row->deed, sizeof row->deed);
        row->value = number_of(row->bound);
    }
}

static void add_source(const char *path)
{
    struct buf bytes = {0};
    assert_true(file_read(path, 1 << 20, &bytes));
    buf_put_slice(&sources, buf_slice(&bytes));
    buf_fini(&bytes);
}

static bool belongs(const struct row *row, const char *program)
{
    return strcmp(row->of, "all") == 0 || strstr(row->of, program) != NULL;
}

/* They are looked at once a second. */
static void wait_for_queues(const char *program)
{
    char line[128];
    for (int i = 0; i < row_count; i++) {
        if (!belongs(&rows[i], program)) continue;
        snprintf(line, sizeof line, "madang_queue_bound{queue=\"%s\"", rows[i].queue);
        assert_true(rack_wait_metric(rack_process(program), line, 1, INT64_MAX));
    }
}

static int open_all(void **state)
{
    (void)state;
    struct buf page = {0};
    char path[256];
    assert_true(file_read("services/README.md", 1 << 20, &page));
    buf_put_u8(&page, 0);
    read_rows((const char *)page.at);
    buf_fini(&page);
    FILE *list = popen("ls libs/*/*.h services/*/*.h", "r");
    assert_non_null(list);
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = 0;
        add_source(path);
    }
    pclose(list);
    buf_put_u8(&sources, 0);
    rack_open(NULL);
    for (int i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i], "matchmaker") != 0) rack_start(programs[i], NULL);
    for (int i = 0; i < PROGRAMS; i++) wait_for_queues(programs[i]);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    buf_fini(&sources);
    return rack_close();
}

/* ---- the sources ----------------------------------------------------------------------------- */

/* "4096", "16 << 20"; what follows does not matter. */
static int64_t evaluate(const char *expression)
{
    char *end;
    int64_t value = strtoll(expression, &end, 10);
    while (*end == ' ') end++;
    if (strncmp(end, "<<", 2) == 0) value <<= strtoll(end + 2, NULL, 10);
    return value;
}

/* A constant (NAME = value) or a setting (--flag, by its default); -1: there is none. */
static int64_t source_value(const char *name)
{
    const char *text = (const char *)sources.at;
    char wanted[96];
    if (name[0] == '-') {
        snprintf(wanted, sizeof wanted, "\"%s\", CONFIG_INT, \"", name + 2);
        const char *at = strstr(text, wanted);
        return at ? strtoll(at + strlen(wanted), NULL, 10) : -1;
    }
    snprintf(wanted, sizeof wanted, "%s = ", name);
    for (const char *at = strstr(text, wanted); at; at = strstr(at + 1, wanted)) {
        const char *value = at + strlen(wanted);
        if (isalnum(at[-1]) || at[-1] == '_' || !isdigit(*value)) continue;
        return evaluate(value);
    }
    return -1;
}

/* `A` 5, `A` × `B` 50, `A` + `B` 15. */
static int64_t named_value(const char *bound)
{
    int64_t value = -1;
    for (const char *at = strchr(bound, '`'); at; at = strchr(at, '`')) {
        char name[64];
        size_t len = strcspn(at + 1, "`");
        snprintf(name, sizeof name, "%.*s", (int)len, at + 1);
        int64_t next = source_value(name);
        if (next < 0) fail_msg("%s is nowhere in the sources", name);
        bool times = value >= 0 && at >= bound + 4 && strncmp(at - 3, "\xc3\x97", 2) == 0;
        bool plus = value >= 0 && at[-2] == '+';
        assert_true(value < 0 || times || plus);
        value = times ? value * next : plus ? value + next : next;
        at += len + 2;
    }
    return value;
}

static void each_bound_is_a_constant_of_the_sources_with_that_value(void **state)
{
    (void)state;
    assert_true(row_count >= 40);
    for (int i = 0; i < row_count; i++) {
        int64_t value = named_value(rows[i].bound);
        if (value != rows[i].value || value <= 0)
            fail_msg("%s: the sources say %lld, the table %lld", rows[i].queue, (long long)value,
                     (long long)rows[i].value);
        assert_true(strlen(rows[i].deed) > 20); /* what happens there */
    }
}

/* ---- the programs ---------------------------------------------------------------------------- */

static void each_queue_is_served_with_its_bound_by_the_programs_that_have_it(void **state)
{
    (void)state;
    for (int p = 0; p < PROGRAMS; p++) {
        const struct process *process = rack_process(programs[p]);
        for (int i = 0; i < row_count; i++) {
            if (!belongs(&rows[i], programs[p])) continue;
            int64_t bound = rack_queue(process, "bound", rows[i].queue);
            if (bound != rows[i].value)
                fail_msg("%s of %s: it serves %lld, the table says %lld", rows[i].queue,
                         programs[p], (long long)bound, (long long)rows[i].value);
            assert_in_range(rack_queue(process, "depth", rows[i].queue), 0, bound);
            assert_int_equal(rack_queue(process, "refused_total", rows[i].queue), 0);
        }
    }
}

static const struct row *row_of(const char *queue, size_t len)
{
    for (int i = 0; i < row_count; i++)
        if (strlen(rows[i].queue) == len && strncmp(rows[i].queue, queue, len) == 0)
            return &rows[i];
    return NULL;
}

static void nothing_is_served_that_the_table_does_not_name(void **state)
{
    (void)state;
    static const char label[] = "madang_queue_depth{queue=\"";
    struct buf text = {0};
    for (int p = 0; p < PROGRAMS; p++) {
        int served = 0, expected = 0;
        rack_metrics(rack_process(programs[p]), &text);
        for (const char *at = (const char *)text.at; (at = strstr(at, label)) != NULL; served++) {
            at += sizeof label - 1;
            const struct row *row = row_of(at, strcspn(at, "\""));
            if (row == NULL) fail_msg("the table lacks %.40s", at);
            assert_true(belongs(row, programs[p]));
        }
        for (int i = 0; i < row_count; i++) expected += belongs(&rows[i], programs[p]);
        assert_int_equal(served, expected);
    }
    buf_fini(&text);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all,
        cmocka_unit_test(each_bound_is_a_constant_of_the_sources_with_that_value),
        cmocka_unit_test(each_queue_is_served_with_its_bound_by_the_programs_that_have_it),
        cmocka_unit_test(nothing_is_served_that_the_table_does_not_name));
}
