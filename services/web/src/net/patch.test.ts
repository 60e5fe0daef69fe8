// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyPatch } from './patch';

const vectors = readFileSync(new URL('../../../../tests/unit/wire/patches.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '));
const unhex = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text === '-' ? '' : text, 'hex'));

describe('patches', () => {
    it('make what is written down for all readers', () => {
        const made = vectors.filter(([what]) => what === 'makes');
        expect(made.length).toBeGreaterThan(9);
        for (const [, old, patch, now] of made) {
            expect(applyPatch(unhex(old), unhex(patch)), patch).toEqual(unhex(now));
        }
    });

    it('are refused where that is written down', () => {
        const refused = vectors.filter(([what]) => what === 'refused');
        expect(refused.length).toBeGreaterThan(9);
        for (const [, old, patch] of refused) {
            expect(applyPatch(unhex(old), unhex(patch)), patch).toBeNull();
        }
    });

    it('make no more than a section may have', () => {
        const all = [0x81, 0x80, 0x02]; // 8,192 bytes from the cursor on
        const again = [0x83, 0x80, 0x02, 0xfe, 0xff, 0x01]; // and the same once more: 8,192 back
        const old = new Uint8Array(8192);
        expect(applyPatch(old, new Uint8Array([...all, ...again]))?.length).toBe(16384);
        expect(applyPatch(old, new Uint8Array([...all, ...again, ...again]))).toBeNull();
        expect(applyPatch(new Uint8Array(8193), new Uint8Array([...all, ...again]))).toBeNull();
    });
});
