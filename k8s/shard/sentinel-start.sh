#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts a Sentinel of a StatefulSet, sentinel or shard1-sentinel for instance. The first time it is told that redis-0 (or
# shard1-redis-0) is the primary; later it knows better from its own file.
set -eu
umask 077
conf=/data/sentinel.conf
secrets=/run/secrets/redis
group=${POD_NAME%-*}
redis=${group%sentinel}redis
[ -s $conf ] || cat >$conf <<END
bind * -::*
protected-mode no
port 26379
dir /tmp
requirepass $(cat $secrets/sentinel-password)
sentinel sentinel-pass $(cat $secrets/sentinel-password)
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $POD_NAME.$group
sentinel monitor yard $redis-0.$redis 6379 2
sentinel auth-pass yard $(cat $secrets/password)
sentinel down-after-milliseconds yard 2000
sentinel failover-timeout yard 10000
END
exec redis-server $conf --sentinel
