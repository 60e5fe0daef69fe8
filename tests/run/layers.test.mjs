// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layers } from '../../.ci/layers.mjs';

const TABLE = 'base: base\ngame: base game\nwire: base wire\ncore: base core game wire\nshell: base bus wire';

// files: {path: [what it includes...]}
const judge = (files) =>
  layers(Object.keys(files), (file) => files[file].map((included) => `#include "${included}"\n`).join(''), TABLE);
const faults = (file, included) => judge({ [file]: [included] }).length;

test('a library may include itself and what its row names', () => {
  assert.equal(faults('libs/game/game.c', 'game/rng.h'), 0);
  assert.equal(faults('libs/game/game.c', 'base/buf.h'), 0);
  assert.equal(faults('libs/game/game.c', 'local.h'), 0);
});

test('nothing else', () => {
  assert.equal(faults('libs/base/buf.c', 'game/game.h'), 1);
  assert.equal(faults('libs/game/game.c', 'bus/bus.h'), 1);
});

test('a core may not reach what a shell may', () => {
  assert.equal(faults('services/worker/on_store.c', 'bus/bus.h'), 1);
  assert.equal(faults('services/worker/main.c', 'bus/bus.h'), 0);
  assert.equal(faults('services/worker/shell_loop.c', 'bus/bus.h'), 0);
  assert.equal(faults('services/worker/on_store.c', 'worker/worker_core.h'), 0);
  assert.equal(faults('services/worker/on_store.c', 'timer/timer_core.h'), 1);
});

test('a header is judged by who sees it', () => {
  const header = { 'services/worker/edge.h': ['bus/bus.h'] };
  assert.deepEqual(judge({ ...header, 'services/worker/main.c': ['worker/edge.h'] }), []);
  assert.equal(judge({ ...header, 'services/worker/on_store.c': ['worker/edge.h'] }).length, 1);
  const between = { 'services/worker/state.h': ['edge.h'], 'services/worker/on_store.c': ['worker/state.h'] };
  assert.equal(judge({ ...header, ...between }).length, 1);
});

test('generated types are for the code that encodes and decodes', () => {
  assert.equal(faults('libs/wire/batch.c', 'cluster.pb-c.h'), 0);
  assert.equal(faults('libs/games/davinci/davinci_wire.c', 'davinci.pb-c.h'), 0);
  assert.equal(faults('libs/games/davinci/game.c', 'davinci.pb-c.h'), 1);
});
