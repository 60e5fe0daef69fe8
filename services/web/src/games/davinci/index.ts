// SPDX-License-Identifier: Apache-2.0
import { registerReasons } from '../../texts/index.svelte';
import type { GameModule } from '../screen';
import { announce } from './announce';
import { readModel, waitsForMe } from './model';
import Play from './Play.svelte';
import Rules from './Rules.svelte';
import { sayDavinciRefusal } from './words';

registerReasons('davinci-code', sayDavinciRefusal);

export const davinci: GameModule = {
    Play,
    Rules,
    waits: (shared, mine, me) => waitsForMe(readModel(shared, mine, me)),
    announce,
};
