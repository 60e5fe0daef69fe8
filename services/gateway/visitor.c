/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway/visitor.h"

#include "gateway/calls.h"

#include <arpa/inet.h>
#include <stdlib.h>

enum { V4_AT = 12, V4_BITS_BEFORE = 96, CUSTOMER_BYTES = 8 };

static const uint8_t v4_prefix[V4_AT] = {[10] = 0xff, [11] = 0xff};

static bool is_v4(const struct ip *ip)
{
    return memcmp(ip->byte, v4_prefix, V4_AT) == 0;
}

/* ---- one address ----------------------------------------------------------------------------- */

static struct slice trim(struct slice text)
{
    while (text.len && (text.at[0] == ' ' || text.at[0] == '\t'))
        text = slice_of(text.at + 1, text.len - 1);
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t')) text.len--;
    return text;
}

static bool read_bare(struct slice text, struct ip *out)
{
    char copy[IP_TEXT_BYTES];
    if (text.len == 0 || text.len >= sizeof copy || memchr(text.at, 0, text.len)) return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    memcpy(out->byte, v4_prefix, V4_AT);
    if (inet_pton(AF_INET, copy, out->byte + V4_AT) == 1) return true;
    return inet_pton(AF_INET6, copy, out->byte) == 1;
}

bool ip_read(struct slice text, struct ip *out)
{
    *out = (struct ip){0};
    text = trim(text);
    if (text.len && text.at[0] == '[') {
        const uint8_t *end = memchr(text.at, ']', text.len);
        return end && read_bare(slice_of(text.at + 1, (size_t)(end - text.at) - 1), out);
    }
    /* One colon alone parts an IPv4 address from a port. */
    const uint8_t *colon = text.len ? memchr(text.at, ':', text.len) : NULL;
    size_t before = colon ? (size_t)(colon - text.at) : text.len;
    if (colon && !memchr(colon + 1, ':', text.len - before - 1)) text.len = before;
    return read_bare(text, out);
}

struct ip ip_customer(struct ip ip)
{
    if (!is_v4(&ip)) memset(ip.byte + CUSTOMER_BYTES, 0, sizeof ip.byte - CUSTOMER_BYTES);
    return ip;
}

void ip_write(const struct ip *ip, char out[IP_TEXT_BYTES])
{
    bool v4 = is_v4(ip);
    const uint8_t *from = v4 ? ip->byte + V4_AT : ip->byte;
    CHECK(inet_ntop(v4 ? AF_INET : AF_INET6, from, out, IP_TEXT_BYTES) != NULL);
}

/* ---- networks -------------------------------------------------------------------------------- */

static bool read_network(struct slice text, struct networks *out)
{
    if (out->count == NETWORKS_MAX) return false;
    const uint8_t *slash = memchr(text.at, '/', text.len);
    struct slice bits = {0};
    if (slash) {
        bits = slice_of(slash + 1, text.len - (size_t)(slash - text.at) - 1);
        text.len = (size_t)(slash - text.at);
        if (bits.len == 0 || bits.len > 3) return false;
    }
    struct ip at;
    if (!read_bare(text, &at)) return false;
    int most = is_v4(&at) ? 32 : 128, wanted = slash ? 0 : most;
    for (size_t i = 0; i < bits.len; i++) {
        if (bits.at[i] < '0' || bits.at[i] > '9') return false;
        wanted = wanted * 10 + (bits.at[i] - '0');
    }
    if (wanted > most) return false;
    out->list[out->count].at = at;
    out->list[out->count++].bits = wanted + (is_v4(&at) ? V4_BITS_BEFORE : 0);
    return true;
}

bool networks_read(const char *text, struct networks *out)
{
    static const char between[] = ", \t\n";
    *out = (struct networks){0};
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        size_t len = strcspn(text, between);
        if (!read_network(slice_of(text, len), out)) return false;
        text += len;
    }
    return true;
}

static bool holds(const struct ip *at, int bits, const struct ip *ip)
{
    int whole = bits / 8, rest = bits % 8;
    if (memcmp(at->byte, ip->byte, (size_t)whole) != 0) return false;
    if (rest == 0) return true;
    return (at->byte[whole] ^ ip->byte[whole]) >> (8 - rest) == 0;
}

bool networks_hold(const struct networks *networks, struct ip ip)
{
    for (int i = 0; i < networks->count; i++)
        if (holds(&networks->list[i].at, networks->list[i].bits, &ip)) return true;
    return false;
}

struct ip visitor_behind(struct ip peer, const struct networks *proxies, const char *forwarded)
{
    struct ip known = peer;
    size_t end = strlen(forwarded);
    while ((networks_hold(proxies, known) || MUTANT(address_by_anybody)) && end > 0) {
        const char *comma = memrchr(forwarded, ',', end);
        size_t begin = comma ? (size_t)(comma - forwarded) + 1 : 0;
        struct ip next;
        if (!ip_read(slice_of(forwarded + begin, end - begin), &next)) break;
        known = next;
        end = comma ? begin - 1 : 0;
    }
    return known;
}

/* ---- knocks ---------------------------------------------------------------------------------- */

enum { PLACES = 1 << 16 };

struct knocks {
    uint32_t per_s;
    uint64_t refused;
    uint8_t salt[16];
    struct bucket places[PLACES];
};

struct knocks *knocks_open(uint32_t per_s, const uint8_t salt[16])
{
    CHECK(per_s > 0);
    struct knocks *knocks = calloc(1, sizeof *knocks);
    CHECK(knocks != NULL);
    knocks->per_s = per_s;
    memcpy(knocks->salt, salt, sizeof knocks->salt);
    return knocks;
}

void knocks_close(struct knocks *knocks)
{
    free(knocks);
}

bool knocks_take(struct knocks *knocks, struct ip ip, instant_ms now)
{
    uint8_t bytes[sizeof knocks->salt + sizeof ip.byte];
    ip = ip_customer(ip);
    memcpy(bytes, knocks->salt, sizeof knocks->salt);
    memcpy(bytes + sizeof knocks->salt, ip.byte, sizeof ip.byte);
    struct id128 hash = hash_128_for("knock", slice_of(bytes, sizeof bytes));
    struct bucket *bucket = &knocks->places[(hash.byte[0] << 8 | hash.byte[1]) % PLACES];
    uint64_t depth_us = KNOCKS_BURST_S * UINT64_C(1000000);
    bool few = gw_bucket_take(bucket, now, 1000000 / knocks->per_s, depth_us);
    if (few || MUTANT(knocks_without_end)) return true;
    knocks->refused++;
    return false;
}

uint64_t knocks_refused(const struct knocks *knocks)
{
    return knocks->refused;
}
