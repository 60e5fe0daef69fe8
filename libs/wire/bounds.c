/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/bounds.h"

static bool text_fits(const char *text, size_t bytes_max)
{
    return text == NULL || strnlen(text, bytes_max + 1) <= bytes_max;
}

static bool name_fits(const char *text)
{
    return text_fits(text, WIRE_NAME_BYTES_MAX);
}

static bool url_fits(const char *text)
{
    return text_fits(text, WIRE_URL_BYTES_MAX);
}

/* A code is whole or absent. */
static bool code_whole(const char *code)
{
    return code == NULL || code[0] == '\0' || strnlen(code, WIRE_CODE_LEN + 1) == WIRE_CODE_LEN;
}

static bool section_fits(struct slice bytes)
{
    return bytes.len <= WIRE_SECTION_BYTES_MAX;
}

static bool count_fits(int count, int max)
{
    return count >= 0 && count <= max;
}

static bool within(int value, int first, int last)
{
    return value >= first && value <= last;
}

static enum status check(bool fits)
{
    return fits ? ST_OK : ST_TOO_LARGE;
}

static enum status check_value(bool valid)
{
    return valid ? ST_OK : ST_INVALID;
}

static enum status check_refusal(const struct refusal *why)
{
    return check(name_fits(why->domain) && count_fits(why->param_count, WIRE_PARAMS_MAX));
}

static enum status check_attach(const struct env_attach *attach)
{
    if (!within((int)attach->intent, ATTACH_SEAT, ATTACH_WATCH)) return ST_INVALID;
    return check(name_fits(attach->name));
}

static enum status check_event(const struct update_event *event)
{
    return check(section_fits(event->shared) && section_fits(event->mine) &&
                 section_fits(event->room));
}

