// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawn, finding, mutants, programsOf, shortens } from '../../.ci/mutants.mjs';

const LIST = `/* clang-format off */
#define MUTANTS(X) \\
    X(one_fault, "what is broken, told in a sentence", \\
      "unit/a_test:some_test" \\
      "sim/b_test", 20, 60) \\
    X(another, "more", \\
      "unit/a_test", 5, 0)
/* clang-format on */
`;

test('a row names its tests, its time and that of drawn runs', () => {
  const [one, another] = mutants(LIST);
  assert.deepEqual(one, {
    name: 'one_fault',
    broken: 'what is broken, told in a sentence',
    tests: [{ program: 'unit/a_test', test: 'some_test' }, { program: 'sim/b_test', test: undefined }],
    within_s: 20,
    drawn_s: 60,
  });
  assert.deepEqual([another.name, another.within_s, another.drawn_s], ['another', 5, 0]);
});

test('the list of the sources is read whole', () => {
  const rows = mutants();
  assert.ok(rows.length >= 29);
  assert.equal(new Set(rows.map((row) => row.name)).size, rows.length);
});

test('the README tells how many there are', () => {
  const [, told] = /plants faults in the real code and scripts, (\d+) of them/.exec(readFileSync('README.md', 'utf8')) ?? [];
  assert.equal(Number(told), mutants().length);
});

test('every program is built once', () => {
  const programs = ['sim/b_test', 'sim/sim_test', 'unit/a_test'].map((program) => `tree/tests/${program}`);
  assert.deepEqual(programsOf(mutants(LIST), 'tree'), programs);
});

test('a finding is the test that failed and what its checker said', () => {
  const said = `[ RUN      ] a_rule_holds
room 17: time falls from 9 to 3 with entry 4
[  ERROR   ] --- failure
[   LINE   ] --- tests/sim/x_test.c:1: error: Failure!
[  FAILED  ] a_rule_holds
`;
  assert.deepEqual(finding(said), { test: 'a_rule_holds', sentence: 'room 17: time falls from 9 to 3 with entry 4' });
});

test('an assertion speaks for itself, a broken invariant too', () => {
  assert.equal(finding('[ RUN      ] a\n[  ERROR   ] --- taken.epoch > epoch\n[  FAILED  ] a\n').sentence, 'taken.epoch > epoch');
  const dead = finding('[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\ninvariant broken: x == y (f.c:3)\n');
  assert.deepEqual(dead, { test: 'b', sentence: 'invariant broken: x == y (f.c:3)' });
});

test('a run that failed is not shortened: its sentence stands above how to repeat it', () => {
  const said = '[ RUN      ] rooms_rest\nroom 17: nobody is in it\n  repeat it: make sim SEED=3 NIGHT=1\n';
  assert.ok(shortens(said));
  assert.ok(!shortens('[ RUN      ] rooms_rest\n[       OK ] rooms_rest\n'));
  assert.deepEqual(finding(said), { test: 'rooms_rest', sentence: 'room 17: nobody is in it' });
});

test('a drawn run that failed tells its seed', () => {
  assert.deepEqual(drawn('> fresh\nseed 42: p1: version falls\n  at 3 s'), { seed: '42', sentence: 'p1: version falls' });
  assert.equal(drawn('> fresh seeds from 42 on\n'), undefined);
});
