// SPDX-License-Identifier: Apache-2.0
//
// Candidates of a hidden tile: the one definition that the servers' time-out guess uses too (both are held
// against tests/unit/games/golden/davinci_candidates.json). It knows only what this viewer sees.
//
//     black 4   ?black   white 6        black-left: 5 or 6        white-left: 5
//
// A joker keeps its place whatever lies beside it, so an open joker says nothing about its neighbours.
import { Color, Face } from '../../gen/davinci_pb';

export interface SeenTile {
    color: Color;
    face: Face; // UNSPECIFIED: hidden from this viewer; own tiles bear their number
    refuted: number; // bit (Face) per value publicly refuted
}

export interface Sight {
    rows: SeenTile[][]; // by seat, with the viewer's own faces filled in
    turnColor: Color;
    turnFace: Face; // if this viewer knows it
    jokers: boolean;
    whiteLeft: boolean;
}

export const NUMBERS = 12;

// Where a number stands in a row: by number, then by colour as the room's rules say.
function orderKey(sight: Sight, color: Color, face: Face): number {
    const second = sight.whiteLeft ? Color.BLACK : Color.WHITE;
    return face * 2 + (color === second ? 1 : 0);
}

function isNumber(face: Face): boolean {
    return face >= Face.N0 && face <= Face.N11;
}

// The keys of the nearest open numbers on both sides; what lies between them is possible.
function range(sight: Sight, row: SeenTile[], index: number): { low: number; high: number } {
    let low = 0;
    let high = Infinity;
    row.forEach((tile, i) => {
        if (!isNumber(tile.face)) {
            return;
        }
        const key = orderKey(sight, tile.color, tile.face);
        if (i < index) {
            low = key;
        } else if (i > index && high === Infinity) {
            high = key;
        }
    });
    return { low, high };
}

// Faces of a colour that this viewer can place elsewhere, as bits.
export function accounted(sight: Sight, color: Color): number {
    const tiles = sight.rows.flat().filter((tile) => tile.color === color);
    const bits = tiles.reduce((all, tile) => all | (1 << tile.face), 0);
    return sight.turnColor === color ? bits | (1 << sight.turnFace) : bits;
}

// Bit (Face) for each value the tile may have.
export function candidates(sight: Sight, seat: number, index: number): number {
    const row = sight.rows[seat] ?? [];
    const tile = row[index];
    if (tile === undefined) {
        return 0;
    }
    if (tile.face !== Face.UNSPECIFIED) {
        return 1 << tile.face;
    }
    const { low, high } = range(sight, row, index);
    let faces = sight.jokers ? 1 << Face.JOKER : 0;
    for (let face = Face.N0; face < Face.N0 + NUMBERS; face += 1) {
        const key = orderKey(sight, tile.color, face);
        if (key > low && key < high) {
            faces |= 1 << face;
        }
    }
    return faces & ~accounted(sight, tile.color) & ~tile.refuted;
}

export type Impossible = 'open' | 'mine' | 'refuted' | 'range';

// Why a value cannot be right, for the warning; null when it can be. The guess stays allowed (the spec, 5.2).
export function impossible(
    sight: Sight,
    mySeat: number,
    seat: number,
    index: number,
    face: Face,
): Impossible | null {
    const tile = sight.rows[seat]?.[index];
    if (tile === undefined || ((candidates(sight, seat, index) >> face) & 1) === 1) {
        return null;
    }
    if (((tile.refuted >> face) & 1) === 1) {
        return 'refuted';
    }
    const held = sight.rows[mySeat] ?? [];
    const inHand = sight.turnColor === tile.color && sight.turnFace === face;
    if (inHand || held.some((t) => t.color === tile.color && t.face === face)) {
        return 'mine';
    }
    return ((accounted(sight, tile.color) >> face) & 1) === 1 ? 'open' : 'range';
}
