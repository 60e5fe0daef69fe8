// SPDX-License-Identifier: Apache-2.0
//
// What the player did and the room has not answered yet: at most one act in flight and a short queue
// behind it. An act's id is (generation of the seat, counter); a refused one does not use its counter up,
// an accepted one raises it. After a reconnect the room says how far it came: what it accepted is done,
// the rest is sent again under the new generation and the same counter.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Reason, type ActSchema, type Answer, type Refusal } from '../gen/client_pb';

export const ACTS_WAITING_MAX = 4;
export const ACTS_TRIES_MAX = 4;

export type ActFrame = MessageInitShape<typeof ActSchema>;
export type What = NonNullable<ActFrame['what']>;

export interface Item {
    what: What;
    madeFor: bigint;
    label: string; // what the screen shows as pressed meanwhile
    tries: number;
}

export interface Acts {
    granted: boolean; // a room has let us in; a spectator may act too (sit down)
    generation: number;
    accepted: bigint;
    flight: Item | null;
    waiting: Item[];
}

export type Settled =
    | { kind: 'none' }
    | { kind: 'accepted'; item: Item }
    | { kind: 'refused'; item: Item; why: Refusal | undefined }
    | { kind: 'again'; item: Item; afterMs: number }
    | { kind: 'otherWindow' };

export function newActs(): Acts {
    return { granted: false, generation: 0, accepted: 0n, flight: null, waiting: [] };
}

function frameOf(acts: Acts, item: Item): ActFrame {
    return {
        generation: acts.generation,
        counter: acts.accepted + 1n,
        madeFor: item.madeFor,
        what: item.what,
    };
}

// Puts the next item in flight, when there is a seat and none is in flight.
export function actsNext(acts: Acts): ActFrame | null {
    if (acts.flight !== null || !acts.granted) {
        return null;
    }
    const item = acts.waiting.shift();
    if (item === undefined) {
        return null;
    }
    acts.flight = item;
    return frameOf(acts, item);
}

// The frame in flight once more, after `again`.
export function actsRepeat(acts: Acts): ActFrame | null {
    return acts.flight === null || !acts.granted ? null : frameOf(acts, acts.flight);
}

// False when the same thing is under way already or the queue is full.
export function actsOffer(acts: Acts, what: What, madeFor: bigint, label: string): boolean {
    const same = acts.flight?.label === label || acts.waiting.some((i) => i.label === label);
    if (same || acts.waiting.length >= ACTS_WAITING_MAX) {
        return false;
    }
    acts.waiting.push({ what, madeFor, label, tries: 0 });
    return true;
}

// The room has granted a seat. Answers the item that turns out to have been accepted, if any; the one
// still open has to be sent with actsRepeat.
export function actsGranted(acts: Acts, generation: number, counter: bigint): Item | null {
    const done = acts.flight !== null && acts.accepted + 1n <= counter ? acts.flight : null;
    acts.granted = true;
    acts.generation = generation;
    acts.accepted = counter;
    if (done !== null) {
        acts.flight = null;
    }
    return done;
}

// The seat is gone: nothing that waited may reach another one.
export function actsForget(acts: Acts): void {
    Object.assign(acts, newActs());
}

function settle(acts: Acts): Item {
    const item = acts.flight as Item;
    acts.flight = null;
    return item;
}

function onRefused(acts: Acts, why: Refusal): Settled {
    const item = acts.flight as Item;
    const code = why.domain === '' ? (why.code as Reason) : undefined;
    switch (code) {
        case Reason.ALREADY_HANDLED:
            acts.accepted += 1n;
            return { kind: 'accepted', item: settle(acts) };
        case Reason.OTHER_WINDOW:
            actsForget(acts);
            return { kind: 'otherWindow' };
        case Reason.OUT_OF_ORDER:
        case Reason.BUSY:
        case Reason.TOO_FAST: {
            if (item.tries >= ACTS_TRIES_MAX) {
                return { kind: 'refused', item: settle(acts), why };
            }
            item.tries += 1;
            const expected = why.params[0];
            if (code === Reason.OUT_OF_ORDER && expected !== undefined && expected > 0) {
                acts.accepted = BigInt(expected) - 1n;
                return { kind: 'again', item, afterMs: 0 };
            }
            return { kind: 'again', item, afterMs: 250 * item.tries };
        }
        default:
            return { kind: 'refused', item: settle(acts), why };
    }
}

export function actsAnswer(acts: Acts, answer: Answer): Settled {
    const ours =
        acts.flight !== null &&
        answer.generation === acts.generation &&
        answer.counter === acts.accepted + 1n;
    if (!ours) {
        return { kind: 'none' };
    }
    if (answer.why === undefined) {
        acts.accepted = answer.counter;
        return { kind: 'accepted', item: settle(acts) };
    }
    return onRefused(acts, answer.why);
}
