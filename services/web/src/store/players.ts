// SPDX-License-Identifier: Apache-2.0
//
// People as screens name them: the room's seats, put into a game's order.
import type { Player } from '../games/screen';
import type { RoomModel } from '../net/state';

// Equal-looking names in a room carry a number from the second on.
export function shownName(name: string, number: number): string {
    return number > 0 ? `${name} ${number}` : name;
}

export function playerOf(room: RoomModel, seat: number): Player {
    const view = room.view.seats[seat];
    return {
        seat,
        name: view === undefined ? '' : shownName(view.name, view.nameNumber),
        member: view?.member ?? 0,
        connected: room.presence.seats[seat]?.connected ?? false,
        automatic: view?.automatic ?? false,
        rttMs: room.presence.seats[seat]?.rttMs ?? 0,
    };
}

// Who plays or played, by game seat. Names stay as they were; people may have moved or left since.
export function playersOf(room: RoomModel): Player[] {
    return room.view.players.map((was, i) => {
        const now = room.view.seats.findIndex((s) => s.taken && s.member === was.member);
        return {
            seat: room.view.playing[i] ?? i,
            name: shownName(was.name, was.nameNumber),
            member: was.member,
            connected: now >= 0 && (room.presence.seats[now]?.connected ?? false),
            automatic: was.left || (now >= 0 && (room.view.seats[now]?.automatic ?? false)),
            rttMs: now >= 0 ? (room.presence.seats[now]?.rttMs ?? 0) : 0,
        };
    });
}

export function gameSeatOf(room: RoomModel): number {
    const mine = room.seat < 0 ? undefined : room.view.seats[room.seat];
    return mine === undefined ? -1 : room.view.players.findIndex((p) => p.member === mine.member);
}
