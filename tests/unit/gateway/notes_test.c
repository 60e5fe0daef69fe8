/* SPDX-License-Identifier: Apache-2.0
 *
 * What a gateway notes for the log.
 */
#include "unit/gateway/yard.h"

#include <string.h>

enum { ROOMS = 20 };

static const struct yard_note *only_note(const struct yard *yard, const char *text)
{
    const struct yard_note *found = NULL;
    for (int i = 0; i < yard->note_count; i++) {
        if (strcmp(yard->notes[i].text, text) != 0) continue;
        assert_null(found);
        found = &yard->notes[i];
    }
    assert_non_null(found);
    return found;
}

static void answer_all(struct yard *yard, struct id128 owner, const char *url, uint64_t epoch)
{
    struct yard_request asked[ROOMS];
    assert_int_equal(yard_count_requests(yard, REQ_RESOLVE), ROOMS);
    int count = 0;
    for (int i = 0; i < yard->request_count; i++)
        if (yard->requests[i].request.kind == REQ_RESOLVE) asked[count++] = yard->requests[i];
    for (int i = 0; i < ROOMS; i++) {
        struct placed placed = yard_placed(epoch, owner, url);
        placed.room = asked[i].request.room ? asked[i].request.room : yard_room() + (room_id)i;
        yard_reply(yard, &asked[i], (struct reply){.kind = REQ_RESOLVE, .placed = placed});
    }
    yard_forget(yard);
}

static void rooms_that_are_lost_and_found_together_are_told_of_in_one_line(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    for (int i = 0; i < ROOMS; i++)
        yard_join(&yard, yard_guest(&yard), (struct client_join){.code = YARD_CODE, .name = "가"});
    answer_all(&yard, YARD_WORKER, YARD_URL, 100);

    yard_peer(&yard, EVENT_PEER_GONE, YARD_WORKER, YARD_URL);
    yard_pass(&yard, 100);
    answer_all(&yard, YARD_WORKER_2, YARD_URL_2, 101);
    yard_pass(&yard, GATEWAY_TALLY_MS + 250);
    const struct yard_note *lost = only_note(&yard, "rooms.lost");
    assert_true(lost->value[0] == ROOMS && lost->value[1] == ROOMS);
    const struct yard_note *found = only_note(&yard, "rooms.found");
    assert_true(found->value[0] == ROOMS && found->value[1] <= 100 && found->value[2] == 1);

    yard.note_count = 0;
    yard_pass(&yard, 2 * GATEWAY_TALLY_MS);
    assert_int_equal(yard.note_count, 0);
    yard_close(&yard);
}

static void what_a_former_owner_still_says_is_counted(void **unused)
{
    (void)unused;
    struct yard yard;
    yard_open(&yard);
    uint64_t player = yard_seated(&yard, 1, 3);
    struct envelope paused = {.kind = ENV_PAUSED};
    paused.u.paused = (struct env_paused){.room = yard_room(), .epoch = 99, .paused = true};
    yard_worker_says(&yard, &paused);
    yard_worker_says(&yard, &paused);
    assert_null(yard_last(&yard, player, SERVER_NOTICE));
    yard_pass(&yard, GATEWAY_TALLY_MS + 250);
    assert_int_equal(only_note(&yard, "frames.stale")->value[0], 2);
    yard_close(&yard);
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(what_a_former_owner_still_says_is_counted),
                     cmocka_unit_test(
                         rooms_that_are_lost_and_found_together_are_told_of_in_one_line));
}
