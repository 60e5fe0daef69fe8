// SPDX-License-Identifier: Apache-2.0
//
// The scripts that start and ask Redis in Kubernetes, with a real Redis, in folders of this machine instead of a container's.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from './render.mjs';

const PATIENCE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'madang-start-'));
const here = (script) => ['/run/redis', '/run/secrets/redis', '/etc/madang'].reduce((all, path) =>
  all.replaceAll(path, join(folder, path)), text(`k8s/redis/${script}`));
let port, redis;

function ask(user, password, ...words) {
  const { stdout, stderr } = spawnSync('redis-cli', ['-p', port, ...(user ? ['--user', user] : []), ...words],
    { encoding: 'utf8', env: { ...process.env, REDISCLI_AUTH: password } });
  return `${stdout}${stderr}`.trim();
}
const answers = (...words) => spawnSync('sh', ['-c', here('redis-ping.sh'), 'ping', port, ...words]).status === 0;

before(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String(server.address().port);
  server.close();
  for (const path of ['run/redis', 'run/secrets/redis', 'etc/madang']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'run/secrets/redis/password'), 'of-all');
  writeFileSync(join(folder, 'run/secrets/redis/services-password'), 'of-services');
  writeFileSync(join(folder, 'etc/madang/redis.conf'), `${text('docker/redis/redis.conf')
    .replace('dir /data', `dir ${folder}`).replace('bind * -::*', 'bind 127.0.0.1')}port ${port}\n`);
  redis = spawn('sh', ['-c', here('redis-start.sh')],
    { env: { ...process.env, POD_NAME: 'redis-0', SENTINELS: '0', MEMORY: String(100 << 20) }, stdio: 'ignore' });
  for (const until = Date.now() + PATIENCE_MS; !answers() && Date.now() < until;) await sleep(100);
});

after(async () => {
  const ended = once(redis, 'exit');
  redis.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

test('its ping is answered, and nobody else is without a password', () => {
  assert.ok(answers());
  assert.match(ask(null, '', 'ping'), /NOAUTH/);
});

test('services have the rights that the page on security gives them, and no others', () => {
  assert.equal(ask('madang', 'of-services', 'SET', '{room}', '1'), 'OK');
  assert.match(ask('madang', 'of-services', 'CONFIG', 'GET', 'requirepass'), /NOPERM/);
  assert.match(ask('madang', 'of-all', 'ping'), /WRONGPASS|NOAUTH/);
  const [rights] = /~\* resetchannels .*/.exec(text('.github/SECURITY.md'));
  assert.ok(text('k8s/redis/redis-start.sh').includes(`rights="${rights}"`));
});

test('replicas and Sentinels are let in by the other password', () => {
  assert.match(ask(null, 'of-all', 'CONFIG', 'GET', 'masterauth'), /of-all/);
});

test('rooms get six tenths of what the container may have, and beyond that writes are refused', () => {
  assert.equal(ask(null, 'of-all', 'CONFIG', 'GET', 'maxmemory').split('\n')[1], String((100 << 20) / 10 * 6));
  assert.match(ask(null, 'of-all', 'CONFIG', 'GET', 'maxmemory-policy'), /noeviction/);
});

test('a replica that has not all that its primary has answers, and is not ready', () => {
  assert.ok(answers('synced'));
  assert.equal(ask(null, 'of-all', 'REPLICAOF', '127.0.0.1', '1'), 'OK');
  assert.ok(answers());
  assert.ok(!answers('synced'));
  assert.equal(ask(null, 'of-all', 'REPLICAOF', 'NO', 'ONE'), 'OK');
  assert.ok(answers('synced'));
});
