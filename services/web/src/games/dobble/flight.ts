// SPDX-License-Identifier: Apache-2.0
//
// Where the two cards on the screen go when somebody has found something: the names of places that motion.ts knows.
import { MiniGame, type Found } from '../../gen/dobble_pb';

export interface Flight {
    upper: string | null;
    lower: string | null;
}

export function flightOf(game: MiniGame, found: Found, me: number): Flight {
    const finder = `seat-${found.seat}`;
    const target = `seat-${found.target - 1}`;
    switch (game) {
        case MiniGame.TOWER:
            return { upper: finder, lower: null };
        case MiniGame.WELL:
            return { upper: null, lower: found.seat === me ? 'centre' : null };
        case MiniGame.HOT_POTATO:
            return { upper: null, lower: found.seat === me ? target : null };
        case MiniGame.POISONED_GIFT:
            return { upper: null, lower: target };
        default:
            return { upper: null, lower: null };
    }
}
