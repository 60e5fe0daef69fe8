// SPDX-License-Identifier: Apache-2.0
//
// The composition for one machine, without an engine: what it builds is there, nobody can do more than it needs, and
// settings are those of the binaries. `make compose-test` runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR, SERVICES } from './cluster.mjs';
import { compose, refusal, root, settingsHelp, settingsOf, targets, text, variablesOfCtl } from './render.mjs';

const { services, networks, volumes } = compose();
const closed = compose('compose.closed.yaml').services;
const each = Object.entries(services);
const programOf = (service) => service.build.target;

test('every service is a target of the Dockerfile, and has its name', () => {
  for (const [name, { image, build }] of each) {
    assert.ok(targets()[build.target], `${name}: ${build.target}`);
    assert.equal(image, `madang/${build.target}:\${VERSION:-latest}`);
    assert.equal(build.dockerfile, 'docker/Dockerfile');
  }
});

test('nobody is root, writes to its root file system, gains a privilege or takes more than its share', () => {
  for (const [name, service] of each) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.ok(service.mem_limit && service.cpus && service.pids_limit, name);
    assert.equal(service.restart, 'unless-stopped', name);
    const { stage, user } = targets()[service.build.target];
    assert.equal(user ?? (stage.startsWith(`${service.build.target}\n`) && targets().runtime.user), '10001:10001', name);
  }
});

test('Redis refuses writes at six tenths of what its container may have, long before it is ended', () => {
  const [, limit] = /^(\d+)g$/.exec(services.redis.mem_limit);
  const [, most] = /^maxmemory (\d+)mb$/m.exec(text('docker/redis/redis.conf'));
  assert.equal(Number(most), Math.floor(Number(limit) * 1024 * 0.6));
  assert.match(text('docker/redis/redis.conf'), /^maxmemory-policy noeviction$/m);
});

