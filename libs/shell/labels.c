/* SPDX-License-Identifier: Apache-2.0 */
#include "game/registry.h"
#include "shell/shell.h"
#include "wire/reason.h"

#include <ctype.h>
#include <stdio.h>

static int label(struct metrics *metrics, enum metric metric, const char *name, const char *value)
{
    char labels[METRICS_LABELS_BYTES_MAX + 1];
    size_t len = (size_t)snprintf(labels, sizeof labels, "%s=\"%s\"", name, value);
    for (size_t i = 0; i < len && i < sizeof labels; i++)
        labels[i] = (char)tolower((unsigned char)labels[i]);
    return metrics_label(metrics, metric, labels);
}

int shell_label_games(struct metrics *metrics, enum metric metric)
{
    int last = 0;
    for (int i = 0; i < game_count(); i++) last = label(metrics, metric, "game", game_at(i)->id);
    return last + 1 - game_count();
}

int shell_label_reasons(struct metrics *metrics, enum metric metric)
{
    int first = label(metrics, metric, "reason", "rules_of_the_game");
#define X(name, number) label(metrics, metric, "reason", #name);
    REASON_LIST(X)
#undef X
    return first;
}

void shell_tell_games(struct metrics *metrics, int first, const uint64_t *by_game)
{
    for (int i = 0; i < game_count(); i++) metrics_set_labelled(metrics, first + i, by_game[i]);
}

void shell_tell_reasons(struct metrics *metrics, int first, const uint64_t *by_reason)
{
    for (int i = 0; i < REASON_COUNT; i++) metrics_set_labelled(metrics, first + i, by_reason[i]);
}
