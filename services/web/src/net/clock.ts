// SPDX-License-Identifier: Apache-2.0
//
// Room time on this machine. Every frame carries the room's time when it was written; it reached us one
// way later. The least delayed frame knows best, so the offset only rises with later frames, except that
// the room's time may have stood still (an outage is nobody's time): then it falls at once.
export interface RoomClock {
    offset: number; // room time minus local time; NaN before the first frame
    rtt: number; // least round trip lately, ms; 0 unknown
}

export const CLOCK_STOOD_STILL_MS = 1500;

export function newClock(): RoomClock {
    return { offset: NaN, rtt: 0 };
}

export function clockFrame(clock: RoomClock, roomTime: number, receivedAt: number): RoomClock {
    const offset = roomTime + clock.rtt / 2 - receivedAt;
    const better = Number.isNaN(clock.offset) || offset > clock.offset;
    const stoodStill = clock.offset - offset > CLOCK_STOOD_STILL_MS;
    return better || stoodStill ? { ...clock, offset } : clock;
}

export function clockRoundTrip(clock: RoomClock, rtt: number): RoomClock {
    const bounded = Math.max(0, Math.min(rtt, 2000));
    // Drifts up slowly when the network got slower, takes every improvement at once.
    const next = clock.rtt === 0 ? bounded : Math.min(bounded, clock.rtt + 10);
    return { ...clock, rtt: next };
}

export function clockNow(clock: RoomClock, now: number): number {
    return Number.isNaN(clock.offset) ? 0 : now + clock.offset;
}

// Milliseconds until a deadline of room time; 0 when it has passed or there is none.
export function clockLeft(clock: RoomClock, deadline: number, now: number): number {
    return deadline === 0 ? 0 : Math.max(0, deadline - clockNow(clock, now));
}
