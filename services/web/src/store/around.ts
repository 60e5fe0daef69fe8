// SPDX-License-Identifier: Apache-2.0
//
// What the room around a page apart (the rules) is about, and when it calls somebody back from there.
import { RoomState } from '../gen/client_pb';
import type { RoomModel } from '../net/state';
import { gameSeatOf } from './players';

export type Around = 'lobby' | 'playing' | 'mine' | 'paused' | 'over';

// `waits` says whether the game waits for this person; nobody knows before its screen is loaded.
export function aroundOf(room: RoomModel, waits: boolean): Around {
    switch (room.view.state) {
        case RoomState.PLAYING:
            return waits && gameSeatOf(room) >= 0 ? 'mine' : 'playing';
        case RoomState.PAUSED:
            return 'paused';
        case RoomState.RESULT:
            return 'over';
        default:
            return 'lobby';
    }
}

// A game that began meanwhile: not one that was under way when the page was opened.
export function hasBegun(before: RoomModel | null, now: RoomModel | null): boolean {
    return (
        before !== null &&
        now !== null &&
        before.code === now.code &&
        before.view.gameNumber !== now.view.gameNumber &&
        now.view.state === RoomState.PLAYING
    );
}

// Names a game of a room.
export function gameKey(room: RoomModel): string {
    return `${room.code}-${room.view.gameNumber}`;
}

// Whether a result is for this person to look at: who played that game or saw it played. Others have just come.
export function isNewcomer(room: RoomModel, seen: string): boolean {
    return room.view.state === RoomState.RESULT && gameSeatOf(room) < 0 && seen !== gameKey(room);
}
