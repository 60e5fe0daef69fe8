// SPDX-License-Identifier: Apache-2.0
//
// Doors: codes, full rooms, the public list, quick match, options, languages, what the server hands out.
import { strict as assert } from 'node:assert';
import { until } from './person.js';
import { test } from './stage.js';

test('a wrong code is a sentence', async (stage) => {
  const person = await stage.person('길동');
  await person.goHome();
  await person.id('nickname').fill('길동');
  await person.tap('enter-code');
  await person.id('code-input').fill('abc');
  await person.tap('code-go');
  await person.reads('code-page', '코드는 여섯 자리예요');
  await person.id('code-input').fill('zzz zzz');
  await person.tap('code-go');
  await person.reads('refused', '그 코드의 방이 없어요. 코드를 다시 확인해 주세요.');
});

test('a code is typed as people type it', async (stage) => {
  const { code } = await stage.room('집주인');
  const guest = await stage.person('이웃');
  await guest.goHome();
  await guest.tap('enter-code');
  await guest.id('code-input').fill(` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `);
  await guest.page.keyboard.press('Enter');
  await guest.id('nickname').fill('이웃');
  await guest.page.keyboard.press('Enter');
  await guest.see('lobby');
  assert.equal(await guest.roomCode(), code);
});

test('a full room says so and offers to watch', async (stage) => {
  const { code, host } = await stage.room('일', '이', '삼', '사');
  const fifth = await stage.person('오');
  await fifth.openLink(code);
  await fifth.reads('join', '자리가 다 찼어요. 구경할 수 있어요.');
  await fifth.lose('join-go');
  await fifth.id('nickname').fill('오');
  await fifth.tap('join-watch');
  await fifth.reads('spectating', '구경하고 있어요');
  await host.reads('spectators', '구경하는 사람 1명');
  await host.reads('spectators', '오');
});

test('an invitation that lies open follows what happens in the room', async (stage) => {
  const host = await stage.person('주인');
  const code = await host.makeRoom();
  const reader = await stage.person('망설임');
  await reader.openLink(code);
  await reader.reads('join', '1명이 와 있어요');
  const second = await stage.person('둘째');
  await second.joinByLink(code);
  await reader.reads('join', '2명이 와 있어요');
  await host.tap('start');
  await reader.reads('join', '지금 놀이가 한창이에요');
  await reader.lose('join-go');
});

test('two of the same name are told apart', async (stage) => {
  const { people } = await stage.room('지우', '지우');
  for (const person of people) {
    await person.reads('seat-0', '지우');
    await person.reads('seat-1', '지우 2');
  }
});

test('what the host changes, the others see at once', async (stage) => {
  const { people, host } = await stage.room('방장', '구경');
  const guest = people[1];
  assert(guest !== undefined);
  await guest.openOptions();
  await guest.reads('options', '규칙은 방장이 정해요');
  assert(await guest.id('set-jokers').isDisabled());
  await host.setSwitch('jokers', true);
  await until('jokers', async () => (await guest.attribute('set-jokers', 'aria-checked')) === 'true');
  await host.setChoice('turnSeconds', '30초');
  await until('seconds', () => guest.id('set-turnSeconds').getByLabel('30초').isChecked());
  await host.setSwitch('jokers', false);
  await until('no jokers', async () => (await guest.attribute('set-jokers', 'aria-checked')) === 'false');
});

test('who is alone can practise, and plays together as soon as somebody comes', async (stage) => {
  const { host, code } = await stage.roomOf('dobble', '혼자');
  await host.reads('needed', '1명만 더 오면 시작할 수 있어요');
  assert(await host.id('start').isDisabled());
  await host.tap('solo');
  await host.reads('alone', '혼자서는 연습이에요');
  await host.reads('start', '혼자 시작하기');
  const guest = await stage.person('친구');
  await guest.joinByLink(code);
  await host.reads('verdict', '혼자 연습은 한 사람만');
  assert(await host.id('start').isDisabled());
  await host.reads('solo', '함께 하기로 바꾸기');
  await host.tap('solo');
  await host.lose('solo');
  await host.reads('start', '시작하기');
  await until('it can be started', () => host.id('start').isEnabled());
});

