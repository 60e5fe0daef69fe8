/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rules this worker can play, and by which a game starts (rule 9). While old and new binaries
 * run side by side a game starts by the newest rules that every worker here can play, so that any
 * of them may take the room over; where there are none such, by the newest of our own.
 */
#include "worker/parts.h"

_Static_assert(WIRE_PLAYS_MAX <= 32, "a bit for each in known_member.able");

void rules_init(struct worker_core *core)
{
    core->common = UINT32_MAX;
    if (core->config.play_count > 0) {
        CHECK(core->config.play_count <= WIRE_PLAYS_MAX);
        core->play_count = core->config.play_count;
        for (int i = 0; i < core->play_count; i++) core->plays[i] = core->config.plays[i];
        return;
    }
    for (int i = 0; i < game_count(); i++)
        for (const struct game *game = game_at(i); game; game = game->previous) {
            CHECK(core->play_count < WIRE_PLAYS_MAX && strlen(game->id) <= WIRE_GAME_BYTES_MAX);
            core->plays[core->play_count++] = (struct rules){game->id, game->rules_version};
        }
}

static int index_of(const struct worker_core *core, struct rules rules)
{
    for (int i = 0; i < core->play_count; i++)
        if (core->plays[i].version == rules.version && strcmp(core->plays[i].game, rules.game) == 0)
            return i;
    return -1;
}

bool rules_playable(const struct worker_core *core, struct rules rules)
{
    bool told = rules.game && rules.game[0] && rules.version;
    if (!told) return true;
    return index_of(core, rules) >= 0;
}

struct rules rules_of_room(const struct room *room)
{
    return (struct rules){room_game(room)->id, room_game(room)->rules_version};
}

uint32_t rules_able(const struct worker_core *core, const struct member *member)
{
    uint32_t able = 0;
    for (int i = 0; i < core->play_count; i++)
        if (member_plays(member, core->plays[i])) able |= 1u << i;
    return able;
}

bool rules_able_to(const struct worker_core *core, uint32_t able, struct rules rules)
{
    int at = index_of(core, rules);
    return at >= 0 && (able >> at & 1);
}

uint32_t rules_for_start(const struct worker_core *core, const char *game)
{
    uint32_t own = 0, common = 0;
    for (int i = 0; i < core->play_count; i++) {
        if (strcmp(core->plays[i].game, game) != 0) continue;
        uint32_t version = core->plays[i].version;
        if (version > own) own = version;
        if (version > common && (core->common >> i & 1)) common = version;
    }
    return common ? common : own;
}
