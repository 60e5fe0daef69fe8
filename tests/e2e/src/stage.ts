// SPDX-License-Identifier: Apache-2.0
//
// Where a test happens: it brings people in, notes what is wrong, and clears up behind it.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Cluster } from './cluster.js';
import { inspect, screens } from './inspect.js';
import { Line } from './line.js';
import { Person, type PersonOptions } from './person.js';

export interface Party {
  people: Person[];
  host: Person;
  code: string;
}

export class Stage {
  private static onStreet: Promise<void> = Promise.resolve();
  private leaveStreet: () => void = () => undefined;
  private readonly people: Person[] = [];
  private readonly lines: Line[] = [];
  private readonly wrong: string[] = [];
  private readonly remembered: (() => Promise<void>)[] = [];

  constructor(readonly cluster: Cluster, private readonly browser: Browser) {}

  async person(name: string, options: Partial<PersonOptions> = {}): Promise<Person> {
    const person = await Person.come(this.browser, name, { url: this.cluster.url, ...options });
    this.people.push(person);
    return person;
  }

  async line(): Promise<Line> {
    const line = await Line.lay(this.cluster.port);
    this.lines.push(line);
    return line;
  }

  // Public rooms and quick match are one street for all tests: one test at a time is on it, to its end.
  async street(): Promise<void> {
    const before = Stage.onStreet;
    Stage.onStreet = new Promise((done) => (this.leaveStreet = done));
    await before;
  }
  // A room with these people in it, the first as its host. They come one after the other, so seats are in order.
  room(...names: string[]): Promise<Party> {
    return this.roomOf('davinci-code', ...names);
  }
  async roomOf(game: string, ...names: string[]): Promise<Party> {
    const people: Person[] = [];
    for (const name of names) people.push(await this.person(name));
    const host = people[0];
    assert(host !== undefined);
    const code = await host.makeRoom(game);
    for (const guest of people.slice(1)) await guest.joinByLink(code);
    return { people, host, code };
  }

  async look(person: Person, name: string): Promise<void> {
    this.wrong.push(...await inspect(person, name));
  }
  // A screen of few seconds is remembered at once and looked at by lookBack(), when no clock runs; `act` brings the copy
  // of the page to what is to be seen there.
  async remember(person: Person, name: string, act: (copy: Person) => Promise<void> = async () => undefined): Promise<void> {
    const open = await person.remember(this.browser);
    this.remembered.push(async () => {
      const copy = await open();
      this.people.push(copy);
      await copy.see('game');
      await act(copy);
      await this.look(copy, name);
      await copy.page.close();
    });
  }
  async lookBack(): Promise<void> {
    for (let next = this.remembered.shift(); next; next = this.remembered.shift()) await next();
  }

  // After the test: everything that was noted, console errors and broken policies included.
  async problems(): Promise<string[]> {
    const faults = await Promise.all(this.people.map((person) => person.allFaults()));
    return [...this.wrong, ...faults.flat()];
  }

  async pictures(number: number): Promise<void> {
    for (const person of this.people)
      for (const [i, page] of person.pages.entries())
        await page.screenshot({ path: join(screens, `failed-${number}-${person.name}-${i}.png`), timeout: 5000 })
          .catch(() => undefined);
  }

  async clear(): Promise<void> {
    for (const line of this.lines) line.remove();
    for (const person of this.people) await person.close().catch(() => undefined);
    this.leaveStreet();
  }
}

export interface Test {
  name: string;
  run(stage: Stage): Promise<void>;
  limit_s: number;
  alone: boolean; // what it does to the cluster, others would feel
}

export const tests: Test[] = [];

type Options = { limit_s?: number; alone?: boolean };

export function test(name: string, run: (stage: Stage) => Promise<void>, options: Options = {}): void {
  tests.push({ name, run, limit_s: options.limit_s ?? 120, alone: options.alone ?? false });
}
