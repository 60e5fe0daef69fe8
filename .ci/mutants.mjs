// SPDX-License-Identifier: Apache-2.0
//
// The list of planted faults (libs/base/mutant.h), and what a test program that found one had to say.
import { readFileSync } from 'node:fs';

const TEXT = '"((?:[^"\\\\]|\\\\.)*)"';
const ROW = new RegExp(`^ {4}X\\((\\w+), ${TEXT},((?:\\s*${TEXT})+), (\\d+), (\\d+)\\)`, 'gm');

// [{ name, broken, tests: [{ program, test }], within_s, drawn_s }]; test: a pattern of names, or undefined for all.
export function mutants(text = readFileSync('libs/base/mutant.h', 'utf8')) {
  const list = text.replaceAll(/\s*\\\n/g, '\n');
  return [...list.matchAll(ROW)].map(([, name, broken, found, , within_s, drawn_s]) => ({
    name,
    broken,
    tests: [...found.matchAll(new RegExp(TEXT, 'g'))].map(([, place]) => {
      const [program, test] = place.split(':');
      return { program, test };
    }),
    within_s: Number(within_s),
    drawn_s: Number(drawn_s),
  }));
}

// The files of all that the rows name, each once.
export function programsOf(rows, tree) {
  const programs = new Set(rows.flatMap((row) => row.tests.map((test) => test.program)));
  if (rows.some((row) => row.drawn_s)) programs.add(DRAWN);
  return [...programs].sort().map((program) => `${tree}/tests/${program}`);
}

// Which program makes drawn runs, and which of its tests goes on with fresh ones.
export const DRAWN = 'sim/sim_test';

// What stands below the sentence of a run of the simulator that failed.
const AGAIN = 'repeat it: make sim';

// What found it: the test that failed, and the sentence of the checker, invariant or assertion.
export function finding(said) {
  const lines = said.split('\n').map((line) => line.trim());
  const failed = lines.map((line) => /^\[ {2}FAILED {2}\] (\w+)$/.exec(line)?.[1]).find(Boolean);
  const running = lines.map((line) => /^\[ RUN {6}\] (\w+)$/.exec(line)?.[1]).filter(Boolean).at(-1);
  return { test: failed ?? running ?? '', sentence: sentenceOf(lines) };
}

function sentenceOf(lines) {
  const broken = lines.find((line) => line.startsWith('invariant broken: '));
  if (broken) return broken;
  const again = lines.findIndex((line) => line.startsWith(AGAIN));
  if (again > 0) return lines[again - 1];
  const at = lines.findIndex((line) => line.startsWith('[  ERROR   ] ---'));
  if (at < 0) return '';
  const assertion = lines[at].slice('[  ERROR   ] --- '.length);
  const bare = /^(failure$|\[ {3}LINE|Test failed|0 != )/.test(assertion);
  // What the test itself said last stands before its end.
  const own = lines.slice(0, at).filter((line) => line && !/^(\[|>)/.test(line)).at(-1);
  return (bare && own ? own : assertion).replace(/^ERROR: /, '');
}

// What a drawn run that failed says of itself, as soon as it does.
export function drawn(said) {
  const [, seed, sentence] = /^seed (\d+): (.*)$/m.exec(said) ?? [];
  return seed && { seed, sentence };
}

// Whether a run has failed whose test now looks for how it can be repeated with less, which takes minutes.
export const shortens = (said) => said.split('\n').some((line) => line.trim().startsWith(AGAIN));
