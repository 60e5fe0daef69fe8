/* SPDX-License-Identifier: Apache-2.0
 *
 * Every setting of every program of Madang, in one list: so a variable meant for another program is
 * known, and a misspelt one is not. Each program takes the lines that name it.
 *
 *     SETTING_ id          programs    flag    kind    default    min    max    choices    help
 */
#ifndef OPS_SETTINGS_H
#define OPS_SETTINGS_H

#include "ops/config.h"
#include "ops/program.h"

#define SETTINGS_G   PROGRAM_GATEWAY
#define SETTINGS_M   PROGRAM_MATCHMAKER
#define SETTINGS_W   PROGRAM_WORKER
#define SETTINGS_WMT (PROGRAM_WORKER | PROGRAM_MATCHMAKER | PROGRAM_TIMER)
#define SETTINGS_GWT (PROGRAM_GATEWAY | PROGRAM_WORKER | PROGRAM_TIMER)
#define SETTINGS_ALL (SETTINGS_GWT | PROGRAM_MATCHMAKER)

/* clang-format off */
#define SETTINGS(X) \
    X(PORT, SETTINGS_G, "port", CONFIG_INT, "8080", 1, 65535, NULL, \
      "where browsers connect; gateways of one host may share it") \
    X(BIND, SETTINGS_G, "bind", CONFIG_TEXT, "127.0.0.1", 0, 0, NULL, \
      "the address to listen on; 0.0.0.0 for all") \
    X(WEB_DIR, SETTINGS_G, "web-dir", CONFIG_TEXT, "services/web/dist", 0, 0, NULL, \
      "the folder of the built browser client") \
    X(HTTPS_CERTIFICATE, SETTINGS_G, "https-certificate", CONFIG_TEXT, "", 0, 0, NULL, \
      "TLS at the gateway: a PEM file of its certificate and those between it and the authority; " \
      "SIGHUP reads it again. None: plain, for a proxy that ends TLS in front of us") \
    X(HTTPS_KEY, SETTINGS_G, "https-key", CONFIG_TEXT, "", 0, 0, NULL, \
      "a PEM file with that certificate's key") \
    X(KEY_FILE, SETTINGS_G, "key-file", CONFIG_TEXT, "", 0, 0, NULL, \
      "32 random bytes that sign session tokens, the same for all gateways; none: sessions end " \
      "with the process") \
    X(KEY, SETTINGS_G, "key", CONFIG_SECRET, "", 0, 0, NULL, \
      "such a key as 64 hexadecimal digits, instead of the file") \
    X(KEY_ALSO_FILE, SETTINGS_G, "key-also-file", CONFIG_TEXT, "", 0, 0, NULL, \
      "a second key, whose tokens are taken as well: the next one before a change of keys, the " \
      "former one after it") \
    X(KEY_ALSO, SETTINGS_G, "key-also", CONFIG_SECRET, "", 0, 0, NULL, \
      "that second key as 64 hexadecimal digits, instead of the file") \
    X(SESSION_LIFETIME, SETTINGS_G, "session-lifetime", CONFIG_DURATION, "720h", 3600000, \
      31622400000, NULL, "how long a token lasts; each visit renews it") \
    X(CONNECTIONS_MAX, SETTINGS_G, "connections-max", CONFIG_INT, "15000", 1, 1000000, NULL, \
      "browsers at a time; further ones are turned away") \
    X(ADDRESS_CONNECTIONS_MAX, SETTINGS_G, "address-connections-max", CONFIG_INT, "2000", 1, \
      1000000, NULL, "of those, from one address; a school is one address") \
    X(ADDRESS_HANDSHAKES_MAX, SETTINGS_G, "address-handshakes-max", CONFIG_INT, "100", 1, \
      1000000, NULL, "new connections a second from one address; ten times as many at once") \
    X(PROXIES, SETTINGS_G, "proxies", CONFIG_TEXT, "", 0, 0, NULL, \
      "addresses and networks of proxies in front of us, such as 10.0.0.0/8, fd00::/8: from them " \
      "a browser's address is the last one in X-Forwarded-For that is none of theirs") \
    X(ORIGINS, SETTINGS_G, "origins", CONFIG_TEXT, "", 0, 0, NULL, \
      "pages that may open a WebSocket besides this host's: https://play.example.org, ...") \
    X(CONTROL, SETTINGS_M, "control", CONFIG_URL, "tcp://127.0.0.1:7100", 0, 0, NULL, \
      "where requests are taken; port 0 takes a free one") \
    X(WORKER_CONTROL, SETTINGS_W, "control", CONFIG_URL, "tcp://127.0.0.1:0", 0, 0, NULL, \
      "where requests are taken; port 0 takes a free one") \
    X(CONTROL_PUBLIC, SETTINGS_M | SETTINGS_W, "control-public", CONFIG_URL, "", 0, 0, NULL, \
      "what others dial instead, when that differs; port 0 stands for the one taken. None, and " \
      "listening on 0.0.0.0: the address from which a matchmaker is reached") \
    X(INBOX, SETTINGS_GWT, "inbox", CONFIG_URL, "tcp://127.0.0.1:0", 0, 0, NULL, \
      "where batches from other services are taken; port 0 takes a free one") \
    X(INBOX_PUBLIC, SETTINGS_GWT, "inbox-public", CONFIG_URL, "", 0, 0, NULL, \
      "what others dial instead, when that differs; port 0 stands for the one taken. None, and " \
      "listening on 0.0.0.0: the address from which a matchmaker is reached") \
    X(MATCHMAKERS, SETTINGS_ALL, "matchmakers", CONFIG_URLS, "tcp://127.0.0.1:7100", 0, 0, NULL, \
      "where every matchmaker takes requests") \
    X(REDIS, SETTINGS_WMT, "redis", CONFIG_STORES, "tcp://127.0.0.1:6379", 0, 0, NULL, \
      "the shards, in an order that never changes, parted by commas: " \
      "tcp://[[user]:password@]host[:port][/db], unix:///path, or where Sentinels know the " \
      "primary: sentinel://[[user]:password@]host[:port],host[:port]/name[/db]" \
      "[?sentinel=[user]:password]") \
    X(REDIS_USER, SETTINGS_WMT, "redis-user", CONFIG_TEXT, "", 0, 0, NULL, \
      "the user (ACL) on shards that name none; none: Redis' default user") \
    X(REDIS_PASSWORD, SETTINGS_WMT, "redis-password", CONFIG_SECRET, "", 0, 0, NULL, \
      "the password of shards that name none, instead of the file") \
    X(REDIS_PASSWORD_FILE, SETTINGS_WMT, "redis-password-file", CONFIG_TEXT, "", 0, 0, NULL, \
      "a file with the password of shards that name none") \
    X(REDIS_SENTINEL_PASSWORD, SETTINGS_WMT, "redis-sentinel-password", CONFIG_SECRET, "", 0, 0, \
      NULL, "the password of Sentinels for whom none is named, instead of the file") \
    X(REDIS_SENTINEL_PASSWORD_FILE, SETTINGS_WMT, "redis-sentinel-password-file", CONFIG_TEXT, "", \
      0, 0, NULL, "a file with the password of Sentinels for whom none is named") \
    X(REDIS_REPLICAS, SETTINGS_WMT, "redis-replicas", CONFIG_INT, "0", 0, 16, NULL, \
      "how many replicas must have a write before anything that follows from it leaves") \
    X(REDIS_WAIT, SETTINGS_WMT, "redis-wait", CONFIG_DURATION, "200ms", 1, 60000, NULL, \
      "how long to wait for those replicas before trying again") \
    X(SHARDS_OPEN, SETTINGS_M, "shards-open", CONFIG_INT, "0", 0, 32, NULL, \
      "rooms are made on the first so many shards alone, and found on all: so everybody can be " \
      "told of a shard before rooms are made there, and rooms leave it before it goes; 0: on all") \
    X(ROOMS_MAX, SETTINGS_W, "rooms-max", CONFIG_INT, "5000", 1, 1000000, NULL, \
      "rooms that this worker takes") \
    X(BACKLOG_MB, SETTINGS_W, "backlog-mb", CONFIG_INT, "64", 1, 65536, NULL, \
      "megabytes that may wait in memory for Redis; beyond, players hear that it is busy") \
    X(OPERATOR_KEY, SETTINGS_W, "operator-key", CONFIG_SECRET, "", 0, 0, NULL, \
      "what an operator's orders are proven with, 16 bytes and more; none: they are refused") \
    X(OPERATOR_KEY_FILE, SETTINGS_W, "operator-key-file", CONFIG_TEXT, "", 0, 0, NULL, \
      "a file with that key in its first line") \
    X(ARCHIVE, SETTINGS_W, "archive", CONFIG_DURATION, "24h", 0, 31622400000, NULL, \
      "how long finished games are kept for replay; 0: not") \
    X(GRACE, SETTINGS_ALL, "grace", CONFIG_DURATION, "30s", 0, 3600000, NULL, \
      "how long a drain may take after SIGTERM") \
    X(TLS_CA, SETTINGS_ALL, "tls-ca", CONFIG_TEXT, "", 0, 0, NULL, \
      "for tls+tcp:// between services: a PEM file of the authority behind all certificates") \
    X(TLS_IDENTITY, SETTINGS_ALL, "tls-identity", CONFIG_TEXT, "", 0, 0, NULL, \
      "a PEM file with this service's certificate and key") \
    X(TLS_NAME, SETTINGS_ALL, "tls-name", CONFIG_TEXT, "madang", 0, 0, NULL, \
      "the name that the certificates of all services are for") \
    X(OPS, SETTINGS_ALL, "ops", CONFIG_URL, "", 0, 0, NULL, \
      "where /livez, /readyz and /metrics are served, such as http://0.0.0.0:9100") \
    X(LOG_LEVEL, SETTINGS_ALL, "log-level", CONFIG_CHOICE, "info", 0, 0, \
      "debug|info|warn|error", "the least that is worth a line on stderr")
/* clang-format on */

enum setting {
#define X(id, programs, flag, kind, fallback, min, max, choices, help) SETTING_##id,
    SETTINGS(X)
#undef X
        SETTING_COUNT,
};

struct settings {
    struct config config;
    struct config_item items[CONFIG_ITEMS_MAX];
    int place[SETTING_COUNT]; /* index in items, -1: not of this program */
};

/* As config_parse, with the lines of this program. */
enum config_result settings_parse(struct settings *settings, enum program program,
                                  char *const *argv, char *const *environment);
/* The value of a setting that this program has. */
const struct config_value *setting(const struct settings *settings, enum setting id);
void settings_help(const struct settings *settings, enum program program, struct buf *out);
void settings_fini(struct settings *settings);

/* For main: reads the real arguments and environment. Prints and ends the process on --help and
 * --version (0) and on whatever is wrong (2). */
void settings_read(struct settings *settings, enum program program, char *const *argv);

/* In logs, registrations and --version. */
#define MADANG_VERSION "0.1.0"

#endif
