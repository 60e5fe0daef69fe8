// SPDX-License-Identifier: Apache-2.0
//
// How cards move: what was won travels to its winner, what comes next is turned over. Short, never in the way of a
// tap, and nothing at all for those who asked for calm.
const TRAVEL_MS = 240;
const TURN_MS = 170;

function calm(): boolean {
    return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const easeOut = (t: number): number => 1 - (1 - t) ** 3;

interface Movement {
    duration: number;
    easing: (t: number) => number;
    css: (t: number, u: number) => string;
}

// Where on the screen somebody's cards are: a cell of the strip, or my own card.
function place(name: string | null): DOMRect | null {
    const node = name === null ? null : document.querySelector(`[data-place="${name}"]`);
    return node?.getBoundingClientRect() ?? null;
}

// Leaves for `to`, growing or shrinking on the way.
export function depart(node: Element, { to }: { to: () => string | null }): Movement {
    const from = node.getBoundingClientRect();
    const goal = place(to());
    const dx = goal === null ? 0 : goal.left + goal.width / 2 - from.left - from.width / 2;
    const dy = goal === null ? 0 : goal.top + goal.height / 2 - from.top - from.height / 2;
    const scale = goal === null ? 0.9 : Math.min(1, goal.height / Math.max(1, from.height));
    return {
        duration: calm() ? 0 : TRAVEL_MS,
        easing: easeOut,
        css: (t, u) =>
            `transform: translate(${u * dx}px, ${u * dy}px) scale(${1 - u * (1 - scale)}); opacity: ${0.25 + 0.75 * t}`,
    };
}

export function turnOver(_node: Element): Movement {
    return {
        duration: calm() ? 0 : TURN_MS,
        easing: easeOut,
        css: (t, u) => `transform: perspective(900px) rotateY(${u * 80}deg) scale(${0.94 + 0.06 * t})`,
    };
}
