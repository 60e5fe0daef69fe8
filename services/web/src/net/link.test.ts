// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff';
import {
    LINK_EVERY_MS,
    LINK_HANDSHAKE_MS,
    LINK_LATE_MS,
    LINK_MOVE_MS,
    LINK_PING_MS,
    LINK_PROBE_MS,
    LINK_SILENCE_MS,
    linkDeadline,
    linkStep,
    newLink,
    type Link,
} from './link';

function open(): Link {
    const link = newLink();
    linkStep(link, { kind: 'start' }, 0, 0.5);
    linkStep(link, { kind: 'opened' }, 10, 0.5);
    linkStep(link, { kind: 'welcomed', ours: true }, 20, 0.5);
    return link;
}

describe('the connection', () => {
    it('greets when the socket opens and is ready when it is welcomed', () => {
        const link = newLink();
        expect(linkStep(link, { kind: 'start' }, 0, 0.5)).toEqual(['open']);
        expect(linkStep(link, { kind: 'opened' }, 10, 0.5)).toEqual(['hello']);
        expect(linkStep(link, { kind: 'welcomed', ours: true }, 20, 0.5)).toEqual(['ready']);
        expect(link.phase).toBe('open');
    });

    it('waits longer after each failure, from 0.2 s to 5 s, and never all phones alike', () => {
        const waits = [0, 1, 2, 3, 4, 5, 6, 30].map((n) => backoffMs(n, 0.999));
        expect(waits[0]).toBeGreaterThanOrEqual(200);
        expect([...waits].sort((a, b) => a - b)).toEqual(waits);
        expect(waits.at(-1)).toBeLessThanOrEqual(5000);
        expect(backoffMs(5, 0)).toBeLessThan(backoffMs(5, 0.9));
    });

    it('tries again when its time has come, not before', () => {
        const link = open();
        linkStep(link, { kind: 'closed' }, 1000, 0);
        expect(link.phase).toBe('waiting');
        expect(linkStep(link, { kind: 'tick' }, 1000 + 100, 0)).toEqual([]);
        expect(linkStep(link, { kind: 'tick' }, linkDeadline(link) as number, 0)).toEqual(['open']);
    });

    it('tries at once when the network is back or the page is seen', () => {
        const link = open();
        linkStep(link, { kind: 'closed' }, 1000, 0.9);
        expect(linkStep(link, { kind: 'wake' }, 1001, 0.9)).toEqual(['open']);
    });

    it('remembers since when it is down until it is open again', () => {
        const link = open();
        linkStep(link, { kind: 'closed' }, 1000, 0);
        linkStep(link, { kind: 'wake' }, 1500, 0);
        linkStep(link, { kind: 'closed' }, 2000, 0);
        expect(link.downSince).toBe(1000);
        linkStep(link, { kind: 'wake' }, 2500, 0);
        linkStep(link, { kind: 'opened' }, 2600, 0);
        linkStep(link, { kind: 'welcomed', ours: true }, 2700, 0);
        expect(link.downSince).toBe(0);
    });

    it('takes a silent connection for dead', () => {
        const link = open();
        const end = 20 + LINK_EVERY_MS + LINK_SILENCE_MS;
        link.pingAt = Infinity;
        expect(linkStep(link, { kind: 'tick' }, end - 1, 0)).toEqual([]);
        expect(linkStep(link, { kind: 'tick' }, end, 0)).toEqual(['close']);
        expect(link.phase).toBe('waiting');
    });

    it('asks for itself when a ping of the gateway is late, and not before', () => {
        const link = open();
        linkStep(link, { kind: 'tick' }, 20, 0); // the first one
        linkStep(link, { kind: 'heard' }, 1000, 0);
        expect(linkDeadline(link)).toBe(1000 + LINK_EVERY_MS + LINK_LATE_MS);
        linkStep(link, { kind: 'pinged', nextMs: 30_000 }, 2000, 0);
        const late = 32_000 + LINK_LATE_MS;
        expect(linkDeadline(link)).toBe(late);
        expect(linkStep(link, { kind: 'tick' }, late, 0)).toEqual(['ping']);
        expect(linkStep(link, { kind: 'tick' }, late + LINK_PING_MS, 0)).toEqual(['ping']);
        expect(linkStep(link, { kind: 'tick' }, 32_000 + LINK_SILENCE_MS, 0)).toEqual(['close']);
    });

    it('does not wait so long for the answer to what was said', () => {
        const link = open();
        linkStep(link, { kind: 'pinged', nextMs: 30_000 }, 1000, 0);
        linkStep(link, { kind: 'said' }, 5000, 0);
        expect(linkDeadline(link)).toBe(5000 + LINK_EVERY_MS + LINK_LATE_MS);
        expect(linkStep(link, { kind: 'tick' }, linkDeadline(link) as number, 0)).toEqual(['ping']);
        const end = 5000 + LINK_EVERY_MS + LINK_SILENCE_MS;
        expect(linkStep(link, { kind: 'tick' }, end, 0)).toEqual(['close']);
        const other = open();
        linkStep(other, { kind: 'pinged', nextMs: 30_000 }, 1000, 0);
        linkStep(other, { kind: 'said' }, 5000, 0);
        linkStep(other, { kind: 'heard' }, 5100, 0);
        expect(linkDeadline(other)).toBe(35_100 + LINK_LATE_MS);
    });

    it('asks after waking up and does not wait long for the answer', () => {
        const link = open();
        expect(linkStep(link, { kind: 'wake' }, 9000, 0)).toEqual(['ping']);
        expect(linkStep(link, { kind: 'tick' }, 9000 + LINK_PROBE_MS, 0)).toEqual(['close', 'open']);
        const other = open();
        linkStep(other, { kind: 'wake' }, 9000, 0);
        linkStep(other, { kind: 'heard' }, 9100, 0);
        expect(linkStep(other, { kind: 'tick' }, 9000 + LINK_PROBE_MS, 0)).toEqual([]);
    });

    it('gives up a handshake that takes too long', () => {
        const link = newLink();
        linkStep(link, { kind: 'start' }, 0, 0);
        expect(linkStep(link, { kind: 'tick' }, LINK_HANDSHAKE_MS, 0)).toEqual(['close']);
        expect(link.phase).toBe('waiting');
    });

    it('stops for good when the protocol is another one', () => {
        const link = newLink();
        linkStep(link, { kind: 'start' }, 0, 0);
        linkStep(link, { kind: 'opened' }, 1, 0);
        expect(linkStep(link, { kind: 'welcomed', ours: false }, 2, 0)).toEqual(['close']);
        expect(linkStep(link, { kind: 'wake' }, 3, 0)).toEqual([]);
        expect(linkDeadline(link)).toBeNull();
    });

    it('moves to another gateway at a moment of its own', () => {
        const link = open();
        linkStep(link, { kind: 'tick' }, 1000, 0); // a ping
        expect(linkStep(link, { kind: 'move' }, 1000, 0.5)).toEqual([]);
        expect(linkStep(link, { kind: 'move' }, 1100, 1)).toEqual([]);
        expect(link.phase).toBe('open');
        const at = 1001 + LINK_MOVE_MS / 2;
        expect(linkDeadline(link)).toBe(at);
        expect(linkStep(link, { kind: 'tick' }, at, 0)).toEqual(['close', 'open']);
        linkStep(link, { kind: 'opened' }, at + 5, 0);
        linkStep(link, { kind: 'welcomed', ours: true }, at + 10, 0);
        expect(linkStep(link, { kind: 'tick' }, at + 20, 0)).toEqual(['ping']);
    });

    it('comes back as always when it is closed before that moment', () => {
        const link = open();
        linkStep(link, { kind: 'move' }, 1000, 1);
        linkStep(link, { kind: 'closed' }, 2000, 0);
        expect(link.phase).toBe('waiting');
        expect(linkDeadline(link)).toBeLessThan(2500);
    });
});
