// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Detached_Why, Notice_Kind, Reason } from '../gen/client_pb';
import { PROTOCOL_CURRENT } from './protocol';
import { World } from './testing';

const what = (n: number) => ({ case: 'game' as const, value: new Uint8Array([n]) });
const refuse = (code: Reason, params: number[] = [], retry = false) => ({
    case: 'refused' as const,
    value: { why: { domain: '', code, params }, retry },
});
const answer = (generation: number, counter: bigint, ok: boolean, code = 0, params: number[] = []) => ({
    case: 'answer' as const,
    value: { generation, counter, why: ok ? undefined : { domain: '', code, params } },
});

function seated(): World {
    const world = new World();
    world.connect();
    world.client.join('ABCDEF', '민수', false, true);
    world.seat('ABCDEF', 3, 4n);
    world.whole(10n);
    world.said();
    return world;
}
const flight = (world: World) => {
    const last = world.sent.at(-1);
    return last?.case === 'act' ? last.value : undefined;
};

describe('coming in', () => {
    it('says hello first and asks what was wanted before once it is welcome', () => {
        const world = new World();
        world.client.join('ABCDEF', '민수', false, true);
        expect(world.said()).toEqual([]);
        world.connect();
        expect(world.said()).toEqual(['hello', 'join']);
    });

    it('asks to reload when the gateway speaks another protocol', () => {
        const world = new World();
        world.connect(99);
        expect(world.client.snapshot().link).toBe('outdated');
        expect(world.closed).toBe(1);
    });

    it('tries again by itself when it is told that it may', () => {
        const world = new World();
        world.connect();
        world.client.createRoom('davinci-code', '민수', false);
        world.hear(refuse(Reason.BUSY, [], true));
        world.said();
        world.wait(2000);
        expect(world.said()).toContain('create');
        world.hear(refuse(Reason.BAD_NAME, [2]));
        expect(world.client.snapshot().refused?.code).toBe(Reason.BAD_NAME);
        expect(world.client.snapshot().asking).toBeNull();
    });

    it('answers a ping at once', () => {
        const world = seated();
        world.hear({ case: 'ping', value: { nonce: 77n } });
        expect(world.sent.at(-1)).toMatchObject({ case: 'pong', value: { nonce: 77n } });
    });
});

describe('going out', () => {
    it('asks nothing new before the room has let go', () => {
        const world = seated();
        world.client.leave();
        world.client.createRoom('davinci-code', '민수', false);
        expect(world.said()).toEqual(['leave']);
        world.hear({ case: 'detached', value: { why: Detached_Why.LEFT } });
        expect(world.said()).toEqual(['create']);
        expect(world.client.snapshot()).toMatchObject({ gone: null, asking: 'create' });
    });

    it('leaves the room it is in for another one', () => {
        const world = seated();
        world.client.join('GHJKMN', '민수', false, true);
        expect(world.said()).toEqual(['leave']);
        world.hear({ case: 'detached', value: { why: Detached_Why.LEFT } });
        expect(world.said()).toEqual(['join']);
        world.seat('GHJKMN', 1, 0n);
        expect(world.client.snapshot().stay?.code).toBe('GHJKMN');
    });

    it('gives the seat back later when there is no line now', () => {
        const world = seated();
        world.client.linkEvent({ kind: 'closed' });
        world.client.leave();
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        world.said();
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        world.seat('ABCDEF', 4, 4n);
        expect(world.said()).toEqual(['join', 'leave']);
        expect(world.client.snapshot()).toMatchObject({ stay: null, room: null });
    });

    it('gives back the seat of a match that was cancelled in the same moment', () => {
        const world = new World();
        world.connect();
        world.client.quickMatch('davinci-code', '민수');
        world.client.cancelQuick();
        world.said();
        world.seat('ABCDEF', 1, 0n);
        expect(world.said()).toEqual(['leave']);
        expect(world.client.snapshot().stay).toBeNull();
    });

    it('hears no more of a match that was given up', () => {
        const world = new World();
        world.connect();
        const waiting = { game: 'davinci-code', waiting: 1, needed: 2, leftMs: 20000 };
        world.client.quickMatch('davinci-code', '민수');
        world.hear({ case: 'quick', value: waiting });
        expect(world.client.snapshot().quick?.waiting).toBe(1);
        world.client.cancelQuick();
        world.hear({ case: 'quick', value: waiting });
        expect(world.client.snapshot().quick).toBeNull();
    });
});

describe('asking one thing at a time', () => {
    it('waits for the answer to the first question', () => {
        const world = new World();
        world.connect();
        world.said();
        world.client.lookUp('ABCDEF');
        world.client.join('ABCDEF', '민수', false, true);
        expect(world.said()).toEqual(['lookUp']);
        world.hear({ case: 'found', value: { code: 'ABCDEF', seats: 4 } });
        expect(world.said()).toEqual(['join']);
        expect(world.client.snapshot().asking).toBe('join');
    });
});

