// SPDX-License-Identifier: Apache-2.0
//
// What a situation to look at is made of, and the people in it. A game's own part is bytes, as in the protocol.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { OptionKind, RoomState, type GameInfoSchema, type PresenceSchema, type RoomViewSchema } from '../src/gen/client_pb';

export type RoomInit = MessageInitShape<typeof RoomViewSchema>;
export type PresenceInit = MessageInitShape<typeof PresenceSchema>;

export interface Scene {
    seat: number;
    room: RoomInit;
    presence: PresenceInit;
    game?: Uint8Array;
    mine?: Uint8Array;
    detached?: boolean; // another window takes the seat a moment later
    cut?: boolean; // the line breaks a moment later and stays down
}

export interface GameScenes {
    info: MessageInitShape<typeof GameInfoSchema>;
    scenes: Record<string, Scene>; // by room code
}

export const NAMES = [
    '민수', '영희', '할머니', '졸린 호랑이', '이모', '반짝 고슴도치', '서연', '큰아빠', '도윤', '포근한 다람쥐', '하준', '외삼촌',
];
export const SCENE_TIME = 100_000; // room time of every scene

export function makeRoom(
    info: GameScenes['info'],
    people: number,
    state: RoomState,
    options: Record<string, number>,
    change: RoomInit = {},
): RoomInit {
    const least = info.seatsMin ?? 2;
    return {
        game: info.id,
        state,
        host: 0,
        starter: -1,
        seats: Array.from({ length: info.seatsMax ?? 4 }, (_, i) =>
            i < people ? { taken: true, name: NAMES[i], wins: i === 1 ? 2 : 0, member: i + 1 } : {},
        ),
        options: Object.entries(options).map(([key, value]) => ({ key, value })),
        canStart: people >= least,
        seatsNeeded: Math.max(0, least - people),
        playing: Array.from({ length: people }, (_, i) => i),
        players: Array.from({ length: people }, (_, i) => ({ name: NAMES[i], member: i + 1 })),
        ...change,
    } as RoomInit;
}

export function makePresence(
    info: GameScenes['info'],
    people: number,
    away: number[] = [],
    watchers: string[] = [],
): PresenceInit {
    return {
        seats: Array.from({ length: info.seatsMax ?? 4 }, (_, i) => ({
            connected: i < people && !away.includes(i),
            rttMs: 40,
        })),
        spectators: watchers.length,
        spectatorNames: watchers,
    };
}

export const choice = (key: string, choices: [number, string][], defaultValue: number) => ({
    key,
    kind: OptionKind.CHOICE,
    choices: choices.map(([value, name]) => ({ value, key: name })),
    defaultValue,
});
