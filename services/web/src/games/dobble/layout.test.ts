// SPDX-License-Identifier: Apache-2.0
//
// The vectors that the engine writes (tests/unit/games/dobble_vectors_main.c): whatever it would draw, we draw.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { spotOf } from './layout';

interface Vector {
    look: number;
    easy: boolean;
    spots: { x: number; y: number; size: number; turn: number }[];
}
const vectors = JSON.parse(
    readFileSync(new URL('../../../../../tests/unit/games/golden/dobble_layouts.json', import.meta.url), 'utf8'),
) as Vector[];

describe('how pictures lie', () => {
    it('is as the servers have it', () => {
        expect(vectors.length).toBeGreaterThan(50);
        for (const { look, easy, spots } of vectors) {
            expect(spots).toHaveLength(8);
            expect(spots.map((_, slot) => spotOf(look, easy, slot)), String(look)).toEqual(spots);
        }
    });
    it('is held for each place of each template', () => {
        expect(new Set(vectors.map(({ spots }) => JSON.stringify(spots.map(({ x, y }) => [x, y])))).size).toBe(6);
    });
});
