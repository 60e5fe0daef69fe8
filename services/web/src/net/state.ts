// SPDX-License-Identifier: Apache-2.0
//
// What screens see of the conversation (Snapshot), what it needs of the world (Ports), and the one question
// that may be open at a time (Ask).
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
    ClientFrameSchema,
    Found,
    GameInfo,
    PublicRoom,
    QuickStatus,
    Refusal,
    RoomEvent,
} from '../gen/client_pb';
import { newClock, type RoomClock } from './clock';
import type { Folded } from './fold';
import type { LinkPhase } from './link';

export const ASK_TRIES_MAX = 6;

export type Frame = NonNullable<MessageInitShape<typeof ClientFrameSchema>['kind']>;

// The room this window belongs to; kept for the life of the tab, so that a reload returns to the seat.
export interface Stay {
    code: string;
    name: string;
    spectate: boolean;
    generation: number;
}

export type AskKind = 'create' | 'join' | 'quick' | 'lookUp' | 'lookAgain' | 'return';

export interface Ask {
    kind: AskKind;
    frame: Frame;
    tries: number;
    againAt: number; // 0: sent, or to be sent as soon as the link is open
}

export interface RoomModel extends Folded {
    code: string;
    seat: number; // room seat, -1 for a spectator
}

export type Gone = 'otherWindow' | 'kicked' | 'closed';

export interface Snapshot {
    link: LinkPhase;
    downSince: number;
    games: GameInfo[];
    room: RoomModel | null;
    stay: Stay | null;
    returning: boolean; // on the way back to the seat
    asking: AskKind | null;
    refused: Refusal | null; // of the last thing asked
    found: Found | null;
    quick: QuickStatus | null;
    quickUntil: number; // local time at which the quick match starts with who is there
    publicRooms: PublicRoom[];
    gone: Gone | null;
    unreachable: boolean;
    pending: string[]; // labels of acts without an answer
    clock: RoomClock;
}

export interface Ports {
    now(): number; // since some moment; never falls
    date(): number; // of the wall clock, ms
    random(): number;
    open(): void;
    close(): void;
    send(bytes: Uint8Array): void;
    token(): Uint8Array;
    saveToken(token: Uint8Array): void;
    saveStay(stay: Stay | null): void;
    changed(): void;
    happened(events: RoomEvent[]): void;
    actRefused(why: Refusal | undefined, label: string): void;
}

// The part of the snapshot that frames change; the rest is computed from link, ask and acts.
export type State = Omit<Snapshot, 'link' | 'downSince' | 'asking' | 'pending' | 'returning'>;

export function newState(stay: Stay | null): State {
    return {
        games: [],
        room: null,
        stay,
        refused: null,
        found: null,
        quick: null,
        quickUntil: 0,
        publicRooms: [],
        gone: null,
        unreachable: false,
        clock: newClock(),
    };
}
