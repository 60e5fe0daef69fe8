// SPDX-License-Identifier: Apache-2.0
//
// What failed, in a few words: the last lines of a long run are all that is read of it by many.

const LINE_MAX = 200;
const NAMES_MAX = 4;
const REASONS_MAX = 3;

// Tests by name, and what ends a program: cmocka, node (TAP and prose), Playwright, vitest, planted faults, sanitizers.
const NAMES = [
  /^\[ {2}FAILED {2}\] (?!.*\d+ test\(s\))(.+)$/gm,
  /^ *not ok \d+ - (.+)$/gm,
  /^ *✖ (?!failing tests)(.+?)(?: \(\d.*\))?$/gm,
  /^ {2}\d+\) (.+ › .+)$/gm,
  /^ *FAIL +(.+)$/gm,
  /^ *[\d.]+ s {2}FAILED {2}\d+ {2}(.+)$/gm, // tests/e2e
  /^(\w+): problems/gm, // lint
  /^\* (\w+ +\S+) .* not found: /gm, // a planted fault
  /(?:ERROR|WARNING): ((?:Address|Leak|Memory|Thread)Sanitizer: [\w-]+(?: memory leaks)?|libFuzzer: .+)/g,
  /(runtime error: .+)/g,
];

// Why: lines of a program that start with "! ", and what cmocka, node and Playwright say of the first assertions.
const REASONS = [
  /^! (.+)$/gm,
  /^\[ {2}ERROR {3}\] --- (.+)$/gm,
  /^(?:\[ {3}LINE {3}\] --- )?(\S+:\d+): error: Failure!$/gm,
  /^\s*(?:AssertionError \[ERR_ASSERTION\]|Error): (.+)$/gm,
];

// For a program that failed: a line with its name, which of its tests, and how it ended; then a few lines that say why.
export function failure({ name, said, faults }) {
  const names = found(NAMES, said);
  const told = names.slice(0, NAMES_MAX);
  if (names.length > told.length) told.push(`${names.length - told.length} more`);
  const reasons = found(REASONS, said).slice(0, REASONS_MAX);
  return [`${name}: ${[...told, ...faults].join('; ')}`, ...reasons.map((reason) => `  ${reason}`)].map(shortened).join('\n');
}

function found(patterns, said) {
  return [...new Set(patterns.flatMap((pattern) => [...said.matchAll(pattern)].map((match) => match[1].trim())))];
}

function shortened(line) {
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 3)}...` : line;
}
