#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts a Redis of a StatefulSet, redis or shard1-redis for instance, whose Service has the same name. Where there are
# Sentinels (SENTINELS of them: sentinel-0, or shard1-sentinel-0, and so on), they say who the primary is, also to itself
# after a restart: a server that is not sure waits. The password comes from a file and stays off the command line. Of MEMORY,
# the bytes that its container may have, rooms get six tenths (docker/redis/redis.conf says what the rest is for).
set -eu
umask 077
conf=/run/redis/redis.conf
secrets=/run/secrets/redis
group=${POD_NAME%-*}
self=$POD_NAME.$group
sentinels=${group%redis}sentinel

# The name of the primary by the first Sentinel that answers; nothing when none does.
ask() {
    number=0
    while [ $number -lt "$SENTINELS" ]; do
        host=$sentinels-$number.$sentinels
        number=$((number + 1))
        answer=$(REDISCLI_AUTH=$(cat $secrets/sentinel-password) timeout 3 \
            redis-cli -h "$host" -p 26379 sentinel get-master-addr-by-name yard 2>/dev/null | head -n 1) || continue
        case $answer in
        "$group"-*) echo "$answer" && return ;;
        esac
    done
}

# Services are a user with the rights that they need (.github/SECURITY.md); the one who may do everything is for replicas
# and Sentinels.
rights="~* resetchannels -@all +@read +@write +@scripting +@connection +info +wait +time"
cp /etc/madang/redis.conf $conf
chmod 600 $conf
{
    echo "maxmemory $((MEMORY / 10 * 6))"
    echo "requirepass $(cat $secrets/password)"
    echo "masterauth $(cat $secrets/password)"
    echo "user madang on >$(cat $secrets/services-password) $rights"
} >>$conf
if [ "$SENTINELS" -gt 0 ]; then
    primary=$(ask)
    while [ -z "$primary" ]; do
        echo "no Sentinel says who the primary is"
        sleep 1
        primary=$(ask)
    done
    # A primary that is cut off from both replicas takes no writes: they would be discarded later.
    {
        echo "replica-announce-ip $self"
        echo "min-replicas-to-write 1"
        echo "min-replicas-max-lag 5"
    } >>$conf
    [ "$primary" = "$self" ] || echo "replicaof $primary 6379" >>$conf
fi
exec redis-server $conf
