// SPDX-License-Identifier: Apache-2.0
//
// Whole games of 숫자 암호, and what its screen owes to those who play.
import { strict as assert } from 'node:assert';
import {
  dimmed, guardDown, honest, knowing, missing, openPad, playOut, playPart, step, truth, undimmed, waitForTurn,
} from './bot.js';
import { until, type Person } from './person.js';
import { begin, deal, onTurn, playUntil } from './play.js';
import { test } from './stage.js';
import { lookAt, ownRow, targets, type SeenTile, type Table } from './table.js';

// What the result says of guesses and hidden tiles, and what history and rows say of them. What the clock guessed for
// somebody counts for nobody.
function readStatistics(): { said: number[]; counted: number[] } {
  const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const cells = all('[data-testid^="rank-"]').map((line) =>
    [...line.querySelectorAll('td')].slice(2).flatMap((cell) => (cell.textContent ?? '').split('/').map(Number)));
  const sum = (column: number): number => cells.reduce((total, line) => total + (line[column] ?? NaN), 0);
  const own = all('button[data-testid^="history-"]').filter((entry) => !entry.textContent?.includes('자동'));
  const hidden = all('[data-testid^="final-"] [role="img"]').filter((tile) =>
    !tile.closest('.hand') && tile.getAttribute('aria-label')?.includes('끝까지 숨김'));
  const right = own.filter((entry) => entry.textContent?.includes('맞음'));
  return { said: [sum(0), sum(1), sum(2)], counted: [hidden.length, right.length, own.length] };
}

async function checkResult(people: Person[], names = people.map((person) => person.name)): Promise<void> {
  for (const person of people) {
    await person.reads('summary', '님의 암호가 끝까지 풀리지 않았어요!');
    await person.reads('ranking', '남은 숨은 타일');
    await person.reads('ranking', '맞힘 / 추리');
    await person.see('rank-1');
    const seats = await person.page.getByTestId(/^final-/).count();
    for (let seat = 0; seat < seats; seat += 1) {
      const tiles = person.id(`final-${seat}`).getByRole('img');
      for (const label of await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('aria-label') ?? '')))
        assert.match(label, /(검정|흰색) (\d+|조커)/, `${person.name} sees every tile of seat ${seat}`);
    }
    for (const name of names) await person.reads('ranking', name);
    assert.equal(await person.page.getByTestId(/^rank-\d/).count(), seats);
    const { said, counted } = await person.page.evaluate(readStatistics);
    assert.deepEqual(said, counted, 'hidden tiles left, right guesses, all guesses');
  }
}

test('two people play from the home screen over link and nickname to the result, and once more', async (stage) => {
  const { people, host } = await stage.room('민수', '영희');
  await host.setSwitch('deductionHelper', true);
  await begin(host, people);
  await playOut(people, honest);
  await checkResult(people);
  for (const person of people) await person.see('board');

  // Whoever won starts the rematch's first turn, from a table where nothing is left of the game before.
  const winner = (await host.text('rank-1')).includes('민수') ? '민수' : '영희';
  await host.tap('start');
  for (const person of people) {
    await person.see('pick-go');
    await person.tap('pick-go');
  }
  assert.equal((await onTurn(people)).name, winner);
  const table = await lookAt(host);
  assert.equal(table.rows.flatMap((row) => row.tiles).filter((tile) => tile.open).length, 0);
  await host.tap('history-open');
  await host.reads('history', '아직 아무도 추리하지 않았어요');
}, { limit_s: 300 });

test('four people play a whole game', async (stage) => {
  const { people, host } = await stage.room('가람', '나래', '다온', '라라');
  await host.setSwitch('deductionHelper', true);
  await begin(host, people);
  await playOut(people, honest);
  await checkResult(people);
}, { limit_s: 400 });

test('a person who is away is played by the clock', async (stage) => {
  const { people, host } = await stage.room('하나', '두리');
  await begin(host, people);
  await host.tap('pick-go');
  await host.reads('turn', '골랐어요. 다른 사람을 기다려요.');
  // The other never picks: after fifteen seconds the tiles are dealt all the same, and so it goes on.
  await until('the tiles are dealt', async () => (await lookAt(host)).phase === 'DRAW', 40_000);
  const dealt = await lookAt(host);
  assert.deepEqual(dealt.rows.map((row) => row.tiles.length), [4, 4]);
  const away = people[1];
  assert(away !== undefined);
  await playUntil(away, [host, away], 'DRAW');
  await until('the clock draws', async () => (await lookAt(away)).phase === 'GUESS', 30_000);
  assert(await away.has('turn-tile'), 'a tile was drawn for them');
});

