// SPDX-License-Identifier: Apache-2.0
//
// Browsers play through a cluster: one cluster, one browser, a few tests at a time. Ends in `N passed, N failed`.
//   npm test [-- words of a test's name]
import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM, FLAGS } from './chromium.js';
import { Cluster } from './cluster.js';
import { Stage, tests, type Test } from './stage.js';
import './screens.test.js';
import './games.test.js';
import './habits.test.js';
import './people.test.js';
import './newcomers.test.js';
import './rooms.test.js';
import './line.test.js';
import './fetching.test.js';
import './dobble.test.js';
import './dobble-screens.test.js';
import './baseball.test.js';
import './baseball-screens.test.js';

const AT_A_TIME = 3;

let cluster: Cluster | undefined;
let browser: Browser | undefined;
let clearing: Promise<boolean> | undefined;

// Ends what was started, once. Resolves to whether the cluster ended in order.
function clear(): Promise<boolean> {
  clearing ??= (async () => {
    await browser?.close().catch(() => undefined);
    return (await cluster?.stop()) ?? true;
  })();
  return clearing;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void clear().then(() => process.exit(130)));
for (const fault of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(fault, (error) => {
    console.error(error);
    void clear().then(() => process.exit(1));
  });

// Playwright tells each of its tries; the first lines say enough.
function gist(text: string): string {
  const lines = text.replaceAll(/\u001b\[\d+m/g, '').split('\n');
  return [...lines.slice(0, 10), ...lines.slice(10).filter((line) => /^\s+at .*\/src\//.test(line))].join('\n');
}

let passed = 0;
let failed = 0;

async function runTest(test: Test, number: number, on: { cluster: Cluster; browser: Browser }): Promise<void> {
  const stage = new Stage(on.cluster, on.browser);
  const started = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done in ${test.limit_s} s`)), test.limit_s * 1000);
  });
  const problems: string[] = [];
  try {
    await Promise.race([test.run(stage), late]);
  } catch (error) {
    problems.push(gist((error as Error).stack ?? String(error)));
  }
  clearTimeout(timer);
  problems.push(...await stage.problems());
  if (problems.length > 0) await stage.pictures(number);
  await stage.clear();
  const word = problems.length > 0 ? 'FAILED' : 'ok';
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${word}  ${number}  ${test.name}`);
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '      | '));
  if (problems.length > 0) failed += 1;
  else passed += 1;
}

async function main(): Promise<void> {
  const words = process.argv.slice(2).join(' ');
  const chosen = tests.map((test, i) => ({ test, number: i + 1 })).filter(({ test }) => test.name.includes(words));
  const started = await Cluster.start();
  cluster = started;
  const launched = await chromium.launch({
    executablePath: CHROMIUM, args: FLAGS, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false,
  });
  browser = launched;
  const on = { cluster: started, browser: launched };
  // The longest first, so that none of them is left for the end.
  const together = chosen.filter(({ test }) => !test.alone).sort((a, b) => b.test.limit_s - a.test.limit_s);
  const hand = async (): Promise<void> => {
    for (let next = together.shift(); next; next = together.shift()) await runTest(next.test, next.number, on);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, hand));
  for (const { test, number } of chosen.filter((each) => each.test.alone)) await runTest(test, number, on);
  if (failed > 0) console.log(started.log());
  if (!(await clear())) {
    failed += 1;
    console.log('FAILED  the cluster did not end in order');
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

void main();
