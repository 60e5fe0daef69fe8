// SPDX-License-Identifier: Apache-2.0
//
// Plays with taps. What to tap is a mind's business: an honest one knows what its own page shows, a knowing one looks
// into everybody's hand, which ends games soon or takes them where a test wants them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from './person.js';
import { lookAt, ownRow, targets, type Table, type Target } from './table.js';

const STEPS_MAX = 400;
const STUMBLES_MAX = 12;
const TAP_MS = 15_000;
const CHANGE_MS = 6000;
const GAME_MS = 390_000; // who is out early waits for the end

export interface Mind {
  target(person: Person, table: Table): Promise<Target>;
  // The key to press on the pad that is open: "7" or "joker".
  face(person: Person, table: Table, target: Target): Promise<string>;
  goOn(person: Person, table: Table): Promise<boolean>;
}

// The tile of which the helper leaves fewest numbers, and the lowest of them; goes on after one hit, stops after two.
export function honest(): Mind {
  let hits = 0;
  return {
    target: async (person, table) => (await person.page.evaluate(surest)) ?? first(targets(table)),
    face: async (person) => first(await undimmed(person)),
    goOn: async () => (hits += 1) % 2 === 1,
  };
}

// Runs in the page: opens the pad of each tile that can be guessed and counts the keys that are not dimmed.
async function surest(): Promise<Target | null> {
  let best: Target | null = null;
  let fewest = Infinity;
  const tiles = document.querySelectorAll<HTMLElement>('button[data-testid^="tile-"]');
  const names = [...tiles].map((tile) => tile.dataset['testid']);
  for (const name of names) {
    document.querySelector<HTMLElement>(`[data-testid="${name}"]`)?.click();
    await new Promise((done) => setTimeout(done, 0));
    const keys = [...document.querySelectorAll('[data-testid="pad"] [data-testid^="key-"]')];
    const left = keys.filter((key) => !key.getAttribute('aria-label')?.includes('그럴 수 없는')).length;
    const [, seat, index] = name?.split('-') ?? [];
    if (left > 0 && left < fewest) [best, fewest] = [{ seat: Number(seat), index: Number(index) }, left];
  }
  return best;
}

export function undimmed(person: Person): Promise<string[]> {
  return keys(person, false);
}
export function dimmed(person: Person): Promise<string[]> {
  return keys(person, true);
}
function keys(person: Person, dim: boolean): Promise<string[]> {
  return person.page.evaluate((wanted) =>
    [...document.querySelectorAll<HTMLElement>('[data-testid="pad"] [data-testid^="key-"]')]
      .filter((key) => /그럴 수 없는|cannot be/.test(key.getAttribute('aria-label') ?? '') === wanted)
      .map((key) => key.dataset['testid']?.slice(4) ?? ''), dim);
}

// What stands where, by looking into the hands of all who play.
export async function truth(people: Person[], target: Target): Promise<string> {
  for (const person of people) {
    const table = await lookAt(person);
    const row = table.rows.find((each) => each.mine && each.seat === target.seat);
    const face = row?.tiles[target.index]?.face;
    if (face) return face === '조커' ? 'joker' : face;
  }
  throw new Error(`nobody holds tile ${target.index} of seat ${target.seat}`);
}

export function knowing(people: Person[]): Mind {
  return {
    target: async (_person, table) => first(targets(table)),
    face: (_person, _table, target) => truth(people, target),
    goOn: async () => true,
  };
}

// Never hits, and says what cannot be only where nothing else is left.
export function missing(people: Person[]): Mind {
  return {
    target: async (_person, table) => first(targets(table)),
    face: async (person, _table, target) => {
      const right = await truth(people, target);
      const order = [...(await undimmed(person)), ...(await dimmed(person))];
      return first(order.filter((key) => key !== right));
    },
    goOn: async () => false,
  };
}

