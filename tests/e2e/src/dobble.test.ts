// SPDX-License-Identifier: Apache-2.0
//
// 짝꿍 그림: every mini-game to its end, and what happens between two fingers.
import { strict as assert } from 'node:assert';
import { begin, outcome, phase, picture, play, playAll, tapPicture, type Played } from './dobble.js';
import { until, type Person } from './person.js';
import { test } from './stage.js';

async function checkResult(people: Person[], summary: RegExp): Promise<void> {
  for (const person of people) {
    await person.reads('summary', summary);
    await person.reads('ranking', '맞힘 / 틀림');
  }
  const [host] = people;
  assert(host !== undefined);
  assert.match(await host.text('rank-1'), /\+3/);
  const winners = await host.page.getByTestId('rank-1').count();
  await until('the board counts points', async () => (await host.text('board')).split('3점').length - 1 === winners);
}

// From the finger to the other one's screen.
function delays(one: Played, other: Played): number[] {
  return Object.entries(one.taps)
    .map(([card, tapped]) => (other.gone[card] ?? NaN) - tapped)
    .filter((delay) => !Number.isNaN(delay))
    .sort((a, b) => a - b);
}

test('dobble: two play the tower to the end, and a tap is on the other screen at once', async (stage) => {
  const { people: [one, two], host } = await stage.roomOf('dobble', '하나', '둘이');
  assert(one !== undefined && two !== undefined);
  await begin(host, [one, two]);
  // The other one only looks, so that every card that goes is the first one's doing.
  const [played, seen] = await Promise.all([play(one, { enough: 24 }), play(two, { looks: 20 })]);
  const times = delays(played, seen);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? NaN;
  console.log(`        a tap is on the other screen after ${at(0.5).toFixed(0)} ms (median of ${times.length}), ` +
    `nine of ten after ${at(0.9).toFixed(0)} ms`);
  assert(times.length >= 18, `only ${times.length} taps were seen on the other screen`);
  assert(at(0.5) < 600, `${at(0.5)} ms is not at once`);
  await playAll([one, two]);
  await checkResult([one, two], /탑 쌓기 1등 .+ 님 \d+장!/);
}, { limit_s: 180 });

test('dobble: eight play the tower to the end', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이', '세찬', '네모', '다섯', '여섯', '일곱', '여덟');
  await host.setChoice('symbolStyle', '쉬움');
  await begin(host, people);
  await stage.look(host, 'dobble-tower-eight');
  await playAll(people, { pause_ms: 120 });
  await checkResult(people, /탑 쌓기 1등 .+ 님 \d+장!/);
  const rows = await host.page.getByTestId(/^rank-/).count();
  assert.equal(rows, 8);
}, { limit_s: 300 });

test('dobble: two play the well to the end', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
  await host.setChoice('miniGame', '우물');
  await begin(host, people);
  await playAll(people);
  await checkResult(people, /우물 1등 .+ 님!/);
}, { limit_s: 180 });

test('dobble: two play three rounds of the hot potato', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
  await host.setChoice('miniGame', '뜨거운 감자');
  await host.setChoice('hotPotatoRounds', '3번');
  await begin(host, people);
  await host.reads('round', '1/3');
  const over = playAll(people);
  await host.see('round-end');
  await host.reads('round-end', /벌점으로 받았어요/);
  await over;
  await checkResult(people, /뜨거운 감자 1등 .+ 님, 벌점 \d+장!/);
}, { limit_s: 180 });

test('dobble: two play the poisoned gift to the end', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
  await host.setChoice('miniGame', '독이 든 선물');
  await begin(host, people);
  await playAll(people);
  await checkResult(people, /독이 든 선물 1등 .+ 님, 겨우 \d+장!/);
}, { limit_s: 180 });

test('dobble: two find three of nine cards to the end', async (stage) => {
  const { people, host } = await stage.roomOf('dobble', '하나', '둘이');
  await host.setChoice('miniGame', '세 장 찾기');
  await begin(host, people);
  await playAll(people);
  await checkResult(people, /세 장 찾기 1등 .+ 님 \d+장!/);
}, { limit_s: 180 });

