/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include <stdlib.h>

enum { PORT_DEFAULT = 6379, SENTINEL_PORT_DEFAULT = 26379, DB_MAX = 15999 };

static const char blanks[] = ", \t\n"; /* part the shards of a list */
static const char sentinel_prefix[] = "sentinel://";

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

/* [user]:password, with %XX resolved. */
static bool read_user(struct slice both, char *user, size_t user_size, char *password,
                      size_t password_size)
{
    struct slice name = take_before(&both, ':', false);
    return name.at && unescape(name, user, user_size) && unescape(both, password, password_size) &&
           password[0];
}

static bool read_credentials(struct slice *text, struct store_shard *out)
{
    /* An @ behind the first slash belongs to a path. */
    const uint8_t *slash = text->len ? memchr(text->at, '/', text->len) : NULL;
    struct slice rest = slice_of(text->at, slash ? (size_t)(slash - text->at) : text->len);
    struct slice both = take_before(&rest, '@', true);
    if (!both.at) return true;
    *text = slice_of(rest.at, text->len - both.len - 1);
    return read_user(both, out->user, sizeof out->user, out->password, sizeof out->password);
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

/* host[:port] */
static const char *read_address(struct slice text, int port_default, struct store_address *out)
{
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
    out->port = port_default;
    if (port.len && (!number(port, 65535, &out->port) || out->port == 0))
        return "a port is a number up to 65535";
    if (host.len == 0) return "a host is missing";
    return copy(host, out->host, sizeof out->host) ? NULL : "a host name has 255 bytes at most";
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
    return read_address(text, PORT_DEFAULT, &out->at);
}

static const char *read_sentinels(struct slice hosts, struct store_shard *out)
{
    const char *why = NULL;
    for (bool more = true; more && !why;) {
        struct slice each = take_before(&hosts, ',', false);
        more = each.at != NULL;
        if (!more) each = hosts;
        if (out->sentinel_count == STORE_SENTINELS_MAX) return "a shard has 7 Sentinels at most";
        why = read_address(each, SENTINEL_PORT_DEFAULT, &out->sentinels[out->sentinel_count++]);
    }
    return why;
}

static bool read_name(struct slice name, struct store_shard *out)
{
    if (name.len == 0) return false;
    for (size_t i = 0; i < name.len; i++) {
        uint8_t c = name.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_') return false;
    }
    return copy(name, out->name, sizeof out->name);
}

/* hosts/name[/db][?sentinel=user:password] */
static const char *read_group(struct slice text, struct store_shard *out)
{
    struct slice behind = text;
    struct slice hosts = take_before(&behind, '/', false);
    if (!hosts.at) return "behind the Sentinels, parted by commas alone, stands /NAME";
    struct slice query = behind;
    struct slice before = take_before(&query, '?', false);
    if (before.at) {
        behind = before;
        if (!drop_prefix(&query, "sentinel=") ||
            !read_user(query, out->sentinel_user, sizeof out->sentinel_user, out->sentinel_password,
                       sizeof out->sentinel_password))
            return "only ?sentinel=user:password may follow the name of a primary";
    }
    struct slice db = behind;
    struct slice name = take_before(&db, '/', false);
    if (!name.at)
        name = behind;
    else if (!number(db, DB_MAX, &out->db))
        return "behind the name of a primary stands the number of a database";
    if (!read_name(name, out))
        return "a primary's name is made of letters, digits and .-_, 63 at most";
    return read_sentinels(hosts, out);
}

static const char *read_shard(struct slice text, const char *password, struct store_shard *out)
{
    const char *(*read)(struct slice text, struct store_shard * out);
    *out = (struct store_shard){0};
    if (drop_prefix(&text, "tcp://"))
        read = read_tcp;
    else if (drop_prefix(&text, "unix://"))
        read = read_unix;
    else if (drop_prefix(&text, sentinel_prefix))
        read = read_group;
    else
        return "a shard is tcp://host:port, unix:///path or sentinel://host:port,host:port/name";
    if (!read_credentials(&text, out)) return "credentials are user:password@ or :password@";
    if (!out->password[0] && password &&
        !copy(slice_text(password), out->password, sizeof out->password)) {
        return "a password has 127 bytes at most";
    }
    return read(text, out);
}

/* Where the shard that begins here ends. */
static size_t shard_len(const char *text)
{
    size_t len = sizeof sentinel_prefix - 1;
    if (strncmp(text, sentinel_prefix, len) == 0)
        len += strcspn(text + len, "/ \t\n");
    else
        len = 0;
    return len + strcspn(text + len, blanks);
}

enum status store_config_parse(const char *text, const char *password, struct store_config *out,
                               const char **why)
{
    out->shard_count = 0;
    *why = NULL;
    for (text += strspn(text, blanks); *text && !*why; text += strspn(text, blanks)) {
        size_t len = shard_len(text);
        if (out->shard_count == WIRE_SHARDS_MAX)
            *why = "there are 32 shards at most";
        else
            *why = read_shard(slice_of(text, len), password, &out->shards[out->shard_count++]);
        text += len;
    }
    if (!*why && out->shard_count == 0) *why = "no shard is named";
    return *why ? ST_INVALID : ST_OK;
}

enum status store_config_sentinel_password(struct store_config *config, const char *password)
{
    for (int i = 0; i < config->shard_count; i++) {
        struct store_shard *shard = &config->shards[i];
        if (shard->sentinel_password[0]) continue;
        if (!copy(slice_text(password), shard->sentinel_password, sizeof shard->sentinel_password))
            return ST_INVALID;
    }
    return ST_OK;
}

enum status store_config_user(struct store_config *config, const char *user)
{
    for (int i = 0; i < config->shard_count; i++) {
        struct store_shard *shard = &config->shards[i];
        if (shard->user[0]) continue;
        if (!shard->password[0] || !copy(slice_text(user), shard->user, sizeof shard->user))
            return ST_INVALID;
    }
    return ST_OK;
}
