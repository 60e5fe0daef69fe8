// SPDX-License-Identifier: Apache-2.0
//
// What a person expects and nobody writes down: phones that are turned, stay awake and keep quiet, link sheets, composed
// syllables, clocks that run evenly, keyboards.
import { strict as assert } from 'node:assert';
import { guardDown, missing, openPad, playPart, step, truth, waitForTurn } from './bot.js';
import { until, type Person } from './person.js';
import { begin, deal, onTurn } from './play.js';
import { test } from './stage.js';
import { lookAt, targets, type Target } from './table.js';

// What the page asks of the device, counted before the client runs.
interface Asked {
  awake: number;
  released: number;
  sounds: number;
  buzzes: number;
  shared: ShareData[];
}
declare global {
  interface Window {
    asked: Asked;
  }
}
function watchDevice(): void {
  window.asked = { awake: 0, released: 0, sounds: 0, buzzes: 0, shared: [] };
  const put = (on: object, name: string, value: unknown): void =>
    void Object.defineProperty(on, name, { value, configurable: true });
  put(navigator, 'wakeLock', {
    request: async () => {
      window.asked.awake += 1;
      return { release: async () => void (window.asked.released += 1) };
    },
  });
  put(navigator, 'vibrate', () => (window.asked.buzzes += 1) > 0);
  put(navigator, 'share', async (data: ShareData) => void window.asked.shared.push(data));
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number): void {
    window.asked.sounds += 1;
    start.call(this, when);
  };
}
const asked = (person: Person): Promise<Asked> => person.page.evaluate(() => window.asked);

test('a phone that is turned forgets nothing', async (stage) => {
  const { people, host } = await stage.room('가로', '세로');
  const who = await deal(host, people);
  await step(who, await lookAt(who), missing(people));
  const target = targets(await lookAt(who))[0];
  assert(target !== undefined);
  await openPad(who, target);
  await who.tap('key-7');
  for (const [width, height] of [[1024, 600], [360, 740]] as const) {
    await who.page.setViewportSize({ width, height });
    await who.reads('say', '7! 이 숫자!');
    assert.equal(await who.attribute('key-7', 'aria-pressed'), 'true');
  }
  await who.tap('say');
  await until('it was said', async () => (await who.has('pad')) === false);
});

test('a pick that is known to be too many cannot be chosen again, and says why', async (stage) => {
  const { people, host } = await stage.room('하나', '둘', '셋', '넷');
  await host.setChoice('startTiles', '5개');
  const [, second, third] = people;
  assert(second !== undefined && third !== undefined);
  await begin(host, [host]);
  await Promise.all([host, second].map(async (person) => {
    await person.press('pick-5');
    await person.press('pick-go');
    await person.reads('turn', '골랐어요');
  }));
  await third.press('pick-5');
  await third.press('pick-go');
  await third.reads('pick-most', '검정은 2개, 흰색은 5개까지 고를 수 있어요.');
  for (const black of [5, 4, 3]) assert(await third.id(`pick-${black}`).isDisabled());
  assert(await third.id('pick-2').isEnabled());
  await third.reads('pick-go', '검정 2개, 흰색 3개');
  await third.press('pick-go');
  await third.reads('turn', '골랐어요');
});

test('the screen stays awake during a game, and sound and vibration are off until switched on', async (stage) => {
  const { people, host } = await stage.room('밤샘', '친구');
  const who = people[1];
  assert(who !== undefined);
  await who.context.addInitScript(watchDevice);
  await who.page.reload();
  await who.see('lobby');
  assert.equal((await asked(who)).awake, 0, 'nobody needs the lobby to stay lit');
  const loud = async (): Promise<boolean> => {
    const now = await asked(who);
    return now.sounds > 0 && now.buzzes > 0;
  };
  await deal(host, people);
  assert((await asked(who)).awake > 0);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn += 1) {
      const on = await onTurn(people);
      for (let table = await lookAt(on); table.mine; table = await lookAt(on)) await step(on, table, missing(people));
    }
  };
  await turns();
  const quiet = await asked(who);
  assert.deepEqual([quiet.sounds, quiet.buzzes], [0, 0]);
  await who.tap('settings');
  await who.tap('sound');
  await who.tap('vibration');
  await who.tap('dialog-close');
  await turns();
  await until('it is heard and felt', loud);
  // Both are remembered.
  await who.page.reload();
  await who.tap('settings');
  for (const id of ['sound', 'vibration']) assert.equal(await who.attribute(id, 'aria-checked'), 'true');
  await who.tap('dialog-close');
  await who.leave();
  await until('the phone may sleep again', async () => (await asked(who)).released > 0);
});

