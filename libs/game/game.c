/* SPDX-License-Identifier: Apache-2.0 */
#include "game/game.h"

#include "base/check.h"
#include "base/hash.h"

void game_events_clear(struct game_events *events)
{
    events->count = 0;
    events->hidden = false;
    buf_clear(&events->bytes);
}

void game_events_fini(struct game_events *events)
{
    events->count = 0;
    buf_fini(&events->bytes);
}

/* Only offsets are kept here: the buffer may move while it grows. */
void game_events_add(struct game_events *events, struct slice shared, int seat, struct slice mine)
{
    CHECK(events->count < GAME_EVENTS_MAX);
    CHECK(mine.len == 0 || (seat >= 0 && seat < GAME_SEATS_MAX));
    int i = events->count++;
    events->span[i].shared_from = events->bytes.len;
    events->span[i].shared_len = shared.len;
    buf_put_slice(&events->bytes, shared);
    events->span[i].mine_from = events->bytes.len;
    events->span[i].mine_len = mine.len;
    buf_put_slice(&events->bytes, mine);
    events->list[i] = (struct game_event){.seat = mine.len ? seat : -1};
}

static struct slice part(const struct game_events *events, size_t from, size_t len)
{
    return len ? slice_of(events->bytes.at + from, len) : (struct slice){0};
}

void game_events_seal(struct game_events *events)
{
    for (int i = 0; i < events->count; i++) {
        struct game_event *event = &events->list[i];
        event->shared = part(events, events->span[i].shared_from, events->span[i].shared_len);
        event->mine = part(events, events->span[i].mine_from, events->span[i].mine_len);
    }
}

struct id128 game_hash(const struct game *game, const void *state)
{
    struct buf bytes = {0};
    game->encode(state, &bytes);
    struct id128 hash = hash_128(buf_slice(&bytes));
    buf_fini(&bytes);
    return hash;
}