test('the deduction helper dims what cannot be, and says so', async (stage) => {
  const { people, host } = await stage.room('보라', '초롱');
  await host.setSwitch('deductionHelper', true);
  const who = await deal(host, people);
  await step(who, await lookAt(who), missing(people));
  const table = await waitForTurn(who);
  const target = targets(table)[0];
  assert(target !== undefined);
  await openPad(who, target);
  const dim = await dimmed(who);
  const can = await undimmed(who);
  assert(!dim.includes(await truth(people, target)), 'what is right is never dimmed');
  // My own tiles of that colour, the one in my hand included, cannot be the other's.
  const theirs = table.rows.find((row) => row.seat === target.seat)?.tiles[target.index];
  const color = /번째 (검정|흰색)/.exec(theirs?.label ?? '')?.[1];
  const held = ownRow(table).tiles.filter((tile) => tile.label.includes(`${color} `)).map((tile) => tile.face);
  assert(held.length > 0);
  for (const face of held) assert(face !== null && dim.includes(face), `${color} ${face} is mine`);
  assert.equal(dim.length + can.length, 12);
  assert.match((await who.attribute(`key-${dim[0]}`, 'class')) ?? '', /\bdim\b/);
});

test('an impossible guess is warned about and allowed', async (stage) => {
  const { people, host } = await stage.room('바다', '하늘');
  const who = await deal(host, people);
  await step(who, await lookAt(who), missing(people));
  const table = await lookAt(who);
  const target = targets(table)[0];
  assert(target !== undefined);
  const row = table.rows.find((each) => each.seat === target.seat);
  const color = /번째 (검정|흰색)/.exec(row?.tiles[target.index]?.label ?? '')?.[1];
  const mine = ownRow(table).tiles.find((tile) => tile.label.includes(`${color} `))?.face;
  assert(mine);
  await openPad(who, target);
  await who.tap(`key-${mine}`);
  await who.reads('pad-warning', /내가 가지고 있어요\. 그래도 말할 수는 있어요\./);
  assert.equal(await who.attribute('pad-warning', 'data-warning'), 'mine');
  await who.tap('say');
  await who.lose('pad');
  await who.reads('last-guess', `= ${mine}`);
  await who.reads('last-guess', '틀림');
});

test('who draws a joker is asked for its place before stopping', async (stage) => {
  const { people, host } = await stage.room('소라', '미르');
  await host.setSwitch('jokers', true);
  await deal(host, people);
  const joker = (table: Table): boolean => table.slots > 0 && table.phase === 'GUESS';
  let owner: Person | undefined;
  for (let steps = 0; steps < 120 && owner === undefined; steps += 1) {
    const who = await onTurn(people);
    const table = await lookAt(who);
    if (!table.mine) continue;
    if (joker(table)) owner = who;
    else await step(who, table, missing(people));
  }
  assert(owner !== undefined, 'somebody has drawn a joker');
  await owner.reads('dock', '조커를 가져왔어요');
  const table = await lookAt(owner);
  const target = targets(table)[0];
  assert(target !== undefined);
  await openPad(owner, target);
  await owner.tap(`key-${await truth(people, target)}`);
  await owner.tap('say');
  await owner.see('after-correct');
  await owner.reads('stop', '조커 자리를 먼저 골라 주세요');
  await guardDown(owner);
  await owner.press('stop');
  await owner.reads('toast', '조커 자리를 먼저 골라 주세요');
  assert.equal((await lookAt(owner)).phase, 'AFTER_CORRECT', 'the turn has not ended');
  await owner.press('slot-1');
  await owner.reads('stop', '멈추면 가져온 타일이 숨겨진 채로 들어가요');
  await owner.press('stop');
  await until('the turn ends', async () => !(await lookAt(owner)).mine);
  assert.match(ownRow(await lookAt(owner)).tiles[1]?.label ?? '', /조커, 나만 보여요/);
  // To the other it is a hidden tile like any other.
  const other = people.find((person) => person !== owner);
  assert(other !== undefined);
  const seat = ownRow(await lookAt(owner)).seat;
  const length = ownRow(await lookAt(owner)).tiles.length;
  const seen = async (): Promise<SeenTile[]> =>
    (await lookAt(other)).rows.find((row) => row.seat === seat)?.tiles ?? [];
  await until('the other sees it put in', async () => (await seen()).length === length);
  assert.match((await seen())[1]?.label ?? '', /타일, 숨김/);
}, { limit_s: 180 });

