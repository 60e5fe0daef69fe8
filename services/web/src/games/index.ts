// SPDX-License-Identifier: Apache-2.0
//
// The games that have a screen in this build. Adding one is a folder beside davinci/, its sentences in the
// catalogues and a line here. What a game is (seats, options) comes from the server as data; its screen
// is fetched when it is needed.
import type { Component } from 'svelte';
import type { Key } from '../texts/index.svelte';
import BaseballCard from './baseball/Card.svelte';
import DavinciCard from './davinci/Card.svelte';
import DobbleCard from './dobble/Card.svelte';
import type { GameModule } from './screen';

export interface GameEntry {
    name: Key;
    line: Key;
    minutes: [number, number];
    Card: Component;
    load: () => Promise<GameModule>;
}

export const games: Record<string, GameEntry> = {
    'davinci-code': {
        name: 'game.davinci-code.name',
        line: 'game.davinci-code.line',
        minutes: [10, 15],
        Card: DavinciCard,
        load: () => import('./davinci/index').then((m) => m.davinci),
    },
    dobble: {
        name: 'game.dobble.name',
        line: 'game.dobble.line',
        minutes: [3, 10],
        Card: DobbleCard,
        load: () => import('./dobble/index').then((m) => m.dobble),
    },
    'number-baseball': {
        name: 'game.number-baseball.name',
        line: 'game.number-baseball.line',
        minutes: [3, 5],
        Card: BaseballCard,
        load: () => import('./baseball/index').then((m) => m.baseball),
    },
};
