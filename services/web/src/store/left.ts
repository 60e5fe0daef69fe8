// SPDX-License-Identifier: Apache-2.0
//
// Whether somebody went from a room, or from a game back to its lobby: what was read out there is over.
import { RoomState } from '../gen/client_pb';
import type { RoomModel } from '../net/state';

type Where = { room: Pick<RoomModel, 'code' | 'view'> | null };

export function leftBehind(before: Where, after: Where): boolean {
    if (before.room === null) {
        return false;
    }
    if (after.room?.code !== before.room.code) {
        return true;
    }
    return after.room.view.state === RoomState.LOBBY && before.room.view.state !== RoomState.LOBBY;
}
