// SPDX-License-Identifier: Apache-2.0
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { PresenceSchema, RoomFrameSchema, RoomViewSchema, type RoomFrame } from '../gen/client_pb';
import { fold, type Folded } from './fold';

const roomBytes = (host: number): Uint8Array => toBinary(RoomViewSchema, create(RoomViewSchema, { host }));
const presenceBytes = (spectators: number): Uint8Array =>
    toBinary(PresenceSchema, create(PresenceSchema, { spectators }));

type Sections = Omit<Extract<MessageInitShape<typeof RoomFrameSchema>, { $typeName?: never }>, 'version'>;

function frame(seq: bigint, change: Sections = {}, epoch = 5n): RoomFrame {
    return create(RoomFrameSchema, { version: { epoch, seq }, roomTime: 100n, ...change });
}
function apply(held: Folded | null, next: RoomFrame): Folded {
    const outcome = fold(held, next);
    if (outcome.kind !== 'applied') {
        throw new Error(outcome.kind);
    }
    return outcome.next;
}
const whole = (): RoomFrame =>
    frame(10n, {
        room: roomBytes(2),
        presence: presenceBytes(3),
        game: new Uint8Array([1, 2]),
        mine: new Uint8Array([3]),
        gameVersion: 8n,
    });

describe('folding frames', () => {
    it('takes a whole view as it is', () => {
        const held = apply(null, whole());
        expect(held.view.host).toBe(2);
        expect(held.presence.spectators).toBe(3);
        expect([...held.game]).toEqual([1, 2]);
        expect(held.gameVersion).toBe(8n);
    });

    it('keeps the sections that a delta does not bring', () => {
        const held = apply(apply(null, whole()), frame(11n, { since: 10n, game: new Uint8Array([9]) }));
        expect(held.view.host).toBe(2);
        expect([...held.game]).toEqual([9]);
        expect([...held.mine]).toEqual([3]);
        expect(held.seq).toBe(11n);
    });

    it('forgets what a whole view does not bring any more', () => {
        const held = apply(apply(null, whole()), frame(12n, { room: roomBytes(1) }));
        expect(held.game.length).toBe(0);
        expect(held.mine.length).toBe(0);
    });

    it('asks for the whole view when the base is missing', () => {
        expect(fold(null, frame(11n, { since: 10n })).kind).toBe('resync');
        expect(fold(apply(null, whole()), frame(13n, { since: 12n })).kind).toBe('resync');
    });

    it('drops what is older than what it holds', () => {
        const held = apply(null, whole());
        expect(fold(held, frame(9n, { room: roomBytes(0) })).kind).toBe('dropped');
        expect(fold(held, frame(99n, { room: roomBytes(0) }, 4n)).kind).toBe('dropped');
        expect(fold(held, frame(3n, { room: roomBytes(0) }, 6n)).kind).toBe('applied');
    });

    it('takes an unlogged change of presence at the same version', () => {
        const held = apply(apply(null, whole()), frame(10n, { since: 10n, presence: presenceBytes(7) }));
        expect(held.presence.spectators).toBe(7);
        expect(held.seq).toBe(10n);
    });

    it('hands events out once, and none that led to the first view', () => {
        const first = fold(null, frame(10n, { room: roomBytes(0), events: [{ seq: 9n }, { seq: 10n }] }));
        expect(first.kind === 'applied' && first.events).toEqual([]);
        const held = apply(null, frame(10n, { room: roomBytes(0), events: [{ seq: 10n }] }));
        const next = fold(held, frame(12n, { since: 10n, events: [{ seq: 10n }, { seq: 11n }, { seq: 12n }] }));
        expect(next.kind === 'applied' && next.events.map((e) => e.seq)).toEqual([11n, 12n]);
    });
});
