/* SPDX-License-Identifier: Apache-2.0 */
#include "ctl/doctor.h"

#include "unit/test.h"

#include <string.h>

static struct doctor doctor;

static int begin(void **unused)
{
    (void)unused;
    memset(&doctor, 0, sizeof doctor);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    doctor_fini(&doctor);
    return 0;
}

static const struct doctor_check *about(const char *found)
{
    for (int i = 0; i < doctor.count; i++)
        if (strstr(doctor.checks[i].found, found)) return &doctor.checks[i];
    fail_msg("nothing was found about: %s", found);
    return NULL;
}

static void look(const char *info, const char *policy)
{
    struct doctor_redis set = {policy, "everysec", "1"};
    doctor_redis(&doctor, "tcp://r:1", slice_text(info), &set);
}

#define SOUND                                                                                 \
    "# Server\r\nredis_version:7.0.15\r\nrole:master\r\nloading:0\r\nused_memory:1048576\r\n" \
    "maxmemory:104857600\r\naof_enabled:1\r\naof_last_write_status:ok\r\n"                    \
    "aof_last_bgrewrite_status:ok\r\nrdb_last_bgsave_status:ok\r\nconnected_clients:8\r\n"    \
    "maxclients:10000\r\n"

static void a_sound_redis_has_nothing_to_be_done(void **unused)
{
    (void)unused;
    look(SOUND, "noeviction");
    for (int i = 0; i < doctor.count; i++) {
        assert_int_equal(doctor.checks[i].state, DOCTOR_GOOD);
        assert_null(doctor.checks[i].todo);
    }
    assert_true(doctor.count >= 6);
    assert_true(doctor_well(&doctor));
}

static void what_is_wrong_with_redis_is_found(void **unused)
{
    (void)unused;
    static const struct {
        const char *info, *policy, *found;
        enum doctor_state state;
    } wrong[] = {
        {"redis_version:5.0.3\nrole:master\n", "noeviction", "version 5.0.3", DOCTOR_BAD},
        {"redis_version:7.0.1\nrole:slave\n", "noeviction", "is a slave", DOCTOR_BAD},
        {"redis_version:7.0.1\nloading:1\n", "noeviction", "still loading", DOCTOR_BAD},
        {"maxmemory:100\nused_memory:5\n", "allkeys-lru", "allkeys-lru", DOCTOR_BAD},
        {"maxmemory:0\nused_memory:5\n", "volatile-ttl", "volatile-ttl", DOCTOR_WARN},
        {"maxmemory:0\nmaxmemory_policy:allkeys-lfu\n", "", "allkeys-lfu", DOCTOR_WARN},
        {"maxmemory:104857600\nused_memory:99999999\n", "noeviction", "95 of 100 MB", DOCTOR_BAD},
        {"aof_enabled:0\n", "noeviction", "appendonly is no", DOCTOR_WARN},
        {"aof_enabled:1\naof_last_write_status:err\n", "noeviction", "could not be written",
         DOCTOR_BAD},
        {"rdb_last_bgsave_status:err\n", "noeviction", "last snapshot failed", DOCTOR_BAD},
        {"connected_clients:95\nmaxclients:100\n", "noeviction", "95 of 100 conn", DOCTOR_BAD},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        look(wrong[i].info, wrong[i].policy);
        assert_int_equal(about(wrong[i].found)->state, wrong[i].state);
        assert_non_null(about(wrong[i].found)->todo);
        doctor_fini(&doctor);
        memset(&doctor, 0, sizeof doctor);
    }
}

static void what_redis_does_not_tell_is_no_fault_of_its_own(void **unused)
{
    (void)unused;
    struct doctor_redis set = {"", "", ""};
    doctor_redis(&doctor, "r", slice_text(SOUND "maxmemory_policy:noeviction\r\n"), &set);
    assert_true(doctor_well(&doctor));
    char value[8];
    assert_false(doctor_info(slice_text("a:1\nbc:2"), "b", value, sizeof value));
    assert_true(doctor_info(slice_text("a:1\nbc:2"), "bc", value, sizeof value));
    assert_string_equal(value, "2");
    assert_false(doctor_info(slice_text("a:123456789"), "a", value, sizeof value));
}

static void a_clock_is_judged_by_what_is_certain(void **unused)
{
    (void)unused;
    doctor_clock(&doctor, "r", 900, 0);
    doctor_clock(&doctor, "r", -1500, 2000); /* the answer took four seconds */
    doctor_clock(&doctor, "r", 1500, 10);
    doctor_clock(&doctor, "r", -90000, 10);
    assert_int_equal(doctor.checks[0].state, DOCTOR_GOOD);
    assert_int_equal(doctor.checks[1].state, DOCTOR_GOOD);
    assert_int_equal(doctor.checks[2].state, DOCTOR_WARN);
    assert_int_equal(doctor.checks[3].state, DOCTOR_BAD);
    assert_string_equal(doctor.checks[3].found, "90000 ms behind this machine's");
}

