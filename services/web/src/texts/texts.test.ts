// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { BaseballReason } from '../gen/baseball_pb';
import { NameFault, Reason, RoomHappened_Kind } from '../gen/client_pb';
import { DavinciReason } from '../gen/davinci_pb';
import { DobbleReason, Ending } from '../gen/dobble_pb';
import { en } from './en';
import { parts, plain } from './format';
import { ko } from './ko';
import { finalConsonant, particle } from './particles';

type Texts = Record<string, string>;
const catalogues: [string, Texts][] = [
    ['ko', ko],
    ['en', en],
];
const names = (e: object): string[] => Object.keys(e).filter((k) => Number.isNaN(Number(k)));
const slots = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)/g)].map((m) => m[1] ?? ''))].sort();

describe('the catalogues', () => {
    it('have the same keys, and no empty sentence', () => {
        expect(Object.keys(en).sort()).toEqual(Object.keys(ko).sort());
        for (const [, texts] of catalogues) {
            expect(Object.values(texts).filter((v) => v.trim() === '')).toEqual([]);
        }
    });

    it('fill nothing in one language that the other does not know', () => {
        for (const [key, text] of Object.entries(ko as Texts)) {
            const other = slots((en as Texts)[key] ?? '');
            expect([key, other]).toEqual([key, slots(text)]);
        }
    });

    it('use no particle form that the helper does not know', () => {
        for (const text of Object.values(ko as Texts)) {
            for (const [, , josa] of text.matchAll(/\{(\w+):([^}|]+)\}/g)) {
                expect(['이', '을', '은', '과', '아', '이라고', '이에요', '이나', '으로']).toContain(josa);
            }
        }
    });

    it.each(catalogues)('say the same of every game that is over (%s)', (_, texts) => {
        for (const what of ['rank', 'win', 'ranking']) {
            expect(new Set(['dv', 'nb', 'db'].map((game) => texts[`${game}.result.${what}`])).size, what).toBe(1);
        }
    });

    it.each(catalogues)('have a sentence for every reason (%s)', (_, texts) => {
        for (const name of names(Reason)) {
            expect(texts[`reason.${name}`], name).toBeTruthy();
        }
        for (const name of names(DavinciReason)) {
            expect(texts[`dv.reason.${name}`], name).toBeTruthy();
        }
        for (const name of names(BaseballReason)) {
            expect(texts[`nb.reason.${name}`], name).toBeTruthy();
        }
        for (const name of names(DobbleReason)) {
            expect(texts[`db.reason.${name}`], name).toBeTruthy();
        }
        for (const name of ['UNFOUND', 'ABSENT', 'TOO_FEW'] satisfies (keyof typeof Ending)[]) {
            expect(texts[`db.result.ending.${name}`], name).toBeTruthy();
        }
        for (const fault of [NameFault.EMPTY, NameFault.LONG, NameFault.CHARACTERS]) {
            expect(texts[`name.fault.${fault}`], NameFault[fault]).toBeTruthy();
        }
        for (const name of names(RoomHappened_Kind).filter((n) => n !== 'KIND_UNSPECIFIED' && n !== 'UNSPECIFIED')) {
            expect(texts[`happened.${name}`], name).toBeTruthy();
        }
    });
});

describe('Korean particles', () => {
    it.each([
        ['민수', '이', '가'],
        ['영훈', '이', '이'],
        ['7', '을', '을'],
        ['2', '을', '를'],
        ['10', '이라고', '이라고'],
        ['11', '이라고', '이라고'],
        ['9', '이라고', '라고'],
        ['조커', '이라고', '라고'],
        ['0', '은', '은'],
        ['서울', '으로', '로'],
        ['부산', '으로', '으로'],
        ['바다', '으로', '로'],
        ['민수!', '과', '와'],
        ['Tom', '이', '이'],
        ['Eve', '이', '가'],
        ['🐯', '이', '가'],
    ])('%s + %s', (text, form, expected) => {
        expect(particle(text, form)).toBe(expected);
    });

    it('sees the last letter, also when the syllable is spelt in parts', () => {
        expect(finalConsonant('훈'.normalize('NFD'))).toBe(finalConsonant('훈'));
    });
});

describe('sentences', () => {
    it('isolate names', () => {
        const text = plain('{name} 님이 {face:이라고} 했어요.', { name: { name: '민수' }, face: '7' });
        expect(text).toBe('\u2068민수\u2069 님이 7이라고 했어요.');
        expect(parts('{name}!', { name: { name: 'a' } })).toEqual([
            { text: 'a', isName: true },
            { text: '!', isName: false },
        ]);
    });

    it('count one and many', () => {
        expect(plain('{n} {n|tile|tiles}', { n: 1 })).toBe('1 tile');
        expect(plain('{n} {n|tile|tiles}', { n: 4 })).toBe('4 tiles');
    });
});
