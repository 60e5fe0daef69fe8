#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// `make bench`: the standard measurements of a whole cluster, its Redis included, on one core, with the load on another.
// Each run has a cluster of its own, from `madangctl up` with the defaults (AOF every second). Prints medians with minimum
// and maximum, writes bench.json and the plots into $BUILD/bench.
//
//   RUNS=5       runs of each measurement      SECONDS=8   that each of them lasts
//   ONLY=a,b     these measurements alone      CORES=0,1   of the cluster, of the load
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { plot, spread } from './plot.mjs';

const build = resolve(process.env.BUILD || 'build');
const out = join(build, 'bench');
const runs = Number(process.env.RUNS || 5), seconds = Number(process.env.SECONDS || 8);
const only = (process.env.ONLY || '').split(',').filter(Boolean);
const [core, load_core] = (process.env.CORES || '0,1').split(',');
const pinned = availableParallelism() > 1;
const START_MS = 30_000, STOP_MS = 60_000, WARM_UP_S = 4;
const FAULTY = 1, USAGE = 2, UNBEGUN = 3; // exit codes of madang-load after which there are no figures
const SHARES = [0.2, 0.4, 0.6, 0.8, 0.95]; // of saturation
const IDLE = [1000, 4000, 8000, 14000];

// 53 claims to a game, then 3 s until the next can be played: so many rooms more keep as many claims on their way.
const CLOSED = [
  { name: 'closed-10', in_flight: 10, rooms: 500 },
  { name: 'closed-100', in_flight: 100, rooms: 1000 },
  { name: 'closed-1000', in_flight: 1000, rooms: 2000 },
];

// ---- one run --------------------------------------------------------------------------------------------------------------

const pin = (on, argv) => (pinned ? ['taskset', '-c', on, ...argv] : argv);
const bin = (name) => join(build, 'bin', name);

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

