// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, sum } from '../../.ci/count.mjs';

const result = (passed, failed, skipped) => ({ passed, failed, skipped });

test('cmocka: passed, failed and skipped tests of all groups', () => {
  const said = `[==========] Running 3 test(s).
[ RUN      ] ok
[       OK ] ok
[ RUN      ] bad
[  ERROR   ] --- 0x1 != 0x2
[  FAILED  ] bad
[ RUN      ] later
[  SKIPPED ] later
[==========] 3 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] later
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] bad
[==========] group two: Running 2 test(s).
[==========] group two: 2 test(s) run.
[  PASSED  ] 2 test(s).
`;
  assert.deepEqual(count(said), result(3, 1, 1));
});

test('cmocka: tests that a dying program did not reach have failed', () => {
  const said = `[==========] Running 3 test(s).
[ RUN      ] ok
[       OK ] ok
[ RUN      ] deadly
`;
  assert.deepEqual(count(said), result(1, 2, 0));
});

test('plain: the last line counts, and only a line of its own', () => {
  assert.deepEqual(count('1 passed, 0 failed\nfoo\n7 passed, 2 failed, 1 skipped\n'), result(7, 2, 1));
  assert.deepEqual(count('it said 7 passed, 2 failed\n'), result(0, 0, 0));
});

test('node: TAP and prose', () => {
  assert.deepEqual(count('# pass 4\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 0\n'), result(4, 2, 2));
  assert.deepEqual(count('ℹ pass 4\nℹ fail 0\n'), result(4, 0, 0));
});

test('vitest', () => {
  assert.deepEqual(count('      Tests  1 failed | 11 passed | 2 skipped (14)\n'), result(11, 1, 2));
  assert.deepEqual(count('      Tests  11 passed (11)\n'), result(11, 0, 0));
});

test('Playwright: a flaky test has passed, an interrupted one has not', () => {
  const said = '  1 failed\n    [x] a test\n  1 flaky\n  1 interrupted\n  2 skipped\n  12 passed (1.2m)\n';
  assert.deepEqual(count(said), result(13, 2, 2));
});

test('a fuzz target that found nothing, and the smoke test', () => {
  assert.deepEqual(count('Done 79473 runs in 21 second(s)\n'), result(1, 0, 0));
  assert.deepEqual(count('3 games finished\n'), result(3, 0, 0));
});

test('silence is no result', () => {
  assert.deepEqual(count(''), result(0, 0, 0));
});

test('sums', () => {
  assert.deepEqual(sum([result(1, 2, 3), result(10, 20, 30)]), result(11, 22, 33));
});
