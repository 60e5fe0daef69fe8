// SPDX-License-Identifier: Apache-2.0
//
// Folding RoomFrames into the last view. A frame is whole (since 0) or a delta whose absent sections are
// unchanged since `since`; one that cannot be applied asks for the whole view, and one that is older than
// what we hold is dropped. The sections stay bytes here: only the room's own are read, the game's are for
// its screen.
import { fromBinary } from '@bufbuild/protobuf';
import {
    PresenceSchema,
    RoomViewSchema,
    type Presence,
    type RoomEvent,
    type RoomFrame,
    type RoomView,
} from '../gen/client_pb';

export interface Folded {
    epoch: bigint;
    seq: bigint;
    gameVersion: bigint;
    roomTime: number;
    view: RoomView;
    presence: Presence;
    game: Uint8Array; // empty: no game has been played here
    mine: Uint8Array;
    lastEvent: bigint; // events up to this one were handed out
}

export type FoldOutcome =
    | { kind: 'applied'; next: Folded; events: RoomEvent[] }
    | { kind: 'resync' }
    | { kind: 'dropped' };

function isOlder(frame: RoomFrame, epoch: bigint, seq: bigint, held: Folded): boolean {
    return epoch < held.epoch || (epoch === held.epoch && frame.since === 0n && seq < held.seq);
}

function build(frame: RoomFrame, epoch: bigint, seq: bigint, held: Folded | null): FoldOutcome {
    const whole = frame.since === 0n;
    const pick = <T>(bytes: Uint8Array, read: (b: Uint8Array) => T, old: T | undefined): T =>
        bytes.length > 0 || old === undefined || whole ? read(bytes) : old;
    const bytes = (b: Uint8Array): Uint8Array => b;
    const lastSeen = held?.lastEvent ?? -1n;
    // The first view of a room shows how things stand; what led there is not played again.
    const events = held === null ? [] : frame.events.filter((e) => e.seq > lastSeen);
    const last = frame.events.reduce((most, e) => (e.seq > most ? e.seq : most), seq);
    return {
        kind: 'applied',
        events,
        next: {
            epoch,
            seq,
            gameVersion: frame.gameVersion,
            roomTime: Number(frame.roomTime),
            view: pick(frame.room, (b) => fromBinary(RoomViewSchema, b), held?.view),
            presence: pick(frame.presence, (b) => fromBinary(PresenceSchema, b), held?.presence),
            game: pick(frame.game, bytes, held?.game),
            mine: pick(frame.mine, bytes, held?.mine),
            lastEvent: last > lastSeen ? last : lastSeen,
        },
    };
}

export function fold(held: Folded | null, frame: RoomFrame): FoldOutcome {
    const epoch = frame.version?.epoch ?? 0n;
    const seq = frame.version?.seq ?? 0n;
    if (held !== null && isOlder(frame, epoch, seq, held)) {
        return { kind: 'dropped' };
    }
    if (frame.since !== 0n && (held === null || held.seq !== frame.since)) {
        return { kind: 'resync' };
    }
    return build(frame, epoch, seq, held);
}
