// SPDX-License-Identifier: Apache-2.0
//
// Milliseconds until an instant of the room's time, as a value that screens can follow; 0 when it has passed. It looks
// at the clock only while there is something to wait for.
import { app } from '../../store/app.svelte';

export function timeLeft(instant: () => number, everyMs = 100): { readonly ms: number } {
    let ms = $state(0);
    $effect(() => {
        const at = instant();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const look = (): void => {
            ms = app.left(at);
            if (ms > 0) {
                timer = setTimeout(look, Math.min(everyMs, ms + 1));
            }
        };
        look();
        return () => clearTimeout(timer);
    });
    return {
        get ms() {
            return ms;
        },
    };
}

// An instant of the game's clock in room time; 0 stays none.
export function roomTime(instant: bigint, behind: number): number {
    return instant === 0n ? 0 : Number(instant) + behind;
}
