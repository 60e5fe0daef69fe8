// SPDX-License-Identifier: Apache-2.0
//
// What failed, in a few words: the last lines of a long run are all that is read of it by many.

const LINE_MAX = 200;
const NAMES_MAX = 4;

// Tests by name, and what ends a program: cmocka, node (TAP and prose), Playwright, vitest, sanitizers, CHECK.
const NAMES = [
  /^\[ {2}FAILED {2}\] (?!.*\d+ test\(s\))(.+)$/gm,
  /^ *not ok \d+ - (.+)$/gm,
  /^ *✖ (?!failing tests)(.+?)(?: \(\d.*\))?$/gm,
  /^ {2}\d+\) (.+ › .+)$/gm,
  /^ *FAIL +(.+)$/gm,
  /^ *[\d.]+ s {2}FAILED {2}\d+ {2}(.+)$/gm, // tests/e2e
  /^(\w+): problems/gm, // lint
  /(?:ERROR|WARNING): ((?:Address|Leak|Memory|Thread)Sanitizer: [\w-]+(?: memory leaks)?|libFuzzer: .+)/g,
  /(runtime error: .+)/g,
];

// One line for a program that failed: its name, which of its tests, and how it ended.
export function failure({ name, said, faults }) {
  const names = new Set(NAMES.flatMap((pattern) => [...said.matchAll(pattern)].map((match) => match[1].trim())));
  const told = [...names].slice(0, NAMES_MAX);
  if (names.size > told.length) told.push(`${names.size - told.length} more`);
  const line = `${name}: ${[...told, ...faults].join('; ')}`;
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 3)}...` : line;
}
