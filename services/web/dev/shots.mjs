// SPDX-License-Identifier: Apache-2.0
//
// Pictures of every screen in dist over the mock gateway, to be looked at, and axe-core over each of them.
// `node dev/shots.mjs [name part]`; they land in shots/, which git ignores.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const { startMock } = await vite.ssrLoadModule('/dev/mock-server.ts');
const server = await startMock(`${root}dist`, 0);
const base = `http://127.0.0.1:${server.address().port}`;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// z: a phone at a page zoom of 200 %; l: a phone with text twice as large.
const sizes = { s: [360, 740], m: [390, 844], t: [768, 1024], d: [1280, 800], z: [180, 370], l: [360, 740] };
const tap = (id) => (page) => page.getByTestId(id).first().click();
const steps = (...list) => async (page) => {
    for (const step of list) {
        await step(page);
    }
};
const shots = {
    home: ['/'],
    'home-missing': ['/', tap('create')],
    settings: ['/', tap('settings')],
    code: ['/code', (page) => page.getByTestId('code-input').fill('k7m3')],
    join: ['/r/L0BBY3'],
    'join-open': ['/r/10BBY2', null, { fresh: true }],
    full: ['/r/FV11RM', steps(tap('join-go'))],
    rules: ['/rules/davinci-code'],
    quick: ['/', steps(tap('quick'))],
};
const scenes = {
    lobby1: '10BBY1', lobby2: '10BBY2', lobby4: '10BBY4', watch: 'WATCH1', choose: 'CH00SE', draw: 'DRAWME',
    guess4: 'G4VESS', guess2: 'G2VESS', after: 'AFTER3', 'joker-stop': 'J0KER1', 'joker-guess': 'J0KER2',
    'joker-place': 'P1ACEJ', reveal: 'REVEA1', wait: 'WA1TER', spectator: 'SPECT8', many: 'MANY12',
    'nb-lobby1': 'BASEB1', 'nb-lobby7': 'BASEB7', 'nb-countdown': 'BAC0VN', 'nb-first': 'BAF1RS', 'nb-play': 'BAP1AY',
    'nb-five': 'BAF1VE', 'nb-solo': 'BAS010', 'nb-free': 'BAFREE', 'nb-done': 'BAD0NE', 'nb-gave-up': 'BAGAVE',
    'nb-watch': 'BAWATC', 'nb-end': 'BAEND1', 'nb-end-loser': 'BAEND2', 'nb-end-solo': 'BAEND3',
    'db-lobby': 'D0BBY1', 'db-countdown': 'DC0VNT', 'db-tower2': 'DT0WR2', 'db-tower8': 'DT0WR8', 'db-locked': 'D10CKD',
    'db-easy': 'DEASY3', 'db-potato5': 'DP0TA5', 'db-potato8': 'DP0TA8', 'db-gift2': 'DG1FT2', 'db-gift4': 'DG1FT4',
    'db-triplet': 'DTR1P4', 'db-hint': 'DH1NT2', 'db-round': 'DR0VND', 'db-escaped': 'DESCAP', 'db-paused': 'DPAVSE',
    'db-watch': 'DWATCH', 'db-watch3': 'DWATC3', 'db-practice': 'DPRACT', 'db-end': 'DEND22', 'db-end-potato': 'DENDP0',
    'db-end-practice': 'DENDPR',
    end: 'END111', 'end-loser': 'END222', paused: 'PAVSED', returning: 'RETVRN', other: '0THER1',
};
const enterRoom = async (page) => {
    await page.getByTestId('join-go').click();
    await page.waitForTimeout(250);
};
for (const [name, code] of Object.entries(scenes)) {
    shots[name] = [`/r/${code}`, enterRoom];
}
shots.pad = [`/r/G4VESS`, steps(enterRoom, tap('tile-1-2'))];
shots['pad-warn'] = [`/r/G4VESS`, steps(enterRoom, tap('tile-1-2'), tap('key-8'))];
shots['pad-two'] = [`/r/J0KER2`, steps(enterRoom, tap('tile-1-3'), tap('key-11'))];
shots.history = [`/r/G4VESS`, steps(enterRoom, tap('history-open'))];
shots['lobby-options'] = [`/r/10BBY1`, steps(enterRoom, (page) => page.locator('[data-testid=options-box] summary').click())];
const type = (keys) => async (page) => {
    for (const key of keys) {
        await page.keyboard.press(key);
    }
};
shots['nb-rules'] = ['/rules/number-baseball'];
shots['nb-typed'] = ['/r/BAP1AY', steps(enterRoom, tap('memo'), ...[...'1123335888'].map((d) => tap(`key-${d}`)),
    tap('memo'), type('409'))];
