// SPDX-License-Identifier: Apache-2.0
//
// The screens of 짝꿍 그림 as somebody meets them.
import { strict as assert } from 'node:assert';
import { begin, outcome, phase, play, playAll, tapPicture } from './dobble.js';
import { until } from './person.js';
import { test } from './stage.js';

test('the screens of dobble are fit for everybody', async (stage) => {
  const { people, host, code } = await stage.roomOf('dobble', '민수', '영희', '철수');
  await host.openOptions();
  await stage.look(host, 'dobble-options');
  await host.setChoice('wrongLockoutMs', '2초');
  const watcher = await stage.person('구경');
  await watcher.watchByLink(code);
  await watcher.see('spectating');
  await host.openRules();
  await stage.look(host, 'dobble-rules');
  await host.tap('rules-back');
  await begin(host, [host], 'COUNTDOWN');
  await stage.look(host, 'dobble-countdown');
  await phase(host, 'PLAYING');
  await stage.look(host, 'dobble-tower');
  await host.tap('big-cards');
  await stage.look(host, 'dobble-big');
  await host.tap('big-cards');
  await host.page.keyboard.press('Tab');
  await stage.look(host, 'dobble-keys');
  await tapPicture(host, false);
  await outcome(host, 'wrong');
  await host.see('lock');
  await stage.look(host, 'dobble-locked');
  await stage.look(watcher, 'dobble-watching');
  await playAll(people);
  await until('the feast is over', async () => host.page.evaluate(() => document.getAnimations().length === 0), 10_000)
    .catch(() => undefined);
  await stage.look(host, 'dobble-result');
}, { limit_s: 300 });

test('the screens of dobble in which somebody is chosen are fit for everybody', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '민수', '영희', '철수');
  await host.setChoice('miniGame', '뜨거운 감자');
  await host.setChoice('hotPotatoRounds', '3번');
  await begin(host, people);
  await stage.look(host, 'dobble-potato-choose');
  await host.page.locator('button[data-testid^="player-"]').first().tap();
  await until('the card of the one who was chosen is enlarged', async () =>
    (await host.page.getByTestId(/^upper-/).count()) === 8);
  await stage.look(host, 'dobble-potato');
  await tapPicture(host, true);
  await host.reads('watch', '번째로 탈출했어요');
  await stage.look(host, 'dobble-escaped');
  const rest = people.slice(1).map((person) => play(person, { enough: 1 }));
  await host.see('round-end');
  await stage.look(host, 'dobble-round-end');
  await Promise.all(rest);

  const gift = await stage.roomOf('dobble', '하나', '둘이', '세찬');
  await gift.host.setChoice('miniGame', '독이 든 선물');
  await begin(gift.host, gift.people);
  await gift.host.page.locator('button[data-testid^="player-"]').first().tap();
  await stage.look(gift.host, 'dobble-gift');
}, { limit_s: 300 });

test('the screens of dobble with nine cards, and while one waits, are fit for everybody', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
  await host.setChoice('miniGame', '세 장 찾기');
  await begin(host, people);
  await stage.look(host, 'dobble-triplet');
  await host.page.waitForTimeout(250);
  await host.press('place-0');
  await host.press('place-4');
  await until('two cards are chosen', async () =>
    (await host.page.locator('[data-testid^="place-"][aria-pressed="true"]').count()) === 2);
  await stage.look(host, 'dobble-triplet-chosen');

  const line = await stage.line();
  const stays = await stage.person('민수');
  const goes = await stage.person('영희', { url: line.url, losesLine: true });
  await goes.joinByLink(await stays.makeRoom('dobble'));
  await begin(stays, [stays, goes]);
  line.cut();
  await stays.see('waiting', 30_000);
  await stays.reads('waiting', '상대를 기다리고 있어요');
  await stage.look(stays, 'dobble-paused');
  line.mend();
  await phase(stays, 'COUNTDOWN', 40_000);
  await phase(stays, 'PLAYING', 20_000);
  assert(await stays.has('slot-upper'), 'the cards lie open again');
}, { limit_s: 300 });
