// SPDX-License-Identifier: Apache-2.0
//
// How long it takes until something is there: the first page and the first game after `make run`, the rooms of a worker
// that was killed, the answer to a finger on the screen.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, freePort, make, plain, play, sleep } from './cluster.mjs';
import { runs, tell } from './measure.mjs';

const ASK_MS = 10, PATIENCE_MS = 60_000;
const ROOMS = Number(process.env.ROOMS || 10_000), SEATS = 2, RATE = ROOMS / 5, PLAYED_S = 15, PAUSE_MS = 5000;

async function until(what, come) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(ASK_MS)) {
    const got = await come();
    if (got) return got;
  }
  throw new Error(`in vain: ${what}`);
}

const page = (url) => fetch(url).then((answer) => answer.ok && answer.text(), () => false);

// ---- make run -------------------------------------------------------------------------------------------------------------

async function startOnce() {
  const data = mkdtempSync(join(tmpdir(), 'madang-bench-')), port = await freePort(), from = Date.now();
  const argv = ['-s', 'run', `PORT=${port}`, `DATA=${data}`];
  const command = spawn('make', argv, { stdio: 'ignore', detached: true, env: plain });
  const ended = new Promise((done) => { command.on('exit', done); });
  try {
    await until('the first page', () => page(`http://127.0.0.1:${port}/`));
    const page_s = (Date.now() - from) / 1000, playing = Date.now();
    const two_people = ['--quiet', '--rooms=1', '--players=2', '--warm-up=0', '--duration=0.5'];
    const { gathered_s } = await play([...two_people, `127.0.0.1:${port}`]);
    return { page_s, game_s: (playing - from) / 1000 + gathered_s };
  } finally {
    process.kill(-command.pid, 'SIGINT');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

export async function start() {
  make('all', 'web');
  const results = [];
  for (let i = 0; i < runs; i++) results.push(await startOnce());
  return tell('start', results, { 's to the first page': (r) => r.page_s, 's to the first game': (r) => r.game_s });
}

// ---- a worker that was killed ---------------------------------------------------------------------------------------------

const lost = async (cluster, gateways) => (await cluster.metrics(gateways)).madang_gateway_rooms_lost;

// From the start of the process that follows until the gateways have a worker for every room again. What they count is
// looked at four times a second: so much more may be told.
async function resumeOnce(cluster, gateways) {
  const before = cluster.pid('worker-0'), killed = Date.now();
  process.kill(before, 'SIGKILL');
  await until('another worker', () => ![undefined, before].includes(cluster.pid('worker-0')));
  const from = Date.now();
  await until('rooms without a worker', async () => await lost(cluster, gateways) > 0);
  await until('a worker for all rooms', async () => await lost(cluster, gateways) === 0);
  return { resumed_s: (Date.now() - from) / 1000, since_kill_s: (Date.now() - killed) / 1000 };
}

// One worker has all of the rooms, and two people sit in each and play.
export async function resume() {
  const cluster = await Cluster.start({ gateways: 2, env: { MADANG_ROOMS_MAX: String(2 * ROOMS) } }), results = [];
  try {
    let end, begin;
    const begun = new Promise((done) => { begin = done; }), over = new Promise((done) => { end = done; });
    const flags = [`--rooms=${ROOMS}`, `--players=${SEATS}`, `--rate=${RATE}`, '--processes=2', `--warm-up=${PLAYED_S}`];
    const load = cluster.load([...flags, '--duration=3600'],
      { on_phase: (phase) => { if (phase === 'measuring') begin(); }, over });
    await Promise.race([begun, load]);
    const gateways = cluster.ports('gateway');
    for (let i = 0; i < runs; i++) {
      results.push(await resumeOnce(cluster, gateways));
      await sleep(PAUSE_MS);
    }
    end();
    await load;
  } finally {
    await cluster.stop();
  }
  return tell('resume', results,
    { rooms: () => ROOMS, 's from its start to all rooms': (r) => r.resumed_s,
      's from the kill to all rooms': (r) => r.since_kill_s });
}

// ---- a browser ------------------------------------------------------------------------------------------------------------

export async function tap() {
  make('all', 'web', 'tests/e2e/node_modules/.package-lock.json');
  const results = [];
  for (let i = 0; i < runs; i++) {
    const said = execFileSync('npm', ['--silent', '--prefix', 'tests/e2e', 'run', 'tap'], { encoding: 'utf8', env: plain });
    results.push(JSON.parse(said.trim().split('\n').at(-1)));
  }
  return tell('tap', results, { taps: (r) => r.taps, 'tap to painted answer, p50 ms': (r) => r.p50_ms,
    'tap to painted answer, p95 ms': (r) => r.p95_ms });
}
