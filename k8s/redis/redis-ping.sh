#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ping PORT: whether the Redis (6379) or the Sentinel (26379) of this container answers. ping PORT synced: and whether it
# has all that its primary has, or is one. Until then no other server is taken away for an upgrade: what was promoted
# instead of it could be this one.
set -eu
file=/run/secrets/redis/password
[ "$1" = 26379 ] && file=/run/secrets/redis/sentinel-password
ask() { REDISCLI_AUTH=$(cat $file) redis-cli -p "$port" "$@" 2>/dev/null; }
port=$1
[ "$(ask ping)" = PONG ] || exit 1
[ "${2:-}" = synced ] || exit 0
ask info replication | grep -q -e '^role:master' -e '^master_link_status:up'
