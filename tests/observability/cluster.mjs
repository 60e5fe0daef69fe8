// SPDX-License-Identifier: Apache-2.0
//
// A cluster of single processes to be looked at: Redis, two workers and one of everything else, each with its operations
// port and its log, at level debug; they talk by TLS. All of it lies in a folder of its own, and ends with stop().
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const build = process.env.BUILD || 'build';
const PATIENCE_MS = 90_000;
const LOOK_MS = 100;
// All that a Redis user of ours needs (docker/README.md).
const ACL = '~* resetchannels -@all +@read +@write +@scripting +@connection +info +wait +time';

export const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

// Waits until `come` gives something; fails with `what` otherwise.
export async function wait(what, come, patience_ms = PATIENCE_MS) {
  const until = Date.now() + patience_ms;
  for (;;) {
    const got = await come();
    if (got) return got;
    if (Date.now() > until) throw new Error(`in vain: ${what}`);
    await sleep(LOOK_MS);
  }
}

// Below the ports from which connections get theirs.
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on('error', () => freePort().then(done, fail));
    server.listen(10_000 + Math.floor(Math.random() * 20_000), '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

export async function get(port, path) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

// What a Redis answers to one command of words: strings of bytes, lists of them, numbers.
async function askRedis(path, password, words) {
  const socket = createConnection(path);
  const parts = [];
  socket.on('data', (bytes) => parts.push(bytes));
  await new Promise((done, fail) => { socket.on('connect', done).on('error', fail); });
  const command = (list) => `*${list.length}\r\n${list.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
  socket.write(command(['AUTH', password]) + command(words));
  const answer = await wait('an answer of Redis', () => {
    const bytes = Buffer.concat(parts), auth = parse(bytes, 0);
    return auth && parse(bytes, auth.next);
  });
  socket.destroy();
  return answer.value;
}

function parse(bytes, from) {
  const end = bytes.indexOf('\r\n', from);
  if (end < 0) return null;
  const kind = String.fromCharCode(bytes[from]), rest = bytes.toString('latin1', from + 1, end), next = end + 2;
  if (kind === '-') throw new Error(rest);
  if (kind === '+' || kind === ':') return { value: rest, next };
  if (kind === '$') {
    const len = Number(rest);
    if (len < 0) return { value: null, next };
    return bytes.length < next + len + 2 ? null : { value: bytes.subarray(next, next + len), next: next + len + 2 };
  }
  const list = [];
  let at = next;
  for (let i = 0; i < Number(rest); i++) {
    const item = parse(bytes, at);
    if (item === null) return null;
    list.push(item.value);
    at = item.next;
  }
  return { value: list, next: at };
}

export class Cluster {
  folder = mkdtempSync(join(tmpdir(), 'madang-seen-'));
  redis = join(this.folder, 'redis.sock');
  password = randomBytes(16).toString('hex');
  key = randomBytes(32);
  next_key = randomBytes(32);
  processes = [];

  ask(...words) {
    return askRedis(this.redis, this.password, words);
  }

  // A file of this folder.
  #file(name, content) {
    const path = join(this.folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  #spawn(name, argv, variables = {}) {
    const log = join(this.folder, `${name}.log`);
    // Into the file itself: a pipe that is not read in time has lines dropped.
    const file = openSync(log, 'a');
    const child = spawn(argv[0], argv.slice(1), { stdio: ['ignore', file, file], env: { ...process.env, ...variables } });
    closeSync(file);
    const gone = new Promise((done) => { child.on('close', done).on('error', done); });
    const started = { name, job: name.replace(/-\d+$/, ''), child, gone, log };
    this.processes.push(started);
    return started;
  }

  // An authority, and the certificate that all services show each other. Flags that name them.
  #certify() {
    const made = spawnSync('sh', ['-ec', `
      new='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
      openssl req -x509 $new -days 100 -subj /CN=yard -keyout ca.key -out ca.pem
      openssl req $new -subj /CN=madang -keyout id.key -out id.csr
      openssl x509 -req -in id.csr -CA ca.pem -CAkey ca.key -set_serial 1 -days 50 -out id.crt
      cat id.crt id.key >identity.pem`], { cwd: this.folder, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
    return [`--tls-ca=${this.folder}/ca.pem`, `--tls-identity=${this.folder}/identity.pem`];
  }

  async #service(job, number, flags, variables) {
    const ops = await freePort();
    const process = this.#spawn(`${job}-${number}`, [
      `${build}/bin/madang-${job}`, `--ops=http://127.0.0.1:${ops}`, '--log-level=debug',
      `--matchmakers=${this.matchmaker}`, ...this.tls, ...flags,
    ], variables);
    process.ops = ops;
    return process;
  }

  async #ready(process) {
    let said = '';
    const isReady = async () => {
      const { status, text } = await get(process.ops, '/readyz');
      said = text;
      return status === 200;
    };
    await wait(`${process.name} to be ready`, isReady)
      .catch((error) => { throw new Error(`${error.message}: ${said || this.log(process).at(-1)}`); });
  }

  async start() {
    this.#spawn('redis', ['redis-server', this.#file('redis.conf', `port 0
unixsocket ${this.redis}
requirepass ${this.password}
user yard on >${this.password} ${ACL}
dir ${this.folder}
save ""
`)]);
    await wait('Redis', () => this.ask('PING').catch(() => null));
    this.tls = this.#certify();
    this.matchmaker = `tls+tcp://127.0.0.1:${await freePort()}`;
    const free = 'tls+tcp://127.0.0.1:0';
    this.port = await freePort();
    // Secrets come from files, and from the environment.
    const where = [`--redis=unix://${this.redis}`, '--redis-user=yard'];
    const redis = [...where, `--redis-password-file=${this.#file('password', this.password)}`];
    await this.#service('matchmaker', 0, [`--control=${this.matchmaker}`, ...redis]);
    await this.#service('timer', 0, [`--inbox=${free}`, ...redis]);
    for (const number of [0, 1])
      await this.#service('worker', number, [`--control=${free}`, `--inbox=${free}`, ...where],
        { MADANG_REDIS_PASSWORD: this.password });
    await this.#service('gateway', 0,
      [`--port=${this.port}`, `--inbox=${free}`, `--key-also-file=${this.#file('key', this.next_key)}`, '--web-dir='],
      { MADANG_KEY: this.key.toString('hex') });
    for (const process of this.services()) await this.#ready(process);
  }

  services() {
    return this.processes.filter((process) => process.ops);
  }

  metrics(process) {
    return get(process.ops, '/metrics').then((answer) => answer.text);
  }

  // The lines that are whole.
  log(process) {
    return readFileSync(process.log, 'utf8').split('\n').slice(0, -1);
  }

  // A game of every kind. The lines that the players print.
  async play() {
    const players = spawn(`${build}/tests/cluster/players_main`, [String(this.port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    players.stdout.on('data', (bytes) => { said += bytes; });
    const code = await new Promise((done) => { players.on('close', done).on('error', done); });
    if (code !== 0) throw new Error(`the players ended with ${code}: ${said}`);
    return said.trim().split('\n');
  }

  // Those who came last go first.
  async stop() {
    for (const process of this.processes.reverse()) {
      process.child.kill('SIGTERM');
      const late = setTimeout(() => process.child.kill('SIGKILL'), 10_000);
      await process.gone;
      clearTimeout(late);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
