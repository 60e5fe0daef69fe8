/* SPDX-License-Identifier: Apache-2.0
 *
 * Archives of games: what is good, and what each damage is called. That every game which ends on a
 * stage has a good one is the stage's own sentence (stage.h).
 */
#include "room/archive.h"
#include "unit/room/stage.h"

#include "room.pb-c.h"

#include <stdlib.h>

struct kept {
    struct stage *stage;
    struct slice *entries;
    int count;
};

static void play(struct stage *stage)
{
    stage_play_out(stage, 0);
    assert_true(stage->out.game_finished);
}

static void take(struct kept *kept)
{
    kept->count = stage_archive(kept->stage, kept->stage->out.first, &kept->entries);
    assert_true(kept->count > 3);
}

static int keep_one(void **state)
{
    struct kept *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    kept->stage = stage_with_game(&toy_game, 2);
    play(kept->stage);
    take(kept);
    *state = kept;
    return 0;
}

static int let_go(void **state)
{
    struct kept *kept = *state;
    free(kept->entries);
    stage_close(kept->stage);
    free(kept);
    return 0;
}

static enum archive_fault verify(const struct kept *kept, uint64_t *position)
{
    struct archive_replay replay;
    archive_begin_as(&replay, &kept->stage->record);
    for (int i = 0; i < kept->count; i++) archive_step(&replay, kept->entries[i]);
    enum archive_fault fault = archive_end(&replay);
    *position = replay.position;
    archive_close(&replay);
    return fault;
}

/* One entry as another program would have written it; freed by the caller. */
static struct slice rewrite(struct slice entry, void (*change)(Madang__V1__Room__LogEntry *))
{
    Madang__V1__Room__LogEntry *wire =
        madang__v1__room__log_entry__unpack(NULL, entry.len, entry.at);
    assert_non_null(wire);
    change(wire);
    size_t len = madang__v1__room__log_entry__get_packed_size(wire);
    uint8_t *bytes = malloc(len);
    assert_non_null(bytes);
    madang__v1__room__log_entry__pack(wire, bytes);
    madang__v1__room__log_entry__free_unpacked(wire, NULL);
    return slice_of(bytes, len);
}

static enum archive_fault verify_changed(struct kept *kept, int at,
                                         void (*change)(Madang__V1__Room__LogEntry *),
                                         uint64_t *position)
{
    struct slice was = kept->entries[at];
    kept->entries[at] = rewrite(was, change);
    enum archive_fault fault = verify(kept, position);
    free((void *)kept->entries[at].at);
    kept->entries[at] = was;
    return fault;
}

/* ---- good ------------------------------------------------------------------------------------ */

static void a_finished_game_is_replayed_by_itself(void **state)
{
    struct kept *kept = *state;
    struct archive_replay replay;
    archive_begin_as(&replay, &kept->stage->record);
    for (int i = 0; i < kept->count; i++)
        assert_int_equal(archive_step(&replay, kept->entries[i]), ARCHIVE_GOOD);
    assert_int_equal(archive_end(&replay), ARCHIVE_GOOD);
    assert_int_equal(replay.entries, kept->count);
    assert_int_equal(replay.game_number, 1);
    assert_memory_equal(room_hash(replay.room).byte, room_hash(kept->stage->room).byte, 16);
    archive_close(&replay);
}

static void a_rematch_needs_nothing_of_the_game_before_it(void **state)
{
    struct kept *kept = *state;
    uint64_t first = kept->stage->out.first, position;
    assert_accepted(stage_start(kept->stage, 0));
    play(kept->stage);
    assert_true(kept->stage->out.first > first);
    free(kept->entries);
    take(kept);
    assert_int_equal(verify(kept, &position), ARCHIVE_GOOD);
}

static void what_a_game_starts_from_fits_into_an_entry_however_full_the_room(void **state)
{
    (void)state;
    struct stage *stage = stage_open(&toy_game);
    char name[] = "가나다라마바사아자차카가";
    for (int i = 0; i < toy_game.seats_max; i++) {
        name[sizeof name - 2] = (char)(name[sizeof name - 2] + 1);
        assert_true(stage_enter(stage, i, name) >= 0);
        for (int said = 0; said < ROOM_OUTCOMES_MAX + 1; said++) {
            assert_accepted(stage_rename(stage, i, name));
            stage_wait(stage, 1000);
        }
    }
    assert_accepted(stage_start(stage, 0));
    assert_true(stage->entry.len < STORE_ENTRY_BYTES_MAX / 2);
    stage_close(stage);
}

/* ---- not good -------------------------------------------------------------------------------- */

