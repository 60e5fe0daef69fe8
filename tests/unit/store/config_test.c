/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"
#include "unit/test.h"

static struct store_config config;
static const char *why;

static void assert_refused(const char *text)
{
    assert_int_equal(store_config_parse(text, NULL, &config, &why), ST_INVALID);
    assert_non_null(why);
}

static void one_shard_by_host_and_port(void **unused)
{
    (void)unused;
    assert_int_equal(store_config_parse("tcp://redis.example:6380", NULL, &config, &why), ST_OK);
    assert_int_equal(config.shard_count, 1);
    assert_string_equal(config.shards[0].at.host, "redis.example");
    assert_int_equal(config.shards[0].at.port, 6380);
    assert_int_equal(config.shards[0].db, 0);
    assert_string_equal(config.shards[0].password, "");
}

static void port_and_database_have_defaults(void **unused)
{
    (void)unused;
    assert_int_equal(store_config_parse("tcp://a tcp://b/3", NULL, &config, &why), ST_OK);
    assert_int_equal(config.shard_count, 2);
    assert_int_equal(config.shards[0].at.port, 6379);
    assert_int_equal(config.shards[1].at.port, 6379);
    assert_int_equal(config.shards[1].db, 3);
}

static void a_list_is_parted_by_commas_or_blanks(void **unused)
{
    (void)unused;
    assert_int_equal(store_config_parse(" tcp://a:1,tcp://b:2 \n tcp://c:3,", NULL, &config, &why),
                     ST_OK);
    assert_int_equal(config.shard_count, 3);
    assert_string_equal(config.shards[2].at.host, "c");
}

static void a_unix_socket_has_a_path_and_perhaps_a_database(void **unused)
{
    (void)unused;
    assert_int_equal(store_config_parse("unix:///run/a@b/redis.sock unix:///x?db=2", NULL, &config,
                                        &why),
                     ST_OK);
    assert_string_equal(config.shards[0].at.host, "");
    assert_string_equal(config.shards[0].path, "/run/a@b/redis.sock");
    assert_string_equal(config.shards[1].path, "/x");
    assert_int_equal(config.shards[1].db, 2);
}

static void credentials_stand_before_the_host_and_may_be_escaped(void **unused)
{
    (void)unused;
    const char *text = "tcp://yard:p%40ss%2fw%3Ard@h:1, tcp://:only@h, unix://:s@/p, tcp://plain";
    assert_int_equal(store_config_parse(text, "common", &config, &why), ST_OK);
    assert_string_equal(config.shards[0].user, "yard");
    assert_string_equal(config.shards[0].password, "p@ss/w:rd");
    assert_string_equal(config.shards[0].at.host, "h");
    assert_string_equal(config.shards[1].user, "");
    assert_string_equal(config.shards[1].password, "only");
    assert_string_equal(config.shards[2].password, "s");
    assert_string_equal(config.shards[2].path, "/p");
    assert_string_equal(config.shards[3].password, "common");
}

static void a_user_is_for_shards_that_name_none(void **unused)
{
    (void)unused;
    const char *text = "tcp://me:own@a tcp://:own@b tcp://c";
    assert_int_equal(store_config_parse(text, "common", &config, &why), ST_OK);
    assert_int_equal(store_config_user(&config, "yard"), ST_OK);
    assert_string_equal(config.shards[0].user, "me");
    assert_string_equal(config.shards[1].user, "yard");
    assert_string_equal(config.shards[2].user, "yard");
    assert_int_equal(store_config_parse(text, NULL, &config, &why), ST_OK);
    assert_int_equal(store_config_user(&config, "yard"), ST_INVALID); /* one has no password */
    char name[65] = "";
    memset(name, 'x', 64);
    assert_int_equal(store_config_parse(text, "common", &config, &why), ST_OK);
    assert_int_equal(store_config_user(&config, name), ST_INVALID);
}

static void an_ipv6_address_stands_in_brackets(void **unused)
{
    (void)unused;
    assert_int_equal(store_config_parse("tcp://[::1]:7000 tcp://[fe80::2]", NULL, &config, &why),
                     ST_OK);
    assert_string_equal(config.shards[0].at.host, "::1");
    assert_int_equal(config.shards[0].at.port, 7000);
    assert_string_equal(config.shards[1].at.host, "fe80::2");
    assert_int_equal(config.shards[1].at.port, 6379);
}

static void sentinels_stand_before_the_name_of_their_primary(void **unused)
{
    (void)unused;
    const char *text = "tcp://a, sentinel://s1:1,s2,[::3]:3/yard-1 sentinel://s4/n/2,unix:///p";
    assert_int_equal(store_config_parse(text, NULL, &config, &why), ST_OK);
    assert_int_equal(config.shard_count, 4);
    assert_int_equal(config.shards[0].sentinel_count, 0);
    const struct store_shard *shard = &config.shards[1];
    assert_int_equal(shard->sentinel_count, 3);
    assert_string_equal(shard->sentinels[0].host, "s1");
    assert_int_equal(shard->sentinels[0].port, 1);
    assert_string_equal(shard->sentinels[1].host, "s2");
    assert_int_equal(shard->sentinels[1].port, 26379);
    assert_string_equal(shard->sentinels[2].host, "::3");
    assert_string_equal(shard->name, "yard-1");
    assert_string_equal(shard->at.host, "");
    assert_string_equal(config.shards[2].name, "n");
    assert_int_equal(config.shards[2].db, 2);
    assert_string_equal(config.shards[3].path, "/p");
}

