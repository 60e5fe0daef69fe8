// SPDX-License-Identifier: Apache-2.0
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ActionSchema, FoundSchema, MineSchema, MiniGame, Part, Phase, ViewSchema } from '../../gen/dobble_pb';
import { flightOf } from './flight';
import {
    bandOf,
    claimOf,
    hintFor,
    hintTarget,
    mayClaim,
    othersInOrder,
    pairOf,
    readModel,
    targetOf,
    topOf,
    tripletOf,
    type Model,
} from './model';
import { samples } from './samples';
import { choose, NOTHING, stillThere } from './triplet';

type ViewInit = MessageInitShape<typeof ViewSchema>;
type MineInit = MessageInitShape<typeof MineSchema>;

const PICTURES = [3, 56, 0, 12, 40, 7, 21, 9];
const card = (id: number, look = 0) => ({
    all: Uint8Array.from([id, ...PICTURES, look % 256, (look >> 8) % 256, look >> 16]),
});

// Three players: their open cards are 11, 12 and 13, in the centre lies 50.
function model(miniGame: MiniGame, me = 0, change: ViewInit = {}, mine: MineInit = {}): Model {
    const seats = [11, 12, 13].map((id) => ({ top: card(id), cards: 3, role: Part.IN }));
    const view = { miniGame, phase: Phase.PLAYING, centre: card(50), seats, ...change } as ViewInit;
    return readModel(
        toBinary(ViewSchema, create(ViewSchema, view)),
        toBinary(MineSchema, create(MineSchema, mine)),
        me,
    );
}
function claim(m: Model, target: number | null, tapped: number): object {
    const kind = fromBinary(ActionSchema, claimOf(pairOf(m, target), tapped).action).kind;
    if (kind.case !== 'claim') {
        return {};
    }
    const { mine, against, target: named, art } = kind.value;
    return { mine, against, target: named, art };
}

describe('a claim names the cards that lie on the screen', () => {
    it('in the tower and the well: my top card and the centre', () => {
        for (const game of [MiniGame.TOWER, MiniGame.WELL]) {
            expect(claim(model(game), null, 7)).toEqual({ mine: 11, against: 50, target: 0, art: 7 });
        }
    });
    it('in the hot potato: my top card, the target and its top card', () => {
        expect(claim(model(MiniGame.HOT_POTATO), 2, 0)).toEqual({ mine: 11, against: 13, target: 3, art: 0 });
    });
    it('in the poisoned gift: the centre and the target, and no card of mine', () => {
        expect(claim(model(MiniGame.POISONED_GIFT), 1, 56)).toEqual({ mine: 0, against: 50, target: 2, art: 56 });
    });
    it('in the triplet: three cards and the picture, whatever the order of the taps', () => {
        const one = tripletOf([9, 4, 30], 5);
        expect(fromBinary(ActionSchema, one.action).kind).toMatchObject({
            case: 'triplet',
            value: { cards: [9, 4, 30], art: 5 },
        });
        expect(tripletOf([30, 9, 4], 5).label).toBe(one.label);
    });
    it('has one name as long as it is the same, and another for another card', () => {
        const m = model(MiniGame.TOWER);
        const next = model(MiniGame.TOWER, 0, { centre: card(51) });
        expect(claimOf(pairOf(m, null), 7).label).toBe(claimOf(pairOf(m, null), 7).label);
        expect(claimOf(pairOf(m, null), 7).label).not.toBe(claimOf(pairOf(next, null), 7).label);
    });
});

describe('who may claim', () => {
    it('is a seat that is in, with both cards on the screen, while claims are judged', () => {
        const may = (m: Model, target: number | null = null): boolean => mayClaim(m, pairOf(m, target));
        expect(may(model(MiniGame.TOWER))).toBe(true);
        expect(may(model(MiniGame.TOWER, -1))).toBe(false);
        for (const phase of [Phase.COUNTDOWN, Phase.HINT, Phase.ROUND_END, Phase.PAUSED, Phase.FINISHED]) {
            expect(may(model(MiniGame.TOWER, 0, { phase })), Phase[phase]).toBe(false);
        }
        const escaped = [{ role: Part.ESCAPED }, { top: card(12), role: Part.IN }];
        expect(may(model(MiniGame.HOT_POTATO, 0, { seats: escaped }), 1)).toBe(false);
        expect(may(model(MiniGame.HOT_POTATO), null), 'without a target').toBe(false);
        expect(may(model(MiniGame.HOT_POTATO), 1)).toBe(true);
    });
});

describe('the target', () => {
    it('is chosen by itself when there is only one', () => {
        expect(targetOf(model(MiniGame.HOT_POTATO, 0, {}, { targets: [2] }), null)).toBe(2);
        expect(targetOf(model(MiniGame.HOT_POTATO, 0, {}, { targets: [2] }), 1)).toBe(2);
    });
    it('is the one that was pointed at, as long as that is legal', () => {
        const m = model(MiniGame.HOT_POTATO, 0, {}, { targets: [1, 2] });
        expect(targetOf(m, null)).toBe(null);
        expect(targetOf(m, 1)).toBe(1);
        expect(targetOf(m, 0)).toBe(null);
    });
});

