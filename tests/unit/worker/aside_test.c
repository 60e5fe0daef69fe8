/* SPDX-License-Identifier: Apache-2.0
 *
 * A room whose log contradicts itself is set aside (rule 9): record and log are kept, its people
 * may start anew under whatever owner, other rooms go on.
 */
#include "room/state.h"
#include "unit/worker/two_rigs.h"

#include "client.pb-c.h"

static int open_waved(void **state)
{
    int failed = open_rigs(state);
    rig_act(&first, GATE1, 11, 1, 2, TOY_WAVE, 5);
    return failed;
}

/* One bit of the last entry turns over. */
static struct model_view spoil_the_log(void)
{
    struct model_view view = rig_stored(&first, ROOM);
    struct slice last = view.entries[view.position - view.trimmed - 1];
    ((uint8_t *)last.at)[last.len - 1] ^= 1;
    return view;
}

static int kept(uint64_t position)
{
    int count;
    return model_store_aside(world.store, ROOM, position, &count) ? count : -1;
}

static enum room_phase stored_phase(void)
{
    struct room_record record;
    struct model_view view = rig_stored(&first, ROOM);
    assert_int_equal(room_record_decode(view.record, &record), ST_OK);
    struct room *room = room_decode(&record, view.snapshot);
    assert_non_null(room);
    enum room_phase phase = room->phase;
    room_close(room);
    return phase;
}

static void the_log_is_kept_and_no_other_room_stops(void **state)
{
    (void)state;
    room_id other = rig_room(1);
    assert_int_equal(rig_create(&first, other), ST_OK);
    struct model_view view = spoil_the_log();
    uint64_t entries = view.position - view.trimmed;
    assert_int_equal(rig_adopt(&second, ROOM, view.epoch), ST_OK);
    assert_true(rig_noted(&second, "room.set_aside"));
    assert_int_equal(kept(view.position), 3 + (int)entries);
    assert_int_equal(rig_adopt(&second, other, rig_stored(&first, other).epoch), ST_OK);
    int asides = 0;
    for (int i = 0; i < second.notes; i++) asides += strcmp(second.note[i], "room.set_aside") == 0;
    assert_int_equal(asides, 1);
}

static void its_people_are_told_and_start_anew(void **state)
{
    (void)state;
    spoil_the_log();
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&first, ROOM).epoch), ST_OK);
    assert_int_equal(stored_phase(), ROOM_SET_ASIDE);
    rig_attach(&second, GATE1, 11, 1, 1);
    rig_attach(&second, GATE1, 12, 2, 2);
    rig_command(&second, GATE1, 11, 1, 3, RIG_START);
    assert_true(rig_noted(&second, "game.started"));
    assert_true(rig_last(&second, ENV_ANSWER)->u.answer.ok);
}

static void it_stays_set_aside_under_the_next_owner(void **state)
{
    (void)state;
    struct model_view view = spoil_the_log();
    assert_int_equal(rig_adopt(&second, ROOM, view.epoch), ST_OK);
    rig_attach(&second, GATE1, 11, 1, 1);
    struct rig third;
    rig_open(&third, &world, 1);
    assert_int_equal(rig_adopt(&third, ROOM, rig_stored(&second, ROOM).epoch), ST_OK);
    assert_false(rig_noted(&third, "room.set_aside")); /* its log agrees with itself again */
    rig_attach(&third, GATE1, 11, 1, 0);
    const struct env_update *view_now = &rig_last(&third, ENV_UPDATE)->u.update;
    Madang__V1__RoomView *shown =
        madang__v1__room_view__unpack(NULL, view_now->room_view.len, view_now->room_view.at);
    assert_non_null(shown);
    assert_int_equal(shown->state, MADANG__V1__ROOM_STATE__ROOM_STATE_SET_ASIDE);
    madang__v1__room_view__free_unpacked(shown, NULL);
    assert_true(kept(view.position) > 3);
    rig_close(&third);
}

static void a_damaged_snapshot_sets_aside_too(void **state)
{
    (void)state;
    for (uint64_t counter = 3; counter < 80; counter++) {
        rig_wait(&first, 60);
        rig_act(&first, GATE1, 11, 1, counter, TOY_WAVE, 5);
    }
    struct model_view view = rig_stored(&first, ROOM);
    assert_true(view.snapshot.len > 0);
    ((uint8_t *)view.snapshot.at)[view.snapshot.len / 2] ^= 1;
    assert_int_equal(rig_adopt(&second, ROOM, view.epoch), ST_OK);
    assert_true(rig_noted(&second, "room.set_aside"));
    assert_true(kept(view.position) > 3);
    assert_int_equal(rig_stored(&second, ROOM).snapshot_position, view.position);
}

static void nothing_goes_on_before_it_is_kept(void **state)
{
    (void)state;
    struct model_view view = spoil_the_log();
    uint64_t position = view.position, epoch = view.epoch;
    second.answers = RIG_HOLDS;
    rig_adopt(&second, ROOM, epoch);
    while (rig_waiting(&second, STORE_TAKE)) rig_release(&second, 1);
    assert_int_equal(rig_waiting(&second, STORE_ASIDE), 1);
    rig_attach(&second, GATE1, 11, 1, 1);
    assert_int_equal(second.sent_count, 0);
    assert_false(rig_noted(&second, "room.adopted"));
    second.answers = RIG_LOSES; /* carried out, but nobody hears of it */
    rig_release(&second, second.op_count);
    second.answers = RIG_ANSWERS;
    rig_wait(&second, 500);
    assert_true(rig_noted(&second, "room.set_aside"));
    assert_true(rig_noted(&second, "room.adopted"));
    assert_int_equal(rig_stored(&second, ROOM).snapshot_position, position);
    assert_true(kept(position) > 3);
    rig_attach(&second, GATE1, 11, 1, 1);
    assert_non_null(rig_last(&second, ENV_ATTACHED));
}

int main(void)
{
#define READY(test) ON_RIGS_OPENED(test, open_waved)
    return RUN_TESTS(READY(the_log_is_kept_and_no_other_room_stops),
                     READY(its_people_are_told_and_start_anew),
                     READY(it_stays_set_aside_under_the_next_owner),
                     READY(a_damaged_snapshot_sets_aside_too),
                     READY(nothing_goes_on_before_it_is_kept));
}