test('an invitation goes through the share sheet, else the link is copied', async (stage) => {
  const plain = await stage.person('복사');
  await plain.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = await plain.makeRoom();
  await plain.reads('share', '링크 복사');
  await plain.tap('share');
  await plain.reads('toast', '링크를 복사했어요');
  const link = `${stage.cluster.url}/r/${code}`;
  assert.equal(await plain.page.evaluate(() => navigator.clipboard.readText()), link);

  const phone = await stage.person('전화');
  await phone.context.addInitScript(watchDevice);
  await phone.joinByLink(code);
  await phone.reads('share', '초대 링크 보내기');
  await phone.tap('share');
  await until('the sheet has it', async () => (await asked(phone)).shared.length === 1);
  const [sheet] = (await asked(phone)).shared;
  assert.equal(sheet?.url, link);
  assert.match(sheet?.text ?? '', new RegExp(`숫자 암호 같이 해요! 코드 ${code}`));
});

test('a name that is composed is sent once, with one Enter', async (stage) => {
  const { code, host } = await stage.room('주인');
  const guest = await stage.person('한글');
  await guest.openLink(code);
  await guest.id('nickname').focus();
  const keys = await guest.context.newCDPSession(guest.page);
  const enter = async (composing: boolean): Promise<void> => {
    const key = composing ? { key: 'Process', windowsVirtualKeyCode: 229 } : { key: 'Enter', windowsVirtualKeyCode: 13 };
    for (const type of ['rawKeyDown', 'keyUp'] as const)
      await keys.send('Input.dispatchKeyEvent', { type, code: 'Enter', ...key });
  };
  await keys.send('Input.imeSetComposition', { text: '가', selectionStart: 1, selectionEnd: 1 });
  await enter(true); // ends the syllable, and nothing else
  await keys.send('Input.insertText', { text: '가' });
  assert.equal(await guest.id('nickname').inputValue(), '가');
  assert(await guest.has('join-go'), 'it was not sent yet');
  await enter(false);
  await guest.see('lobby');
  await host.reads('seat-1', '가');
  assert.equal((await host.text('seat-1')).match(/가/g)?.length, 1);
  assert.equal(await host.attribute('seat-2', 'data-taken'), 'false');
});

test('the clock on the screen runs evenly', async (stage) => {
  const { people, host } = await stage.room('째깍', '똑딱');
  const who = await deal(host, people);
  const other = people.find((person) => person !== who);
  assert(other !== undefined);
  await step(who, await lookAt(who), missing(people)); // to the guess, which is long
  // What stood in the ring and when, as the page itself saw it, and for how long the page saw nothing at all because the
  // machine was busy: no second comes back, and none lasts longer or shorter than that explains.
  interface Watched { seen: [number, number][]; blind_ms: number }
  const watch = (person: Person): Promise<Watched> => person.page.evaluate(async () => {
    const seen: [number, number][] = [];
    let blind_ms = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      blind_ms = Math.max(blind_ms, now - last);
      last = now;
      const seconds = Number(document.querySelector('[data-testid="ring"]')?.textContent);
      if (seconds !== seen.at(-1)?.[0]) seen.push([seconds, now]);
    }, 20);
    await new Promise((done) => setTimeout(done, 6000));
    clearInterval(timer);
    return { seen, blind_ms };
  });
  const both = await Promise.all([watch(who), watch(other)]);
  const blind_ms = Math.max(...both.map((each) => each.blind_ms));
  for (const { seen } of both) {
    const said = JSON.stringify(seen);
    assert(seen.length >= 3, `the clock runs: ${said}`);
    seen.slice(1).forEach(([seconds], i) => assert((seen[i]?.[0] ?? 0) > seconds, `never back: ${said}`));
    const span_ms = (seen.at(-1)?.[1] ?? 0) - (seen[0]?.[1] ?? 0);
    const told_ms = ((seen[0]?.[0] ?? 0) - (seen.at(-1)?.[0] ?? 0)) * 1000;
    assert(Math.abs(span_ms - told_ms) < 1100 + blind_ms, `${told_ms} ms told in ${span_ms} ms: ${said}`);
  }
  const ends = both.map(({ seen }) => seen.at(-1)?.[0] ?? NaN);
  const apart = Math.abs((ends[0] ?? NaN) - (ends[1] ?? NaN));
  assert(apart <= 1 + blind_ms / 1000, `both clocks tell the same: ${ends.join(', ')}`);
});

