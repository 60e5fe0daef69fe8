/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/step.h"

#include "base/check.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    FIRST_ROOM = 16,
    KEPT_MAX = 1024,        /* effects are large: a step that made more gives the memory back */
    EFFECTS_MAX = 64 << 10, /* a core that makes more in one step has lost its own bounds */
};

void effects_fini(struct effects *effects)
{
    free(effects->list);
    arena_fini(&effects->arena);
    *effects = (struct effects){0};
}

void effects_reset(struct effects *effects)
{
    effects->count = 0;
    if (effects->room > KEPT_MAX) {
        free(effects->list);
        effects->list = NULL;
        effects->room = 0;
    }
    arena_reset(&effects->arena);
}

/* Of an effect of that kind: a step may make hundreds, so what is not there is not zeroed. */
static size_t size_of(enum effect_kind kind)
{
    size_t head = offsetof(struct effect, envelope);
    switch (kind) {
    case EFFECT_SEND: return head + sizeof(struct envelope);
    case EFFECT_REQUEST: return head + sizeof(struct request);
    case EFFECT_REPLY: return head + sizeof(struct reply);
    case EFFECT_STORE: return head + sizeof(struct store_op);
    default: return head;
    }
}

struct effect *effects_add(struct effects *effects, enum effect_kind kind)
{
    CHECK(effects->count < EFFECTS_MAX);
    if (effects->count == effects->room) {
        size_t room = effects->room ? 2 * effects->room : FIRST_ROOM;
        struct effect *list = realloc(effects->list, room * sizeof *list);
        CHECK(list != NULL);
        effects->list = list;
        effects->room = room;
    }
    struct effect *effect = &effects->list[effects->count++];
    memset(effect, 0, size_of(kind));
    effect->kind = kind;
    return effect;
}
