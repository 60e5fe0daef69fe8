// SPDX-License-Identifier: Apache-2.0
//
// A Docker engine and one composition on it, under a project name of its own so that it is beside any other.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './render.mjs';

const PATIENCE_MS = 120_000;
const project = `madang-test-${process.pid}`;

export function run(argv, { quiet = false, env } = {}) {
  const result = spawnSync(argv[0], argv.slice(1), { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  if (result.status !== 0 && !quiet)
    throw new Error(`${argv.join(' ')}: ${result.error?.message ?? `${result.stdout}${result.stderr}`}`);
  return { ok: result.status === 0, said: `${result.stdout}${result.stderr}`.trim() };
}
export const docker = (...argv) => run(['docker', ...argv]).said;
export const answers = () => run(['docker', 'info'], { quiet: true }).ok;

export async function until(what, condition, patience_ms = PATIENCE_MS) {
  const end = Date.now() + patience_ms;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`${what}: not within ${patience_ms / 1000} s`);
    await sleep(300);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

// Debian ships Compose as a command of its own.
const tool = () => (run(['docker', 'compose', 'version'], { quiet: true }).ok ? ['docker', 'compose'] : ['docker-compose']);

export class Composition {
  files = ['docker/compose.yaml'];

  async prepare() {
    this.port = await freePort();
    this.prometheus = await freePort();
    this.env = { VERSION: 'test', PORT: String(this.port), PROMETHEUS_PORT: String(this.prometheus) };
    this.tool = tool();
  }

  #words() {
    return [...this.tool, '-p', project, ...this.files.flatMap((file) => ['-f', file])];
  }

  composed(...argv) {
    return run([...this.#words(), ...argv], { env: this.env }).said;
  }

  // A line of a page: `docker compose -f docker/compose.yaml ...`, with what a shell makes of the rest, in this project;
  // what it writes or reads lies in `folder`.
  line(text, folder) {
    const here = text.replaceAll('docker compose -f docker/compose.yaml', this.#words().join(' '))
      .replaceAll(/([<>]) (\S+)/g, `$1 ${folder}/$2`);
    return run(['sh', '-c', here], { env: this.env, quiet: true });
  }

  list(what, ...filter) {
    return docker(what, 'ls', '-q', '--filter', `label=com.docker.compose.project=${project}`, ...filter)
      .split('\n').filter(Boolean);
  }

  idsOf(service, ...filter) {
    return this.list('container', '--filter', `label=com.docker.compose.service=${service}`, ...filter);
  }

  inspect(id, format) {
    return docker('inspect', '--format', format, id);
  }

  allHealthy() {
    return this.list('container', '-a').every((id) => this.inspect(id, '{{.State.Health.Status}}') === 'healthy');
  }

  async open() {
    const url = `http://127.0.0.1:${this.port}/healthz`;
    await until('the address to play at', () => fetch(url).then((answer) => answer.ok, () => false));
    await until('health of all containers', () => this.allHealthy());
  }
}
