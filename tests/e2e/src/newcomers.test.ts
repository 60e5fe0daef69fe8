// SPDX-License-Identifier: Apache-2.0
//
// Who knows nothing yet: reads the rules while others begin, leaves and wants back, comes between two games.
import { strict as assert } from 'node:assert';
import { playAll } from './dobble.js';
import { until } from './person.js';
import { begin } from './play.js';
import { test } from './stage.js';

test('who reads the rules is called to the game, told what goes on, and sent away with the others', async (stage) => {
  const { people, host } = await stage.room('주인', '손님');
  const guest = people[1];
  assert(guest !== undefined);
  await guest.openRules();
  await guest.reads('around', '다음 놀이를 기다리고 있어요');
  await begin(host, people);
  await guest.see('choose-start');
  await guest.tap('rules');
  await guest.reads('around', '놀이가 나를 기다려요');
  await stage.look(guest, 'rules-my-turn');
  await guest.page.reload();
  await guest.reads('around', '놀이가 나를 기다려요');
  await guest.tap('rules-back');
  await guest.see('choose-start');

  const other = await stage.room('주인장', '나그네');
  const reader = other.people[1];
  assert(reader !== undefined);
  await reader.tap('rules');
  await reader.see('around');
  await other.host.tap('kick-1');
  await other.host.tap('confirm-yes');
  await reader.see('gone-kicked');
});

test('who leaves a running game keeps a card to the seat at home, as long as there is one', async (stage) => {
  const { people, host, code } = await stage.roomOf('number-baseball', '하나', '둘이');
  const [, leaver] = people;
  assert(leaver !== undefined);
  await begin(host, people);
  await leaver.tap('leave');
  await until('the code is shown', async () => (await leaver.text('confirm-code')).replaceAll(/\s/g, '') === code);
  await stage.look(leaver, 'leave-with-code');
  await leaver.tap('confirm-yes');
  await leaver.reads('resume', '자리가 남아 있어요');
  await stage.look(leaver, 'home-left-game');
  await leaver.page.reload();
  await leaver.tap('resume-go');
  await leaver.see('game');
  await leaver.leave();
  await leaver.see('resume');
  await host.leave();
  await host.goHome();
  assert(await host.id('game-number-baseball').isChecked(), 'the game chosen last is chosen still');
  assert(await host.has('rules-dobble'), 'the rules of the others are at hand');
  await stage.look(host, 'home-chosen-last');
  // A seat in a room that is gone: the card goes, and nobody is told of a fault.
  await leaver.page.evaluate(() => localStorage.setItem('madang.left', '000000'));
  await leaver.page.reload();
  await leaver.see('game-dobble');
  await leaver.lose('resume');
  assert(!(await leaver.has('refused')));
});

test('who comes after a practice sees no result of it, and one tap makes it a game for both', async (stage) => {
  const { host, code } = await stage.roomOf('dobble', '혼자');
  await host.tap('solo');
  await until('it can be started', () => host.id('start').isEnabled());
  await host.tap('start');
  await playAll([host]);
  await host.reads('invite-now', '이제 함께할 사람을 불러 볼까요?');
  assert(await host.has('share'));
  await stage.look(host, 'practice-invites');
  const friend = await stage.person('친구');
  await friend.joinByLink(code);
  await friend.reads('newcomer', '다음 판부터 함께해요');
  assert(!(await friend.has('result')));
  await friend.reads('solo-wait', '함께 하기');
  await stage.look(friend, 'newcomer');
  assert(await host.id('start').isDisabled());
  await stage.look(host, 'practice-friend-came');
  await host.tap('solo');
  await begin(host, [host, friend]);
}, { limit_s: 180 });
