/* SPDX-License-Identifier: Apache-2.0
 *
 * Room time and deadlines (rules 18 to 21): the clock comes first, fires are safe, hints are early.
 */
#include "unit/worker/one_rig.h"

static uint64_t armed(void)
{
    struct model_view view = rig_stored(&rig, ROOM);
    assert_true(view.deadline.armed);
    return view.deadline.number;
}

static const struct env_fire_answer *fire(uint64_t number)
{
    struct envelope envelope = {.kind = ENV_FIRE};
    envelope.u.deadline = (struct env_deadline){.room = ROOM, .number = number};
    rig_envelope(&rig, TIMER, &envelope);
    const struct envelope *answer = rig_last_to(&rig, TIMER, ENV_FIRE_ANSWER);
    return answer ? &answer->u.fire_answer : NULL;
}

/* Of the entries in Redis, newest last, that which is `back` places from the end. */
static struct room_entry_head entry_of(const struct rig *owner, uint64_t back)
{
    struct model_view view = rig_stored(owner, ROOM);
    struct room_entry_head head;
    size_t index = (size_t)(view.position - view.trimmed - 1 - back);
    assert_int_equal(room_entry_head(view.entries[index], &head), ST_OK);
    return head;
}

static enum room_input_kind entry_kind(uint64_t back, instant_ms *at)
{
    struct room_entry_head head = entry_of(&rig, back);
    *at = head.at;
    return head.kind;
}

static void a_due_fire_steps_the_clock_and_is_over(void **state)
{
    (void)state;
    rig_wait(&rig, TOY_TURN_MS + 5);
    uint64_t position = rig_stored(&rig, ROOM).position, number = armed();
    const struct env_fire_answer *answer = fire(number);
    assert_true(answer->over);
    assert_int_equal(rig_stored(&rig, ROOM).position, position + 1);
    instant_ms at;
    assert_int_equal(entry_kind(0, &at), ROOM_CLOCK);
    assert_int_not_equal(armed(), number);
}

static void without_a_fire_no_clock_steps_by_itself(void **state)
{
    (void)state;
    uint64_t position = rig_stored(&rig, ROOM).position;
    rig_wait(&rig, 2 * TOY_TURN_MS);
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

static void a_late_or_repeated_fire_is_over_and_changes_nothing(void **state)
{
    (void)state;
    rig_wait(&rig, TOY_TURN_MS + 5);
    uint64_t number = armed();
    fire(number);
    uint64_t position = rig_stored(&rig, ROOM).position;
    assert_true(fire(number)->over);
    assert_true(fire(number + 100)->over);
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

static void an_early_fire_hears_what_remains(void **state)
{
    (void)state;
    uint64_t position = rig_stored(&rig, ROOM).position;
    rig_wait(&rig, 5000);
    const struct env_fire_answer *answer = fire(armed());
    assert_false(answer->over);
    assert_in_range(answer->remaining_ms, TOY_TURN_MS - 5100, TOY_TURN_MS - 4900);
    assert_int_equal(rig_stored(&rig, ROOM).position, position);
}

static void a_fire_for_a_room_that_is_not_here_is_told_so(void **state)
{
    (void)state;
    struct envelope envelope = {.kind = ENV_FIRE};
    envelope.u.deadline = (struct env_deadline){.room = ROOM + 1, .number = 1};
    rig_envelope(&rig, TIMER, &envelope);
    assert_true(rig_last(&rig, ENV_FIRE_ANSWER)->u.fire_answer.not_owner);
}

static void the_answer_to_a_fire_waits_for_its_append(void **state)
{
    (void)state;
    rig_wait(&rig, TOY_TURN_MS + 5);
    uint64_t number = armed();
    rig_forget(&rig);
    rig.answers = RIG_HOLDS;
    assert_null(fire(number));
    rig_release(&rig, rig.op_count);
    assert_true(rig_last(&rig, ENV_FIRE_ANSWER)->u.fire_answer.over);
}

static void the_clock_comes_before_an_input_at_or_after_the_deadline(void **state)
{
    (void)state;
    instant_ms clock_at, act_at;
    rig_wait(&rig, TOY_TURN_MS + 700);
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(entry_kind(0, &act_at), ROOM_ACT);
    assert_int_equal(entry_kind(1, &clock_at), ROOM_CLOCK);
    assert_in_range(act_at - clock_at, 650, 750);
}

static void an_earlier_deadline_is_hinted_to_every_timer_once_confirmed(void **state)
{
    (void)state;
    struct member timer = {.kind = SERVICE_TIMER,
                           .instance = TIMER,
                           .inbox_url = "timer",
                           .control_url = "",
                           .build = ""};
    rig.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = &timer, .member_count = 1};
    rig_wait(&rig, 300);
    rig_forget(&rig);
    rig.answers = RIG_HOLDS;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WHISPER, 0); /* due in 60 ms rather than 20 s */
    assert_int_equal(rig_count(&rig, ENV_HINT), 0);
    rig_release(&rig, rig.op_count);
    assert_int_equal(rig_count(&rig, ENV_HINT), 1);
    const struct env_deadline *hint = &rig_last_to(&rig, TIMER, ENV_HINT)->u.deadline;
    assert_int_equal(hint->number, armed());
    assert_in_range(hint->due_in_ms, TOY_WHISPER_MS - 1, TOY_WHISPER_MS);
}

