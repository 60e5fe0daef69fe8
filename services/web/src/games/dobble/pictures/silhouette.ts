// SPDX-License-Identifier: Apache-2.0
//
// How alike two pictures are to somebody who sees no colour: the measure behind pictures.test.ts, in no build.
//
// A silhouette is the picture at 48 px, its smallest on a phone, all in one colour. Cards turn and scale pictures, so
// where it lies, how large and how it is turned must not count: the centroid goes to the middle and the area to one
// size (normalisation by moments: M.-K. Hu, 1962), and of all turns the best counts, moved a little to lie better still.
//
// What is left is compared along the outline, where the eye tells shapes apart: Boundary IoU (B. Cheng and others, CVPR
// 2021), the common part of two bands inside the outlines over their union. Over whole areas a heart and a car
// have 0.86 in common because both are compact; along the outline they have hardly anything.
import { Resvg } from '@resvg/resvg-js';

export const SHOWN_PX = 48;
const GRID_PX = 112;
const RADIUS_PX = 20; // of the disc with the common area: that of a well-filled picture at 48 px
export const BAND_PX = 4; // two ink lines
const STEP_DEGREES = 5;

interface Picture {
    alpha: Float32Array; // 0 to 1, row by row
    px: number; // a side
}

// Everything in one colour: what is drawn at all, whatever its colour and however faint.
export function blacken(svg: string): string {
    return svg.replace(/(fill|stroke)="#[0-9a-f]+"/g, '$1="#000"').replace(/ (fill|stroke)-opacity="[^"]*"/g, '');
}

export function render(svg: string, px: number): Picture {
    const options = { fitTo: { mode: 'width', value: px }, font: { loadSystemFonts: false } } as const;
    const { pixels } = new Resvg(svg, options).render(); // read once: every access copies all of them
    const alpha = new Float32Array(px * px);
    for (let i = 0; i < alpha.length; i++) {
        alpha[i] = (pixels[4 * i + 3] ?? 0) / 255;
    }
    return { alpha, px };
}

// Between four pixels, whose middles are at halves; nothing outside.
function sample({ alpha, px }: Picture, x: number, y: number): number {
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    if (left < 0 || top < 0 || left + 1 >= px || top + 1 >= px) {
        return 0;
    }
    const fx = x - 0.5 - left;
    const fy = y - 0.5 - top;
    const i = top * px + left;
    const above = (alpha[i] ?? 0) * (1 - fx) + (alpha[i + 1] ?? 0) * fx;
    const below = (alpha[i + px] ?? 0) * (1 - fx) + (alpha[i + px + 1] ?? 0) * fx;
    return above * (1 - fy) + below * fy;
}

// The same at the common place and size.
function normalised(picture: Picture): Picture {
    const { alpha, px } = picture;
    let area = 0;
    let x = 0;
    let y = 0;
    alpha.forEach((a, i) => {
        area += a;
        x += a * ((i % px) + 0.5);
        y += a * (Math.floor(i / px) + 0.5);
    });
    const grow = Math.sqrt(area / Math.PI) / RADIUS_PX;
    const out = new Float32Array(GRID_PX * GRID_PX);
    for (let i = 0; i < out.length; i++) {
        const dx = (i % GRID_PX) + 0.5 - GRID_PX / 2;
        const dy = Math.floor(i / GRID_PX) + 0.5 - GRID_PX / 2;
        out[i] = sample(picture, x / area + dx * grow, y / area + dy * grow);
    }
    return { alpha: out, px: GRID_PX };
}

// What is left of it when its outline moves inwards by BAND_PX: the smallest value in a disc around each pixel.
function eroded({ alpha, px }: Picture): Float32Array {
    const disc: number[] = [];
    for (let dy = -BAND_PX; dy <= BAND_PX; dy++) {
        for (let dx = -BAND_PX; dx <= BAND_PX; dx++) {
            if (Math.hypot(dx, dy) <= BAND_PX) {
                disc.push(dy * px + dx);
            }
        }
    }
    return alpha.map((a, i) => (a === 0 ? 0 : disc.reduce((least, by) => Math.min(least, alpha[i + by] ?? 0), a)));
}

interface Point {
    x: number;
    y: number;
    a: number;
}

const NOWHERE: Point = { x: 0, y: 0, a: 0 };

export interface Outline {
    band: Picture;
    points: Point[]; // the band again, from the middle, where there is any
    area: number;
}

export function outline(svg: string): Outline {
    const whole = normalised(render(blacken(svg), SHOWN_PX));
    const inside = eroded(whole);
    const band = { alpha: whole.alpha.map((a, i) => a - (inside[i] ?? 0)), px: GRID_PX };
    const points: Point[] = [];
    let area = 0;
    band.alpha.forEach((a, i) => {
        area += a;
        if (a > 0.02) {
            points.push({ x: (i % GRID_PX) + 0.5 - GRID_PX / 2, y: Math.floor(i / GRID_PX) + 0.5 - GRID_PX / 2, a });
        }
    });
    return { band, points, area };
}

// How b lies over a: turned, moved (a part that only one of them has pulls the centroid aside) and scaled.
interface Pose {
    degrees: number;
    x: number;
    y: number;
    scale: number;
}

// Looks at every stride-th pixel.
function overlap(a: Outline, b: Outline, { degrees, x, y, scale }: Pose, stride: number): number {
    const cos = Math.cos((degrees * Math.PI) / 180) * scale;
    const sin = Math.sin((degrees * Math.PI) / 180) * scale;
    const middle = GRID_PX / 2;
    let sum = 0;
    for (let i = 0; i < a.points.length; i += stride) {
        const p = a.points[i] ?? NOWHERE;
        const there = sample(b.band, middle + x + p.x * cos - p.y * sin, middle + y + p.x * sin + p.y * cos);
        sum += Math.min(p.a, there) * stride;
    }
    return sum / (a.area + b.area / scale ** 2 - sum);
}

const MOVES: Partial<Pose>[] = [
    ...[-2, -1, 1, 2].map((degrees) => ({ degrees })),
    ...[-1, 1].flatMap((by) => [{ x: by }, { y: by }, { scale: by * 0.03 }]),
];
const MOVES_MAX = 12;
const ROUGHLY = 3; // the best turn shows on a part of the pixels

// Boundary IoU as b lies best: 1 for the same shape, 0 for outlines that meet nowhere.
export function likeness(a: Outline, b: Outline): number {
    let pose: Pose = { degrees: 0, x: 0, y: 0, scale: 1 };
    let best = 0;
    const look = (other: Pose, stride: number): void => {
        const value = overlap(a, b, other, stride);
        if (value > best) {
            best = value;
            pose = other;
        }
    };
    for (let degrees = 0; degrees < 360; degrees += STEP_DEGREES) {
        look({ degrees, x: 0, y: 0, scale: 1 }, ROUGHLY);
    }
    best = overlap(a, b, pose, 1);
    for (let round = 0, before = 0; round < MOVES_MAX && best > before; round++) {
        before = best;
        const { degrees, x, y, scale } = pose;
        MOVES.forEach((by) => {
            const moved = { degrees: degrees + (by.degrees ?? 0), x: x + (by.x ?? 0), y: y + (by.y ?? 0) };
            look({ ...moved, scale: scale + (by.scale ?? 0) }, 1);
        });
    }
    return best;
}
