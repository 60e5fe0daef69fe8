// SPDX-License-Identifier: Apache-2.0
//
// What every screen has to pass: axe-core in light and dark, fingers' sizes, nothing wider than the phone, also with
// text twice as large. And its pictures, to be looked at: build/screens/.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './cluster.js';
import type { Person } from './person.js';

export const screens = join(build, 'screens');
mkdirSync(screens, { recursive: true });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = [[390, 844], [1280, 800]] as const; // beside the phone's own
const FINGER_PX = 48;
const PAD_KEY_PX = 56;
const PICTURE_MS = 60_000;
const SETTLED_MS = 350; // what was moving stands

interface AxeViolation {
  id: string;
  impact: string;
  nodes: { target: string[]; any: { message: string }[] }[];
}
declare const axeOnPage: { run(): Promise<{ violations: AxeViolation[] }> };

// Through the debugger, which the page's policy does not govern.
async function violations(person: Person): Promise<string[]> {
  await person.page.evaluate(`${axe}; window.axeOnPage = window.axe; undefined`);
  const found = await person.page.evaluate(async () => (await axeOnPage.run()).violations.map((v) => ({
    id: v.id,
    impact: v.impact,
    nodes: v.nodes.map((n) => ({ target: n.target, any: n.any.map((a) => ({ message: a.message })) })),
  })));
  return found.flatMap((v) => v.nodes.slice(0, 3).map((node) =>
    `axe, ${v.impact}: ${v.id} at ${node.target.join(' ')}: ${node.any[0]?.message ?? ''}`));
}

// Everything that can be tapped, as its test id or text, with the size of what a finger meets.
function smallTargets({ finger, key }: { finger: number; key: number }): string[] {
  const small: string[] = [];
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  for (const node of top.querySelectorAll<HTMLElement>('button, a[href], input, summary, select, textarea')) {
    const target = node instanceof HTMLInputElement && node.type === 'radio' ? (node.closest('label') ?? node) : node;
    const box = target.getBoundingClientRect();
    const least = node.closest('[data-testid="pad"]') && node.dataset['testid']?.startsWith('key-') ? key : finger;
    const shown = node.checkVisibility({ checkVisibilityCSS: true }) && box.width > 0 && box.bottom > 0;
    if (shown && (box.width < least - 0.5 || box.height < least - 0.5)) {
      const name = node.dataset['testid'] ?? node.textContent?.trim() ?? node.tagName;
      small.push(`${name}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}, not ${least}`);
    }
  }
  return small;
}

// Buttons whose content is wider than they are.
function spilling(): string[] {
  return [...document.querySelectorAll<HTMLElement>('button, summary, label')]
    .filter((node) => node.checkVisibility() && getComputedStyle(node).display !== 'inline')
    .filter((node) => [...node.querySelectorAll('*')].some((part) => part.getBoundingClientRect().right >
      node.getBoundingClientRect().right + 1 && getComputedStyle(part).position !== 'absolute'))
    .map((node) => `its content spills out of ${node.dataset['testid'] ?? node.textContent?.trim()}`);
}

function tooWide(): string[] {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const guilty = [...document.querySelectorAll('body *')]
    .filter((node) => node.getBoundingClientRect().right > room + 0.5)
    .map((node) => node.getAttribute('data-testid') ?? node.className ?? node.tagName);
  return [`${document.documentElement.scrollWidth} px wide in a window of ${room}: ${guilty.slice(0, 4).join(', ')}`];
}

async function largeText(person: Person, on: boolean): Promise<void> {
  await person.page.evaluate((size) => (document.documentElement.style.fontSize = size), on ? '200%' : '');
}

// Looks at the screen that `person` sees now, under this name. Resolves to what is wrong with it. What the server
// sends meanwhile waits, so that the screen is the same to the end.
export async function inspect(person: Person, name: string): Promise<string[]> {
  const { page } = person;
  const wrong: string[] = [];
  const note = (where: string, found: string[]): void => {
    wrong.push(...found.map((each) => `${name}, ${where}: ${each}`));
  };
  const before = page.viewportSize() ?? { width: 360, height: 740 };
  await person.hold(true);
  try {
    await sleep(SETTLED_MS);
    await page.screenshot({ path: join(screens, `${name}-${before.width}x${before.height}.png`), timeout: PICTURE_MS });
    note('360 px', await page.evaluate(tooWide));
    note('360 px', await page.evaluate(spilling));
    note('360 px', await page.evaluate(smallTargets, { finger: FINGER_PX, key: PAD_KEY_PX }));
    note('light', await violations(person));
    await page.emulateMedia({ colorScheme: 'dark' });
    await sleep(SETTLED_MS);
    note('dark', await violations(person));
    await page.screenshot({ path: join(screens, `${name}-dark.png`), timeout: PICTURE_MS });
    await page.emulateMedia({ colorScheme: 'light' });
    await largeText(person, true);
    note('text at 200 %', await page.evaluate(tooWide));
    await page.screenshot({ path: join(screens, `${name}-large.png`), timeout: PICTURE_MS });
    await largeText(person, false);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await sleep(SETTLED_MS);
      await page.screenshot({ path: join(screens, `${name}-${width}x${height}.png`), timeout: PICTURE_MS });
      note(`${width} px`, await page.evaluate(tooWide));
    }
  } finally {
    await page.setViewportSize(before);
    await person.hold(false);
  }
  return wrong;
}