/* Whosever it is. */
static void begin_the_turn_anew(void)
{
    static const uint8_t look[] = {TOY_LOOK, 0};
    for (uint64_t client = 11; client <= 12; client++) {
        struct envelope envelope = {.kind = ENV_ACT};
        envelope.u.act = (struct env_act){.room = ROOM,
                                          .client = client,
                                          .generation = (uint32_t)client - 10,
                                          .counter = client == 11 ? 2 : 1,
                                          .made_for = 1,
                                          .bytes = slice_of(look, sizeof look)};
        rig_envelope(&rig, GATE1, &envelope);
        if (answer()->ok) return;
    }
    fail_msg("it is nobody's turn");
}

static void a_deadline_that_is_put_off_is_left_until_the_fire_of_the_earlier(void **state)
{
    (void)state;
    struct store_deadline before = rig_stored(&rig, ROOM).deadline;
    rig_wait(&rig, 5000);
    begin_the_turn_anew();
    struct model_view view = rig_stored(&rig, ROOM);
    assert_true(view.deadline.armed && view.deadline.number == before.number);
    assert_true(view.deadline.due_in_ms == before.due_in_ms);

    rig_wait(&rig, TOY_TURN_MS - 4990);
    uint64_t end = view.position;
    const struct env_fire_answer *answer = fire(before.number);
    assert_false(answer->over);
    assert_in_range(answer->remaining_ms, 4900, 5000);
    view = rig_stored(&rig, ROOM);
    assert_true(view.position == end && view.deadline.number > before.number);
    assert_in_range(view.deadline.due_in_ms - before.due_in_ms, 4900, 5100);
    assert_true(fire(before.number)->over); /* another timer's */

    rig_wait(&rig, 5000);
    assert_true(fire(view.deadline.number)->over);
    assert_int_equal(rig_stored(&rig, ROOM).position, end + 1);
}

static void a_fire_of_a_deadline_that_was_left_ends_the_present_one_that_has_passed(void **state)
{
    (void)state;
    uint64_t number = armed();
    rig_wait(&rig, 5000);
    begin_the_turn_anew();
    uint64_t end = position();
    assert_int_equal(armed(), number);
    rig_wait(&rig, TOY_TURN_MS + 5);
    assert_true(fire(number)->over);
    assert_int_equal(position(), end + 1);
}

static void a_deadline_that_is_put_off_shortly_before_it_passes_is_told_at_once(void **state)
{
    (void)state;
    struct store_deadline before = rig_stored(&rig, ROOM).deadline;
    rig_wait(&rig, TOY_TURN_MS - WORKER_DEADLINE_LEFT_MS + 10);
    begin_the_turn_anew();
    struct model_view view = rig_stored(&rig, ROOM);
    assert_true(view.deadline.number > before.number);
    assert_true(view.deadline.due_in_ms > before.due_in_ms);
}

/* As of a store that was set back to before it was told. */
static void a_fire_of_an_older_deadline_brings_the_present_one_to_be_told_again(void **state)
{
    (void)state;
    uint64_t number = armed();
    rig.answers = RIG_HOLDS;
    assert_true(fire(number - 1)->over);
    assert_int_equal(rig.op_count, 1);
    assert_true(rig.ops[0].kind == STORE_APPEND && rig.ops[0].entry_count == 0);
    assert_true(rig.ops[0].deadline_changed && rig.ops[0].deadline.number == number);
}

static void a_later_deadline_is_not_hinted(void **state)
{
    (void)state;
    struct member timer = {.kind = SERVICE_TIMER,
                           .instance = TIMER,
                           .inbox_url = "timer",
                           .control_url = "",
                           .build = ""};
    rig.heartbeat = (struct reply){.kind = REQ_HEARTBEAT, .members = &timer, .member_count = 1};
    rig_wait(&rig, TOY_TURN_MS + 5);
    rig_forget(&rig);
    fire(armed());
    assert_int_equal(rig_count(&rig, ENV_HINT), 0);
}

