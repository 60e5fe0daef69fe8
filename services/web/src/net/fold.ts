// SPDX-License-Identifier: Apache-2.0
//
// Folding RoomFrames into the last view. A frame is whole (since 0) or a delta, which says what differs from the
// frame before: absent sections are unchanged, others come whole or as a patch of their bytes, and its numbers are
// relative. One that cannot be applied asks for the whole view, and one that is older than what we hold is
// dropped. The sections stay bytes here: only the room's own are read, the game's are for its screen.
import { fromBinary } from '@bufbuild/protobuf';
import {
    PresenceSchema,
    RoomViewSchema,
    type Presence,
    type RoomEvent,
    type RoomFrame,
    type RoomView,
} from '../gen/client_pb';
import { applyPatch } from './patch';

type Section = 'room' | 'presence' | 'game' | 'mine';

const PATCHES = { room: 'roomPatch', presence: 'presencePatch', game: 'gamePatch', mine: 'minePatch' } as const;

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
    sent: Record<Section, Uint8Array>; // as they are on the wire: what patches are made from
}

export type FoldOutcome =
    | { kind: 'applied'; next: Folded; events: RoomEvent[] }
    | { kind: 'resync' }
    | { kind: 'dropped' };

type Numbers = Pick<Folded, 'epoch' | 'seq' | 'gameVersion' | 'roomTime'>;

// Null: it builds on something that we do not hold.
function numbersOf(frame: RoomFrame, held: Folded | null): Numbers | null {
    if (frame.since === 0n) {
        return {
            epoch: frame.version?.epoch ?? 0n,
            seq: frame.version?.seq ?? 0n,
            gameVersion: frame.gameVersion,
            roomTime: Number(frame.roomTime),
        };
    }
    if (held === null || held.seq !== frame.since) {
        return null;
    }
    const risen = 1n + frame.ahead;
    return {
        epoch: held.epoch,
        seq: held.seq + risen,
        gameVersion: held.gameVersion + risen + frame.gameAhead,
        roomTime: held.roomTime + Number(frame.passed),
    };
}

// What each section is on the wire once the frame is folded in. Null: a patch does not fit what we hold.
function sectionsOf(frame: RoomFrame, held: Folded | null): Folded['sent'] | null {
    const sent = { room: frame.room, presence: frame.presence, game: frame.game, mine: frame.mine };
    if (frame.since === 0n || held === null) {
        return sent;
    }
    for (const section of Object.keys(sent) as Section[]) {
        const old = held.sent[section];
        const patch = frame[PATCHES[section]];
        if (patch.length > 0) {
            const made = applyPatch(old, patch);
            if (made === null) {
                return null;
            }
            sent[section] = made;
        } else if (sent[section].length === 0) {
            sent[section] = old;
        }
    }
    return sent;
}

function isOlder(frame: RoomFrame, numbers: Numbers, held: Folded): boolean {
    const { epoch, seq } = numbers;
    return epoch < held.epoch || (epoch === held.epoch && frame.since === 0n && seq < held.seq);
}

function build(frame: RoomFrame, numbers: Numbers, sent: Folded['sent'], held: Folded | null): FoldOutcome {
    const seqOf = (event: RoomEvent): bigint => numbers.seq - event.behind;
    const lastSeen = held?.lastEvent ?? -1n;
    // The first view of a room shows how things stand; what led there is not played again.
    const events = held === null ? [] : frame.events.filter((e) => seqOf(e) > lastSeen);
    return {
        kind: 'applied',
        events,
        next: {
            ...numbers,
            // What is unchanged stays the same object: nothing is drawn anew for it.
            view: held?.sent.room === sent.room ? held.view : fromBinary(RoomViewSchema, sent.room),
            presence:
                held?.sent.presence === sent.presence ? held.presence : fromBinary(PresenceSchema, sent.presence),
            game: sent.game,
            mine: sent.mine,
            lastEvent: numbers.seq > lastSeen ? numbers.seq : lastSeen,
            sent,
        },
    };
}

export function fold(held: Folded | null, frame: RoomFrame): FoldOutcome {
    const numbers = numbersOf(frame, held);
    if (numbers === null) {
        return { kind: 'resync' };
    }
    if (held !== null && isOlder(frame, numbers, held)) {
        return { kind: 'dropped' };
    }
    const sent = sectionsOf(frame, held);
    return sent === null ? { kind: 'resync' } : build(frame, numbers, sent, held);
}
