// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Watch } from '../../.ci/processes.mjs';

async function run(watch, script) {
  const child = spawn('sh', ['-c', script], {
    detached: true, stdio: 'ignore', env: { ...process.env, ...watch.environment },
  });
  watch.add(child.pid);
  await once(child, 'exit');
  return child.pid;
}

test('a program that ends alone leaves nothing', async () => {
  const watch = new Watch();
  const pid = await run(watch, 'sleep 0.2 & wait');
  assert.deepEqual(await watch.leftovers(pid), []);
});

test('what ends soon after its program was not left', async () => {
  const watch = new Watch();
  const pid = await run(watch, 'sleep 0.5 & exit');
  assert.deepEqual(await watch.leftovers(pid), []);
});

test('a background process of the same session is found and ended', async () => {
  const watch = new Watch();
  const pid = await run(watch, 'sleep 1234 & exit');
  const left = await watch.leftovers(pid);
  assert.equal(left.length, 1);
  assert.match(left[0], /^\d+ sleep 1234$/);
  watch.kill(pid);
  assert.deepEqual(await watch.leftovers(pid), []);
});

test('one that made itself a session of its own is found by its mark', async () => {
  const watch = new Watch();
  await run(watch, 'setsid -f sleep 1235');
  const left = await watch.leftovers();
  assert.ok(left.some((line) => line.endsWith('sleep 1235')));
  watch.killAll();
  assert.deepEqual(await watch.leftovers(), []);
});