// Starts a cluster, plays, stops it. What madang-load wrote as JSON.
async function run(flags) {
  const folder = mkdtempSync(join(tmpdir(), 'madang-bench-')), port = await freePort();
  mkdirSync(join(folder, 'web'));
  writeFileSync(join(folder, 'web/index.html'), '<!doctype html><title>bench</title>');
  const folders = [`--data=${folder}/data`, `--web-dir=${folder}/web`];
  const argv = pin(core, [bin('madangctl'), 'up', `--port=${port}`, ...folders, '--workers=1']);
  const cluster = spawn(argv[0], argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = new Promise((done) => cluster.on('exit', done));
  const up = new Promise((done, fail) => {
    const take = (text) => { said += text; if (said.includes('Madang is up')) done(); };
    cluster.stdout.on('data', take);
    cluster.stderr.on('data', take);
    ended.then(() => fail(new Error(`the cluster ended: ${said}`)));
    setTimeout(() => fail(new Error(`the cluster did not start: ${said}`)), START_MS).unref();
  });
  try {
    await up;
    return await play([...flags, `--cluster=${folder}/data`, `127.0.0.1:${port}`]);
  } finally {
    cluster.kill('SIGINT');
    const late = setTimeout(() => cluster.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  }
}

function play(flags) {
  const times = [`--warm-up=${WARM_UP_S}`, `--duration=${seconds}`];
  const argv = pin(load_core, [bin('madang-load'), '--quiet', '--json=-', ...times, ...flags]);
  const load = spawn(argv[0], argv.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  load.stdout.on('data', (more) => (text += more));
  return new Promise((done, fail) => load.on('exit', (code) => {
    if (code !== null && ![FAULTY, USAGE, UNBEGUN].includes(code)) done(JSON.parse(text));
    else fail(new Error(`madang-load ${flags.join(' ')} ended with ${code}\n${text}`));
  }));
}

// ---- what is told ---------------------------------------------------------------------------------------------------------

const service = (name) => name.replace(/-\d+$/, '');
const cpuOf = (result, of) =>
  result.watched.filter(({ name }) => service(name) === of).reduce((sum, { cpu_s }) => sum + cpu_s, 0);
const down = ({ per_action: { views_down, answers_down } }) => views_down.bytes + answers_down.bytes;
const troubles = ({ errors }) => Object.values(errors).reduce((sum, count) => sum + count, 0);
const SERVICES = ['gateway', 'worker', 'redis', 'timer', 'matchmaker'];
const OF_CLAIMS = {
  'claims a second': (r) => r.accepted_per_s,
  'CPU us a claim, whole cluster': (r) => r.cpu_us_per_action,
  ...Object.fromEntries(SERVICES.map((name) => [`CPU us a claim, ${name}`, (r) => (1e6 * cpuOf(r, name)) / r.accepted])),
  'own receipt, p50 ms': (r) => r.own_ms.p50,
  'own receipt, p99 ms': (r) => r.own_ms.p99,
  "last player's frame, p50 ms": (r) => r.last_ms.p50,
  "last player's frame, p99 ms": (r) => r.last_ms.p99,
  'bytes down a claim': down,
  'bytes up a claim': (r) => r.per_action.acts_up.bytes,
  'frames down a claim': (r) => r.per_action.views_down.frames + r.per_action.answers_down.frames,
  'in flight': (r) => r.in_flight,
  'load generator, % of a core': (r) => 100 * r.generator.cores,
  'others on the machine, cores': (r) => r.others_cores,
  'refused, broken, unanswered': troubles,
};

function few(value) {
  if (value === null) return '-';
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}

function tell(name, results) {
  const table = Object.fromEntries(Object.entries(OF_CLAIMS).map(([what, of]) => [what, spread(results.map(of))]));
  console.log(`\n${name}, ${results.length} runs: median (minimum to maximum)`);
  for (const [what, { median, min, max }] of Object.entries(table))
    console.log(`  ${what.padEnd(32)} ${few(median).padStart(9)}  (${few(min)} to ${few(max)})`);
  const doubts = [...new Set(results.flatMap((result) => result.doubts))];
  for (const doubt of doubts) console.log(`  ! ${doubt}`);
  return { name, figures: table, doubts, runs: results };
}

async function measure(name, flags) {
  const results = [];
  for (let i = 0; i < runs; i++) results.push(await run(flags));
  return tell(name, results);
}

// ---- the standard set -----------------------------------------------------------------------------------------------------

const wanted = (name) => !only.length || only.includes(name);
const median = (measured, what) => measured.figures[what].median;

async function closed(found) {
  for (const { name, in_flight, rooms } of CLOSED.filter((each) => wanted(each.name)))
    found.push({ ...(await measure(name, [`--rooms=${rooms}`, `--in-flight=${in_flight}`])), in_flight });
  const measured = found.filter(({ in_flight }) => in_flight);
  if (measured.length < 2) return;
  const names = ['whole cluster', ...SERVICES];
  const points = (name) => measured.map((each) => [each.in_flight, median(each, `CPU us a claim, ${name}`)]);
  writeFileSync(join(out, 'cpu.svg'), plot({
    title: 'CPU per claim', x: 'claims in flight, each in a room of its own', y: 'microseconds', decades: true,
    series: names.map((name) => ({ name, points: points(name) })),
  }));
}

async function open(found) {
  if (!wanted('half') && !wanted('curve')) return;
  const saturated = found.find(({ name }) => name === 'closed-100') ??
    await measure('closed-100', ['--rooms=1000', '--in-flight=100']);
  const most = median(saturated, 'claims a second');
  const flags = (share) => ['--rooms=1000', `--rate=${Math.round(most * share)}`];
  if (wanted('half')) found.push(await measure('half', flags(0.5)));
  if (!wanted('curve')) return;
  const curve = [];
  for (const share of SHARES) curve.push(await run(flags(share)));
  found.push({ name: 'curve', runs: curve });
  const series = [['own, p50', 'own_ms', 'p50'], ['own, p99', 'own_ms', 'p99'], ['last player, p99', 'last_ms', 'p99']];
  writeFileSync(join(out, 'latency.svg'), plot({
    title: 'Latency against load (one run each)', x: 'claims a second that were due', y: 'milliseconds',
    series: series.map(([name, of, which]) => ({ name, points: curve.map((each) => [each.rate, each[of][which]]) })),
  }));
}

async function idle(found) {
  if (!wanted('idle')) return;
  const steps = [];
  console.log('\nidle, one run each: seated connections, KB resident a connection, % of a core');
  for (const count of IDLE) {
    const result = await run(['--rooms=0', `--idle=${count}`]);
    const gateway = result.watched.find(({ name }) => service(name) === 'gateway');
    const cores = result.watched.reduce((sum, each) => sum + each.cores, 0);
    steps.push({ count, memory_kb: gateway.memory_kb, cores, result });
    const each_kb = (gateway.memory_kb / count).toFixed(2);
    console.log(`  ${String(count).padStart(6)}  gateway ${each_kb} KB  all ${(100 * cores).toFixed(1)} %`);
  }
  found.push({ name: 'idle', runs: steps });
  writeFileSync(join(out, 'memory.svg'), plot({
    title: 'Memory of a gateway', x: 'idle seated connections', y: 'MB resident',
    series: [{ name: 'gateway', points: steps.map(({ count, memory_kb }) => [count, memory_kb / 1024]) }],
  }));
}

const found = [];
mkdirSync(out, { recursive: true });
if (!pinned) console.log('one processor: the cluster and the load share it, and the figures say little');
try {
  for (const part of [closed, open, idle]) await part(found);
} catch (error) {
  console.error(error.message); // a cluster that did not start, or play that must not be: there are no figures of it
  process.exit(1);
}
writeFileSync(join(out, 'bench.json'), `${JSON.stringify({
  machine: `${availableParallelism()} processors, ${cpus()[0].model}`,
  system: execFileSync('uname', ['-sr'], { encoding: 'utf8' }).trim(),
  redis: execFileSync('redis-server', ['--version'], { encoding: 'utf8' }).trim(),
  version: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
  day: new Date().toISOString().slice(0, 10), pinned, runs, seconds, measurements: found,
}, null, 1)}\n`);
console.log(`\n${join(out, 'bench.json')}, and the plots beside it`);
