/* SPDX-License-Identifier: Apache-2.0
 *
 * Who comes: addresses, the proxies whose word about them is taken, and how often one address may
 * knock. It does not own connections (shell_guests.c) nor players (limits.c). Pure: every text may
 * be an attacker's.
 */
#ifndef GATEWAY_VISITOR_H
#define GATEWAY_VISITOR_H

#include "base/buf.h"
#include "base/types.h"

enum {
    IP_TEXT_BYTES = 46,
    NETWORKS_MAX = 64,
    KNOCKS_BURST_S =
        10, /* so many seconds' worth may come at once: a class that opens its phones */
};

/* IPv4 is ::ffff:a.b.c.d. */
struct ip {
    uint8_t byte[16];
};

/* "192.0.2.1", "2001:db8::1"; a port may follow, IPv6 in brackets then. False: neither. */
bool ip_read(struct slice text, struct ip *out);
/* What counts as one address: one customer of an IPv6 provider has a whole /64. */
struct ip ip_customer(struct ip ip);
void ip_write(const struct ip *ip, char out[IP_TEXT_BYTES]);

struct networks {
    struct {
        struct ip at;
        int bits; /* of 128 */
    } list[NETWORKS_MAX];
    int count;
};
/* "10.0.0.0/8, fd00::/8, 192.0.2.1", parted by commas or blanks; "" is none. False: something in it
 * is no network, or there are too many. */
bool networks_read(const char *text, struct networks *out);
bool networks_hold(const struct networks *networks, struct ip ip);

/* Whose connection it is that comes from `peer`, with these elements of X-Forwarded-For. Each proxy
 * puts behind them the address that it has seen, so they are believed from the last one backwards
 * as long as a proxy of ours said them; what a browser wrote itself is never reached. */
struct ip visitor_behind(struct ip peer, const struct networks *proxies, const char *forwarded);

/* Handshakes of an address: each costs a connection, and with TLS a signature. Of fixed size:
 * addresses share places by a hash that nobody outside can foretell. */
struct knocks;
struct knocks *knocks_open(uint32_t per_s, const uint8_t salt[16]);
void knocks_close(struct knocks *knocks);
/* False: too many by now. */
bool knocks_take(struct knocks *knocks, struct ip ip, instant_ms now);
uint64_t knocks_refused(const struct knocks *knocks);

#endif
