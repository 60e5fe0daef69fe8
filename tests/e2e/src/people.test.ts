// SPDX-License-Identifier: Apache-2.0
//
// What people do to each other and to their own windows: come back, open a second one, leave, send away.
import { strict as assert } from 'node:assert';
import { lookAt, ownTiles } from './table.js';
import { until } from './person.js';
import { test } from './stage.js';
import { begin, deal, onTurn } from './play.js';
import { missing, step } from './bot.js';

test('a reload in mid-game brings the same seat and view back', async (stage) => {
  const { people, host } = await stage.room('돌이', '순이');
  await deal(host, people);
  const who = await onTurn(people);
  await step(who, await lookAt(who), missing(people));
  const before = await lookAt(who);
  await who.page.reload();
  await who.see('turn');
  await until('the same table as before', async () => (await lookAt(who)).print === before.print);
  const after = await lookAt(who);
  assert.equal(ownTiles(after), ownTiles(before));
  assert(await who.has('turn-tile'));
  await step(who, after, missing(people)); // and it can be played on
});

test('a second window takes the seat over, the first says so and takes it back by a tap', async (stage) => {
  const { people, host, code } = await stage.room('한솔', '두솔');
  await deal(host, people);
  const first = host.page;
  const before = ownTiles(await lookAt(host));
  const second = await host.anotherWindow();
  await second.goto(`/r/${code}`);
  await host.see('turn');
  assert.equal(ownTiles(await lookAt(host)), before);
  await first.getByTestId('gone-otherWindow').waitFor();
  assert.match(await first.getByTestId('gone-otherWindow').innerText(), /다른 창에서 열렸어요/);
  assert.equal(await first.getByTestId('game').count(), 0, 'the first window cannot act');
  await first.getByTestId('take-over').tap();
  await first.getByTestId('turn').waitFor();
  await second.getByTestId('gone-otherWindow').waitFor();
  host.page = first;
  assert.equal(ownTiles(await lookAt(host)), before);
});

test('when the host leaves, the next one becomes host and starts', async (stage) => {
  const { people, host } = await stage.room('하나', '둘이', '세찬');
  const [, next, third] = people;
  assert(next !== undefined && third !== undefined);
  assert(!(await next.has('start')), 'a guest cannot start');
  await host.leave();
  await next.reads('seat-1', '방장');
  await third.reads('seat-1', '방장');
  await until('the seat is free', async () => (await third.attribute('seat-0', 'data-taken')) === 'false');
  await begin(next, [next, third]);
  await next.see('choose-start');
});

test('who leaves a game is played by the clock, and may take the seat up again', async (stage) => {
  const { people, host, code } = await stage.room('다슬', '라온');
  const [, other] = people;
  assert(other !== undefined);
  await deal(host, people);
  await host.leave();
  await other.reads('row-0', '자동으로 진행 중');
  await host.openLink(code);
  await host.reads('join-go', '방으로 돌아가기');
  await host.tap('join-go');
  await host.see('turn');
  assert.equal(ownTiles(await lookAt(host)).split(' / ').length >= 4, true, 'the row is theirs again');
  await other.page.waitForFunction(() =>
    !document.querySelector('[data-testid="row-0"]')?.textContent?.includes('자동으로'));
});

test('who is sent away reads why, and cannot come back', async (stage) => {
  const { people, host, code } = await stage.room('주인', '손님');
  const guest = people[1];
  assert(guest !== undefined);
  await host.tap('kick-1');
  await host.reads('confirm', '손님 님을 내보낼까요?');
  await host.tap('confirm-yes');
  await guest.reads('gone-kicked', '방에서 내보내졌어요');
  await guest.tap('go-home');
  await guest.see('home');
  await guest.page.goto(`/r/${code}`);
  await until('asked or refused', async () => (await guest.has('refused')) || (await guest.has('join-go')));
  if (await guest.has('join-go')) await guest.tap('join-go');
  await guest.reads('refused', '내보내진 방에는 다시 들어갈 수 없어요');
  assert.equal(await host.attribute('seat-1', 'data-taken'), 'false');
});
