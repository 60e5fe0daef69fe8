#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// What `make bench` measured, as the README shows it. The figures lie in tests/bench/figures.json, with the machine, the
// versions and the day, the plots in .github/bench; the tables in the README are written from there and from nowhere else.
//   .ci/bench-figures.mjs    takes over what $BUILD/bench holds, and writes the tables anew
// The standard set is taken over as a whole; what was measured apart (ONLY=) takes the place of its former figures alone,
// and says of which version it is.
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
  'of it not the kernel\'s (user space), µs': 'user CPU us a claim, whole cluster',
  '- gateway, user space': 'user CPU us a claim, gateway',
  '- worker, user space': 'user CPU us a claim, worker',
  '- Redis, user space': 'user CPU us a claim, redis',
  'own receipt, p50, ms': 'own receipt, p50 ms',
  'own receipt, p99, ms': 'own receipt, p99 ms',
  "last player's frame, p99, ms": "last player's frame, p99 ms",
  'bytes down, all four players': 'bytes down a claim',
  'bytes up': 'bytes up a claim',
};

// What else was promised: the figure (of one measurement, or one of them divided by that of another), and its bound.
const CPU = 'CPU us a claim, whole cluster', USER = `user ${CPU}`;
const PROMISED = [
  ['from `make run`, built, to the first page, s', 'start', 's to the first page', 2],
  ['from `make run`, built, to the first game, s', 'start', 's to the first game', 2],
  ['rooms of a worker that is killed', 'resume', 'rooms', 10_000],
  ['all of them live, from the start of the next worker, s', 'resume', 's from its start to all rooms', 2],
  ['CPU of a claim with two gateways and two workers, times that with one of each', ['pairs', 'half'], CPU, 1.1],
  ['user-space CPU of a claim with 10,000 on their way, times that with 10', ['rooms-10000', 'rooms-10'], USER, 1.2],
  ['all CPU of it, times', ['rooms-10000', 'rooms-10'], CPU, 1.6],
  ['user-space CPU of a claim with 10,000 on their way, times that with 1,000', ['rooms-10000', 'rooms-1000'], USER, 1.2],
  ['all CPU of it, times', ['rooms-10000', 'rooms-1000'], CPU, 1.6],
  ['user-space CPU of a claim beside 14,000 connections, times that beside 2,000', ['connections-14000', 'connections-2000'],
    USER, 1.2],
  ['all CPU of it, times', ['connections-14000', 'connections-2000'], CPU, 1.6],
  ['connections that eight gateways hold at once', 'held', 'connections', 100_000],
  ['memory of a gateway for each of them, KB', 'held', 'KB of the gateways a connection', 4],
  ['500 claims a second meanwhile: own receipt, p99, ms', 'held', 'own receipt, p99 ms'],
  ['a room of Da Vinci Code that plays, in a worker, bytes', 'density', 'davinci-code, bytes a room', 8192],
  ['one of Dobble', 'density', 'dobble, bytes a room', 8192],
  ['one of number baseball', 'density', 'number-baseball, bytes a room', 8192],
  ['engine alone, million actions a second: Dobble', 'engine', 'dobble, the tower of four, million a second', 5],
  ['Da Vinci Code', 'engine', 'da vinci, four players, million a second', 2],
  ['judgements of number baseball', 'engine', 'number baseball, judgements, million a second', 50],
  ['a tap in Chromium to the painted answer, p50, ms', 'tap', 'tap to painted answer, p50 ms'],
  ['a tap in Chromium to the painted answer, p95, ms', 'tap', 'tap to painted answer, p95 ms', 50],
];

function shown(value) {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}
const cell = ({ median, min, max }) => (min === max ? shown(median) : `${shown(median)} (${shown(min)} to ${shown(max)})`);
const row = (cells) => `| ${cells.join(' | ')} |\n`;

function closed(measurements) {
  const found = CLOSED.map((name) => measurements.find((each) => each.name === name));
  const rows = Object.entries(ROWS).filter(([, what]) => found.every(({ figures }) => figures[what]))
    .map(([label, what]) => row([label, ...found.map(({ figures }) => cell(figures[what]))]));
  return row(['claims in flight, each in a room of its own', ...CLOSED.map((name) => name.slice('closed-'.length))]) +
    row(['---', ...CLOSED.map(() => '--:')]) + rows.join('');
}

