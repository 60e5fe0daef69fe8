/* SPDX-License-Identifier: Apache-2.0
 *
 * Planted faults: what shows that the tests catch what they claim to. The build VARIANT=mutants
 * carries all of them and runs with one at most, chosen by MADANG_MUTANT=name when the process
 * starts; in every other build MUTANT(name) is a constant 0 and nothing of the list is left.
 * `make mutants` runs, for each, the tests that must fail (.ci/mutants).
 *
 * A fault is planted where somebody could have made it: in libs/, in services/, in the scripts of
 * libs/store (a line that begins with --@ is there in this build alone) and, where a script keeps
 * the rule, in the simulator's model of it too. Never in what checks.
 */
#ifndef BASE_MUTANT_H
#define BASE_MUTANT_H

/*    name, what is broken,
 *        what must find it: test programs, each with the test that does (program:test)
 *        within seconds, for each of them; drawn runs of the simulator: within seconds (0: they
 *        need not) */
/* clang-format off */
#define MUTANTS(X) \
    X(append_without_epoch, "an append of a former owner is accepted", \
      "unit/store/redis_test:a_write_of_a_former*" \
      "unit/store/model_test:a_write_of_a_former*" \
      "sim/ownership_test:a_worker_that_is_cut_off*", 20, 0) \
    X(take_of_any_epoch, "a room is taken although its epoch is not the expected one", \
      "unit/store/redis_test:of_two_competing*" \
      "unit/store/model_test:of_two_competing*" \
      "sim/ownership_test:a_room_is_not_taken*", 20, 0) \
    X(adoption_keeps_epoch, "an adoption does not raise the epoch", \
      "unit/store/redis_test:a_take_raises*" \
      "unit/store/model_test:a_take_raises*" \
      "sim/ownership_test:every_owner_has*", 20, 60) \
    X(epochs_are_counted, "epochs are counted, so that a restored Redis gives one out twice", \
      "unit/store/redis_test:a_restored_older_copy*" \
      "unit/store/model_test:a_restored_older_copy*" \
      "sim/ownership_test:an_epoch_that_the_store*", 20, 0) \
    X(append_without_base, "a repeated append is appended again whatever base it names", \
      "unit/store/redis_test:a_repeated_append*" \
      "unit/store/model_test:a_repeated_append*" \
      "sim/keeping_test:an_append_that_is_sent*", 20, 60) \
    X(snapshot_above_log, "a snapshot above the end of the log is stored", \
      "unit/store/redis_test:a_snapshot_above*" \
      "unit/store/model_test:a_snapshot_above*" \
      "sim/keeping_test:a_snapshot_above*", 20, 0) \
    X(trimmed_before_snapshot, "the log is trimmed before its snapshot is stored", \
      "unit/store/redis_test:a_snapshot_shortens*" \
      "unit/store/model_test:a_snapshot_shortens*" \
      "sim/sim_test:games_finish*", 20, 60) \
    X(trimmed_before_archived, "the log of a finished game is trimmed before it is archived", \
      "unit/store/redis_test:a_finished_game*" \
      "unit/store/model_test:a_finished_game*" \
      "sim/sim_test:games_finish*", 20, 60) \
    X(fired_deadline_is_gone, "a deadline leaves the set when its fire is sent", \
      "unit/store/redis_test:what_is_read_as_due*" \
      "unit/store/model_test:what_is_read_as_due*" \
      "sim/keeping_test:a_fire_that_is_lost*", 20, 0) \
    X(ticket_matched_twice, "a claim takes tickets that another match has claimed", \
      "unit/store/redis_test:a_claim_takes_all*" \
      "unit/store/model_test:a_claim_takes_all*", 20, 0) \
    X(ack_before_append, "an action is acknowledged before its append is confirmed", \
      "unit/worker/commit_test:no_ack*" \
      "sim/keeping_test:what_leaves_a_worker*", 20, 60) \
    X(refusal_before_append, "a refusal leaves before the position it was judged at is confirmed", \
      "unit/worker/commit_test:a_refusal_waits*" \
      "sim/keeping_test:what_leaves_a_worker*", 20, 60) \
    X(turned_away_before_append, "an attach is refused before its position is confirmed", \
      "sim/keeping_test:who_is_turned_away*", 20, 60) \
    X(view_before_append, "views leave before the state that they show is confirmed", \
      "unit/worker/commit_test:no_ack*" \
      "sim/keeping_test:what_leaves_a_worker*", 20, 60) \
    X(read_on_expired_lease, "what no append vouches for leaves on an expired lease", \
      "unit/worker/lease_test:a_stale_lease*" \
      "sim/ownership_test:a_worker_whose_lease*", 20, 0) \
    X(no_tail_repair, "what a Redis forgot is not appended again", \
      "unit/worker/lease_test:what_redis_forgot*" \
      "sim/keeping_test:what_a_store_forgot*", 20, 60) \
    X(drain_before_take, "a drain says moved before the successor has taken the room", \
      "unit/worker/drain_test:a_drained_room*" \
      "sim/ownership_test:a_worker_that_is_told*", 20, 60) \
    X(bad_token_keeps_room, "a refused reconnect keeps a put-away room in memory for good", \
      "unit/worker/drain_test:a_room_that_was_fetched_for_a_refused*", 20, 0) \
    X(fire_after_turn, "a fire for a former turn ends the present one", \
      "unit/worker/time_test:a_late_or_repeated*" \
      "sim/sim_test:games_finish*", 20, 60) \
    X(deadline_left_late, "an earlier deadline is left to the instant of the later one before it", \
      "unit/worker/time_test:an_earlier_deadline*", 20, 0) \
    X(time_backwards, "room time is set back by an adoption", \
      "unit/room/attach_test:room_time_never*" \
      "unit/worker/adopt_test:an_outage_between*" \
      "sim/keeping_test:room_time_goes_on*", 20, 60) \
    X(time_of_the_clock, "room time is the clock of whichever machine has the room", \
      "unit/worker/time_test:a_pause_of_this*" \
      "sim/keeping_test:room_time_goes_on*", 20, 60) \
    X(same_seed_again, "every game of a room is dealt from the same seed", \
      "sim/sim_test:games_finish*", 20, 60) \
    X(rematch_keeps_secrets, "a rematch keeps what the former game told single players", \
      "unit/room/play_test:a_rematch*", 20, 0) \
    X(action_applied_twice, "an action that comes again after a reconnect is applied again", \
      "unit/room/action_test:a_repeat_gets*" \
      "sim/sim_test:games_finish*", 20, 60) \
    X(counter_skips_ahead, "an action is accepted although the one before it never came", \
      "unit/room/action_test:a_counter_that_skips*" \
      "sim/actions_test:what_may_not_be_done*", 20, 0) \
    X(repeat_answered_anew, "who asks again what became of an action is told of the state of now", \
      "unit/room/action_test:a_repeat_gets*" \
      "sim/actions_test:an_answer_that_was_lost*", 20, 60) \
    X(former_window_acts, "an action is taken from a window that no longer holds the seat", \
      "unit/room/action_test:an_older_generation*" \
      "sim/actions_test:what_may_not_be_done*", 20, 0) \
    X(seat_by_public_id, "a seat is given to whoever names the number that all see of its person", \
      "unit/gateway/session_test:a_forged*" \
      "sim/ownership_test:a_seat_is_not_given*", 20, 0) \
    X(token_for_ever, "a token is good however old it is", \
      "unit/gateway/session_test:a_token_lasts*", 20, 0) \
    X(address_by_anybody, "whoever comes says himself from which address", \
      "unit/gateway/visitor_test:only_what_a_proxy*", 20, 0) \
    X(knocks_without_end, "an address may make connections as fast as it can", \
      "unit/gateway/visitor_test:an_address_knocks*", 20, 0) \
    X(old_frames_delivered, "frames of a former owner are delivered after the new owner's", \
      "unit/gateway/failover_test:nothing_of_an_older*" \
      "sim/ownership_test:a_view_of_a_former*", 20, 0) \
    X(refused_at_first_copy, "a refusal is told while a later copy of the action is under way", \
      "unit/gateway/act_test:an_act_that_is_refused_and_then*" \
      "unit/gateway/act_test:an_act_that_was_sent_twice*", 20, 0) \
    X(accepted_called_busy, "an accepted action that waits for Redis is called busy", \
      "unit/worker/commit_test:at_the_bound_an_accepted*", 20, 0) \
    X(ticket_lost_with_matchmaker, "a ticket is not handed on when its matchmaker is gone", \
      "unit/gateway/lobby_test:a_matchmaker_that_is_gone*" \
      "sim/sim_test:a_match_outlives*", 30, 0) \
    X(second_room_after_timeout, "a create that timed out makes a second room", \
      "unit/matchmaker/create_test:a_create_without*" \
      "sim/keeping_test:a_create_that_comes*", 20, 0) \
    X(unlisted_after_one_miss, "one missed heartbeat takes rooms off the public list", \
      "unit/matchmaker/newcomers_test:a_worker_that_missed*", 20, 0) \
    X(watcher_trusts_itself, "after its own pause a matchmaker takes everybody for dead", \
      "unit/matchmaker/members_test:our_own_pause*" \
      "sim/ownership_test:a_watcher_that_slept*", 20, 0) \
    X(fire_lost_with_timer, "nobody fires what was a dead timer's share", \
      "unit/timer/several_test:the_twin_covers*" \
      "sim/keeping_test:what_a_dead_timer*", 20, 0) \
    X(no_resync_after_gap, "a gap in a stream is passed over", \
      "unit/wire/link_faults_test:a_loss_is_known*", 20, 0) \
    X(full_queue_drops_silently, "a full outbox drops what it holds and says nothing", \
      "unit/wire/link_test:an_overflow*", 20, 0) \
    X(hidden_tile_told, "the number of a hidden tile is told to all on stop", \
      "unit/games/davinci_turn_rulings_test:d9_a_hidden*", 20, 60) \
    X(turn_tile_shown, "the tile that somebody has drawn is shown to all", \
      "sim/twins_test:what_a_viewer*", 20, 60) \
    X(pause_is_forgotten, "after its own pause a worker does not ask whether rooms are its", \
      "unit/worker/lease_test:after_a_pause*", 20, 0) \
    X(trimmed_in_game, "the log of the running game is trimmed by its snapshots", \
      "sim/sim_test:games_finish*", 20, 60) \
    X(hashes_ignored, "a replay that disagrees with the log plays on", \
      "unit/room/replay_test:a_replay_holds*", 20, 0) \
    X(older_window_wins, "an older window takes the seat back from a newer one", \
      "unit/room/attach_test:an_older_window*", 20, 0) \
    X(left_page_wins, "a page that was left takes the seat from the one loaded after it", \
      "unit/worker/windows_test:a_page_that_was_left*", 20, 0) \
    X(stale_action_taken, "an action bound to a version is applied to a later one", \
      "unit/room/action_test:a_bound_action*" \
      "sim/actions_test:what_may_not_be_done*", 20, 60) \
    X(batch_delivered_twice, "a batch that comes twice is delivered twice", \
      "unit/wire/link_test:a_batch_that*", 20, 0) \
    X(dead_before_lease_ends, "rooms of a silent worker are given away before its lease is over", \
      "unit/matchmaker/members_test:a_silent_worker*", 20, 0) \
    X(silent_owner_keeps_rooms, "nobody asks for owners that died unseen", \
      "unit/matchmaker/silent_test:who_died_unseen*" \
      "sim/ownership_test:rooms_whose_owner_died*", 20, 0) \
    X(watch_ends_with_former, "a worker is not watched once the one before it is forgotten", \
      "unit/matchmaker/members_test:a_worker_that_was_started_again*", 20, 60) \
    X(clock_comes_last, "an input after the deadline is applied before the clock", \
      "unit/worker/time_test", 20, 60) \
    X(clock_of_the_timer, "a deadline is applied at the moment at which it was noticed", \
      "unit/worker/time_test:the_clock_comes*" \
      "sim/sim_test:games_finish*", 20, 60) \
    X(drain_leaves_rooms, "a worker that drains exits before its rooms are handed over", \
      "unit/worker/drain_test:a_drained_room*" \
      "sim/ownership_test:a_worker_that_is_told*", 20, 60) \
    X(return_is_forgotten, "who came back after a gateway died is called away all the same", \
      "unit/worker/gone_test:a_dead_gateway*" \
      "sim/people_test:who_comes_back*", 20, 60) \
    X(outage_is_counted, "the time in which nobody owned the room is counted", \
      "unit/worker/adopt_test:an_outage*" \
      "sim/keeping_test:what_passes_while*", 20, 60) \
    X(own_outage_is_counted, "the time in which Redis did not answer a room's owner is counted", \
      "unit/worker/commit_test:an_outage*", 20, 0) \
    X(game_goes_on_alone, "a game that nobody is connected to goes on", \
      "unit/room/clock_test:with_nobody*" \
      "sim/people_test:a_game_that_nobody*", 20, 0) \
    X(second_seat, "whoever comes back to a room is given a second seat", \
      "unit/room/attach_test:a_fresh_page*" \
      "sim/people_test:who_comes_back_before*", 20, 60) \
    X(deleted_keeps_code, "the code of a room that was deleted leads to it still", \
      "unit/store/redis_test:a_code_is_free*" \
      "unit/store/model_test:a_code_is_free*", 20, 0) \
    X(summary_told_once, "what the directory says of a room is what it was made with", \
      "sim/sim_test:games_finish*", 20, 60) \
    X(hidden_entry_shows, "an entry that nobody may notice raises the version", \
      "unit/room/action_test:a_hidden_action*", 20, 0) \
    X(delta_without_base, "a delta is folded onto a view that it was not made for", \
      "unit/gateway/frames_test:a_lost_update*", 20, 0) \
    X(patch_without_base, "a patch is made from bytes of a section that nobody was sent", \
      "unit/gateway/patches_test:several_updates*" \
      "sim/sim_test:a_match_outlives*", 20, 60) \
    X(put_away_keeps_owner, "a room that has been put away stays in its worker's memory", \
      "sim/sim_test:rooms_rest*", 60, 60) \
    X(over_is_not_deleted, "a room that is over is kept, and so is its code", \
      "sim/sim_test:rooms_rest*", 60, 60) \
    X(listed_for_good, "a room that was listed once stays on the list of public rooms", \
      "sim/sim_test:rooms_rest*", 60, 60)
/* clang-format on */

#ifdef MADANG_MUTANTS

#include <stdbool.h>

enum mutant {
    MUTANT_none,
#define X(name, broken, found_by, within_s, drawn_s) MUTANT_##name,
    MUTANTS(X)
#undef X
};
extern enum mutant mutant_planted;
#define MUTANT(name) (mutant_planted == MUTANT_##name)

/* Once, before anything else. NULL plants none; false: there is no fault of that name. */
bool mutant_plant(const char *name);
/* What stands before every script: it tells which fault is planted. */
const char *mutant_script(void);

#else

#define MUTANT(name)    0
#define mutant_script() ""

#endif

#endif
