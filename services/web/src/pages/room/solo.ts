// SPDX-License-Identifier: Apache-2.0
//
// Practice for one is a rule of the room in some games. It is in the way as soon as somebody else sits down, and it is what
// somebody alone can play.
import type { GameInfo } from '../../gen/client_pb';
import type { RoomModel } from '../../net/state';

export interface Solo {
    key: string; // of the switch; empty: this game has none
    alone: boolean; // one person is seated
    offered: boolean; // the other way fits who is here
    stuck: boolean; // set to practice, with others here
}

export function soloOf(room: RoomModel, games: GameInfo[]): Solo {
    const key = games.find((g) => g.id === room.view.game)?.soloKey ?? '';
    const on = key !== '' && room.view.options.some((o) => o.key === key && o.value === 1);
    const seated = room.view.seats.filter((seat) => seat.taken).length;
    const alone = seated === 1;
    return { key, alone, offered: key !== '' && on !== alone, stuck: on && seated > 1 };
}
