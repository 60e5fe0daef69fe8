/* SPDX-License-Identifier: Apache-2.0
 *
 * The other timers, as processes: a pipe to each is watched, so that the death of one is known
 * within milliseconds, and its share of the rooms is the others' at once. Whoever freezes or is cut
 * off keeps its share until the matchmakers call it silent; till then it is covered.
 */
#include "base/check.h"
#include "timer/timer_state.h"

static struct twin *find(struct timer_core *core, struct id128 instance)
{
    for (int i = 0; i < core->twin_count; i++)
        if (id128_equal(core->twins[i].instance, instance)) return &core->twins[i];
    return NULL;
}

static void watch(struct timer_core *core, const struct twin *twin, enum effect_kind what)
{
    struct effect *effect = effects_add(core->out, what);
    effect->peer = twin->instance;
    effect->url = arena_text(&core->out->arena, twin->url);
}

static void meet(struct timer_core *core, const struct member *member)
{
    size_t len = member->inbox_url ? strlen(member->inbox_url) : 0;
    if (len == 0 || len > WIRE_URL_BYTES_MAX || core->twin_count == TIMER_PEERS_MAX) return;
    struct twin *twin = &core->twins[core->twin_count++];
    *twin = (struct twin){.instance = member->instance, .gone_at = INSTANT_NEVER};
    memcpy(twin->url, member->inbox_url, len + 1);
    watch(core, twin, EFFECT_WATCH);
}

void twins_hear(struct timer_core *core, const struct member *member)
{
    if (id128_equal(member->instance, core->config.instance)) return;
    struct twin *twin = find(core, member->instance);
    if (twin == NULL) {
        meet(core, member);
        return;
    }
    /* Heard long after its port had refused us: it lives, and listens again. */
    if (twin->gone_at == INSTANT_NEVER) return;
    if (core->now < twin->gone_at + member->silent_ms + TIMER_SILENT_MS) return;
    twin->gone_at = INSTANT_NEVER;
    watch(core, twin, EFFECT_WATCH);
}

bool twins_gone(struct timer_core *core, struct id128 instance)
{
    const struct twin *twin = find(core, instance);
    return twin && twin->gone_at != INSTANT_NEVER;
}

bool twins_on_gone(struct timer_core *core, const char *url)
{
    bool news = false;
    if (MUTANT(fire_lost_with_timer)) return false;
    for (int i = 0; i < core->twin_count; i++) {
        struct twin *twin = &core->twins[i];
        if (twin->gone_at != INSTANT_NEVER || strcmp(twin->url, url) != 0) continue;
        twin->gone_at = core->now;
        news = true;
    }
    return news;
}

static bool watched_for_another(const struct timer_core *core, int index)
{
    for (int i = 0; i < core->twin_count; i++)
        if (i != index && strcmp(core->twins[i].url, core->twins[index].url) == 0) return true;
    return false;
}

void twins_forget(struct timer_core *core, bool (*listed)(const struct timer_core *, struct id128))
{
    for (int i = core->twin_count - 1; i >= 0; i--) {
        if (listed(core, core->twins[i].instance)) continue;
        /* A process that was started again may have the address of the one before. */
        if (!watched_for_another(core, i)) watch(core, &core->twins[i], EFFECT_UNWATCH);
        core->twins[i] = core->twins[--core->twin_count];
    }
}
