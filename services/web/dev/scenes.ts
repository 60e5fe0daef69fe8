// SPDX-License-Identifier: Apache-2.0
//
// Situations to look at, each behind a room code of its own (the scene's name in code symbols), game by game.
// Only for development: nothing of this folder is in a build.
import { baseball } from './baseball';
import { davinci } from './davinci';
import { dobble } from './dobble';
import type { GameScenes, Scene } from './scene';

export const games: GameScenes[] = [davinci, dobble, baseball];
export const scenes: Record<string, Scene> = Object.assign({}, ...games.map((game) => game.scenes));