static void files_that_run_out_are_bad(void **unused)
{
    (void)unused;
    doctor_files(&doctor, "gateway", 100, 20000);
    doctor_files(&doctor, "gateway", 100, 1024);
    doctor_files(&doctor, "gateway", 19000, 20000);
    doctor_files(&doctor, "gateway", 0, 0);
    assert_int_equal(doctor.count, 3);
    assert_int_equal(doctor.checks[0].state, DOCTOR_GOOD);
    assert_int_equal(doctor.checks[1].state, DOCTOR_WARN);
    assert_int_equal(doctor.checks[2].state, DOCTOR_BAD);
}

static void certificates_are_warned_of_before_they_end(void **unused)
{
    (void)unused;
    static const struct {
        struct doctor_certificate seen;
        enum doctor_state state;
    } cases[] = {
        {{.days_left = 60}, DOCTOR_GOOD},
        {{.days_left = 13}, DOCTOR_WARN},
        {{.days_left = -1}, DOCTOR_BAD},
        {{.days_left = 60, .early = true}, DOCTOR_BAD},
        {{.days_left = 60, .has_key = true, .key_fits = true}, DOCTOR_GOOD},
        {{.days_left = 60, .has_key = true}, DOCTOR_BAD},
        {{.fault = "is not there"}, DOCTOR_BAD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        doctor_certificate(&doctor, "f", &cases[i].seen);
        assert_int_equal(doctor_well(&doctor), cases[i].state != DOCTOR_BAD);
        assert_int_equal(doctor.checks[0].state, cases[i].state);
        doctor_fini(&doctor);
        memset(&doctor, 0, sizeof doctor);
    }
}

static void what_a_service_still_uses_is_warned_of_too(void **unused)
{
    (void)unused;
    doctor_certificate_in_use(&doctor, "worker", "identity", 60);
    doctor_certificate_in_use(&doctor, "worker", "authority", 13);
    doctor_certificate_in_use(&doctor, "gateway", "https", -2);
    assert_int_equal(about("as identity is valid for 60 days")->state, DOCTOR_GOOD);
    assert_int_equal(about("as authority is valid for 13 days")->state, DOCTOR_WARN);
    assert_int_equal(about("as https ended 2 days ago")->state, DOCTOR_BAD);
    assert_non_null(strstr(about("https")->todo, "SIGHUP"));
}

static void a_service_that_is_not_ready_says_why(void **unused)
{
    (void)unused;
    doctor_ready(&doctor, "worker", 503, slice_text("a Redis shard is lacking\nmore"));
    doctor_ready(&doctor, "worker", 0, slice_text(""));
    doctor_ready(&doctor, "worker", -1, slice_text(""));
    assert_string_equal(doctor.checks[0].found, "a Redis shard is lacking");
    assert_int_equal(doctor.checks[0].state, DOCTOR_BAD);
    assert_int_equal(doctor.checks[1].state, DOCTOR_WARN);
    assert_int_equal(doctor.checks[2].state, DOCTOR_WARN);
}

static void what_is_to_be_done_stands_below(void **unused)
{
    (void)unused;
    struct buf out = {0};
    struct text_style plain = {0};
    doctor_missing(&doctor, "timer");
    doctor_versions(&doctor, "0.1.0", "0.2.0");
    doctor_text(&doctor, &plain, &out);
    buf_put_u8(&out, 0);
    assert_string_equal((char *)out.at,
                        "bad   ready    timer     there is none\n"
                        "      start one; a cluster needs one of each\n"
                        "warn  version  services  both 0.1.0 and 0.2.0 are there\n"
                        "      finish the upgrade: what the newer ones can do waits for the older "
                        "ones\n"
                        "\n0 good, 1 worth a thought, 1 bad\n");
    buf_fini(&out);
}

static void columns_line_up_but_for_what_is_very_long(void **unused)
{
    (void)unused;
    struct buf out = {0};
    struct text_style plain = {0};
    doctor_clock_kept(&doctor, true);
    doctor_redis_missing(&doctor, "sentinel://one.example,two.example,three.example/yard");
    doctor.checks[1].todo = NULL;
    doctor_text(&doctor, &plain, &out);
    buf_put_u8(&out, 0);
    assert_string_equal((char *)out.at,
                        "good  clock  here  is kept right\n"
                        "bad   redis  sentinel://one.example,two.example,three.example/yard  "
                        "cannot be used from this machine\n"
                        "\n1 good, 0 worth a thought, 1 bad\n");
    buf_fini(&out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    return RUN_TESTS(TEST(a_sound_redis_has_nothing_to_be_done),
                     TEST(what_is_wrong_with_redis_is_found),
                     TEST(what_redis_does_not_tell_is_no_fault_of_its_own),
                     TEST(a_clock_is_judged_by_what_is_certain), TEST(files_that_run_out_are_bad),
                     TEST(certificates_are_warned_of_before_they_end),
                     TEST(what_a_service_still_uses_is_warned_of_too),
                     TEST(a_service_that_is_not_ready_says_why),
                     TEST(what_is_to_be_done_stands_below),
                     TEST(columns_line_up_but_for_what_is_very_long));
}
