/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this core may call of each other, and which file does what. Names start with
 * gw_, because the simulator links all cores together.
 *
 *   gateway_core.c   the step: due timers, dispatch, what is settled at its end
 *   client.c         connections: opening, closing, sending, their one timer
 *   session.c        tokens, Hello, Welcome
 *   limits.c         buckets, wrong codes, connections of an address
 *   on_frame.c       one handler per ClientFrame
 *   enter.c          create, join, look up: a client's question to the matchmakers
 *   quick.c          tickets
 *   act.c            acts, their answers, leaving
 *   attach.c         a client's place in a room: coming in, coming back, going out
 *   mirror.c         rooms: their owners, finding them again
 *   cache.c          a room's newest sections and last events
 *   fan_out.c        frames for sockets
 *   on_envelope.c    what workers say
 *   members.c        heartbeats; which matchmakers and workers there are
 *   public.c         the list of public rooms
 *   ping.c           round trips
 */
#ifndef GATEWAY_CALLS_H
#define GATEWAY_CALLS_H

#include "gateway/state.h"

/* gateway_core.c */
uint64_t gw_random(struct gateway_core *core);
struct id128 gw_random_id(struct gateway_core *core);
/* Between half of `full` and `full`. */
instant_ms gw_jitter(struct gateway_core *core, instant_ms full);
/* The wait before try number `tries` (from 0): 50 ms doubling to 1 s, with jitter. */
instant_ms gw_back_off(struct gateway_core *core, uint32_t tries);
/* A control request; the caller fills in what is not common to all. url NULL: any matchmaker. */
struct request *gw_ask(struct gateway_core *core, enum ask_kind kind, uint64_t id, const char *url,
                       enum request_kind what, struct id128 request_id, uint64_t *token);
void gw_note(struct gateway_core *core, const char *what, uint64_t a, uint64_t b, uint64_t c);

/* client.c */
void gw_client_open(struct gateway_core *core, uint64_t socket, const char *address);
struct client *gw_client_find(const struct gateway_core *core, uint64_t socket);
/* Closes the socket, out of its room first; the struct is freed at the end of the step. */
void gw_client_close(struct gateway_core *core, struct client *client, enum gateway_close code,
                     const char *text);
void gw_client_lost(struct gateway_core *core, struct client *client);
void gw_client_free(struct client *client);
void gw_clients_free_gone(struct gateway_core *core);
void gw_client_writable(struct gateway_core *core, struct client *client);
void gw_client_due(struct gateway_core *core, struct client *client);
/* To be called after any change of an instant in it. */
void gw_client_arm(struct gateway_core *core, struct client *client);
void gw_client_set_name(struct client *client, const char *name);
void gw_clients_drain(struct gateway_core *core);
void gw_send(struct gateway_core *core, struct client *client, const struct server_frame *frame);
/* Into the arena of the step. */
struct slice gw_encode(struct gateway_core *core, const struct server_frame *frame);
/* Bytes of a ServerFrame that the arena of the step holds; others may be sent the same. */
void gw_send_bytes(struct gateway_core *core, struct client *client, struct slice bytes);
void gw_refuse(struct gateway_core *core, struct client *client, enum reason reason);
void gw_refuse_why(struct gateway_core *core, struct client *client, const struct refusal *why,
                   bool retry);
void gw_notice(struct gateway_core *core, struct client *client, enum notice_kind kind);

/* session.c */
/* From the gateways' keys those that sign tokens. */
void gw_keys_derive(struct gateway_config *config);
void gw_on_hello(struct gateway_core *core, struct client *client,
                 const struct client_hello *hello);

/* limits.c */
/* Takes `cost_us` unless the bucket would then hold more than `depth_us`. */
bool gw_bucket_take(struct bucket *bucket, instant_ms now, uint64_t cost_us, uint64_t depth_us);
void gw_bucket_give_back(struct bucket *bucket, uint64_t cost_us);
struct address *gw_address_enter(struct gateway_core *core, const char *text);
void gw_address_leave(struct gateway_core *core, struct address *address);
/* Whether this client may have another room made; counts it. */
bool gw_room_try(struct gateway_core *core, const struct client *client);
/* A code is about to be tried: counts it as wrong for now. Returns 0, or the seconds to wait. */
uint32_t gw_code_try(struct gateway_core *core, const struct client *client);
/* It was a right one after all. */
void gw_code_right(struct gateway_core *core, const struct client *client);
void gw_tries_sweep(struct gateway_core *core);
void gw_limits_fini(struct gateway_core *core);

