/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/commands.h"
#include "ctl/rooms.h"
#include "ctl/seen.h"

#include "unit/test.h"

static struct listed_room rooms[] = {
    {.is =
         {.room = 1, .code = "BBBBBB", .game = "dobble", .phase = 2, .connected = 3, .seated = 4}},
    {.is = {.room = 2, .code = "AAAAAA", .game = "davinci-code", .phase = 1, .age_ms = 5}},
    {.is =
         {.room = 3, .code = "CCCCCC", .game = "dobble", .phase = 1, .connected = 1, .age_ms = 9}},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static size_t choose(struct rooms_wanted wanted, struct listed_room *list, size_t *all)
{
    memcpy(list, rooms, sizeof rooms);
    if (wanted.limit == 0) wanted.limit = 1000;
    return rooms_choose(list, ROOMS, &wanted, all);
}

static void rooms_are_filtered_and_sorted(void **unused)
{
    (void)unused;
    struct listed_room list[ROOMS];
    size_t all;
    assert_int_equal(choose((struct rooms_wanted){0}, list, &all), 3);
    assert_string_equal(list[0].is.code, "AAAAAA");
    assert_int_equal(choose((struct rooms_wanted){.sort = "people"}, list, &all), 3);
    assert_string_equal(list[0].is.code, "BBBBBB");
    assert_int_equal(choose((struct rooms_wanted){.sort = "age", .limit = 1}, list, &all), 1);
    assert_string_equal(list[0].is.code, "CCCCCC");
    assert_int_equal(all, 3);
    assert_int_equal(choose((struct rooms_wanted){.game = "dobble"}, list, &all), 2);
    assert_int_equal(choose((struct rooms_wanted){.phase = "lobby"}, list, &all), 2);
    assert_int_equal(choose((struct rooms_wanted){.empty = true}, list, &all), 1);
    assert_string_equal(list[0].is.code, "AAAAAA");
}

static void what_is_no_phase_or_column_is_said(void **unused)
{
    (void)unused;
    assert_null(rooms_fault(&(struct rooms_wanted){.phase = "paused", .sort = "waiting"}));
    assert_non_null(rooms_fault(&(struct rooms_wanted){.phase = "x"}));
    assert_non_null(rooms_fault(&(struct rooms_wanted){.sort = "x"}));
}

/* Help and completion propose those that are taken, and all of them. */
static void every_phase_and_column_that_is_proposed_is_taken(void **unused)
{
    (void)unused;
    char list[128], *rest;
    int phases = 0;
    snprintf(list, sizeof list, "%s", ctl_flags[CTL_PHASE].value);
    for (char *at = strtok_r(list, "|", &rest); at; at = strtok_r(NULL, "|", &rest), phases++)
        assert_null(rooms_fault(&(struct rooms_wanted){.phase = at}));
    assert_string_not_equal(rooms_phase((uint32_t)phases - 1), "unknown");
    assert_string_equal(rooms_phase((uint32_t)phases), "unknown");
    snprintf(list, sizeof list, "%s", ctl_flags[CTL_SORT].value);
    for (char *at = strtok_r(list, "|", &rest); at; at = strtok_r(NULL, "|", &rest))
        assert_null(rooms_fault(&(struct rooms_wanted){.sort = at}));
}

/* ---- services -------------------------------------------------------------------------------- */

static struct seen_member member(enum service_kind kind, uint8_t id)
{
    struct seen_member it = {.is = {.kind = kind, .rooms_max = 100}, .answered = true};
    it.is.instance.byte[0] = id;
    it.load.shards = it.load.shards_up = 1;
    it.cpu_ms = it.memory_bytes = it.cpu_percent = it.actions = it.actions_per_s = -1;
    return it;
}

static void a_cluster_that_is_whole_is_well(void **unused)
{
    (void)unused;
    struct seen_member list[] = {member(SERVICE_GATEWAY, 1), member(SERVICE_WORKER, 2),
                                 member(SERVICE_TIMER, 3), member(SERVICE_MATCHMAKER, 4)};
    struct seen seen = {.list = list, .count = 4};
    assert_true(seen_well(&seen));
    seen_sort(&seen);
    assert_int_equal(list[0].is.kind, SERVICE_MATCHMAKER);
    assert_int_equal(list[3].is.kind, SERVICE_GATEWAY);
    struct seen_member more[] = {list[0], list[1], list[2], list[3], member(SERVICE_GATEWAY, 5)};
    struct seen five = {.list = more, .count = 5};
    more[4].is.silent_ms = MEMBER_DEAD; /* one of two gateways */
    assert_false(seen_well(&five));
    more[4].is.draining = true; /* it had said that it goes */
    assert_true(seen_well(&five));
    seen.count = 3; /* no gateway */
    assert_false(seen_well(&seen));
}

static void each_trouble_has_its_word(void **unused)
{
    (void)unused;
    enum text_mark mark;
    struct seen_member it = member(SERVICE_WORKER, 1);
    assert_string_equal(seen_state(&it, &mark), "ready");
    it.is.draining = true;
    assert_string_equal(seen_state(&it, &mark), "drained");
    it.is.rooms = 2;
    assert_string_equal(seen_state(&it, &mark), "draining");
    it.load.shards_up = 0;
    assert_string_equal(seen_state(&it, &mark), "no redis");
    it.answered = false;
    assert_string_equal(seen_state(&it, &mark), "silent");
    it.is.silent_ms = MEMBER_DEAD;
    assert_string_equal(seen_state(&it, &mark), "dead"); /* while it handed rooms over */
    assert_int_equal(mark, MARK_BAD);
    it.is.rooms = 0;
    assert_string_equal(seen_state(&it, &mark), "left");
    assert_int_equal(mark, MARK_GOOD);
    it.is.draining = false;
    assert_string_equal(seen_state(&it, &mark), "dead");
    it = member(SERVICE_TIMER, 1);
    assert_string_equal(seen_state(&it, &mark), "up"); /* nobody said that it is ready */
    it.is.silent_ms = 5000;
    assert_string_equal(seen_state(&it, &mark), "late");
}

static void what_says_that_it_is_not_ready_is_not_called_ready(void **unused)
{
    (void)unused;
    struct seen_member list[] = {member(SERVICE_GATEWAY, 1), member(SERVICE_WORKER, 2),
                                 member(SERVICE_TIMER, 3)};
    struct seen seen = {.list = list, .count = 3};
    struct text_style plain = {0};
    struct buf out = {0};
    enum text_mark mark;
    for (int i = 0; i < 3; i++) {
        seen_ready(&list[i], 200, slice_text("ok\n"));
        assert_string_equal(seen_state(&list[i], &mark), "ready");
    }
    assert_true(seen_well(&seen));
    seen_ready(&list[2], 503, slice_text("a store\033[2J is away\nand more"));
    assert_string_equal(seen_state(&list[2], &mark), "not ready");
    assert_int_equal(mark, MARK_BAD);
    assert_false(seen_well(&seen));
    seen_troubles(&seen, &plain, &out);
    buf_put_u8(&out, 0);
    assert_non_null(strstr((char *)out.at, "timer 03000000 says that it is not ready: a store"));
    assert_null(strchr((char *)out.at, '\033'));
    assert_null(strstr((char *)out.at, "more"));
    seen_ready(&list[2], 200, slice_text("ok\n"));
    assert_true(seen_well(&seen));
    list[1].is.draining = true; /* which is said by its own word */
    seen_ready(&list[1], 503, slice_text("draining"));
    assert_string_equal(seen_state(&list[1], &mark), "drained");
    buf_fini(&out);
}

static void sums_leave_the_dead_out(void **unused)
{
    (void)unused;
    struct seen_member list[] = {member(SERVICE_WORKER, 1), member(SERVICE_WORKER, 2)};
    struct seen seen = {.list = list, .count = 2};
    struct seen_totals totals;
    list[0].load.rooms = 7;
    list[0].load.people = 3;
    list[1].load.rooms = 100;
    list[1].is.silent_ms = MEMBER_DEAD;
    seen_total(&seen, &totals);
    assert_int_equal(totals.rooms, 7);
    assert_int_equal(totals.people, 3);
    assert_int_equal(totals.dead, 1);
    assert_int_equal(totals.services, 1);
}

static void the_table_fits_eighty_columns(void **unused)
{
    (void)unused;
    struct seen_member list[] = {member(SERVICE_WORKER, 1), member(SERVICE_MATCHMAKER, 2)};
    struct seen seen = {.list = list, .count = 2};
    struct text_style style = {.width = 80};
    struct buf out = {0};
    list[0].is.build = "0.123.456-longer-than-usual";
    list[0].load.rooms = list[0].is.rooms_max = 10000;
    list[0].load.unconfirmed = 9999;
    list[0].is.silent_ms = 61000;
    seen_status_text(&seen, &style, &out);
    seen_top_text(&seen, &style, &out);
    buf_put_u8(&out, 0);
    for (char *line = strtok((char *)out.at, "\n"); line; line = strtok(NULL, "\n"))
        if (strstr(line, "  !") == NULL) assert_true(text_width(line) <= 82);
    buf_fini(&out);
}

static void rates_are_what_passed_between_two_looks(void **unused)
{
    (void)unused;
    struct seen_member before[] = {member(SERVICE_WORKER, 1)};
    struct seen_member now[] = {member(SERVICE_WORKER, 1), member(SERVICE_WORKER, 2)};
    struct seen then = {.list = before, .count = 1, .looked_at_ms = 1000};
    struct seen is = {.list = now, .count = 2, .looked_at_ms = 3000};
    before[0].cpu_ms = 500;
    now[0].cpu_ms = 1500;
    now[1].cpu_ms = 100;
    before[0].actions = 1000;
    now[0].actions = now[1].actions = 1500;
    seen_compare(&is, &then);
    assert_int_equal(now[0].actions_per_s, 250);
    assert_int_equal(now[1].actions_per_s, -1);
    assert_int_equal(now[0].cpu_percent, 50);
    assert_int_equal(now[1].cpu_percent, -1);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(rooms_are_filtered_and_sorted),
                     cmocka_unit_test(what_is_no_phase_or_column_is_said),
                     cmocka_unit_test(every_phase_and_column_that_is_proposed_is_taken),
                     cmocka_unit_test(a_cluster_that_is_whole_is_well),
                     cmocka_unit_test(each_trouble_has_its_word),
                     cmocka_unit_test(what_says_that_it_is_not_ready_is_not_called_ready),
                     cmocka_unit_test(sums_leave_the_dead_out),
                     cmocka_unit_test(the_table_fits_eighty_columns),
                     cmocka_unit_test(rates_are_what_passed_between_two_looks));
}
