// SPDX-License-Identifier: Apache-2.0
import { registerReasons } from '../../texts/index.svelte';
import type { GameModule } from '../screen';
import { announce } from './announce';
import { readModel } from './model';
import Play from './Play.svelte';
import Rules from './Rules.svelte';
import { sayBaseballRefusal } from './words';

registerReasons('number-baseball', sayBaseballRefusal);

export const baseball: GameModule = {
    Play,
    Rules,
    waits: (shared, mine, me) => readModel(shared, mine, me).guessing,
    announce,
};
