/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include <stdlib.h>

enum { PORT_DEFAULT = 6379, DB_MAX = 15999 };

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Copies with %XX resolved; false when it does not fit or is malformed. */
static bool unescape(struct slice from, char *into, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < from.len; i++) {
        char c = (char)from.at[i];
        if (c == '%') {
            if (from.len - i < 3) return false;
            int high = hex_digit((char)from.at[i + 1]), low = hex_digit((char)from.at[i + 2]);
            if (high < 0 || low < 0 || high + low == 0) return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (used + 1 >= size) return false;
        into[used++] = c;
    }
    into[used] = 0;
    return true;
}

static bool copy(struct slice from, char *into, size_t size)
{
    if (from.len >= size) return false;
    if (from.len) memcpy(into, from.at, from.len);
    into[from.len] = 0;
    return true;
}

static bool number(struct slice text, int max, int *out)
{
    if (text.len == 0 || text.len > 5) return false;
    int value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') return false;
        value = value * 10 + (text.at[i] - '0');
    }
    *out = value;
    return value <= max;
}

/* Splits at the first (or last) `c`: *text keeps what is behind it, the result is what was before.
 * Without one: nothing is taken and the result has at NULL. */
static struct slice take_before(struct slice *text, char c, bool last)
{
    const uint8_t *at = text->len == 0 ? NULL
                        : last         ? memrchr(text->at, c, text->len)
                                       : memchr(text->at, c, text->len);
    if (!at) return (struct slice){0};
    struct slice before = slice_of(text->at, (size_t)(at - text->at));
    *text = slice_of(at + 1, text->len - before.len - 1);
    return before;
}

static bool drop_prefix(struct slice *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (text->len < len || memcmp(text->at, prefix, len) != 0) return false;
    *text = slice_of(text->at + len, text->len - len);
    return true;
}

static bool read_credentials(struct slice *text, struct store_shard *out)
{
    /* An @ behind the first slash belongs to a path. */
    const uint8_t *slash = text->len ? memchr(text->at, '/', text->len) : NULL;
    struct slice rest = slice_of(text->at, slash ? (size_t)(slash - text->at) : text->len);
    struct slice both = take_before(&rest, '@', true);
    if (!both.at) return true;
    *text = slice_of(rest.at, text->len - both.len - 1);
    struct slice user = take_before(&both, ':', false);
    return user.at && unescape(user, out->user, sizeof out->user) &&
           unescape(both, out->password, sizeof out->password) && out->password[0];
}

static const char *read_unix(struct slice text, struct store_shard *out)
{
    struct slice query = text;
    struct slice path = take_before(&query, '?', true);
    if (path.at) {
        if (!drop_prefix(&query, "db=") || !number(query, DB_MAX, &out->db)) {
            return "only ?db=NUMBER may follow the path of a socket";
        }
        text = path;
    }
    if (text.len == 0 || text.at[0] != '/') return "unix:// needs an absolute path";
    return copy(text, out->path, sizeof out->path) ? NULL
                                                   : "the path of a socket has 107 bytes at most";
}

static const char *read_tcp(struct slice text, struct store_shard *out)
{
    struct slice db = text;
    struct slice where = take_before(&db, '/', false);
    if (where.at) {
        if (db.len && !number(db, DB_MAX, &out->db))
            return "behind the slash stands the number of a database";
        text = where;
    }
    struct slice host, port = text;
    if (drop_prefix(&port, "[")) {
        host = take_before(&port, ']', false);
        if (!host.at || (port.len && !drop_prefix(&port, ":")))
            return "an IPv6 address stands in brackets";
    } else {
        host = take_before(&port, ':', false);
        if (!host.at) {
            host = text;
            port = (struct slice){0};
        } else if (port.len == 0) {
            return "a port is missing behind the colon";
        }
    }
    out->port = PORT_DEFAULT;
    if (port.len && (!number(port, 65535, &out->port) || out->port == 0))
        return "a port is a number up to 65535";
    if (host.len == 0) return "a host is missing";
    return copy(host, out->host, sizeof out->host) ? NULL : "a host name has 255 bytes at most";
}

static const char *read_shard(struct slice text, const char *password, struct store_shard *out)
{
    *out = (struct store_shard){0};
    bool tcp = drop_prefix(&text, "tcp://");
    if (!tcp && !drop_prefix(&text, "unix://")) return "a shard is tcp://host:port or unix:///path";
    if (!read_credentials(&text, out)) return "credentials are user:password@ or :password@";
    if (!out->password[0] && password &&
        !copy(slice_text(password), out->password, sizeof out->password)) {
        return "a password has 127 bytes at most";
    }
    return tcp ? read_tcp(text, out) : read_unix(text, out);
}

enum status store_config_parse(const char *text, const char *password, struct store_config *out,
                               const char **why)
{
    static const char blanks[] = ", \t\n";
    out->shard_count = 0;
    *why = NULL;
    for (text += strspn(text, blanks); *text && !*why; text += strspn(text, blanks)) {
        size_t len = strcspn(text, blanks);
        if (out->shard_count == WIRE_SHARDS_MAX)
            *why = "there are 32 shards at most";
        else
            *why = read_shard(slice_of(text, len), password, &out->shards[out->shard_count++]);
        text += len;
    }
    if (!*why && out->shard_count == 0) *why = "no shard is named";
    return *why ? ST_INVALID : ST_OK;
}
