// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { cycleNote, freshMemo, KEPT_MAX, Note, readKept, writeKept, type Kept } from './kept';

const nothing: Kept = { memo: freshMemo(), typed: '' };
const some: Kept = { memo: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], typed: '03' };

describe('the memo', () => {
    it('goes from unknown to excluded to confirmed and back to unknown', () => {
        expect(cycleNote(Note.UNKNOWN)).toBe(Note.EXCLUDED);
        expect(cycleNote(Note.EXCLUDED)).toBe(Note.CONFIRMED);
        expect(cycleNote(Note.CONFIRMED)).toBe(Note.UNKNOWN);
    });

    it.each([-1, 3, 1.5, '1', null, undefined, {}])('begins anew after %j', (note) => {
        expect(cycleNote(note)).toBe(Note.UNKNOWN);
    });
});

describe('what a device keeps', () => {
    it('is read back as it was written', () => {
        expect(readKept(writeKept(null, 'ABCDEF-1', some), 'ABCDEF-1', 4)).toEqual(some);
    });

    it('belongs to one game of one room', () => {
        const raw = writeKept(null, 'ABCDEF-1', some);
        expect(readKept(raw, 'ABCDEF-2', 4)).toEqual(nothing);
        expect(readKept(raw, 'ABCDEG-1', 4)).toEqual(nothing);
        const both = writeKept(raw, 'ABCDEF-2', { ...nothing, typed: '9' });
        expect(readKept(both, 'ABCDEF-1', 4)).toEqual(some);
        expect(readKept(both, 'ABCDEF-2', 4).typed).toBe('9');
    });

    it('is the last few games, the oldest forgotten first', () => {
        let raw: string | null = null;
        for (let game = 1; game <= KEPT_MAX + 1; game += 1) {
            raw = writeKept(raw, `ABCDEF-${game}`, some);
        }
        expect(readKept(raw, 'ABCDEF-1', 4)).toEqual(nothing);
        expect(readKept(raw, 'ABCDEF-2', 4)).toEqual(some);
        expect(JSON.parse(raw ?? '')).toHaveLength(KEPT_MAX);
    });

    it('counts a game once', () => {
        const raw = writeKept(writeKept(null, 'ABCDEF-1', some), 'ABCDEF-1', nothing);
        expect(JSON.parse(raw)).toHaveLength(1);
        expect(readKept(raw, 'ABCDEF-1', 4)).toEqual(nothing);
    });

    it.each([
        null, '', '{', 'null', '7', '"a"', '{}', '[]', '[null]', '[[]]', '[["k"]]', '[["k",1,2]]', '[["k","",""]]',
        '[["k","012012012",""]]', '[["k","01201201200",""]]', '[["k","0120120123",""]]', '[["k","٠120120120",""]]',
    ])('is checked: %j tells nothing', (raw) => {
        expect(readKept(raw, 'k', 4)).toEqual(nothing);
    });

    it('loses the half-typed guess alone when only that is wrong', () => {
        for (const typed of ['33', '01234', '３', 'abc']) {
            const raw = JSON.stringify([['k', '0120120120', typed]]);
            expect(readKept(raw, 'k', 4), typed).toEqual({ memo: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], typed: '' });
        }
        const shorter = JSON.stringify([['k', '0000000000', '0123']]);
        expect(readKept(shorter, 'k', 3)).toEqual(nothing);
    });

    it('is written over whatever stood there', () => {
        for (const raw of ['{', '7', '[1,["a"],["b",1,2]]']) {
            expect(readKept(writeKept(raw, 'k', some), 'k', 4)).toEqual(some);
        }
    });
});
