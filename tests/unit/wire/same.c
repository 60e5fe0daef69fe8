/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/wire/same.h"

#include "unit/test.h"

#define SAME(field)         assert_true(a->field == b->field)
#define SAME_TEXT(field)    assert_string_equal(a->field, b->field)
#define SAME_BYTES(field)   assert_true(slice_equal(a->field, b->field))
#define SAME_ID(field)      assert_true(id128_equal(a->field, b->field))
#define SAME_VERSION(field) assert_int_equal(version_compare(a->field, b->field), 0)

static void same_refusal(const struct refusal *a, const struct refusal *b)
{
    SAME_TEXT(domain);
    SAME(code);
    SAME(param_count);
    for (int i = 0; i < a->param_count; i++) SAME(params[i]);
}

static void same_attach(const struct env_attach *a, const struct env_attach *b)
{
    SAME(room);
    SAME(client);
    SAME_ID(player);
    SAME_TEXT(name);
    SAME(intent);
    SAME(generation);
    SAME(take_over);
    SAME(window);
    SAME(line);
    SAME_VERSION(have);
    SAME(rtt_ms);
}

static void same_act(const struct env_act *a, const struct env_act *b)
{
    SAME(room);
    SAME(client);
    SAME(generation);
    SAME(counter);
    SAME(made_for);
    SAME(command);
    SAME_BYTES(bytes);
    SAME(rtt_ms);
    SAME(copy);
}

static void same_attached(const struct env_attached *a, const struct env_attached *b)
{
    SAME(room);
    SAME(client);
    SAME(epoch);
    SAME(seat);
    SAME(generation);
    SAME(counter);
    SAME_TEXT(code);
}

static void same_update(const struct env_update *a, const struct env_update *b)
{
    SAME(room);
    SAME_VERSION(version);
    SAME(base);
    SAME(game_version);
    SAME(room_time);
    SAME(sections);
    SAME_BYTES(room_view);
    SAME_BYTES(presence);
    SAME_BYTES(game);
    SAME(only_client);
    SAME(private_count);
    for (int i = 0; i < a->private_count; i++) {
        SAME(privates[i].seat);
        SAME_BYTES(privates[i].mine);
    }
    SAME(event_count);
    if (b->event_count == 0) assert_null(b->events);
    for (int i = 0; i < a->event_count; i++) {
        SAME(events[i].seq);
        SAME_BYTES(events[i].shared);
        SAME(events[i].seat);
        SAME_BYTES(events[i].mine);
        SAME_BYTES(events[i].room);
    }
}

static void same_answer(const struct env_answer *a, const struct env_answer *b)
{
    SAME(room);
    SAME(client);
    SAME(epoch);
    SAME(generation);
    SAME(counter);
    SAME(ok);
    if (!a->ok) same_refusal(&a->why, &b->why);
    SAME(seq);
    SAME(copy);
}

static void same_moved(const struct env_moved *a, const struct env_moved *b)
{
    SAME(room);
    SAME(epoch);
    SAME_ID(to);
    SAME_TEXT(to_url);
    SAME(gone);
}

static void same_fire_answer(const struct env_fire_answer *a, const struct env_fire_answer *b)
{
    SAME(room);
    SAME(number);
    SAME(over);
    SAME(not_owner);
    SAME(remaining_ms);
}

static void same_dropped(const struct env_dropped *a, const struct env_dropped *b)
{
    SAME(room);
    SAME(client);
    SAME(epoch);
    SAME(why);
}

/* The kinds that are small. */
static void same_small(const struct envelope *a, const struct envelope *b)
{
    switch (a->kind) {
    case ENV_RESYNC:
        SAME(u.resync.room);
        SAME_VERSION(u.resync.have);
        break;
    case ENV_RTT:
        SAME(u.rtt.room);
        SAME(u.rtt.client);
        SAME(u.rtt.rtt_ms);
        break;
    case ENV_ATTACH_REFUSED:
        SAME(u.attach_refused.room);
        SAME(u.attach_refused.client);
        same_refusal(&a->u.attach_refused.why, &b->u.attach_refused.why);
        break;
    case ENV_PAUSED:
        SAME(u.paused.room);
        SAME(u.paused.epoch);
        SAME(u.paused.paused);
        break;
    case ENV_DETACH:
    case ENV_LEAVE:
        SAME(u.client.room);
        SAME(u.client.client);
        break;
    case ENV_HINT:
    case ENV_FIRE:
        SAME(u.deadline.room);
        SAME(u.deadline.number);
        SAME(u.deadline.due_in_ms);
        break;
    default: fail_msg("kind %d is compared nowhere", a->kind);
    }
}

void assert_same_envelope(const struct envelope *a, const struct envelope *b)
{
    SAME(kind);
    switch (a->kind) {
    case ENV_ATTACH: same_attach(&a->u.attach, &b->u.attach); break;
    case ENV_ACT: same_act(&a->u.act, &b->u.act); break;
    case ENV_ATTACHED: same_attached(&a->u.attached, &b->u.attached); break;
    case ENV_UPDATE: same_update(&a->u.update, &b->u.update); break;
    case ENV_ANSWER: same_answer(&a->u.answer, &b->u.answer); break;
    case ENV_DROPPED: same_dropped(&a->u.dropped, &b->u.dropped); break;
    case ENV_MOVED: same_moved(&a->u.moved, &b->u.moved); break;
    case ENV_FIRE_ANSWER: same_fire_answer(&a->u.fire_answer, &b->u.fire_answer); break;
    default: same_small(a, b);
    }
}

