// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkers } from '../../.ci/checkers.mjs';

const FAULTS = `
    X(two_owners, "broken", "sim/a_test:a", 20, 0) \\
    X(late_turn, "broken", "unit/room/a_test:b", 20, 0)`;
const numbers = Array.from({ length: 25 }, (_, i) => i + 1);
const TABLE = [
  'Words before.',
  '| rule | what | held by | proven by |',
  '|---|---|---|---|',
  `| ${numbers.slice(0, 24).join(', ')} | one owner | \`check_owner\` | \`two_owners\` |`,
  '| 25 | turns | `check_turn`, `unit/room/a_test` | `late_turn`, `checks_test` |',
].join('\n');
const WHOLE = ['tests/sim/check_owner.c', 'tests/sim/check_turn.c', 'tests/unit/room/a_test.c', 'tests/sim/a_test.c'];
const judge = (table = TABLE, files = WHOLE, faults = FAULTS) =>
  checkers(files, (file) => (file === 'table' ? table : faults), 'table', 'list');

test('a table that is whole is fine', () => assert.deepEqual(judge(), []));

test('a checker that is listed and not there, or there and not listed, is found', () => {
  assert.match(judge(TABLE, WHOLE.slice(1))[0], /check_owner is not there/);
  assert.match(judge(TABLE, [...WHOLE, 'tests/sim/check_new.c'])[0], /^tests\/sim\/check_new\.c: stands in no row/);
});

test('a rule that nothing holds is found', () => assert.match(judge(TABLE.replace('| 25 |', '| |'))[0], /nothing holds rule 25/));

test('a row without a proof, or with one that does not exist or that its checks do not find, is found', () => {
  assert.match(judge(TABLE.replace('`late_turn`, `checks_test`', ''))[0], /nothing proves that what holds 25/);
  assert.match(judge(TABLE.replace('`late_turn`', '`no_turn`'))[0], /no_turn is neither/);
  assert.match(judge(TABLE.replace(', `unit/room/a_test`', ''))[0], /late_turn is found by nothing in its row/);
});

test('a fault of the simulator that stands in no row is found', () =>
  assert.match(judge(TABLE.replace('`two_owners`', '`checks_test`'))[0], /two_owners stands in no row/));