/* on_frame.c */
void gw_on_frame(struct gateway_core *core, struct client *client, struct slice bytes);

/* enter.c */
void gw_on_create(struct gateway_core *core, struct client *client,
                  const struct client_create *create);
void gw_on_join(struct gateway_core *core, struct client *client, const struct client_join *join);
void gw_on_look_up(struct gateway_core *core, struct client *client, const char *typed);
struct task *gw_task_begin(struct gateway_core *core, struct client *client, enum task_kind kind);
void gw_task_end(struct gateway_core *core, struct client *client);
void gw_task_due(struct gateway_core *core, struct client *client);
void gw_task_reply(struct gateway_core *core, struct client *client, const struct reply *reply);
/* Asks again after the usual wait. */
void gw_task_again(struct gateway_core *core, struct client *client);
/* Ends the task with a reason. */
void gw_task_refuse(struct gateway_core *core, struct client *client, enum reason reason);
/* Checks a nickname and keeps it; else refuses the frame. */
bool gw_take_name(struct gateway_core *core, struct client *client, const char *typed,
                  bool optional);

/* quick.c */
void gw_on_quick(struct gateway_core *core, struct client *client,
                 const struct client_quick *quick);
void gw_on_cancel_quick(struct gateway_core *core, struct client *client);
/* The room that it was matched into would not have it: another ticket, for any other. */
void gw_quick_elsewhere(struct gateway_core *core, struct client *client, room_id avoid);
void gw_quick_ask(struct gateway_core *core, struct client *client);
void gw_quick_reply(struct gateway_core *core, struct client *client, const struct reply *reply);
/* The client goes while it waits. */
void gw_quick_cancel(struct gateway_core *core, struct client *client);

/* act.c */
void gw_on_act(struct gateway_core *core, struct client *client, const struct client_act *act);
void gw_answer_here(struct gateway_core *core, struct client *client, const struct client_act *act,
                    enum reason reason);
void gw_on_answer(struct gateway_core *core, struct client *client,
                  const struct env_answer *answer);
/* Sends all that are unanswered once more, in order. */
void gw_acts_resend(struct gateway_core *core, struct client *client);
void gw_acts_forget(struct client *client);
/* Those of another generation than the client's: it repeats them itself. */
void gw_acts_forget_old(struct client *client);
void gw_acts_due(struct gateway_core *core, struct client *client);
instant_ms gw_acts_next(const struct client *client);

/* attach.c */
/* Into the room that was found; the task, if any, has told how. */
void gw_enter(struct gateway_core *core, struct client *client, const struct placed *placed);
void gw_attach_send(struct gateway_core *core, struct client *client);
void gw_on_attached(struct gateway_core *core, struct client *client,
                    const struct env_attached *attached);
void gw_on_attach_refused(struct gateway_core *core, struct client *client,
                          const struct refusal *why);
/* Out of the room; `tell` the worker when it does not know. No word to the browser. */
void gw_leave_mirror(struct gateway_core *core, struct client *client, bool tell);
/* Out of the room, and the browser is told. */
void gw_drop(struct gateway_core *core, struct client *client, enum dropped_why why);
void gw_on_leave(struct gateway_core *core, struct client *client);
void gw_attach_due(struct gateway_core *core, struct client *client);
void gw_detached_again(struct gateway_core *core, const struct mirror *mirror);

/* mirror.c */
struct mirror *gw_mirror_find(const struct gateway_core *core, room_id room);
/* Finds or makes it, and takes a newer owner over. */
struct mirror *gw_mirror_of(struct gateway_core *core, const struct placed *placed);
void gw_mirror_add(struct mirror *mirror, struct client *client);
void gw_mirror_remove(struct gateway_core *core, struct mirror *mirror, struct client *client);
void gw_mirror_touch(struct gateway_core *core, struct mirror *mirror);
/* Its owner does not answer: the clients stay, the room is asked for again. */
void gw_mirror_lose(struct gateway_core *core, struct mirror *mirror);
void gw_mirror_owner(struct gateway_core *core, struct mirror *mirror, struct id128 owner,
                     const char *url, uint64_t epoch);
