// SPDX-License-Identifier: Apache-2.0
//
// The one question that may be open at a time (make a room, go in, find a match, look a code up, come back):
// sent at once when the line is open, again when it is open again, and again after a while when the answer was
// "not now".
import { ASK_TRIES_MAX, type Ask, type AskKind, type Frame, type RoomModel, type Stay } from './state';

// A gateway takes one question at a time and none from someone in a room, so what is asked meanwhile waits:
// for the answer to the first, or for the room to let go (`hold` until `release`).
export class Asking {
    private open: Ask | null = null;
    private next: Ask | null = null;
    private held = false;

    constructor(private readonly post: (frame: Frame) => void) {}

    // What the person waits for.
    get current(): Ask | null {
        return this.next ?? this.open;
    }

    begin(kind: AskKind, frame: Frame): void {
        this.next = { kind, frame, tries: 0, againAt: 0 };
        // One that only waits for its next try is not with the gateway: it gives way.
        if (this.open === null || this.open.againAt !== 0) {
            this.open = null;
            this.promote();
        }
    }

    hold(): void {
        this.held = true;
    }

    release(): void {
        this.held = false;
        if (this.open === null) {
            this.promote();
        }
    }

    // A new connection: nothing is with the gateway. Asks the latest thing again; false when there is none.
    again(): boolean {
        this.held = false;
        const latest = this.current;
        this.open = null;
        this.next = latest;
        if (latest === null) {
            return false;
        }
        latest.tries += 1;
        this.promote();
        return true;
    }

    // The same once more after a pause that grows; false when it was tried often enough. Who comes back to a
    // seat tries as long as there is hope: the room is there, and given up would be lost.
    later(now: number, random: number): boolean {
        const ask = this.open;
        const enough = ask !== null && ask.tries >= ASK_TRIES_MAX && ask.kind !== 'return';
        if (ask === null || this.next !== null || enough) {
            return false;
        }
        ask.tries += 1;
        ask.againAt = now + 300 * Math.min(ask.tries, ASK_TRIES_MAX) + random * 300;
        return true;
    }

    tick(now: number): void {
        if (this.open !== null && this.open.againAt !== 0 && now >= this.open.againAt) {
            this.send(this.open);
        }
    }

    deadline(): number | null {
        return this.open?.againAt || null;
    }

    // The open question is answered; what waited for that is asked now.
    end(): Ask | null {
        const ended = this.open;
        this.open = null;
        this.promote();
        return ended;
    }

    // The person does not want it any more.
    drop(): void {
        this.open = null;
        this.next = null;
    }

    // The nickname that the open question carries.
    name(): string | null {
        const frame = this.open?.frame;
        const named = frame?.case === 'join' || frame?.case === 'create' || frame?.case === 'quick';
        return named ? (frame.value.name ?? '') : null;
    }

    private promote(): void {
        if (this.next !== null && !this.held) {
            this.open = this.next;
            this.next = null;
            this.send(this.open);
        }
    }

    private send(ask: Ask): void {
        ask.againAt = 0;
        this.post(ask.frame);
    }
}

// How a window comes back to its seat by itself: with what it has, and never taking over.
export function returnFrame(stay: Stay, room: RoomModel | null): Frame {
    return {
        case: 'join',
        value: {
            code: stay.code,
            name: stay.name,
            spectate: stay.spectate,
            generation: stay.generation,
            have: room === null ? undefined : { epoch: room.epoch, seq: room.seq },
        },
    };
}
