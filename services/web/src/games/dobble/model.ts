// SPDX-License-Identifier: Apache-2.0
//
// What the screen reads out of the two messages of a view, and how a tap becomes a claim: pure functions. Which
// picture two cards share is nobody's business here; the server judges.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
    ActionSchema,
    MineSchema,
    MiniGame,
    Part,
    Phase,
    ViewSchema,
    type Card as SentCard,
    type Mine,
    type View,
} from '../../gen/dobble_pb';
import { spotOf, type Spot } from './layout';

// One picture on a card, as it is drawn.
export interface Item extends Spot {
    art: number;
}

// A card that lies open. Its pictures in the order in which one reads: for keys, for the focus and for the voice.
export interface Card {
    id: number;
    items: Item[];
}

const LOOK_BYTES = 3;
const ROW = 200; // of 1000: what lies in such a band is read from left to right

// As it was sent: its number, its pictures slot by slot, its look.
function cardOf(all: Uint8Array, easy: boolean): Card {
    const look = all.slice(-LOOK_BYTES).reduceRight((high, byte) => high * 256 + byte, 0);
    const items = Array.from(all.slice(1, -LOOK_BYTES), (art, slot): Item => ({ art, ...spotOf(look, easy, slot) }));
    return { id: all[0] ?? 0, items: inOrder(items) };
}

export function inOrder(items: Item[]): Item[] {
    const row = (item: Item): number => Math.floor(item.y / ROW);
    return items.sort((a, b) => row(a) - row(b) || a.x - b.x || a.y - b.y);
}

export interface Model {
    view: View;
    mine: Mine;
    me: number; // game seat, -1 for a spectator
    centre: Card | null;
    tops: (Card | null)[]; // by seat
    places: (Card | null)[]; // triplet
    practice: boolean;
    playing: boolean; // claims are judged now
    in: boolean; // I may claim in this round
    aims: boolean; // this mini-game compares with a player who has to be chosen
}

export function readModel(shared: Uint8Array, mine: Uint8Array, me: number): Model {
    const view = fromBinary(ViewSchema, shared);
    const playing = view.phase === Phase.PLAYING;
    const open = (card: SentCard | undefined): Card | null =>
        card === undefined || card.all.length === 0 ? null : cardOf(card.all, view.settings?.easy ?? false);
    return {
        view,
        mine: fromBinary(MineSchema, mine),
        me,
        centre: open(view.centre),
        tops: view.seats.map((seat) => open(seat.top)),
        places: view.places.map(open),
        practice: view.settings?.practice ?? false,
        playing,
        in: me >= 0 && view.seats[me]?.role === Part.IN,
        aims: view.miniGame === MiniGame.HOT_POTATO || view.miniGame === MiniGame.POISONED_GIFT,
    };
}

export function topOf(model: Model, seat: number): Card | null {
    return model.tops[seat] ?? null;
}

export function othersInOrder(model: Model): number[] {
    const count = model.view.seats.length;
    const from = model.me < 0 ? 0 : model.me + 1;
    return Array.from({ length: count }, (_, i) => (from + i) % count).filter((seat) => seat !== model.me);
}

// The target in force: the only legal one, or the one that was pointed at while it is legal.
export function targetOf(model: Model, pointed: number | null): number | null {
    const legal = model.mine.targets;
    if (legal.length === 1) {
        return legal[0] ?? null;
    }
    return pointed !== null && legal.includes(pointed) ? pointed : null;
}

// Two cards as they lie on the screen: a tap on either is a claim for both.
export interface Pair {
    upper: Card | null;
    lower: Card | null;
    mine: number;
    against: number;
    target: number; // seat + 1, 0 without
}

export function pairOf(model: Model, target: number | null): Pair {
    const { centre } = model;
    const own = topOf(model, model.me);
    const theirs = target === null ? null : topOf(model, target);
    switch (model.view.miniGame) {
        case MiniGame.HOT_POTATO:
            return { upper: theirs, lower: own, mine: own?.id ?? 0, against: theirs?.id ?? 0, target: (target ?? -1) + 1 };
        case MiniGame.POISONED_GIFT:
            return { upper: theirs, lower: centre, mine: 0, against: centre?.id ?? 0, target: (target ?? -1) + 1 };
        default:
            return { upper: centre, lower: own, mine: own?.id ?? 0, against: centre?.id ?? 0, target: 0 };
    }
}

// Two cards are there to be compared, and I may say what they share.
export function mayClaim(model: Model, pair: Pair): boolean {
    return model.playing && model.in && pair.upper !== null && pair.lower !== null;
}

export const pairKey = (pair: Pair): string => `${pair.upper?.id ?? 0}-${pair.lower?.id ?? 0}`;

export interface Act {
    action: Uint8Array;
    label: string; // the same claim twice is one
}

export const CLAIM = 'claim ';

export function claimOf(pair: Pair, art: number): Act {
    const { mine, against, target } = pair;
    const action = create(ActionSchema, { kind: { case: 'claim', value: { mine, against, target, art } } });
    return { action: toBinary(ActionSchema, action), label: `${CLAIM}${mine}-${against}-${target}-${art}` };
}

export function tripletOf(cards: number[], art: number): Act {
    return {
        action: toBinary(ActionSchema, create(ActionSchema, { kind: { case: 'triplet', value: { cards, art } } })),
        label: `${CLAIM}${[...cards].sort((a, b) => a - b).join('-')}:${art}`,
    };
}

// What blinks for me while the hint is shown.
export function hintFor(model: Model, target: number | null): number | null {
    if (model.view.phase !== Phase.HINT) {
        return null;
    }
    const hints = model.mine.hints;
    return (hints.find((hint) => hint.target === (target ?? -1) + 1) ?? hints[0])?.art ?? null;
}

// Whose hint it is, where nobody was chosen: that player's card is shown beside mine.
export function hintTarget(model: Model): number | null {
    const first = model.view.phase === Phase.HINT ? model.mine.hints[0] : undefined;
    return first === undefined || first.target === 0 ? null : first.target - 1;
}

// Three bands of round trips; the number is always beside them.
export type Band = 'good' | 'fair' | 'slow';
export function bandOf(rttMs: number): Band {
    return rttMs < 80 ? 'good' : rttMs < 200 ? 'fair' : 'slow';
}