static void a_pause_of_this_process_is_nobodys_time(void **state)
{
    (void)state;
    uint64_t number = armed();
    rig_sleep(&rig, TOY_TURN_MS + 5000);
    struct event tick = {.kind = EVENT_TICK};
    rig_event(&rig, &tick);
    rig_wait(&rig, 500);
    assert_true(rig_noted(&rig, "process.paused"));
    assert_true(rig_noted(&rig, "room.resumed"));
    rig_forget(&rig);
    assert_false(fire(number)->over);
    assert_in_range(rig_last(&rig, ENV_FIRE_ANSWER)->u.fire_answer.remaining_ms, TOY_TURN_MS - 1500,
                    TOY_TURN_MS);
}

/* The last lease was renewed by the clock before, the last entry accepted by the one after. */
static void a_clock_of_redis_that_jumped_back_gives_a_room_no_time(void **state)
{
    (void)state;
    static struct rig second;
    instant_ms acted, resumed;
    rig_open(&second, &world, 2);
    rig_wait(&rig, 5000);
    world.redis -= 4000;
    rig_act(&rig, GATE1, 11, 1, 2, TOY_WAVE, 5);
    assert_int_equal(entry_kind(0, &acted), ROOM_ACT);
    assert_int_equal(rig_adopt(&second, ROOM, rig_stored(&rig, ROOM).epoch), ST_OK);
    assert_int_equal(entry_kind(0, &resumed), ROOM_RESUMED);
    assert_in_range(resumed - acted, 0, 100);
    rig_close(&second);
}

/* As a host's who had been away for long before anybody else came: it is due at once, and whoever
 * takes the room then goes on from its last entry. */
static void a_deadline_that_was_set_into_the_past_takes_no_time_back(void **state)
{
    (void)state;
    static struct world lobby;
    static struct rig first, second;
    world_open(&lobby);
    rig_open(&first, &lobby, 1);
    rig_open(&second, &lobby, 2);
    assert_int_equal(rig_create(&first, ROOM), ST_OK);
    for (int number = 1; number <= 2; number++)
        rig_attach(&first, GATE1, (uint64_t)number, number, 0);
    for (uint64_t client = 1; client <= 2; client++) rig_detach(&first, GATE1, client);
    rig_wait(&first, 2 * ROOM_HOST_AWAY_MS);
    rig_attach(&first, GATE1, 3, 2, 0);
    struct model_view view = rig_stored(&first, ROOM);
    assert_true(view.deadline.armed && view.deadline.due_in_ms <= lobby.redis);
    assert_int_equal(rig_adopt(&second, ROOM, view.epoch), ST_OK);
    instant_ms taken = entry_of(&second, 0).at;
    rig_wait(&second, 5000);
    rig_attach(&second, GATE1, 4, 1, 0);
    assert_in_range(entry_of(&second, 0).at - taken, 4900, 5100);
    rig_close(&second);
    rig_close(&first);
    world_close(&lobby);
}

int main(void)
{
    return RUN_TESTS(ON_A_RIG(a_due_fire_steps_the_clock_and_is_over),
                     ON_A_RIG(without_a_fire_no_clock_steps_by_itself),
                     ON_A_RIG(a_late_or_repeated_fire_is_over_and_changes_nothing),
                     ON_A_RIG(an_early_fire_hears_what_remains),
                     ON_A_RIG(a_fire_for_a_room_that_is_not_here_is_told_so),
                     ON_A_RIG(the_answer_to_a_fire_waits_for_its_append),
                     ON_A_RIG(the_clock_comes_before_an_input_at_or_after_the_deadline),
                     ON_A_RIG(an_earlier_deadline_is_hinted_to_every_timer_once_confirmed),
                     ON_A_RIG(a_later_deadline_is_not_hinted),
                     ON_A_RIG(a_deadline_that_is_put_off_is_left_until_the_fire_of_the_earlier),
                     ON_A_RIG(
                         a_fire_of_a_deadline_that_was_left_ends_the_present_one_that_has_passed),
                     ON_A_RIG(a_deadline_that_is_put_off_shortly_before_it_passes_is_told_at_once),
                     ON_A_RIG(a_fire_of_an_older_deadline_brings_the_present_one_to_be_told_again),
                     ON_A_RIG(a_pause_of_this_process_is_nobodys_time),
                     ON_A_RIG(a_clock_of_redis_that_jumped_back_gives_a_room_no_time),
                     cmocka_unit_test(a_deadline_that_was_set_into_the_past_takes_no_time_back));
}
