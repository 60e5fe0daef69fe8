// SPDX-License-Identifier: Apache-2.0
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { PresenceSchema, RoomFrameSchema, RoomViewSchema, type RoomFrame } from '../gen/client_pb';
import { fold, type Folded } from './fold';

const roomBytes = (host: number): Uint8Array => toBinary(RoomViewSchema, create(RoomViewSchema, { host }));
const presenceBytes = (spectators: number): Uint8Array =>
    toBinary(PresenceSchema, create(PresenceSchema, { spectators }));

type Change = Extract<MessageInitShape<typeof RoomFrameSchema>, { $typeName?: never }>;

function whole(seq: bigint, change: Change = {}, epoch = 5n): RoomFrame {
    return create(RoomFrameSchema, { version: { epoch, seq }, roomTime: 100n, ...change });
}
function delta(since: bigint, change: Change = {}): RoomFrame {
    return create(RoomFrameSchema, { since, ...change });
}
function apply(held: Folded | null, next: RoomFrame): Folded {
    const outcome = fold(held, next);
    if (outcome.kind !== 'applied') {
        throw new Error(outcome.kind);
    }
    return outcome.next;
}
const first = (): RoomFrame =>
    whole(10n, {
        room: roomBytes(2),
        presence: presenceBytes(3),
        game: new Uint8Array([1, 2]),
        mine: new Uint8Array([3]),
        gameVersion: 8n,
    });

describe('folding frames', () => {
    it('takes a whole view as it is', () => {
        const held = apply(null, first());
        expect(held.view.host).toBe(2);
        expect(held.presence.spectators).toBe(3);
        expect([...held.game]).toEqual([1, 2]);
        expect(held.gameVersion).toBe(8n);
    });

    it('keeps the sections that a delta does not bring', () => {
        const before = apply(null, first());
        const held = apply(before, delta(10n, { game: new Uint8Array([9]) }));
        expect(held.view).toBe(before.view);
        expect(held.presence).toBe(before.presence);
        expect([...held.game]).toEqual([9]);
        expect([...held.mine]).toEqual([3]);
    });

    it('counts on from the frame before', () => {
        const held = apply(apply(null, first()), delta(10n, { passed: 420n }));
        expect(held).toMatchObject({ epoch: 5n, seq: 11n, gameVersion: 9n, roomTime: 520 });
        const later = apply(held, delta(11n, { ahead: 2n, gameAhead: -3n, passed: -20n }));
        expect(later).toMatchObject({ epoch: 5n, seq: 14n, gameVersion: 9n, roomTime: 500 });
    });

    it('makes a patched section from the bytes that it was sent before', () => {
        // The first byte is copied, the other is new.
        const held = apply(apply(null, first()), delta(10n, { gamePatch: new Uint8Array([5, 2, 7]) }));
        expect([...held.game]).toEqual([1, 7]);
        const again = apply(held, delta(11n, { gamePatch: new Uint8Array([5, 2, 8]) }));
        expect([...again.game]).toEqual([1, 8]);
        const bytes = roomBytes(4);
        const roomPatch = new Uint8Array([bytes.length << 1, ...bytes]);
        expect(apply(again, delta(12n, { roomPatch })).view.host).toBe(4);
    });

    it('asks for the whole view when a patch does not fit what it holds', () => {
        const held = apply(null, first());
        expect(fold(held, delta(10n, { minePatch: new Uint8Array([9]) })).kind).toBe('resync');
        expect(fold(held, delta(10n, { gamePatch: new Uint8Array([9]) })).kind).toBe('applied');
    });

    it('forgets what a whole view does not bring any more', () => {
        const held = apply(apply(null, first()), whole(12n, { room: roomBytes(1) }));
        expect(held.game.length).toBe(0);
        expect(held.mine.length).toBe(0);
    });

    it('asks for the whole view when the base is missing', () => {
        expect(fold(null, delta(10n)).kind).toBe('resync');
        expect(fold(apply(null, first()), delta(12n)).kind).toBe('resync');
    });

    it('drops what is older than what it holds', () => {
        const held = apply(null, first());
        expect(fold(held, whole(9n, { room: roomBytes(0) })).kind).toBe('dropped');
        expect(fold(held, whole(99n, { room: roomBytes(0) }, 4n)).kind).toBe('dropped');
        expect(fold(held, whole(3n, { room: roomBytes(0) }, 6n)).kind).toBe('applied');
    });

    it('takes an unlogged change of presence at the same version', () => {
        const held = apply(apply(null, first()), delta(10n, { ahead: -1n, presence: presenceBytes(7) }));
        expect(held.presence.spectators).toBe(7);
        expect(held).toMatchObject({ seq: 10n, gameVersion: 8n });
    });

    it('hands events out once, and none that led to the first view', () => {
        const one = (behind: bigint, n: number): { behind: bigint; shared: Uint8Array } => ({
            behind,
            shared: new Uint8Array([n]),
        });
        const come = fold(null, whole(10n, { events: [one(1n, 9), one(0n, 10)] }));
        expect(come.kind === 'applied' && come.events).toEqual([]);
        const held = apply(null, whole(10n, { events: [one(0n, 10)] }));
        const next = fold(held, delta(10n, { ahead: 1n, events: [one(2n, 10), one(1n, 11), one(0n, 12)] }));
        expect(next.kind === 'applied' && next.events.map((e) => e.shared[0])).toEqual([11, 12]);
    });
});