test('dobble: of two fingers at once one is right and the other late, without a lock', async (stage) => {
  const { people: [one, two], host } = await stage.roomOf('dobble', '하나', '둘이');
  assert(one !== undefined && two !== undefined);
  await begin(host, [one, two]);
  const people = [one, two];
  for (const round of [1, 2]) {
    // Neither hears of the other's tap before both have tapped.
    const pictures = [await picture(one, true), await picture(two, true)];
    await one.page.waitForTimeout(250);
    for (const person of people) await person.hold(true);
    await Promise.all(people.map((person, i) => person.press(pictures[i] ?? '')));
    for (const person of people) await outcome(person, 'sent');
    const heard: string[] = await Promise.all(people.map(hearOutcome));
    assert.deepEqual(heard.sort(), ['late', 'right'], `round ${round}`);
    for (const person of people) assert(!(await person.has('lock')), 'being late is no mistake');
  }
});

// Lets the page hear what it was kept from, and says what became of the tap.
async function hearOutcome(person: Person): Promise<string> {
  const seen = person.page.waitForFunction(() => {
    const mark = document.querySelector<HTMLElement>('[data-testid="mark"]')?.dataset['outcome'];
    return mark === 'right' || mark === 'late' ? mark : false;
  });
  await person.hold(false);
  return (await (await seen).jsonValue()) || '';
}

test('dobble: a late tap is told so without penalty, a wrong one locks for its seconds', async (stage) => {
  const { people: [one, two], host } = await stage.roomOf('dobble', '하나', '둘이');
  assert(one !== undefined && two !== undefined);
  await host.setChoice('wrongLockoutMs', '2초');
  await begin(host, [one, two]);

  const late = await picture(two, true);
  await two.hold(true);
  await tapPicture(one, true);
  await outcome(one, 'right');
  await two.press(late); // for a card that is gone, which this screen has not heard
  await two.hold(false);
  await outcome(two, 'late');
  assert(!(await two.has('lock')));

  const before = await two.text('my-count');
  await tapPicture(two, false);
  await outcome(two, 'wrong');
  const locked = Date.now();
  await two.reads('lock', /잠깐! [12]\.\d초/);
  const other = one.page.getByTestId(/^player-/);
  await until('the lock is seen by the other', async () => (await other.getAttribute('data-locked')) === 'true');
  await two.press(await picture(two, true));
  assert.equal(await two.text('my-count'), before, 'a right picture does not count while locked');
  await two.lose('lock', 4000);
  assert(Date.now() - locked > 1200, 'the lock lasted');
  await tapPicture(two, true);
  await outcome(two, 'right');
});

test('dobble: who is away for 30 seconds forfeits the well, the others go on, and a hint helps them', async (stage) => {
  const line = await stage.line();
  const host = await stage.person('하나');
  const gone = await stage.person('둘이', { url: line.url, losesLine: true });
  const third = await stage.person('세찬');
  const code = await host.makeRoom('dobble');
  await gone.joinByLink(code);
  await third.joinByLink(code);
  await host.setChoice('miniGame', '우물');
  await begin(host, [host, gone, third]);
  await stage.look(host, 'dobble-well');
  line.cut();
  const said = '[data-testid^="player-"]:has-text("둘이")';
  const reads = (text: string, timeout: number): Promise<unknown> =>
    host.page.waitForSelector(`${said}:has-text("${text}")`, { timeout });
  await reads('초 뒤 기권', 15_000);
  await reads('기권', 45_000);
  await until('it is a forfeit', async () => !(await host.page.locator(said).innerText()).includes('초 뒤'), 45_000);
  line.mend();
  await gone.see('watch', 40_000);
  await gone.reads('watch', '오래 끊겨서 기권이 되었어요');
  await host.see('hint', 60_000); // 45 seconds without a success
  await stage.look(host, 'dobble-hint');
  await phase(host, 'PLAYING', 40_000);
  await Promise.all([play(host), play(third)]);
  await host.see('result');
  assert.match(await host.text('ranking'), /둘이[\s\S]*기권/);
}, { limit_s: 260 });

test('dobble: alone it is practice, without ranks and record', async (stage) => {
  const alone = await stage.person('혼자');
  await alone.makeRoom('dobble');
  assert(!(await alone.id('start').isEnabled()), 'the game itself takes two');
  await alone.setSwitch('practice', true);
  await begin(alone, [alone]);
  await alone.reads('dobble', '기록은 남지 않아요');
  await stage.look(alone, 'dobble-practice');
  await playAll([alone]);
  await alone.reads('summary', '연습 끝! 56번 찾았어요');
  assert(!(await alone.has('ranking')), 'nobody to be ranked with');
  assert(!(await alone.has('board')), 'nobody to compare with');
  await stage.look(alone, 'dobble-practice-result');
}, { limit_s: 180 });
