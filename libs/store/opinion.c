/* SPDX-License-Identifier: Apache-2.0 */
#include "store/opinion.h"

#include <stdlib.h>

/* The decimal number that a reply's text is; false for anything else. */
static bool read_digits(const redisReply *reply, uint64_t max, uint64_t *out)
{
    if (reply->type != REDIS_REPLY_STRING || reply->len == 0 || reply->len > 19) return false;
    for (size_t i = 0; i < reply->len; i++)
        if (reply->str[i] < '0' || reply->str[i] > '9') return false;
    *out = strtoull(reply->str, NULL, 10);
    return *out <= max;
}

bool opinion_read_address(const redisReply *reply, struct opinion *out)
{
    uint64_t port;
    *out = (struct opinion){0};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2) return false;
    const redisReply *host = reply->element[0];
    if (!read_digits(reply->element[1], 65535, &port) || port == 0) return false;
    if (host->type != REDIS_REPLY_STRING || host->len == 0 || host->len >= sizeof out->at.host ||
        strlen(host->str) != host->len)
        return false;
    memcpy(out->at.host, host->str, host->len + 1);
    out->at.port = (int)port;
    return true;
}

bool opinion_read_epoch(const redisReply *reply, struct opinion *out)
{
    if (reply->type == REDIS_REPLY_ARRAY) {
        for (size_t i = 0; i + 1 < reply->elements; i += 2) {
            const redisReply *field = reply->element[i];
            if (field->type != REDIS_REPLY_STRING || strcmp(field->str, "config-epoch") != 0)
                continue;
            if (read_digits(reply->element[i + 1], INT64_MAX, &out->epoch)) return true;
        }
    }
    *out = (struct opinion){0};
    return false;
}

bool opinion_same_address(const struct store_address *a, const struct store_address *b)
{
    return a->port == b->port && strcmp(a->host, b->host) == 0;
}

static int named_by(const struct opinion *list, int count, const struct store_address *at)
{
    int named = 0;
    for (int i = 0; i < count; i++) named += opinion_same_address(&list[i].at, at);
    return named;
}

bool opinion_of_most(const struct opinion *list, int count, const struct store_address *at)
{
    return 2 * named_by(list, count, at) > count;
}

int opinion_choose(const struct opinion *list, const bool *doubted, int count, uint64_t known,
                   const char **why)
{
    int best = -1, best_named = 0;
    for (int i = 0; i < count; i++) {
        if (!list[i].at.host[0] || doubted[i]) continue;
        if (best >= 0 && list[i].epoch < list[best].epoch) continue;
        int named = named_by(list, count, &list[i].at);
        if (best >= 0 && list[i].epoch == list[best].epoch && named <= best_named) continue;
        best = i;
        best_named = named;
    }
    if (best < 0) {
        *why = "no Sentinel names a primary";
    } else if (list[best].epoch < known && !opinion_of_most(list, count, &list[best].at)) {
        *why = "the Sentinels that answer have an older configuration than was in use";
        best = -1;
    }
    return best;
}
