/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/inforce.h"
#include "ctl/seen.h"

#include "unit/test.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;

static struct inforce told(enum service_kind kind, uint8_t id, const char *text)
{
    struct inforce one = {.is = {.kind = kind, .instance = {{id}}}};
    inforce_read(&one, slice_text(text), &arena);
    return one;
}

static const char *shown(const struct inforce *all, int count, bool defaults)
{
    static char text[4096];
    struct buf out = {0};
    struct text_style plain = {0};
    inforce_text(all, count, defaults, &plain, &out);
    snprintf(text, sizeof text, "%.*s", (int)out.len, (char *)out.at);
    buf_fini(&out);
    arena_reset(&arena);
    return text;
}

static void services_that_agree_share_a_line(void **unused)
{
    (void)unused;
    struct inforce all[] = {
        told(SERVICE_WORKER, 2, "rooms-max\tflag\t100\ngrace\tdefault\t30s\n"),
        told(SERVICE_WORKER, 1, "rooms-max\tflag\t100\ngrace\tdefault\t30s\n"),
    };
    inforce_sort(all, 2);
    assert_string_equal(shown(all, 2, false), "SERVICE  SETTING    FROM  VALUE\n"
                                              "worker   rooms-max  flag  100\n");
}

static void one_that_differs_has_its_own(void **unused)
{
    (void)unused;
    struct inforce all[] = {
        told(SERVICE_WORKER, 1, "grace\tdefault\t30s\n"),
        told(SERVICE_WORKER, 2, "grace\tenvironment\t5s\n"),
        told(SERVICE_TIMER, 3, "grace\tdefault\t30s\n"),
    };
    assert_string_equal(shown(all, 3, false), "SERVICE          SETTING  FROM         VALUE\n"
                                              "worker 01000000  grace    default      30s\n"
                                              "worker 02000000  grace    environment  5s\n");
}

static void defaults_are_shown_when_asked_for_and_silence_is_told(void **unused)
{
    (void)unused;
    struct inforce all[] = {
        told(SERVICE_TIMER, 3, "grace\tdefault\t\nhalf a line"),
        {.is = {.kind = SERVICE_GATEWAY, .instance = {{4}}}, .why = "is dead"},
    };
    assert_string_equal(shown(all, 2, true), "SERVICE  SETTING  FROM     VALUE\n"
                                             "timer    grace    default  -\n"
                                             "  ! gateway 04000000: is dead\n");
}

static void a_worker_is_named_by_as_much_of_its_id_as_is_its_own(void **unused)
{
    (void)unused;
    int fitting;
    const struct member members[] = {
        {.kind = SERVICE_WORKER, .instance = {{0x3f, 0x2a}}},
        {.kind = SERVICE_WORKER, .instance = {{0x3f, 0x2b}}},
        {.kind = SERVICE_TIMER, .instance = {{0x3f, 0x2c}}},
    };
    seen_named(members, 3, SERVICE_WORKER, "3f2", &fitting);
    assert_int_equal(fitting, 2); /* two with one name: neither is meant */
    assert_ptr_equal(seen_named(members, 3, SERVICE_WORKER, "3f2a", &fitting), &members[0]);
    assert_int_equal(fitting, 1);
    assert_null(seen_named(members, 3, SERVICE_WORKER, "3f2c", &fitting));
    assert_null(seen_named(members, 3, SERVICE_WORKER, "", &fitting));
    assert_null(
        seen_named(members, 3, SERVICE_WORKER, "3f2a000000000000000000000000000000", &fitting));
}

int main(void)
{
    int failed = RUN_TESTS(cmocka_unit_test(services_that_agree_share_a_line),
                           cmocka_unit_test(one_that_differs_has_its_own),
                           cmocka_unit_test(defaults_are_shown_when_asked_for_and_silence_is_told),
                           cmocka_unit_test(a_worker_is_named_by_as_much_of_its_id_as_is_its_own));
    arena_fini(&arena);
    return failed;
}
