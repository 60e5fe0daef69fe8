// SPDX-License-Identifier: Apache-2.0
//
// Runs of one measurement, and what is told of them: medians with minimum and maximum.
import { availableParallelism } from 'node:os';
import { Cluster } from './cluster.mjs';
import { spread } from './plot.mjs';

export const runs = Number(process.env.RUNS || 5), seconds = Number(process.env.SECONDS || 8);
export const pinned = availableParallelism() > 1;
const [core, load_core] = (process.env.CORES || '0,1').split(',');
const WARM_UP_S = 4;

const pin = (on) => (pinned ? ['taskset', '-c', on] : []);
export const PINNED = { cluster: pin(core), load: pin(load_core) };
export const ANYWHERE = { cluster: [], load: [] };

// One cluster, one load, each on its processor. What madang-load found.
export async function run(flags, { gateways, workers, on = PINNED } = {}) {
  const cluster = await Cluster.start({ on: on.cluster, gateways, workers });
  try {
    const times = [`--warm-up=${WARM_UP_S}`, `--duration=${seconds}`];
    return await cluster.load(['--quiet', ...times, ...flags], { on: on.load });
  } finally {
    await cluster.stop();
  }
}

// ---- what is told of claims -----------------------------------------------------------------------------------------------

const service = (name) => name.replace(/-\d+$/, '');
export const of = (result, wanted) => result.watched.filter(({ name }) => service(name) === wanted);
const total = (watched, field) => watched.reduce((sum, each) => sum + each[field], 0);
const aClaim = ({ accepted }, seconds) => (1e6 * seconds) / accepted;
const down = ({ per_action: { views_down, answers_down } }) => views_down.bytes + answers_down.bytes;
const troubles = ({ errors }) => Object.values(errors).reduce((sum, count) => sum + count, 0);
export const SERVICES = ['gateway', 'worker', 'redis', 'timer', 'matchmaker'];
export const OF_CLAIMS = {
  'claims a second': (r) => r.accepted_per_s,
  'CPU us a claim, whole cluster': (r) => r.cpu_us_per_action,
  'user CPU us a claim, whole cluster': (r) => aClaim(r, total(r.watched, 'user_s')),
  ...Object.fromEntries(SERVICES.flatMap((name) => [
    [`CPU us a claim, ${name}`, (r) => aClaim(r, total(of(r, name), 'cpu_s'))],
    [`user CPU us a claim, ${name}`, (r) => aClaim(r, total(of(r, name), 'user_s'))],
  ])),
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

export function few(value) {
  if (value === null) return '-';
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}

// `figures`: what there is to tell, each by how it is found in a result.
export function tell(name, results, figures = OF_CLAIMS) {
  const table = Object.fromEntries(Object.entries(figures).map(([what, found]) => [what, spread(results.map(found))]));
  console.log(`\n${name}, ${results.length} runs: median (minimum to maximum)`);
  for (const [what, { median, min, max }] of Object.entries(table))
    console.log(`  ${what.padEnd(36)} ${few(median).padStart(9)}  (${few(min)} to ${few(max)})`);
  const doubts = [...new Set(results.flatMap((result) => result.doubts ?? []))];
  for (const doubt of doubts) console.log(`  ! ${doubt}`);
  return { name, figures: table, doubts, runs: results };
}

export async function measure(name, flags, { figures, ...how } = {}) {
  const results = [];
  for (let i = 0; i < runs; i++) results.push(await run(flags, how));
  return tell(name, results, figures);
}

export const median = (measured, what) => measured.figures[what].median;
