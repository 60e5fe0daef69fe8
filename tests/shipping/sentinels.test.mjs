// SPDX-License-Identifier: Apache-2.0
//
// What starts Redis and Sentinels in the overlay `prod`, and those of a second shard, with real ones: the Sentinels say who
// the primary is, also to one that comes back. Each has an address and a name of its own, in namespaces of this test's own
// (sentinels.sh).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, text } from './render.mjs';

const PATIENCE_MS = 180_000;
const pods = ['redis-0', 'redis-1', 'sentinel-0', 'sentinel-1', 'sentinel-2'];
const addressOf = (pod) => `127.0.1.${pods.indexOf(pod) + 1}`;
const kindOf = (pod) => pod.split('-')[0];

// What the pod's container would have, with paths of this folder.
function prepare(folder, pod) {
  const home = join(folder, pod), kind = kindOf(pod);
  for (const name of ['run', 'data', 'etc', 'secrets']) mkdirSync(join(home, name), { recursive: true });
  const secrets = { password: 'of-all', 'services-password': 'of-services', 'sentinel-password': 'of-sentinels' };
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(home, 'secrets', name), secret);
  const here = (script) => script.replaceAll('/run/redis', `${home}/run`).replaceAll('/run/secrets/redis', `${home}/secrets`)
    .replaceAll('/etc/madang', `${home}/etc`).replaceAll('/data', `${home}/data`).replace(/^dir \/tmp$/m, `dir ${home}/data`)
    .replaceAll('bind * -::*', `bind ${addressOf(pod)}`);
  writeFileSync(join(home, 'etc/redis.conf'), here(text('docker/redis/redis.conf')));
  const script = kind === 'redis' ? 'k8s/redis/redis-start.sh' : 'k8s/shard/sentinel-start.sh';
  writeFileSync(join(home, 'start'), here(text(script)));
  const ping = text('k8s/redis/redis-ping.sh').replace('redis-cli -p', `redis-cli -h ${addressOf(pod)} -p`);
  writeFileSync(join(home, 'ping'), here(ping));
}

function promote(prefix) {
  const folder = mkdtempSync(join(tmpdir(), 'madang-sentinels-'));
  try {
    for (const pod of pods) prepare(folder, pod);
    writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${pods.map((pod) =>
      `${addressOf(pod)} ${prefix}${pod}.${prefix}${kindOf(pod)}\n`).join('')}`);
    const rights = process.getuid() === 0 ? '-mn' : '-mnr';
    const { status, stdout, stderr } = spawnSync('unshare', [rights, `${root}/tests/shipping/sentinels.sh`, folder, prefix],
      { encoding: 'utf8', timeout: PATIENCE_MS });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.equal(stdout, 'kept\nredis-0 slave, redis-1 master\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const prefix of ['', 'shard1-'])
  test(`${prefix}redis: a primary that dies is replaced, comes back as a replica, and nothing is lost`, () => promote(prefix));
