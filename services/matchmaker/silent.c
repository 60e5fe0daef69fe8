/* SPDX-License-Identifier: Apache-2.0
 *
 * Owners that died unseen. Whoever sees a worker die sweeps its rooms, but all matchmakers may have
 * died with it, or had no sweep to spare; then the store alone knows that somebody has rooms and
 * renews no lease. So each matchmaker asks it now and then. What it says is old when it arrives:
 * who is heard of here is alive, and after a pause of ours nobody is dead before we have listened
 * for a lease.
 */
#include "matchmaker/matchmaker_state.h"

enum { SILENT_PAGE = 64 };

/* Each at moments of its own: who asks alone sweeps alone. */
static instant_ms next_ask(struct matchmaker_core *core)
{
    struct id128 drawn = draw_id(core);
    instant_ms by = drawn.byte[0] | (instant_ms)drawn.byte[1] << 8;
    return core->now + MATCHMAKER_SILENT_EVERY_MS / 2 + by % MATCHMAKER_SILENT_EVERY_MS;
}

void silent_tick(struct matchmaker_core *core)
{
    for (int s = 0; s < core->config.shard_count; s++) {
        struct shard_view *shard = &core->shards[s];
        if (shard->silent_at == 0) shard->silent_at = next_ask(core);
        if (shard->down || core->now < shard->silent_at || MUTANT(silent_owner_keeps_rooms))
            continue;
        struct store_op *op;
        struct pending *asked = ask_store(core, PENDING_SILENT, &op, STORE_SILENT);
        if (!asked) return;
        asked->shard = op->shard = s;
        op->silent_ms = MATCHMAKER_SILENT_MS;
        op->cursor = shard->silent_skip;
        op->limit = SILENT_PAGE;
        shard->silent_at = INSTANT_NEVER; /* until it is answered */
    }
}

void silent_on_owners(struct matchmaker_core *core, const struct pending *asked,
                      const struct store_reply *reply)
{
    struct shard_view *shard = &core->shards[asked->shard];
    shard->silent_at = next_ask(core);
    if (reply->status != ST_OK) return;
    for (int i = 0; i < reply->owner_count; i++)
        if (member_state(core, reply->owners[i]) == OWNER_DEAD &&
            sweep_start(core, reply->owners[i], false))
            note(core, "owner.silent", (uint64_t)asked->shard, 0);
    /* Those whose rooms nobody can play yet stay silent, and may not stand before the others. */
    bool more = reply->owner_count == SILENT_PAGE;
    shard->silent_skip = more ? shard->silent_skip + SILENT_PAGE : 0;
}