// Which were measured apart, and when.
function apart(measurements) {
  const names = new Map();
  for (const { name, of: { version, day, runs } } of measurements) {
    const when = `${runs} runs of ${version}, ${day}`;
    names.set(when, [...names.get(when) ?? [], `\`${name}\``]);
  }
  return [...names].map(([when, which]) => `${which.join(', ')}: ${when}`).join('; ');
}

// What was measured of what else was promised; nothing where nothing was.
function promised(measurements) {
  const found = (name) => measurements.find((each) => each.name === name);
  const rows = [], used = new Set();
  for (const [label, which, what, bound] of PROMISED) {
    const [one, other] = [which].flat().map(found);
    if (!one?.figures[what] || (Array.isArray(which) && !other?.figures[what])) continue;
    const figure = one.figures[what];
    const here = other ? shown(figure.median / other.figures[what].median) : cell(figure);
    rows.push(row([label, here, bound === undefined ? '' : bound.toLocaleString('en')]));
    for (const each of [one, other]) if (each?.of) used.add(each);
  }
  if (!rows.length) return '';
  const whence = used.size ? `\n(${apart(used)})\n` : '';
  return `\n${row(['', 'here', 'promised'])}${row(['---', '--:', '--:'])}${rows.join('')}${whence}`;
}

function written({ machine, system, redis, version, day, runs, seconds, measurements }) {
  const half = measurements.find(({ name }) => name === 'half').figures;
  const { idle } = measurements.find(({ name }) => name === 'idle');
  const most = idle.at(-1);
  const others = Math.max(...measurements.filter(({ of }) => !of)
    .map(({ figures }) => figures?.['others on the machine, cores']?.max ?? 0));
  return `${closed(measurements)}
At half of what saturates (${shown(half['claims a second'].median)} claims a second, each timed from when it was due): own receipt
p50 ${cell(half['own receipt, p50 ms'])} ms and p99 ${cell(half['own receipt, p99 ms'])} ms, the last player's frame
p99 ${cell(half["last player's frame, p99 ms"])} ms. People who only sit there:
${most.count.toLocaleString('en')} of them in a gateway take ${shown(most.memory_kb / most.count)} KB each, and
${shown(100 * most.cores)} % of a core, the whole cluster counted.
${promised(measurements)}
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
const told = ({ name, figures, doubts, runs }) => (name === 'idle'
  ? { name, idle: runs.map(({ count, memory_kb, cores }) => ({ count, memory_kb, cores })) } : { name, figures, doubts });

const isWhole = (measurements) => [...CLOSED, 'half', 'idle'].every((name) => measurements.some((each) => each.name === name));

// What is kept from now on, of what was and of what `make bench` has just measured.
export function takeOver(kept, { measurements, ...head }) {
  const is = (name) => measurements.some((each) => each.name === name);
  const from = ({ version, day, runs, seconds }) => ({ version, day, runs, seconds });
  const whole = isWhole(measurements);
  const former = kept.measurements.filter(({ name }) => !is(name))
    .map((each) => (whole ? { ...each, of: each.of ?? from(kept) } : each));
  const fresh = measurements.map((each) => (whole ? told(each) : { ...told(each), of: from(head) }));
  const { measurements: _, ...former_head } = kept;
  const redis = /v=([\d.]+)/.exec(head.redis)?.[1];
  const now = whole ? { ...head, redis: redis ? `Redis ${redis}` : head.redis } : former_head;
  return { ...now, measurements: [...former, ...fresh] };
}

function keep() {
  const folder = join(process.env.BUILD || 'build', 'bench');
  const measured = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8'));
  const kept = takeOver(JSON.parse(readFileSync(KEPT, 'utf8')), measured);
  writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 1)}\n`);
  mkdirSync(PLOTS, { recursive: true });
  if (isWhole(measured.measurements))
    for (const name of ['cpu.svg', 'latency.svg', 'memory.svg']) copyFileSync(join(folder, name), join(PLOTS, name));
  writeFileSync(README, inReadme(readFileSync(README, 'utf8'), kept));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(import.meta.dirname, '..'));
  keep();
}
