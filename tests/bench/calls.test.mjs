// SPDX-License-Identifier: Apache-2.0
//
// What a whole cluster asks of the kernel for one durable claim under load, and how much travels in one batch: a hundred
// rooms of four play as fast as they can. Everything is on one processor and nobody is stopped in the middle of a turn
// (chrt --batch), so that how fast the machine is, and what else it does, changes little of it: each process finds what
// the others had for it.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, before, test } from 'node:test';
import { Cluster, sleep } from './cluster.mjs';

const ON = ['chrt', '--batch', '0', 'taskset', '-c', String(availableParallelism() - 1)];
const FLAGS = ['--rooms=500', '--in-flight=100', '--warm-up=2', '--duration=3'];
const BETWEEN_MS = 1500; // two looks at the counters
// Of the kernel, for a claim. Four people get the outcome, so a gateway writes four times and answers a few pings.
const CALLS = {
  gateway: { read: 2.2, write: 5, wait: 0.9, thread: 2 },
  worker: { read: 1, write: 0.8, wait: 1.1, thread: 2.4 },
  redis: { read: 0.25, write: 0.45, wait: 0.25 },
  timer: { read: 0.25, write: 0.15, wait: 0.25, thread: 0.5 },
};
const BATCHES = { gateway: 8, worker: 10 }; // single messages in a batch that it sends, at least
const ROOMS_A_CALL = 5; // whose entries share a call to Redis, at least
const BYTES = { up: 40, down: 250 }; // of a claim, WebSocket's own included, all four people together

let cluster, result;
const batches = {};

async function look(ports) {
  const [gateway, worker] = await Promise.all([cluster.metrics(ports.gateway), cluster.metrics(ports.worker)]);
  return { gateway, worker };
}

async function countBatches(ports) {
  const first = await look(ports);
  await sleep(BETWEEN_MS);
  const second = await look(ports);
  const more = (service, name) => second[service][`madang_${name}`] - first[service][`madang_${name}`];
  for (const service of ['gateway', 'worker'])
    batches[service] = more(service, 'bus_envelopes_out_total') / more(service, 'bus_messages_out_total');
  batches.rooms = more('worker', 'store_append_rooms_sum') / more('worker', 'store_append_rooms_count');
}

before(async () => {
  cluster = await Cluster.start({ on: ON, counted: true });
  const ports = { gateway: cluster.ports('gateway'), worker: cluster.ports('worker') };
  let counting;
  const on_phase = (phase) => { if (phase === 'measuring') counting = countBatches(ports); };
  result = await cluster.load(FLAGS, { on: ON, on_phase });
  await counting;
  for (const { name, calls_per_action: calls } of result.watched)
    console.log(`> a claim in ${name}: ${calls.read.toFixed(2)} reads, ${calls.write.toFixed(2)} writes, ` +
      `${calls.wait.toFixed(2)} waits, ${calls.thread.toFixed(2)} between threads`);
  console.log(`> messages in a batch: ${batches.gateway.toFixed(1)} of a gateway, ${batches.worker.toFixed(1)} of a worker; ` +
    `${batches.rooms.toFixed(1)} rooms in a call to Redis`);
});
after(() => cluster?.stop());

test('claims enough were played', () => {
  assert.ok(result.accepted > 300, `${result.accepted} claims`);
});

for (const [service, limits] of Object.entries(CALLS))
  for (const [kind, limit] of Object.entries(limits))
    test(`a claim takes a ${service} few calls: ${kind}`, () => {
      const calls = result.watched.filter(({ name }) => name.replace(/-\d+$/, '') === service)
        .reduce((sum, each) => sum + each.calls_per_action[kind], 0);
      assert.ok(calls > 0, 'none is counted');
      assert.ok(calls <= limit, `${calls}, and ${limit} at most`);
    });

for (const [service, least] of Object.entries(BATCHES))
  test(`under load, a batch of a ${service} carries many messages`, () => {
    assert.ok(batches[service] >= least, `${batches[service]}, and ${least} at least`);
  });

test('under load, many rooms share a call to Redis', () => {
  assert.ok(batches.rooms >= ROOMS_A_CALL, `${batches.rooms}, and ${ROOMS_A_CALL} at least`);
});

test('a claim is few bytes on the wire', () => {
  const { acts_up: up, views_down: views, answers_down: answers } = result.per_action;
  assert.ok(up.bytes > 0 && up.bytes <= BYTES.up, `${up.bytes} bytes up`);
  const down = views.bytes + answers.bytes;
  assert.ok(down > 0 && down <= BYTES.down, `${down} bytes down`);
});