test('a public room is listed and joined', async (stage) => {
  await stage.street();
  const { host, code } = await stage.room('마을');
  const passer = await stage.person('나그네');
  await passer.goHome();
  await passer.id('nickname').fill('나그네');
  assert(!(await passer.has(`public-join-${code}`)), 'a private room is not listed');
  await host.openOptions();
  await host.tap('set-public');
  await passer.see(`public-join-${code}`);
  await passer.reads('public-rooms', '마을');
  await passer.tap(`public-join-${code}`);
  await passer.see('lobby');
  await host.reads('seat-1', '나그네');
  for (const person of [host, passer]) await person.leave();
});

test('quick match brings four together at once', async (stage) => {
  await stage.street();
  const people = await Promise.all(['동', '서', '남', '북'].map((name) => stage.person(name)));
  for (const person of people) {
    await person.goHome();
    await person.id('nickname').fill(person.name);
  }
  for (const person of people.slice(0, 3)) await person.tap('quick');
  await people[2]?.reads('quick-page', '3명이 모였어요');
  await people[3]?.tap('quick');
  for (const person of people) await person.see('game');
  for (const person of people) await person.see('pick-go');
});

test('a quick match can be given up', async (stage) => {
  await stage.street();
  const person = await stage.person('변덕');
  await person.goHome();
  await person.id('nickname').fill('변덕');
  await person.tap('quick');
  await person.see('quick-page');
  await person.tap('quick-cancel');
  await person.see('home');
});

test('everything reads in English after one switch', async (stage) => {
  const { host } = await stage.room('Ann');
  await host.tap('settings');
  await host.id('lang-en').check({ force: true });
  await host.reads('settings-dialog', 'Settings');
  await host.tap('dialog-close');
  await host.openOptions();
  const english = async (): Promise<void> => {
    const text = await host.page.evaluate(() => document.body.innerText);
    assert.doesNotMatch(text, /[가-힣]/);
    assert.equal(await host.page.evaluate(() => document.documentElement.lang), 'en');
  };
  await english();
  await host.openRules();
  await english();
  await host.tap('rules-back');
  const guest = await stage.person('Ben', { locale: 'en-US' });
  await guest.joinByLink(await host.roomCode());
  await host.tap('start');
  await host.see('pick-go');
  await english();
  for (const person of [host, guest]) await person.tap('pick-go');
  await host.see('table');
  await english();
  await host.page.reload();
  await host.see('table');
  await english(); // the switch is remembered
});

test('the client is served so that it can be installed, and may load nothing from elsewhere', async (stage) => {
  const at = (path: string): Promise<Response> => fetch(`${stage.cluster.url}${path}`);
  const page = await at('/');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src '(self|none)'/);
  assert.doesNotMatch(policy, /unsafe-(inline|eval)|\*/);
  const html = await page.text();
  const manifestPath = /rel="manifest" href="([^"]+)"/.exec(html)?.[1];
  assert(manifestPath);
  const manifest = await (await at(manifestPath)).json() as { name: string; display: string; icons: { src: string }[] };
  assert.equal(manifest.name.includes('마당'), true);
  assert.match(manifest.display, /standalone|fullscreen|minimal-ui/);
  assert(manifest.icons.length > 0);
  for (const { src } of manifest.icons) {
    const icon = await at(new URL(src, `${stage.cluster.url}${manifestPath}`).pathname);
    assert.equal(icon.status, 200);
    assert.match(icon.headers.get('content-type') ?? '', /^image\//);
  }
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  assert(script);
  const asset = await at(script);
  assert.match(asset.headers.get('cache-control') ?? '', /max-age=\d{6,}/, 'hashed files are kept for long');
  assert.match(asset.headers.get('content-encoding') ?? '', /br|gzip/);
  assert.equal((await at('/r/ABCDEF')).status, 200, 'a link is a page of the client');
});