describe('coming back', () => {
    it('names what it has: code, generation, version; and does not take over', () => {
        const world = seated();
        world.client.linkEvent({ kind: 'closed' });
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        expect(world.client.snapshot().returning).toBe(true);
        const join = world.sent.at(-1);
        expect(join).toMatchObject({
            case: 'join',
            value: { code: 'ABCDEF', generation: 3, takeOver: false, have: { epoch: 1n, seq: 10n } },
        });
    });

    it('takes up the seat of this tab after a reload', () => {
        const world = new World({ code: 'ABCDEF', name: '민수', spectate: false, generation: 6 });
        world.connect();
        expect(world.sent.at(-1)).toMatchObject({ case: 'join', value: { generation: 6 } });
    });

    it('says so when the room is gone', () => {
        const world = new World({ code: 'ABCDEF', name: '민수', spectate: false, generation: 6 });
        world.connect();
        world.hear(refuse(Reason.NO_SUCH_ROOM));
        expect(world.client.snapshot()).toMatchObject({ gone: 'closed', room: null, stay: null });
        expect(world.stays.at(-1)).toBeNull();
    });

    it('keeps its seat however often it hears that the room cannot be had just now', () => {
        const world = new World({ code: 'ABCDEF', name: '민수', spectate: false, generation: 6 });
        world.connect();
        for (let times = 0; times < 40; times++) {
            world.said();
            world.hear(refuse(Reason.NO_CAPACITY, [], true));
            world.wait(5000);
            world.hear({ case: 'ping', value: { nonce: 1n } });
            expect(world.said()).toContain('join');
        }
        expect(world.client.snapshot()).toMatchObject({ gone: null, stay: { code: 'ABCDEF' } });
    });

    it('asks for the whole view when it lacks the base of a delta', () => {
        const world = seated();
        world.frame({ since: 12n });
        expect(world.said()).toEqual(['resync']);
    });

    it('keeps showing the room while it is moved to another worker', () => {
        const world = seated();
        world.hear({ case: 'notice', value: { kind: Notice_Kind.ROOM_UNREACHABLE } });
        expect(world.client.snapshot().unreachable).toBe(true);
        world.whole(11n, 2n);
        expect(world.client.snapshot().unreachable).toBe(false);
    });
});

describe('acting', () => {
    it('has one act in flight and sends the next when the first is answered', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.client.act(what(2), 10n, 'two');
        expect(world.sent.length).toBe(1);
        expect(flight(world)).toMatchObject({ generation: 3, counter: 5n, madeFor: 10n });
        expect(world.client.snapshot().pending).toEqual(['one', 'two']);
        world.hear(answer(3, 5n, true));
        expect(flight(world)).toMatchObject({ counter: 6n });
        world.hear(answer(3, 6n, true));
        expect(world.client.snapshot().pending).toEqual([]);
    });

    it('does not do the same thing twice for two taps', () => {
        const world = seated();
        expect(world.client.act(what(1), 10n, 'one')).toBe(true);
        expect(world.client.act(what(1), 10n, 'one')).toBe(false);
    });

    it('refuses more than a short queue holds', () => {
        const world = seated();
        const taken = [1, 2, 3, 4, 5, 6, 7].map((n) => world.client.act(what(n), 10n, `act ${n}`));
        expect(taken).toEqual([true, true, true, true, true, false, false]);
    });

    it('does not use up the counter of a refused act', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.hear(answer(3, 5n, false, Reason.STALE));
        expect(world.refusals).toMatchObject([{ label: 'one', why: { code: Reason.STALE } }]);
        world.client.act(what(2), 11n, 'two');
        expect(flight(world)).toMatchObject({ counter: 5n, madeFor: 11n });
    });

    it('counts an unanswered act as done when the seat comes back with its counter', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.client.act(what(2), 10n, 'two');
        world.client.linkEvent({ kind: 'closed' });
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        world.said();
        world.seat('ABCDEF', 4, 5n);
        const acts = world.sent.filter((k) => k.case === 'act');
        expect(acts).toMatchObject([{ value: { generation: 4, counter: 6n, what: what(2) } }]);
    });

    it('sends an unanswered act again, under the new generation, when it did not arrive', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.client.linkEvent({ kind: 'closed' });
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        world.said();
        world.seat('ABCDEF', 4, 4n);
        const acts = world.sent.filter((k) => k.case === 'act');
        expect(acts).toMatchObject([{ value: { generation: 4, counter: 5n, madeFor: 10n, what: what(1) } }]);
    });

    it('takes over the counter that the room expects', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.hear(answer(3, 5n, false, Reason.OUT_OF_ORDER, [9]));
        world.wait(1);
        expect(flight(world)).toMatchObject({ counter: 9n });
    });

    it('tries again a few times when the cluster is busy, then says so', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        for (let i = 0; i < 5; i += 1) {
            world.hear(answer(3, 5n, false, Reason.BUSY));
            world.wait(2000);
        }
        expect(world.sent.filter((k) => k.case === 'act').length).toBe(5);
        expect(world.refusals).toMatchObject([{ why: { code: Reason.BUSY } }]);
    });

    it('forgets what waited when another room is entered', () => {
        const world = seated();
        world.client.act(what(1), 10n, 'one');
        world.client.act(what(2), 10n, 'two');
        world.said();
        world.seat('GHJKMN', 1, 0n);
        expect(world.said()).toEqual([]);
        expect(world.client.snapshot().pending).toEqual([]);
    });
});

