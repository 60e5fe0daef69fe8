// SPDX-License-Identifier: Apache-2.0
//
// How the pictures of a card lie, from the card's look: the same as the servers' libs/games/dobble/layout.c, where it is
// told why (both are held against tests/unit/games/golden/dobble_layouts.json).

// Where and how large, in thousandths of the card's diameter; the turn in degrees.
export interface Spot {
    x: number;
    y: number;
    size: number;
    turn: number;
}

const SLOTS = 8;
const SIZE_AT_100 = 220;
const SIZE_MIN = 60;
const SIZE_MAX = 120;
const TURNS = 360;

const templates: readonly (readonly (readonly [number, number])[])[] = [
    // two inside, six around
    [[408, 463], [674, 495], [243, 252], [488, 143], [740, 235], [512, 744], [244, 749], [143, 500]],
    // a ring
    [[143, 490], [251, 244], [499, 143], [747, 242], [857, 487], [732, 771], [478, 856], [236, 741]],
    // one inside, seven around
    [[509, 511], [150, 428], [315, 217], [813, 328], [844, 594], [682, 807], [417, 847], [199, 692]],
    // one low inside, seven around, the widest gap at the bottom
    [[540, 647], [208, 294], [433, 149], [696, 202], [848, 422], [805, 686], [330, 814], [290, 549]],
    // one inside, seven around that stand closer
    [[520, 502], [330, 268], [625, 250], [844, 405], [790, 667], [590, 846], [348, 732], [205, 505]],
    // three columns
    [[495, 359], [505, 641], [254, 241], [727, 224], [728, 492], [746, 759], [273, 776], [273, 508]],
];

// The 32-bit finalizer of MurmurHash3 (Austin Appleby, in the public domain).
function mix(value: number): number {
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return (value ^ (value >>> 16)) >>> 0;
}

const ASK_TEMPLATE = 0;
const ASK_SIZE = 1;
const ASK_TURN = ASK_SIZE + SLOTS;
const ASK_BITS = 5;
const ask = (look: number, question: number, bound: number): number => mix((look << ASK_BITS) | question) % bound;

export function spotOf(look: number, easy: boolean, slot: number): Spot {
    const [x, y] = templates[ask(look, ASK_TEMPLATE, templates.length)]?.[slot] ?? [0, 0];
    const percent = easy ? 100 : SIZE_MIN + ask(look, ASK_SIZE + slot, SIZE_MAX - SIZE_MIN + 1);
    return {
        x,
        y,
        size: Math.floor((SIZE_AT_100 * percent) / 100),
        turn: easy ? 0 : ask(look, ASK_TURN + slot, TURNS),
    };
}
