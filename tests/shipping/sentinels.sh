#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sentinels.sh FOLDER PREFIX: the scripts of k8s/redis and k8s/shard, two servers of Redis and three Sentinels, each with an
# address of its own; runs in namespaces of its own (unshare -mn), where names and ports are nobody else's. PREFIX is
# that of the shard's names ("shard1-"; none: the first). FOLDER has what a pod of a name without it would have:
# FOLDER/<pod>/{run,data,etc,secrets}, the scripts as FOLDER/<pod>/start and ping, and hosts.
# Kills the primary, sees the other promoted, starts the first again, and prints who is what in the end.
set -eu
cd "$1"
prefix=$2
mount --bind hosts /etc/hosts
ip link set lo up
for number in 1 2 3 4 5; do ip addr add 127.0.1.$number/32 dev lo; done

pids=""
trap 'status=$?; kill -9 $pids 2>/dev/null || true; wait 2>/dev/null || true; exit $status' EXIT
trap 'exit 1' TERM
start() {
    POD_NAME=$prefix$1 SENTINELS=3 MEMORY=1073741824 sh "$1/start" >>"$1/log" 2>&1 &
    pids="$pids $!"
    eval "pid_$(echo "$1" | tr - _)=$!"
}
role() { REDISCLI_AUTH=of-all redis-cli -h "$prefix$1.${prefix}redis" ROLE 2>/dev/null | head -n 1; }
# In vain after a minute and more: an election that nobody won is held again after twenty seconds.
wait_for() {
    tries=0
    until [ "$(role "$1")" = "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "$1 is $(role "$1"), not $2"; tail -n 20 ./*/log; exit 1; }
        sleep 0.1
    done
}

# Parallel, as StatefulSets start them: a Redis waits until a Sentinel answers, a Sentinel for nobody.
for pod in redis-0 redis-1 sentinel-0 sentinel-1 sentinel-2; do start $pod; done
wait_for redis-0 master
wait_for redis-1 slave
# Until the first Sentinel knows of the others and of the replica; the test that runs this has a limit.
asks() { REDISCLI_AUTH=of-sentinels redis-cli -h "${prefix}sentinel-0.${prefix}sentinel" -p 26379 sentinel "$@" yard 2>/dev/null; }
until asks ckquorum | grep -q "^OK 3" && asks replicas | grep -q redis-1; do sleep 0.1; done
# It takes writes once a replica follows; one that a replica has is not lost.
write() { printf 'SET {room} kept\nWAIT 1 5000\n' | REDISCLI_AUTH=of-services redis-cli -h "${prefix}redis-0.${prefix}redis" --user madang; }
until [ "$(write | tr '\n' ' ')" = "OK 1 " ]; do sleep 0.1; done
kill -9 "$pid_redis_0"
wait_for redis-1 master
start redis-0
wait_for redis-0 slave
# Ready again, as a replica that has everything; the test that runs this has a limit.
until sh redis-0/ping 6379 synced; do sleep 0.1; done
REDISCLI_AUTH=of-services redis-cli -h "${prefix}redis-1.${prefix}redis" --user madang GET '{room}'
echo "redis-0 $(role redis-0), redis-1 $(role redis-1)"
