/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this core call of each other, by file. Included by parts.h, which has the
 * structs.
 */
#ifndef WORKER_CALLS_H
#define WORKER_CALLS_H

/* ---- worker_core.c --------------------------------------------------------------------------- */

struct owned_room *core_find(struct worker_core *core, room_id id);
/* To be settled at the end of this step. */
void core_touch(struct worker_core *core, struct owned_room *o);
void core_note(struct worker_core *core, const char *text, room_id room, uint64_t a, uint64_t b);
uint64_t core_tag(struct worker_core *core);
/* Fresh bytes from the event's entropy: never the same twice. */
void core_draw(struct worker_core *core, uint8_t bytes[32]);
struct id128 core_draw_id(struct worker_core *core);
struct store_op *core_op(struct worker_core *core, enum store_op_kind kind, struct owned_room *o);
const char *core_lend(struct worker_core *core, const char *text);
/* To a peer that was heard; dropped when it is gone. */
void core_send(struct worker_core *core, struct id128 peer, const struct envelope *envelope);
struct shard *core_shard(struct worker_core *core, room_id id);
void core_queue(struct room_queue *queue, room_id id);
/* The first in the queue, out of it; false: it is empty. */
bool core_queued(struct room_queue *queue, room_id *id);

/* ---- handlers -------------------------------------------------------------------------------- */

/* Remembers a peer by its instance. NULL: too many, or it has no address. */
struct peer *peer_know(struct worker_core *core, struct id128 instance, const char *url);
void on_envelopes(struct worker_core *core, const struct event *event);
/* The room, if it takes inputs. Else NULL, and whoever asked hears or will hear where it is. */
struct owned_room *live_room(struct worker_core *core, struct id128 peer, room_id id);
/* Of on_envelopes, in attach.c. */
void on_attach(struct worker_core *core, struct id128 peer, const struct env_attach *attach);
void on_detach(struct worker_core *core, struct id128 peer, const struct env_client *gone);
void on_leave(struct worker_core *core, struct id128 peer, const struct env_client *gone);
void on_peer_reset(struct worker_core *core, const struct event *event);
void on_peer_gone(struct worker_core *core, struct id128 peer);
void on_request(struct worker_core *core, const struct event *event);
void on_store(struct worker_core *core, const struct store_reply *reply);
void on_store_reset(struct worker_core *core, int shard, bool up);
void on_due(struct worker_core *core);

/* ---- owned_room.c ---------------------------------------------------------------------------- */

struct owned_room *owned_open(struct worker_core *core, room_id id, enum owned_phase phase);
void owned_free(struct worker_core *core, struct owned_room *o);
/* Out of the core at the end of this step; nothing of it leaves any more. */
void owned_drop(struct worker_core *core, struct owned_room *o);
void owned_go_live(struct worker_core *core, struct owned_room *o);
instant_ms owned_time(const struct worker_core *core, const struct owned_room *o);
void owned_set_time(struct worker_core *core, struct owned_room *o, instant_ms time);
void owned_freeze(struct worker_core *core, struct owned_room *o);
void owned_thaw(struct worker_core *core, struct owned_room *o);
/* True when one more input may be applied; own: it is nobody's action (clock, presence). */
bool owned_has_room(struct worker_core *core, const struct owned_room *o, bool own);
/* The same for what somebody asks for: a bound that is met is counted. */
bool owned_admits(struct worker_core *core, const struct owned_room *o, bool own);
/* Clock first, then the input, stamped now. False when the clock did not come to an end (busy). */
bool owned_input(struct worker_core *core, struct owned_room *o, struct room_input *input,
                 struct room_outcome *out);
/* Steps the clock while it is due. False: still due. */
bool owned_clock(struct worker_core *core, struct owned_room *o);
void owned_wake(struct worker_core *core, struct owned_room *o);
void owned_due(struct worker_core *core, struct owned_room *o);
void owned_settle(struct worker_core *core, struct owned_room *o);

/* ---- viewers.c ------------------------------------------------------------------------------- */

struct viewer *viewer_find(struct owned_room *o, struct id128 gateway, uint64_t client);
struct viewer *viewer_of_seat(struct owned_room *o, int seat);
/* NULL: too many watch. */
struct viewer *viewer_add(struct owned_room *o, struct id128 gateway, uint64_t client);
void viewer_remove(struct owned_room *o, struct viewer *viewer);
int viewers_watching(const struct owned_room *o);
bool viewers_full(const struct owned_room *o);
/* Gives the seat to viewer; a former holder is told "other window" and is out. */
void viewer_bind(struct worker_core *core, struct owned_room *o, struct viewer *viewer, int seat);
/* After an input: whoever lost its seat is out, or watches; whoever changed it is told. */
void viewers_follow(struct worker_core *core, struct owned_room *o,
                    const struct room_outcome *outcome);
