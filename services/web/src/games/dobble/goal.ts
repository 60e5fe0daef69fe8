// SPDX-License-Identifier: Apache-2.0
import { MiniGame } from '../../gen/dobble_pb';
import type { Key } from '../../texts/index.svelte';

// What this mini-game wants, in a sentence.
const goals: Record<MiniGame, Key> = {
    [MiniGame.UNSPECIFIED]: 'db.goal.tower',
    [MiniGame.TOWER]: 'db.goal.tower',
    [MiniGame.WELL]: 'db.goal.well',
    [MiniGame.HOT_POTATO]: 'db.goal.hotPotato',
    [MiniGame.POISONED_GIFT]: 'db.goal.poisonedGift',
    [MiniGame.TRIPLET]: 'db.goal.triplet',
};
export const goalOf = (game: MiniGame): Key => goals[game];

const names: Record<MiniGame, Key> = {
    [MiniGame.UNSPECIFIED]: 'option.dobble.miniGame.tower',
    [MiniGame.TOWER]: 'option.dobble.miniGame.tower',
    [MiniGame.WELL]: 'option.dobble.miniGame.well',
    [MiniGame.HOT_POTATO]: 'option.dobble.miniGame.hotPotato',
    [MiniGame.POISONED_GIFT]: 'option.dobble.miniGame.poisonedGift',
    [MiniGame.TRIPLET]: 'option.dobble.miniGame.triplet',
};
export const miniGameName = (game: MiniGame): Key => names[game];
