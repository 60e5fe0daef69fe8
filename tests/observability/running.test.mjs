// SPDX-License-Identifier: Apache-2.0
//
// A running cluster that is played on, and the real Prometheus that looks at it: what dashboards and rules name is
// there, what is served keeps the conventions, and neither metrics nor logs tell what is nobody's business.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Cluster, get, wait } from './cluster.mjs';
import { metricRows, PAGE, rowsOf } from './page.mjs';
import { promtool, Prometheus } from './prometheus.mjs';
import { rulesOf, selectors, shown } from './shipped.mjs';

const build = process.env.BUILD || 'build';
const SERVICES = ['gateway', 'matchmaker', 'timer', 'worker'];
const ROOM_OR_ID = /"[0-9a-f]{16,}"|"[0-9A-Z]{6}"|player/;
const cluster = new Cluster(), prometheus = new Prometheus();
let played, texts;

before(async () => {
  await cluster.start();
  await prometheus.start((job) => cluster.services().filter((process) => process.job === job).map(({ ops }) => ops));
  played = await cluster.play();
  texts = new Map();
  for (const process of cluster.services()) texts.set(process, await cluster.metrics(process));
});

after(async () => {
  await prometheus.stop();
  await cluster.stop();
});

test('the games were played', () => {
  assert.equal(played.filter((line) => line.endsWith(' played')).length, 3);
});

test('what each service serves is as promtool wants it', () => {
  for (const [process, text] of texts) {
    const { status, said } = promtool(['check', 'metrics'], text);
    assert.equal(status, 0, `${process.name}: ${said}`);
    assert.equal(said, '', process.name);
  }
});

test('the page lists every metric that is served, and no other', () => {
  const served = [...texts].map(([process, text]) => ({ job: process.job, text }));
  assert.deepEqual(rowsOf(readFileSync(PAGE, 'utf8'), 'metrics'), metricRows(served));
});

test('every service says until when the certificates are good that it uses', () => {
  const days = { identity: 50, authority: 100 };
  for (const [process, text] of texts)
    for (const [certificate, wanted] of Object.entries(days)) {
      const name = `madang_certificate_expiry_timestamp_seconds{certificate="${certificate}"} `;
      const ends = text.split('\n').find((line) => line.startsWith(name))?.slice(name.length);
      const left = (Number(ends) * 1000 - Date.now()) / 86_400_000;
      assert.ok(left > wanted - 0.1 && left <= wanted, `${process.name}, ${certificate}: ${left} days`);
    }
});

test('madangctl, which shows a certificate as well, sees from afar which ones are in use', () => {
  const { status, stdout, stderr } = spawnSync(`${build}/bin/madangctl`, ['doctor', '--json',
    `--matchmakers=${cluster.matchmaker}`, ...cluster.tls, `--redis=unix://${cluster.redis}`, '--redis-user=yard'],
    { encoding: 'utf8', env: { ...process.env, MADANG_REDIS_PASSWORD: cluster.password } });
  assert.equal(status, 0, `${stdout}${stderr}`);
  const found = JSON.parse(stdout).checks.filter(({ subject }) => subject === 'certificate').map((check) => check.found);
  for (const use of ['identity is valid for 49 days', 'authority is valid for 99 days'])
    assert.equal(found.filter((text) => text === `what it uses as ${use}`).length, cluster.services().length, stdout);
});

test('no label names a room, a player or a code', () => {
  for (const [process, text] of texts)
    for (const line of text.split('\n').filter((each) => !each.startsWith('#')))
      assert.doesNotMatch(line.match(/\{.*\}/)?.[0] ?? '', ROOM_OR_ID, process.name);
});

test('every service tells life and readiness', async () => {
  assert.deepEqual([...new Set(cluster.services().map(({ job }) => job))].sort(), SERVICES);
  for (const { ops, name } of cluster.services())
    for (const path of ['/livez', '/readyz']) {
      const answer = await get(ops, path);
      assert.deepEqual([answer.status, answer.text], [200, 'ok\n'], name + path);
    }
});

test('players cannot reach the operations: their port serves none of it', async () => {
  for (const path of ['/metrics', '/livez', '/readyz'])
    assert.doesNotMatch((await get(cluster.port, path)).text, /madang_|^ok$/m, path);
});

test('Prometheus finds every service', async () => {
  await wait('every target', async () => (await prometheus.query('up == 1')).length === cluster.services().length);
  const jobs = (await prometheus.query('count by (job) (up == 1)')).map(({ metric }) => metric.job).sort();
  assert.deepEqual(jobs, SERVICES);
});

test('every series that dashboards and rules name is there', async () => {
  const rules = rulesOf(await prometheus.api('rules'));
  const asked = [...shown, ...rules.map(({ name, query }) => ({ where: name, expr: query }))];
  const named = new Map();
  for (const { where, expr } of asked) {
    const found = selectors(expr);
    assert.ok(found.length, `${where} names no series: ${expr}`);
    for (const selector of found) named.set(selector, where);
  }
  assert.ok(named.size > 80, `only ${named.size} series are named`);
  for (const [selector, where] of named)
    await wait(`${where}: ${selector}`, async () => (await prometheus.query(selector)).length > 0);
});

test('every expression can be answered, and those of a second are about what was played', async () => {
  for (const { expr } of shown) await prometheus.query(expr);
  const value = async (query) => Number((await prometheus.query(query))[0]?.value[1] ?? 0);
  await wait('the games', async () => await value('sum(madang_worker_games_finished_total)') === 3);
  const accepted = await value('sum(madang_worker_actions_total)');
  assert.ok(accepted > 20, `${accepted} actions`);
  // Not all are looked at in the same moment.
  await wait('what is durable', async () => await value('sum(madang_worker_action_durable_seconds_count)') === accepted);
  await wait('what was written', async () => await value('sum(madang_gateway_action_written_seconds_count)') >= accepted);
  assert.ok(await value('sum(madang_store_append_seconds_sum)') > 0);
  await wait('as many rooms as the queue has', async () =>
    await value('sum(madang_worker_rooms)') === await value('sum(madang_queue_depth{queue="worker_rooms"})'));
});

test('no alert of a promise fires over a cluster that is well', async () => {
  const alerts = (await prometheus.api('alerts')).data.alerts.filter(({ state }) => state === 'firing');
  assert.deepEqual(alerts.map(({ labels }) => labels.alertname), []);
});
