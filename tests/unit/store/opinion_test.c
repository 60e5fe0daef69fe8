/* SPDX-License-Identifier: Apache-2.0
 *
 * Which Sentinel is believed, and that nonsense is not.
 */
#include "store/opinion.h"

#include "unit/test.h"

static const char *why;

/* "host epoch" each; "-" has none, a '!' in front is doubted. */
static int choose(const char *const *says, int count, uint64_t known)
{
    struct opinion list[STORE_SENTINELS_MAX] = {0};
    bool doubted[STORE_SENTINELS_MAX] = {false};
    for (int i = 0; i < count; i++) {
        const char *text = says[i];
        doubted[i] = *text == '!';
        text += doubted[i];
        if (*text == '-') continue;
        list[i].at.host[0] = text[0];
        list[i].at.port = 6379;
        list[i].epoch = (uint64_t)(text[2] - '0');
    }
    return opinion_choose(list, doubted, count, known, &why);
}

#define CHOOSE(known, ...)                     \
    choose((const char *const[]){__VA_ARGS__}, \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), known)

static void the_highest_epoch_is_believed(void **unused)
{
    (void)unused;
    assert_int_equal(CHOOSE(0, "a 5", "b 6", "a 5"), 1);
    assert_int_equal(CHOOSE(5, "-", "a 5", "b 6"), 2);
}

static void of_equal_epochs_the_one_that_most_name(void **unused)
{
    (void)unused;
    assert_int_equal(CHOOSE(0, "a 5", "b 5", "b 5"), 1);
    assert_int_equal(CHOOSE(0, "b 5", "a 5"), 0); /* then the first of the list */
}

static void a_doubted_one_is_passed_over(void **unused)
{
    (void)unused;
    assert_int_equal(CHOOSE(0, "!b 9", "a 5", "-"), 1);
    assert_int_equal(CHOOSE(0, "!b 9", "-"), -1);
    assert_string_equal(why, "no Sentinel names a primary");
}

static void an_older_configuration_needs_more_than_half(void **unused)
{
    (void)unused;
    assert_int_equal(CHOOSE(6, "a 5", "-", "-"), -1);
    assert_non_null(strstr(why, "older configuration"));
    assert_int_equal(CHOOSE(6, "a 5", "a 5", "-"), 0);
    assert_int_equal(CHOOSE(6, "a 0"), 0); /* the only one there is */
    assert_int_equal(CHOOSE(6, "a 5", "b 6", "-"), 1);
}

/* ---- answers --------------------------------------------------------------------------------- */

static redisReply *reply_of(const char *bytes)
{
    void *reply = NULL;
    redisReader *reader = redisReaderCreate();
    redisReaderFeed(reader, bytes, strlen(bytes));
    assert_int_equal(redisReaderGetReply(reader, &reply), REDIS_OK);
    assert_non_null(reply);
    redisReaderFree(reader);
    return reply;
}

static bool address(const char *bytes, struct opinion *out)
{
    redisReply *reply = reply_of(bytes);
    bool is_good = opinion_read_address(reply, out);
    freeReplyObject(reply);
    return is_good;
}

static bool epoch(const char *bytes, struct opinion *out)
{
    redisReply *reply = reply_of(bytes);
    bool is_good = opinion_read_epoch(reply, out);
    freeReplyObject(reply);
    return is_good;
}

static void an_answer_is_an_address_and_an_epoch(void **unused)
{
    (void)unused;
    struct opinion opinion;
    assert_true(address("*2\r\n$5\r\nredis\r\n$4\r\n6380\r\n", &opinion));
    assert_true(
        epoch("*4\r\n$4\r\nname\r\n$1\r\nn\r\n$12\r\nconfig-epoch\r\n$2\r\n17\r\n", &opinion));
    assert_string_equal(opinion.at.host, "redis");
    assert_int_equal(opinion.at.port, 6380);
    assert_int_equal(opinion.epoch, 17);
}

static void nonsense_is_no_opinion(void **unused)
{
    (void)unused;
    static const char *const addresses[] = {
        "*-1\r\n",
        "-ERR no\r\n",
        "*1\r\n$1\r\na\r\n",
        "*2\r\n$0\r\n\r\n$1\r\n1\r\n",
        "*2\r\n$1\r\na\r\n$1\r\n0\r\n",
        "*2\r\n$1\r\na\r\n$5\r\n65536\r\n",
        "*2\r\n$1\r\na\r\n$2\r\n-1\r\n",
        "*2\r\n$1\r\na\r\n:6379\r\n",
        "*2\r\n:1\r\n$4\r\n6379\r\n",
    };
    static const char *const masters[] = {
        "-ERR No such master with that name\r\n",
        "*-1\r\n",
        "*1\r\n$12\r\nconfig-epoch\r\n",
        "*2\r\n$12\r\nconfig-epoch\r\n$1\r\nx\r\n",
        "*2\r\n$12\r\nconfig-epoch\r\n$20\r\n99999999999999999999\r\n",
        "*2\r\n:1\r\n:2\r\n",
    };
    struct opinion opinion;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_false(address(addresses[i], &opinion));
        assert_string_equal(opinion.at.host, "");
    }
    for (size_t i = 0; i < sizeof masters / sizeof *masters; i++) {
        assert_true(address("*2\r\n$5\r\nredis\r\n$4\r\n6380\r\n", &opinion));
        assert_false(epoch(masters[i], &opinion));
        assert_string_equal(opinion.at.host, "");
    }
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(the_highest_epoch_is_believed),
                     cmocka_unit_test(of_equal_epochs_the_one_that_most_name),
                     cmocka_unit_test(a_doubted_one_is_passed_over),
                     cmocka_unit_test(an_older_configuration_needs_more_than_half),
                     cmocka_unit_test(an_answer_is_an_address_and_an_epoch),
                     cmocka_unit_test(nonsense_is_no_opinion));
}
