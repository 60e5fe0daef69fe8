// SPDX-License-Identifier: Apache-2.0
//
// Holds the table of checks in tests/sim/README.md against what is there: each numbered rule has a row, each checker
// (tests/sim/check_*.c) stands in one and is there, and each row names what proves that its checks can fail: faults of
// libs/base/mutant.h, or the test that shows them by hand. A fault that a test of the simulator must find stands in it too.
import { mutants } from './mutants.mjs';

const RULES = 25;
const FOLDER = 'tests/sim/';
const BY_HAND = 'checks_test';
const CELLS = 4; // of a row

const named = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

function rowsOf(table) {
  const rows = table.split('\n').filter((line) => /^\|[ \d,]*\|/.test(line));
  return rows.map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
}

// Where `check_x` or `unit/room/action_test` lies.
const isThere = (files, name) =>
  files.some((file) => [`${FOLDER}${name}.c`, `tests/${name}.c`].includes(file) || file.startsWith(`tests/${name}/`));

// Runs of the simulator, or a test that the row names.
const finds = (held, { tests, drawn_s }) => {
  const beside = (program) => held.some((name) => program === name || program.startsWith(`${name}/`));
  return drawn_s > 0 || tests.some(({ program }) => program.startsWith('sim/') || beside(program));
};

export function checkers(files, text, table = `${FOLDER}README.md`, list = 'libs/base/mutant.h') {
  const rows = rowsOf(text(table));
  const faults = mutants(text(list));
  const problems = rows
    .filter((row) => row.length !== CELLS)
    .map((row) => `${table}: not ${CELLS} cells: ${row.join(' | ')}`);
  const whole = rows.filter((row) => row.length === CELLS);
  const rules = new Set(whole.flatMap((row) => row[0].split(',').map(Number)));
  for (let rule = 1; rule <= RULES; rule++) if (!rules.has(rule)) problems.push(`${table}: nothing holds rule ${rule}`);

  const held = new Set(whole.flatMap((row) => named(row[2])));
  for (const name of held) if (!isThere(files, name)) problems.push(`${table}: ${name} is not there`);
  for (const file of files) {
    const name = new RegExp(`^${FOLDER}(check_\\w+)\\.c$`).exec(file)?.[1];
    if (name && !held.has(name)) problems.push(`${file}: stands in no row of ${table}`);
  }

  const known = new Set([BY_HAND, ...faults.map((fault) => fault.name)]);
  const proofs = new Set(whole.flatMap((row) => named(row[3])));
  for (const [rule, what, by, proven] of whole) {
    for (const fault of faults.filter(({ name }) => named(proven).includes(name)))
      if (!finds(named(by), fault)) problems.push(`${table}: ${fault.name} is found by nothing in its row`);
    if (!named(proven).length) problems.push(`${table}: nothing proves that what holds ${rule || what} can fail`);
  }
  for (const name of proofs)
    if (!known.has(name)) problems.push(`${table}: ${name} is neither a fault of ${list} nor ${BY_HAND}`);
  for (const { name, tests } of faults)
    if (tests.some((test) => test.program.startsWith('sim/')) && !proofs.has(name))
      problems.push(`${list}: ${name} stands in no row of ${table}`);
  return problems;
}