/* All clients come in again with what they have. */
void gw_mirror_attach_all(struct gateway_core *core, struct mirror *mirror);
void gw_mirror_resync(struct gateway_core *core, struct mirror *mirror, struct version have);
void gw_mirror_due(struct gateway_core *core, struct mirror *mirror);
void gw_mirror_arm(struct gateway_core *core, struct mirror *mirror);
void gw_mirror_reply(struct gateway_core *core, struct mirror *mirror, const struct reply *reply);
void gw_mirror_closed(struct gateway_core *core, struct mirror *mirror);
void gw_mirror_tell(struct gateway_core *core, struct mirror *mirror, bool down);
void gw_mirrors_of_peer(struct gateway_core *core, struct id128 peer, const char *url, bool dead);
void gw_mirror_send(struct gateway_core *core, const struct mirror *mirror,
                    const struct envelope *envelope);
void gw_mirrors_settle(struct gateway_core *core);
/* Notes what was lost and found, once a second. */
void gw_mirrors_note(struct gateway_core *core);
void gw_mirror_free(struct mirror *mirror);

/* cache.c */
/* False: something before it is missing; nothing was changed. only_seat: of its only_client. */
bool gw_cache_update(struct gateway_core *core, struct mirror *mirror,
                     const struct env_update *update, int only_seat);
void gw_cache_holder(struct gateway_core *core, struct mirror *mirror, int seat,
                     uint32_t generation);
/* What makes the section of the bytes that somebody has who was sent the mirror's `serial` last;
 * empty: nothing does that is smaller than the section. */
struct slice gw_cache_patch(struct gateway_core *core, const struct mirror *mirror,
                            const struct section *section, uint64_t serial);
void gw_cache_clear(struct mirror *mirror);

/* fan_out.c */
/* Writes what the client has not seen, if its socket can take it; `missed` (or the mirror's own)
 * are the events that may go with it. */
void gw_compose(struct gateway_core *core, struct client *client, const struct env_update *missed);
/* Whether a client here waits for something that no update has brought. */
bool gw_mirror_lacks(const struct mirror *mirror);

/* on_envelope.c */
void gw_on_envelopes(struct gateway_core *core, const struct event *event);

/* members.c */
void gw_members_beat(struct gateway_core *core);
void gw_members_reply(struct gateway_core *core, uint64_t index, const struct reply *reply);
/* A batch of envelopes has come from that worker. */
void gw_member_spoke(struct gateway_core *core, struct id128 instance);
/* How long to wait before what was sent to an owner `tries` times is sent again, and whether it is
 * time to look for another owner instead. */
instant_ms gw_resend_ms(const struct gateway_core *core, struct id128 owner, uint32_t tries);
bool gw_tried_enough(const struct gateway_core *core, struct id128 owner, uint32_t tries);
/* Whether a matchmaker has not been heard for so long that its tickets go to another. */
bool gw_member_silent(const struct gateway_core *core, const struct member_known *matchmaker);
/* The matchmaker that is named for a game's tickets, or NULL. */
const struct member_known *gw_members_for_tickets(const struct gateway_core *core,
                                                  const char *game);
void gw_members_fini(struct gateway_core *core);

/* public.c */
void gw_on_watch(struct gateway_core *core, struct client *client, bool on);
void gw_public_due(struct gateway_core *core);
void gw_public_reply(struct gateway_core *core, const struct reply *reply);
void gw_public_show(struct gateway_core *core, struct client *client);

/* ping.c */
void gw_ping_due(struct gateway_core *core, struct client *client);
/* Its room plays now: it is not left until its next ping comes as to one that rests. */
void gw_ping_soon(struct gateway_core *core, struct client *client);
void gw_on_pong(struct gateway_core *core, struct client *client, uint64_t nonce);
uint32_t gw_rtt_ms(const struct client *client);

#endif
