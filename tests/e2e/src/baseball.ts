// SPDX-License-Identifier: Apache-2.0
//
// Plays 숫자 야구 with taps: reads one's own log from the page and throws what it still allows, or what it does not.
import { strict as assert } from 'node:assert';
import { until, type Person } from './person.js';

export interface Judged {
  code: string;
  strikes: number;
  balls: number;
}

export function judge(secret: string, code: string): Judged {
  const strikes = [...code].filter((digit, i) => secret[i] === digit).length;
  const balls = [...code].filter((digit) => secret.includes(digit)).length - strikes;
  return { code, strikes, balls };
}

function allCodes(digits: number): string[] {
  let codes = [''];
  for (let place = 0; place < digits; place += 1)
    codes = codes.flatMap((code) => [...'0123456789'].filter((d) => !code.includes(d)).map((d) => code + d));
  return codes;
}

const fits = (secret: string, log: Judged[]): boolean => log.every((seen) => {
  const { strikes, balls } = judge(secret, seen.code);
  return strikes === seen.strikes && balls === seen.balls;
});

// A code that may be the secret, or (to miss) one that the log rules out; never one that was thrown.
export function nextCode(log: Judged[], digits: number, miss = false): string {
  const fresh = allCodes(digits).filter((code) => log.every((seen) => seen.code !== code));
  const wanted = fresh.filter((code) => fits(code, log) !== miss);
  const code = wanted[Math.floor(wanted.length / 3)];
  assert(code !== undefined, 'the log still allows something');
  return code;
}

export function readLog(person: Person, list = 'log'): Promise<Judged[]> {
  return person.page.evaluate((name) =>
    [...document.querySelectorAll(`ol[data-testid="${name}"] > li`)].map((line) => {
      const words = line.querySelector('.verdict')?.textContent ?? '';
      const count = (word: string): number => Number(new RegExp(`(\\d+)${word}`).exec(words)?.[1] ?? 0);
      return {
        code: line.querySelectorAll('.sr')[1]?.textContent ?? '',
        strikes: count('스트라이크'),
        balls: count('볼'),
      };
    }), list);
}

export async function type(person: Person, code: string): Promise<void> {
  for (const digit of code) await person.press(`key-${digit}`);
  await until('it stands there', async () => (await person.attribute('slots', 'data-typed'))?.endsWith(code));
}

// Throws, and waits for the judgement: in my log, wherever that now stands.
export async function throwCode(person: Person, code: string): Promise<void> {
  const before = (await readLog(person)).length;
  await type(person, code);
  await person.press('throw');
  await until('it is judged', async () => (await person.has('result')) || (await readLog(person)).length > before);
}

export const done = async (person: Person): Promise<boolean> =>
  (await person.has('waiting')) || (await person.has('result'));

// Throws until it is solved, or a number of times; returns the last code.
export async function solve(person: Person, digits: number, most = 20): Promise<string> {
  let code = '';
  for (let throws = 0; throws < most && !(await done(person)); throws += 1) {
    code = nextCode(await readLog(person), digits);
    await throwCode(person, code);
  }
  return code;
}

export async function begin(host: Person, people: Person[]): Promise<void> {
  await until('the game can be started', () => host.id('start').isEnabled());
  await host.tap('start');
  for (const person of people) await person.see('pad'); // after the countdown
}