void assert_same_batch(const struct batch *a, const struct batch *b)
{
    SAME_ID(from);
    SAME_ID(to);
    SAME_TEXT(from_url);
    SAME(stream);
    SAME(number);
    SAME(count);
    for (int i = 0; i < a->count; i++) assert_same_envelope(&a->list[i], &b->list[i]);
}

static void same_member(const struct member *a, const struct member *b)
{
    SAME(kind);
    SAME_ID(instance);
    SAME_TEXT(inbox_url);
    SAME_TEXT(control_url);
    SAME_TEXT(build);
    SAME(rooms);
    SAME(rooms_max);
    SAME(connections);
    SAME(draining);
    SAME(silent_ms);
    SAME(ops_port);
    SAME(orders);
    SAME(shards_away);
    SAME(play_count);
    for (int i = 0; i < a->play_count; i++) {
        SAME_TEXT(plays[i].game);
        SAME(plays[i].version);
    }
}

void assert_same_request(const struct request *a, const struct request *b)
{
    SAME(kind);
    SAME_ID(id);
    SAME_ID(from);
    if (a->kind == REQ_HEARTBEAT) same_member(&a->self, &b->self);
    SAME_TEXT(game);
    SAME(is_public);
    SAME(quick);
    SAME(expected);
    SAME(option_count);
    for (int i = 0; i < a->option_count; i++) {
        SAME_TEXT(options[i].key);
        SAME(options[i].value);
    }
    SAME_TEXT(code);
    SAME(room);
    SAME(stale_epoch);
    SAME_ID(ticket);
    SAME(room_count);
    for (int i = 0; i < a->room_count; i++) {
        SAME(rooms[i].room);
        SAME(rooms[i].epoch);
        SAME_TEXT(rooms[i].rules.game);
        if (a->rooms[i].rules.game && *a->rooms[i].rules.game) SAME(rooms[i].rules.version);
    }
    SAME_ID(order.to);
    SAME(order.number);
    assert_memory_equal(a->order.proof, b->order.proof, sizeof a->order.proof);
    SAME(order.after);
    SAME(order.seat);
    SAME(order.reveal);
}

static void same_line(const struct room_line *a, const struct room_line *b)
{
    SAME(room);
    SAME_TEXT(code);
    SAME_TEXT(game);
    SAME(phase);
    SAME(seated);
    SAME(seats);
    SAME(connected);
    SAME(watchers);
    SAME(epoch);
    SAME(position);
    SAME(unconfirmed);
    SAME(age_ms);
    SAME(games);
}

static void same_shown(const struct room_shown *a, const struct room_shown *b)
{
    same_line(&a->line, &b->line);
    SAME(rules_version);
    SAME(confirmed);
    SAME(due);
    SAME(due_in_ms);
    SAME_BYTES(room_view);
    SAME_BYTES(presence);
    SAME_BYTES(game);
    SAME(private_count);
    for (int i = 0; i < a->private_count; i++) {
        SAME(privates[i].seat);
        SAME_BYTES(privates[i].mine);
    }
}

static void same_load(const struct worker_load *a, const struct worker_load *b)
{
    SAME(rooms);
    SAME(live);
    SAME(unconfirmed);
    SAME(held);
    SAME(people);
    SAME(watchers);
    SAME(oldest_ms);
    SAME(shards);
    SAME(shards_up);
    SAME(backlog_bytes);
    SAME(draining);
}

static void same_reply_lists(const struct reply *a, const struct reply *b)
{
    SAME(member_count);
    for (int i = 0; i < a->member_count; i++) same_member(&a->members[i], &b->members[i]);
    SAME(public_count);
    for (int i = 0; i < a->public_count; i++) {
        SAME_TEXT(publics[i].code);
        SAME_TEXT(publics[i].game);
        SAME_TEXT(publics[i].host);
        SAME(publics[i].seated);
        SAME(publics[i].seats);
    }
    SAME(adopted_count);
    for (int i = 0; i < a->adopted_count; i++) {
        SAME(adopted[i].room);
        SAME(adopted[i].status);
        SAME(adopted[i].epoch);
    }
}

void assert_same_reply(const struct reply *a, const struct reply *b)
{
    SAME(kind);
    SAME_ID(id);
    SAME(status);
    SAME(reason);
    SAME(pending);
    SAME(placed.room);
    SAME_TEXT(placed.code);
    SAME_ID(placed.owner);
    SAME_TEXT(placed.owner_url);
    SAME(placed.epoch);
    SAME_TEXT(found.game);
    SAME(found.seated);
    SAME(found.seats);
    SAME(found.playing);
    SAME(waiting);
    SAME(needed);
    SAME(left_ms);
    SAME(rooms);
    same_reply_lists(a, b);
    SAME(fault);
    SAME(more);
    same_load(&a->load, &b->load);
    assert_true((a->shown == NULL) == (b->shown == NULL));
    if (a->shown) same_shown(a->shown, b->shown);
    SAME(line_count);
    for (int i = 0; i < a->line_count; i++) same_line(&a->lines[i], &b->lines[i]);
}
