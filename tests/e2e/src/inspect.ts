// SPDX-License-Identifier: Apache-2.0
//
// What every screen has to pass: axe-core in light and dark, fingers' sizes, and a layout (layout.ts) that also holds
// with text twice as large and with the page zoomed to twice its size. And its pictures, to be looked at: build/screens/.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './cluster.js';
import { faultsOfLayout } from './layout.js';
import type { Person } from './person.js';

export const screens = join(build, 'screens');
mkdirSync(screens, { recursive: true });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = [[390, 844], [768, 1024], [1280, 800]] as const; // beside the phone's own
const ZOOMED = { width: 180, height: 370 }; // what a phone's page has of it at 200 %
const FINGER_PX = 48;
const PAD_KEY_PX = 56;
const PICTURE_MS = 60_000;

interface AxeViolation {
  id: string;
  impact: string;
  nodes: { target: string[]; any: { message: string }[] }[];
}
declare const axeOnPage: { run(options: { runOnly?: string[] }): Promise<{ violations: AxeViolation[] }> };

// Through the debugger, which the page's policy does not govern.
async function violations(person: Person, runOnly?: string[]): Promise<string[]> {
  await person.page.evaluate(`window.axeOnPage ??= (() => { ${axe}; return window.axe; })(); undefined`);
  const found = await person.page.evaluate(async (rules) => (await axeOnPage.run(rules)).violations.map((v) => ({
    id: v.id,
    impact: v.impact,
    nodes: v.nodes.map((n) => ({ target: n.target, any: n.any.map((a) => ({ message: a.message })) })),
  })), runOnly ? { runOnly } : {});
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

// Buttons whose content is wider than they are. Pictures on a round card are turned: their boxes are not what is drawn.
function spilling(): string[] {
  return [...document.querySelectorAll<HTMLElement>('button, summary, label')]
    .filter((node) => node.checkVisibility() && getComputedStyle(node).display !== 'inline')
    .filter((node) => {
      const edge = node.getBoundingClientRect().right + 1;
      return [...node.querySelectorAll('*')].some(
        (part) =>
          !part.closest('[data-card]') &&
          part.getBoundingClientRect().right > edge &&
          getComputedStyle(part).position !== 'absolute',
      );
    })
    .map((node) => `its content spills out of ${node.dataset['testid'] ?? node.textContent?.trim()}`);
}

// Text twice as large, as a device has it whose owner asked for that. The size of what holds the page is asked for anew:
// Chromium keeps the answers it has when the root's font changes under it.
async function largeText(person: Person, on: boolean): Promise<void> {
  await person.page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
    const main = document.querySelector('main');
    if (main === null) return;
    main.style.containerType = 'normal';
    void main.offsetHeight;
    main.style.containerType = '';
  }, on ? '200%' : '');
}

// What was moving stands, and what the change has led to is drawn.
async function settle(person: Person): Promise<void> {
  await person.page.evaluate(async () => {
    const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => done()));
    await frame();
    await frame();
    for (const animation of document.getAnimations())
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
    await frame();
  });
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
    const picture = (as: string): Promise<unknown> =>
      page.screenshot({ path: join(screens, `${name}-${as}.png`), timeout: PICTURE_MS });
    await settle(person);
    await picture(`${before.width}x${before.height}`);
    note('360 px', await page.evaluate(faultsOfLayout));
    note('360 px', await page.evaluate(spilling));
    note('360 px', await page.evaluate(smallTargets, { finger: FINGER_PX, key: PAD_KEY_PX }));
    note('light', await violations(person));
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(person);
    note('dark', await violations(person, ['color-contrast'])); // all that the dark can change
    await picture('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await largeText(person, true);
    await settle(person);
    note('text at 200 %', await page.evaluate(faultsOfLayout));
    note('text at 200 %', await page.evaluate(spilling));
    await picture('large');
    await largeText(person, false);
    await page.setViewportSize(ZOOMED);
    await settle(person);
    note('page at 200 %', await page.evaluate(faultsOfLayout));
    note('page at 200 %', await page.evaluate(spilling));
    await picture('zoomed');
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await settle(person);
      await picture(`${width}x${height}`);
      note(`${width} px`, await page.evaluate(faultsOfLayout));
    }
  } finally {
    await page.setViewportSize(before);
    await person.hold(false);
  }
  return wrong;
}
