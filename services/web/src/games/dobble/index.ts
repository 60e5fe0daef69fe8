// SPDX-License-Identifier: Apache-2.0
import { registerReasons } from '../../texts/index.svelte';
import type { GameModule } from '../screen';
import { announce } from './announce';
import { readModel } from './model';
import Play from './Play.svelte';
import Rules from './Rules.svelte';
import { sayDobbleRefusal } from './words';

registerReasons('dobble', sayDobbleRefusal);

export const dobble: GameModule = {
    Play,
    Rules,
    waits: (shared, mine, me) => {
        const model = readModel(shared, mine, me);
        return model.playing && model.in;
    },
    announce,
};