static void redis_and_its_sentinels_have_credentials_of_their_own(void **unused)
{
    (void)unused;
    const char *text = "sentinel://yard:r%2fs@a,b/n/3?sentinel=watch:w%2cd sentinel://:x,y@a/n?"
                       "sentinel=:z sentinel://a/n";
    assert_int_equal(store_config_parse(text, "common", &config, &why), ST_OK);
    assert_int_equal(config.shard_count, 3);
    assert_string_equal(config.shards[0].user, "yard");
    assert_string_equal(config.shards[0].password, "r/s");
    assert_string_equal(config.shards[0].sentinel_user, "watch");
    assert_string_equal(config.shards[0].sentinel_password, "w,d");
    assert_int_equal(config.shards[0].db, 3);
    assert_string_equal(config.shards[1].password, "x,y");
    assert_string_equal(config.shards[1].sentinel_password, "z");
    assert_string_equal(config.shards[2].password, "common");
    assert_string_equal(config.shards[2].sentinel_password, ""); /* that one is not for them */
    assert_int_equal(store_config_sentinel_password(&config, "theirs"), ST_OK);
    assert_string_equal(config.shards[1].sentinel_password, "z");
    assert_string_equal(config.shards[2].sentinel_password, "theirs");
    char password[200] = "";
    memset(password, 'p', 128);
    config.shards[0].sentinel_password[0] = 0;
    assert_int_equal(store_config_sentinel_password(&config, password), ST_INVALID);
}

static void what_cannot_be_read_is_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "",
        " , ",
        "localhost:6379",
        "http://a",
        "tcp://",
        "tcp://a:",
        "tcp://a:0",
        "tcp://a:65536",
        "tcp://a:12x",
        "tcp://a/x",
        "tcp://a/99999",
        "tcp://[::1",
        "tcp://[::1]x",
        "tcp://user@a",
        "tcp://user:@a",
        "tcp://:%zz@a",
        "tcp://:%00@a",
        "unix://relative",
        "unix://",
        "unix:///x?db=",
        "unix:///x?other=1",
        "sentinel://",
        "sentinel://a",
        "sentinel://a,b",
        "sentinel://a, b/n",
        "sentinel:///n",
        "sentinel://a,/n",
        "sentinel://,a/n",
        "sentinel://a:0/n",
        "sentinel://a/",
        "sentinel://a/n/",
        "sentinel://a/n/x",
        "sentinel://a/n?",
        "sentinel://a/n?db=1",
        "sentinel://a/n?sentinel=word",
        "sentinel://a/n?sentinel=user:",
        "sentinel://a/n%20m",
        "sentinel://user@a/n",
        "sentinel://a,tcp://b",
        "sentinel://1,2,3,4,5,6,7,8/n",
        "sentinel://a/n123456789012345678901234567890123456789012345678901234567890123",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_refused(wrong[i]);
}

static void there_are_32_shards_at_most(void **unused)
{
    (void)unused;
    char text[33 * 10 + 1] = "";
    for (int i = 0; i < 32; i++) strcat(text, "tcp://a ");
    assert_int_equal(store_config_parse(text, NULL, &config, &why), ST_OK);
    assert_int_equal(config.shard_count, 32);
    strcat(text, "tcp://b");
    assert_refused(text);
}

static void what_is_too_long_is_refused(void **unused)
{
    (void)unused;
    char text[600] = "unix:///";
    memset(text + 8, 'x', 99);
    assert_int_equal(store_config_parse(text, NULL, &config, &why), ST_OK);
    memset(text + 8, 'x', 107);
    assert_refused(text);
    strcpy(text, "tcp://");
    memset(text + 6, 'h', 256);
    assert_refused(text);
    strcpy(text, "tcp://a");
    char password[200] = "";
    memset(password, 'p', 128);
    assert_int_equal(store_config_parse(text, password, &config, &why), ST_INVALID);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(one_shard_by_host_and_port),
                     cmocka_unit_test(port_and_database_have_defaults),
                     cmocka_unit_test(a_list_is_parted_by_commas_or_blanks),
                     cmocka_unit_test(a_unix_socket_has_a_path_and_perhaps_a_database),
                     cmocka_unit_test(credentials_stand_before_the_host_and_may_be_escaped),
                     cmocka_unit_test(a_user_is_for_shards_that_name_none),
                     cmocka_unit_test(an_ipv6_address_stands_in_brackets),
                     cmocka_unit_test(sentinels_stand_before_the_name_of_their_primary),
                     cmocka_unit_test(redis_and_its_sentinels_have_credentials_of_their_own),
                     cmocka_unit_test(what_cannot_be_read_is_refused),
                     cmocka_unit_test(there_are_32_shards_at_most),
                     cmocka_unit_test(what_is_too_long_is_refused));
}
