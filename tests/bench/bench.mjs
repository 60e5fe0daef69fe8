#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// `make bench`: the standard measurements of a whole cluster, its Redis included, on one core, with the load on another.
// Each run has a cluster of its own. Prints medians with minimum and maximum, writes bench.json and the plots into
// $BUILD/bench.
//
//   RUNS=5       runs of each measurement      SECONDS=8   that each of them lasts
//   ONLY=a,b     these measurements alone      CORES=0,1   of the cluster, of the load
//   ROOMS=10000  of `resume`                   CONNECTIONS=100000   of `held`
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { build } from './cluster.mjs';
import { grown, held } from './growth.mjs';
import { few, measure, median, of, pinned, run, runs, seconds, SERVICES } from './measure.mjs';
import { density, engine } from './parts.mjs';
import { plot } from './plot.mjs';
import { resume, start, tap } from './starts.mjs';

const out = join(build, 'bench');
const only = (process.env.ONLY || '').split(',').filter(Boolean);
const SHARES = [0.2, 0.4, 0.6, 0.8, 0.95]; // of saturation
const IDLE = [1000, 4000, 8000, 14000];

// 53 claims to a game, then 3 s until the next can be played: so many rooms more keep as many claims on their way.
const CLOSED = [
  { name: 'closed-10', in_flight: 10, rooms: 500 },
  { name: 'closed-100', in_flight: 100, rooms: 1000 },
  { name: 'closed-1000', in_flight: 1000, rooms: 2000 },
];
// What takes long, and is measured when it is asked for by its name.
const APART = { rooms: grown.rooms, connections: grown.connections, held, resume, tap, density };
const LAST = { start, engine };
const STANDARD = [...CLOSED.map(({ name }) => name), 'half', 'curve', 'pairs', 'idle', ...Object.keys(LAST)];

const wanted = (name) => (only.length ? only.includes(name) : STANDARD.includes(name));

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
  if (!['half', 'curve', 'pairs'].some(wanted)) return;
  const saturated = found.find(({ name }) => name === 'closed-100') ??
    await measure('closed-100', ['--rooms=1000', '--in-flight=100']);
  const most = median(saturated, 'claims a second');
  const flags = (share) => ['--rooms=1000', `--rate=${Math.round(most * share)}`];
  if (wanted('half') || wanted('pairs')) found.push(await measure('half', flags(0.5)));
  if (wanted('pairs')) await pairs(found, flags(0.5));
  if (!wanted('curve')) return;
  const curve = [];
  for (const share of SHARES) curve.push(await run(flags(share)));
  found.push({ name: 'curve', runs: curve });
  const series = [['own, p50', 'own_ms', 'p50'], ['own, p99', 'own_ms', 'p99'], ['last player, p99', 'last_ms', 'p99']];
  writeFileSync(join(out, 'latency.svg'), plot({
    title: 'Latency against load (one run each)', x: 'claims a second that were due', y: 'milliseconds',
    series: series.map(([name, where, which]) => ({ name, points: curve.map((each) => [each.rate, each[where][which]]) })),
  }));
}

// The same load on two gateways and two workers.
async function pairs(found, flags) {
  const what = 'CPU us a claim, whole cluster';
  const measured = await measure('pairs', flags, { gateways: 2, workers: 2 });
  const times = median(measured, what) / median(found.find(({ name }) => name === 'half'), what);
  console.log(`  ${few(times)} times the CPU of one gateway and one worker`);
  found.push(measured);
}

async function idle(found) {
  if (!wanted('idle')) return;
  const steps = [];
  console.log('\nidle, one run each: seated connections, KB resident a connection, % of a core');
  for (const count of IDLE) {
    const result = await run(['--rooms=0', `--idle=${count}`]);
    const [gateway] = of(result, 'gateway');
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

async function others(found) {
  for (const [name, part] of Object.entries({ ...LAST, ...APART })) if (wanted(name)) found.push(...[await part()].flat());
}

const unknown = only.filter((name) => !STANDARD.includes(name) && !(name in APART));
if (unknown.length) {
  console.error(`no measurement ${unknown}; there are ${[...STANDARD, ...Object.keys(APART)].join(', ')}`);
  process.exit(2);
}
const found = [];
mkdirSync(out, { recursive: true });
if (!pinned) console.log('one processor: the cluster and the load share it, and the figures say little');
try {
  for (const part of [closed, open, idle, others]) await part(found);
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
