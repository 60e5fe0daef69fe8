// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../.ci/failures.mjs';

const of = (said, faults = []) => failure({ name: 'one', said, faults });

test('a cmocka test that failed is named once, though it is printed twice', () => {
  const said = `[ RUN      ] a_view_is_whole
[  FAILED  ] a_view_is_whole
[  FAILED  ] views: 1 test(s), listed below:
[  FAILED  ] a_view_is_whole
`;
  assert.equal(of(said, ['ended with status 1']), 'one: a_view_is_whole; ended with status 1');
});

test('node, Playwright and vitest name theirs', () => {
  assert.equal(of('not ok 3 - the games were played\n'), 'one: the games were played');
  assert.equal(of('✖ the games were played (12.5ms)\n✖ failing tests:\n'), 'one: the games were played');
  assert.equal(of('  1) out/a.test.js:3:1 › a seat is taken over ──\n'), 'one: out/a.test.js:3:1 › a seat is taken over ──');
  assert.equal(of(' FAIL  src/a.test.ts > a seat\n'), 'one: src/a.test.ts > a seat');
  assert.equal(of('   51.9 s  FAILED  57  the screens are fit\n'), 'one: the screens are fit');
  assert.equal(of('format: problems (43.1 s)\n'), 'one: format');
  assert.equal(of('* one_fault sim/sim_test  0.4 s  not found: what it breaks\n'), 'one: one_fault sim/sim_test');
});

test('what a sanitizer found is told, and what ended a program', () => {
  const said = '[  FAILED  ] 1 test(s), listed below:\n==7==ERROR: LeakSanitizer: detected memory leaks\n';
  assert.equal(of(said, ['died of SIGKILL']),
    'one: LeakSanitizer: detected memory leaks; died of SIGKILL');
  assert.equal(of('', ['was not done in 60 s']), 'one: was not done in 60 s');
});

test('many are a number, and a line is no longer than a screen', () => {
  const said = Array.from({ length: 9 }, (_, i) => `not ok ${i} - test ${i}\n`).join('');
  assert.equal(of(said), 'one: test 0; test 1; test 2; test 3; 5 more');
  assert.equal(of(`not ok 1 - ${'long '.repeat(100)}\n`).length, 200);
});

test('a few reasons stand below', () => {
  const said = `! lost 1, doubled 0
  ! not at the start of a line
[  ERROR   ] --- 3 != 4
[   LINE   ] --- tests/unit/view_test.c:36: error: Failure!
[  FAILED  ] a_view_is_whole
`;
  assert.equal(of(said), `one: a_view_is_whole
  lost 1, doubled 0
  3 != 4
  tests/unit/view_test.c:36`);
  assert.equal(of('✖ the games were played (12.5ms)\n  AssertionError [ERR_ASSERTION]: no winner\n'),
    'one: the games were played\n  no winner');
});
