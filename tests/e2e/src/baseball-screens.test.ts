// SPDX-License-Identifier: Apache-2.0
//
// Every screen of 숫자 야구 as somebody meets it: axe-core, fingers, widths, pictures (inspect.ts).
import { nextCode, readLog, solve, throwCode, type } from './baseball.js';
import { until, type Person } from './person.js';
import { test } from './stage.js';

const GAME = 'number-baseball';

// Keeps back what follows the first view of a game: the countdown is too short for a busy machine.
const stopAtGame = (person: Person): Promise<void> => person.page.evaluate(() => {
  const watch = new MutationObserver(() => {
    if (document.querySelector('[data-testid="game"]') === null) return;
    watch.disconnect();
    window.seen.hold(true);
  });
  watch.observe(document, { subtree: true, childList: true });
});

test('the screens of number baseball are fit for everybody', async (stage) => {
  const { people, host, code } = await stage.roomOf(GAME, '민수', '영희', '졸린 호랑이');
  const [, second, third] = people;
  if (second === undefined || third === undefined) throw new Error('three came');
  const watcher = await stage.person('구경');
  await watcher.watchByLink(code);
  await watcher.see('spectating');
  await host.openOptions();
  await host.setChoice('timeLimit', '10분');
  await stage.look(host, 'baseball-room');
  await until('the game can be started', () => host.id('start').isEnabled());
  await stopAtGame(host);
  await host.tap('start');
  await host.see('countdown');
  await stage.look(host, 'baseball-countdown');
  await host.see('pad');
  await stage.look(host, 'baseball-first');
  await throwCode(host, '0123');
  await host.tap('memo');
  for (const key of ['key-0', 'key-5', 'key-5', 'key-8']) await host.press(key);
  await stage.look(host, 'baseball-memo');
  await host.tap('memo-done');
  await host.tap('hint');
  await host.see('confirm');
  await stage.look(host, 'baseball-hint-asked');
  await host.tap('confirm-yes');
  await host.page.locator('[data-testid^="hint-"]').waitFor();
  for (let throws = 0; throws < 4; throws += 1) await throwCode(host, nextCode(await readLog(host), 4, true));
  await type(host, '0123');
  await host.press('throw');
  await host.reads('word', '던진 숫자');
  await stage.look(host, 'baseball-repeat');
  await host.tap('others');
  await host.see('progress-dialog');
  await stage.look(host, 'baseball-progress');
  if (await host.has('dialog-close')) await host.tap('dialog-close'); // on a wide window the list stands beside
  await third.tap('give-up');
  await third.see('confirm');
  await stage.look(third, 'baseball-give-up-asked');
  await third.tap('confirm-yes');
  await third.see('waiting');
  await stage.look(third, 'baseball-gave-up');
  await solve(second, 4);
  await second.see('waiting');
  await stage.look(second, 'baseball-solved');
  await stage.look(watcher, 'baseball-watching');
  for (let i = 0; i < 4; i += 1) await host.press('back');
  for (let throws = 0; throws < 5; throws += 1) await throwCode(host, nextCode(await readLog(host), 4, true));
  await host.see('result');
  await second.see('result');
  await until('the feast is over', () => second.page.evaluate(() => document.getAnimations().length === 0), 10_000)
    .catch(() => undefined);
  await stage.look(second, 'baseball-result');
  await stage.look(host, 'baseball-result-exhausted');
  await host.openRules();
  await stage.look(host, 'baseball-rules');
}, { limit_s: 400 });

test('the screens of number baseball alone, and with five digits, are fit for everybody', async (stage) => {
  const person = await stage.person('홀로');
  await person.makeRoom(GAME);
  await stage.look(person, 'baseball-room-alone');
  await person.setChoice('digits', '5자리');
  await person.tap('start');
  await person.see('pad');
  await throwCode(person, '01234');
  await throwCode(person, '56789');
  await type(person, '4902');
  await stage.look(person, 'baseball-five-digits');
  await person.tap('give-up');
  await person.tap('confirm-yes');
  await person.see('result');
  await stage.look(person, 'baseball-result-alone');
}, { limit_s: 200 });
