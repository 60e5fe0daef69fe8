/* SPDX-License-Identifier: Apache-2.0
 *
 * Which worker is given a room: rendezvous hashing among those that can take it, weighted by the
 * part of its places that each has left, so that matchmakers that know the same choose the same.
 * Chance alone would leave the fullest of a thousand workers a third above the mean, with a hundred
 * rooms each; so whoever has more than its share gets none until the others have caught up.
 */
#include "base/hash.h"
#include "matchmaker/matchmaker_state.h"
#include "wire/reason.h"

/* Above the mean, of rooms for each place. And one room: fewer rooms than workers are no matter. */
static const double SHARE_MOST = 1.05;

/* As it told, and what it was given here since. Other matchmakers give it rooms too, and it tells
 * soon. */
static uint32_t load_of(const struct known_member *member)
{
    return member->is.rooms + member->given;
}

static bool takes(const struct known_member *member)
{
    return !member->dead && !member->is.draining && load_of(member) < member->is.rooms_max;
}

/* The lower, the likelier it takes the room now. Of workers that die together some are known to be
 * dead a heartbeat before others: their rooms are not to go to those. */
static int doubt(const struct matchmaker_core *core, const struct known_member *member,
                 room_id room, struct id128 failed)
{
    const struct member *is = &member->is;
    return 4 * member_late(core, member) + 2 * room_shard_in(is->shards_away, room) +
           id128_equal(is->instance, failed);
}

struct candidates {
    struct known_member *list[WIRE_MEMBERS_MAX];
    int count;
    uint64_t rooms, places; /* of all of them */
};

/* Those that can take the room, the likeliest of them alone. */
static void find_candidates(const struct matchmaker_core *core, room_id room, struct rules rules,
                            struct id128 failed, struct candidates *out)
{
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    const struct known_plays *looked_at = NULL; /* workers of one build share it */
    bool able = false;
    int least = 0;
    out->count = 0;
    out->rooms = out->places = 0;
    for (int i = 0; i < workers->count; i++) {
        struct known_member *member = workers->list[i];
        if (!takes(member)) continue;
        if (member->plays != looked_at) able = member_plays(&member->is, rules);
        looked_at = member->plays;
        if (!able) continue;
        int its = doubt(core, member, room, failed);
        if (out->count > 0 && its > least) continue;
        if (its < least) { /* better than those so far */
            out->count = 0;
            out->rooms = out->places = 0;
        }
        least = its;
        out->list[out->count++] = member;
        out->rooms += load_of(member);
        out->places += member->is.rooms_max;
    }
}

struct known_member *member_pick(const struct matchmaker_core *core, room_id room,
                                 struct rules rules, struct id128 failed)
{
    struct candidates among;
    struct id128 ids[WIRE_MEMBERS_MAX];
    double weights[WIRE_MEMBERS_MAX];
    find_candidates(core, room, rules, failed, &among);
    if (among.count == 0) return NULL;
    double share = SHARE_MOST * (double)among.rooms / (double)among.places;
    for (int i = 0; i < among.count; i++) {
        const struct known_member *member = among.list[i];
        double load = load_of(member), places = member->is.rooms_max;
        ids[i] = member->is.instance;
        weights[i] = load > share * places + 1 ? 0 : 1 - load / places;
    }
    return among.list[rendezvous_pick(room, ids, weights, among.count)];
}

/* Workers that are there and full are one thing, workers that play by other rules another; that
 * none is there, or that all of them leave, is a moment's: a start, a fall, a restart of all. */
uint32_t member_none(const struct matchmaker_core *core, struct rules rules)
{
    const struct member_set *workers = &core->of_kind[SERVICE_WORKER];
    uint32_t reason = REASON_BUSY;
    for (int i = 0; i < workers->count; i++) {
        const struct known_member *member = workers->list[i];
        if (member->dead || member->is.draining) continue;
        if (member_plays(&member->is, rules)) return REASON_NO_CAPACITY;
        reason = REASON_NO_RULES;
    }
    return reason;
}

bool member_mine(const struct matchmaker_core *core, room_id room)
{
    const struct member_set *others = &core->of_kind[SERVICE_MATCHMAKER];
    struct id128 ids[WIRE_MEMBERS_MAX + 1];
    int count = 0;
    ids[count++] = core->config.instance;
    for (int i = 0; i < others->count; i++)
        if (!others->list[i]->dead) ids[count++] = others->list[i]->is.instance;
    return rendezvous_pick(room, ids, NULL, count) == 0;
}
