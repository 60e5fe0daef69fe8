// SPDX-License-Identifier: Apache-2.0
//
// Whole games of 숫자 야구: several people with a reload in the middle, one alone, the keyboard, the memo.
import { strict as assert } from 'node:assert';
import { begin, done, judge, nextCode, readLog, solve, throwCode, type } from './baseball.js';
import { until, type Person } from './person.js';
import { test } from './stage.js';

const GAME = 'number-baseball';
const typed = (person: Person): Promise<string | null> => person.attribute('slots', 'data-typed');
const note = (person: Person, digit: number): Promise<string | null> => person.attribute(`key-${digit}`, 'data-note');

// All that a page says, to people's eyes and ears, of what others have done.
const toldOfOthers = (person: Person): Promise<string> => person.page.evaluate(() =>
  [...document.querySelectorAll('[data-testid="others"], [data-testid="progress"]')]
    .map((node) => node.textContent).join(' ').replaceAll(/[\u2066-\u2069]/g, ''));

test('three people play number baseball, one over a reload, to ranks, points and all logs', async (stage) => {
  const { people, host } = await stage.roomOf(GAME, '하나', '두리', '세찬');
  const [, second, third] = people;
  assert(second !== undefined && third !== undefined);
  await host.setChoice('digits', '3자리');
  await begin(host, people);
  await host.reads('guesses-left', '남은 기회 9번');

  // The second has thrown once, has a hint, notes and half a guess in hand, and opens the page anew.
  await throwCode(second, '012');
  await second.tap('hint');
  await second.reads('confirm', '순위에서 앞서요');
  await second.tap('confirm-yes');
  const hint = second.page.locator('[data-testid^="hint-"]');
  await hint.waitFor();
  await second.tap('memo');
  for (const key of ['key-7', 'key-8', 'key-8']) await second.press(key);
  await second.tap('memo-done');
  await type(second, '34');
  const before = { log: await readLog(second), hint: await hint.innerText(), place: await hint.getAttribute('data-testid') };
  await second.page.reload();
  await second.see('pad');
  await until('the half-typed guess is back', async () => (await typed(second)) === '34');
  assert.deepEqual([await note(second, 7), await note(second, 8), await note(second, 9)], ['1', '2', '0']);
  assert.deepEqual(await readLog(second), before.log);
  assert.equal(await hint.innerText(), before.hint);
  assert.equal(await hint.getAttribute('data-testid'), before.place);
  for (const _ of '34') await second.press('back');

  // The first sees how far the others are, and no digit of theirs.
  await until('the throw is counted', async () => /두리.*추리 1번 · 힌트 1번, 푸는 중/.test(await toldOfOthers(host)));
  assert.doesNotMatch(await toldOfOthers(host), /012|스트라이크|볼|아웃/);

  const secret = await solve(host, 3);
  await host.reads('done', '맞혔어요!');
  // Who is done follows the others live.
  await throwCode(third, nextCode([], 3, false));
  await host.reads('progress-2', '추리 1번');
  assert.doesNotMatch(await toldOfOthers(host), /스트라이크|볼|아웃/);
  await third.tap('give-up');
  await third.reads('confirm', '포기할까요?');
  await third.tap('confirm-yes');
  await third.reads('done', '포기했어요');
  await host.reads('progress-2', '포기');
  assert(!(await third.page.locator('body').innerText()).includes(secret), 'the secret is shown when all are done');

  assert.equal(await solve(second, 3), secret);
  for (const person of people) {
    assert.equal(await person.text('secret'), secret);
    await person.reads('rank-0', '등');
    await person.reads('rank-1', '등');
    await person.reads('rank-2', '포기');
    assert.equal(await person.attribute('rank-2', 'data-rank'), '0');
    await person.reads('statistics', '2/3명');
    // Judged as the rules say, everybody's.
    for (const seat of [0, 1, 2]) {
      const log = await readLog(person, `log-${seat}`);
      assert(log.length > 0);
      assert.deepEqual(log, log.map(({ code }) => judge(secret, code)));
    }
  }
  const ranks = [await host.attribute('rank-0', 'data-rank'), await host.attribute('rank-1', 'data-rank')];
  assert.deepEqual([...ranks].sort(), ['1', '2']);
  await host.reads(`board-${ranks.indexOf('1')}`, '3점');
  await host.reads(`board-${ranks.indexOf('2')}`, '2점');
  await host.reads('board-2', '0점');
}, { limit_s: 180 });

