// SPDX-License-Identifier: Apache-2.0
//
// How many tests a program ran, read from what it printed.

const number = (text) => (text === undefined ? 0 : Number(text));
const total = (matches) => [...matches].reduce((all, match) => all + Number(match[1]), 0);

// cmocka: a program may run several groups. One that dies within a group has announced more tests than it ended.
function cmocka(said) {
  const announced = total(said.matchAll(/^\[==========\] .*?Running (\d+) test/gm));
  if (announced === 0) return null;
  const ended = total(said.matchAll(/^\[==========\] .*?(\d+) test\(s\) run\./gm));
  const skipped = total(said.matchAll(/^\[  SKIPPED \] .*?(\d+) test\(s\)/gm));
  if (ended === announced) {
    const passed = total(said.matchAll(/^\[  PASSED  \] .*?(\d+) test\(s\)\./gm));
    return { passed, skipped, failed: ended - passed - skipped };
  }
  const passed = [...said.matchAll(/^\[       OK \]/gm)].length;
  return { passed, skipped: 0, failed: announced - passed };
}

// `N passed, N failed[, N skipped]` alone on a line; the last one counts.
function plain(said) {
  const lines = [...said.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const last = lines.at(-1);
  return last && { passed: number(last[1]), failed: number(last[2]), skipped: number(last[3]) };
}

// node --test, as TAP (`# pass 3`) and as prose (`ℹ pass 3`).
function node(said) {
  const of = (word) => total(said.matchAll(new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, 'gm')));
  if (!/^(?:#|ℹ) pass \d+$/m.test(said)) return null;
  return { passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
}

// vitest: `Tests  1 failed | 11 passed | 2 skipped (14)`.
function vitest(said) {
  const line = /^\s*Tests\s+(.*)\(\d+\)\s*$/m.exec(said)?.[1];
  if (line === undefined) return null;
  const of = (word) => number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1]);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') + of('todo') };
}

// Playwright: `  12 passed (1.2m)`, each outcome on a line of its own.
function playwright(said) {
  const of = (word) => number(new RegExp(`^ {2}(\\d+) ${word}(?: \\(.*\\))?$`, 'm').exec(said)?.[1]);
  const result = {
    passed: of('passed') + of('flaky'),
    failed: of('failed') + of('interrupted'),
    skipped: of('skipped') + of('did not run'),
  };
  return result.passed + result.failed + result.skipped > 0 ? result : null;
}

// libFuzzer ends in `Done N runs in N second(s)` when it found nothing.
function fuzzer(said) {
  return /^Done \d+ runs in \d+ second/m.test(said) ? { passed: 1, failed: 0, skipped: 0 } : null;
}

// The smoke test: `N games finished`.
function smoke(said) {
  const games = /^(\d+) games? finished$/m.exec(said);
  return games && { passed: Number(games[1]), failed: 0, skipped: 0 };
}

export function count(said) {
  for (const reader of [cmocka, plain, node, vitest, playwright, fuzzer, smoke]) {
    const result = reader(said);
    if (result) return result;
  }
  return { passed: 0, failed: 0, skipped: 0 };
}

export function sum(results) {
  const all = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) for (const key in all) all[key] += result[key];
  return all;
}
