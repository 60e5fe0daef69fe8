// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notes } from '../../.ci/notes.mjs';

const LIST = `    X(PROGRAM_ALL, "process.started", INFO, "pid", "", "") \\
    X(PROGRAM_WORKER, "room.adopted", INFO, "room", "", "") \\
    X(PROGRAM_WORKER, "drain.done", INFO, "", "", "") \\
    X(PROGRAM_WORKER, "drain.left", WARN, "", "", "")`;
const WHOLE = {
  'list.h': LIST,
  'libs/shell/main_os.c': 'log_text("process.started", NULL);',
  'services/worker/a.c': `core_note(core, "room.adopted", room,
      0); core_note(core, empty ? "drain.done" : "drain.left", 0);`,
};
const judge = (changed) => {
  const files = { ...WHOLE, ...changed };
  return notes(Object.keys(files), (file) => files[file], 'list.h');
};

test('every event that is noted and listed is fine', () => assert.deepEqual(judge({}), []));

test('an event that is not listed is found, also behind a question mark', () => {
  assert.match(judge({ 'services/worker/b.c': 'core_note(core, "room.gone", 1);' })[0], /notes "room\.gone"/);
  assert.equal(judge({ 'services/worker/b.c': 'note(core, x ? "room.adopted" : "room.x", 1);' }).length, 1);
});

test("an event of another program is not this one's", () => {
  assert.match(judge({ 'services/gateway/b.c': 'gw_note(core, "room.adopted", 1);' })[0], /^services\/gateway\/b\.c/);
  assert.equal(judge({ 'libs/shell/b_os.c': 'log_text("room.adopted", why);' }).length, 1);
  assert.deepEqual(judge({ 'services/timer/b.c': 'note(core, "process.started", 1);' }), []);
});

test('a listed event that nobody notes is found', () => {
  assert.match(judge({ 'services/worker/a.c': 'core_note(core, "room.adopted", 1);' })[0], /nobody notes "drain\.done"/);
});

test('a number that has no name in the table is refused', () => {
  const problems = judge({ 'services/worker/b.c': 'core_note(core, "room.adopted", o->id, hash_of(o, 1), 0);' });
  assert.deepEqual(problems, ['services/worker/b.c: "room.adopted" has no field for hash_of(o, 1) in list.h']);
  assert.deepEqual(judge({ 'services/worker/b.c': 'core_note(core, "room.adopted", id(o, 7), 0, 0);' }), []);
});
