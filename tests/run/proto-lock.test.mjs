// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const TOOL = join(import.meta.dirname, '../../.ci/proto-lock');
let folder;

before(() => { folder = mkdtempSync(join(tmpdir(), 'proto-lock-test-')); });
after(() => rmSync(folder, { recursive: true }));

function lock(mode, body) {
  writeFileSync(join(folder, 'a.proto'), `syntax = "proto3";\npackage t.v1;\n${body}`);
  const run = spawnSync('node', [TOOL, mode, folder], { encoding: 'utf8' });
  return { ok: run.status === 0, said: run.stdout + run.stderr };
}

const MESSAGE = (fields) => `message M { message Inner { bool deep = 1; } ${fields} }\n`;
const KIND = (values) => `enum Kind { KIND_UNSPECIFIED = 0; ${values} }\n`;
const SHIPPED = MESSAGE('uint32 a = 1; repeated string b = 2; Kind k = 3; Inner i = 4;') + KIND('KIND_X = 1;');

test('what was locked passes', () => {
  rmSync(join(folder, 'fields.lock'), { force: true });
  assert.ok(lock('append', SHIPPED).ok);
  assert.ok(lock('check', SHIPPED).ok);
  const lines = readFileSync(join(folder, 'fields.lock'), 'utf8');
  assert.match(lines, /^t\.v1\.M 2 b repeated string$/m);
  assert.match(lines, /^t\.v1\.M\.Inner 1 deep one bool$/m);
  assert.match(lines, /^t\.v1\.Kind 1 KIND_X value$/m);
});

test('a new field must be locked', () => {
  const more = SHIPPED.replace('uint32 a = 1;', 'uint32 a = 1; bool c = 9;');
  assert.match(lock('check', more).said, /not in .*fields\.lock yet.*t\.v1\.M 9 c one bool/);
});

for (const [what, from, to, fault] of [
  ['renumbered', 'uint32 a = 1;', 'uint32 a = 7;', /the name now has the number 7/],
  ['given another type', 'uint32 a = 1;', 'sint32 a = 1;', /was "one uint32", is "one sint32"/],
  ['repeated all at once', 'uint32 a = 1;', 'repeated uint32 a = 1;', /was "one uint32"/],
  ['renamed', 'uint32 a = 1;', 'uint32 z = 1;', /the number is now z's/],
  ['taken away', 'uint32 a = 1;', '', /gone, and not reserved/],
  ['reserved by number alone', 'uint32 a = 1;', 'reserved 1;', /gone, and not reserved/],
])
  test(`a field that is ${what} fails, and cannot be locked`, () => {
    const changed = SHIPPED.replace(from, to);
    assert.notEqual(changed, SHIPPED);
    assert.match(lock('check', changed).said, fault);
    assert.equal(lock('append', changed).ok, false);
  });

test('a field and an enum value may go when number and name are reserved', () => {
  const gone = SHIPPED.replace('uint32 a = 1;', 'reserved 1; reserved "a";');
  assert.ok(lock('check', gone).ok);
  const value = SHIPPED.replace('KIND_X = 1;', 'reserved 1; reserved "KIND_X";');
  assert.ok(lock('check', value).ok);
});

test('a message that is gone fails', () => {
  const gone = `${KIND('KIND_X = 1;')}message Other {}\n`;
  assert.match(lock('check', gone).said, /t\.v1\.M is gone/);
});
