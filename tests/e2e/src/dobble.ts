// SPDX-License-Identifier: Apache-2.0
//
// Plays 짝꿍 그림 with taps, from what the page shows: two cards share one picture, and a bot finds it at once.
import { until, type Person } from './person.js';

export interface Played {
  taps: Record<string, number>; // when the finger came down, by the card that lay above
  gone: Record<string, number>; // when a card that lay above was gone from the screen
}

export interface Habits {
  enough?: number; // claims after which this bot stops
  looks?: number; // claims nothing; stops when so many cards have gone from its screen
  pause_ms?: number; // between two looks at the page
}

// Runs in the page until the game is over or there were claims enough.
async function playInPage({ enough = Infinity, looks = 0, pause_ms = 40 }: Habits): Promise<Played> {
  const AGAIN_MS = 700;
  const SEEN_MS = 220; // nobody sees sooner what lies there; an earlier tap counts for what lay there before
  const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const one = (selector: string): HTMLElement | undefined => all(selector)[0];
  const now = (): number => performance.timeOrigin + performance.now();
  const tap = (node: HTMLElement): void => {
    const box = node.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    for (const type of ['pointerdown', 'pointerup'])
      node.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch', isPrimary: true, ...at }));
    node.click();
  };
  const pictures = (slot: string): HTMLElement[] =>
    all(`[data-testid="slot-${slot}"] :not([inert]) > [data-card] > button[data-art]`);
  const cardOf = (slot: string): string => pictures(slot)[0]?.parentElement?.dataset['card'] ?? '';
  const played: Played = { taps: {}, gone: {} };
  let above = cardOf('upper');
  const watch = new MutationObserver(() => {
    const before = above;
    above = cardOf('upper');
    if (before !== '' && before !== above) requestAnimationFrame(() => (played.gone[before] ??= now()));
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-card'] });

  let last = '';
  let lastAt = -Infinity;
  let claims = 0;
  // Once for the same cards, and again when nothing came of it.
  const fresh = (key: string): boolean => {
    const time = performance.now();
    if (key !== last) [last, lastAt] = [key, time + SEEN_MS - AGAIN_MS];
    if (time - lastAt < AGAIN_MS) return false;
    lastAt = time;
    claims += 1;
    return true;
  };
  const duel = (): void => {
    const [upper, lower] = [pictures('upper'), pictures('lower')];
    if (upper.length === 0) {
      const targets = all('button[data-testid^="player-"]');
      const target = targets[Math.floor(Math.random() * targets.length)];
      if (target) tap(target);
      return;
    }
    const same = lower.find((mine) => upper.some((theirs) => theirs.dataset['art'] === mine.dataset['art']));
    if (!same || !fresh(`${cardOf('upper')}-${cardOf('lower')}`)) return;
    played.taps[cardOf('upper')] ??= now();
    tap(same);
  };
  const triplet = async (): Promise<void> => {
    const places = all('button[data-testid^="place-"]');
    const names = places.map((place) => place.getAttribute('aria-label')?.split(': ')[1]?.split(', ') ?? []);
    for (const name of new Set(names.flat())) {
      const bearing = places.filter((_, i) => names[i]?.includes(name)).slice(0, 3);
      if (bearing.length < 3) continue;
      if (!fresh(bearing.map((place) => place.dataset['card']).join('-'))) return;
      for (const place of all('button[data-testid^="place-"][aria-pressed="true"]')) tap(place);
      for (const place of bearing) {
        tap(place);
        await new Promise((done) => setTimeout(done, 0));
      }
      const picture = pictures('lower').find((each) => each.getAttribute('aria-label') === name);
      if (picture) tap(picture);
      return;
    }
  };
  const done = (): boolean => (looks > 0 ? Object.keys(played.gone).length >= looks : claims >= enough);
  while (!done() && one('[data-testid="game"]')?.dataset['over'] !== 'true') {
    const play = one('[data-testid="dobble"]');
    if (looks === 0 && play?.dataset['phase'] === 'PLAYING' && !one('[data-testid="lock"]')) {
      if (play.dataset['mini'] === 'TRIPLET') await triplet();
      else duel();
    }
    await new Promise((done) => setTimeout(done, pause_ms));
  }
  watch.disconnect();
  return played;
}

export function play(person: Person, habits: Habits = {}): Promise<Played> {
  return person.page.evaluate(playInPage, habits);
}

export async function playAll(people: Person[], habits: Habits = {}): Promise<Played[]> {
  const played = await Promise.all(people.map((person) => play(person, habits)));
  await Promise.all(people.map((person) => person.see('result')));
  return played;
}

// The test ids of a picture on the card below: the shared one, or one that the other card does not bear.
export async function picture(person: Person, right: boolean): Promise<string> {
  let found = '';
  await until(`${person.name} sees two cards`, async () => {
    found = await person.page.evaluate((wanted) => {
      const arts = (slot: string): string[] =>
        [...document.querySelectorAll<HTMLElement>(`[data-testid="slot-${slot}"] :not([inert]) > [data-card] > button`)]
          .map((button) => button.dataset['art'] ?? '');
      const upper = arts('upper');
      return upper.length === 0 ? '' : (arts('lower').find((art) => upper.includes(art) === wanted) ?? '');
    }, right);
    return found !== '';
  });
  return `lower-${found}`;
}

// A tap on the card below once it has lain there long enough to be seen.
export async function tapPicture(person: Person, right: boolean): Promise<void> {
  const id = await picture(person, right);
  await person.page.waitForTimeout(250);
  await person.press(id);
}

export const outcome = (person: Person, is: string): Promise<void> =>
  until(`${person.name}'s tap was ${is}`, async () =>
    (await person.page.getByTestId('mark').count()) > 0 &&
      (await person.page.getByTestId('mark').first().getAttribute('data-outcome')) === is);

export async function phase(person: Person, name: string, timeout?: number): Promise<void> {
  await person.page.waitForSelector(`[data-testid="dobble"][data-phase="${name}"]`, { timeout: timeout ?? 20_000 });
}

export async function begin(host: Person, people: Person[], until_phase = 'PLAYING'): Promise<void> {
  await until('the game can be started', () => host.id('start').isEnabled());
  await host.tap('start');
  for (const person of people) await phase(person, until_phase);
}
