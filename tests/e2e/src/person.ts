// SPDX-License-Identifier: Apache-2.0
//
// Somebody with a phone: a browser context of its own, one window (or more), and the handful of things people do.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchPage, type Memory } from './page-side.js';

type Storage = Awaited<ReturnType<BrowserContext['storageState']>>;

// What a browser says when the client itself gives up on a line, as it does on a machine that is far too busy.
const GIVEN_UP = /WebSocket connection to .* failed: (Close received after close|WebSocket is closed before)/;
// How the browser complains of what does not come: a line, or a file, that is gone.
const LOST = /ERR_(CONNECTION|INTERNET|EMPTY|NETWORK|ABORTED|SOCKET)|WebSocket (connection|is)|status of 404/;
export const PATIENCE_MS = 25_000;

export interface PersonOptions {
  url: string;
  width?: number;
  height?: number;
  scale?: number;
  locale?: string;
  calm?: boolean; // prefers-reduced-motion
  losesLine?: boolean; // the browser may complain about lost connections
}

// Asks again and again until the answer is true; says what it waited for when it never is.
export async function until(what: string, ask: () => Promise<unknown>, ms = PATIENCE_MS): Promise<void> {
  const end = Date.now() + ms;
  for (let last: unknown; ;) {
    last = await ask();
    if (last === true) return;
    if (Date.now() > end) throw new Error(`waited in vain: ${what} (at last: ${JSON.stringify(last)})`);
    await sleep(80);
  }
}

// Names are wrapped in marks of direction that nobody sees.
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');

// Runs in the page. What is read there now; null when nothing of it is seen.
function readNow(testid: string): string | null {
  const node = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  return node?.checkVisibility({ checkVisibilityCSS: true }) ? node.innerText : null;
}