static void without_state(Madang__V1__Room__LogEntry *entry)
{
    entry->start->before.len = 0;
}
static void other_format(Madang__V1__Room__LogEntry *entry)
{
    entry->start->before.data[1] ^= 0x40; /* its first field */
}
static void other_state(Madang__V1__Room__LogEntry *entry)
{
    entry->start->before.data[entry->start->before.len / 2] ^= 1;
}
static void other_rules(Madang__V1__Room__LogEntry *entry)
{
    entry->start->rules_version = 99;
}
static void other_hash(Madang__V1__Room__LogEntry *entry)
{
    entry->state_hash.data[7] ^= 1;
}
static void other_seed(Madang__V1__Room__LogEntry *entry)
{
    entry->start->seed.data[0] ^= 1;
}
static void other_value(Madang__V1__Room__LogEntry *entry)
{
    entry->bytes.data[entry->bytes.len - 1] ^= 1;
}

static void an_archive_of_before_is_refused_as_such(void **state)
{
    uint64_t position;
    assert_int_equal(verify_changed(*state, 0, without_state, &position), ARCHIVE_OLD);
    assert_non_null(strstr(archive_fault_text(ARCHIVE_OLD), "older version"));
}

static void another_format_or_other_rules_are_foreign(void **state)
{
    uint64_t position;
    assert_int_equal(verify_changed(*state, 0, other_format, &position), ARCHIVE_FOREIGN);
    assert_int_equal(verify_changed(*state, 0, other_rules, &position), ARCHIVE_FOREIGN);
}

static void what_was_changed_is_found_at_its_entry(void **state)
{
    struct kept *kept = *state;
    uint64_t position, first = kept->stage->out.first;
    assert_int_equal(verify_changed(kept, 0, other_state, &position), ARCHIVE_DAMAGED);
    assert_int_equal(verify_changed(kept, 0, other_seed, &position), ARCHIVE_DIFFERS);
    assert_true(position == first);
    assert_int_equal(verify_changed(kept, 2, other_value, &position), ARCHIVE_DIFFERS);
    assert_true(position == first + 2);
    for (int i = 0; i < kept->count; i++) {
        assert_int_equal(verify_changed(kept, i, other_hash, &position), ARCHIVE_DIFFERS);
        assert_true(position == first + (uint64_t)i);
    }
}

static void a_missing_entry_is_a_gap(void **state)
{
    struct kept *kept = *state;
    uint64_t position;
    struct slice one = kept->entries[1];
    kept->entries[1] = kept->entries[0];
    assert_int_equal(verify(kept, &position), ARCHIVE_GAP);
    kept->entries[1] = one;
    kept->entries[2] = kept->entries[1];
    assert_int_equal(verify(kept, &position), ARCHIVE_GAP);
}

static void it_ends_where_its_game_ends(void **state)
{
    struct kept *kept = *state;
    uint64_t position;
    kept->count--;
    assert_int_equal(verify(kept, &position), ARCHIVE_ENDS);
    kept->count++;
    assert_accepted(stage_detach(kept->stage, 0));
    free(kept->entries);
    uint64_t first;
    int count = kept->count;
    room_last_game(kept->stage->room, &first);
    kept->count = stage_archive(kept->stage, first, &kept->entries);
    assert_int_equal(kept->count, count + 1);
    assert_int_equal(verify(kept, &position), ARCHIVE_ENDS);
}

static void what_is_no_archive_is_damaged(void **state)
{
    struct kept *kept = *state;
    uint64_t position;
    kept->count = 0;
    assert_int_equal(verify(kept, &position), ARCHIVE_DAMAGED);
    kept->count = 1;
    kept->entries[0] = slice_text("no entry");
    assert_int_equal(verify(kept, &position), ARCHIVE_DAMAGED);
    assert_int_equal(archive_verify(slice_text("\xff"), kept->entries, 1, &position),
                     ARCHIVE_DAMAGED);
    struct reader log;
    reader_init(&log, buf_slice(&kept->stage->log));
    kept->entries[0] = reader_sized(&log, STORE_ENTRY_BYTES_MAX); /* somebody comes in */
    assert_int_equal(verify(kept, &position), ARCHIVE_DAMAGED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, keep_one, let_go)

int main(void)
{
    return RUN_TESTS(TEST(a_finished_game_is_replayed_by_itself),
                     TEST(a_rematch_needs_nothing_of_the_game_before_it),
                     cmocka_unit_test(
                         what_a_game_starts_from_fits_into_an_entry_however_full_the_room),
                     TEST(an_archive_of_before_is_refused_as_such),
                     TEST(another_format_or_other_rules_are_foreign),
                     TEST(what_was_changed_is_found_at_its_entry), TEST(a_missing_entry_is_a_gap),
                     TEST(it_ends_where_its_game_ends), TEST(what_is_no_archive_is_damaged));
}
