#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// What `make bench` measured, as the README shows it. The figures lie in tests/bench/figures.json, with the machine, the
// versions and the day, the plots in .github/bench; the tables in the README are written from there and from nowhere else.
//   .ci/bench-figures.mjs    takes over what $BUILD/bench holds, and writes the tables anew
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEPT = 'tests/bench/figures.json', README = 'README.md', PLOTS = '.github/bench';
const BETWEEN = /(<!-- bench: .*-->\n)[^]*?(<!-- \/bench -->)/;
const CLOSED = ['closed-10', 'closed-100', 'closed-1000'];
const ROWS = {
  'accepted, durable claims a second': 'claims a second',
  'CPU of the whole cluster for one, µs': 'CPU us a claim, whole cluster',
  '- gateway': 'CPU us a claim, gateway',
  '- worker': 'CPU us a claim, worker',
  '- Redis': 'CPU us a claim, redis',
  '- timer': 'CPU us a claim, timer',
  'own receipt, p50, ms': 'own receipt, p50 ms',
  'own receipt, p99, ms': 'own receipt, p99 ms',
  "last player's frame, p99, ms": "last player's frame, p99 ms",
  'bytes down, all four players': 'bytes down a claim',
  'bytes up': 'bytes up a claim',
};

function shown(value) {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}
const cell = ({ median, min, max }) => `${shown(median)} (${shown(min)} to ${shown(max)})`;
const row = (cells) => `| ${cells.join(' | ')} |\n`;

function closed(measurements) {
  const found = CLOSED.map((name) => measurements.find((each) => each.name === name));
  const rows = Object.entries(ROWS).map(([label, what]) => row([label, ...found.map(({ figures }) => cell(figures[what]))]));
  return row(['claims in flight, each in a room of its own', ...CLOSED.map((name) => name.slice('closed-'.length))]) +
    row(['---', ...CLOSED.map(() => '--:')]) + rows.join('');
}

function written({ machine, system, redis, version, day, runs, seconds, measurements }) {
  const half = measurements.find(({ name }) => name === 'half').figures;
  const { idle } = measurements.find(({ name }) => name === 'idle');
  const most = idle.at(-1);
  const others = Math.max(...measurements.map(({ figures }) => figures?.['others on the machine, cores'].max ?? 0));
  return `${closed(measurements)}
At half of what saturates (${shown(half['claims a second'].median)} claims a second, each timed from when it was due): own receipt
p50 ${cell(half['own receipt, p50 ms'])} ms and p99 ${cell(half['own receipt, p99 ms'])} ms, the last player's frame
p99 ${cell(half["last player's frame, p99 ms"])} ms. People who only sit there:
${most.count.toLocaleString('en')} of them in a gateway take ${shown(most.memory_kb / most.count)} KB each, and
${shown(100 * most.cores)} % of a core, the whole cluster counted.

![CPU for a claim against claims in flight](${PLOTS}/cpu.svg)
![Latency against load](${PLOTS}/latency.svg)
![Memory of a gateway against connections](${PLOTS}/memory.svg)

(Medians of ${runs} runs of ${seconds} s, with the least and the most; ${machine}, of which others took up to
${shown(others)} meanwhile; ${system}; ${redis}; ${version}; ${day})
`;
}

export function inReadme(readme, kept) {
  if (!BETWEEN.test(readme)) throw new Error(`${README} has no place for the figures of the bench`);
  return readme.replace(BETWEEN, (_, begin, end) => begin + written(kept) + end);
}

// For lint: whether the README says what was measured.
export function benchFigures(text) {
  if (inReadme(text(README), JSON.parse(text(KEPT))) === text(README)) return [];
  return [`${README}: its figures of the bench are not those of ${KEPT} (.ci/bench-figures.mjs writes them)`];
}

// The runs themselves stay behind; what is told of them is kept.
function keep() {
  const folder = join(process.env.BUILD || 'build', 'bench');
  const { measurements, ...head } = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8'));
  const kept = { ...head, measurements: measurements.map(({ name, figures, doubts, runs }) => (name === 'idle'
    ? { name, idle: runs.map(({ count, memory_kb, cores }) => ({ count, memory_kb, cores })) } : { name, figures, doubts })) };
  kept.redis = /v=([\d.]+)/.test(kept.redis) ? `Redis ${/v=([\d.]+)/.exec(kept.redis)[1]}` : kept.redis;
  writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 1)}\n`);
  mkdirSync(PLOTS, { recursive: true });
  for (const name of ['cpu.svg', 'latency.svg', 'memory.svg']) copyFileSync(join(folder, name), join(PLOTS, name));
  writeFileSync(README, inReadme(readFileSync(README, 'utf8'), kept));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(import.meta.dirname, '..'));
  keep();
}
