// SPDX-License-Identifier: Apache-2.0
//
// Screens are fetched when they are needed: what happens when they do not come.
import { strict as assert } from 'node:assert';
import type { Person } from './person.js';
import { test } from './stage.js';

// The scripts of the client that this page has not fetched yet are answered so from now on.
async function keepBack(person: Person, answer: 'lost' | 'gone'): Promise<void> {
  const has = new Set(await person.page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)));
  await person.page.route('**/*.js', (route) => {
    if (has.has(new URL(route.request().url()).pathname)) return route.continue();
    return answer === 'lost' ? route.abort('connectionreset') : route.fulfill({ status: 404 });
  });
}

test('a screen that a tunnel swallows is asked for again, and comes by itself', async (stage) => {
  const person = await stage.person('터널', { losesLine: true });
  await person.goHome();
  await keepBack(person, 'lost');
  await person.tap('rules-dobble');
  await person.reads('screen-missing', /가져오지 못했어요/);
  await person.page.unroute('**/*.js');
  await person.page.getByRole('heading', { level: 2 }).first().waitFor();
});

test('a release between entering the room and the game is not noticed', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '새것', '헌것');
  for (const person of people) await keepBack(person, 'gone');
  await host.tap('start');
  for (const person of people) await person.see('dobble');
});

test('a page whose screens are gone from the server opens anew and has its seat again', async (stage) => {
  const { code } = await stage.room('주인');
  const guest = await stage.person('손님', { losesLine: true });
  await guest.openLink(code);
  await guest.see('join');
  await keepBack(guest, 'gone');
  let opened = 0;
  guest.page.on('load', () => {
    opened++;
    void guest.page.unroute('**/*.js');
  });
  await guest.id('nickname').fill('손님');
  await guest.tap('join-go');
  await guest.page.waitForEvent('load');
  await guest.see('lobby');
  assert.equal(await guest.roomCode(), code);
  await guest.openRules();
  assert.equal(opened, 1);
});
