// SPDX-License-Identifier: Apache-2.0
//
// From a room to the place in a game where a test begins.
import { strict as assert } from 'node:assert';
import { missing, step } from './bot.js';
import { until, type Person } from './person.js';
import { lookAt, type Table } from './table.js';

// Begins the game of a room: everybody stands before the choice of colours.
export async function begin(host: Person, people: Person[]): Promise<void> {
  await until('the game can be started', () => host.id('start').isEnabled());
  await host.tap('start');
  for (const person of people) await person.see('game');
}

// As `begin`, and all have chosen: the tiles are dealt. Resolves to who is on turn.
export async function deal(host: Person, people: Person[]): Promise<Person> {
  await begin(host, people);
  for (const person of people) {
    await person.see('pick-go');
    await person.tap('pick-go');
  }
  return onTurn(people);
}

export async function onTurn(people: Person[]): Promise<Person> {
  let found: Person | undefined;
  await until('it is somebody\'s turn', async () => {
    for (const person of people) {
      const table = await lookAt(person);
      if (table.mine && table.phase !== 'CHOOSE_START') found = person;
    }
    return found !== undefined;
  });
  assert(found !== undefined);
  return found;
}

// Plays on until `person` has `phase` before them.
export async function playUntil(person: Person, people: Person[], phase: string): Promise<Table> {
  const mind = missing(people);
  const there = async (): Promise<boolean> => {
    const table = await lookAt(person);
    return table.over || (table.mine && table.phase === phase);
  };
  for (let steps = 0; steps < 80 && !(await there()); steps += 1) {
    const who = await onTurn(people);
    const table = await lookAt(who);
    if (table.mine && !(await there())) await step(who, table, mind);
  }
  const table = await lookAt(person);
  assert.equal(table.phase, phase);
  return table;
}
