// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layers } from '../../.ci/layers.mjs';

const TABLE = 'base: base\ngame: base game\nwire: base wire\ncore: base core game wire\nshell: base bus wire';

function judge(file, included) {
  return layers([file], () => `#include "${included}"\n`, TABLE).length;
}

test('a library may include itself and what its row names', () => {
  assert.equal(judge('libs/game/game.c', 'game/rng.h'), 0);
  assert.equal(judge('libs/game/game.c', 'base/buf.h'), 0);
  assert.equal(judge('libs/game/game.c', 'local.h'), 0);
});

test('nothing else', () => {
  assert.equal(judge('libs/base/buf.c', 'game/game.h'), 1);
  assert.equal(judge('libs/game/game.c', 'bus/bus.h'), 1);
});

test('a core may not reach what a shell may', () => {
  assert.equal(judge('services/worker/on_store.c', 'bus/bus.h'), 1);
  assert.equal(judge('services/worker/main.c', 'bus/bus.h'), 0);
  assert.equal(judge('services/worker/shell_loop.c', 'bus/bus.h'), 0);
  assert.equal(judge('services/worker/on_store.c', 'worker/worker_core.h'), 0);
  assert.equal(judge('services/worker/on_store.c', 'timer/timer_core.h'), 1);
});

test('generated types are for the code that encodes and decodes', () => {
  assert.equal(judge('libs/wire/batch.c', 'cluster.pb-c.h'), 0);
  assert.equal(judge('libs/games/davinci/davinci_wire.c', 'davinci.pb-c.h'), 0);
  assert.equal(judge('libs/games/davinci/game.c', 'davinci.pb-c.h'), 1);
});
