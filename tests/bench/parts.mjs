// SPDX-License-Identifier: Apache-2.0
//
// Parts alone: the games' engines, and what a playing room takes of a worker's memory. Each is a program of its own, which
// prints what it found.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build, make, plain } from './cluster.mjs';
import { runs, tell } from './measure.mjs';

const ROOMS = 1000;

function said(program, ...words) {
  make(join(plain.BUILD, 'tests', program));
  return execFileSync(join(build, 'tests', program), words, { encoding: 'utf8' });
}

// `line` finds a name and a number in what the program says.
function measured(name, program, words, { line, unit }) {
  const results = Array.from({ length: runs }, () =>
    Object.fromEntries([...said(program, ...words).matchAll(line)].map(([, what, value]) => [what, Number(value)])));
  const names = Object.keys(results[0]);
  if (!names.length) throw new Error(`${program} told nothing`);
  return tell(name, results, Object.fromEntries(names.map((what) => [`${what}, ${unit}`, (r) => r[what]])));
}

export const engine = () => measured('engine', 'bench/engine_main', [],
  { line: /^> ([^:\n]+): ([\d.]+) million a second/gm, unit: 'million a second' });
export const density = () => measured('density', 'scale/density_main', [ROOMS],
  { line: /^> ([^:\n]+): \d+ rooms, .*: (\d+) bytes each$/gm, unit: 'bytes a room' });
