// SPDX-License-Identifier: Apache-2.0
//
// How tiles move: a turned tile turns, an inserted one travels from where it lay. Short, never in the way of
// a tap, and nothing at all for those who asked for calm.
const TURN_MS = 240;
const TRAVEL_MS = 240;

function calm(): boolean {
    return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function easeOut(t: number): number {
    return 1 - (1 - t) ** 3;
}

export function flipOptions(): { duration: number; easing: (t: number) => number } {
    return { duration: calm() ? 0 : 200, easing: easeOut };
}

export function turn(_node: Element): { duration: number; easing: (t: number) => number; css: (t: number) => string } {
    return {
        duration: calm() ? 0 : TURN_MS,
        easing: easeOut,
        css: (t) => `transform: perspective(300px) rotateY(${(1 - t) * 90}deg)`,
    };
}

// Where the tile of this turn lay when it was last seen, in page coordinates.
let spot: { x: number; y: number } | null = null;

export function rememberSpot(node: Element | null): void {
    const box = node?.getBoundingClientRect();
    if (box !== undefined) {
        spot = { x: box.left + window.scrollX, y: box.top + window.scrollY };
    }
}

export function travel(node: Element): {
    duration: number;
    easing: (t: number) => number;
    css: (t: number, u: number) => string;
} {
    const box = node.getBoundingClientRect();
    const from = spot;
    const dx = from === null ? 0 : from.x - box.left - window.scrollX;
    const dy = from === null ? -16 : from.y - box.top - window.scrollY;
    return {
        duration: calm() ? 0 : TRAVEL_MS,
        easing: easeOut,
        // An arc: it is lifted on the way and settles.
        css: (t, u) =>
            `transform: translate(${u * dx}px, ${u * dy - 26 * t * u}px); z-index: 3; position: relative`,
    };
}
