// SPDX-License-Identifier: Apache-2.0
//
// Starts docker/compose.yaml, plays a game of every kind through its one address, kills a container of each kind
// meanwhile, and sees the games end. Then it does what docker/README.md says: more and fewer of each, newer ones beside the
// old, a copy that is brought back (by the page's own lines), the closed door. In the end the containers stop in order and
// nothing stays behind. Without an engine it says so and is skipped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Composition, answers, docker, run, until } from './engine.mjs';
import { compose, root, text } from './render.mjs';

const PLAY_MS = 300_000;
const build = process.env.BUILD || `${root}/build`;
const TOOLS = 'cc gcc g++ clang make ld node npm';

if (!answers()) {
  console.log('> no Docker engine answers: the composition is not started\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}

const yard = new Composition();
await yard.prepare();
const folder = mkdtempSync(join(tmpdir(), 'madang-compose-'));

// Command lines of docker/README.md: in the block behind those words.
function linesBehind(words) {
  const [, block] = new RegExp(`\\*\\*${words}\\*\\*[^]*?\`\`\`\\n([^]*?)\`\`\``).exec(text('docker/README.md'));
  return block.trim().split('\n');
}

function follow(words) {
  for (const line of linesBehind(words)) {
    const { ok, said } = yard.line(line, folder);
    if (!ok) throw new Error(`${line}: ${said}`);
  }
}

// Games of every kind; `deed` is done while they are played.
async function playWhile(deed) {
  const guests = spawn(`${build}/tests/cluster/guests_main`, ['127.0.0.1', String(yard.port)],
    { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(guests, 'exit');
  const timer = setTimeout(() => guests.kill('SIGKILL'), PLAY_MS);
  for await (const line of createInterface({ input: guests.stdout })) {
    console.log(`> ${line}`);
    if (line !== 'playing') continue;
    await deed();
    guests.stdin.end('on\n');
  }
  const [code] = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error('the games did not end well');
}

// ---- what is tried, in this order -----------------------------------------------------------------------------------------

function images() {
  const targets = new Set(Object.values(compose().services).map((service) => service.build.target));
  run(['docker/images', 'test', ...targets, 'web']);
  for (const target of targets) {
    const image = `madang/${target}:test`;
    const config = JSON.parse(docker('image', 'inspect', '--format', '{{json .Config}}', image));
    const { User: user, Healthcheck: health, Labels: labels } = config;
    if (user !== '10001:10001') throw new Error(`${image}: runs as ${user}`);
    if (!health && target !== 'ctl') throw new Error(`${image}: has no health check`);
    for (const label of ['title', 'description'])
      if (!labels[`org.opencontainers.image.${label}`]) throw new Error(`${image}: has no label ${label}`);
    const tools = docker('run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c',
      `id -u; for tool in ${TOOLS}; do command -v $tool; done; ls /usr/include | head -n 1; true`);
    if (tools !== '10001') throw new Error(`${image}: holds more than it needs, or runs as another: ${tools}`);
  }
}

// madangctl finds nothing that is wrong with it.
async function start() {
  yard.composed('up', '-d');
  await yard.open();
  follow('Looking, and steering');
}

function sealed() {
  for (const id of yard.list('container'))
    if (run(['docker', 'exec', id, 'sh', '-c', ': >/written || : >/tmp/written || : >/etc/written'], { quiet: true }).ok)
      throw new Error(`${yard.inspect(id, '{{.Name}}')}: can write to its root file system`);
}

// One of each that has a twin is killed for good; the others are started again.
const twins = ['gateway', 'matchmaker-0', 'worker', 'timer'], single = ['redis', 'ingress', 'prometheus'];
const play = () => playWhile(() => {
  for (const service of [...twins, ...single]) docker('kill', yard.idsOf(service)[0]);
  for (const service of single) yard.composed('start', service);
});

// Those that were killed come back, and Prometheus sees everybody.
async function whole() {
  yard.composed('up', '-d');
  await yard.open();
  await until('Prometheus, of all eight', async () => {
    const answer = await fetch(`http://127.0.0.1:${yard.prometheus}/api/v1/query?query=sum(up)`);
    return (await answer.json()).data?.result[0]?.value[1] === '8';
  });
}

const SCALED = ['worker', 'gateway', 'timer'];

// With the time that the composition gives it; a drain ends in order.
function end(id) {
  docker('stop', '-t', '40', id);
  if (yard.inspect(id, '{{.State.ExitCode}}') !== '0') throw new Error(`${yard.inspect(id, '{{.Name}}')}: did not end in order`);
  docker('rm', id);
}

// One more beside those that play, then one of the old ones fewer.
const scale = () => playWhile(async () => {
  for (const service of SCALED) {
    const [old] = yard.idsOf(service);
    yard.composed('up', '-d', '--no-recreate', '--scale', `${service}=3`);
    await until(`a third ${service}`, () => yard.idsOf(service).length === 3 && yard.allHealthy());
    end(old);
    if (yard.idsOf(service).length !== 2) throw new Error(`there are not two of ${service}`);
  }
});

// New ones beside the old, which then go, one at a time; a matchmaker in the place of the old one.
const newer = () => playWhile(async () => {
  for (const { build: { target } } of Object.values(compose().services))
    docker('tag', `madang/${target}:test`, `madang/${target}:test-newer`);
  yard.env.VERSION = 'test-newer';
  const is_newer = (id) => yard.inspect(id, '{{.Config.Image}}').endsWith(':test-newer');
  for (const service of SCALED) {
    const old = yard.idsOf(service);
    yard.composed('up', '-d', '--no-deps', '--no-recreate', '--scale', `${service}=4`, service);
    await until(`four of ${service}`, () => yard.idsOf(service).length === 4 && yard.allHealthy());
    for (const id of old) end(id);
    const left = yard.idsOf(service);
    if (left.length !== 2 || !left.every(is_newer)) throw new Error(`there are not two newer ones of ${service}`);
  }
  for (const service of ['matchmaker-0', 'matchmaker-1']) {
    yard.composed('up', '-d', '--no-deps', service);
    await until(service, () => yard.allHealthy());
    if (!is_newer(yard.idsOf(service)[0])) throw new Error(`${service} is the old one`);
  }
});

// The page's own lines; what is copied is there again after everything was thrown away.
async function keep() {
  const games = () => yard.composed('exec', '-T', 'redis', 'redis-cli', 'KEYS', 'game:*').split('\n').sort().join();
  const before = games();
  for (const line of linesBehind('Back up'))
    await until(line, () => yard.line(line, folder).ok);
  follow('Restore');
  if (!/^game:/.test(before) || games() !== before) throw new Error(`games were ${before} and are ${games()}`);
  await yard.open();
}

// Certificates, passwords and the operator's key; a game of every kind again.
async function closed() {
  if (process.getuid() !== 0) {
    console.log('> docker/secrets gives files to another user, which only root can: the closed door is left out');
    return;
  }
  yard.composed('down', '-v');
  yard.env.VERSION = 'test';
  run(['docker/secrets', folder]);
  yard.files.push('docker/compose.closed.yaml');
  yard.env.SECRETS = folder;
  yard.composed('up', '-d');
  await yard.open();
  await playWhile(() => {
    for (const command of ['status', 'doctor', 'rooms', 'verify']) // with certificate, key and all
      yard.composed('run', '--rm', '-T', 'operator', command);
    if (!/NOPERM/.test(yard.composed('exec', '-T', 'redis', 'redis-cli', 'KEYS', '*')))
      throw new Error('Redis answers whoever asks');
  });
}

function stop() {
  yard.composed('stop');
  for (const service of ['gateway', 'matchmaker-0', 'matchmaker-1', 'worker', 'timer'])
    for (const id of yard.idsOf(service, '-a'))
      if (yard.inspect(id, '{{.State.ExitCode}}') !== '0')
        throw new Error(`${yard.inspect(id, '{{.Name}}')}: did not end in order`);
}

function clean() {
  yard.composed('down', '-v', '--remove-orphans');
  for (const what of ['container', 'volume', 'network'])
    if (yard.list(what, ...(what === 'container' ? ['-a'] : [])).length) throw new Error(`a ${what} stays behind`);
  for (const image of docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}').split('\n'))
    if (/^madang\/\w+:test-newer$/.test(image)) docker('rmi', image); // another name of what is there as :test
  rmSync(folder, { recursive: true, force: true });
}

let passed = 0, failed = 0;
for (const step of [images, start, sealed, play, whole, scale, newer, keep, closed, stop, clean]) {
  const began = Date.now();
  try {
    if (failed && step !== clean) continue;
    await step();
    passed++;
    console.log(`> ${step.name}: fine, ${((Date.now() - began) / 1000).toFixed(0)} s`);
  } catch (error) {
    failed++;
    console.log(`${step.name}: ${error.message}`);
    if (step !== images && step !== clean) console.log(yard.composed('ps', '-a'), yard.composed('logs', '--tail=20'));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
