// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inReadme, takeOver } from '../../.ci/bench-figures.mjs';

const kept = JSON.parse(readFileSync('tests/bench/figures.json', 'utf8'));
const PLACE = '<!-- bench: here -->\n<!-- /bench -->';
const of = (median) => ({ median, min: median, max: median, runs: 3 });
const bench = (measurements) => ({ machine: 'm', system: 's', redis: 'Redis server v=7.0.15 x', version: 'abc', day: '2026-12-24',
  runs: 3, seconds: 8, measurements });
const figures = { 's to the first page': of(0.25), 's to the first game': of(0.5) };
const start = { name: 'start', figures, doubts: [], runs: [1] };
const standard = () => kept.measurements.filter(({ name }) => name !== 'start')
  .map((each) => (each.idle ? { name: each.name, runs: each.idle } : { ...each, runs: [1] }));

test('what was measured apart says of which version it is, and leaves the rest', () => {
  const now = takeOver(kept, bench([start]));
  assert.equal(now.version, kept.version);
  assert.equal(now.measurements.length, kept.measurements.filter(({ name }) => name !== 'start').length + 1);
  assert.equal(now.measurements.at(-1).runs, undefined);
  const readme = inReadme(PLACE, now);
  assert.match(readme, /to the first page, s \| 0\.25 \| 2 \|/);
  assert.match(readme, /`start`: 3 runs of abc, 2026-12-24/);
  assert.deepEqual(takeOver(now, bench([start])), now);
});

test('the standard set takes the place of all of it, and what it does not measure is of its former version', () => {
  const before = takeOver(kept, bench([start]));
  const now = takeOver(before, { ...bench(standard()), version: 'def' });
  assert.equal(now.version, 'def');
  assert.equal(now.redis, 'Redis 7.0.15');
  assert.equal(now.measurements.find(({ name }) => name === 'start').of.version, 'abc');
  assert.match(inReadme(PLACE, now), /def; 2026-12-24/);
});

test('growth is told in times', () => {
  const point = (name, cpu) => ({ name, doubts: [], runs: [1],
    figures: { 'CPU us a claim, whole cluster': of(cpu), 'user CPU us a claim, whole cluster': of(cpu / 4) } });
  const now = takeOver(kept, bench([point('rooms-10', 50), point('rooms-10000', 60)]));
  assert.match(inReadme(PLACE, now), /times that with 10 \| 1\.20 \| 1\.2 \|\n\| all CPU of it, times \| 1\.20 \| 1\.6 \|/);
  assert.match(inReadme(PLACE, now), /\(`rooms-10000`, `rooms-10`: 3 runs of abc, 2026-12-24\)/);
  const half = takeOver(kept, bench([point('rooms-10', 50)]));
  assert.doesNotMatch(inReadme(PLACE, half), /times that with 10 \|/);
});

test('what a claim costs beside the kernel is told where every closed loop has it', () => {
  const split = (names) => takeOver(kept, bench(standard().map((each) => (names.includes(each.name)
    ? { ...each, figures: { ...each.figures, 'user CPU us a claim, whole cluster': of(21.5) } } : each))));
  const all = ['closed-10', 'closed-100', 'closed-1000'];
  assert.match(inReadme(PLACE, split(all)), /user space\), µs \| 21\.5 \| 21\.5 \| 21\.5 \|/);
});
