// SPDX-License-Identifier: Apache-2.0
//
// A cluster to be measured: `madangctl up` on a free port, with its defaults (AOF every second) and data of its own, and
// madang-load that plays on it. stop() ends it and takes the data away.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const build = resolve(process.env.BUILD || 'build');
export const bin = (name) => join(build, 'bin', name);
const START_MS = 30_000, STOP_MS = 60_000;
const FAULTY = 1, USAGE = 2, UNBEGUN = 3; // exit codes of madang-load after which there are no figures

// Without what a makefile that runs us has told its own children. (The tree is named as it was: objects remember it.)
export const plain = { ...process.env, BUILD: process.env.BUILD || 'build' };
const OURS = ['RUNS', 'SECONDS', 'ONLY', 'CORES', 'ROOMS', 'CONNECTIONS'];
for (const name of ['MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', ...OURS]) delete plain[name];
export const make = (...goals) => execFileSync('make', ['-s', ...goals], { stdio: ['ignore', 'inherit', 'inherit'], env: plain });

export const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

export const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

// Prometheus' text as sums over labels: { name: value }.
function sums(text) {
  const found = {};
  for (const [, name, value] of text.matchAll(/^(\w+)(?:\{[^}]*\})? (\S+)$/gm)) found[name] = (found[name] ?? 0) + Number(value);
  return found;
}

export class Cluster {
  // `on`: the words before each command of the cluster, such as taskset. `counted`: calls of the kernel are counted.
  static async start({ on = [], gateways = 1, workers = 1, env = {}, counted = false } = {}) {
    const cluster = new Cluster();
    cluster.folder = mkdtempSync(join(tmpdir(), 'madang-bench-'));
    cluster.data = join(cluster.folder, 'data');
    cluster.port = await freePort();
    const web = join(cluster.folder, 'web'), calls = join(cluster.data, 'calls');
    mkdirSync(web);
    mkdirSync(calls, { recursive: true });
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>bench</title>');
    const [command, ...words] = [...on, bin('madangctl'), 'up', `--port=${cluster.port}`, `--data=${cluster.data}`,
      `--web-dir=${web}`, `--gateways=${gateways}`, `--workers=${workers}`];
    const counting = counted ? { LD_PRELOAD: join(build, 'tests/bench/calls_preload.so'), CALLS_DIR: calls } : {};
    cluster.process = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env, ...counting } });
    cluster.ended = new Promise((done) => { cluster.process.on('exit', done); });
    try {
      await cluster.#up();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  #up() {
    let said = '';
    return new Promise((done, fail) => {
      const take = (text) => { said += text; if (said.includes('Madang is up')) done(); };
      this.process.stdout.on('data', take);
      this.process.stderr.on('data', take);
      this.process.on('error', fail);
      this.ended.then(() => fail(new Error(`the cluster ended: ${said}`)));
      setTimeout(() => fail(new Error(`the cluster did not start: ${said}`)), START_MS).unref();
    });
  }

  // Of a process as the supervisor names it, "worker-0"; undefined while it does not run.
  pid(name) {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(join(this.data, 'pids'), 'utf8'))?.[1]) || undefined;
  }

  // Where the services of one kind serve what they count.
  ports(service) {
    const argv = ['status', '--json', `--data=${this.data}`];
    const { status, stdout, stderr } = spawnSync(bin('madangctl'), argv, { encoding: 'utf8' });
    if (status > 1) throw new Error(`madangctl status: ${stderr}`); // 1: one of them is not well
    return JSON.parse(stdout).services.filter((each) => each.service === service).map(({ ops_port }) => ops_port);
  }

  // What the services there count, added up.
  async metrics(ports) {
    const all = {};
    for (const port of ports) {
      const of = sums(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
      for (const [name, value] of Object.entries(of)) all[name] = (all[name] ?? 0) + value;
    }
    return all;
  }

  // See play(); with what each process of the cluster takes.
  load(flags, how) {
    return play([`--cluster=${this.data}`, ...flags, `127.0.0.1:${this.port}`], how);
  }

  async stop() {
    this.process.kill('SIGINT');
    const late = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// Resolves to what madang-load found. `on_phase` is called with the name of each phase as it begins (not with --quiet);
// measuring ends when `over` resolves, if not before.
export function play(flags, { on = [], on_phase, over } = {}) {
  const [command, ...words] = [...on, bin('madang-load'), '--json=-', ...flags];
  const load = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '', told = '', phase;
  load.stdout.on('data', (more) => { text += more; });
  load.stderr.on('data', (more) => {
    told += more;
    const now = [...String(more).matchAll(/^([a-z ]+), \d+ s left/gm)].at(-1)?.[1];
    if (now && now !== phase) on_phase?.(now);
    phase = now ?? phase;
  });
  over?.then(() => load.kill('SIGINT'));
  return new Promise((done, fail) => {
    load.on('error', fail);
    load.on('exit', (code) => {
      if (code !== null && ![FAULTY, USAGE, UNBEGUN].includes(code)) done(JSON.parse(text));
      else fail(new Error(`madang-load ${flags.join(' ')} ended with ${code}\n${told.slice(-2000)}${text}`));
    });
  });
}