describe('the hint', () => {
    const mine = { hints: [{ target: 2, art: 4 }, { target: 3, art: 9 }] };
    it('is that of my target, else the first one with its player', () => {
        const m = model(MiniGame.HOT_POTATO, 0, { phase: Phase.HINT }, mine);
        expect(hintFor(m, 2)).toBe(9);
        expect(hintFor(m, null)).toBe(4);
        expect(hintTarget(m)).toBe(1);
    });
    it('is picture 0 as well as any other, and none for those who watch', () => {
        expect(hintFor(model(MiniGame.TOWER, 0, { phase: Phase.HINT }, { hints: [{ art: 0 }] }), null)).toBe(0);
        expect(hintFor(model(MiniGame.TOWER, -1, { phase: Phase.HINT }), null)).toBe(null);
    });
    it('is over with its phase', () => {
        expect(hintFor(model(MiniGame.HOT_POTATO, 0, {}, mine), 2)).toBe(null);
        expect(hintTarget(model(MiniGame.HOT_POTATO, 0, {}, mine))).toBe(null);
    });
});

describe('three cards and a picture', () => {
    it('are chosen in any order; the same once more takes it back', () => {
        let now = choose(NOTHING, { card: 5 });
        now = choose(now, { art: 40 });
        now = choose(now, { card: 6 });
        expect(now).toEqual({ cards: [5, 6], art: 40 });
        expect(choose(now, { card: 5 })).toEqual({ cards: [6], art: 40 });
        expect(choose(now, { art: 40 })).toEqual({ cards: [5, 6], art: null });
        expect(choose(now, { card: 7 })).toEqual({ cards: [5, 6, 7], art: 40 });
    });
    it('a fourth card takes the place of the first', () => {
        const full = [1, 2, 3].reduce((choice, card) => choose(choice, { card }), NOTHING);
        expect(choose(full, { card: 4 }).cards).toEqual([2, 3, 4]);
    });
    it('lose a card that somebody else took, and the picture with the last of them', () => {
        expect(stillThere({ cards: [1, 2], art: 8 }, [2, 3])).toEqual({ cards: [2], art: 8 });
        expect(stillThere({ cards: [1], art: 8 }, [2, 3])).toEqual(NOTHING);
    });
});

describe('the table', () => {
    it('shows the others after me, a spectator everybody', () => {
        expect(othersInOrder(model(MiniGame.TOWER, 1))).toEqual([2, 0]);
        expect(othersInOrder(model(MiniGame.TOWER, -1))).toEqual([0, 1, 2]);
    });
    it('sorts round trips into three bands', () => {
        expect([79, 80, 199, 200].map(bandOf)).toEqual(['good', 'fair', 'fair', 'slow']);
    });
    it('lets cards fly to whoever gets them', () => {
        const found = create(FoundSchema, { seat: 1, target: 3 });
        expect(flightOf(MiniGame.TOWER, found, 0).upper).toBe('seat-1');
        expect(flightOf(MiniGame.WELL, found, 0)).toEqual({ upper: null, lower: null });
        expect(flightOf(MiniGame.WELL, found, 1).lower).toBe('centre');
        expect(flightOf(MiniGame.HOT_POTATO, found, 1).lower).toBe('seat-2');
        expect(flightOf(MiniGame.POISONED_GIFT, found, 0).lower).toBe('seat-2');
    });
    it('reads a card line by line, every picture once', () => {
        for (let look = 0; look < 200; look++) {
            const items = topOf(model(MiniGame.TOWER, 0, { seats: [{ top: card(1, look) }] }), 0)?.items ?? [];
            expect(items.map((item) => item.art).sort()).toEqual([...PICTURES].sort());
            expect(items.every((item, i) => i === 0 || item.y > (items[i - 1]?.y ?? 0) - 200)).toBe(true);
        }
    });
    it('shows pictures of one size and upright in easy', () => {
        const seats = [{ top: card(1, 0xc70123) }];
        const easy = topOf(model(MiniGame.TOWER, 0, { seats, settings: { easy: true } }), 0)?.items ?? [];
        const classic = topOf(model(MiniGame.TOWER, 0, { seats }), 0)?.items ?? [];
        expect(easy.map(({ art, x, y }) => [art, x, y])).toEqual(classic.map(({ art, x, y }) => [art, x, y]));
        expect(easy.every((item) => item.size === 220 && item.turn === 0)).toBe(true);
        expect(classic.every((item) => item.size === 220 || item.turn === 0)).toBe(false);
    });
    it('has no card where none lies open', () => {
        const m = model(MiniGame.TRIPLET, 0, { centre: undefined, seats: [{ cards: 2 }], places: [{}, card(4)] });
        expect([m.centre, topOf(m, 0), topOf(m, 7), m.places[0]]).toEqual([null, null, null, null]);
        expect(m.places[1]?.id).toBe(4);
    });
});

describe('the cards of the rules', () => {
    it('keep the rule: any two share exactly one picture', () => {
        for (const [i, one] of samples.entries()) {
            const pictures = new Set(one.items.map((item) => item.art));
            expect(pictures.size).toBe(8);
            for (const other of samples.slice(i + 1)) {
                expect(other.items.filter((item) => pictures.has(item.art))).toHaveLength(1);
            }
        }
    });
});
