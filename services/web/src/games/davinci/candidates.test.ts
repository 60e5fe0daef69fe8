// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Color, Face } from '../../gen/davinci_pb';
import { candidates, impossible, type SeenTile, type Sight } from './candidates';

const HIDDEN = null;
type Short = [color: 'b' | 'w', n: number | 'joker' | null, refuted?: number[]];

function tile([color, n, refuted = []]: Short): SeenTile {
    return {
        color: color === 'b' ? Color.BLACK : Color.WHITE,
        face: n === null ? Face.UNSPECIFIED : n === 'joker' ? Face.JOKER : Face.N0 + n,
        refuted: refuted.reduce((bits, r) => bits | (1 << (Face.N0 + r)), 0),
    };
}
function sight(rows: Short[][], change: Partial<Sight> = {}): Sight {
    return {
        rows: rows.map((row) => row.map(tile)),
        turnColor: Color.UNSPECIFIED,
        turnFace: Face.UNSPECIFIED,
        jokers: false,
        whiteLeft: false,
        ...change,
    };
}
function list(bits: number): (number | 'joker')[] {
    const numbers = Array.from({ length: 12 }, (_, n) => n).filter((n) => (bits >> (Face.N0 + n)) & 1);
    return (bits >> Face.JOKER) & 1 ? [...numbers, 'joker'] : numbers;
}

function faces(bits: number): Face[] {
    return Array.from({ length: Face.JOKER + 1 }, (_, f) => f).filter((f) => (bits >> f) & 1);
}

describe('candidates of a hidden tile', () => {
    const guide: Short[] = [['b', 4], ['b', HIDDEN], ['w', 6]];

    it('black 4, hidden black, white 6: 5 or 6 with black left, 5 with white left', () => {
        expect(list(candidates(sight([[], guide]), 1, 1))).toEqual([5, 6]);
        expect(list(candidates(sight([[], guide], { whiteLeft: true }), 1, 1))).toEqual([5]);
    });

    it('a black 5 of my own leaves black 6', () => {
        expect(list(candidates(sight([[['b', 5]], guide]), 1, 1))).toEqual([6]);
        expect(list(candidates(sight([[['w', 5]], guide]), 1, 1))).toEqual([5, 6]);
    });

    it('the tile in my hand and refuted values are excluded', () => {
        const held = { turnColor: Color.BLACK, turnFace: Face.N6 };
        expect(list(candidates(sight([[], guide], held), 1, 1))).toEqual([5]);
        expect(list(candidates(sight([[], [['b', 4], ['b', HIDDEN, [5]], ['w', 6]]]), 1, 1))).toEqual([6]);
    });

    it('open jokers are skipped, and the joker is a candidate while it is unaccounted for', () => {
        const row: Short[] = [['b', 4], ['w', 'joker'], ['b', HIDDEN], ['w', 6]];
        expect(list(candidates(sight([[], row], { jokers: true }), 1, 2))).toEqual([5, 6, 'joker']);
        const seen: Short[] = [['b', 'joker']];
        expect(list(candidates(sight([seen, row], { jokers: true }), 1, 2))).toEqual([5, 6]);
    });

    it('says why a value cannot be', () => {
        const rows: Short[][] = [[['b', 5]], [['b', 4], ['b', HIDDEN, [6]], ['w', 8]], [['b', 7]]];
        const seen = sight(rows);
        const why = (n: number) => impossible(seen, 0, 1, 1, Face.N0 + n);
        expect([why(5), why(6), why(7), why(9), why(8)]).toEqual(['mine', 'refuted', 'open', 'range', null]);
    });
});

// The servers compute the same from the same file: for one viewer, the faces that each tile may have; tiles
// whose face the viewer knows have none.
interface Vector {
    settings: { jokers: boolean; whiteLeft: boolean };
    viewer: number;
    rows: { color: 'black' | 'white'; face: Face; refuted: number }[][];
    mine: Face[];
    turnColor: 'black' | 'white' | null;
    turnFace: Face;
    candidates: Face[][][];
}
const colors = { black: Color.BLACK, white: Color.WHITE };
const golden = fileURLToPath(
    new URL('../../../../../tests/unit/games/golden/davinci_candidates.json', import.meta.url),
);

describe('the vectors shared with the servers', () => {
    const vectors = JSON.parse(readFileSync(golden, 'utf8')) as Vector[];

    it.each(vectors.map((v, i) => [i, v] as const))('vector %i', (_, v) => {
        const rows = v.rows.map((row, seat) =>
            row.map((t, i) => ({
                color: colors[t.color],
                face: seat === v.viewer ? (v.mine[i] ?? t.face) : t.face,
                refuted: t.refuted,
            })),
        );
        const seen: Sight = {
            rows,
            turnColor: v.turnColor === null ? Color.UNSPECIFIED : colors[v.turnColor],
            turnFace: v.turnFace,
            ...v.settings,
        };
        const got = rows.map((row, seat) =>
            row.map((t, i) => (t.face === Face.UNSPECIFIED ? faces(candidates(seen, seat, i)) : [])),
        );
        expect(got).toEqual(v.candidates);
    });
});
