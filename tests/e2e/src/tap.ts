// SPDX-License-Identifier: Apache-2.0
//
// How long a finger waits for its answer: two people play the tower of 짝꿍 그림 in one browser, one of them taps, and from
// each tap to the frame in which its outcome, as the server judged it, is on the screen is timed in the page. Part of
// `make bench`; ends in one line of JSON.
import { chromium } from 'playwright-core';
import { CHROMIUM, FLAGS } from './chromium.js';
import { Cluster } from './cluster.js';
import { begin, outcome, picture } from './dobble.js';
import type { Person } from './person.js';
import { Stage } from './stage.js';

const TAPS = 20;
const SEEN_MS = 250; // nobody sees sooner what lies there; an earlier tap counts for what lay there before
const STILL_MS = 700; // until the card that went has gone from the screen

declare global {
  interface Window {
    answered: number[];
  }
}

// Runs in the page. A message that is posted while a frame is made comes when that frame has been painted.
function timeTaps(): void {
  window.answered = [];
  let tapped = 0;
  document.addEventListener('pointerdown', (event) => (tapped = event.timeStamp), { capture: true });
  const painted = (): void => {
    const from = tapped;
    tapped = 0;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (): void => void window.answered.push(performance.now() - from);
      port2.postMessage(null);
    });
  };
  new MutationObserver(() => {
    const mark = document.querySelector<HTMLElement>('[data-testid="mark"]');
    if (tapped > 0 && mark?.dataset['outcome'] === 'right') painted();
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-outcome'] });
}

async function tapAll(person: Person): Promise<number[]> {
  await person.page.evaluate(timeTaps);
  for (let i = 0; i < TAPS; i += 1) {
    const id = await picture(person, true);
    await person.page.waitForTimeout(SEEN_MS);
    const box = await person.id(id).boundingBox();
    if (box === null) throw new Error(`${id} is not there`);
    await person.page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await outcome(person, 'right');
    await person.page.waitForTimeout(STILL_MS);
  }
  return person.page.evaluate(() => window.answered);
}

async function main(): Promise<void> {
  const cluster = await Cluster.start();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const stage = new Stage(cluster, browser);
  try {
    const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
    await begin(host, people);
    const times = (await tapAll(host)).sort((a, b) => a - b);
    const at = (share: number): number => times[Math.ceil(times.length * share) - 1] ?? NaN;
    if (times.length < TAPS) throw new Error(`only ${times.length} of ${TAPS} taps were answered`);
    console.log(JSON.stringify({ taps: times.length, p50_ms: at(0.5), p95_ms: at(0.95), most_ms: at(1) }));
  } finally {
    await stage.clear();
    await browser.close();
    await cluster.stop();
  }
}

void main();
