// SPDX-License-Identifier: Apache-2.0
//
// A game's screen, fetched as soon as its room is entered, so that neither a slow line nor a new release in between is
// noticed when the game starts. What does not come is asked for again. Where that is in vain although the line is there
// (a release that has other files, a browser that keeps a failure), the page opens anew: seat, views and drafts are
// back at once.
import { games } from '../games';
import type { GameModule } from '../games/screen';
import { app } from './app.svelte';
import { recall, remember, tab } from './memory';

const PAUSE_MS = 1500;
const ANEW_KEY = 'madang.anew';
const ANEW_EVERY_MS = 60_000;

export interface Screen {
    readonly module: GameModule | null;
    readonly missing: boolean; // it was asked for and did not come
}

function openAnew(): void {
    if (Date.now() - Number(recall(tab, ANEW_KEY)) < ANEW_EVERY_MS) {
        return;
    }
    remember(tab, ANEW_KEY, String(Date.now()));
    location.reload();
}

// For a component: the screen of the game that `game` names, and of the next one when that changes.
export function screenOf(game: () => string): Screen {
    let module = $state.raw<GameModule | null>(null);
    let missing = $state(false);
    const wanted = $derived(game());
    $effect(() => {
        const entry = games[wanted];
        let pause: ReturnType<typeof setTimeout> | undefined;
        let left = false;
        module = null;
        missing = false;
        const came = (loaded: GameModule): void => {
            if (!left) {
                module = loaded;
                missing = false;
            }
        };
        const failed = (): void => {
            if (left) {
                return;
            }
            if (missing && app.s.link === 'open') {
                openAnew();
            }
            missing = true;
            pause = setTimeout(ask, PAUSE_MS);
        };
        const ask = (): void => void entry?.load().then(came, failed);
        ask();
        return () => {
            left = true;
            clearTimeout(pause);
        };
    });
    return {
        get module() {
            return module;
        },
        get missing() {
            return missing;
        },
    };
}