void viewers_tell_attached(struct worker_core *core, struct owned_room *o, struct viewer *viewer);
struct room_gateway *gateway_find(struct owned_room *o, struct id128 instance);
struct room_gateway *gateway_add(struct owned_room *o, struct id128 instance);
/* What tells a gateway that the room is here, and to bring its people in (again). */
struct envelope viewers_here(const struct worker_core *core, const struct owned_room *o);
/* Gateways that spoke of the room while it took no inputs: they are to come in again. */
void viewers_call_in(struct worker_core *core, struct owned_room *o);
/* The gateway's process is dead: watchers go, seats wait. */
void viewers_lose_gateway(struct worker_core *core, struct owned_room *o, struct id128 gateway);
/* Seats that the log calls connected and nobody holds: their grace begins. */
void viewers_expect_back(struct worker_core *core, struct owned_room *o);
void viewers_detach_lost(struct worker_core *core, struct owned_room *o);
instant_ms viewers_next_lost(const struct owned_room *o);

/* ---- frame.c --------------------------------------------------------------------------------- */

struct frame *frame_of_changes(struct worker_core *core, struct owned_room *o); /* NULL: none */
/* Everything that a gateway may have, with the events after have. */
struct frame *frame_whole(struct owned_room *o, struct id128 gateway, uint64_t have);
/* Folds the newer one in; what it supersedes is given back. */
void frame_merge(struct frame *into, const struct frame *newer);
/* Its memory, in bytes. */
size_t frame_cost(const struct frame *frame);
void frame_free(struct frame *frame);
/* What a gateway (and there, unless 0, one client) is to get of a frame whose bytes were lent. */
void frame_update_for(struct worker_core *core, struct owned_room *o, const struct frame *frame,
                      const uint8_t *lent, struct id128 gateway, uint64_t client, uint64_t base,
                      struct env_update *out);

/* ---- hold.c ---------------------------------------------------------------------------------- */

/* Leaves when position is confirmed (0: follows from no state, leaves at once). Copies. */
void hold_envelope(struct worker_core *core, struct owned_room *o, uint64_t position,
                   struct id128 gateway, const struct envelope *envelope);
/* Frames what changed and what is wanted, at the room's position. */
void hold_views(struct worker_core *core, struct owned_room *o);
/* Lets out what is confirmed. True when somebody turned out to want a whole view. */
bool hold_release(struct worker_core *core, struct owned_room *o);
void hold_discard(struct owned_room *o);
void hold_discard_views(struct owned_room *o);
/* To every gateway of the room, at once. */
void hold_tell_moved(struct worker_core *core, struct owned_room *o, struct id128 to,
                     const char *url, uint64_t epoch, bool gone);
void hold_tell_paused(struct worker_core *core, struct owned_room *o, bool paused);

/* A whole view for eyes that are not there any more. */
void hold_discard_whole(struct owned_room *o, struct id128 gateway, uint64_t client);

/* ---- backlog.c ------------------------------------------------------------------------------- */

/* What waits in the room may have changed. */
void backlog_count(struct worker_core *core, struct owned_room *o);
void backlog_forget(struct worker_core *core, struct owned_room *o);
bool backlog_full(const struct worker_core *core);

/* ---- append.c -------------------------------------------------------------------------------- */

void append_keep(struct worker_core *core, struct owned_room *o, struct slice entry);
/* The entry at position, just kept, is the action of that trace. */
void append_trace(struct owned_room *o, uint64_t position, uint64_t trace);
/* When the entry at position was made; `unknown` when it is not kept. */
instant_ms append_made_at(const struct owned_room *o, uint64_t position, instant_ms unknown);
void append_send(struct worker_core *core, struct owned_room *o);
void append_confirm(struct worker_core *core, struct owned_room *o, uint64_t position);
/* Starts again after position, with a new attempt. */
void append_restart(struct worker_core *core, struct owned_room *o, uint64_t position);
void append_prune(struct worker_core *core, struct owned_room *o);
void append_forget(struct owned_room *o);
void append_unavailable(struct worker_core *core, struct owned_room *o);
void append_recovered(struct worker_core *core, struct owned_room *o);
void append_on_reply(struct worker_core *core, struct owned_room *o,
                     const struct store_reply *reply);