test('every image that runs has a health check and labels', () => {
  for (const name of new Set(each.filter(([, service]) => !service.profiles).map(([, service]) => service.build.target))) {
    const { stage } = targets()[name];
    assert.match(stage, /^HEALTHCHECK .*(\n {4}.*)?CMD \[/m, name);
    assert.match(stage, /org\.opencontainers\.image\.title="madang-/, name);
  }
});

test('there are two of each service of ours', () => {
  for (const program of SERVICES) {
    const count = each.filter(([, service]) => programOf(service) === program)
      .reduce((sum, [, service]) => sum + (service.scale ?? 1), 0);
    assert.equal(count, 2, program);
  }
});

test('every setting is known to the binary, which takes its value', () => {
  for (const [name, service] of each) {
    for (const told of [{ ...service.environment }, { ...service.environment, ...closed[name]?.environment }]) {
      const known = SERVICES.includes(programOf(service)) ? settingsOf(programOf(service))
        : programOf(service) === OPERATOR ? variablesOfCtl() : new Set();
      for (const variable of Object.keys(told)) assert.ok(known.has(variable), `${name}: ${variable}`);
      if (SERVICES.includes(programOf(service))) assert.equal(refusal(programOf(service), told), '', name);
    }
  }
});

test('closed: everybody talks by TLS, and is known to Redis by a password', () => {
  for (const [name, service] of each) {
    const told = { ...service.environment, ...closed[name]?.environment };
    const known = SERVICES.includes(programOf(service)) ? settingsOf(programOf(service)) : new Set(Object.keys(told));
    for (const url of ['MADANG_MATCHMAKERS', 'MADANG_CONTROL', 'MADANG_INBOX'].filter((variable) => known.has(variable)))
      for (const one of (told[url] ?? '').split(',')) assert.match(one, /^tls\+tcp:\/\//, `${name}: ${url}`);
    if (told.MADANG_CONTROL_PUBLIC) assert.match(told.MADANG_CONTROL_PUBLIC, /^tls\+tcp:\/\//, name);
    if (told.MADANG_MATCHMAKERS) assert.ok(told.MADANG_TLS_CA && told.MADANG_TLS_IDENTITY, name);
    if (told.MADANG_REDIS) assert.ok(told.MADANG_REDIS_USER && told.MADANG_REDIS_PASSWORD_FILE, name);
  }
  assert.deepEqual(Object.keys(closed).filter((name) => !services[name]), []);
});

test('closed: docker/secrets makes every file that is mounted, readable for containers alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'madang-secrets-'));
  try {
    // Whoever runs this may be no root: to whom files are given is only written down.
    writeFileSync(join(folder, 'chown'), '#!/bin/sh\necho "$@" >"$OWNED"\n');
    chmodSync(join(folder, 'chown'), 0o755);
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, OWNED: join(folder, 'owned') };
    for (const again of [false, true]) {
      const made = spawnSync(`${root}/docker/secrets`, [join(folder, 'made')], { env, encoding: 'utf8' });
      assert.equal(made.status, 0, `${again ? 'again: ' : ''}${made.stderr}`);
    }
    assert.equal(readFileSync(join(folder, 'owned'), 'utf8'), '-R 10001:10001 services redis operator\n');
    const named = [...text('docker/compose.closed.yaml').matchAll(/[: ]\/run\/secrets\/(\w+\/[\w.]+)/g)].map(([, file]) => file);
    assert.ok(new Set(named).size >= 5, named.join());
    for (const file of named) {
      assert.ok(statSync(join(folder, 'made', file)).size > 0, file);
      assert.equal(statSync(join(folder, 'made', file)).mode & 0o077, 0, file);
    }
    assert.deepEqual(readdirSync(join(folder, 'made')).sort(), ['ca.key', 'operator', 'redis', 'services']);
    const there = (file) => join(folder, 'made/services', file);
    assert.equal(spawnSync('openssl', ['verify', '-CAfile', there('ca.pem'), there('identity.pem')]).status, 0);
    const [rights] = /~\* resetchannels .*/.exec(text('.github/SECURITY.md'));
    assert.ok(readFileSync(join(folder, 'made/redis/users.conf'), 'utf8').endsWith(`${rights}\n`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what images are told by default is known to their binaries', () => {
  for (const program of SERVICES) {
    const told = Object.fromEntries([...`${targets().runtime.stage}${targets()[program].stage}`
      .matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line.split(' ').map((pair) => pair.split(/=(.*)/s).slice(0, 2))));
    for (const variable of Object.keys(told)) assert.ok(settingsOf(program).has(variable), `${program}: ${variable}`);
    assert.equal(refusal(program, told), '', program);
  }
});

test('a drain is never cut short', () => {
  for (const program of SERVICES) {
    const [, grace] = /default: (\d+)s/.exec(/--grace=[^]*?default: \S+/.exec(settingsHelp(program))[0]);
    for (const [name, service] of each.filter(([, one]) => programOf(one) === program))
      assert.ok(parseInt(service.stop_grace_period) >= Number(grace) + 5, name);
  }
});

test('only the address to play at and, on this machine, Prometheus can be reached from outside', () => {
  const open = each.filter(([, service]) => service.ports);
  assert.deepEqual(open.map(([name]) => name).sort(), ['ingress', 'prometheus']);
  assert.match(services.prometheus.ports[0], /^127\.0\.0\.1:/);
  for (const [name, network] of Object.entries(networks))
    assert.equal(network.internal ?? false, name !== 'street', name);
  const on = (network) => each.filter(([, service]) => (Array.isArray(service.networks) ? service.networks
    : Object.keys(service.networks)).includes(network)).map(([name]) => name).sort();
  assert.deepEqual(on('store'), ['matchmaker-0', 'matchmaker-1', 'operator', 'redis', 'timer', 'worker']);
  assert.deepEqual(on('front'), ['gateway', 'ingress']);
  assert.deepEqual(Object.keys(volumes).sort(), ['keys', 'metrics', 'rooms']);
});

test('what the image build reads is let into its context', () => {
  const ignored = text('.dockerignore').split('\n');
  for (const [, sources] of text('docker/Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm))
    for (const source of sources.split(' '))
      assert.ok(ignored.some((line) => line.startsWith('!') &&
        (source === line.slice(1) || source.startsWith(`${line.slice(1)}/`))), source);
});
