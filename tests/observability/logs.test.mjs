// SPDX-License-Identifier: Apache-2.0
//
// Logs at level debug of a cluster on which a game of every kind is played: each line is one of the table in libs/ops,
// an action can be followed through gateway, worker and store, and nothing in them is a secret.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Cluster, sleep } from './cluster.mjs';
import { eventsOf } from './page.mjs';

const build = process.env.BUILD || 'build';
const FLUSHED_MS = 3000;
const HASH_BYTES = 16, SEED_BYTES = 32;
const cluster = new Cluster();
let tokens, lines;

before(async () => {
  await cluster.start();
  tokens = (await cluster.play()).filter((line) => line.startsWith('token ')).map((line) => line.slice('token '.length));
  await sleep(FLUSHED_MS);
  lines = cluster.services().flatMap((process) => cluster.log(process)
    .map((text) => ({ service: process.job, text, json: JSON.parse(text) })));
});

after(() => cluster.stop());

test('each line has the fields of its event in the table, and no other', () => {
  const events = eventsOf(readFileSync('libs/ops/log_events.h', 'utf8'));
  for (const { service, text, json } of lines) {
    const event = events.find(({ name, programs }) => name === json.event && programs.includes(service));
    assert.ok(event, `not in the table: ${text}`);
    const { ts, level, service: said, event: _, text: sentence, ...fields } = json;
    assert.match(ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual([said, level], [service, event.level], text);
    assert.deepEqual(Object.keys(fields), event.fields, text);
    if (!event.text) assert.equal(sentence, undefined, text);
  }
});

test('an action is followed by its trace from the socket to Redis and back', () => {
  const way = ['act.received', 'act.sent', 'act.accepted', 'append.sent', 'act.durable', 'act.answered'];
  const accepted = lines.filter(({ json }) => json.event === 'act.accepted');
  assert.ok(accepted.length > 20, `${accepted.length} actions`);
  for (const { json: { trace } } of accepted) {
    const seen = lines.filter(({ json }) => json.trace === trace).map(({ json }) => json);
    for (const event of way) assert.ok(seen.some((json) => json.event === event), `${trace}: ${event}`);
    assert.equal(new Set(seen.map(({ room }) => room)).size, 1, trace);
  }
});

// As somebody could have written them.
const spellings = (bytes) => [bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('hex').toUpperCase(),
  bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];

// Byte strings of that length inside a protobuf message: a length, and what follows it.
function stringsOf(message, len) {
  const found = [];
  for (let i = 0; i + len < message.length; i++) {
    const bytes = message.subarray(i + 1, i + 1 + len);
    if (message[i] === len && new Set(bytes).size > len / 2) found.push(bytes);
  }
  return found;
}

// Whose session it is, and the proof of it (GATEWAY_TOKEN_BYTES).
const partsOf = (token) => [token.subarray(1, 17), token.subarray(25)];

test('no seed, state hash, token, key or password is in any log', async () => {
  const logs = Buffer.from(lines.map(({ text }) => text).join('\n')).toString('latin1');
  const archives = (await cluster.ask('KEYS', 'game:*')).map(String);
  const secrets = [cluster.key, cluster.next_key, Buffer.from(cluster.password)];
  for (const token of tokens) secrets.push(...partsOf(Buffer.from(token, 'hex')));
  assert.equal(archives.length, 3, 'finished games in Redis');
  for (const archive of archives) {
    const entries = await cluster.ask('LRANGE', archive, '0', '-1');
    const seeds = stringsOf(entries[0], SEED_BYTES);
    assert.ok(seeds.length >= 1, `${archive}: no seed is found, so none can be looked for`);
    secrets.push(...seeds, ...entries.flatMap((entry) => stringsOf(entry, HASH_BYTES)));
  }
  assert.ok(secrets.length > 50 && logs.length > 10_000);
  for (const secret of secrets)
    for (const spelling of spellings(secret)) assert.ok(!logs.includes(spelling), `in a log: ${secret.toString('hex')}`);
});

test('no secret is on a command line', () => {
  const secrets = [cluster.key, cluster.next_key, Buffer.from(cluster.password)].flatMap(spellings);
  for (const { name, child } of cluster.services()) {
    const line = readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
    assert.match(line, /--matchmakers=/);
    for (const secret of secrets) assert.ok(!line.includes(secret), `${name}: ${line}`);
  }
});

// Whoever types one there is told so, and the secret is not repeated.
test('a secret on a command line is refused', () => {
  for (const flag of ['--redis=tcp://:hunter2@127.0.0.1:1', '--redis=sentinel://a/n?sentinel=:hunter2',
    '--redis-password=hunter2', '--redis-sentinel-password=hunter2']) {
    const run = spawnSync(`${build}/bin/madang-worker`, [flag]);
    assert.equal(run.status, 2, flag);
    assert.match(String(run.stderr), /a secret is not given on the command line, but by MADANG_REDIS\w* or a file/);
    assert.doesNotMatch(String(run.stderr), /hunter2/);
  }
  const run = spawnSync(`${build}/bin/madang-gateway`, [`--key=${'ab'.repeat(32)}`]);
  assert.equal(run.status, 2);
  assert.doesNotMatch(String(run.stderr), /abab/);
});

test('nobody is called by name in a log', () => {
  for (const { text } of lines) assert.doesNotMatch(text, /player\d/);
});