/* What a script must be told of deadline, summary and listing. */
void append_fill_told(struct worker_core *core, struct owned_room *o, struct store_op *op);
/* The deadline is told although nothing happens in the room. */
void append_restate_deadline(struct worker_core *core, struct owned_room *o);
/* A fire named another deadline than the present one: the store is told of that one, unless this is
 * under way. True: it was not told before, and the store has one that passes earlier. */
bool append_on_other_fire(struct worker_core *core, struct owned_room *o);

/* ---- repair.c -------------------------------------------------------------------------------- */

/* Whether the log that ends so is a beginning of ours. */
bool repair_on_our_chain(const struct owned_room *o, uint64_t position, struct id128 hash);
void repair_compare(struct worker_core *core, struct owned_room *o, uint64_t position,
                    struct id128 hash);
void repair_fenced(struct worker_core *core, struct owned_room *o, const struct store_reply *reply);
void repair_on_tail(struct worker_core *core, struct owned_room *o,
                    const struct store_reply *reply);

/* ---- restore.c ------------------------------------------------------------------------------- */

/* Redis does not know the room at all: it is written again as soon as its turn comes. */
void restore_begin(struct worker_core *core, struct owned_room *o);
void restore_again(struct worker_core *core, struct owned_room *o);
void restore_send(struct worker_core *core);
void restore_on_reply(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply);
void restore_note(struct worker_core *core);

/* ---- snapshot.c ------------------------------------------------------------------------------ */

void snapshot_take(struct worker_core *core, struct owned_room *o,
                   const struct room_outcome *finished);
void snapshot_send(struct worker_core *core, struct owned_room *o);
void snapshot_drop_all(struct owned_room *o);
/* Redis may be another, which lacks the last game's archive: it is stored again, to no effect when
 * it is there. */
void snapshot_archive_again(struct worker_core *core, struct owned_room *o);
void snapshot_prune(struct worker_core *core, struct owned_room *o);
void snapshot_on_reply(struct worker_core *core, struct owned_room *o,
                       const struct store_reply *reply);
void snapshot_end_of_life(struct worker_core *core, struct owned_room *o);
void snapshot_on_released(struct worker_core *core, struct owned_room *o,
                          const struct store_reply *reply);
void snapshot_on_deleted(struct worker_core *core, struct owned_room *o,
                         const struct store_reply *reply);
void snapshot_retry_life(struct worker_core *core, struct owned_room *o);

/* ---- lease.c --------------------------------------------------------------------------------- */

void lease_check(struct worker_core *core);
void lease_due(struct worker_core *core);
/* Bit s: there is none on shard s now. */
uint32_t lease_shards_away(const struct worker_core *core);
instant_ms lease_next(const struct worker_core *core);
bool lease_fresh(const struct worker_core *core, room_id room);
void lease_on_reply(struct worker_core *core, const struct store_reply *reply);
void lease_skip(struct worker_core *core, instant_ms gap_ms);
void lease_revalidate(struct worker_core *core, struct owned_room *o);
void lease_revalidate_shard(struct worker_core *core, int shard);
void lease_send_tails(struct worker_core *core);
void lease_validated(struct worker_core *core, struct owned_room *o);

/* ---- adopt.c --------------------------------------------------------------------------------- */

void adopt_rooms(struct worker_core *core, const struct event *event);
void adopt_send_takes(struct worker_core *core);
void adopt_again(struct worker_core *core, struct owned_room *o, uint64_t expected);
void adopt_retry(struct worker_core *core, struct owned_room *o);
/* The room is ours under reply's epoch: goes on with our state, or with what the store has. */
void adopt_taken(struct worker_core *core, struct owned_room *o, const struct store_reply *reply);
void adopt_on_taken(struct worker_core *core, struct owned_room *o,
                    const struct store_reply *reply);
void adopt_forget(struct adoption *adoption);
/* Tells whoever asked for the take, if somebody still waits, how it went. */
void adopt_settle(struct owned_room *o, enum status status, uint64_t epoch);
/* What was taken is in memory: the players go on. */
void adopt_go_live(struct worker_core *core, struct owned_room *o);

/* False: that many ask already. */
bool adopt_add_asker(struct asker *askers, int *count, uint64_t token, struct id128 request);
struct reply *adopt_reply_to(struct worker_core *core, struct asker asker, enum request_kind kind,
                             enum status status);

/* ---- operate.c, orders.c --------------------------------------------------------------------- */