// Of the last frame of that kind.
function windowOf(world: World, kind: 'hello' | 'join'): bigint {
    const frame = world.sent.filter((sent) => sent.case === kind).at(-1);
    return frame?.case === 'hello' || frame?.case === 'join' ? frame.value.window : 0n;
}

describe('losing the seat to another window', () => {
    it('shows so, does not come back by itself, and takes over when asked', () => {
        const world = seated();
        world.hear({ case: 'detached', value: { why: Detached_Why.OTHER_WINDOW } });
        expect(world.client.snapshot().gone).toBe('otherWindow');
        world.client.linkEvent({ kind: 'closed' });
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        world.said();
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        expect(world.said()).toEqual([]);
        const loaded = windowOf(world, 'hello');
        world.client.takeOver();
        expect(world.sent.at(-1)).toMatchObject({ case: 'join', value: { code: 'ABCDEF', takeOver: true } });
        // A tap is newer than every page that was loaded before it, the next connection included.
        const tapped = windowOf(world, 'join');
        expect(tapped > loaded).toBe(true);
        world.client.linkEvent({ kind: 'closed' });
        world.client.linkEvent({ kind: 'wake' });
        world.client.linkEvent({ kind: 'opened' });
        expect(windowOf(world, 'hello')).toBe(tapped);
        world.hear({ case: 'welcome', value: { protocol: PROTOCOL_CURRENT } });
        world.seat('ABCDEF', 9, 4n);
        expect(world.client.snapshot().gone).toBeNull();
    });

    it('is never able to act meanwhile', () => {
        const world = seated();
        world.hear({ case: 'detached', value: { why: Detached_Why.OTHER_WINDOW } });
        world.said();
        world.client.act(what(1), 10n, 'one');
        expect(world.said()).toEqual([]);
    });

    it('hears it from a refusal as well', () => {
        const world = new World({ code: 'ABCDEF', name: '민수', spectate: false, generation: 6 });
        world.connect();
        world.hear(refuse(Reason.OTHER_WINDOW));
        expect(world.client.snapshot().gone).toBe('otherWindow');
        expect(world.client.snapshot().stay?.code).toBe('ABCDEF');
    });

    it('tells a kick from a closed room', () => {
        const world = seated();
        world.hear({ case: 'detached', value: { why: Detached_Why.KICKED } });
        expect(world.client.snapshot().gone).toBe('kicked');
    });
});

describe('an invitation that is looked at', () => {
    const found = (seated: number) => ({ case: 'found' as const, value: { code: 'ABCDEF', seats: 4, seated } });
    function looking(): World {
        const world = new World();
        world.connect();
        world.client.lookUp('ABCDEF');
        world.hear(found(1));
        world.said();
        return world;
    }

    it('follows who comes, and shows what it knows until then', () => {
        const world = looking();
        world.client.lookAgain('ABCDEF');
        world.client.lookAgain('ABCDEF');
        expect(world.said()).toEqual(['lookUp']);
        expect(world.client.snapshot().found?.seated).toBe(1);
        world.hear(found(3));
        expect(world.client.snapshot().found?.seated).toBe(3);
        world.client.lookAgain('ABCDEF');
        expect(world.said()).toEqual(['lookUp']);
    });

    it('is in the way of nothing, and hears of its end alone', () => {
        const world = looking();
        world.client.lookAgain('ABCDEF');
        world.client.join('ABCDEF', '민수', false, true);
        world.hear(refuse(Reason.TOO_FAST));
        expect(world.client.snapshot().refused).toBeNull();
        expect(world.said()).toEqual(['lookUp', 'join']);
        world.client.lookAgain('ABCDEF');
        expect(world.said()).toEqual([]);
        world.hear(refuse(Reason.ROOM_FULL));
        expect(world.client.snapshot().refused?.code).toBe(Reason.ROOM_FULL);
        world.client.lookAgain('ABCDEF');
        world.hear(found(3));
        expect(world.client.snapshot().refused).toBeNull();
        world.client.lookAgain('ABCDEF');
        world.hear(refuse(Reason.NO_SUCH_ROOM));
        expect(world.client.snapshot().refused?.code).toBe(Reason.NO_SUCH_ROOM);
    });
});