test('a whole game is played with the keyboard alone, from the home screen to the result', async (stage) => {
  const other = await stage.person('상대');
  const who = await stage.person('자판');
  const { keyboard } = who.page;
  const at = (): Promise<string> => who.page.evaluate(() => (document.activeElement as HTMLElement).dataset['testid'] ?? '');
  // To the control of this name, forwards; where the focus is has to be seen.
  const tabTo = async (wanted: RegExp): Promise<string> => {
    for (let tabs = 0; tabs < 90; tabs += 1) {
      const id = await at();
      if (wanted.test(id)) {
        const outlined = await who.page.evaluate(() => {
          const node = document.activeElement as HTMLElement;
          const around = [node, node.closest('label'), node.parentElement];
          return around.some((each) => each && getComputedStyle(each).outlineStyle !== 'none');
        });
        assert(outlined, `the focus on ${id} is visible`);
        return id;
      }
      await keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${wanted}`);
  };
  const press = async (wanted: RegExp, key = 'Enter'): Promise<void> => {
    await tabTo(wanted);
    await keyboard.press(key);
  };
  await who.goHome();
  await tabTo(/^nickname$/);
  await keyboard.type('자판');
  await press(/^create$/);
  const code = await who.roomCode();
  await other.joinByLink(code);
  await until('it can be started', () => who.id('start').isEnabled());
  await press(/^start$/);
  await who.see('pick-go');
  await press(/^pick-3$/, 'Space');
  await press(/^pick-go$/);
  await other.press('pick-go');

  const people = [other, who];
  const act: Record<string, () => Promise<void>> = {
    DRAW: () => press(/^draw-(black|white)$/),
    GUESS: async () => {
      const [, seat, index] = (await tabTo(/^tile-\d-\d+$/)).split('-').map(Number);
      const target = { seat, index } as Target;
      await keyboard.press('Enter');
      await who.see('pad');
      await keyboard.type(await truth(people, target));
      await press(/^say$/);
    },
    AFTER_CORRECT: async () => {
      await guardDown(who);
      await press(/^go-on$/, 'Space');
    },
  };
  const mine = async (): Promise<void> => {
    for (let steps = 0; steps < 40; steps += 1) {
      const table = await waitForTurn(who);
      if (table.over) return;
      if (!table.mine) continue;
      await act[table.phase]?.().catch(() => undefined); // the clock may have been quicker
      await until('it is seen', async () => (await lookAt(who)).print !== table.print, 6000).catch(() => undefined);
    }
  };
  await Promise.all([mine(), playPart(other, missing(people))]);
  await who.see('result');
  await who.reads('summary', '자판');
  await press(/^start$/);
  await who.see('choose-start');
}, { limit_s: 300 });

test('what happens is told in sentences to those who listen', async (stage) => {
  const { people, host } = await stage.room('말씀', '귀');
  const listener = people[1];
  assert(listener !== undefined);
  await listener.page.evaluate(() => {
    const page = window as unknown as { told: string[] };
    page.told = [];
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[aria-live="polite"]'))
        if (region.textContent && page.told.at(-1) !== region.textContent) page.told.push(region.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const heard = async (what: RegExp): Promise<void> => until(`${what} is heard`, async () => {
    const told = (await listener.page.evaluate(() => (window as unknown as { told: string[] }).told)).join(' ');
    const text = told.replaceAll(/[\u2066-\u2069]/g, '');
    return what.test(text) ? true : text;
  });
  const who = await deal(host, people);
  await heard(/놀이가 시작됐어요/);
  await heard(/타일을 나눠 가졌어요/);
  const other = people.find((person) => person !== who);
  await step(who, await lookAt(who), missing(people));
  await step(who, await lookAt(who), missing(people));
  await heard(new RegExp(`${who.name} 님이 ${other?.name} 님의 \\d번째 타일을 \\d+(이)?라고 했어요\\. 틀렸어요\\.`));
  await who.leave();
  await until('nothing of it is left to be come upon', async () => {
    const regions = await who.page.locator('[aria-live="polite"]').allInnerTexts();
    return regions.every((text) => text.trim() === '') ? true : regions;
  });
});
