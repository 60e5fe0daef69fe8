// SPDX-License-Identifier: Apache-2.0
//
// For tests alone: a client whose world is a list, so that a conversation reads as a transcript.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
    ClientFrameSchema,
    PresenceSchema,
    RoomViewSchema,
    ServerFrameSchema,
    type ClientFrame,
    type Refusal,
    type RoomEvent,
    type RoomFrameSchema,
} from '../gen/client_pb';
import { Client } from './client';
import { PROTOCOL_CURRENT } from './protocol';
import type { Stay } from './state';

export type ServerKind = NonNullable<MessageInitShape<typeof ServerFrameSchema>['kind']>;

export class World {
    now = 1000;
    sent: ClientFrame['kind'][] = [];
    opened = 0;
    closed = 0;
    stays: (Stay | null)[] = [];
    events: RoomEvent[] = [];
    refusals: { why: Refusal | undefined; label: string }[] = [];
    readonly client: Client;

    constructor(stay: Stay | null = null) {
        this.client = new Client(
            {
                now: () => this.now,
                date: () => 1_700_000_000_000 + this.now,
                random: () => 0.5,
                open: () => (this.opened += 1),
                close: () => (this.closed += 1),
                send: (bytes) => this.sent.push(fromBinary(ClientFrameSchema, bytes).kind),
                token: () => new Uint8Array([7]),
                saveToken: () => undefined,
                saveStay: (next) => this.stays.push(next),
                changed: () => undefined,
                happened: (events) => this.events.push(...events),
                actRefused: (why, label) => this.refusals.push({ why, label }),
            },
            stay,
        );
    }

    hear(kind: ServerKind): void {
        this.client.received(toBinary(ServerFrameSchema, create(ServerFrameSchema, { kind })));
    }

    // Up to the point where the client may speak.
    connect(protocol = PROTOCOL_CURRENT): void {
        this.client.linkEvent({ kind: 'start' });
        this.client.linkEvent({ kind: 'opened' });
        this.hear({ case: 'welcome', value: { protocol, token: new Uint8Array([7]), build: 'test' } });
    }

    seat(code: string, generation: number, counter: bigint, seat = 0): void {
        this.hear({ case: 'seat', value: { code, seat, generation, counter, epoch: 1n } });
    }

    frame(change: MessageInitShape<typeof RoomFrameSchema>): void {
        this.hear({ case: 'room', value: change });
    }

    whole(seq: bigint, epoch = 1n): void {
        this.frame({
            version: { epoch, seq },
            roomTime: 5000n,
            gameVersion: seq,
            room: toBinary(RoomViewSchema, create(RoomViewSchema, { code: 'ABCDEF', host: 0 })),
            presence: toBinary(PresenceSchema, create(PresenceSchema, { spectators: 1 })),
            game: new Uint8Array([1]),
            mine: new Uint8Array([2]),
        });
    }

    wait(ms: number): void {
        const until = this.now + ms;
        for (let due = this.client.deadline(); due !== null && due <= until; due = this.client.deadline()) {
            this.now = Math.max(this.now, due);
            this.client.tick();
        }
        this.now = until;
    }

    said(): (string | undefined)[] {
        const kinds = this.sent.map((k) => k.case as string | undefined);
        this.sent = [];
        return kinds;
    }
}
