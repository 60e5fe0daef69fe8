// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pictureNames, pictures } from '.';
import { picturesEn } from './en';
import { picturesKo } from './ko';
import { blacken, likeness, outline, render } from './silhouette';

const RADIUS = 50;
const EDGE = 2.5; // of Picture.svelte
const GZIP_BYTES_MAX = 40 * 1024;
// Outlines that are one pixel of 48 apart all along have (4 - 1) / (4 + 1) of their bands in common: half the width of
// the ink line is nothing by which two pictures are told apart at a glance. Below lie all pairs (0.58 at most, a flame and
// a ball), above all copies with a change that one hardly sees (0.63 at least).
const ALIKE = 0.6;
const PATIENCE_MS = 120_000;

const folder = fileURLToPath(new URL('.', import.meta.url));
const source = (name: string): string => readFileSync(`${folder}${name}.svg`, 'utf8');
const sources = pictureNames.map((name) => ({ name, svg: source(name) }));
const outlines = sources.map(({ name, svg }) => ({ name, outline: outline(svg) }));
const like = (a: string, b: string): number => likeness(outline(a), outline(b));
const within = (svg: string, transform: string): string =>
    svg.replace(/(<svg[^>]*>)([^]*)(<\/svg>)/, `$1<g transform="${transform}">$2</g>$3`);

// How far from the middle there is something, in the units of the drawing.
function reach(svg: string): number {
    const wide = 150;
    const { alpha, px } = render(svg.replace('-50 -50 100 100', `-75 -75 ${wide} ${wide}`), 600);
    let far = 0;
    alpha.forEach((a, i) => {
        if (a > 0.5) {
            far = Math.max(far, Math.hypot((i % px) + 0.5 - px / 2, Math.floor(i / px) + 0.5 - px / 2));
        }
    });
    return (far * wide) / px;
}

describe('the pictures', () => {
    it('are the 57 of the rules, in their order', () => {
        expect(pictures.map((p) => picturesKo[p.nameKey]).join(', ')).toBe(
            '사과, 해, 달, 별, 하트, 물방울, 불꽃, 눈송이, 번개, 구름, 나무, 꽃, 나뭇잎, 선인장, 버섯, 당근, 레몬, 체리, 고양이, ' +
                '강아지, 물고기, 새, 거북이, 무당벌레, 거미, 공룡, 토끼, 펭귄, 열쇠, 자물쇠, 시계, 전구, 연필, 가위, 안경, 우산, ' +
                '모자, 왕관, 종, 닻, 자전거, 자동차, 로켓, 배, 공, 주사위, 음표, 카메라, 집, 성, 선물상자, 촛불, 망치, 느낌표, ' +
                '물음표, 눈사람, 무지개',
        );
    });

    it('have a file each, and no file is left over', () => {
        const files = readdirSync(folder).filter((file) => file.endsWith('.svg'));
        expect(files.sort()).toEqual(pictureNames.map((name) => `${name}.svg`).sort());
        expect(pictures.filter((p) => p.inner.length < 100 || p.inner.includes('<svg'))).toEqual([]);
    });

    it.each([
        ['Korean', picturesKo],
        ['English', picturesEn],
    ])('have names of their own in %s', (_, names) => {
        expect(new Set(Object.values(names)).size).toBe(57);
        expect(Object.keys(names)).toEqual(pictures.map((p) => p.nameKey));
    });

    it('fit together into the budget', () => {
        const all = sources.map(({ svg }) => svg).join('');
        expect(gzipSync(all, { level: 9 }).length).toBeLessThanOrEqual(GZIP_BYTES_MAX);
    });
});

describe.each(sources)('$name', ({ svg }) => {
    it('stays in its circle and fills it', () => {
        const far = reach(svg);
        expect(far).toBeLessThanOrEqual(RADIUS);
        expect(far).toBeGreaterThan(0.9 * RADIUS);
    });

    // On dark paper Picture.svelte draws it twice, with a wider and lighter line below: see whether that shows all round.
    it('gets an edge all round from a wider line, still in its circle', () => {
        const edged = svg.replace('stroke-width="4"', `stroke-width="${4 + 2 * EDGE}"`);
        const bare = render(svg, 400);
        const wide = render(edged, 400);
        const away = Math.round(0.6 * EDGE * 4);
        const around = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => (y * bare.px + x) * away));
        const lost = [...bare.alpha.keys()].filter((i) => bare.alpha[i] === 1 && around.some((by) => !wide.alpha[i + by]));
        expect(lost.length).toBe(0);
        expect(reach(edged)).toBeLessThanOrEqual(RADIUS);
    });

    it('is lines and surfaces only, in the palette, by the one hand', () => {
        expect(svg.split('\n')[0]).toBe(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100" fill="none" stroke="#2b2118" ' +
                'stroke-width="4" stroke-linecap="round" stroke-linejoin="round">',
        );
        const tags = new Set([...svg.matchAll(/<(\w+)/g)].map((m) => m[1]));
        expect([...tags].filter((tag) => !['svg', 'path', 'circle'].includes(tag ?? ''))).toEqual([]);
        const palette =
            '#d9523f #ee9546 #f6cb57 #79ad63 #3f7d58 #4d8ec2 #b4dcec #8d74b4 #f3aca4 #fff8e8 #a8724c #e2bf92 #b8b0a4 #2b2118';
        const colours = [...svg.matchAll(/#[0-9a-f]{6}/g)].map((m) => m[0]);
        expect(colours.filter((colour) => !palette.includes(colour))).toEqual([]);
        expect(/ (id|class|style|href|on\w+)=/.test(svg)).toBe(false);
    });
});

describe('without colour', () => {
    it(
        'no two pictures are alike, however they are turned and scaled',
        () => {
            const alike = outlines.flatMap((a, i) =>
                outlines.slice(0, i).flatMap((b) => {
                    const value = likeness(a.outline, b.outline);
                    return value > ALIKE ? [`${a.name} ${b.name} ${value.toFixed(3)}`] : [];
                }),
            );
            expect(alike).toEqual([]);
        },
        PATIENCE_MS,
    );

    it('a copy is caught, also in other colours', () => {
        expect(like(source('apple'), source('apple'))).toBeGreaterThan(0.99);
        expect(like(source('apple'), blacken(source('apple')))).toBeGreaterThan(0.99);
    });

    it.each([
        ['is turned and smaller', (svg: string) => within(svg, 'rotate(137) scale(.85)')],
        ['has a heavier line', (svg: string) => svg.replace('stroke-width="4"', 'stroke-width="6"')],
        ['is narrower by a tenth', (svg: string) => within(svg, 'scale(.9 1)')],
    ])(
        'a copy that %s is caught, of every picture',
        (_, change) => {
            const missed = outlines.flatMap(({ name, outline: kept }) => {
                const changed = change(source(name));
                return changed !== source(name) && likeness(kept, outline(changed)) > ALIKE ? [] : [name];
            });
            expect(missed).toEqual([]);
        },
        PATIENCE_MS,
    );

    it.each([
        ['apple', 'no leaf', /<path fill="#79ad63".*\n/],
        ['house', 'no chimney', /<path fill="#b8b0a4".*\n/],
    ])('a copy that lacks something small is caught (%s with %s)', (name, _, part) => {
        const changed = source(name).replace(part, '');
        expect(changed).not.toBe(source(name));
        expect(like(source(name), changed)).toBeGreaterThan(ALIKE);
    });
});
