/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "unit/test.h"

#include <math.h>
#include <stdlib.h>

static void hash_128_is_xxh3_with_sixteen_bytes(void **unused)
{
    (void)unused;
    /* xxhsum -H2 of nothing and of "abc". */
    static const uint8_t nothing[] = {0x99, 0xaa, 0x06, 0xd3, 0x01, 0x47, 0x98, 0xd8,
                                      0x60, 0x01, 0xc3, 0x24, 0x46, 0x8d, 0x49, 0x7f};
    static const uint8_t abc[] = {0x06, 0xb0, 0x5a, 0xb6, 0x73, 0x3a, 0x61, 0x85,
                                  0x78, 0xaf, 0x5f, 0x94, 0x89, 0x2f, 0x39, 0x50};
    struct id128 hash = hash_128((struct slice){0});
    assert_memory_equal(hash.byte, nothing, 16);
    hash = hash_128(slice_text("abc"));
    assert_memory_equal(hash.byte, abc, 16);
}

static void purposes_are_unrelated(void **unused)
{
    (void)unused;
    struct id128 ticket = hash_128_for("ticket", slice_text("x"));
    assert_true(id128_equal(ticket, hash_128_for("ticket", slice_text("x"))));
    assert_false(id128_equal(ticket, hash_128_for("member", slice_text("x"))));
    assert_false(id128_equal(ticket, hash_128(slice_text("x"))));
    /* The border between purpose and bytes matters. */
    assert_false(
        id128_equal(hash_128_for("ab", slice_text("c")), hash_128_for("a", slice_text("bc"))));
}

static void mixing_changes_about_half_of_the_bits(void **unused)
{
    (void)unused;
    for (int bit = 0; bit < 64; bit++) {
        int flipped = 0;
        for (uint64_t i = 0; i < 256; i++)
            flipped += __builtin_popcountll(hash_mix64(i) ^ hash_mix64(i ^ 1ull << bit));
        double mean = flipped / 256.0;
        assert_true(mean > 28 && mean < 36);
    }
}

enum { CANDIDATES = 5, KEYS = 20000 };

static void make_ids(struct id128 *ids, int count)
{
    for (int i = 0; i < count; i++) ids[i] = hash_128_for("candidate", slice_of(&i, sizeof i));
}

static void equal_candidates_win_equally_often(void **unused)
{
    (void)unused;
    struct id128 ids[CANDIDATES];
    int won[CANDIDATES] = {0};
    make_ids(ids, CANDIDATES);
    for (uint64_t key = 0; key < KEYS; key++) won[rendezvous_pick(key, ids, NULL, CANDIDATES)]++;
    for (int i = 0; i < CANDIDATES; i++) assert_true(abs(won[i] - KEYS / CANDIDATES) < 300);
}

static void wins_are_in_proportion_to_weights(void **unused)
{
    (void)unused;
    struct id128 ids[CANDIDATES];
    static const double weights[CANDIDATES] = {1, 2, 3, 4, 0};
    int won[CANDIDATES] = {0};
    make_ids(ids, CANDIDATES);
    for (uint64_t key = 0; key < KEYS; key++) won[rendezvous_pick(key, ids, weights, CANDIDATES)]++;
    for (int i = 0; i < CANDIDATES; i++) assert_true(fabs(won[i] - KEYS * weights[i] / 10) < 300);
    assert_int_equal(won[4], 0);
}

static void a_candidate_that_goes_moves_only_what_it_had(void **unused)
{
    (void)unused;
    struct id128 ids[CANDIDATES];
    make_ids(ids, CANDIDATES);
    for (uint64_t key = 0; key < 2000; key++) {
        int all = rendezvous_pick(key, ids, NULL, CANDIDATES);
        int fewer = rendezvous_pick(key, ids, NULL, CANDIDATES - 1);
        if (all != CANDIDATES - 1) assert_int_equal(fewer, all);
    }
}

static void the_order_of_the_list_does_not_matter(void **unused)
{
    (void)unused;
    struct id128 ids[CANDIDATES], reversed[CANDIDATES];
    make_ids(ids, CANDIDATES);
    for (int i = 0; i < CANDIDATES; i++) reversed[i] = ids[CANDIDATES - 1 - i];
    for (uint64_t key = 0; key < 2000; key++)
        assert_int_equal(rendezvous_pick(key, reversed, NULL, CANDIDATES),
                         CANDIDATES - 1 - rendezvous_pick(key, ids, NULL, CANDIDATES));
}

static void nobody_wins_among_none_or_without_weight(void **unused)
{
    (void)unused;
    struct id128 ids[2];
    make_ids(ids, 2);
    static const double none[] = {0, 0}, odd[] = {NAN, -1};
    assert_int_equal(rendezvous_pick(1, ids, NULL, 0), -1);
    assert_int_equal(rendezvous_pick(1, ids, none, 2), -1);
    assert_int_equal(rendezvous_pick(1, ids, odd, 2), -1);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(hash_128_is_xxh3_with_sixteen_bytes),
                     cmocka_unit_test(purposes_are_unrelated),
                     cmocka_unit_test(mixing_changes_about_half_of_the_bits),
                     cmocka_unit_test(equal_candidates_win_equally_often),
                     cmocka_unit_test(wins_are_in_proportion_to_weights),
                     cmocka_unit_test(a_candidate_that_goes_moves_only_what_it_had),
                     cmocka_unit_test(the_order_of_the_list_does_not_matter),
                     cmocka_unit_test(nobody_wins_among_none_or_without_weight));
}
