/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/certificate.h"

#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY_S = 24 * 3600, PATH_BYTES = 96 };

static char folder[] = "/tmp/madang-certificate-XXXXXX";

static void run(const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && { %s; } 2>/dev/null", folder, command);
    if (system(line) != 0) fail_msg("%s", command);
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    for (int days = 10; days <= 20; days += 10) {
        char line[256];
        snprintf(line, sizeof line,
                 "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                 "-days %d -subj /CN=yard -keyout %d.key -out %d.pem",
                 days, days, days);
        run(line);
    }
    run("cat 10.pem 20.pem >both.pem; cat 20.pem 10.pem >turned.pem");
    run("cat 20.key 20.pem >own.pem; cat 20.pem 10.key >other.pem");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char line[PATH_BYTES];
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

static struct certificate look(const char *name, bool with_key)
{
    struct certificate is;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    certificate_read(path, with_key, &is);
    return is;
}

static int days_of(const char *name)
{
    struct certificate is = look(name, false);
    assert_null(is.fault);
    assert_false(is.early);
    return (int)((is.ends_s - (int64_t)time(NULL) + DAY_S / 2) / DAY_S);
}

static void the_first_of_several_to_end_counts(void **unused)
{
    (void)unused;
    assert_int_equal(days_of("10.pem"), 10);
    assert_int_equal(days_of("20.pem"), 20);
    assert_int_equal(days_of("both.pem"), 10);
    assert_int_equal(days_of("turned.pem"), 10);
}

static void a_key_is_found_wherever_it_stands_and_is_the_certificates_or_not(void **unused)
{
    (void)unused;
    struct certificate own = look("own.pem", true), other = look("other.pem", true);
    assert_null(own.fault);
    assert_true(own.has_key && own.key_fits);
    assert_true(other.has_key);
    assert_false(other.key_fits);
    assert_string_equal(look("20.pem", true).fault,
                        "holds no key that can be read without a pass phrase");
}

static void what_is_no_certificate_is_said(void **unused)
{
    (void)unused;
    assert_string_equal(look("nothing.pem", false).fault, "is not there");
    assert_string_equal(look("20.key", false).fault, "holds no certificate");
    assert_string_equal(look("", false).fault, "holds no certificate"); /* a folder */
    run("head -c 200 20.pem >torn.pem");
    assert_string_equal(look("torn.pem", false).fault, "holds no certificate");
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        set_up, tear_down, cmocka_unit_test(the_first_of_several_to_end_counts),
        cmocka_unit_test(a_key_is_found_wherever_it_stands_and_is_the_certificates_or_not),
        cmocka_unit_test(what_is_no_certificate_is_said));
}