// Runs in the page. True when it was pressed, else why not.
function pressNow(testid: string): true | string {
  const node = document.querySelector<HTMLButtonElement>(`[data-testid="${testid}"]`);
  if (node === null) return 'not there';
  if (node.disabled) return 'disabled';
  const middle = (): [number, number] => {
    const box = node.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const met = (): boolean => node.contains(document.elementFromPoint(...middle()));
  if (!met()) node.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (!met()) return 'covered';
  const [clientX, clientY] = middle();
  for (const type of ['pointerdown', 'pointerup'])
    node.dispatchEvent(new PointerEvent(type, {
      bubbles: true, pointerType: 'touch', isPrimary: true, clientX, clientY,
    }));
  node.click();
  return true;
}

export class Person {
  readonly faults: string[] = [];
  readonly pages: Page[] = [];
  private constructor(
    readonly name: string,
    readonly options: PersonOptions,
    readonly context: BrowserContext,
    public page: Page,
  ) {}

  static come(browser: Browser, name: string, options: PersonOptions): Promise<Person> {
    return Person.enter(browser, name, options, null);
  }
  private static async enter(
    browser: Browser, name: string, options: PersonOptions, was: { memory: Memory; storage: Storage } | null,
  ): Promise<Person> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 360, height: options.height ?? 740 },
      deviceScaleFactor: options.scale ?? 1,
      locale: options.locale ?? 'ko-KR',
      hasTouch: true,
      reducedMotion: options.calm ? 'reduce' : 'no-preference',
      baseURL: options.url,
      ...(was === null ? {} : { storageState: was.storage }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(watchPage, was?.memory ?? null);
    const person = new Person(name, options, context, await context.newPage());
    person.watch(person.page);
    return person;
  }

  // The screen as it is now, to be looked at whenever there is time: opens a page that sees it, and hears nothing more.
  async remember(browser: Browser): Promise<() => Promise<Person>> {
    const [memory, storage] = await Promise.all([
      this.page.evaluate(() => window.seen.memory()), this.context.storageState(),
    ]);
    const url = this.page.url();
    return async () => {
      const copy = await Person.enter(browser, this.name, this.options, { memory, storage });
      await copy.page.goto(url);
      return copy;
    };
  }

  private watch(page: Page): void {
    this.pages.push(page);
    page.on('pageerror', (error) => this.faults.push(`${this.name}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (GIVEN_UP.test(message.text())) return;
      const lost = LOST.test(message.text());
      if (!(lost && this.options.losesLine)) this.faults.push(`${this.name}, console: ${message.text()}`);
    });
  }

  // A second window of the same device, which then is the one that acts.
  async anotherWindow(): Promise<Page> {
    this.page = await this.context.newPage();
    this.watch(this.page);
    return this.page;
  }

  // All that went wrong in the windows of this person, texts that are no sentences included.
  async allFaults(): Promise<string[]> {
    const seen = await Promise.all(this.pages.map((page) =>
      page.isClosed() ? [] : page.evaluate(() => window.seen.faults).catch(() => [])));
    return [...this.faults, ...seen.flat().map((fault) => `${this.name}: ${fault}`)];
  }

  id(testid: string): Locator {
    return this.page.getByTestId(testid).first();
  }
  async tap(testid: string, timeout = PATIENCE_MS): Promise<void> {
    await this.id(testid).tap({ timeout });
  }
  // A tap for those who tap a thousand times: what is there is brought into view, must be what the finger would meet,
  // and is pressed at once. It asks again while it is not there, is disabled or covered.
  async press(testid: string, timeout = PATIENCE_MS): Promise<void> {
    await until(`${this.name} can press ${testid}`, () => this.page.evaluate(pressNow, testid), timeout);
  }
  async see(testid: string, timeout = PATIENCE_MS): Promise<void> {
    await this.id(testid).waitFor({ state: 'visible', timeout });
  }
  async lose(testid: string, timeout = PATIENCE_MS): Promise<void> {
    await this.id(testid).waitFor({ state: 'hidden', timeout });
  }
  has(testid: string): Promise<boolean> {
    return this.id(testid).isVisible();
  }
  async text(testid: string): Promise<string> {
    return plain(await this.id(testid).innerText());
  }
  async reads(testid: string, text: string | RegExp, timeout = PATIENCE_MS): Promise<void> {
    const fits = (said: string): boolean => (typeof text === 'string' ? said.includes(text) : text.test(said));
    await until(`${this.name} reads ${text} in ${testid}`, async () => {
      const said = await this.page.evaluate(readNow, testid);
      return said !== null && fits(plain(said)) ? true : said;
    }, timeout);
  }
  attribute(testid: string, name: string): Promise<string | null> {
    return this.id(testid).getAttribute(name);
  }
  hold(on: boolean): Promise<void> {
    return this.page.evaluate((wanted) => window.seen.hold(wanted), on);
  }

  // ---- what people do ----

  async goHome(): Promise<void> {
    await this.page.goto('/');
    await this.see('game-davinci-code');
  }
  async makeRoom(game = 'davinci-code'): Promise<string> {
    await this.goHome();
    await this.id(`game-${game}`).check({ force: true });
    await this.id('nickname').fill(this.name);
    await this.tap('create');
    return this.roomCode();
  }
  async roomCode(): Promise<string> {
    await this.see('lobby');
    return (await this.text('room-code')).replaceAll(/\s/g, '');
  }
  async openLink(code: string): Promise<void> {
    await this.page.goto(`/r/${code}`);
    await this.see('join');
  }
  async joinByLink(code: string): Promise<void> {
    await this.openLink(code);
    await this.id('nickname').fill(this.name);
    await this.tap('join-go');
    await this.see('lobby');
  }
  async watchByLink(code: string): Promise<void> {
    await this.openLink(code);
    await this.id('nickname').fill(this.name);
    await this.tap('join-watch');
  }
  async leave(): Promise<void> {
    await this.tap('leave');
    await this.tap('confirm-yes');
    await this.see('home');
  }
  // From wherever `button` is, and not before they are there.
  async openRules(button = 'rules'): Promise<void> {
    await this.tap(button);
    await this.see('rules-page');
    await this.page.getByRole('heading', { level: 2 }).first().waitFor();
  }
  async openOptions(): Promise<void> {
    if (!(await this.id('options').isVisible())) await this.id('options-box').locator('summary').tap();
    await this.see('options');
  }
  // One option of the room, as its host; returns when the room itself says so.
  async setSwitch(key: string, on: boolean): Promise<void> {
    await this.openOptions();
    if ((await this.attribute(`set-${key}`, 'aria-checked')) !== String(on)) await this.tap(`set-${key}`);
    await until(`${key} is ${on}`, async () => (await this.attribute(`set-${key}`, 'aria-checked')) === String(on));
  }
  async setChoice(key: string, label: string): Promise<void> {
    await this.openOptions();
    const choice = this.id(`set-${key}`).getByLabel(label, { exact: true });
    await choice.tap();
    await until(`${key} is ${label}`, () => choice.isChecked());
  }
  async close(): Promise<void> {
    await this.context.close();
  }
}
