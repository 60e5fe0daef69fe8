#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// The figures of the drills that the README shows. They lie in tests/drill/figures.json, with the machine and the day;
// the tables in the README are written from there and from nowhere else.
//   .ci/figures.mjs      takes what `make drill` left in $BUILD/drill into figures.json, and writes the tables anew
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT = 'tests/drill/figures.json';
const README = 'README.md';
const USUAL_MS = 100; // CROWD_USUAL_MS
const BETWEEN = /(<!-- drills: .*-->\n)[^]*?(<!-- \/drills -->)/;

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const long = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`);
const short = (us) => `${(us / 1000).toFixed(1)} ms`;

// One row for each drill. A drill whose figure is how long actions waited keeps those above USUAL_MS alone.
function rowOf(drill) {
  return [
    drill.fault, `${drill.runs} × ${Math.round(drill.times / drill.runs)}`, grouped(drill.rooms),
    ...[drill.p50_ms, drill.p99_ms].map((ms) => (drill.samples ? long(ms) : `< ${USUAL_MS} ms`)), grouped(drill.acknowledged),
    drill.lost, drill.doubled, drill.stalled,
  ];
}

function written({ machine, day, drills, timers }) {
  const head = ['fault', 'runs × times', 'rooms', 'p50', 'p99', 'acknowledged', 'lost', 'doubled', 'stalled rooms'];
  const rule = ['---', ...head.slice(1).map(() => '--:')];
  const rows = [head, rule, ...drills.map(rowOf)].map((row) => `| ${row.join(' | ')} |\n`).join('');
  return `${rows}
The timers alone, ${grouped(timers.armed)} deadlines armed, ${grouped(timers.due_per_second)} due each second, ` +
    `${timers.kills} kills of a timer in ${timers.runs} runs:
${grouped(timers.fires)} fires outside of kills, late by ${short(timers.p50_us)} (p50) and ${short(timers.p99_us)} (p99); ` +
    `in the second after a kill at most
${short(timers.after_kill_max_us)}; ${timers.lost} lost, ${timers.doubled} logged twice.

(${machine}; ${day})
`;
}

export function inReadme(readme, kept) {
  if (!BETWEEN.test(readme)) throw new Error(`${README} has no place for the figures of the drills`);
  return readme.replace(BETWEEN, (_, begin, end) => begin + written(kept) + end);
}

// For lint: whether the README says what was measured.
export function figures(text) {
  if (inReadme(text(README), JSON.parse(text(KEPT))) === text(README)) return [];
  return [`${README}: its figures of the drills are not those of ${KEPT} (.ci/figures.mjs writes them)`];
}

function keep() {
  const folder = join(process.env.BUILD || 'build', 'drill');
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const kept = read(KEPT);
  const drills = new Map(kept.drills.map((drill) => [`${drill.drill}-${drill.rooms}.json`, drill]));
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const result = read(join(folder, name));
    if (result.drill === 'timers') kept.timers = result;
    else if (!result.holds) throw new Error(`${name}: that drill failed`);
    else drills.set(name, result);
  }
  kept.machine = `${cpus().length} processors, ${cpus()[0].model}`;
  kept.day = new Date().toISOString().slice(0, 10);
  const order = [...readFileSync('tests/drill/drills.c', 'utf8').matchAll(/^ {4}X\((\w+)\)/gm)].map(([, name]) => name);
  const place = ({ drill, rooms }) => order.indexOf(drill.replaceAll('-', '_')) * 1e6 + rooms;
  kept.drills = [...drills.values()].sort((a, b) => place(a) - place(b));
  writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 1)}\n`);
  writeFileSync(README, inReadme(readFileSync(README, 'utf8'), kept));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(import.meta.dirname, '..'));
  keep();
}
