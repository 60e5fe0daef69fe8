// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plot, spread, ticks } from '../bench/plot.mjs';

test('the median of runs lies in the middle, whatever their order', () => {
  assert.deepEqual(spread([9, 1, 5]), { median: 5, min: 1, max: 9, runs: 3 });
  assert.deepEqual(spread([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4, runs: 4 });
  assert.deepEqual(spread([NaN, Infinity]), { median: null, min: null, max: null, runs: 0 });
});

test('an axis has few round steps and reaches the greatest value', () => {
  assert.deepEqual(ticks(10), [0, 2, 4, 6, 8, 10]);
  for (const most of [0.003, 0.7, 1, 7, 99, 1234, 98765]) {
    const steps = ticks(most);
    assert.ok(steps.at(-1) >= most * 0.999 && steps.length >= 4 && steps.length <= 7, `${most}: ${steps}`);
  }
});

test('every point of a plot lies within it, and names are no markup', () => {
  const series = [{ name: 'one & two', points: [[10, 3], [100, 7], [1000, 5]] }];
  const svg = plot({ title: 'a < b', x: 'x', y: 'y', decades: true, series });
  const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, cx, cy]) => [Number(cx), Number(cy)]);
  assert.equal(circles.length, 3);
  for (const [cx, cy] of circles) assert.ok(cx >= 64 && cx <= 640 && cy >= 36 && cy <= 312);
  assert.ok(circles[0][0] < circles[1][0] && circles[1][1] < circles[0][1]); // to the right, and up
  assert.ok(svg.includes('a &lt; b') && svg.includes('one &amp; two'));
});
