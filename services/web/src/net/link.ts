// SPDX-License-Identifier: Apache-2.0
//
// The connection to a gateway as a machine without a socket: one event and the time in, effects out.
// socket.ts carries the effects out and owns every timer; the tests drive the same function by hand.
//
//   idle -> connecting -> greeting -> open
//              ^             |          |
//              +-- waiting <-+----------+        outdated: the end until the page is loaded anew
import { backoffMs } from './backoff';

export const LINK_HANDSHAKE_MS = 7000; // connecting or greeting for longer counts as failed
export const LINK_EVERY_MS = 2000; // between two pings of the gateway, until it says otherwise
export const LINK_LATE_MS = 3000; // a ping of the gateway later than that: we ask ourselves,
export const LINK_PING_MS = 5000; // again and again
export const LINK_SILENCE_MS = 11000; // and later than that: the connection is dead
export const LINK_PROBE_MS = 2500; // after waking up, an answer must come within this
export const LINK_MOVE_MS = 2500; // asked to leave, we do within this; the gateway closes from 3 s on

export type LinkPhase = 'idle' | 'connecting' | 'greeting' | 'open' | 'waiting' | 'outdated';

export interface Link {
    phase: LinkPhase;
    attempts: number; // failures since it was last open
    since: number; // when this phase began
    retryAt: number; // in `waiting`
    heardAt: number; // in `open`
    everyMs: number; // in `open`: how often the gateway pings
    pingAt: number; // in `open`: when we ask if nothing is heard
    deadAt: number; // in `open`: when the connection is dead if nothing is heard
    probeUntil: number; // in `open`: 0, or when silence since waking means death
    moveAt: number; // in `open`: 0, or when to go to another gateway
    downSince: number; // 0 while open, else when it was lost
}

export type LinkEvent =
    | { kind: 'start' }
    | { kind: 'opened' }
    | { kind: 'closed' }
    | { kind: 'heard' }
    | { kind: 'pinged'; nextMs: number } // by the gateway, and when it does so next; 0: not told
    | { kind: 'said' } // something that is answered
    | { kind: 'welcomed'; ours: boolean }
    | { kind: 'tick' }
    | { kind: 'wake' } // the network is back, or the page is seen again
    | { kind: 'move' }; // the gateway asks us to leave at leisure

export type LinkEffect = 'open' | 'close' | 'hello' | 'ping' | 'ready';

export function newLink(): Link {
    return {
        phase: 'idle',
        attempts: 0,
        since: 0,
        retryAt: 0,
        heardAt: 0,
        everyMs: LINK_EVERY_MS,
        pingAt: 0,
        deadAt: 0,
        probeUntil: 0,
        moveAt: 0,
        downSince: 0,
    };
}

function connect(link: Link, now: number): LinkEffect[] {
    link.phase = 'connecting';
    link.since = now;
    return ['open'];
}

function fail(link: Link, now: number, random: number): void {
    if (link.downSince === 0) {
        link.downSince = now;
    }
    link.phase = 'waiting';
    link.since = now;
    link.retryAt = now + backoffMs(link.attempts, random);
    link.attempts += 1;
}

function onWelcomed(link: Link, ours: boolean, now: number): LinkEffect[] {
    if (link.phase !== 'greeting') {
        return [];
    }
    if (!ours) {
        link.phase = 'outdated';
        return ['close'];
    }
    Object.assign(link, {
        phase: 'open',
        since: now,
        attempts: 0,
        heardAt: now,
        everyMs: LINK_EVERY_MS,
        pingAt: now,
        deadAt: now + LINK_EVERY_MS + LINK_SILENCE_MS,
        probeUntil: 0,
        moveAt: 0,
        downSince: 0,
    });
    return ['ready'];
}

function onHeard(link: Link, now: number): void {
    link.heardAt = now;
    link.pingAt = now + link.everyMs + LINK_LATE_MS;
    link.deadAt = now + link.everyMs + LINK_SILENCE_MS;
    link.probeUntil = 0;
}

function onWake(link: Link, now: number): LinkEffect[] {
    if (link.phase === 'waiting') {
        link.attempts = 0;
        return connect(link, now);
    }
    if (link.phase === 'open' && now - link.heardAt > 3000 && link.probeUntil === 0) {
        link.probeUntil = now + LINK_PROBE_MS;
        link.pingAt = now + LINK_PING_MS;
        return ['ping'];
    }
    return [];
}

function onTick(link: Link, now: number, random: number): LinkEffect[] {
    switch (link.phase) {
        case 'waiting':
            return now >= link.retryAt ? connect(link, now) : [];
        case 'connecting':
        case 'greeting':
            if (now - link.since < LINK_HANDSHAKE_MS) {
                return [];
            }
            fail(link, now, random);
            return ['close'];
        case 'open':
            if (link.probeUntil !== 0 && now >= link.probeUntil) {
                fail(link, now, random);
                return ['close', ...connect(link, now)];
            }
            if (link.moveAt !== 0 && now >= link.moveAt) {
                fail(link, now, random);
                link.attempts = 0;
                return ['close', ...connect(link, now)];
            }
            if (now >= link.deadAt) {
                fail(link, now, random);
                return ['close'];
            }
            if (now >= link.pingAt) {
                link.pingAt = now + LINK_PING_MS;
                return ['ping'];
            }
            return [];
        default:
            return [];
    }
}

// Advances `link` by one event. Times are of one clock that does not run backwards.
export function linkStep(link: Link, event: LinkEvent, now: number, random: number): LinkEffect[] {
    switch (event.kind) {
        case 'start':
            return link.phase === 'idle' ? connect(link, now) : [];
        case 'opened':
            if (link.phase !== 'connecting') {
                return [];
            }
            link.phase = 'greeting';
            link.since = now;
            return ['hello'];
        case 'closed':
            if (link.phase === 'connecting' || link.phase === 'greeting' || link.phase === 'open') {
                fail(link, now, random);
            }
            return [];
        case 'heard':
            onHeard(link, now);
            return [];
        case 'pinged':
            link.everyMs = event.nextMs || LINK_EVERY_MS;
            onHeard(link, now);
            return [];
        case 'said':
            // An answer comes soon, or nobody is there, however long there was to be silence.
            link.pingAt = Math.min(link.pingAt, now + LINK_EVERY_MS + LINK_LATE_MS);
            link.deadAt = Math.min(link.deadAt, now + LINK_EVERY_MS + LINK_SILENCE_MS);
            return [];
        case 'welcomed':
            return onWelcomed(link, event.ours, now);
        case 'tick':
            return onTick(link, now, random);
        case 'wake':
            return onWake(link, now);
        case 'move':
            // Played on until then, each phone at a moment of its own.
            if (link.phase === 'open' && link.moveAt === 0) {
                link.moveAt = now + 1 + Math.round(random * LINK_MOVE_MS);
            }
            return [];
    }
}

// When the next `tick` is due, or null when only an outside event can move the machine.
export function linkDeadline(link: Link): number | null {
    switch (link.phase) {
        case 'waiting':
            return link.retryAt;
        case 'connecting':
        case 'greeting':
            return link.since + LINK_HANDSHAKE_MS;
        case 'open':
            return Math.min(
                link.pingAt,
                link.deadAt,
                link.probeUntil === 0 ? Infinity : link.probeUntil,
                link.moveAt === 0 ? Infinity : link.moveAt,
            );
        default:
            return null;
    }
}