test('the history tells who said what and points at the tile', async (stage) => {
  const { people, host } = await stage.room('누리', '별이');
  const who = await deal(host, people);
  await step(who, await lookAt(who), missing(people));
  const table = await lookAt(who);
  const target = targets(table)[0];
  assert(target !== undefined);
  const right = await truth(people, target);
  await openPad(who, target);
  await who.tap(`key-${right}`);
  await who.tap('say');
  await who.see('after-correct');
  const other = people.find((person) => person !== who);
  assert(other !== undefined);
  for (const person of people) {
    await person.tap('history-open');
    await person.reads('history-1', `${who.name} → ${other.name} ${target.index + 1}번째 타일 = ${right}`);
    await person.reads('history-1', '맞음');
    await person.tap('history-1');
    await person.lose('history-dialog');
  }
});

test('a watcher sees no hidden number, and at the end all of them', async (stage) => {
  const { people, host, code } = await stage.room('가온', '노을');
  const watcher = await stage.person('구경꾼');
  await begin(host, people);
  await watcher.watchByLink(code);
  await watcher.see('game');
  let checks = 0;
  const secret = async (): Promise<boolean> => {
    const [table, html] = await Promise.all([
      lookAt(watcher),
      watcher.page.evaluate(() => [...document.querySelectorAll('[data-testid^="row-"]')].map((row) => {
        // All that the rows hold, text and attributes, without the numbers under the tiles and the places' names.
        const copy = row.cloneNode(true) as Element;
        copy.querySelectorAll('.number, [data-testid="turn-tile"], .head').forEach((node) => node.remove());
        return [...copy.querySelectorAll('[data-open="false"]')].map((tile) =>
          [tile, ...tile.querySelectorAll('*')].flatMap((node) => [node.textContent ?? '', ...[...node.attributes]
            .filter((a) => a.name !== 'data-testid' && a.name !== 'class').map((a) => a.value)]).join(' '));
      })),
    ]);
    if (table.over || table.rows.length === 0) return false;
    for (const text of html.flat())
      assert.match(text.replaceAll(/\d+번째 (검정|흰색) 타일, 숨김/g, ''), /^\D*$/);
    for (const tile of table.rows.flatMap((row) => row.tiles)) {
      assert.equal(tile.face !== null, tile.open, `a tile shows a face if it is open: ${tile.label}`);
      assert(!tile.tappable, 'watchers tap nothing');
      checks += 1;
    }
    return false;
  };
  const minds = { [host.name]: missing(people), [people[1]?.name ?? '']: knowing(people) };
  await Promise.all(people.map((person) => playPart(person, minds[person.name] ?? knowing(people), secret)));
  assert(checks > 8, 'it was looked at in mid-game');
  await watcher.see('result');
  await checkResult([watcher], ['가온', '노을']);
  for (const seat of [0, 1]) assert((await watcher.id(`final-${seat}`).getByRole('img').count()) >= 4);
}, { limit_s: 180 });

test('for those who asked for calm nothing moves', async (stage) => {
  const calm = await stage.person('고요', { calm: true });
  const other = await stage.person('바람');
  const code = await calm.makeRoom();
  await other.joinByLink(code);
  // The longest that anything moved, sampled on every frame.
  await calm.page.evaluate(() => {
    const page = window as unknown as { moved: number };
    page.moved = 0;
    const sample = (): void => {
      for (const animation of document.getAnimations()) {
        const timing = animation.effect?.getComputedTiming();
        page.moved = Math.max(page.moved, Number(timing?.activeDuration ?? 0));
      }
      requestAnimationFrame(sample);
    };
    sample();
  });
  const people = [calm, other];
  await deal(calm, people);
  await Promise.all(people.map((person) => playPart(person, knowing(people))));
  await calm.see('result');
  const moved = await calm.page.evaluate(() => (window as unknown as { moved: number }).moved);
  assert(moved <= 50, `something moved for ${moved} ms`);
});