test('number baseball is played alone, without points, and once more', async (stage) => {
  const person = await stage.person('홀로');
  await person.makeRoom(GAME);
  await person.reads('alone', '혼자서는 연습이에요');
  await person.reads('start', '혼자 시작하기');
  await person.setChoice('digits', '3자리');
  // 9 guesses follow from three digits; five are enough here.
  for (let guesses = 9; guesses > 5; guesses -= 1) {
    await person.reads('set-guesses', `${guesses}번`);
    await person.tap('set-guesses-less');
  }
  await person.reads('set-guesses', '5번');
  assert(await person.id('set-guesses-less').isDisabled());
  await begin(person, [person]);
  await person.press('memo');
  await person.press('key-4');
  await person.tap('memo-done');
  await throwCode(person, '123');
  for (let throws = 1; throws < 4; throws += 1) await throwCode(person, nextCode(await readLog(person), 3, true));
  await person.reads('guesses-left', '마지막 기회예요!');
  assert.equal(await note(person, 4), '1', 'the game does not touch the memo');
  await throwCode(person, nextCode(await readLog(person), 3, true));
  await person.see('result');
  await person.reads('summary', '다음에는 맞힐 수 있을 거예요');
  assert.match(await person.text('secret'), /^\d{3}$/);
  await person.lose('ranking');
  await person.lose('board');

  await begin(person, [person]);
  assert.deepEqual(await readLog(person), []);
  assert.equal(await note(person, 4), '0', 'a new game begins with a new memo');
  assert.equal(await typed(person), '');
  await person.tap('give-up');
  await person.tap('confirm-yes');
  await person.see('result');
  await person.reads('logs', '아직 던지지 않았어요');
});

test('number baseball is played with the keyboard; a repeat shakes, and odd digits are not taken', async (stage) => {
  const person = await stage.person('키보드');
  await person.makeRoom(GAME);
  await begin(person, [person]);
  const { keyboard } = person.page;
  const paste = (text: string): Promise<void> => person.page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  }, text);
  await keyboard.type('0123');
  assert(await person.id('key-3').isDisabled(), 'a digit that is in the guess cannot be used twice');
  await keyboard.press('Backspace');
  await keyboard.type('34');
  assert.equal(await typed(person), '0123', 'there are four places');
  await keyboard.press('Enter');
  await person.see('log-1');
  await person.reads('guesses-left', '남은 기회 9번');
  assert.equal(await typed(person), '');

  await keyboard.type('0123');
  await keyboard.press('Enter');
  await person.reads('word', '1번째에 던진 숫자예요');
  assert.match((await person.attribute('slots', 'class')) ?? '', /\bshake\b/);
  await person.reads('guesses-left', '남은 기회 9번');
  assert.equal((await readLog(person)).length, 1);

  for (let i = 0; i < 4; i += 1) await keyboard.press('Backspace');
  await keyboard.type('44');
  await person.reads('word', '4는 이미 넣었어요');
  await paste('３７０２');
  await person.reads('word', '보통 숫자만 쓸 수 있어요');
  assert.equal(await typed(person), '4');
  await person.page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: '３', bubbles: true })));
  assert.equal(await typed(person), '4');
  await keyboard.press('Enter');
  await person.reads('word', '서로 다른 숫자 4개를 채워 주세요');
  await paste(' 4567 ');
  assert.equal(await typed(person), '4567');
  await keyboard.press('Enter');
  await person.see('log-2');
  // A question that is open has the keyboard.
  await person.tap('hint');
  await person.see('confirm');
  await keyboard.type('89');
  await keyboard.press('Escape');
  await person.lose('confirm');
  assert.equal(await typed(person), '');
  // On with Tab: a key that has the focus is pressed by Enter, and nothing is thrown by it.
  await person.id('key-8').focus();
  await keyboard.press('Enter');
  assert.equal(await typed(person), '8');
  assert.equal((await readLog(person)).length, 2);
  assert(!(await done(person)));
});