struct reply *operate_answer(struct worker_core *core, const struct event *event);
void operate_refuse(struct worker_core *core, const struct event *event, enum order_fault fault);
void operate_status(struct worker_core *core, const struct event *event);
void operate_rooms(struct worker_core *core, const struct event *event);
void operate_room(struct worker_core *core, const struct event *event);
/* Those of them that need no proof are answered; the others are proven and carried out. */
void orders_take(struct worker_core *core, const struct event *event);
/* Answers what has been confirmed since. */
void orders_settle(struct worker_core *core);
int orders_waiting(const struct worker_core *core);

/* ---- create.c -------------------------------------------------------------------------------- */

void create_room(struct worker_core *core, const struct event *event);
void create_send(struct worker_core *core, struct owned_room *o);
void create_on_reply(struct worker_core *core, struct owned_room *o,
                     const struct store_reply *reply);

/* ---- aside.c --------------------------------------------------------------------------------- */

void aside_begin(struct worker_core *core, struct owned_room *o);
void aside_send(struct worker_core *core, struct owned_room *o);
void aside_on_reply(struct worker_core *core, struct owned_room *o,
                    const struct store_reply *reply);

/* ---- load.c ---------------------------------------------------------------------------------- */

/* Room, kept tail and positions from the answer to a take. Not ST_OK: this build cannot play it. */
enum status load_room(struct worker_core *core, struct owned_room *o,
                      const struct store_reply *reply);

/* ---- rules.c --------------------------------------------------------------------------------- */

void rules_init(struct worker_core *core);
bool rules_playable(const struct worker_core *core, struct rules rules);
struct rules rules_of_room(const struct room *room);
/* Which of our rules another worker can play, as bits; and whether one so able can play these. */
uint32_t rules_able(const struct worker_core *core, const struct member *member);
bool rules_able_to(const struct worker_core *core, uint32_t able, struct rules rules);
/* The version by which a game that starts now is played; 0: none. */
uint32_t rules_for_start(const struct worker_core *core, const char *game);

/* ---- drain.c --------------------------------------------------------------------------------- */

/* leave: the process ends afterwards. Else it stays, until drain_end. */
void drain_begin(struct worker_core *core, bool leave);
/* Takes rooms again; those that are on their way go. */
void drain_end(struct worker_core *core);
/* When drain_go_on is to be called next; INSTANT_NEVER. */
instant_ms drain_next(const struct worker_core *core);
void drain_go_on(struct worker_core *core);
void drain_released(struct worker_core *core, struct owned_room *o);
void drain_on_reply(struct worker_core *core, uint64_t token, const struct reply *reply);
/* Where a room that was here went; NULL: not known. */
const struct moved_room *drain_moved(const struct worker_core *core, room_id room);
void drain_remember(struct worker_core *core, room_id room, struct id128 to, const char *url,
                    uint64_t epoch);

/* ---- members.c ------------------------------------------------------------------------------- */

void members_due(struct worker_core *core);
/* Whether another worker could take a room now. */
bool members_any_fit(const struct worker_core *core);
/* Whether every other worker can replay what operators did. */
bool members_replay_orders(const struct worker_core *core);
void members_on_reply(struct worker_core *core, const struct reply *reply);
void members_hint(struct worker_core *core, const struct owned_room *o);
/* A room that somebody may wait for has become ours: the gateways are told. */
void members_tell_owned(struct worker_core *core, struct owned_room *o);
/* To one gateway, of every room that waits for players; instance zero: the one behind the URL. */
void members_tell_again(struct worker_core *core, struct id128 instance, const char *url);
const struct known_member *members_find(const struct worker_core *core, struct id128 instance);
/* The worker that a room goes to; NULL: none that can play it. */
const struct known_member *members_successor(const struct worker_core *core,
                                             const struct owned_room *o);

/* ---- counts.c -------------------------------------------------------------------------------- */

void count_refusal(struct worker_core *core, const struct refusal *why);
/* An action that the room has judged, before its entry is sent. */
void count_judged(struct worker_core *core, struct owned_room *o, int seat,
                  const struct env_act *act, const struct room_outcome *out);
void count_game(struct worker_core *core, const struct owned_room *o,
                const struct room_outcome *out);
void count_durable(struct worker_core *core, const struct owned_room *o,
                   const struct kept_entry *entry);
void count_unowned(struct worker_core *core, instant_ms unowned_ms);
/* The room can be written to again. */
void count_paused(struct worker_core *core, const struct owned_room *o);

#endif
