// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chosenByKey, keyNumber, letterOf } from './keys';
import { AIM_MS, Taps } from './taps.svelte';
import { secondsOf } from './words';

const item = { art: 3, x: 500, y: 500, size: 250, turn: 0 };

describe('a tap', () => {
    let now = 0;
    let taps: Taps;
    beforeEach(() => {
        vi.useFakeTimers();
        now = 1000;
        taps = new Taps(() => now);
    });
    afterEach(() => vi.useRealTimers());

    it('is meant for what lies there once that could have been seen', () => {
        taps.show('1-2');
        expect(taps.aimed()).toBe(false);
        now += AIM_MS;
        expect(taps.aimed()).toBe(true);
        taps.show('1-2');
        expect(taps.aimed(), 'the same cards again').toBe(true);
        taps.show('1-3');
        expect(taps.aimed(), 'another card').toBe(false);
    });

    it('is answered at once, and settled by what the server says of it', () => {
        taps.set('sent', 'upper', item, 'claim 1');
        expect(taps.mark).toMatchObject({ outcome: 'sent', slot: 'upper' });
        expect(taps.settle('late', 'claim 0'), 'another claim').toBe(false);
        expect(taps.mark?.outcome).toBe('sent');
        expect(taps.settle('right')).toBe(true);
        expect(taps.mark?.outcome).toBe('right');
        expect(taps.settle('late', 'claim 1'), 'it is settled').toBe(false);
    });

    it('is forgotten after a while, each by its own time', () => {
        taps.set('sent', 'upper', item, 'a');
        vi.advanceTimersByTime(600);
        taps.set('late', 'lower', item);
        vi.advanceTimersByTime(800);
        expect(taps.mark?.outcome).toBe('late');
        vi.advanceTimersByTime(400);
        expect(taps.mark).toBe(null);
    });
});

describe('keys', () => {
    const press = (code: string, more: object = {}): KeyboardEvent =>
        ({ code, repeat: false, ctrlKey: false, altKey: false, metaKey: false, target: null, ...more }) as KeyboardEvent;
    class FakeElement {
        constructor(private readonly within: boolean) {}
        closest(): object | null {
            return this.within ? {} : null;
        }
    }
    beforeEach(() => vi.stubGlobal('Element', FakeElement));
    afterEach(() => vi.unstubAllGlobals());

    it('choose by their place on the keyboard, whatever an input method writes', () => {
        expect(keyNumber(press('Digit3'))).toBe(3);
        expect(keyNumber(press('Numpad8'))).toBe(8);
        expect(keyNumber(press('Digit0'))).toBe(null);
        expect(letterOf(press('KeyC'))).toBe(2);
        expect(letterOf(press('KeyI'))).toBe(null);
        expect(chosenByKey(press('Digit2'), ['a', 'b'])).toBe('b');
        expect(chosenByKey(press('Digit3'), ['a', 'b'])).toBe(null);
    });
    it('leave shortcuts, held keys and fields alone', () => {
        expect(keyNumber(press('Digit1', { ctrlKey: true }))).toBe(null);
        expect(keyNumber(press('Digit1', { repeat: true }))).toBe(null);
        expect(keyNumber(press('Digit1', { target: new FakeElement(true) }))).toBe(null);
        expect(keyNumber(press('Digit1', { target: new FakeElement(false) }))).toBe(1);
    });
});

describe('seconds', () => {
    it('are told in tenths, never as none while there is one', () => {
        expect([1000, 999, 401, 1].map(secondsOf)).toEqual(['1.0', '1.0', '0.5', '0.1']);
    });
});
