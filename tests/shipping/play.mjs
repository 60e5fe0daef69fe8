// SPDX-License-Identifier: Apache-2.0
//
// Starts docker/compose.yaml, plays a game of every kind through its one address, kills a container of each kind
// meanwhile, and sees the games end, the containers stop in order and nothing stay behind. Without an engine it says so
// and is skipped.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { compose, root } from './render.mjs';

const START_MS = 120_000, PLAY_MS = 180_000;
const build = process.env.BUILD || `${root}/build`;
const project = `madang-test-${process.pid}`;

function run(argv, { quiet = false, env } = {}) {
  const result = spawnSync(argv[0], argv.slice(1), { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  if (result.status !== 0 && !quiet)
    throw new Error(`${argv.join(' ')}: ${result.error?.message ?? `${result.stdout}${result.stderr}`}`);
  return { ok: result.status === 0, said: `${result.stdout}${result.stderr}`.trim() };
}
const docker = (...argv) => run(['docker', ...argv]).said;

if (!run(['docker', 'info'], { quiet: true }).ok) {
  console.log('> no Docker engine answers: the composition is not started\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const port = await freePort(), prometheus = await freePort();
const tool = run(['docker', 'compose', 'version'], { quiet: true }).ok ? ['docker', 'compose'] : ['docker-compose'];
const composed = (...argv) => run([...tool, '-p', project, '-f', 'docker/compose.yaml', ...argv],
  { env: { VERSION: 'test', PORT: String(port), PROMETHEUS_PORT: String(prometheus) } }).said;
const list = (what, ...filter) => docker(what, 'ls', '-q', '--filter', `label=com.docker.compose.project=${project}`, ...filter)
  .split('\n').filter(Boolean);
const idsOf = (service) => list('container', '--filter', `label=com.docker.compose.service=${service}`);
const inspect = (id, format) => docker('inspect', '--format', format, id);

async function until(what, ms, condition) {
  const end = Date.now() + ms;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms / 1000} s`);
    await sleep(300);
  }
}

const answers = async (url) => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};
const allHealthy = () => list('container', '-a').every((id) => inspect(id, '{{.State.Health.Status}}') === 'healthy');

// ---- what is tried, in this order -----------------------------------------------------------------------------------------

function images() {
  const used = new Set(Object.values(compose().services).map((service) => service.build.target));
  run(['docker/images', 'test', ...used, 'web', 'ctl']);
  for (const { build: { target } } of Object.values(compose().services)) {
    const tools = docker('run', '--rm', '--network', 'none', '--entrypoint', 'sh', `madang/${target}:test`, '-c',
      'id -u; for tool in cc gcc g++ clang make ld node npm; do command -v $tool; done; ls /usr/include | head -n 1; true');
    if (tools !== '10001') throw new Error(`madang/${target}: holds more than it needs, or runs as another: ${tools}`);
  }
}

async function start() {
  composed('up', '-d');
  await until('the address to play at', START_MS, () => answers(`http://127.0.0.1:${port}/healthz`));
  await until('health of all containers', START_MS, allHealthy);
}

function sealed() {
  for (const id of list('container'))
    if (run(['docker', 'exec', id, 'sh', '-c', ': >/written || : >/tmp/written || : >/etc/written'], { quiet: true }).ok)
      throw new Error(`${inspect(id, '{{.Name}}')}: can write to its root file system`);
}

// One of each that has a twin is killed for good; the others are started again.
const twins = ['gateway', 'matchmaker-0', 'worker', 'timer'], single = ['redis', 'ingress', 'prometheus'];
async function play() {
  const guests = spawn(`${build}/tests/cluster/guests_main`, ['127.0.0.1', String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(guests, 'exit');
  const timer = setTimeout(() => guests.kill('SIGKILL'), PLAY_MS);
  for await (const line of createInterface({ input: guests.stdout })) {
    console.log(`> ${line}`);
    if (line !== 'playing') continue;
    for (const service of [...twins, ...single]) docker('kill', idsOf(service)[0]);
    for (const service of single) composed('start', service);
    guests.stdin.end('on\n');
  }
  const [code] = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error('the games did not end well');
}

// Those that were killed come back, and Prometheus sees everybody.
async function whole() {
  composed('up', '-d');
  await until('health of all containers', START_MS, allHealthy);
  await until('Prometheus, of all eight', START_MS, async () => {
    const answer = await fetch(`http://127.0.0.1:${prometheus}/api/v1/query?query=sum(up)`);
    return (await answer.json()).data?.result[0]?.value[1] === '8';
  });
}

function stop() {
  composed('stop');
  for (const service of ['gateway', 'matchmaker-0', 'matchmaker-1', 'worker', 'timer'])
    for (const id of list('container', '-a', '--filter', `label=com.docker.compose.service=${service}`))
      if (inspect(id, '{{.State.ExitCode}}') !== '0') throw new Error(`${inspect(id, '{{.Name}}')}: did not end in order`);
}

function clean() {
  composed('down', '-v', '--remove-orphans');
  for (const what of ['container', 'volume', 'network'])
    if (list(what, ...(what === 'container' ? ['-a'] : [])).length) throw new Error(`a ${what} stays behind`);
}

let passed = 0, failed = 0;
for (const step of [images, start, sealed, play, whole, stop, clean]) {
  const began = Date.now();
  try {
    if (failed && step !== clean) continue;
    await step();
    passed++;
    console.log(`> ${step.name}: fine, ${((Date.now() - began) / 1000).toFixed(0)} s`);
  } catch (error) {
    failed++;
    console.log(`${step.name}: ${error.message}`);
    if (step !== images && step !== clean) console.log(composed('ps', '-a'), composed('logs', '--tail=20'));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
