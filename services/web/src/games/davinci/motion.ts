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

// Where piles and the tile of this turn were last seen on the screen.
const spots = new Map<string, { x: number; y: number }>();

export function rememberSpot(name: string, node: Element | null): void {
    const box = node?.getBoundingClientRect();
    if (box !== undefined) {
        spots.set(name, { x: box.left, y: box.top });
    }
}

export function travel(
    node: Element,
    { from: name }: { from: string },
): {
    duration: number;
    easing: (t: number) => number;
    css: (t: number, u: number) => string;
} {
    const box = node.getBoundingClientRect();
    const from = spots.get(name);
    const dx = from === undefined ? 0 : from.x - box.left;
    const dy = from === undefined ? -16 : from.y - box.top;
    return {
        duration: calm() ? 0 : TRAVEL_MS,
        easing: easeOut,
        // An arc: it is lifted on the way and settles.
        css: (t, u) =>
            `transform: translate(${u * dx}px, ${u * dy - 26 * t * u}px); z-index: 3; position: relative`,
    };
}

// Scrolls so that `node` lies between the bar on top and what is docked below, and no further than needed.
export function keepInSight(node: Element, barPx: number, dockedPx: number): void {
    const box = node.getBoundingClientRect();
    const ceiling = barPx + 8;
    const over = box.bottom - (window.innerHeight - dockedPx - 8);
    const under = ceiling - box.top;
    const by = under > 0 ? -under : Math.min(Math.max(over, 0), box.top - ceiling);
    window.scrollBy(0, by);
}
