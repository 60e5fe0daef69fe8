// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Hand } from './hand.svelte';
import { Note } from './kept';
import type { Judged } from './model';

const thrown = (...codes: string[]): Judged[] => codes.map((code) => ({ code, strikes: 0, balls: 1 }));
const type = (hand: Hand, text: string): void => [...text].forEach((c) => hand.press(c));

beforeEach(() => {
    const store = new Map<string, string>();
    const localStorage = {
        getItem: (key: string) => store.get(key) ?? null,
        setItem: (key: string, value: string) => void store.set(key, value),
        removeItem: (key: string) => void store.delete(key),
    };
    vi.stubGlobal('window', { localStorage });
});

describe('a guess in the making', () => {
    it('is thrown when it is full, and leaves the hand when it is in the log', () => {
        const hand = new Hand('K-1', 4, []);
        type(hand, '012');
        expect(hand.submit([])).toBeNull();
        expect(hand.word?.()).toContain('4');
        type(hand, '3');
        expect(hand.submit([])).toBe('0123');
        hand.settle([]);
        expect(hand.typed).toBe('0123');
        hand.settle(thrown('0123'));
        expect(hand.typed).toBe('');
    });

    it('shakes when it was thrown before, and is not thrown again', () => {
        const hand = new Hand('K-1', 3, thrown('456', '123'));
        type(hand, '123');
        expect(hand.submit(thrown('456', '123'))).toBeNull();
        expect(hand.shakes).toBe(1);
        expect(hand.word?.()).toContain('2');
        hand.settle(thrown('456', '123'));
        expect(hand.typed).toBe('123'); // it stays to be changed
        hand.back();
        expect(hand.word).toBeNull();
        expect(hand.typed).toBe('12');
    });

    it('shakes when the server refuses it, and stays to be changed', () => {
        const hand = new Hand('K-1', 3, []);
        type(hand, '123');
        hand.submit([]);
        hand.refuse(() => 'no');
        expect(hand.shakes).toBe(1);
        expect(hand.word?.()).toBe('no');
        expect(hand.typed).toBe('123');
    });

    it('is still there after a reload', () => {
        type(new Hand('K-1', 4, []), '09');
        expect(new Hand('K-1', 4, []).typed).toBe('09');
        expect(new Hand('K-2', 4, []).typed).toBe('');
    });

    it('that was on its way when the page went is not there twice', () => {
        const hand = new Hand('K-1', 4, []);
        type(hand, '0123');
        hand.submit([]);
        expect(new Hand('K-1', 4, thrown('0123')).typed).toBe('');
        const late = new Hand('K-1', 4, []);
        type(late, '0123');
        const back = new Hand('K-1', 4, []);
        expect(back.typed).toBe('0123');
        back.settle(thrown('0123'));
        expect(back.typed).toBe('');
    });

    it('takes no digit of another script', () => {
        const hand = new Hand('K-1', 4, []);
        type(hand, '1３');
        expect(hand.typed).toBe('1');
        expect(hand.word).not.toBeNull();
        hand.paste('３７０２');
        expect(hand.typed).toBe('1');
        hand.paste('3702');
        expect(hand.typed).toBe('3702');
        expect(hand.word).toBeNull();
    });
});

describe('the memo in hand', () => {
    it('does not open under what was said of the guess', () => {
        const hand = new Hand('K-9', 4, []);
        type(hand, '33');
        expect(hand.word).not.toBeNull();
        hand.write(true);
        expect([hand.writing, hand.word]).toEqual([true, null]);
    });

    it('is written by the keys while it is on, and kept; the guess stays as it is', () => {
        const hand = new Hand('K-1', 4, []);
        type(hand, '3');
        hand.write(true);
        type(hand, '37755');
        hand.press('a');
        expect(hand.typed).toBe('3');
        const again = new Hand('K-1', 4, thrown('0123', '9876'));
        expect(again.writing).toBe(false);
        expect([3, 7, 5, 0].map((d) => again.memo[d])).toEqual([
            Note.EXCLUDED, Note.CONFIRMED, Note.CONFIRMED, Note.UNKNOWN,
        ]);
        again.mark('7');
        expect(again.memo[7]).toBe(Note.UNKNOWN);
    });
});