static enum status check_update(const struct env_update *update)
{
    if (update->sections & ~(uint32_t)SECTION_ALL) return ST_INVALID;
    if (!count_fits(update->private_count, WIRE_PRIVATES_MAX)) return ST_TOO_LARGE;
    if (!count_fits(update->event_count, WIRE_EVENTS_MAX)) return ST_TOO_LARGE;
    if (!section_fits(update->room_view) || !section_fits(update->presence) ||
        !section_fits(update->game))
        return ST_TOO_LARGE;
    for (int i = 0; i < update->private_count; i++)
        if (!section_fits(update->privates[i].mine)) return ST_TOO_LARGE;
    for (int i = 0; i < update->event_count; i++) {
        if (i > 0 && update->events[i].seq < update->events[i - 1].seq) return ST_INVALID;
        enum status status = check_event(&update->events[i]);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

enum status bounds_envelope(const struct envelope *envelope)
{
    switch (envelope->kind) {
    case ENV_ATTACH: return check_attach(&envelope->u.attach);
    case ENV_ACT: return check(envelope->u.act.bytes.len <= WIRE_ACTION_BYTES_MAX);
    case ENV_ATTACHED: return check_value(code_whole(envelope->u.attached.code));
    case ENV_ATTACH_REFUSED: return check_refusal(&envelope->u.attach_refused.why);
    case ENV_UPDATE: return check_update(&envelope->u.update);
    case ENV_ANSWER: return check_refusal(&envelope->u.answer.why);
    case ENV_DROPPED:
        return check_value(
            within((int)envelope->u.dropped.why, DROPPED_OTHER_WINDOW, DROPPED_LEFT));
    case ENV_MOVED: return check(url_fits(envelope->u.moved.to_url));
    case ENV_DETACH:
    case ENV_LEAVE:
    case ENV_RESYNC:
    case ENV_RTT:
    case ENV_PAUSED:
    case ENV_HINT:
    case ENV_FIRE:
    case ENV_FIRE_ANSWER: return ST_OK;
    }
    return ST_INVALID;
}

enum status bounds_batch_head(const struct batch *batch)
{
    return check(url_fits(batch->from_url) && count_fits(batch->count, WIRE_BATCH_ENVELOPES_MAX));
}

static bool rules_fit(struct rules rules)
{
    return text_fits(rules.game, WIRE_GAME_BYTES_MAX);
}

static enum status check_member(const struct member *member)
{
    if (!within((int)member->kind, SERVICE_GATEWAY, SERVICE_TIMER)) return ST_INVALID;
    if (!count_fits(member->play_count, WIRE_PLAYS_MAX)) return ST_TOO_LARGE;
    for (int i = 0; i < member->play_count; i++)
        if (!rules_fit(member->plays[i])) return ST_TOO_LARGE;
    return check(url_fits(member->inbox_url) && url_fits(member->control_url) &&
                 name_fits(member->build));
}

static bool request_kind_known(enum request_kind kind)
{
    return within((int)kind, REQ_HEARTBEAT, REQ_WORKER_CLOSE);
}

enum status bounds_request(const struct request *request)
{
    if (!request_kind_known(request->kind)) return ST_INVALID;
    if (request->kind == REQ_HEARTBEAT) {
        enum status status = check_member(&request->self);
        if (status != ST_OK) return status;
    }
    if (!count_fits(request->option_count, WIRE_OPTIONS_MAX)) return ST_TOO_LARGE;
    if (!count_fits(request->room_count, WIRE_ROOMS_MAX)) return ST_TOO_LARGE;
    for (int i = 0; i < request->option_count; i++)
        if (!name_fits(request->options[i].key)) return ST_TOO_LARGE;
    for (int i = 0; i < request->room_count; i++)
        if (!rules_fit(request->rooms[i].rules)) return ST_TOO_LARGE;
    if (!name_fits(request->game)) return ST_TOO_LARGE;
    return check_value(code_whole(request->code));
}

static enum status check_public(const struct public_room *room)
{
    if (!name_fits(room->game) || !name_fits(room->host)) return ST_TOO_LARGE;
    return check_value(code_whole(room->code));
}

static enum status check_line(const struct room_line *line)
{
    if (!name_fits(line->game)) return ST_TOO_LARGE;
    return check_value(code_whole(line->code));
}

static enum status check_shown(const struct room_shown *shown)
{
    bool fits = count_fits(shown->private_count, WIRE_PRIVATES_MAX) &&
                section_fits(shown->room_view) && section_fits(shown->presence) &&
                section_fits(shown->game);
    for (int i = 0; fits && i < shown->private_count; i++)
        fits = section_fits(shown->privates[i].mine);
    return fits ? check_line(&shown->line) : ST_TOO_LARGE;
}

static enum status check_operate(const struct reply *reply)
{
    if (!within((int)reply->fault, ORDER_FINE, ORDER_ALONE)) return ST_INVALID;
    if (!count_fits(reply->line_count, WIRE_LINES_MAX)) return ST_TOO_LARGE;
    enum status status = reply->shown ? check_shown(reply->shown) : ST_OK;
    for (int i = 0; i < reply->line_count && status == ST_OK; i++)
        status = check_line(&reply->lines[i]);
    return status;
}

enum status bounds_reply(const struct reply *reply)
{
    enum status status = ST_OK;
    if (!request_kind_known(reply->kind) || !within((int)reply->status, ST_OK, ST_MISMATCH))
        return ST_INVALID;
    if (!count_fits(reply->member_count, WIRE_MEMBERS_MAX) ||
        !count_fits(reply->public_count, WIRE_PUBLIC_MAX) ||
        !count_fits(reply->adopted_count, WIRE_ROOMS_MAX))
        return ST_TOO_LARGE;
    for (int i = 0; i < reply->member_count && status == ST_OK; i++)
        status = check_member(&reply->members[i]);
    for (int i = 0; i < reply->public_count && status == ST_OK; i++)
        status = check_public(&reply->publics[i]);
    for (int i = 0; i < reply->adopted_count && status == ST_OK; i++)
        if (!within((int)reply->adopted[i].status, ST_OK, ST_MISMATCH)) status = ST_INVALID;
    if (status == ST_OK) status = check_operate(reply);
    if (status != ST_OK) return status;
    if (!url_fits(reply->placed.owner_url) || !name_fits(reply->found.game)) return ST_TOO_LARGE;
    return check_value(code_whole(reply->placed.code));
}
