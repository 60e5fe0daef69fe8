// SPDX-License-Identifier: Apache-2.0
//
// Lines that break: the lift, the cellar, a gateway that dies.
import { strict as assert } from 'node:assert';
import { missing, step } from './bot.js';
import { until } from './person.js';
import { test } from './stage.js';
import { deal, onTurn } from './play.js';
import { lookAt, ownTiles } from './table.js';

test('a line that breaks shows a banner, and comes back by itself', async (stage) => {
  const line = await stage.line();
  const host = await stage.person('지하', { url: line.url, losesLine: true });
  const other = await stage.person('지상');
  const code = await host.makeRoom();
  await other.joinByLink(code);
  await deal(host, [host, other]);
  const before = ownTiles(await lookAt(host));
  line.cut();
  await host.reads('banner', '연결이 끊겼어요. 다시 잇는 중…');
  await other.reads('row-0', '잠깐 자리 비움');
  await host.reads('banner', '연결할 수 없어요. 인터넷을 확인해 주세요.', 40_000);
  await host.see('retry');
  line.mend();
  await host.tap('retry', 3000).catch(() => undefined); // unless it came back by itself just now
  await host.see('banner-back');
  await host.lose('banner-back', 8000); // the good news passes
  await host.lose('banner');
  await host.see('turn');
  assert.equal(ownTiles(await lookAt(host)).length >= before.length, true);
  await other.page.waitForFunction(() =>
    !document.querySelector('[data-testid="row-0"]')?.textContent?.includes('잠깐 자리 비움'));
});

test('a browser without a network says so and comes back', async (stage) => {
  const { people, host } = await stage.room('비행', '기차');
  const who = await deal(host, people);
  who.options.losesLine = true;
  const before = await lookAt(who);
  await who.context.setOffline(true);
  await who.see('banner', 40_000);
  await who.context.setOffline(false);
  await who.lose('banner', 40_000);
  await who.see('turn');
  assert.equal(ownTiles(await lookAt(who)).startsWith(ownTiles(before).slice(0, 4)), true);
});

test('a gateway that dies is left for another without losing a thing', async (stage) => {
  const { people, host } = await stage.room('동쪽', '서쪽');
  for (const person of people) person.options.losesLine = true;
  await deal(host, people);
  const who = await onTurn(people);
  await step(who, await lookAt(who), missing(people));
  const before = await lookAt(who);
  const gateways = stage.cluster.names().filter((name) => name.includes('gateway'));
  assert.equal(gateways.length, 2);
  for (const name of gateways) {
    const old = stage.cluster.pid(name);
    stage.cluster.kill(name);
    await until(`${name} runs again`, async () => {
      const now = stage.cluster.pid(name);
      return now > 0 && now !== old;
    });
  }
  for (const person of people) {
    await until('everybody is back', async () => !(await person.has('banner')) && (await person.has('turn')));
  }
  await until('the same table', async () => (await lookAt(who)).print === before.print);
  await step(who, await lookAt(who), missing(people));
  assert.notEqual((await lookAt(who)).print, before.print);
}, { alone: true });
