/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules 10 to 12 on what a player does: it is logged under the generation that holds the seat, and
 * for the version on the table where it is bound to one; and whoever is told of it later hears what
 * became of it then, however often it is asked.
 */
#include "room/state.h"
#include "sim/checks.h"
#include "sim/player.h"
#include "wire/reason.h"

void check_action(struct world *world, struct shadow *shadow, const struct room_entry *entry)
{
    const struct room_input *input = &entry->input;
    const struct room *room = shadow->room;
    bool command = input->kind == ROOM_COMMAND && input->seat >= 0;
    const struct room_seat *seat = room_seat_at(room, input->seat);
    shadow->acted = (struct shadow_acted){.any = false};
    if (!seat || (input->kind != ROOM_ACT && !command)) return; /* the replay tells */
    shadow->acted = (struct shadow_acted){true, seat->player, input->generation, input->counter};
    if (input->generation != seat->generation)
        world_fail(world, "room %llx: entry %llu is of generation %u of seat %d, which %u holds",
                   (unsigned long long)shadow->id, (unsigned long long)entry->position,
                   input->generation, input->seat, seat->generation);
    if (input->kind != ROOM_ACT || input->made_for == room_game_version(room)) return;
    if (room_game(room)->bound(input->bytes))
        world_fail(world, "room %llx: entry %llu was made for version %llu, the game is at %llu",
                   (unsigned long long)shadow->id, (unsigned long long)entry->position,
                   (unsigned long long)input->made_for,
                   (unsigned long long)room_game_version(room));
}

static struct player_outcome *outcome_of(struct player *player, uint64_t counter)
{
    return &player->outcomes[counter % ROOM_OUTCOMES_MAX];
}

void check_action_after(struct world *world, struct shadow *shadow)
{
    const struct shadow_acted *acted = &shadow->acted;
    for (int i = 0; acted->any && i < world->player_count; i++) {
        struct player *player = &world->players[i];
        if (!id128_equal(player->id, acted->player)) continue;
        *outcome_of(player, acted->counter) =
            (struct player_outcome){shadow->id, acted->generation, acted->counter,
                                    room_seq(shadow->room)};
    }
    shadow->acted.any = false;
}

/* What says nothing of the action itself. */
static bool says_nothing(const struct refusal *why)
{
    if (why->domain && *why->domain) return false;
    return why->code == REASON_BUSY || why->code == REASON_OTHER_WINDOW ||
           why->code == REASON_ALREADY_HANDLED;
}

void check_outcome(struct world *world, struct player *player, const struct server_answer *answer)
{
    const struct player_outcome *then = outcome_of(player, answer->counter);
    if (player->lossy || then->room != player->room || then->counter != answer->counter ||
        then->generation != answer->generation)
        return;
    if (answer->ok && answer->seq != then->seq)
        world_fail(world, "%s: action %llu is told to be of version %llu, it is of %llu",
                   player->name, (unsigned long long)answer->counter,
                   (unsigned long long)answer->seq, (unsigned long long)then->seq);
    if (!answer->ok && answer->counter <= player->acked && !says_nothing(&answer->why))
        world_fail(world, "%s: action %llu is refused with %u, it was accepted", player->name,
                   (unsigned long long)answer->counter, answer->why.code);
}
