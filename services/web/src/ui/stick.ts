// SPDX-License-Identifier: Apache-2.0
//
// Keeps something at the edge of the window (class `sticks`) only while it leaves room for the rest: with large
// text on a small phone it scrolls with the page instead of covering it.
export interface Sticking {
    share: number; // of the window's height, at most
    onsize?: (height: number) => void; // what it covers now, in px; 0 when it does not stick
}

export function stick(node: HTMLElement, { share, onsize }: Sticking): { destroy: () => void } {
    const look = (): void => {
        const sticks = node.offsetHeight < window.innerHeight * share;
        node.classList.toggle('sticks', sticks);
        onsize?.(sticks ? node.offsetHeight : 0);
    };
    const watch = new ResizeObserver(look);
    watch.observe(node);
    window.addEventListener('resize', look);
    look();
    return {
        destroy: () => {
            watch.disconnect();
            window.removeEventListener('resize', look);
        },
    };
}
