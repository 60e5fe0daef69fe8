/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose connection it is, and how often that address may knock.
 */
#include "gateway/visitor.h"
#include "unit/test.h"

#include <stdio.h>

static struct ip ip_of(const char *text)
{
    struct ip ip;
    if (!ip_read(slice_text(text), &ip)) fail_msg("'%s' is no address", text);
    return ip;
}

static const char *text_of(struct ip ip)
{
    static char text[IP_TEXT_BYTES];
    ip_write(&ip, text);
    return text;
}

static void addresses_are_read_as_people_and_proxies_write_them(void **unused)
{
    (void)unused;
    static const char *const same[][2] = {
        {"192.0.2.1", "192.0.2.1"},       {" 192.0.2.1\t", "192.0.2.1"},
        {"192.0.2.1:4711", "192.0.2.1"},  {"::ffff:192.0.2.1", "192.0.2.1"},
        {"2001:db8::1", "2001:db8::1"},   {"[2001:db8::1]:4711", "2001:db8::1"},
        {"[2001:DB8::1]", "2001:db8::1"}, {"::", "::"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(text_of(ip_of(same[i][0])), same[i][1]);
    static const char *const none[] = {
        "",
        " ",
        "unknown",
        "192.0.2",
        "192.0.2.256",
        "[2001:db8::1",
        "[]",
        ":",
        "1:2",
        "192.0.2.1 x",
        "2001:db8:0000:0000:0000:0000:0000:0000:0001:0001:0001:0001"};
    struct ip ip;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (ip_read(slice_text(none[i]), &ip)) fail_msg("'%s' was read", none[i]);
}

static void one_customer_of_ipv6_is_one_address(void **unused)
{
    (void)unused;
    assert_string_equal(text_of(ip_customer(ip_of("2001:db8:1:2:3:4:5:6"))), "2001:db8:1:2::");
    assert_string_equal(text_of(ip_customer(ip_of("192.0.2.77"))), "192.0.2.77");
    assert_string_equal(text_of(ip_customer(ip_of("::ffff:192.0.2.77"))), "192.0.2.77");
}

static void networks_hold_their_addresses_and_no_others(void **unused)
{
    (void)unused;
    struct networks some;
    assert_true(networks_read("10.0.0.0/8, 192.0.2.128/25 fd00::/7,198.51.100.7", &some));
    assert_int_equal(some.count, 4);
    static const char *const in[] = {"10.255.0.1", "192.0.2.200", "fc00::1", "198.51.100.7"};
    static const char *const out[] = {"11.0.0.1", "192.0.2.127", "fe00::1", "198.51.100.8", "::1"};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        assert_true(networks_hold(&some, ip_of(in[i])));
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        assert_false(networks_hold(&some, ip_of(out[i])));
    assert_true(networks_read("0.0.0.0/0", &some));
    assert_true(networks_hold(&some, ip_of("8.8.8.8")));
    assert_false(networks_hold(&some, ip_of("2001:db8::1")));
    assert_true(networks_read("", &some));
    assert_false(networks_hold(&some, ip_of("127.0.0.1")));
}

static void what_is_no_list_of_networks_is_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x",  "/8",
                                        "fd00::/129",  "localhost", "10.0.0.1:80", "10.0.0.0/0008"};
    struct networks some;
    char many[NETWORKS_MAX * 12 + 32] = "";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (networks_read(wrong[i], &some)) fail_msg("'%s' was taken", wrong[i]);
    for (int i = 0; i < NETWORKS_MAX; i++) strcat(many, "192.0.2.1,");
    assert_true(networks_read(many, &some));
    strcat(many, "192.0.2.1");
    assert_false(networks_read(many, &some));
}

/* Of the proxies 10.0.0.0/8; the connection comes from `peer`. */
static const char *behind(const char *peer, const char *forwarded)
{
    struct networks proxies;
    assert_true(networks_read("10.0.0.0/8", &proxies));
    return text_of(visitor_behind(ip_of(peer), &proxies, forwarded));
}

static void only_what_a_proxy_of_ours_says_is_believed(void **unused)
{
    (void)unused;
    assert_string_equal(behind("10.0.0.1", "203.0.113.5"), "203.0.113.5");
    /* A browser wrote the first one itself. */
    assert_string_equal(behind("10.0.0.1", "198.51.100.1, 203.0.113.5"), "203.0.113.5");
    /* Two proxies of ours in a row. */
    assert_string_equal(behind("10.0.0.1", "198.51.100.1, 203.0.113.5, 10.0.0.2"), "203.0.113.5");
    /* Whoever comes by himself is who he is. */
    assert_string_equal(behind("203.0.113.9", "198.51.100.1"), "203.0.113.9");
    /* A proxy that says nothing, or nonsense, answers for it with its own address. */
    assert_string_equal(behind("10.0.0.1", ""), "10.0.0.1");
    assert_string_equal(behind("10.0.0.1", "198.51.100.1, unknown"), "10.0.0.1");
    assert_string_equal(behind("10.0.0.1", "198.51.100.1, , 10.0.0.2"), "10.0.0.2");
    assert_string_equal(behind("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
    assert_string_equal(behind("10.0.0.1", ","), "10.0.0.1");
}

static void an_address_knocks_a_thousand_times_at_once_and_then_a_hundred_times_a_second(
    void **unused)
{
    (void)unused;
    const uint8_t salt[16] = {7};
    struct knocks *knocks = knocks_open(100, salt);
    struct ip school = ip_of("203.0.113.5"), phone = ip_of("2001:db8:1:2::3");
    instant_ms now = 1000000;
    for (int i = 0; i < 1000; i++) assert_true(knocks_take(knocks, school, now));
    assert_false(knocks_take(knocks, school, now));
    assert_int_equal(knocks_refused(knocks), 1);
    assert_true(knocks_take(knocks, phone, now));
    int taken = 0;
    for (int ms = 0; ms < 5000; ms++) taken += knocks_take(knocks, school, ++now);
    assert_in_range(taken, 499, 501);
    /* Others of the same customer are the same. */
    for (int i = 1; i < 1000; i++)
        if (!knocks_take(knocks, ip_of(i % 2 ? "2001:db8:1:2::4" : "2001:db8:1:2:ffff::"),
                         now - 5000))
            fail_msg("knock %d", i);
    assert_false(knocks_take(knocks, phone, now - 5000));
    knocks_close(knocks);
}

int main(void)
{
    return RUN_TESTS(
        cmocka_unit_test(addresses_are_read_as_people_and_proxies_write_them),
        cmocka_unit_test(one_customer_of_ipv6_is_one_address),
        cmocka_unit_test(networks_hold_their_addresses_and_no_others),
        cmocka_unit_test(what_is_no_list_of_networks_is_refused),
        cmocka_unit_test(only_what_a_proxy_of_ours_says_is_believed),
        cmocka_unit_test(
            an_address_knocks_a_thousand_times_at_once_and_then_a_hundred_times_a_second));
}
