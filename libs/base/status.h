/* SPDX-License-Identifier: Apache-2.0
 *
 * The one list of outcomes. Zero is success. Three classes: what the peer did wrong, what the world
 * did, and nothing else: our own faults are assertions (base/check.h), not codes.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

/*        code            class    text */
#define STATUS_LIST(X)                                          \
    X(ST_OK, NONE, "ok")                                        \
    X(ST_INVALID, PEER, "bytes or a value that cannot be read") \
    X(ST_TOO_LARGE, PEER, "larger than the limit")              \
    X(ST_REFUSED, PEER, "the rules say no")                     \
    X(ST_STALE, PEER, "made for something that has changed")    \
    X(ST_UNKNOWN, PEER, "no such thing")                        \
    X(ST_EXISTS, PEER, "there is one already")                  \
    X(ST_FULL, WORLD, "a bound is reached")                     \
    X(ST_UNAVAILABLE, WORLD, "not now: a peer is away")         \
    X(ST_FENCED, WORLD, "somebody else owns it now")            \
    X(ST_MISMATCH, WORLD, "two records of the same thing differ")

enum status {
#define X(code, class, text) code,
    STATUS_LIST(X)
#undef X
};

/* A sentence for logs and tests; never NULL. */
const char *status_text(enum status status);

#endif
