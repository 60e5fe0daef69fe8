// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { clockFrame, clockLeft, clockNow, clockRoundTrip, newClock } from './clock';

describe('room time', () => {
    it('runs with this machine from what the frame said', () => {
        const clock = clockFrame(newClock(), 50_000, 1000);
        expect(clockNow(clock, 3000)).toBe(52_000);
        expect(clockLeft(clock, 55_000, 3000)).toBe(3000);
    });

    it('does not jump back for a frame that was delayed', () => {
        const clock = clockFrame(clockFrame(newClock(), 50_000, 1000), 50_500, 2200);
        expect(clockNow(clock, 2200)).toBe(51_200);
    });

    it('follows at once when the room stood still', () => {
        const clock = clockFrame(clockFrame(newClock(), 50_000, 1000), 50_100, 9000);
        expect(clockNow(clock, 9000)).toBe(50_100);
    });

    it('adds half a round trip', () => {
        const clock = clockFrame(clockRoundTrip(newClock(), 80), 50_000, 1000);
        expect(clockNow(clock, 1000)).toBe(50_040);
    });

    it('says nothing is left without a deadline or after it', () => {
        const clock = clockFrame(newClock(), 50_000, 1000);
        expect(clockLeft(clock, 0, 1000)).toBe(0);
        expect(clockLeft(clock, 49_000, 1000)).toBe(0);
    });
});
