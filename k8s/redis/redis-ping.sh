#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ping PORT: whether the Redis (6379) or the Sentinel (26379) of this container answers.
set -eu
file=/run/secrets/redis/password
[ "$1" = 26379 ] && file=/run/secrets/redis/sentinel-password
[ "$(REDISCLI_AUTH=$(cat $file) redis-cli -p "$1" ping 2>/dev/null)" = PONG ]
