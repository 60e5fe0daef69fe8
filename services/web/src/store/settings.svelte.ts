// SPDX-License-Identifier: Apache-2.0
//
// What this device remembers about its person: nickname, the game chosen last, sound, vibration, brightness.
import { local, recall, remember } from './memory';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'madang.settings';

interface Kept {
    name: string;
    game: string; // chosen last; empty: none yet
    sound: boolean;
    vibration: boolean;
    theme: Theme;
    bigCards: boolean; // where cards are looked at: as large as they fit
    seen: string[]; // hints that were shown once
}

const fresh: Kept = { name: '', game: '', sound: false, vibration: false, theme: 'auto', bigCards: false, seen: [] };

function read(): Kept {
    try {
        return { ...fresh, ...(JSON.parse(recall(local, KEY) ?? '{}') as Partial<Kept>) };
    } catch {
        return { ...fresh };
    }
}

const kept = $state<Kept>(read());

function keep(): void {
    remember(local, KEY, JSON.stringify(kept));
}

const darkDevice = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function showTheme(): void {
    const device = darkDevice().matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = kept.theme === 'auto' ? device : kept.theme;
}

export const settings = {
    get name() {
        return kept.name;
    },
    set name(value: string) {
        kept.name = value;
        keep();
    },
    get game() {
        return kept.game;
    },
    set game(value: string) {
        kept.game = value;
        keep();
    },
    get sound() {
        return kept.sound;
    },
    set sound(value: boolean) {
        kept.sound = value;
        keep();
    },
    get vibration() {
        return kept.vibration;
    },
    set vibration(value: boolean) {
        kept.vibration = value;
        keep();
    },
    get theme() {
        return kept.theme;
    },
    set theme(value: Theme) {
        kept.theme = value;
        showTheme();
        keep();
    },
    get bigCards() {
        return kept.bigCards;
    },
    set bigCards(value: boolean) {
        kept.bigCards = value;
        keep();
    },
    hasSeen(hint: string): boolean {
        return kept.seen.includes(hint);
    },
    see(hint: string): void {
        if (!kept.seen.includes(hint)) {
            kept.seen.push(hint);
            keep();
        }
    },
    apply(): void {
        showTheme();
        darkDevice().addEventListener('change', showTheme);
    },
};
