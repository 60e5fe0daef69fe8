/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker says it can play, held against what a room is played by.
 */
#include "wire/cluster.h"

#include <string.h>

bool member_plays(const struct member *member, struct rules rules)
{
    if (member->play_count == 0 || rules.game == NULL || rules.game[0] == '\0') return true;
    for (int i = 0; i < member->play_count; i++) {
        const struct rules *one = &member->plays[i];
        if (rules.version != 0 && one->version != rules.version) continue;
        if (strcmp(one->game, rules.game) == 0) return true;
    }
    return false;
}
