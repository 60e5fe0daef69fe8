// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram, watch } from '../../.ci/programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'programs-test-'));
const log = join(folder, 'log');
after(() => rmSync(folder, { recursive: true }));

const run = (script, more = {}) => runProgram({
  argv: ['sh', '-c', script], log, until: Date.now() + 30_000,
  environment: { ...process.env, ...watch.environment }, ...more,
});

test('a program that says what passed has passed', async () => {
  const result = await run('echo "3 passed, 0 failed"');
  assert.equal(result.passed, 3);
  assert.equal(result.failed, 0);
  assert.deepEqual(result.faults, []);
  assert.equal(readFileSync(log, 'utf8'), '3 passed, 0 failed\n');
});

test('one that hangs is ended in its time, with all that it started, and has failed', async () => {
  const started = Date.now();
  const result = await run('echo "3 passed, 0 failed"; sleep 1236 & sleep 1236', { until: started + 700 });
  assert.ok(Date.now() - started < 15_000);
  assert.equal(result.failed, 1);
  assert.match(result.faults[0], /^was not done in \d+ s$/);
  assert.deepEqual(await watch.leftovers(), []);
});

test('one that ends badly or says nothing has failed', async () => {
  assert.deepEqual((await run('echo "3 passed, 0 failed"; exit 7')).faults, ['ended with status 7']);
  assert.deepEqual((await run('echo "3 passed, 0 failed"; kill -9 $$')).faults, ['died of SIGKILL']);
  assert.deepEqual((await run('true')).faults, ['printed no result of any test']);
  assert.equal((await run('true')).failed, 1);
});

test('one in the background is nice, and so is its session where that counts', async () => {
  const result = await run('nice; cat /proc/self/autogroup; echo "1 passed, 0 failed"', { background: true });
  const [nice, ...rest] = result.said.split('\n');
  assert.equal(nice, '19');
  for (const line of rest.filter((each) => each.startsWith('/autogroup'))) assert.match(line, / nice 19$/);
  assert.equal(result.passed, 1);
});