function first<T>(list: T[]): T {
  const item = list[0];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

const waiting = '[data-testid="turn"][data-mine="true"], [data-testid="game"][data-over="true"]';
export async function waitForTurn(person: Person, timeout = GAME_MS): Promise<Table> {
  await person.page.waitForSelector(waiting, { state: 'attached', timeout });
  return lookAt(person);
}

// Taps what this person has to do now, and waits until the table has changed.
export async function step(person: Person, table: Table, mind: Mind): Promise<void> {
  const tap = (id: string): Promise<void> => person.press(id, TAP_MS);
  switch (table.phase) {
    case 'CHOOSE_START':
      await tap('pick-go');
      break;
    case 'DRAW':
      await draw(person, tap);
      break;
    case 'GUESS': {
      const target = await mind.target(person, table);
      await openPad(person, target);
      await tap(`key-${await mind.face(person, table, target)}`);
      await tap('say');
      break;
    }
    case 'AFTER_CORRECT':
      await guardDown(person).catch(() => undefined); // the clock may have been quicker
      if (await mind.goOn(person, table)) {
        await tap('go-on');
      } else {
        if (table.slots > 0) await tap('slot-0');
        await tap('stop');
      }
      break;
    case 'PLACE_JOKER':
      await tap('slot-0');
      await tap('place-joker');
      break;
    case 'REVEAL_OWN':
      await tap(`tile-${ownRow(table).seat}-${first(ownRow(table).tiles.filter((tile) => tile.tappable)).index}`);
      await tap('reveal-own');
      break;
    default:
      throw new Error(`${person.name} does not know the phase "${table.phase}"`);
  }
  await changed(person, table);
}

// After a hit, the two buttons wait for the finger to have gone.
export async function guardDown(person: Person): Promise<void> {
  await person.page.waitForSelector('[data-testid="after-correct"][data-ready="true"]', { timeout: CHANGE_MS });
}

async function draw(person: Person, tap: (id: string) => Promise<void>): Promise<void> {
  for (const pile of ['draw-black', 'draw-white', 'draw-any']) {
    const button = person.id(pile);
    if ((await button.isVisible()) && (await button.isEnabled())) return tap(pile);
  }
  throw new Error('there is no pile to draw from');
}

export async function openPad(person: Person, { seat, index }: Target): Promise<void> {
  await person.press(`tile-${seat}-${index}`, TAP_MS);
  await person.page.waitForFunction(isPadOf, { seat, index }, { timeout: TAP_MS });
}

// The pad is open, and it is this tile's.
function isPadOf({ seat, index }: Target): boolean {
  const tile = document.querySelector(`[data-testid="tile-${seat}-${index}"]`);
  return document.querySelector('[data-testid="pad"]') !== null && tile?.getAttribute('aria-pressed') === 'true';
}

export async function changed(person: Person, from: Table): Promise<void> {
  for (const end = Date.now() + CHANGE_MS; Date.now() < end; await sleep(60))
    if ((await lookAt(person)).print !== from.print) return;
}

// Plays this person's part to the end of the game. The clock may act meanwhile and take a target from under the
// finger: then it looks again.
const never = async (): Promise<boolean> => false;
export async function playPart(person: Person, mind: Mind, enough = never): Promise<void> {
  let stumbles = 0;
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const table = await waitForTurn(person);
    if (table.over || (await enough())) return;
    if (!table.mine) continue;
    const others = table.rows.filter((row) => !row.mine).flatMap((row) => row.tiles);
    const shown = others.find((tile) => !tile.open && tile.face);
    if (shown) throw new Error(`${person.name} is shown what is hidden: ${shown.label}`);
    try {
      await step(person, table, mind);
    } catch (error) {
      if ((stumbles += 1) > STUMBLES_MAX) throw error;
    }
  }
  throw new Error(`${person.name} has played ${STEPS_MAX} steps and it is not over`);
}

export async function playOut(people: Person[], mind: (person: Person) => Mind): Promise<void> {
  await Promise.all(people.map((person) => playPart(person, mind(person))));
  await Promise.all(people.map((person) => person.see('result')));
}