shots['nb-memo'] = ['/r/BAP1AY', steps(enterRoom, tap('memo'), ...[...'1123335888'].map((d) => tap(`key-${d}`)))];
shots['nb-repeat'] = ['/r/BAP1AY', steps(enterRoom, type(['7', '4', '0', '9', 'Enter']))];
shots['nb-hint'] = ['/r/BAP1AY', steps(enterRoom, tap('hint'))];
shots['nb-give'] = ['/r/BAP1AY', steps(enterRoom, tap('give-up'))];
shots['nb-progress'] = ['/r/BAP1AY', steps(enterRoom,
    async (page) => (await page.getByTestId('others').isVisible()) && page.getByTestId('others').click())];
shots['nb-options'] = [`/r/BASEB1`, steps(enterRoom, (page) => page.locator('[data-testid=options-box] summary').click())];
shots['quick-nb'] = ['/', steps((page) => page.getByTestId('game-number-baseball').check({ force: true }), tap('quick'))];
shots.qr = [`/r/10BBY1`, steps(enterRoom, tap('qr'))];
shots.kick = [`/r/10BBY4`, steps(enterRoom, tap('kick-1'))];
shots.returning = [`/r/RETVRN`, steps(enterRoom, (page) => page.waitForTimeout(2500))];

shots['db-rules'] = ['/rules/dobble'];
shots['db-options'] = ['/r/D0BBY1', steps(enterRoom, (page) => page.locator('[data-testid=options-box] summary').click())];
shots['db-potato5-target'] = ['/r/DP0TA5', steps(enterRoom, tap('player-2'))];
shots['db-big'] = ['/r/DT0WR8', steps(enterRoom, async (page) => {
    if (await page.getByTestId('big-cards').isVisible()) {
        await page.getByTestId('big-cards').click();
    }
})];
shots['db-triplet-two'] = ['/r/DTR1P4', steps(enterRoom, (page) => page.waitForTimeout(300), tap('place-0'), tap('place-4'))];
shots['db-keys'] = ['/r/DT0WR2', steps(enterRoom, (page) => page.keyboard.press('Tab'))];

const only = process.argv[2] ?? '';
const where = `${root}shots/`;
mkdirSync(where, { recursive: true });
const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'],
});
let faults = 0;
const wanted = (process.env.SIZES ?? 's,m,d').split(',');
const schemes = (process.env.SCHEMES ?? 'light,dark').split(',');
for (const [name, [path, act]] of Object.entries(shots)) {
    if (!name.includes(only)) {
        continue;
    }
    for (const size of wanted) {
        for (const scheme of schemes) {
            const [width, height] = sizes[size];
            const context = await browser.newContext({
                viewport: { width, height }, colorScheme: scheme, locale: process.env.LOCALE ?? 'ko-KR',
                hasTouch: size !== 'd', deviceScaleFactor: Number(process.env.SCALE ?? 1),
            });
            await context.addInitScript(() =>
                localStorage.getItem('madang.settings') ??
                localStorage.setItem('madang.settings', JSON.stringify({ name: '민수' })));
            const page = await context.newPage();
            if (size === 'l') {
                await page.addInitScript(() =>
                    addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%')));
            }
            page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log(`${name}: ${m.text()}`));
            page.on('pageerror', (e) => console.log(`${name}: ${e.message}`));
            if (name === 'home-missing') {
                await page.addInitScript(() => localStorage.setItem('madang.settings', '{}'));
            }
            await page.goto(base + path);
            await page.waitForTimeout(350);
            try {
                await act?.(page);
            } catch (error) {
                console.log(`${name}-${size}: ${error.message.split('\n')[0]}`);
                faults += 1;
            }
            await page.waitForTimeout(/^(nb-)?end/.test(name) ? 2300 : 500);
            await page.screenshot({ path: `${where}${name}-${size}-${scheme}.png`, fullPage: process.env.FULL === '1' });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            if (wide) {
                console.log(`${name}-${size}-${scheme}: wider than the window`);
                faults += 1;
            }
            if (process.env.AXE === '1') {
                // Through the debugger, which the page's policy does not govern.
                await page.evaluate(axe);
                const found = await page.evaluate(async () => (await globalThis.axe.run()).violations);
                for (const v of found) {
                    faults += 1;
                    const nodes = v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`);
                    console.log(`${name}-${size}-${scheme}: ${v.id}: ${nodes.join(' | ')}`);
                }
            }
            await context.close();
        }
    }
}
await browser.close();
server.close();
await vite.close();
console.log(`${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
