// SPDX-License-Identifier: Apache-2.0
//
// What the cores of a worker and a gateway do for one claim of four people on the tower, with a ping of each and the ticks
// meanwhile: instructions and allocations, as callgrind counts them, which no other work on the machine changes. The claims
// of tests/unit/claim are played twice, some more the second time; what is more is theirs. Only steps of the cores are
// counted, not what plays around them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';

const program = resolve(process.env.BUILD || 'build', 'tests/unit/claim/claim_test');
const FEW = 10, MANY = 50;
const LIMITS = { // a fifth above what was measured
  worker: { instructions: 60_000, allocations: 16 },
  gateway: { instructions: 28_000, allocations: 3 },
};

// The costs of a run, and how often a step asked for memory: callgrind's own format, in which a name stands at its first
// place alone and later as a number. Costs are collected within steps, calls are counted everywhere: a name is its
// function's and its callers', so that what plays around the steps can be told apart.
const ALLOCATES = /^(?:malloc|calloc|realloc|aligned_alloc)'/, CALLERS = 12;

function read(text, step) {
  const names = new Map();
  let allocates = false, allocations = 0;
  for (const line of text.split('\n')) {
    const called = /^cfn=\((\d+)\)(?: (.*))?$/.exec(line), named = called ?? /^fn=\((\d+)\)(?: (.*))?$/.exec(line);
    if (named?.[2]) names.set(named[1], named[2]);
    if (called) {
      const name = names.get(called[1]) ?? '', [, caller] = name.split("'");
      allocates = ALLOCATES.test(name) && name.split("'").includes(step) && !ALLOCATES.test(`${caller}'`);
    }
    const calls = /^calls=(\d+) /.exec(line);
    if (calls && allocates) allocations += Number(calls[1]);
  }
  return { instructions: Number(/^(?:totals|summary): (\d+)/m.exec(text)[1]), allocations };
}

function count(service, claims) {
  const folder = mkdtempSync(join(tmpdir(), 'madang-counts-')), out = join(folder, 'out'), step = `${service}_core_step`;
  const argv = ['--tool=callgrind', `--callgrind-out-file=${out}`, '--collect-atstart=no', `--toggle-collect=${step}`,
    `--separate-callers=${CALLERS}`, program];
  const run = spawnSync('valgrind', argv, { env: { ...process.env, CLAIMS: String(claims) }, encoding: 'utf8' });
  assert.equal(run.status, 0, `${run.error ?? ''}${run.stdout}${run.stderr}`);
  const counted = read(readFileSync(out, 'utf8'), step);
  rmSync(folder, { recursive: true });
  return counted;
}

const found = {};
before(() => {
  for (const service of Object.keys(LIMITS)) {
    const few = count(service, FEW), many = count(service, MANY);
    found[service] = Object.fromEntries(Object.keys(few).map((what) => [what, (many[what] - few[what]) / (MANY - FEW)]));
    const { instructions, allocations } = found[service];
    console.log(`> a claim in a ${service}: ${Math.round(instructions)} instructions, ${allocations.toFixed(1)} allocations`);
  }
});

for (const [service, limits] of Object.entries(LIMITS))
  for (const [what, limit] of Object.entries(limits))
    test(`a claim takes a ${service} few ${what}`, () => {
      assert.ok(found[service][what] > 0, 'none is counted');
      assert.ok(found[service][what] <= limit, `${found[service][what]}, and ${limit} at most`);
    });
